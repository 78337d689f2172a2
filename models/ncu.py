"""The card of a non-combat unit: it acts on the tactics board, not on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.field import Field, told

KEYS = frozenset("name title faction cost abilities version commander character".split())


@dataclass(frozen=True, slots=True)
class NonCombatUnit:
    """Name and numbers of an NCU; `cost` is None where the facts do not tell."""

    id: str
    name: str
    faction: str
    cost: int | None = None
    abilities: tuple[str, ...] = ()
    title: str = ""
    version: str = ""
    commander: bool = False
    character: bool = False

    @property
    def label(self) -> str:
        """The name with its title, as players tell versions of a character apart."""
        return f"{self.name}, {self.title}" if self.title else self.name

    @classmethod
    def read(cls, field: Field, card_id: str) -> NonCombatUnit:
        """An entry of `ncus.toml`."""
        raw = field.keys(KEYS, ("name", "faction"))
        return cls(
            id=card_id,
            name=field.member("name").text(),
            faction=field.member("faction").text(40),
            cost=field.member("cost").whole(0, 100) if "cost" in raw else None,
            abilities=tuple(item.text() for item in field.listed("abilities", 40)),
            title=field.member("title").text() if "title" in raw else "",
            version=field.member("version").text(40) if "version" in raw else "",
            commander=field.member("commander").flag() if "commander" in raw else False,
            character=field.member("character").flag() if "character" in raw else False,
        )

    def plain(self) -> dict[str, Any]:
        """The entry as the file writes it; its id is the entry's heading."""
        return told(
            {
                "name": self.name,
                "title": self.title,
                "faction": self.faction,
                "cost": self.cost,
                "abilities": list(self.abilities),
                "version": self.version,
                "commander": self.commander,
                "character": self.character,
            }
        )

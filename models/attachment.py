"""The card of an attachment: a person or rank that joins a combat unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.field import Field, told
from models.unit_card import TYPES

JOINS = (*TYPES, "none")
"""The type of unit it may join (TMG-ATM-5); "none" comes into a unit only by an ability."""

KEYS = frozenset("name title faction type cost abilities version commander character".split())


@dataclass(frozen=True, slots=True)
class Attachment:
    """Name and numbers of an attachment; a commander costs 0 (TMG-CMD-5).

    `type` is empty and `cost` None where the facts do not tell.
    """

    id: str
    name: str
    faction: str
    type: str = ""
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
    def read(cls, field: Field, card_id: str) -> Attachment:
        """An entry of `attachments.toml`."""
        raw = field.keys(KEYS, ("name", "faction"))
        return cls(
            id=card_id,
            name=field.member("name").text(),
            faction=field.member("faction").text(40),
            type=field.member("type").choice(JOINS) if "type" in raw else "",
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
                "type": self.type,
                "cost": self.cost,
                "abilities": list(self.abilities),
                "version": self.version,
                "commander": self.commander,
                "character": self.character,
            }
        )

"""A tactics card: its name, whose deck it belongs to, and which cards it replaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.field import Field, drop_empty

KEYS = frozenset("name faction commander removes version".split())


@dataclass(frozen=True, slots=True)
class TacticsCard:
    """A faction's card, or with `commander` (an id) one that he brings (TMG-DECK-1).

    `removes` are the ids of the faction's cards that leave the deck under that commander.
    """

    id: str
    name: str
    faction: str
    commander: str = ""
    removes: tuple[str, ...] = ()
    version: str = ""

    @property
    def label(self) -> str:
        """The name; a card has no title."""
        return self.name

    @classmethod
    def read(cls, field: Field, card_id: str) -> TacticsCard:
        """Read an entry of `cards.toml`."""
        raw = field.keys(KEYS, ("name", "faction"))
        return cls(
            id=card_id,
            name=field.member("name").text(),
            faction=field.member("faction").text(40),
            commander=field.member("commander").text(60) if "commander" in raw else "",
            removes=tuple(item.text(60) for item in field.listed("removes", 40)),
            version=field.member("version").text(40) if "version" in raw else "",
        )

    def plain(self) -> dict[str, Any]:
        """The entry as a TOML-compatible object; its id is the heading."""
        return drop_empty(
            {
                "name": self.name,
                "faction": self.faction,
                "commander": self.commander,
                "removes": list(self.removes),
                "version": self.version,
            }
        )

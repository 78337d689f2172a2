"""The card of an attachment: a person or rank that joins a combat unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.cards import army_card
from models.cards.unit_card import TYPES
from models.field import Field

JOINS = (*TYPES, "none")
"""The type of unit it may join (TMG-ATM-5); "none" joins a unit only by an ability."""

KEYS = army_card.KEYS | {"type", "joins"}


@dataclass(frozen=True, slots=True)
class Attachment:
    """Name and numbers of an attachment; a commander costs 0 (TMG-CMD-5).

    `type` is empty and `cost` None where they are unknown.
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
    requires: tuple[str, ...] = ()
    """Names of cards of which the army must have one (TMG-ARM-13)."""
    excludes: tuple[str, ...] = ()
    """Names of cards that the army may not have (TMG-ARM-13)."""
    joins: tuple[str, ...] = ()
    """Names of the units it may join, if its card restricts them (TMG-ARM-13)."""

    @property
    def label(self) -> str:
        """The name with its title, which distinguishes versions of a character."""
        return army_card.label(self)

    @classmethod
    def read(cls, field: Field, card_id: str) -> Attachment:
        """Read an entry of `attachments.toml`."""
        raw = field.keys(KEYS, army_card.REQUIRED)
        kind = field.member("type").choice(JOINS) if "type" in raw else ""
        names = tuple(item.text() for item in field.listed("joins", 20))
        return cls(id=card_id, type=kind, joins=names, **army_card.shared(field))

    def plain(self) -> dict[str, Any]:
        """The entry as a TOML-compatible object; its id is the heading."""
        return army_card.plain(self, {"type": self.type, "joins": list(self.joins)})

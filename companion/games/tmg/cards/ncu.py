"""The card of a non-combat unit, which acts on the tactics board, not on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.cards import army_card
from models.field import Field


@dataclass(frozen=True, slots=True)
class NonCombatUnit:
    """Name and numbers of an NCU; `cost` is None where it is unknown."""

    id: str
    name: str
    faction: str
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

    @property
    def label(self) -> str:
        """The name with its title, which distinguishes versions of a character."""
        return army_card.label(self)

    @classmethod
    def read(cls, field: Field, card_id: str) -> NonCombatUnit:
        """Read an entry of `ncus.toml`."""
        field.keys(army_card.KEYS, army_card.REQUIRED)
        return cls(id=card_id, **army_card.shared(field))

    def plain(self) -> dict[str, Any]:
        """The entry as a TOML-compatible object; its id is the heading."""
        return army_card.plain(self)

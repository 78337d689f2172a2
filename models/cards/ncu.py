"""The card of a non-combat unit: it acts on the tactics board, not on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.cards import army_card
from models.field import Field


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
    requires: tuple[str, ...] = ()
    """Names of cards of which the army must have one (TMG-ARM-13)."""
    excludes: tuple[str, ...] = ()
    """Names of cards that the army may not have (TMG-ARM-13)."""

    @property
    def label(self) -> str:
        """The name with its title, as players tell versions of a character apart."""
        return army_card.label(self)

    @classmethod
    def read(cls, field: Field, card_id: str) -> NonCombatUnit:
        """An entry of `ncus.toml`."""
        field.keys(army_card.KEYS, army_card.REQUIRED)
        return cls(id=card_id, **army_card.shared(field))

    def plain(self) -> dict[str, Any]:
        """The entry as the file writes it; its id is the entry's heading."""
        return army_card.plain(self)

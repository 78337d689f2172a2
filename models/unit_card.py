"""The catalogue's card of a combat unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from models.army_card import ArmyCard, CardCost
from models.field import Field
from models.record_reader import Between, Length, OneOf, ReadBy
from models.unit import Attack, Defense, Morale, Profile, Speed, Tray

TYPES = ("infantry", "cavalry", "monster", "warmachine")
"""TMG-UNT-2."""


def read_tray_name(field: Field, trays: Mapping[str, Tray]) -> str:
    return field.choice(trays)


@dataclass(frozen=True, slots=True)
class UnitCard(ArmyCard):
    """Name, kind and numbers of a combat unit."""

    type: Annotated[str, OneOf(TYPES)]
    tray: Annotated[str, ReadBy(read_tray_name)]
    speed: Speed
    defense: Defense
    morale: Morale | None = None
    cost: CardCost | None = None
    wounds_per_model: Annotated[int, Between(1, 60)] | None = None
    attacks: Annotated[tuple[Attack, ...], Length(12)] = ()

    @property
    def profile(self) -> Profile:
        """The numbers a table file may omit."""
        morale = Profile().morale if self.morale is None else self.morale
        return Profile(self.speed, self.defense, morale, self.attacks)

"""The catalogue's card of a combat unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models import army_card
from models.field import Field
from models.unit import Attack, Profile, Tray

TYPES = ("infantry", "cavalry", "monster", "warmachine")
"""TMG-UNT-2."""

KEYS = army_card.KEYS | frozenset("type tray speed defense morale wounds_per_model attacks".split())
REQUIRED = (*army_card.REQUIRED, "type", "tray", "speed", "defense")


@dataclass(frozen=True, slots=True)
class UnitCard:
    """Name, kind and numbers of a combat unit; `None` stands for an unknown number.

    `abilities` are the names printed on the card; those of an attack are in the attack.
    """

    id: str
    name: str
    faction: str
    type: str
    tray: str
    speed: int
    defense: int
    morale: int | None = None
    cost: int | None = None
    wounds_per_model: int | None = None
    attacks: tuple[Attack, ...] = ()
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

    @property
    def profile(self) -> Profile:
        """The numbers a table file may omit."""
        morale = Profile().morale if self.morale is None else self.morale
        return Profile(self.speed, self.defense, morale, self.attacks)

    @classmethod
    def read(cls, field: Field, card_id: str, trays: Mapping[str, Tray]) -> UnitCard:
        """Read an entry of `units.toml`."""
        raw = field.keys(KEYS, REQUIRED)

        def number(key: str, low: int, high: int) -> int | None:
            return field.member(key).whole(low, high) if key in raw else None

        return cls(
            id=card_id,
            type=field.member("type").choice(TYPES),
            tray=field.member("tray").choice(trays),
            speed=field.member("speed").whole(0, 24),
            defense=field.member("defense").whole(1, 7),
            morale=number("morale", 1, 13),
            wounds_per_model=number("wounds_per_model", 1, 60),
            attacks=tuple(Attack.read(item) for item in field.listed("attacks", 12)),
            **army_card.shared(field),
        )

    def to_json(self) -> dict[str, Any]:
        """The entry as a TOML-compatible object; its id is the heading."""
        numbers: dict[str, Any] = {
            "speed": self.speed,
            "defense": self.defense,
            "morale": self.morale,
            "wounds_per_model": self.wounds_per_model,
            "attacks": [attack.to_json() for attack in self.attacks],
        }
        return army_card.plain(self, {"type": self.type, "tray": self.tray}, numbers)

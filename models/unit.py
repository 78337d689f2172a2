"""A combat unit on the table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.attack import Attack
from models.field import Field
from models.pose import Pose
from models.record import replace
from models.tray import Tray

KEYS = frozenset(
    "id side name tray x y heading speed defense morale models wounds attacks sigma".split()
)
NUMBERS = frozenset("speed defense morale attacks".split())
"""The keys that default to the card with the unit's name."""

REQUIRED = ("id", "side", "tray", "x", "y", "heading")


@dataclass(frozen=True, slots=True)
class Profile:
    """The numbers of a unit's card, which a table file may omit if the catalogue has them."""

    speed: int = 5
    defense: int = 4
    morale: int = 6
    attacks: tuple[Attack, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit's identity, tray, pose, numbers and remaining models.

    `wounds` are those on the model that will be removed next.
    """

    id: str
    side: str
    name: str
    tray: Tray
    pose: Pose
    speed: int = 5
    defense: int = 4
    morale: int = 6
    models: int = 1
    wounds: int = 0
    attacks: tuple[Attack, ...] = ()

    @property
    def ranks(self) -> int:
        """The number of remaining ranks: a rank counts while it has a model."""
        per_rank = max(1, self.tray.models // max(1, self.tray.ranks))
        return min(self.tray.ranks, math.ceil(self.models / per_rank))

    @property
    def ranks_lost(self) -> int:
        """The number of ranks without a model."""
        return self.tray.ranks - self.ranks

    @property
    def ranged(self) -> tuple[Attack, ...]:
        return tuple(attack for attack in self.attacks if attack.ranged)

    @property
    def melee(self) -> tuple[Attack, ...]:
        return tuple(attack for attack in self.attacks if not attack.ranged)

    def at(self, pose: Pose) -> Unit:
        """The same unit at another pose."""
        return replace(self, pose=pose)

    @classmethod
    def read(cls, field: Field, trays: Mapping[str, Tray], profiles: Mapping[str, Profile]) -> Unit:
        """Read a unit object of a table file; missing numbers come from the card of that name."""
        raw = field.keys(KEYS, REQUIRED)
        name = field.member("name").text() if "name" in raw else field.member("id").text(60)
        tray = Tray.read(field.member("tray"), trays)
        card = Profile()
        if not raw.keys() >= NUMBERS:  # only then are the cards needed
            card = profiles.get(name.casefold(), card)
        attacks = card.attacks
        if "attacks" in raw:
            attacks = tuple(Attack.read(item) for item in field.member("attacks").items(12))

        def number(key: str, default: int, low: int, high: int) -> int:
            return field.member(key).whole(low, high) if key in raw else default

        return cls(
            id=field.member("id").text(60),
            side=field.member("side").text(60),
            name=name,
            tray=tray,
            pose=Pose.read(field),
            speed=number("speed", card.speed, 0, 24),
            defense=number("defense", card.defense, 1, 7),
            morale=number("morale", card.morale, 1, 13),
            models=number("models", tray.models, 0, 60),
            wounds=number("wounds", 0, 0, 60),
            attacks=attacks,
        )

    def plain(self) -> dict[str, Any]:
        """The unit as a JSON object."""
        return {
            "id": self.id,
            "side": self.side,
            "name": self.name,
            "tray": self.tray.plain(),
            **self.pose.plain(),
            "speed": self.speed,
            "defense": self.defense,
            "morale": self.morale,
            "models": self.models,
            "wounds": self.wounds,
            "attacks": [attack.plain() for attack in self.attacks],
        }

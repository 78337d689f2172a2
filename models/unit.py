"""A combat unit on the table: its tray, its attacks, its profile, and the area it covers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from models.field import Field
from models.frozen_records import replace
from models.pose import Pose
from models.record_reader import (
    GIVEN,
    Between,
    FileKey,
    Length,
    OneOf,
    Record,
    read_record,
    read_value,
)

DEFAULT_ARC_DEG = 45.0
"""OR-2, reading A: the arc angle of a tray that does not specify one."""


TraySide = Annotated[float, Between(0.25, 24)]


@dataclass(frozen=True, slots=True)
class Tray:
    """Width across the front, depth front to back (inches), and the angle of its arc lines.

    `arc_deg` is measured from the forward axis at the front corners and from the backward axis at
    the rear ones. `models` and `ranks` are those of a full tray.
    """

    name: Annotated[str, GIVEN]
    width: TraySide
    depth: TraySide
    arc_deg: Annotated[float, Between(1, 89), FileKey("arc")] = DEFAULT_ARC_DEG
    models: Annotated[int, Between(1, 60)] = 1
    ranks: Annotated[int, Between(0, 6)] = 1
    round: Annotated[bool, GIVEN] = False
    """Whether it is the round base of one figure: `width` and `depth` are its diameter."""

    @property
    def standard(self) -> bool:
        """Whether the tray is from the catalogue, known by its name."""
        return bool(self.name)

    @classmethod
    def read(cls, field: Field, known: Mapping[str, Tray]) -> Tray:
        """Read a catalogue tray by name, or one measured by the players."""
        if isinstance(field.raw, str):
            return known[field.choice(known)]
        field.keys({"width", "depth", "arc"})
        return read_record(cls, field, given={"name": ""})

    @classmethod
    def base(cls, diameter: float) -> Tray:
        """The round base of one figure."""
        return cls("", diameter, diameter, round=True)

    @classmethod
    def entry(cls, field: Field, name: str) -> Tray:
        """Read an entry of `trays.toml`."""
        return read_record(cls, field, given={"name": name})

    def to_json(self) -> Any:
        if self.standard:
            return self.name
        if self.round:
            return {"diameter": self.width}
        return {"width": self.width, "depth": self.depth, "arc": self.arc_deg}


KINDS = ("melee", "short", "long")


@dataclass(frozen=True, slots=True)
class Attack(Record):
    """Name, kind (melee, short or long range), to-hit value, and dice by remaining ranks."""

    name: str
    kind: Annotated[str, OneOf(KINDS)]
    hit: Annotated[int, Between(1, 7)]
    dice: Annotated[tuple[Annotated[int, Between(0, 60)], ...], Length(6, 1)]
    abilities: Annotated[tuple[str, ...], Length(40)] = ()

    @property
    def ranged(self) -> bool:
        """Whether it reaches over a distance: of kind short or long."""
        return self.kind != "melee"

    def dice_at(self, ranks_lost: int) -> int:
        """The dice with this many ranks lost; if missing, the last printed value (OR-46)."""
        return self.dice[min(max(ranks_lost, 0), len(self.dice) - 1)]


Speed = Annotated[int, Between(0, 24)]
Defense = Annotated[int, Between(1, 7)]
Morale = Annotated[int, Between(1, 13)]
ModelCount = Annotated[int, Between(0, 60)]
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
        """Its attacks over a distance; empty if it has none."""
        return tuple(attack for attack in self.attacks if attack.ranged)

    @property
    def melee(self) -> tuple[Attack, ...]:
        """Its attacks in melee; mostly one."""
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

        def number(key: str, limits: Any, default: int) -> int:
            return read_value(limits, field.member(key)) if key in raw else default

        return cls(
            id=field.member("id").text(60),
            side=field.member("side").text(60),
            name=name,
            tray=tray,
            pose=Pose.read(field),
            speed=number("speed", Speed, card.speed),
            defense=number("defense", Defense, card.defense),
            morale=number("morale", Morale, card.morale),
            models=number("models", ModelCount, tray.models),
            wounds=number("wounds", ModelCount, 0),
            attacks=attacks,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "side": self.side,
            "name": self.name,
            "tray": self.tray.to_json(),
            **self.pose.to_json(),
            "speed": self.speed,
            "defense": self.defense,
            "morale": self.morale,
            "models": self.models,
            "wounds": self.wounds,
            "attacks": [attack.to_json() for attack in self.attacks],
        }


Point = tuple[float, float]


def corners(unit: Unit) -> tuple[Point, Point, Point, Point]:
    """Front left, rear left, rear right, front right: counter-clockwise."""
    forward, left = unit.tray.depth / 2, unit.tray.width / 2
    pose = unit.pose
    return (
        pose.ahead(forward, left),
        pose.ahead(-forward, left),
        pose.ahead(-forward, -left),
        pose.ahead(forward, -left),
    )


OVERLAP_TOLERANCE_IN = 0.05
"""Entered or rounded positions in contact may overlap by this much (plus the uncertainty)."""


def trays_overlap(unit: Unit, other: Unit, error_in: float | None = None) -> bool:
    """Whether two trays overlap by more than rounding and the error of their positions.

    The error is three sigmas of each position where it is not given.
    """
    if error_in is None:
        error_in = 3 * (unit.pose.sigma.xy_in + other.pose.sigma.xy_in)
    return overlap_depth(unit, other) > OVERLAP_TOLERANCE_IN + error_in


def overlap_depth(unit: Unit, other: Unit) -> float:
    """The penetration depth of two trays (separating axes); 0 if they do not overlap."""
    reach = math.hypot(unit.tray.width, unit.tray.depth) + math.hypot(
        other.tray.width, other.tray.depth
    )
    if math.hypot(unit.pose.x - other.pose.x, unit.pose.y - other.pose.y) * 2 >= reach:
        return 0.0
    if unit.tray.round and other.tray.round:
        apart = math.hypot(unit.pose.x - other.pose.x, unit.pose.y - other.pose.y)
        return max((unit.tray.width + other.tray.width) / 2 - apart, 0.0)
    depth = math.inf
    mine, theirs = corners(unit), corners(other)
    for heading in (unit.pose.heading, other.pose.heading):
        for angle in (math.radians(heading), math.radians(heading + 90)):
            cos, sin = math.cos(angle), math.sin(angle)
            a = [x * cos + y * sin for x, y in mine]
            b = [x * cos + y * sin for x, y in theirs]
            depth = min(depth, max(a) - min(b), max(b) - min(a))
    return max(depth, 0.0)

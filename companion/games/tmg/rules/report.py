"""The records of the rules report: charges, shots, zones and everything else about a unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from companion.games.tmg.rules.ground_effects import OPEN_GROUND, UnitGround
from companion.geometry.plane.answer import Answer, rounded
from models import Pose, Table

ARCS = ("front", "left", "right", "rear")
Arc = Literal["front", "left", "right", "rear"]


@dataclass(frozen=True, slots=True)
class Zone:
    """The arc of another unit in which this one stands, by share of its tray's area (TMG-LOS-8).

    `arc` is 'unsure' where the largest share cannot be determined; `choices` are then the
    candidates (in an exact tie the attacker chooses, TMG-CHG-8).
    """

    arc: str
    shares: tuple[float, float, float, float]
    margin_in: float | None = None
    choices: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            "answer": self.arc,
            "shares": {arc: rounded(share) for arc, share in zip(ARCS, self.shares, strict=True)},
        }
        if self.arc == "unsure":
            text["choices"] = list(self.choices)
        if self.margin_in is not None:
            text["margin"] = rounded(self.margin_in)
        return text


@dataclass(frozen=True, slots=True)
class Placement:
    """A position in contact where a charging tray may end, and its share of contact (TMG-CHG-17).

    `effects` are the keywords that apply to the charge because it ends there, `defender` the pose
    to which the target is moved for it (TMG-CHG-18, 2018).
    """

    contact: float
    pose: Pose
    effects: tuple[str, ...] = ()
    defender: Pose | None = None

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            "contact": rounded(self.contact),
            "x": rounded(self.pose.x),
            "y": rounded(self.pose.y),
            "heading": rounded(self.pose.heading, 3) % 360,
        }
        if self.effects:
            text["effects"] = list(self.effects)
        if self.defender:
            text["defender"] = {"x": rounded(self.defender.x), "y": rounded(self.defender.y)}
        return text


@dataclass(frozen=True, slots=True)
class Charge:
    """Whether one unit may charge another, the distance, and the roll it needs."""

    answer: Answer
    zone: Zone
    distance_in: float | None = None
    needs: int | None = None
    chance: float = 0.0
    heading: float | None = None
    effects: tuple[str, ...] = ()
    align: tuple[Placement, ...] = ()
    sigma_in: float = 0.0
    may_need: tuple[int, ...] = ()
    """The rolls between which the measured distance cannot tell, where there are several."""

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            **self.answer.to_json(),
            "zone": self.zone.arc,
            "distance": None if self.distance_in is None else rounded(self.distance_in),
            "needs": self.needs,
            "chance": rounded(self.chance),
            "heading": None if self.heading is None else rounded(self.heading, 3) % 360,
            "effects": list(self.effects),
            "align": [placement.to_json() for placement in self.align],
        }
        if self.sigma_in:
            text["sigma"] = rounded(self.sigma_in)
        if self.may_need:
            text["needs_choices"] = list(self.may_need)
        return text


@dataclass(frozen=True, slots=True)
class Shot:
    """Whether one unit may shoot at another, with which attack, after which shift."""

    answer: Answer
    zone: Zone
    attack: str | None = None
    shift: tuple[float, float] = (0.0, 0.0)
    panics: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The shot as a JSON object; shift is (forward, left) in inches."""
        return {
            **self.answer.to_json(),
            "attack": self.attack,
            "zone": self.zone.arc,
            "shift": [rounded(part) for part in self.shift],
            "panics": list(self.panics),
            "effects": list(self.effects),
        }


class UnitReport(NamedTuple):
    """The report on one unit; dictionaries are keyed by the other unit's id."""

    engaged: tuple[str, ...]
    gap: dict[str, float]
    range: dict[str, float]
    sees: dict[str, Answer]
    zone: dict[str, Zone]
    charges: dict[str, Charge]
    shots: dict[str, Shot]
    moves: dict[str, Answer]
    ground: UnitGround = OPEN_GROUND

    def to_json(self) -> dict[str, Any]:
        """The report as a JSON object; `ground` only where terrain affects the unit."""
        ground = self.ground.to_json()
        return {
            "engaged": list(self.engaged),
            "gap": {key: rounded(value) for key, value in self.gap.items()},
            "range": {key: rounded(value) for key, value in self.range.items()},
            **{
                name: {key: value.to_json() for key, value in getattr(self, name).items()}
                for name in ("sees", "zone", "charges", "shots", "moves")
            },
            **({"ground": ground} if ground else {}),
        }


Units = dict[str, UnitReport]


@dataclass(frozen=True, slots=True)
class MiniaturesReport:
    """The report on a whole table; `beyond` adds the distances of illegal charges, `led` finds the
    ways of a legal one."""

    table: Table
    units: Units
    beyond: Callable[[Units], Units] | None = field(default=None, repr=False, compare=False)
    led: Callable[[str, str], tuple[Charge, ...]] | None = field(
        default=None, repr=False, compare=False
    )

    def ways(self, unit: str, target: str) -> tuple[Charge, ...]:
        """The ways of a charge between which its player chooses (TMG-CHG-9), the one that needs
        the lowest roll first."""
        return self.led(unit, target) if self.led else (self.units[unit].charges[target],)

    def to_json(self, name: str, whole: bool = True) -> dict[str, Any]:
        """The report as a JSON object; only if `whole` with the distances of illegal charges."""
        units = self.beyond(self.units) if self.beyond and whole else self.units
        return {
            "table": name,
            "game": self.table.game,
            "units": {key: unit.to_json() for key, unit in units.items()},
        }

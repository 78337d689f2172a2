"""Ranged attacks: every shift along the tray's axes in steps of a hundredth (TMG-RNG)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely

from models import Pose, Table, Unit
from tests.reference.ground import (
    EPS_IN,
    Array,
    Corridors,
    Flags,
    Sure,
    arrow_range,
    below,
    engaged,
    every,
    gap,
    inside_table,
    overlap,
    piece_rings,
    some,
    touching,
    tray_ring,
    tray_shape,
)
from tests.reference.room import negate
from tests.reference.sight import blind, plainly_sees, sees

RANGES_IN = {"short": 6.0, "long": 12.0}  # TMG-RNG-8
SHIFT_IN = 2.0  # TMG-RNG-5
ROUGH_IN = 1.0  # TMG-TER-17
APART_IN = 1.0  # TMG-MOV-7
STEP_IN = 0.01
BLOCK = 20
"""Shifts judged together where none of them sees the target."""

DIRECTIONS = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
"""Forward, back, left, right (TMG-MOV-5)."""


@dataclass(frozen=True, slots=True)
class Shifts:
    """The places one direction leads to, and which of them the rules allow."""

    lengths: Array
    places: tuple[Unit, ...]
    perhaps: Flags
    surely: Flags


@dataclass(frozen=True, slots=True)
class ShotTruth:
    """What sampling says about one shot; `low` to `high` holds the shortest shift that allows it.

    Infinite: no shift does.
    """

    engaged: Sure
    armed: bool
    low: float
    high: float
    panics_surely: frozenset[str]
    panics_perhaps: frozenset[str]

    @property
    def possible(self) -> Sure:
        """Whether some allowed shift brings the target into range and sight."""
        if self.high < math.inf:
            return True
        return None if self.low < math.inf else False

    @property
    def answer(self) -> Sure:
        """Whether the shot may be taken."""
        return every([negate(self.engaged), self.armed, self.possible])


def shot(table: Table, unit: Unit, target: Unit) -> ShotTruth:
    """Everything about `unit` shooting at `target`."""
    friends = {friend.id: touching(friend, target) for friend in table.friends(unit)}
    reach = max((RANGES_IN[attack.kind] for attack in unit.ranged), default=0.0)
    low, high = least_shift(table, unit, target, reach) if reach else (math.inf, math.inf)
    return ShotTruth(
        some(engaged(table, unit).values()),
        bool(reach),
        low,
        high,
        frozenset(name for name, on in friends.items() if on),
        frozenset(name for name, on in friends.items() if on is not False),
    )


def may_shoot(table: Table, unit: Unit, target: Unit, reach: float) -> Sure:
    """Whether the target is in range and in sight from here (TMG-RNG-7, OR-16)."""
    near = below(arrow_range(unit, target), reach)
    if near is False:
        return False
    return every([near, sees(table, unit, target, shooting=True, slack=STEP_IN / 2)])


def plainly_shoots(table: Table, unit: Unit, target: Unit, reach: float) -> bool:
    """The same at a coarse look: enough for an upper bound."""
    near = below(arrow_range(unit, target), reach)
    return bool(near) and plainly_sees(table, unit, target, shooting=True)


def least_shift(table: Table, unit: Unit, target: Unit, reach: float) -> tuple[float, float]:
    """The shortest shift that ends with the target in range and sight: between which lengths."""
    here = may_shoot(table, unit, target, reach)
    low = 0.0 if here is not False else math.inf
    if here:
        return 0.0, 0.0
    if arrow_range(unit, target) > reach + SHIFT_IN + EPS_IN:
        return low, math.inf
    high = math.inf
    for direction in DIRECTIONS:
        row = shifts(table, unit, direction)
        tried = row.perhaps.copy()
        for first in range(0, len(row.places), BLOCK):
            block = slice(first, min(first + BLOCK, len(row.places)))
            middle = row.places[(block.start + block.stop) // 2]
            tried[block] &= near_enough(middle, target, reach)
            if tried[block].any():
                tried[block] &= not blind(table, middle, target, True, (BLOCK / 2 + 1) * STEP_IN)
        for place, length, perhaps, surely in zip(
            row.places, row.lengths, tried, row.surely & tried, strict=True
        ):
            if length > high or not perhaps:
                continue
            if low > length and may_shoot(table, place, target, reach) is not False:
                low = float(length)
            if low <= length and surely and plainly_shoots(table, place, target, reach):
                high = float(length)
                break
    return low, high


def near_enough(middle: Unit, target: Unit, reach: float) -> bool:
    """Whether any place of a block around its middle could be in range."""
    return arrow_range(middle, target) <= reach + BLOCK * STEP_IN + EPS_IN


def shifts(table: Table, unit: Unit, direction: tuple[float, float]) -> Shifts:
    """All shifts of one direction, shortest first."""
    lengths = np.linspace(STEP_IN, SHIFT_IN, round(SHIFT_IN / STEP_IN))
    places = tuple(moved(unit, direction, float(length)) for length in lengths)
    perhaps = np.ones(len(lengths), dtype=bool)
    surely = perhaps.copy()
    turn = math.degrees(math.atan2(direction[1], direction[0]))
    wide, deep = unit.tray.width, unit.tray.depth
    if direction[1]:
        wide, deep = deep, wide
    lane = Corridors((unit.pose.x, unit.pose.y), np.array([unit.pose.heading + turn]), wide, deep)

    def until(rings: list[Array]) -> float:
        return float(lane.nearest(rings)[0]) - deep / 2

    shapes = shapely.polygons(np.stack([tray_ring(place) for place in places]))
    perhaps &= inside_table(table, shapes, EPS_IN)
    surely &= inside_table(table, shapes, -EPS_IN)
    for other in table.units:
        if other.id == unit.id:
            continue
        if other.side == unit.side:  # TMG-MOV-8, -9
            perhaps &= ~shapely.intersects(shapes, tray_shape(other, -EPS_IN))
            surely &= ~shapely.intersects(shapes, tray_shape(other, EPS_IN))
        else:  # TMG-MOV-7, -10
            perhaps &= lengths <= until([tray_ring(other, -EPS_IN)])
            surely &= lengths <= until([tray_ring(other, EPS_IN)])
            apart = shapely.distance(shapes, tray_shape(other))
            # OR-19 speaks of staying; whether one may end nearer than 1" but no nearer than
            # before is left open here.
            perhaps &= (apart >= APART_IN - EPS_IN) | (apart >= gap(unit, other) - EPS_IN)
            surely &= apart >= APART_IN + EPS_IN
    for piece in table.terrain:
        if "impassable" in piece.keywords:
            surely &= lengths <= until(piece_rings(piece, EPS_IN))
            if overlap(unit, piece) is not True:
                perhaps &= lengths <= until(piece_rings(piece, -EPS_IN))
        if "rough" in piece.keywords:
            short = lengths <= SHIFT_IN - ROUGH_IN + EPS_IN / 2
            perhaps &= short | ~(lengths > until(piece_rings(piece, -EPS_IN)))
            surely &= short | (lengths < until(piece_rings(piece, EPS_IN)))
    return Shifts(lengths, places, perhaps, surely)


def moved(unit: Unit, direction: tuple[float, float], length: float) -> Unit:
    """The unit after a shift."""
    pose = unit.pose
    x, y = pose.ahead(direction[0] * length, direction[1] * length)
    return unit.at(Pose(x, y, pose.heading))

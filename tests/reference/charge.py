"""Charges: every pivot in steps of a twentieth of a degree, then straight on (TMG-CHG)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely

from models import Table, Terrain, Unit
from tests.reference.ground import (
    EPS_IN,
    Array,
    Corridors,
    Flags,
    Sure,
    engaged,
    every,
    overlap,
    piece_rings,
    piece_shape,
    some,
    tray_ring,
    tray_shape,
    turned,
)
from tests.reference.room import negate, room
from tests.reference.sight import blind, plainly_sees, sees
from tests.reference.zone import ZoneTruth, zone

STEP_DEG = 0.05
BLOCK_DEG = 1.0
"""Headings judged together where none of them sees the target."""

FAR_IN = 1000.0
EFFECTS = ("dangerous", "fortified", "hindering", "rough")
BEST_DIE = 6
BEYOND_IN = 1.0
"""Charges that miss their reach by more than this need not be told apart."""


@dataclass(frozen=True, slots=True)
class Pivots:
    """One row per heading: travel and total at least and at most, and what they cross."""

    headings: Array
    total_low: Array
    total_high: Array
    perhaps: Flags
    """Valid if everything shrinks by EPS_IN (sight still to be tried)."""
    surely: Flags
    """Valid even if everything grows by it."""
    crossed_surely: dict[str, Flags]
    crossed_perhaps: dict[str, Flags]


@dataclass(frozen=True, slots=True)
class ChargeTruth:
    """What sampling says about one charge; `low` to `high` holds the true distance.

    Both infinite: no pivot gets there at all (or, where nobody asks how far, not within reach;
    0 to infinity where the unit may not charge anyway).
    """

    engaged: Sure
    sees: Sure
    zone: ZoneTruth
    room: Sure
    reach: float
    low: float
    high: float
    effects_surely: frozenset[str]
    effects_perhaps: frozenset[str]

    @property
    def reached(self) -> Sure:
        """TMG-CHG-4: within Speed + 6."""
        if self.high <= self.reach - EPS_IN:
            return True
        return None if self.low <= self.reach + EPS_IN else False

    @property
    def answer(self) -> Sure:
        """Whether the charge may be declared."""
        return every([negate(self.engaged), self.sees, self.room, self.reached])

    def needs(self, speed: int) -> int | None:
        """The lowest die that arrives, if it can be told."""
        low = max(1, math.ceil(self.low - EPS_IN - speed))
        high = max(1, math.ceil(self.high + EPS_IN - speed)) if self.high < math.inf else None
        return low if low == high else None


def charge(table: Table, unit: Unit, target: Unit, far: bool = True) -> ChargeTruth:
    """Everything about `unit` charging `target`; how `far` it is also where it may not charge."""
    where = zone(unit, target)
    rooms = {arc: room(table, unit, target, arc) for arc in where.candidates}
    fits: Sure = rooms[where.candidates[0]] if len(set(rooms.values())) == 1 else None
    reach = float(unit.speed + BEST_DIE)
    held, seen = some(engaged(table, unit).values()), sees(table, unit, target)
    limit = FAR_IN if far else reach + BEYOND_IN if not held and seen else -math.inf
    rows = pivots(table, unit, target, limit)
    low, high = best(table, unit, target, rows)
    if limit < 0:
        low = 0.0
    close = rows.perhaps & (rows.total_low <= high + 2 * EPS_IN)
    on_surely, on_perhaps = set(), set()
    for word in EFFECTS:
        if close.any() and rows.crossed_surely[word][close].all():
            on_surely.add(word)
        if rows.crossed_perhaps[word][close].any():
            on_perhaps.add(word)
    if any("rough" in p.keywords and overlap(unit, p) is not False for p in table.terrain):
        on_perhaps.add("rough")
    return ChargeTruth(
        held,
        seen,
        where,
        fits,
        reach,
        low,
        high,
        frozenset(on_surely),
        frozenset(on_perhaps),
    )


def pivots(
    table: Table, unit: Unit, target: Unit, limit: float, headings: Array | None = None
) -> Pivots:
    """Travel to first contact for every heading that could meet the target within the limit."""
    if headings is None:
        headings = np.arange(0.0, 360.0, STEP_DEG)
    nose = unit.tray.depth / 2
    place = (unit.pose.x, unit.pose.y)

    def corridors(some_headings: Array) -> Corridors:
        return Corridors(place, some_headings, unit.tray.width, unit.tray.depth)

    travel_low = corridors(headings).nearest([tray_ring(target, EPS_IN)]) - nose
    headings = headings[travel_low <= limit]
    travel_low = np.maximum(travel_low[travel_low <= limit], 0.0)
    lanes = corridors(headings)
    to_target = lanes.nearest([tray_ring(target, -EPS_IN)]) - nose
    travel_high = np.maximum(to_target, 0.0)
    # OR-23: the pivot may not end on the target either.
    perhaps, surely = to_target >= 0, travel_low > 0
    surely = surely & np.isfinite(travel_high)
    old = table.game.endswith("2018")
    for other in table.units:
        if other.id in (unit.id, target.id) or (other.side == unit.side and not old):
            continue
        far = lanes.nearest([tray_ring(other, -EPS_IN)]) - nose
        near = lanes.nearest([tray_ring(other, EPS_IN)]) - nose
        if other.side == unit.side:  # 2018: no pivot may end on a friend; passing is free
            perhaps, surely = perhaps & (far >= 0), surely & (near >= 0)
        else:
            perhaps = perhaps & (far >= travel_low) & (far >= 0)
            surely = surely & (near > travel_high) & (near >= 0)
    if old and len(headings):  # 2018: no pivot swings over an impassable piece (TMG-TER-16)
        perhaps = perhaps & turnable(table, unit, headings, -EPS_IN)
        surely = surely & turnable(table, unit, headings, EPS_IN)
    rough_surely = np.zeros(len(headings), dtype=bool)
    rough_perhaps = rough_surely.copy()
    crossed_surely = {word: rough_surely.copy() for word in EFFECTS}
    crossed_perhaps = {word: rough_surely.copy() for word in EFFECTS}
    for piece in table.terrain:
        far = lanes.nearest(piece_rings(piece, -EPS_IN)) - nose
        near = lanes.nearest(piece_rings(piece, EPS_IN)) - nose
        if "impassable" in piece.keywords:  # TMG-TER-15
            perhaps = perhaps & (far >= travel_low) & (far >= 0)
            surely = surely & (near > travel_high) & (near >= 0)
        left = overlap(unit, piece) if old else False
        for word in EFFECTS:
            if word in piece.keywords:  # 2018: Dangerous is what one moves through or ends on
                off = left if word == "dangerous" else False
                crossed_surely[word] |= (far < travel_low) & (off is False)
                crossed_perhaps[word] |= (near < travel_high) & (off is not True)
        if "rough" in piece.keywords:  # TMG-TER-17: onto, off or through
            start = overlap(unit, piece)
            rough_surely |= (far < travel_low) | (start is True)
            rough_perhaps |= (near < travel_high) | (start is not False)
    return Pivots(
        headings,
        travel_low + rough_surely,
        travel_high + rough_perhaps,
        perhaps,
        surely,
        crossed_surely,
        crossed_perhaps,
    )


def turnable(table: Table, unit: Unit, headings: Array, grow: float) -> Flags:
    """To which headings a tray turns, one way or the other, past impassable pieces so grown."""
    pieces = tuple(piece for piece in table.terrain if "impassable" in piece.keywords)
    left, right = turning(pieces, unit, grow)
    way = (headings - unit.pose.heading) % 360.0
    # one step of the sampling is left to either side
    spare = -STEP_DEG if grow > 0 else STEP_DEG
    flags: Flags = (way < left + spare) | ((360.0 - way) % 360.0 < right + spare)
    return flags


@lru_cache(maxsize=256)
def turning(pieces: tuple[Terrain, ...], unit: Unit, grow: float) -> tuple[float, float]:
    """How many degrees a tray turns left and right before it lies on one of the pieces."""
    reach = math.hypot(unit.tray.width, unit.tray.depth) / 2
    middle = shapely.Point(unit.pose.x, unit.pose.y)
    near = [shape for p in pieces if (shape := piece_shape(p, grow)).distance(middle) <= reach]
    if not near:
        return math.inf, math.inf
    turn = np.arange(0.0, 360.0 + STEP_DEG / 2, STEP_DEG)
    trays = [tray_shape(turned(unit, unit.pose.heading + angle)) for angle in turn]
    on = shapely.intersects(shapely.union_all(near), trays)
    if not on.any():
        return math.inf, math.inf
    return float(turn[on].min()), 360.0 - float(turn[on].max())


def best(table: Table, unit: Unit, target: Unit, rows: Pivots) -> tuple[float, float]:
    """The shortest total over all pivots that still see the target (TMG-CHG-9): between which."""
    known: dict[int, Sure] = {}
    dark: dict[int, bool] = {}

    def seen(row: int) -> Sure:
        heading = float(rows.headings[row])
        block = int(heading // BLOCK_DEG)
        if dark.get(block):
            return False
        if row not in known:
            known[row] = sees(table, turned(unit, heading), target)
            if known[row] is False and block not in dark:
                dark[block] = blind_block(table, unit, target, block)
        return known[row]

    low = high = math.inf
    for row in np.argsort(rows.total_low, kind="stable"):
        if rows.perhaps[row] and seen(int(row)) is not False:
            low = float(rows.total_low[row])
            break
    for row in np.argsort(rows.total_high, kind="stable") if low < math.inf else ():
        turn = turned(unit, float(rows.headings[row]))
        if rows.surely[row] and plainly_sees(table, turn, target):
            high = float(rows.total_high[row])
            break
    return low, high


def blind_block(table: Table, unit: Unit, target: Unit, block: int) -> bool:
    """Whether nothing is seen from any heading of a block: spares looking from each of them."""
    middle = turned(unit, (block + 0.5) * BLOCK_DEG)
    far = max(math.dist((unit.pose.x, unit.pose.y), corner) for corner in tray_ring(target))
    slack = max(far, unit.tray.width + unit.tray.depth) * math.radians(BLOCK_DEG / 2)
    return blind(table, middle, target, False, slack)


def reached_at(table: Table, unit: Unit, target: Unit, heading: float) -> tuple[float, float]:
    """Least and greatest total of the charge with one given pivot; infinite where not allowed."""
    rows = pivots(table, unit, target, FAR_IN, np.array([heading]))
    return best(table, unit, target, rows)

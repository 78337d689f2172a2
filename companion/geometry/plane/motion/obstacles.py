"""The obstacles around trays that pivot and advance: their effect on the move, travel until
contact, and how far a tray can turn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from companion.geometry.plane.sight.scalar_shapes import Spot
from companion.geometry.plane.solids import TOUCH_IN, Solids, strip_span
from companion.geometry.plane.trays import Bools, Floats, Ints, following, joined

NOWHERE = (1e5, 1e5)
"""The position of padding: too far away to be met."""
NONE = -1
"""The piece number of an obstacle that belongs to no terrain piece."""
TRIFLE_IN = 1e-6
"""The cost of one unit of weight: small enough to break ties only."""


class Obstacle(NamedTuple):
    """A convex polygon, the terrain piece it belongs to, and its weight as a tie-breaker."""

    corners: Sequence[Spot]
    piece: int = NONE
    weight: float = 0.0  # in hundredths


PADDING = Obstacle((NOWHERE,))


class NearbyObstacles(NamedTuple):
    """The obstacles of one mover.

    `stops` end the move before the target, on `bars` the pivoted tray may not end although the move
    passes them, `slows` cost movement, and `minded` only break ties: of equal paths the one with
    the least weight is taken.
    """

    target: Sequence[Spot]
    stops: Sequence[Obstacle] = ()
    bars: Sequence[Obstacle] = ()
    slows: Sequence[Obstacle] = ()
    minded: Sequence[Obstacle] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """The obstacles of m movers in arrays, q each: stops, bars, slows, minded."""

    corners: Floats  # (m, 1 + q, e, 2) the target first
    piece: Ints  # (m, q)
    weight: Floats  # (m, q)
    stops: int  # the number of stops,
    bars: int  # of stops and bars,
    slows: int  # and of stops, bars and slows

    @classmethod
    def of(cls, movers: Sequence[NearbyObstacles]) -> Obstacles:
        """These movers' obstacles, padded to arrays."""
        most = [max(map(len, kind)) for kind in list(zip(*movers, strict=True))[1:]]
        rows = [
            [
                one
                for kind, count in zip(mover[1:], most, strict=True)
                for one in (*kind, *(PADDING,) * (count - len(kind)))
            ]
            for mover in movers
        ]
        spots = [
            [mover.target, *(one.corners for one in row)]
            for mover, row in zip(movers, rows, strict=True)
        ]
        sides = max(len(corners) for row in spots for corners in row)
        stops, bars, slows, minded = most
        shape, ends = (len(rows), stops + bars + slows + minded), stops + bars
        return cls(
            np.array(
                [
                    [[*corners, *(corners[-1],) * (sides - len(corners))] for corners in row]
                    for row in spots
                ]
            ),
            np.array([[one.piece for one in row] for row in rows], dtype=np.intp).reshape(shape),
            np.array([[one.weight for one in row] for row in rows], dtype=float).reshape(shape),
            stops,
            ends,
            ends + slows,
        )

    def pieces_met(self, rows: Ints, hit: Bools, begun: Bools) -> Floats:
        """On how many pieces of slow ground movers (r, h) come that meet these slows (s, r, h).

        Pieces on which they have `begun` (m, pieces) count too.
        """
        met, piece = np.zeros(hit.shape[1:]), self.piece[rows, self.bars : self.slows].T
        for number in range(begun.shape[1]):
            own = (piece == number)[:, :, None]
            met += np.any(hit & own, axis=0) | begun[rows, number][:, None]
        return met

    def trifle(self, rows: Ints, hit: Bools) -> Floats:
        """The tie-breaking cost (r, h) of meeting obstacles (s, r, h); below every tolerance."""
        weight = self.weight[rows, self.bars :].T[:, :, None]
        return np.asarray((hit * weight).sum(axis=0)) * TRIFLE_IN


FULL_TURN = 2 * math.pi
SLIVER = 1e-9
"""Turns closer than this are equal."""


@dataclass(frozen=True, slots=True)
class Swing:
    """How far a tray may turn from its heading, left and right; radians, infinite if unlimited."""

    heading_rad: float
    left: float = math.inf
    right: float = math.inf

    @property
    def free(self) -> bool:
        """Whether it may face anywhere."""
        return math.isinf(self.left)

    @property
    def ends(self) -> tuple[float, float, float]:
        """Its heading and the last headings it may turn to, left and right."""
        left, right = min(self.left, math.pi), min(self.right, math.pi)
        return self.heading_rad, self.heading_rad + left, self.heading_rad - right

    def bars_turn(self, heading_rad: float) -> bool:
        """Whether it cannot turn to a heading either way round."""
        turn = (heading_rad - self.heading_rad) % FULL_TURN
        back = FULL_TURN - turn if turn < FULL_TURN - SLIVER else 0.0
        return turn > self.left + SLIVER and back > self.right + SLIVER

    def bars(self, headings: Floats) -> Bools:
        """Which headings it cannot turn to either way round."""
        turn = (headings - self.heading_rad) % FULL_TURN
        back = np.where(turn < FULL_TURN - SLIVER, FULL_TURN - turn, 0.0)
        return (turn > self.left + SLIVER) & (back > self.right + SLIVER)


def swing(centre: Floats, heading_rad: float, half: Floats, solids: Solids) -> Swing:
    """How far a tray turns before it meets one of these solids.

    Between two consecutive turns at which it touches a corner or a side, it overlaps the same
    solids: one test between each two is enough.
    """
    corners = solids.corners - centre
    spots = nearest_spots(corners)
    near = np.hypot(spots[..., 0], spots[..., 1]).min(axis=1, initial=np.inf) < math.hypot(*half)
    near |= solids.meet(centre[None], np.array([[1.0, 0.0]]), np.full((1, 2), SLIVER))[0]
    if not near.any():
        return Swing(heading_rad)
    close = Solids(solids.corners[near], solids.normal[near], solids.offset[near], 0)
    deep, wide = half.tolist()
    touched = (touching_headings(spots, deep, wide) for spots in corners[near].tolist())
    found = {(heading - heading_rad) % FULL_TURN for headings in touched for heading in headings}
    turns = np.array([0.0, *sorted(found), FULL_TURN])
    angle = heading_rad + (turns[1:] + turns[:-1]) / 2
    forward, every = joined(np.cos(angle), np.sin(angle)), (len(angle), 2)
    met = close.meet(np.broadcast_to(centre, every), forward, np.broadcast_to(half, every))
    barred = np.flatnonzero(met.any(axis=1) & (np.diff(turns) > SLIVER))
    if not len(barred):
        return Swing(heading_rad)
    last = FULL_TURN - float(turns[barred[-1] + 1])
    return Swing(heading_rad, float(turns[barred[0]]), last)


def touching_headings(corners: Sequence[Spot], deep: float, wide: float) -> list[float]:
    """Headings at which a tray at the origin touches a polygon.

    Either a corner of the polygon lies on an edge of the tray, or a corner of the tray lies on a
    side of the polygon. By symmetry each heading also counts half a turn later.
    """
    reach, lean = deep * deep + wide * wide, math.atan2(wide, deep)
    found: list[float] = []
    from_x, from_y = corners[-1]
    for x, y in corners:
        away2 = x * x + y * y
        if away2 <= reach + SLIVER:
            corner, away = math.atan2(y, x), math.sqrt(away2)
            if away >= deep:
                front = math.acos(deep / away)
                found += (corner + front, corner - front)
            if away >= wide:
                flank = math.asin(wide / away)
                found += (corner + flank, corner - flank)
        side_x, side_y = x - from_x, y - from_y
        a, b = side_x * side_x + side_y * side_y, from_x * side_x + from_y * side_y
        root = b * b - a * (from_x * from_x + from_y * from_y - reach)
        if root >= 0 < a:
            for part in ((math.sqrt(root) - b) / a, (-math.sqrt(root) - b) / a):
                if -SLIVER <= part <= 1 + SLIVER:
                    angle = math.atan2(from_y + part * side_y, from_x + part * side_x)
                    found += (angle + lean, angle - lean)
        from_x, from_y = x, y
    return found + [heading + math.pi for heading in found]


def nearest_spots(polygons: Floats) -> Floats:
    """The point of each side of polygons (…, e, 2) nearest to the origin."""
    side = following(polygons) - polygons
    side_x, side_y = side[..., 0], side[..., 1]
    length2 = np.maximum(side_x * side_x + side_y * side_y, 1e-18)
    part = -(polygons[..., 0] * side_x + polygons[..., 1] * side_y) / length2
    return polygons + np.minimum(np.maximum(part, 0.0), 1.0)[..., None] * side


MANY = 4000
"""The batch size: arrays of this many contacts stay in the CPU cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """q convex polygons around each of m movers, relative to their centres."""

    corners: Floats  # (m, q, e, 2)
    half: Floats  # (m, 2) the movers' half sizes
    spots: Floats  # (m, q, e, 2) of each side the point nearest to the centre
    distance: Floats  # (m, q)
    near: Bools  # (m, q) the pivoted tray may overlap it

    @classmethod
    def of(cls, corners: Floats, half: Floats) -> Surroundings:
        """Polygons around movers of these half sizes."""
        spots = nearest_spots(corners)
        distance = np.hypot(spots[..., 0], spots[..., 1]).min(axis=2)
        near = distance <= np.hypot(half[:, 0], half[:, 1])[:, None]
        return cls(corners, half, spots, distance, near)

    def meet(self, rows: Ints, headings: Floats) -> tuple[Floats, Bools]:
        """Travel (q, r, h) until movers meet polygons after pivots (r, h), and whether on one."""
        spots, half = np.ascontiguousarray(self.corners[rows].T)[..., None], self.half[rows].T
        cos, sin = np.cos(headings), np.sin(headings)
        polygons, turns = self.corners.shape[1], headings.shape[1]
        travel = np.empty((polygons, *headings.shape))
        under = np.empty(travel.shape, dtype=bool)
        step, turn = max(MANY // (polygons * turns), 1), max(MANY // polygons, 1)
        for start in range(0, len(rows), step):
            some = slice(start, start + step)
            near, size = spots[:, :, :, some], half[:, some, None]
            for first in range(0, turns, turn):
                at = some, slice(first, first + turn)
                travel[:, *at], under[:, *at] = meeting(near, cos[at], sin[at], size)
        return travel, under


def meeting(spots: Floats, cos: Floats, sin: Floats, half: Floats) -> tuple[Floats, Bools]:
    """Travel until trays facing (cos, sin) meet polygons (2, e, …), and whether they overlap.

    The points are relative to the trays' centres, `half` (2, …) are the trays' half sizes.
    """
    (x, y), (deep, wide) = spots, half
    across = wide - TOUCH_IN
    least, most = strip_span(x * cos + y * sin, y * cos - x * sin, -across, across)
    ahead = least >= deep - TOUCH_IN
    behind = most <= -deep + TOUCH_IN
    return np.where(ahead, np.maximum(least - deep, 0.0), np.inf), ~(behind | ahead)

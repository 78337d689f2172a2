"""Swings: how far a tray can turn about its centre before it overlaps an obstacle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.geometry.plane.sight.scalar_shapes import Spot
from companion.geometry.plane.solids import Solids
from companion.geometry.plane.trays import Bools, Floats, following, joined

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

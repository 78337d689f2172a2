"""Swings: how far a tray can turn about its centre before it lies on something."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.geometry.solids import Solids
from companion.geometry.trays import Bools, Floats, following, joined

FULL_TURN = 2 * math.pi
SLIVER = 1e-9
"""Turns no farther apart than this are one."""


@dataclass(frozen=True, slots=True)
class Swing:
    """How far a tray may turn from its heading, both ways; radians, infinite where nothing bars."""

    heading_rad: float
    left: float = math.inf
    right: float = math.inf

    @property
    def free(self) -> bool:
        """Whether it may face anywhere."""
        return math.isinf(self.left)

    @property
    def ends(self) -> tuple[float, float, float]:
        """Its heading and the last it may turn to, left and right."""
        left, right = min(self.left, math.pi), min(self.right, math.pi)
        return self.heading_rad, self.heading_rad + left, self.heading_rad - right

    def bars_turn(self, heading_rad: float) -> bool:
        """Whether it cannot turn to a heading, one way or the other."""
        turn = (heading_rad - self.heading_rad) % FULL_TURN
        back = FULL_TURN - turn if turn < FULL_TURN - SLIVER else 0.0
        return turn > self.left + SLIVER and back > self.right + SLIVER

    def bars(self, headings: Floats) -> Bools:
        """Which headings it cannot turn to, one way or the other."""
        turn = (headings - self.heading_rad) % FULL_TURN
        back = np.where(turn < FULL_TURN - SLIVER, FULL_TURN - turn, 0.0)
        return (turn > self.left + SLIVER) & (back > self.right + SLIVER)


def swing(centre: Floats, heading_rad: float, half: Floats, solids: Solids) -> Swing:
    """How far a tray turns before it meets one of these solids.

    Between two turns at which it touches a corner or a side of theirs it meets the same ones
    all along: one look between each two is enough.
    """
    corners = solids.corners - centre
    spots = nearest_spots(corners)
    near = np.hypot(spots[..., 0], spots[..., 1]).min(axis=1, initial=np.inf) < math.hypot(*half)
    near |= solids.meet(centre[None], np.array([[1.0, 0.0]]), np.full((1, 2), SLIVER))[0]
    if not near.any():
        return Swing(heading_rad)
    close = Solids(solids.corners[near], solids.normal[near], solids.offset[near], 0)
    found = np.stack(touching_headings(corners[near], float(half[0]), float(half[1])))
    found = found[np.isfinite(found)] - heading_rad
    turns = np.unique(np.concatenate([found, found + math.pi]) % FULL_TURN)  # the rear is alike
    turns = np.concatenate([[0.0], turns, [FULL_TURN]])
    angle = heading_rad + (turns[1:] + turns[:-1]) / 2
    forward, every = joined(np.cos(angle), np.sin(angle)), (len(angle), 2)
    met = close.meet(np.broadcast_to(centre, every), forward, np.broadcast_to(half, every))
    barred = np.flatnonzero(met.any(axis=1) & (np.diff(turns) > SLIVER))
    if not len(barred):
        return Swing(heading_rad)
    last = FULL_TURN - float(turns[barred[-1] + 1])
    return Swing(heading_rad, float(turns[barred[0]]), last)


def touching_headings(corners: Floats, deep: Floats | float, wide: Floats | float) -> list[Floats]:
    """Headings (…, e) at which a tray about the origin touches polygons (…, e, 2).

    With its front or its flanks: either a corner of theirs lies on the line of one of its edges,
    or a corner of the tray on one of their sides; NaN where it never does.
    """
    x, y, side = corners[..., 0], corners[..., 1], following(corners) - corners
    side_x, side_y = side[..., 0], side[..., 1]
    a = np.maximum(side_x * side_x + side_y * side_y, 1e-18)
    b, c = x * side_x + y * side_y, x * x + y * y
    corner, lean = np.arctan2(y, x), np.arctan2(wide, deep)
    with np.errstate(invalid="ignore", divide="ignore"):
        root, away = np.sqrt(b * b - a * (c - deep**2 - wide**2)), np.sqrt(c)
        front, flank = np.arccos(deep / away), np.arcsin(wide / away)
        found = [corner + front, corner - front, corner + flank, corner - flank]
        for met in (root - b, -root - b):
            part = met / a
            angle = np.arctan2(y + part * side_y, x + part * side_x)
            found += [angle + lean, angle - lean]
    return found


def nearest_spots(polygons: Floats) -> Floats:
    """The spot of each side of polygons (…, e, 2) that is nearest to the origin."""
    side = following(polygons) - polygons
    side_x, side_y = side[..., 0], side[..., 1]
    length2 = np.maximum(side_x * side_x + side_y * side_y, 1e-18)
    part = -(polygons[..., 0] * side_x + polygons[..., 1] * side_y) / length2
    return polygons + np.minimum(np.maximum(part, 0.0), 1.0)[..., None] * side

"""The exact pivot between two others at which a tray begins to meet an obstacle (bisection)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.geometry.plane.motion.shift import AXES, ShiftTrack
from companion.geometry.plane.sight.scalar_shapes import OrientedRect, Spot
from companion.geometry.plane.solids import TOUCH_IN

HAIR = 1e-5
"""A step this small from one pivot toward the next shows an obstacle that begins right there."""
FINE_RAD = 1e-8
"""The precision of a boundary."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A tray at the origin, its target, and the polygons it must not meet before it."""

    deep: float
    wide: float
    target: Sequence[Spot]
    passed: Sequence[Sequence[Spot]]  # must not be overlapped after the pivot, but may be passed
    others: Sequence[Sequence[Spot]]

    def met(self, heading: float) -> bool:
        """Whether one of the polygons is met after this pivot."""
        tray = OrientedRect(0.0, 0.0, 1.0, 0.0, self.deep, self.wide).turned(heading)
        for spots in self.passed:
            if meeting(spots, tray)[1]:
                return True
        travel, on = meeting(self.target, tray)
        before = -math.inf if on else travel - TOUCH_IN
        for spots in self.others:
            travel, on = meeting(spots, tray)
            if on or travel < before:
                return True
        return False

    def between(self, free: float, shut: float) -> float:
        """The last heading from a free one toward a blocked one at which no polygon is met."""
        if self.met(free + HAIR * (shut - free)):
            return free  # most obstacles begin exactly at an evaluated pivot, which touches them
        while abs(shut - free) > FINE_RAD:
            middle = (free + shut) / 2
            if self.met(middle):
                shut = middle
            else:
                free = middle
        return free


def meeting(spots: Sequence[Spot], tray: OrientedRect) -> tuple[float, bool]:
    """Travel until a tray that moves ahead meets a polygon, and whether it overlaps it at once."""
    start, stop = ShiftTrack.of(tray, AXES[0]).span(spots)
    if start >= -TOUCH_IN:
        return max(start, 0.0), False
    return math.inf, stop > TOUCH_IN

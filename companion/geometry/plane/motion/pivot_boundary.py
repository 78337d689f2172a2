"""The exact pivot between two others at which a tray begins to meet an obstacle (bisection)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.geometry.plane.sight.scalar_shapes import Spot
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
        tray = math.cos(heading), math.sin(heading), self.deep, self.wide
        for spots in self.passed:
            if meeting(spots, *tray)[1]:
                return True
        travel, on = meeting(self.target, *tray)
        before = -math.inf if on else travel - TOUCH_IN
        for spots in self.others:
            travel, on = meeting(spots, *tray)
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


def meeting(
    spots: Sequence[Spot], cos: float, sin: float, deep: float, wide: float
) -> tuple[float, bool]:
    """Travel until a tray facing (cos, sin) meets a polygon, and whether it overlaps it at once.

    The scalar version of `surroundings.meeting`.
    """
    edge, least, most = wide - TOUCH_IN, math.inf, -math.inf
    x, y = spots[-1]
    before, from_ = x * cos + y * sin, y * cos - x * sin
    for x, y in spots:
        along, across = x * cos + y * sin, y * cos - x * sin
        if not (min(from_, across) >= edge or max(from_, across) <= -edge):
            one, two = before, along
            if abs(from_) > edge:
                part = (math.copysign(edge, from_) - from_) / (across - from_)
                one = before + part * (along - before)
            if abs(across) > edge:
                part = (math.copysign(edge, across) - from_) / (across - from_)
                two = before + part * (along - before)
            least, most = min(least, one, two), max(most, one, two)
        before, from_ = along, across
    if least >= deep - TOUCH_IN:
        return max(least - deep, 0.0), False
    return math.inf, most > -deep + TOUCH_IN

"""Between two pivots: where a tray begins to meet something before its target, in plain numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.geometry.plane.sight.scalar_shapes import Spot
from companion.geometry.plane.solids import TOUCH_IN

HAIR = 1e-5
"""So small a part of the way from one pivot to the next shows what begins right at it."""
FINE_RAD = 1e-8
"""So exactly a boundary is found."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A tray about the origin, its target, and polygons it is not to meet before."""

    deep: float
    wide: float
    target: Sequence[Spot]
    passed: Sequence[Sequence[Spot]]  # only not to lie on once the tray has turned
    others: Sequence[Sequence[Spot]]

    def met(self, heading: float) -> bool:
        """Whether one of them is met after this pivot."""
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
        """The last heading from a free one toward a shut one that meets none of them."""
        if self.met(free + HAIR * (shut - free)):
            return free  # most begin right at a pivot that was tried: it touches them
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
    """Travel until a tray facing (cos, sin) meets a polygon, and whether it lies on it.

    What `surroundings.meeting` tells of many.
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

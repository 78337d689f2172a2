"""Broad phase of charges: obstacles that may be under a pivot, block sight, or be in the path."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from companion.geometry.plane.answer import SURE_SIGMAS
from companion.geometry.plane.sight.los_query import LosObstacles, Other
from companion.geometry.plane.sight.scalar_shapes import ConvexPart


class ChargeStrip(NamedTuple):
    """A rectangle along a line from (x, y), to discard most obstacles by their bounding circles."""

    x: float
    y: float
    cos: float
    sin: float
    far: float
    wide: float  # to either side, and behind

    @classmethod
    def of(cls, ground: LosObstacles, mover: int, target: int) -> ChargeStrip:
        """The strip with all lines of sight and paths from one unit to another, at any pivot."""
        tray, goal, size = ground.boxes[mover], ground.boxes[target], ground.radius[target]
        x, y = goal.x - tray.x, goal.y - tray.y
        length, spare = math.hypot(x, y), 2 * SURE_SIGMAS * ground.spread[mover]
        wide = max(ground.radius[mover], size + 2 * tray.wide) + spare
        step = max(length, 1e-12)
        return cls(tray.x, tray.y, x / step, y / step, max(length + size, wide), wide)

    def trays(self, things: Iterable[Other]) -> list[Other]:
        """The trays that may reach into it."""
        return [one for one in things if self.may_hold(one[0].x, one[0].y, one[1])]

    def parts(self, parts: Iterable[ConvexPart]) -> list[ConvexPart]:
        """The terrain parts that may reach into it."""
        return [part for part in parts if self.may_hold(part.x, part.y, part.radius)]

    def may_hold(self, x: float, y: float, radius: float) -> bool:
        """Whether a bounding circle reaches into it."""
        dx, dy = x - self.x, y - self.y
        ahead, aside = dx * self.cos + dy * self.sin, dy * self.cos - dx * self.sin
        return abs(aside) <= self.wide + radius and (
            -self.wide - radius <= ahead <= self.far + radius
        )

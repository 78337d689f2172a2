"""Broad phase of charges: obstacles that may be under a pivot, block sight, or be in the path."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.geometry.plane.answer import SURE_SIGMAS
from companion.geometry.plane.sight.los_query import LosObstacles, Other
from companion.geometry.plane.sight.scalar_shapes import ConvexPart, OrientedRect, Spot

HAIR_IN = 1e-6


class StraightStrip(NamedTuple):
    """A rectangle along a line from (x, y), to discard most obstacles by their bounding circles."""

    x: float
    y: float
    cos: float
    sin: float
    back: float
    far: float
    wide: float  # to either side

    def trays(self, things: Iterable[Other]) -> list[Other]:
        """The trays that may reach into it."""
        x, y, cos, sin, back, far, wide = self
        found = []
        for thing in things:
            tray, radius, _ = thing
            dx, dy, spare = tray[0] - x, tray[1] - y, wide + radius
            if -spare <= dy * cos - dx * sin <= spare and (
                -back - radius <= dx * cos + dy * sin <= far + radius
            ):
                found.append(thing)
        return found

    def parts(self, parts: Iterable[ConvexPart]) -> list[ConvexPart]:
        """The terrain parts that may reach into it."""
        x, y, cos, sin, back, far, wide = self
        found = []
        for part in parts:
            _, _, _, px, py, radius = part
            dx, dy, spare = px - x, py - y, wide + radius
            if -spare <= dy * cos - dx * sin <= spare and (
                -back - radius <= dx * cos + dy * sin <= far + radius
            ):
                found.append(part)
        return found


@dataclass(frozen=True, eq=False)
class PivotCorridor:
    """Where lines of sight and paths run from one unit to another, for all pivots.

    All lines of sight before the move lie in the hull of the mover's turning circle and the target;
    everything the move covers lies in the hull of that circle and the target widened by the front.
    """

    mover: OrientedRect
    target: OrientedRect
    turning: float  # the mover's bounding radius,
    size: float  # and the target's
    front: float

    @classmethod
    def of(cls, ground: LosObstacles, mover: int, target: int) -> PivotCorridor:
        tray, front = ground.boxes[mover], SURE_SIGMAS * ground.spread[mover] + HAIR_IN
        sizes = ground.radius[mover], ground.radius[target]
        return cls(tray, ground.boxes[target], *sizes, tray.wide + front)

    @property
    def strip(self) -> StraightStrip:
        """A strip that contains everything that is under, between or ahead."""
        x, y, length = self.way
        wide, step = max(self.turning, self.size + 2 * self.mover.wide), max(length, 1e-12)
        far = max(length + self.size, wide)
        return StraightStrip(self.mover.x, self.mover.y, x / step, y / step, wide, far, wide)

    def under(self, thing: Other) -> bool:
        """Whether the pivoting unit may overlap a tray."""
        return self.turns_over(thing[0], thing[1])

    def between(self, thing: Other) -> bool:
        """Whether a tray may block line of sight to the target after a pivot."""
        return self.hides(thing[0], thing[1])

    def ahead(self, thing: Other) -> bool:
        """Whether a tray may be in the unit's path, for pivots that reach the target."""
        tray, radius, _ = thing
        return self.turns_over(tray, radius) or (
            self.may_pass(tray, radius) and self.faces(tray, radius, tray.corners)
        )

    def hidden_by(self, part: ConvexPart) -> bool:
        """Whether a terrain part may block line of sight to the target after a pivot."""
        return self.hides(part, part.radius)

    def crosses(self, part: ConvexPart) -> bool:
        """Whether a terrain part may be in the unit's path, for pivots that reach the target."""
        return self.turns_over(part, part.radius) or (
            self.may_pass(part, part.radius) and self.faces(part, part.radius, lambda: part.corners)
        )

    def turns_over(self, thing: OrientedRect | ConvexPart, radius: float) -> bool:
        """Whether a bounding circle overlaps the unit's turning circle."""
        return math.hypot(thing.x - self.mover.x, thing.y - self.mover.y) <= self.turning + radius

    def hides(self, thing: OrientedRect | ConvexPart, radius: float) -> bool:
        """Whether it overlaps that circle or the region between the two units."""
        return self.turns_over(thing, radius) or (
            self.beside(thing, radius, max(self.turning, self.size))
        )

    def may_pass(self, thing: OrientedRect | ConvexPart, radius: float) -> bool:
        """Whether it is near enough to the line between the two units to be in a path."""
        return self.beside(thing, radius, max(self.turning, self.size + 2 * self.mover.wide))

    def beside(self, thing: OrientedRect | ConvexPart, radius: float, wide: float) -> bool:
        """Whether it is within `wide` of the line between the units, and not behind the target."""
        x, y, (way_x, way_y, length) = thing.x - self.mover.x, thing.y - self.mover.y, self.way
        if math.hypot(x, y) - radius > length + self.size:
            return False
        part = min(max((x * way_x + y * way_y) / max(length * length, 1e-12), 0.0), 1.0)
        return math.hypot(x - part * way_x, y - part * way_y) - radius <= wide

    def faces(
        self, thing: OrientedRect | ConvexPart, radius: float, corners: Callable[[], Iterable[Spot]]
    ) -> bool:
        """Whether a pivot that reaches the target may bring it into the strip before the front.

        Decided by the heading of its centre or by its bounding circle; in the few other cases by
        its corners.
        """
        x, y = thing.x - self.mover.x, thing.y - self.mover.y
        (base_x, base_y, _), (low, high) = self.way, self.pivots
        middle = math.atan2(base_x * y - base_y * x, base_x * x + base_y * y)
        if low <= middle <= high:
            return True
        away = math.hypot(x, y)
        if self.front + radius < away:
            off = math.asin((self.front + radius) / away)
            if (middle - off > high or middle + off < low) and abs(middle) + off < math.pi:
                return False
        first, last = self.headings(corners())
        return first <= high and last >= low

    @cached_property
    def way(self) -> tuple[float, float, float]:
        """The vector from the mover's centre to the target's, and its length."""
        x, y = self.target.x - self.mover.x, self.target.y - self.mover.y
        return x, y, math.hypot(x, y)

    @cached_property
    def pivots(self) -> tuple[float, float]:
        """The range of headings at which the strip before the front meets the target."""
        return self.headings(self.target.corners())

    def headings(self, corners: Iterable[Spot]) -> tuple[float, float]:
        """The range of headings, relative to the line between the two, that may meet a polygon.

        It is the strip before the front that meets it; the extreme headings touch a corner. A
        polygon nearer than half the strip's width may be met at any heading.
        """
        (base_x, base_y, _), low, high = self.way, math.inf, -math.inf
        for spot_x, spot_y in corners:
            x, y = spot_x - self.mover.x, spot_y - self.mover.y
            angle = math.atan2(base_x * y - base_y * x, base_x * x + base_y * y)
            off = math.asin(min(self.front / max(math.hypot(x, y), 1e-12), 1.0))
            low, high = min(low, angle - off), max(high, angle + off)
        return (low, high) if high - low < math.pi else (-math.inf, math.inf)

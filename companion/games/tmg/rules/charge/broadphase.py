"""What lies about a unit that would charge another: under its turn, between them, in its way."""

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
    """Ground along a line from (x, y): what does not reach into it is left out quickly."""

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
        """The terrain parts that may."""
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
    """Where lines of view and ways run from one unit to another, whatever the pivot.

    All lines of view before a sweep lie in the hull of the mover's turning circle and the
    target, and all that it covers until it touches where the target is wider by its front.
    """

    mover: OrientedRect
    target: OrientedRect
    turning: float  # how far the mover reaches from its centre,
    size: float  # and the target
    front: float

    @classmethod
    def of(cls, ground: LosObstacles, mover: int, target: int) -> PivotCorridor:
        """Where one unit would charge another."""
        tray, front = ground.boxes[mover], SURE_SIGMAS * ground.spread[mover] + HAIR_IN
        sizes = ground.radius[mover], ground.radius[target]
        return cls(tray, ground.boxes[target], *sizes, tray.wide + front)

    @property
    def strip(self) -> StraightStrip:
        """Whatever is under, between or ahead reaches into this."""
        x, y, length = self.way
        wide, step = max(self.turning, self.size + 2 * self.mover.wide), max(length, 1e-12)
        far = max(length + self.size, wide)
        return StraightStrip(self.mover.x, self.mover.y, x / step, y / step, wide, far, wide)

    def under(self, thing: Other) -> bool:
        """Whether the unit may turn over a tray."""
        return self.turns_over(thing[0], thing[1])

    def between(self, thing: Other) -> bool:
        """Whether a tray may hide the target from the turned unit."""
        return self.hides(thing[0], thing[1])

    def ahead(self, thing: Other) -> bool:
        """Whether a tray may come into the unit's way, for pivots that reach the target."""
        tray, radius, _ = thing
        return self.turns_over(tray, radius) or (
            self.may_pass(tray, radius) and self.faces(tray, radius, tray.corners)
        )

    def hidden_by(self, part: ConvexPart) -> bool:
        """Whether a terrain part may hide the target from the turned unit."""
        return self.hides(part, part.radius)

    def crosses(self, part: ConvexPart) -> bool:
        """Whether a terrain part may come into the unit's way, for pivots that reach the target."""
        return self.turns_over(part, part.radius) or (
            self.may_pass(part, part.radius) and self.faces(part, part.radius, lambda: part.corners)
        )

    def turns_over(self, thing: OrientedRect | ConvexPart, radius: float) -> bool:
        """Whether a circle about the middle of something comes under the unit's turn."""
        return math.hypot(thing.x - self.mover.x, thing.y - self.mover.y) <= self.turning + radius

    def hides(self, thing: OrientedRect | ConvexPart, radius: float) -> bool:
        """Whether it comes there or between the two."""
        return self.turns_over(thing, radius) or (
            self.beside(thing, radius, max(self.turning, self.size))
        )

    def may_pass(self, thing: OrientedRect | ConvexPart, radius: float) -> bool:
        """Whether it comes so near the line between the two that a way may meet it."""
        return self.beside(thing, radius, max(self.turning, self.size + 2 * self.mover.wide))

    def beside(self, thing: OrientedRect | ConvexPart, radius: float, wide: float) -> bool:
        """Whether it comes so near the line between the two, and not behind the target."""
        x, y, (way_x, way_y, length) = thing.x - self.mover.x, thing.y - self.mover.y, self.way
        if math.hypot(x, y) - radius > length + self.size:
            return False
        part = min(max((x * way_x + y * way_y) / max(length * length, 1e-12), 0.0), 1.0)
        return math.hypot(x - part * way_x, y - part * way_y) - radius <= wide

    def faces(
        self, thing: OrientedRect | ConvexPart, radius: float, corners: Callable[[], Iterable[Spot]]
    ) -> bool:
        """Whether a pivot that reaches the target may bring it into the front's strip.

        It does where the pivot to its middle is one, and does not where none is of the circle
        about it; its corners tell of the few others.
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
        """From the middle of the one to that of the other, and how far that is."""
        x, y = self.target.x - self.mover.x, self.target.y - self.mover.y
        return x, y, math.hypot(x, y)

    @cached_property
    def pivots(self) -> tuple[float, float]:
        """Between which headings the front's strip meets the target."""
        return self.headings(self.target.corners())

    def headings(self, corners: Iterable[Spot]) -> tuple[float, float]:
        """Between which headings, off the line between the two, the front's strip meets a polygon.

        The extreme ones touch a corner. What is nearer than the strip is wide may be met anywhere.
        """
        (base_x, base_y, _), low, high = self.way, math.inf, -math.inf
        for spot_x, spot_y in corners:
            x, y = spot_x - self.mover.x, spot_y - self.mover.y
            angle = math.atan2(base_x * y - base_y * x, base_x * x + base_y * y)
            off = math.asin(min(self.front / max(math.hypot(x, y), 1e-12), 1.0))
            low, high = min(low, angle - off), max(high, angle + off)
        return (low, high) if high - low < math.pi else (-math.inf, math.inf)

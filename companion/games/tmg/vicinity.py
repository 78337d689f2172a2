"""What lies about a unit that would charge another: under its turn, between them, in its way."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.geometry.answer import SURE_SIGMAS
from companion.geometry.glimpse import Ground, Other, off_way
from companion.geometry.plain import Box, Spot
from companion.geometry.solids import padded
from companion.geometry.trays import Bools, Floats, Ints, Trays

HAIR_IN = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Vicinity:
    """(m, q) each: where things lie about m units that would charge m others."""

    under: Bools  # the unit may turn over it
    between: Bools  # it may hide the target from the turned unit
    ahead: Bools  # it may come into its way, for pivots that reach the target

    @classmethod
    def of(cls, trays: Trays, mover: Ints, target: Ints, corners: Floats) -> Vicinity:
        """Of q convex things with these corners (q, e, 2).

        All lines of view before a sweep lie in the hull of the mover's turning circle and the
        target, and all that it covers until it touches where the target is wider by its front.
        """
        start, wide = trays.centre[mover], trays.half[mover, 1:]
        x, y = corners[..., 0], corners[..., 1]
        middle_x, middle_y = (
            (x.min(axis=1) + x.max(axis=1)) / 2,
            (y.min(axis=1) + y.max(axis=1)) / 2,
        )
        # of a tray its centre
        size = np.hypot(x - middle_x[:, None], y - middle_y[:, None]).max(axis=1)
        turning = np.hypot(trays.half[:, 0], trays.half[:, 1])
        own, goal_size = turning[mover][:, None], turning[target][:, None]
        goal = trays.centre[target] - start
        goal_x, goal_y = goal[:, :1], goal[:, 1:]
        away_x, away_y = middle_x - start[:, :1], middle_y - start[:, 1:]
        length2 = np.maximum(goal_x * goal_x + goal_y * goal_y, 1e-24)
        part = np.minimum(np.maximum((away_x * goal_x + away_y * goal_y) / length2, 0.0), 1.0)
        distance = np.hypot(away_x, away_y)
        under = distance <= own + size
        off = np.hypot(away_x - part * goal_x, away_y - part * goal_y) - size
        before = distance - size <= np.sqrt(length2) + goal_size
        between = under | (before & (off <= np.maximum(own, goal_size)))
        near = before & (off <= np.maximum(own, goal_size + 2 * wide)) & ~under
        ahead = under.copy()
        row, thing = np.nonzero(near)
        if len(row):
            front = wide + SURE_SIGMAS * trays.spread[mover][:, None] + HAIR_IN
            count, whose = len(mover), np.concatenate([np.arange(len(mover)), row])
            goals = padded(trays.corners[target], corners.shape[1])
            spots = np.concatenate([goals, corners[thing]]) - start[whose][:, None]
            low, high = headings(spots, goal[whose], front[whose])
            ahead[row, thing] = (low[count:] <= high[row]) & (high[count:] >= low[row])
        return cls(under, between, ahead)


def headings(spots: Floats, base: Floats, wide: Floats) -> tuple[Floats, Floats]:
    """Between which headings (k,), off base (k, 2), strips so wide (k, 1) meet polygons (k, e, 2).

    Their extreme ones touch a corner. What is nearer than the strip is wide may be met anywhere.
    """
    x, y = spots[..., 0], spots[..., 1]
    base_x, base_y = base[:, :1], base[:, 1:]
    angle = np.arctan2(base_x * y - base_y * x, base_x * x + base_y * y)
    off = np.arcsin(np.minimum(wide / np.maximum(np.hypot(x, y), 1e-12), 1.0))
    low, high = (angle - off).min(axis=1), (angle + off).max(axis=1)
    anywhere = high - low >= np.pi  # behind the unit, or about it
    return np.where(anywhere, -np.inf, low), np.where(anywhere, np.inf, high)


@dataclass(frozen=True, slots=True, eq=False)
class Corridor:
    """The same of one unit and one other, for a few trays."""

    mover: Box
    target: Box
    turning: float  # how far the mover reaches from its centre,
    size: float  # and the target
    front: float

    @classmethod
    def of(cls, ground: Ground, mover: int, target: int) -> Corridor:
        """Where one unit would charge another."""
        tray, front = ground.boxes[mover], SURE_SIGMAS * ground.spread[mover] + HAIR_IN
        sizes = ground.radius[mover], ground.radius[target]
        return cls(tray, ground.boxes[target], *sizes, tray.wide + front)

    def under(self, thing: Other) -> bool:
        """Whether the unit may turn over it."""
        (x, y, *_), radius, _ = thing
        return math.hypot(x - self.mover.x, y - self.mover.y) <= self.turning + radius

    def between(self, thing: Other) -> bool:
        """Whether it may hide the target from the turned unit."""
        return self.under(thing) or self.beside(thing, max(self.turning, self.size))

    def ahead(self, thing: Other) -> bool:
        """Whether it may come into the unit's way, for pivots that reach the target."""
        if self.under(thing):
            return True
        if not self.beside(thing, max(self.turning, self.size + 2 * self.mover.wide)):
            return False
        low, high = self.headings(self.target.corners())
        first, last = self.headings(thing[0].corners())
        return first <= high and last >= low

    def beside(self, thing: Other, wide: float) -> bool:
        """Whether it comes so near the line between the two, and not behind the target."""
        mover, target, (tray, radius, _) = self.mover, self.target, thing
        length = math.hypot(target.x - mover.x, target.y - mover.y)
        distance = math.hypot(tray.x - mover.x, tray.y - mover.y)
        before = distance - radius <= length + self.size
        return before and off_way(mover, target, tray) - radius <= wide

    def headings(self, corners: list[Spot]) -> tuple[float, float]:
        """Between which headings, off the line between the two, the front's strip meets it."""
        base_x, base_y = self.target.x - self.mover.x, self.target.y - self.mover.y
        low, high = math.inf, -math.inf
        for spot_x, spot_y in corners:
            x, y = spot_x - self.mover.x, spot_y - self.mover.y
            angle = math.atan2(base_x * y - base_y * x, base_x * x + base_y * y)
            off = math.asin(min(self.front / max(math.hypot(x, y), 1e-12), 1.0))
            low, high = min(low, angle - off), max(high, angle + off)
        return (low, high) if high - low < math.pi else (-math.inf, math.inf)

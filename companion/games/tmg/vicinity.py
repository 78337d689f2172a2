"""What lies about a unit that would charge another: under its turn, between them, in its way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.geometry.answer import SURE_SIGMAS
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
        middle = corners.mean(axis=1)
        spots = corners - middle[:, None]
        size = np.hypot(spots[..., 0], spots[..., 1]).max(axis=1)
        turning = np.hypot(trays.half[:, 0], trays.half[:, 1])
        own, goal_size = turning[mover][:, None], turning[target][:, None]
        goal = (trays.centre[target] - start)[:, None]
        away = middle - start[:, None]
        length, distance = (np.hypot(way[..., 0], way[..., 1]) for way in (goal, away))
        part = (away * goal).sum(axis=2) / np.maximum(length, 1e-12) ** 2
        miss = away - np.clip(part, 0.0, 1.0)[..., None] * goal
        under = distance <= own + size
        off = np.hypot(miss[..., 0], miss[..., 1]) - size
        before = distance - size <= length + goal_size
        between = under | (before & (off <= np.maximum(own, goal_size)))
        near = before & (off <= np.maximum(own, goal_size + 2 * wide)) & ~under
        ahead = under.copy()
        row, thing = np.nonzero(near)
        if len(row):
            front = wide + SURE_SIGMAS * trays.spread[mover][:, None] + HAIR_IN
            low, high = headings(trays.corners[target] - start[:, None], goal[:, 0], front)
            first, last = headings(corners[thing] - start[row][:, None], goal[row, 0], front[row])
            ahead[row, thing] = (first <= high[row]) & (last >= low[row])
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

"""Places where badges may lie: what they cover, what lines to them cross, which ones are taken.

Boxes are rows of left, top, right and bottom; lines of x, y, to x and to y, not numbers where there
is no line. y counts downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.overlay.view_frame import BoundingBox, PointPx

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int_]
Line = tuple[PointPx, PointPx]

SLACK = 1.5
"""How far a badge may reach over an edge, in pixels: less than its rim is wide."""
MOST_CORNERS = 16
"""So many corners of a round tray tell well enough how far a box is from it."""
CROSSED = 2000.0
"""The cost of a line across another badge or line: every other place is better."""
OVERLAP = 1e5
"""The cost of two badges on each other: it is never taken."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where badges may lie, with what each place costs by itself, and the line to it."""

    boxes: Array
    costs: Array
    lines: Array

    def place(self, at: int) -> tuple[BoundingBox, Line | None]:
        """One of them: its box and the line to it."""
        x, y, to_x, to_y = map(float, self.lines[at])
        line = None if math.isnan(x) else ((x, y), (to_x, to_y))
        return BoundingBox(*map(float, self.boxes[at])), line

    def meets(self, at: int) -> Array:
        """What it costs every place that a badge lies at one of them."""
        box, line = self.boxes[[at]], self.lines[[at]]
        cost = OVERLAP * overlapping(self.boxes, box)[:, 0]
        lined = np.flatnonzero(~np.isnan(self.lines[:, 0]))
        cost[lined] += CROSSED * crossing(self.lines[lined], box)[:, 0]
        if not np.isnan(line).any():
            cost += CROSSED * crossing(line, self.boxes)[0]
            cost[lined] += CROSSED * cutting(self.lines[lined], line)[:, 0]
        cost[at] = 0.0
        return np.asarray(cost)

    def dearer(self, cost: float) -> Places:
        """The same places, each so much dearer."""
        return Places(self.boxes, self.costs + cost, self.lines)

    def only(self, which: Flags | Indices) -> Places:
        return Places(self.boxes[which], self.costs[which], self.lines[which])


NO_PLACES = Places(np.empty((0, 4)), np.empty(0), np.empty((0, 4)))


def joined(places: Sequence[Places]) -> Places:
    """Places one after the other."""
    every = [NO_PLACES, *places]
    return Places(
        np.concatenate([one.boxes for one in every]),
        np.concatenate([one.costs for one in every]),
        np.concatenate([one.lines for one in every]),
    )


def rows(boxes: Sequence[BoundingBox]) -> Array:
    """Boxes as rows."""
    return np.array(boxes, dtype=float).reshape(-1, 4)


def within(boxes: Array, bounds: BoundingBox) -> Array:
    """The boxes moved inside the bounds."""
    left, top, right, bottom = bounds
    dx = np.maximum(left - boxes[:, 0], 0.0)
    dx = np.where(dx > 0, dx, np.minimum(right - boxes[:, 2], 0.0))
    dy = np.maximum(top - boxes[:, 1], 0.0)
    dy = np.where(dy > 0, dy, np.minimum(bottom - boxes[:, 3], 0.0))
    return np.asarray(boxes + np.stack([dx, dy, dx, dy], axis=1))


def common(boxes: Array, others: Array) -> Array:
    """The area that each box shares with each of the others."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.prod(np.maximum(high - low, 0.0), axis=2))


def overlapping(boxes: Array, others: Array) -> Flags:
    """Which boxes share more than a border with which others."""
    one, two = boxes[:, None, :], others[None, :, :]
    apart = (one[..., :2] >= two[..., 2:]) | (two[..., :2] >= one[..., 2:])
    return np.asarray(~apart.any(axis=2))


def middles(boxes: Array) -> Array:
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2)


def profile(points: Array) -> tuple[Array, Array, Array]:
    """The highest and the lowest y of a convex outline at every x of its corners."""
    (x, y), (to_x, to_y) = points.T, np.roll(points, -1, axis=0).T
    at = np.unique(np.round(x, 3))[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        found = y + (to_y - y) * (at - x) / (to_x - x)
    known = (at >= np.minimum(x, to_x) - 0.01) & (at <= np.maximum(x, to_x) + 0.01)
    known &= np.abs(to_x - x) > 0.01
    top = np.where(known, found, np.inf).min(axis=1)
    return at[:, 0], top, np.where(known, found, -np.inf).max(axis=1)


def rims(points: Array, left: Array, right: Array) -> tuple[Array, Array]:
    """The highest and the lowest y of a convex outline between two vertical lines each."""
    at, top, low = profile(points)
    high = np.interp(np.clip(at[np.argmin(top)], left, right), at, top)
    return high, np.interp(np.clip(at[np.argmax(low)], left, right), at, low)


def depths(boxes: Array, outline: Sequence[PointPx]) -> Array:
    """How far boxes reach into a convex outline; less than 0: how far they are from it."""
    corners = np.asarray(outline, dtype=float)
    corners = corners[:: max(1, len(corners) // MOST_CORNERS)]
    sides = np.concatenate([corners[1:], corners[:1]]) - corners
    lengths = np.hypot(*sides.T)
    sides = sides[lengths > 0] / lengths[lengths > 0, None]
    ways = np.concatenate([np.eye(2), sides[:, ::-1] * (-1.0, 1.0)])
    outer = corners @ ways.T
    middle, reach = middles(boxes) @ ways.T, (boxes[:, 2:] - boxes[:, :2]) / 2 @ np.abs(ways.T)
    deep = np.minimum(outer.max(axis=0) - (middle - reach), (middle + reach) - outer.min(axis=0))
    return np.asarray(deep.min(axis=1))


def crossing(lines: Array, boxes: Array) -> Flags:
    """Which lines pass through which boxes."""
    start, way = lines[:, None, :2], (lines[:, 2:] - lines[:, :2])[:, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        first = (boxes[None, :, :2] - start) / way
        last = (boxes[None, :, 2:] - start) / way
    enters = np.fmax(np.minimum(first, last).max(axis=2), 0.0)
    leaves = np.fmin(np.maximum(first, last).min(axis=2), 1.0)
    return np.asarray((enters < leaves) & ~np.isnan(lines[:, :1]))


def cutting(lines: Array, others: Array) -> Flags:
    """Which lines cross which others."""
    a, b = lines[:, None, :2], lines[:, None, 2:]
    c, d = others[None, :, :2], others[None, :, 2:]

    def turns(start: Array, end: Array, to: Array) -> Flags:
        way, other = end - start, to - start
        return np.asarray(way[..., 0] * other[..., 1] > way[..., 1] * other[..., 0])

    known = ~np.isnan(lines[:, None, 0]) & ~np.isnan(others[None, :, 0])
    met = (turns(a, b, c) != turns(a, b, d)) & (turns(c, d, a) != turns(c, d, b))
    return np.asarray(met & known)

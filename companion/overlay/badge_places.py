"""Places where badges may lie: what they cover, what lines to them cross, which ones are taken.

Boxes are rows of left, top, right and bottom; lines of x, y, to x and to y, not numbers where there
is no line. y counts downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from companion.overlay.view_frame import BoundingBox, PointPx

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int_]
Line = tuple[PointPx, PointPx]

SLACK = 1.5
"""How far a badge may reach over an edge, in pixels: less than its rim is wide."""
CROSSED = 300.0
"""The cost of a line across another tray, badge or line, and of lying on one."""
OVERLAP = 1e5
"""The cost of two badges on each other: it is never taken."""
NOWHERE = 3000.0
"""The cost of no badge at all."""
TRIES = 16
"""How many of its best places a badge in a poor one tries, others making room for it."""
WORTH = 25.0
"""How much better a place must be for a badge to leave the one it has."""
ROUNDS = 3
"""How often badges in poor places look again."""
WHOLE, CUT, BRIEF = range(3)
"""How much a badge is folded: not, to the beginning of its name, to very few letters of it."""
NONE = -1
"""The place of a badge that has none."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where one badge may lie, with what each place costs by itself; `folds` tells how much it is
    folded there."""

    boxes: Array
    folds: Indices
    costs: Array
    lines: Array

    @property
    def small(self) -> Flags:
        """Which of them hold a badge without a name."""
        return np.asarray(self.folds > CUT)

    def place(self, at: int) -> tuple[BoundingBox, int, Line | None]:
        """One of them: its box, how much the badge is folded there, and the line to it."""
        x, y, to_x, to_y = map(float, self.lines[at])
        line = None if math.isnan(x) else ((x, y), (to_x, to_y))
        return BoundingBox(*map(float, self.boxes[at])), int(self.folds[at]), line

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

    def only(self, which: Flags | Indices) -> Places:
        return Places(self.boxes[which], self.folds[which], self.costs[which], self.lines[which])


NO_PLACES = Places(np.empty((0, 4)), np.empty(0, int), np.empty(0), np.empty((0, 4)))


def joined(places: Sequence[Places]) -> Places:
    """Places one after the other."""
    every = [NO_PLACES, *places]
    return Places(
        np.concatenate([one.boxes for one in every]),
        np.concatenate([one.folds for one in every]),
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


def gaps(boxes: Array, others: Array) -> Array:
    """The distance between each box and each of the others; 0 where they touch."""
    one, two = boxes[:, None, :], others[None, :, :]
    apart = np.maximum(one[..., :2] - two[..., 2:], two[..., :2] - one[..., 2:])
    return np.asarray(np.linalg.norm(np.maximum(apart, 0.0), axis=2))


def middles(boxes: Array) -> Array:
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2)


def over(boxes: Array, outline: Sequence[PointPx]) -> Flags:
    """Which boxes lie over a convex outline, by more than `SLACK`."""
    return np.asarray(depths(boxes, outline) > SLACK)


def depths(boxes: Array, outline: Sequence[PointPx]) -> Array:
    """How far boxes reach into a convex outline; less than 0: how far they are from it."""
    corners = np.asarray(outline, dtype=float)
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
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


class BadgeSearch:
    """Chooses one place for each badge so that all together cost little."""

    def __init__(self, places: Sequence[Places], stay: Sequence[int]) -> None:
        ends = np.cumsum([0, *(len(one.costs) for one in places)])
        self.ways = [np.arange(start, end) for start, end in pairwise(ends)]
        self.all = joined(places)
        self.folded = [ways[self.all.small[ways]] for ways in self.ways]
        self.met: dict[int, Array] = {}
        self.chosen = np.full(len(places), NONE)
        self.burden = np.zeros(len(self.all.costs))
        """What every place costs beside the badges chosen so far."""
        for number in stay:
            self.choose(number, int(ends[number]))

    def meets(self, at: int) -> Array:
        """What a badge at this place costs all other places."""
        if at not in self.met:
            self.met[at] = self.all.meets(at)
        return self.met[at]

    def choose(self, number: int, at: int) -> None:
        """Lay a badge at this place, or at none."""
        before = int(self.chosen[number])
        if before != NONE:
            self.burden -= self.meets(before)
        if at != NONE:
            self.burden += self.meets(at)
        self.chosen[number] = at

    def take(self, number: int, ways: Indices) -> None:
        """Choose the best of these places, if there is one beside the badges chosen so far."""
        self.choose(number, NONE)
        costs = self.all.costs[ways] + self.burden[ways]
        if len(ways) and costs.min() < OVERLAP:
            self.choose(number, int(ways[int(np.argmin(costs))]))

    def cost(self, number: int) -> float:
        """What the place of a badge costs."""
        at = self.chosen[number]
        return NOWHERE if at == NONE else float(self.all.costs[at] + self.burden[at])

    def total(self) -> float:
        """What all the chosen places cost together."""
        shown = self.chosen[self.chosen != NONE]
        missing = NOWHERE * (len(self.chosen) - len(shown))
        return missing + float(self.all.costs[shown].sum() + self.burden[shown].sum() / 2)

    def settle(self, free: Sequence[int]) -> None:
        """Find places for these badges, folded first; poor ones make others look again."""
        for number in free:
            self.take(number, self.folded[number])
        for number in [*free, *free]:
            self.take(number, self.ways[number])
        for _turn in range(ROUNDS):
            for number in sorted(free, key=self.cost, reverse=True):
                if self.cost(number) >= WORTH:
                    self.push(number, free)

    def push(self, number: int, free: Sequence[int]) -> None:
        """Lay a badge where it would lie best; those of these that lie there look for other places,
        and so do the ones that they push away, if all that is better."""
        ways = self.ways[number]
        for at in ways[np.argsort(self.all.costs[ways], kind="stable")[:TRIES]]:
            if self.all.costs[at] >= self.cost(number):
                break
            last, burden, before = self.chosen.copy(), self.burden.copy(), self.total()
            self.choose(number, int(at))
            pushed = self.beneath(number, free)
            for one in pushed:
                self.choose(one, NONE)
            for one in [*pushed, *pushed, number]:
                self.take(one, self.ways[one])
            if self.total() >= before - 0.5:
                self.chosen, self.burden = last, burden

    def beneath(self, number: int, free: Sequence[int]) -> list[int]:
        """The badges that cannot stay beside that of this one."""
        met = self.meets(int(self.chosen[number]))
        return [
            one
            for one in free
            if one != number and self.chosen[one] != NONE and met[self.chosen[one]] >= CROSSED
        ]

    def improve(self, stay: Sequence[int]) -> None:
        """Badges that stayed leave a poor place for a much better one."""
        for number in stay:
            last, cost = int(self.chosen[number]), self.cost(number)
            self.take(number, self.ways[number])
            if self.cost(number) > cost - 3 * WORTH:
                self.choose(number, last)

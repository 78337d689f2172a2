"""Pivot and advance: the shortest forward travel until a tray touches a target, over all pivots;
in closed form where there are no obstacles.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from companion.geometry.plane.motion.obstacles import (
    Obstacles,
    Surroundings,
    Swing,
    touching_headings,
)
from companion.geometry.plane.motion.pivot_search import REFINE_IN, Boundary, PivotCandidates
from companion.geometry.plane.sight.scalar_shapes import OrientedRect
from companion.geometry.plane.solids import TOUCH_IN
from companion.geometry.plane.trays import Bools, Floats, Ints


class FreeAdvance(NamedTuple):
    """The travel until a tray touches another, and the two pivots that achieve it."""

    travel: float  # negative where the target lies within the corners' turning circle
    heading: tuple[float, float]  # radians: left corner first, right corner first
    toward: float  # the heading of the target's nearest point
    away: float  # its distance from the tray's centre


def free_advance(mover: OrientedRect, target: OrientedRect) -> FreeAdvance:
    """The closed form for this mover and target."""
    x, y, _, _, length, width = mover
    to_x, to_y, cos, sin, deep, wide = target
    x, y = x - to_x, y - to_y
    ahead, aside = x * cos + y * sin, y * cos - x * sin
    way_x = min(max(ahead, -deep), deep) - ahead
    way_y = min(max(aside, -wide), wide) - aside
    away = math.hypot(way_x, way_y)
    toward = math.atan2(way_x * sin + way_y * cos, way_x * cos - way_y * sin)
    if away > width:
        travel, off = math.sqrt(away * away - width * width) - length, math.asin(width / away)
    else:
        travel, off = -length, math.pi / 2
    return FreeAdvance(travel, (toward - off, toward + off), toward, away)


GRID_STEPS = np.linspace(0.0, 1.0, 9)
"""Pivots evaluated besides the critical ones, spread evenly over all that can reach the target."""
HALVINGS, FINE_IN = 9, 5e-4
"""The boundary of line of sight is bisected at most this often, or until the gain is this small."""
COST = 3
"""The column of the cost in the rows of `PivotCandidates.at`."""
LEFT_FIRST_IN = 1e-8
"""The cost per radian: of equal paths the left front corner's is taken, as with `free_advance`."""
SAME_RAD = 1e-9
"""Headings closer than this are equal."""
GRAZE_RAD = 1e-7
"""The first and last pivots only touch the target; they are moved inward by this angle."""


@dataclass(frozen=True, slots=True)
class AdvancePath:
    """A pivot and the travel after it; `total_in` includes the cost of slow ground."""

    heading_rad: float
    travel_in: float
    total_in: float


@dataclass(frozen=True, slots=True, eq=False)
class AdvanceSolution:
    """For each of m movers the path of least total distance, or None."""

    paths: list[AdvancePath | None]
    walled: Bools  # (m,) no path was found, but one exists that the tray cannot swing to


@dataclass(frozen=True, slots=True, eq=False)
class AdvanceQueries:
    """m movers: their trays, their obstacles, and how to test line of sight.

    Slow ground costs `slow_in` once; or once for each piece, where `begun` says on which pieces
    each mover starts. `sees` returns for a row and a heading (radians) whether the target is in
    line of sight after the pivot.
    """

    centre: Floats  # (m, 2)
    half: Floats  # (m, 2) half depth, half width
    about: Obstacles
    slow_in: float
    starts_slow: Bools  # (m,)
    sees: Callable[[int, float], bool]
    facing: Floats  # (m,) headings before any pivot: `bars` do not apply without a pivot
    begun: Bools | None = None  # (m, pieces)
    swings: Mapping[int, Swing] = field(default_factory=dict)  # movers whose pivot is limited

    def shortest(self) -> list[AdvancePath | None]:
        """For each mover the path of least total distance, or None."""
        return self.solve().paths

    def solve(self) -> AdvanceSolution:
        """The shortest paths, and which movers were stopped only by their swing."""
        rows, around = np.arange(len(self.centre), dtype=np.intp), self.surroundings()
        tries = self.judge(around, rows, self.critical_headings(around))
        best = self.pick(tries)
        found = tries.at(rows, best)
        found[best < 0] = np.inf
        self.refine_ways(around, tries, found)
        self.refine_sight(around, tries, best, found)
        paths = [
            AdvancePath(heading, travel, total) if total < np.inf else None
            for heading, travel, total, _ in found.tolist()
        ]
        return AdvanceSolution(paths, self.walled(tries, np.isinf(found[:, COST])))

    def walled(self, tries: PivotCandidates, lost: Bools) -> Bools:
        """Which movers without a path would see their target from a pivot they cannot swing to."""
        if not self.swings:
            return np.zeros(len(lost), dtype=bool)
        shut = tries.walled & lost[:, None]
        return self.pick(replace(tries, cost=np.where(shut, tries.total, np.inf))) >= 0

    def surroundings(self) -> Surroundings:
        """The obstacles relative to the movers' centres."""
        return Surroundings.of(self.about.corners - self.centre[:, None, None], self.half)

    def critical_headings(self, around: Surroundings) -> Floats:
        """Pivots (m, h) at which an obstacle enters or leaves the swept strip, and midpoints."""
        felt = around.corners[:, : 1 + self.about.slows]  # `minded` obstacles only break ties
        points = felt[:, 0]
        middle = points.sum(axis=1)
        base = np.arctan2(middle[:, 1], middle[:, 0])[:, None]
        spots = [around.spots[:, 0], felt.reshape(len(points), -1, 2)]
        low, high = self.tangents(np.concatenate(spots, axis=1), base)
        own = 2 * points.shape[1]
        start = low[:, :own].min(axis=1, keepdims=True) + GRAZE_RAD
        stop = high[:, :own].max(axis=1, keepdims=True) - GRAZE_RAD
        grid = start + (stop - start) * GRID_STEPS
        every = [low, high, self.touches(around, base), grid, turned_to(base, self.facing[:, None])]
        if self.swings:
            ends = np.repeat(base, 3, axis=1)
            for row, swing in self.swings.items():
                ends[row] = swing.ends
            every.append(turned_to(base, ends))
        exact = distinct(np.clip(np.concatenate(every, axis=1), start, stop))
        tried = np.empty((len(exact), 2 * exact.shape[1] - 1))
        tried[:, ::2], tried[:, 1::2] = exact, (exact[:, 1:] + exact[:, :-1]) / 2
        return tried

    def tangents(self, points: Floats, base: Floats) -> tuple[Floats, Floats]:
        """Headings at which points (m, k, 2) lie on the strip's edges, within π of the base."""
        distance = np.hypot(points[..., 0], points[..., 1])
        angle = turned_to(base, np.arctan2(points[..., 1], points[..., 0]))
        off = np.arcsin(np.minimum(self.half[:, 1:] / np.maximum(distance, 1e-12), 1.0))
        return angle - off, angle + off

    def touches(self, around: Surroundings, base: Floats) -> Floats:
        """Headings at which the pivoting tray touches a near obstacle, padded with the base."""
        near = np.argwhere(around.near[:, : 1 + self.about.slows]).tolist()
        found: list[list[float]] = [[] for _ in base]
        for row, thing in near:
            deep, wide = self.half[row].tolist()
            found[row] += touching_headings(around.corners[row, thing].tolist(), deep, wide)
        most = max(map(len, found))
        if not most:
            return base
        rows = zip(found, base[:, 0].tolist(), strict=True)
        return turned_to(base, np.array([one + [own] * (most - len(one)) for one, own in rows]))

    def judge(self, around: Surroundings, rows: Ints, headings: Floats) -> PivotCandidates:
        """Travel, cost and legality of these pivots (r, h)."""
        travel, under = around.meet(rows, headings)
        on, reach, travel, under = under[0], travel[0], travel[1:], under[1:]
        way = np.where(on, 0.0, reach)  # overlap after the pivot is contact
        hit = under | (travel < way - TOUCH_IN)
        about = self.about
        stops, bars, slows = about.stops, about.bars, about.slows
        if bars > stops:
            pivoted = np.abs(turned_to(0.0, headings - self.facing[rows][:, None])) > SAME_RAD
            hit[stops:bars] = under[stops:bars] & pivoted
        barred: Bools = np.logical_or.reduce(hit[:bars])
        walled = np.zeros_like(barred)
        for row, swing in self.swings.items():
            asked = rows == row
            walled[asked] = swing.bars(headings[asked])
        if self.begun is not None:
            slowed = about.pieces_met(rows, hit[bars:slows], self.begun)
        else:
            slowed = np.logical_or.reduce(hit[bars:slows]) | self.starts_slow[rows][:, None]
        open_ = ~on & np.isfinite(way) & ~barred
        allowed = open_ & ~walled
        slow = self.slow_in * slowed
        cost = way + slow + LEFT_FIRST_IN * headings
        if len(hit) > bars:
            cost += about.trifle(rows, hit[bars:])
        cost = np.where(allowed, cost, np.inf)
        return PivotCandidates(headings, way, slow, cost, allowed, open_ & walled, hit[:slows])

    def pick(self, tries: PivotCandidates) -> Ints:
        """The cheapest allowed pivot (m,) with the target in line of sight, or -1."""
        best = np.full(len(tries.cost), -1)
        for row, (costs, headings) in enumerate(zip(tries.cost, tries.headings, strict=True)):
            for column in np.argsort(costs, kind="stable").tolist():
                if costs[column] == np.inf:
                    break
                if self.sees(row, float(headings[column])):
                    best[row] = column
                    break
        return best

    def refine_ways(self, around: Surroundings, tries: PivotCandidates, found: Floats) -> None:
        """Find better pivots between evaluated ones, where an obstacle or slow ground begins."""
        edges: list[tuple[int, float]] = []
        for row, place, beyond in tries.edges(found[:, COST]):
            free, shut = tries.headings[row, [place, beyond]].tolist()
            for boundary in self.boundaries(around, tries, row, place, beyond):
                heading = boundary.between(free, shut)
                if heading != free:
                    edges.append((row, heading))
        self.take_better(around, edges, found)

    def boundaries(
        self, around: Surroundings, tries: PivotCandidates, row: int, place: int, beyond: int
    ) -> list[Boundary]:
        """The obstacles that forbid the pivot `beyond` but not `place`, and those that slow it."""
        stops, bars = self.about.stops, self.about.bars
        met = np.flatnonzero(tries.met[:, row, beyond] & ~tries.met[:, row, place]).tolist()
        target, *others = around.corners[row].tolist()
        deep, wide = self.half[row].tolist()
        stopping = [others[number] for number in met if number < stops]
        barring = [others[number] for number in met if stops <= number < bars]
        slowing = [others[number] for number in met if bars <= number]
        found = [Boundary(deep, wide, target, barring, stopping)] if barring or stopping else []
        return found + ([Boundary(deep, wide, target, [], slowing)] if slowing else [])

    def take_better(
        self, around: Surroundings, edges: Sequence[tuple[int, float]], found: Floats
    ) -> None:
        """Store for each mover the best of these pivots with line of sight to the target."""
        if not edges:
            return
        rows = np.array([row for row, _ in edges])
        tries = self.judge(around, rows, np.array([[heading] for _, heading in edges]))
        options = tries.at(np.arange(len(rows)), np.zeros_like(rows))
        for number in np.argsort(options[:, COST], kind="stable").tolist():
            row, heading = edges[number]
            if options[number, COST] < found[row, COST] and self.sees(row, heading):
                found[row] = options[number]

    def refine_sight(
        self, around: Surroundings, tries: PivotCandidates, best: Ints, found: Floats
    ) -> None:
        """Where line of sight excluded shorter paths, bisect from the best pivot toward them."""
        edges: list[tuple[int, float]] = []
        limited = (best >= 0) & (best != np.argmin(tries.cost, axis=1))
        for row in np.flatnonzero(limited).tolist():
            travel, headings, place = tries.travel[row], tries.headings[row].tolist(), best[row]
            for beside in (place - 1, place + 1):
                if 0 <= beside < len(headings) and travel[beside] < found[row, COST] - REFINE_IN:
                    seen, dark = headings[place], headings[beside]
                    for _ in range(halvings(float(travel[place] - travel[beside]))):
                        middle = (seen + dark) / 2
                        seen, dark = (middle, dark) if self.sees(row, middle) else (seen, middle)
                    edges.append((row, seen))
        self.take_better(around, edges, found)


def halvings(gain_in: float) -> int:
    """The number of bisection steps after which the remaining gain is negligible."""
    times = math.ceil(math.log2(min(max(gain_in, 1e-9), 1.0) / FINE_IN))
    return min(max(times, 1), HALVINGS)


def turned_to(base: Floats | float, angle: Floats) -> Floats:
    """The same angles normalised to within π of the base."""
    return base + (angle - base + np.pi) % (2 * np.pi) - np.pi


def distinct(values: Floats) -> Floats:
    """Each row sorted without duplicates; shorter rows repeat their last value."""
    ordered = np.sort(values, axis=1)
    double = np.zeros(ordered.shape, dtype=bool)
    double[:, 1:] = ordered[:, 1:] - ordered[:, :-1] < 1e-12
    most = int((~double).sum(axis=1).max())
    last = ordered[:, -1:]
    return np.minimum(np.sort(np.where(double, np.inf, ordered), axis=1)[:, :most], last)

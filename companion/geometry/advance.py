"""Pivot and advance: the shortest forward travel until a tray touches a target, over all pivots.

With nothing in the way there is a closed form. After travel t a front corner is
sqrt((half depth + t)² + half width²) from the tray's centre, and no other point of the front
edge is farther; so the first touch is a front corner on the target's point nearest the centre.
With something in the way, the travel is a piecewise smooth function of the pivot whose pieces
end where a corner enters the swept strip: those pivots, and a grid between them, are tried, and
the edge of what is allowed is refined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from companion.geometry.solids import TOUCH_IN, strip_span
from companion.geometry.trays import (
    Bools,
    Floats,
    Ints,
    Trays,
    distance_in_frame,
    following,
    into_frame,
    joined,
)

GRID = 9
"""Pivots tried besides the critical ones, spread evenly over all that can reach the target."""
ROUNDS, INNER = 5, 9
"""The edge of what is allowed is refined so often, by so many pivots each time."""
PICKED = 8
"""So many pivots are looked along at once, best first."""
REFINE_IN = 1e-5
NOWHERE = 1e5
"""Where padding stands: too far to be met."""


@dataclass(frozen=True, slots=True)
class FreeAdvance:
    """For m pairs with nothing in the way: the travel and the two pivots that achieve it."""

    travel: Floats  # (m,) negative where the target lies within the corners' turning circle
    heading: Floats  # (m, 2) radians: left corner first, right corner first


def free_advance(trays: Trays, mover: Ints, target: Ints) -> FreeAdvance:
    """The closed form for these pairs."""
    centre, half = trays.centre[mover], trays.half[mover]
    seen = into_frame(trays.centre[target], trays.forward[target], centre[:, None])[:, 0]
    box = trays.half[target]
    near = np.clip(seen, -box, box)
    distance = distance_in_frame(seen, box)
    forward = trays.forward[target]
    way = near - seen
    dx = way[:, 0] * forward[:, 0] - way[:, 1] * forward[:, 1]
    dy = way[:, 0] * forward[:, 1] + way[:, 1] * forward[:, 0]
    toward = np.arctan2(dy, dx)
    wide = half[:, 1]
    travel = np.where(
        distance > wide,
        np.sqrt(np.maximum(distance**2 - wide**2, 0.0)) - half[:, 0],
        -half[:, 0],
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.arcsin(np.clip(wide / distance, 0.0, 1.0))
    off = np.nan_to_num(off, nan=np.pi / 2)
    return FreeAdvance(travel, np.stack([toward - off, toward + off], axis=1))


@dataclass(frozen=True, slots=True)
class Path:
    """A pivot and the travel after it; `total_in` adds what slow ground costs."""

    heading_rad: float
    travel_in: float
    total_in: float


@dataclass(frozen=True, slots=True)
class Ways:
    """m movers' questions: their trays, their targets, and what lies about.

    `stops` end the move before the target, `bars` are what the pivoted tray may not end on
    though the move passes it, `slows` cost `slow_in` once; each (m, q, e, 2), rows padded with
    `NOWHERE`. `sees` tells for rows and headings (radians) whether the target is still in
    sight after the pivot.
    """

    centre: Floats  # (m, 2)
    half: Floats  # (m, 2) half depth, half width
    target: Floats  # (m, 4, 2)
    stops: Floats
    bars: Floats
    slows: Floats
    slow_in: float
    starts_slow: Bools  # (m,)
    sees: Callable[[Ints, Floats, Floats], Bools]

    def shortest(self) -> list[Path | None]:
        """For each mover the path of least total distance, or None where there is none."""
        rows = np.arange(len(self.centre), dtype=np.intp)
        headings = self.critical_headings()
        total, travel, allowed = self.judge(rows, headings)
        best = self.pick(rows, headings, total, travel, allowed)
        found = np.stack([at(headings, best), at(travel, best), at(total, best)], axis=1)
        found[best < 0] = np.inf
        self.refine(headings, total, travel, allowed, best, found)
        return [
            Path(float(heading), float(way), float(whole)) if np.isfinite(whole) else None
            for heading, way, whole in found
        ]

    def critical_headings(self) -> Floats:
        """Pivots (m, h) at which something enters or leaves the swept strip, and between them."""
        points = self.target - self.centre[:, None]
        side = following(points) - points
        length2 = np.maximum((side * side).sum(axis=-1), 1e-18)
        part = np.clip(-(points * side).sum(axis=-1) / length2, 0.0, 1.0)
        own = np.concatenate([points, points + part[..., None] * side], axis=1)
        middle = points.mean(axis=1)
        base = np.arctan2(middle[:, 1], middle[:, 0])[:, None]
        low, high = self.tangents(own, base)
        start, stop = low.min(axis=1, keepdims=True), high.max(axis=1, keepdims=True)
        count = len(self.centre)
        around = np.concatenate(
            [kind.reshape(count, -1, 2) for kind in (self.stops, self.slows, self.bars)], axis=1
        )
        other = self.tangents(around - self.centre[:, None], base)
        touched = np.concatenate([self.target[:, None], self.stops, self.bars], axis=1)
        grid = start + (stop - start) * np.linspace(0.0, 1.0, GRID)
        touches = self.touches(touched - self.centre[:, None, None], base)
        exact = np.concatenate([low, high, *other, touches, grid], axis=1)
        exact = distinct(np.clip(exact, start, stop))
        between = (exact[:, 1:] + exact[:, :-1]) / 2
        return np.sort(np.concatenate([exact, between], axis=1), axis=1)

    def tangents(self, points: Floats, base: Floats) -> tuple[Floats, Floats]:
        """Headings at which points (m, k, 2) lie on the strip's edges, within π of the base."""
        distance = np.hypot(points[..., 0], points[..., 1])
        angle = np.arctan2(points[..., 1], points[..., 0])
        angle = base + (angle - base + np.pi) % (2 * np.pi) - np.pi
        ratio = self.half[:, 1:] / np.maximum(distance, 1e-12)
        off = np.arcsin(np.minimum(ratio, 1.0))
        return angle - off, angle + off

    def touches(self, polygons: Floats, base: Floats) -> Floats:
        """Headings at which the pivoting tray's front touches polygons (m, q, e, 2) about it.

        Either a front corner meets a side, or a corner of theirs meets the front edge.
        """
        count = len(polygons)
        side = following(polygons) - polygons
        a = np.maximum((side * side).sum(axis=-1), 1e-18)
        b = (polygons * side).sum(axis=-1)
        c = (polygons * polygons).sum(axis=-1)
        deep, wide = self.half[:, :1, None], self.half[:, 1:, None]
        root = b * b - a * (c - deep**2 - wide**2)
        with np.errstate(invalid="ignore", divide="ignore"):
            width = np.sqrt(root)
            spots = [polygons + ((-b + sign * width) / a)[..., None] * side for sign in (1, -1)]
            front = np.arccos(deep / np.sqrt(c))
        lean = np.arctan2(wide, deep)
        angles = [np.arctan2(spot[..., 1], spot[..., 0]) for spot in spots]
        corner = np.arctan2(polygons[..., 1], polygons[..., 0])
        found = [angle + sign * lean for angle in angles for sign in (1, -1)]
        found += [corner + front, corner - front]
        flat = np.concatenate([one.reshape(count, -1) for one in found], axis=1)
        flat = base + (flat - base + np.pi) % (2 * np.pi) - np.pi
        return np.where(np.isnan(flat), base, flat)

    def contact(self, rows: Ints, headings: Floats, polygons: Floats) -> tuple[Floats, Bools]:
        """Travel until each polygon is met (r, h, q), and whether the pivoted tray lies on it."""
        cos, sin = np.cos(headings)[..., None, None], np.sin(headings)[..., None, None]
        x = (polygons[..., 0] - self.centre[rows, 0][:, None, None])[:, None]
        y = (polygons[..., 1] - self.centre[rows, 1][:, None, None])[:, None]
        local = joined(x * cos + y * sin, y * cos - x * sin)
        wide = np.broadcast_to((self.half[rows, 1] - TOUCH_IN)[:, None, None], local.shape[:3])
        least, most = strip_span(local, -wide, wide, axis=0)
        deep = self.half[rows, 0][:, None, None]
        behind = most <= -deep + TOUCH_IN
        ahead = least >= deep - TOUCH_IN
        travel = np.where(ahead, np.maximum(least - deep, 0.0), np.inf)
        return travel, ~(behind | ahead)

    def judge(self, rows: Ints, headings: Floats) -> tuple[Floats, Floats, Bools]:
        """Total distance, travel, and whether each pivot (r, h) is allowed but for sight."""
        reach, under = self.contact(rows, headings, self.target[rows][:, None])
        under = under[..., 0]
        allowed = ~under & np.isfinite(reach[..., 0])
        travel = np.where(under, 0.0, reach[..., 0])  # turned until it touches, none is left
        if self.stops.shape[1]:
            first, below = self.contact(rows, headings, self.stops[rows])
            allowed &= ~below.any(axis=2) & (first.min(axis=2) >= travel - TOUCH_IN)
        if self.bars.shape[1]:
            allowed &= ~self.contact(rows, headings, self.bars[rows])[1].any(axis=2)
        slowed = np.broadcast_to(self.starts_slow[rows][:, None], travel.shape)
        if self.slows.shape[1]:
            first, below = self.contact(rows, headings, self.slows[rows])
            slowed = slowed | below.any(axis=2) | (first.min(axis=2) < travel - TOUCH_IN)
        return travel + self.slow_in * slowed, travel, allowed

    def pick(
        self, rows: Ints, headings: Floats, total: Floats, travel: Floats, allowed: Bools
    ) -> Ints:
        """The allowed pivot (r,) of least distance with the target in sight, or -1."""
        cost = np.where(allowed, total, np.inf)
        order = np.argsort(cost, axis=1, kind="stable")
        best = np.full(len(rows), -1)
        open_ = np.arange(len(rows))
        for start in range(0, cost.shape[1], PICKED):
            some = order[open_, start : start + PICKED]
            fits = np.isfinite(np.take_along_axis(cost[open_], some, axis=1))
            number, slot = np.nonzero(fits)
            row, column = open_[number], some[number, slot]
            fits[number, slot] = self.sees(rows[row], headings[row, column], travel[row, column])
            seen = fits.any(axis=1)
            best[open_[seen]] = some[seen, np.argmax(fits[seen], axis=1)]
            # a row is open while nothing was seen and dearer pivots are left
            last = cost[open_, some[:, -1]]
            open_ = open_[~seen & np.isfinite(last)]
            if not len(open_):
                break
        return best

    def refine(
        self,
        headings: Floats,
        total: Floats,
        travel: Floats,
        allowed: Bools,
        best: Ints,
        found: Floats,
    ) -> None:
        """Push the best pivots towards better ones that lie at the edge of what is allowed."""
        # where sight ruled out a shorter way, its edge is sought too
        limited = best != np.argmin(np.where(allowed, total, np.inf), axis=1)
        rows, place = self.brackets(
            total, travel, allowed, np.where(limited, best, -1), found[:, 2]
        )
        low, high = headings[rows, place], headings[rows, place + 1]
        for _ in range(ROUNDS):
            if not len(rows):
                return
            inner = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, INNER)
            whole, way, fine = self.judge(rows, inner)
            asked, column = np.nonzero(fine & limited[rows][:, None])
            fine[asked, column] = self.sees(rows[asked], inner[asked, column], way[asked, column])
            cost = np.where(fine, whole, np.inf)
            chosen = np.argmin(cost, axis=1)
            better = np.flatnonzero(at(cost, chosen) < found[rows, 2])
            column = chosen[better]
            seen = self.sees(rows[better], inner[better, column], way[better, column])
            for number in better[seen]:
                row, choice = rows[number], chosen[number]
                if cost[number, choice] < found[row, 2]:
                    found[row] = inner[number, choice], way[number, choice], cost[number, choice]
            every = np.arange(len(rows))
            low = inner[every, np.maximum(chosen - 1, 0)]
            high = inner[every, np.minimum(chosen + 1, INNER - 1)]
            promising = np.isfinite(at(cost, chosen)) & (
                way.min(axis=1) < found[rows, 2] - REFINE_IN
            )
            rows, low, high = rows[promising], low[promising], high[promising]

    def brackets(
        self, total: Floats, travel: Floats, allowed: Bools, best: Ints, least: Floats
    ) -> tuple[Ints, Ints]:
        """Where a better pivot may hide: at the edge of what is allowed or slow, by the best."""
        most = total.shape[1]
        bound = np.minimum(travel[:, 1:], travel[:, :-1])
        slowed = total > travel
        edge = (allowed[:, 1:] != allowed[:, :-1]) | (slowed[:, 1:] != slowed[:, :-1])
        known = np.flatnonzero(best >= 0)
        edge[known, np.maximum(best[known] - 1, 0)] = True
        edge[known, np.minimum(best[known], most - 2)] = True
        rows, place = np.nonzero(edge & (bound < least[:, None] - REFINE_IN))
        return rows, place


def distinct(values: Floats) -> Floats:
    """Each row sorted without its doubles; shorter rows repeat their last value."""
    ordered = np.sort(values, axis=1)
    double = np.zeros(ordered.shape, dtype=bool)
    double[:, 1:] = ordered[:, 1:] - ordered[:, :-1] < 1e-12
    most = int((~double).sum(axis=1).max())
    last = ordered[:, -1:]
    return np.minimum(np.sort(np.where(double, np.inf, ordered), axis=1)[:, :most], last)


def at(values: Floats, column: Ints) -> Floats:
    """One value of each row."""
    return values[np.arange(len(values)), column]

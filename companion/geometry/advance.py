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
    packed,
)

GRID = 9
"""Pivots tried besides the critical ones, spread evenly over all that can reach the target."""
ROUNDS, INNER = 3, 25
"""The edge of what is allowed is refined so often, by so many pivots each time."""
HALVINGS = 12
"""The edge of sight is refined so often."""
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
class Tries:
    """Pivots tried by r movers, h each, in order: what would come of them."""

    headings: Floats  # (r, h)
    travel: Floats
    total: Floats
    allowed: Bools  # but for sight

    @property
    def cost(self) -> Floats:
        """The total distance, infinite where not allowed."""
        return np.where(self.allowed, self.total, np.inf)

    def at(self, rows: Ints, columns: Ints) -> Floats:
        """Heading, travel and total distance (k, 3) of some of them."""
        kinds = (self.headings, self.travel, self.total)
        return np.stack([kind[rows, columns] for kind in kinds], axis=1)


@dataclass(frozen=True, slots=True)
class Ways:
    """m movers' questions: their trays, their targets, and what lies about.

    `stops` end the move before the target, `bars` are what the pivoted tray may not end on
    though the move passes it, `slows` cost `slow_in` once; each (m, q, e, 2), rows padded with
    `NOWHERE`. `sees` tells for rows, headings (radians) and travels whether the target is still
    in sight after the pivot.
    """

    centre: Floats  # (m, 2)
    half: Floats  # (m, 2) half depth, half width
    target: Floats  # (m, e, 2)
    stops: Floats
    bars: Floats
    slows: Floats
    slow_in: float
    starts_slow: Bools  # (m,)
    sees: Callable[[Ints, Floats, Floats], Bools]

    def shortest(self) -> list[Path | None]:
        """For each mover the path of least total distance, or None where there is none."""
        rows = np.arange(len(self.centre), dtype=np.intp)
        tries = self.judge(rows, self.critical_headings())
        best = self.pick(tries)
        found = tries.at(rows, best)
        found[best < 0] = np.inf
        self.refine_ways(tries, found)
        self.refine_sight(tries, best, found)
        return [
            Path(heading, travel, total) if total < np.inf else None
            for heading, travel, total in found.tolist()
        ]

    @property
    def about(self) -> Floats:
        """The target, stops, bars and slows (m, q, e, 2), seen from the movers' centres."""
        every = np.concatenate([self.target[:, None], self.stops, self.bars, self.slows], axis=1)
        return every - self.centre[:, None, None]

    def critical_headings(self) -> Floats:
        """Pivots (m, h) at which something enters or leaves the swept strip, and between them."""
        about, count = self.about, len(self.centre)
        points = about[:, 0]
        side = following(points) - points
        length2 = np.maximum((side * side).sum(axis=-1), 1e-18)
        part = np.clip(-(points * side).sum(axis=-1) / length2, 0.0, 1.0)
        nearest = points + part[..., None] * side
        middle = points.mean(axis=1)
        base = np.arctan2(middle[:, 1], middle[:, 0])[:, None]
        spots = np.concatenate([nearest, about.reshape(count, -1, 2)], axis=1)
        low, high = self.tangents(spots, base)
        own = 2 * points.shape[1]
        start = low[:, :own].min(axis=1, keepdims=True)
        stop = high[:, :own].max(axis=1, keepdims=True)
        grid = start + (stop - start) * np.linspace(0.0, 1.0, GRID)
        exact = np.concatenate([low, high, self.touches(about, base), grid], axis=1)
        exact = distinct(np.clip(exact, start, stop))
        between = (exact[:, 1:] + exact[:, :-1]) / 2
        return np.sort(np.concatenate([exact, between], axis=1), axis=1)

    def tangents(self, points: Floats, base: Floats) -> tuple[Floats, Floats]:
        """Headings at which points (m, k, 2) lie on the strip's edges, within π of the base."""
        distance = np.hypot(points[..., 0], points[..., 1])
        angle = turned_to(base, np.arctan2(points[..., 1], points[..., 0]))
        off = np.arcsin(np.minimum(self.half[:, 1:] / np.maximum(distance, 1e-12), 1.0))
        return angle - off, angle + off

    def touches(self, polygons: Floats, base: Floats) -> Floats:
        """Headings at which the pivoting tray touches polygons (m, q, e, 2) about it.

        Either a corner of the tray meets a side of theirs, or a corner of theirs meets its front,
        its rear or its flanks. The base where nothing does.
        """
        turning = np.hypot(self.half[:, 0], self.half[:, 1])
        middle = polygons.mean(axis=2)
        size = np.hypot(*np.moveaxis(polygons - middle[:, :, None], 3, 0)).max(axis=2)
        near = np.hypot(middle[..., 0], middle[..., 1]) <= turning[:, None] + size
        if not near.any():
            return base
        index, real = packed(near)
        chosen = polygons[np.arange(len(polygons))[:, None], index]
        chosen[~real] = NOWHERE
        side = following(chosen) - chosen
        a = np.maximum((side * side).sum(axis=-1), 1e-18)
        b = (chosen * side).sum(axis=-1)
        c = (chosen * chosen).sum(axis=-1)
        deep, wide = self.half[:, :1, None], self.half[:, 1:, None]
        corner = np.arctan2(chosen[..., 1], chosen[..., 0])
        lean = np.arctan2(wide, deep)
        with np.errstate(invalid="ignore", divide="ignore"):
            root = np.sqrt(b * b - a * (c - deep**2 - wide**2))
            front, flank = np.arccos(deep / np.sqrt(c)), np.arcsin(wide / np.sqrt(c))
            found = [corner + front, corner - front, corner + flank, corner - flank]
            for sign in (1, -1):
                spot = chosen + ((-b + sign * root) / a)[..., None] * side
                angle = np.arctan2(spot[..., 1], spot[..., 0])
                found += [angle + lean, angle - lean]
        flat = np.stack(found, axis=1).reshape(len(polygons), -1)
        flat = turned_to(base, np.concatenate([flat, flat + np.pi], axis=1))  # the rear is alike
        return np.where(np.isnan(flat), base, flat)

    def contact(self, rows: Ints, headings: Floats, polygons: Floats) -> tuple[Floats, Bools]:
        """Travel until each polygon (r, q, e, 2) is met by each pivot (r, h): (r, h, q).

        And whether the pivoted tray lies on it.
        """
        travel, under = self.meeting(rows, headings, polygons - self.centre[rows][:, None, None])
        return np.moveaxis(travel, 0, 2), np.moveaxis(under, 0, 2)

    def meeting(self, rows: Ints, headings: Floats, about: Floats) -> tuple[Floats, Bools]:
        """The same as (q, r, h) of polygons seen from the centres."""
        x, y = about.transpose(3, 2, 1, 0)[..., None]  # (e, q, r, 1)
        cos, sin = np.cos(headings), np.sin(headings)
        deep, wide = self.half[rows, :1], self.half[rows, 1:] - TOUCH_IN
        least, most = strip_span(x * cos + y * sin, y * cos - x * sin, -wide, wide)
        ahead = least >= deep - TOUCH_IN
        behind = most <= -deep + TOUCH_IN
        travel = np.where(ahead, np.maximum(least - deep, 0.0), np.inf)
        return travel, ~(behind | ahead)

    def judge(self, rows: Ints, headings: Floats) -> Tries:
        """What comes of these pivots (r, h)."""
        travel, under = self.meeting(rows, headings, self.about[rows])
        stops, bars = self.stops.shape[1], self.bars.shape[1]
        way = np.where(under[0], 0.0, travel[0])  # turned until it touches, none is left
        early = travel[1:] < way - TOUCH_IN
        hit = under[1:] | early
        barred: Bools = np.any(hit[:stops], axis=0)
        barred |= np.any(under[1 + stops : 1 + stops + bars], axis=0)
        slowed = np.any(hit[stops + bars :], axis=0) | self.starts_slow[rows][:, None]
        allowed = ~under[0] & np.isfinite(way) & ~barred
        return Tries(headings, way, way + self.slow_in * slowed, allowed)

    def pick(self, tries: Tries) -> Ints:
        """The allowed pivot (m,) of least distance with the target in sight, or -1."""
        cost = tries.cost
        order = np.argsort(cost, axis=1, kind="stable")
        best = np.full(len(cost), -1)
        rows, start = np.flatnonzero(np.isfinite(cost.min(axis=1))), 0
        for size in (1, 3, 12, cost.shape[1]):
            some = order[rows, start : start + size]
            number, slot = np.nonzero(np.isfinite(cost[rows[:, None], some]))
            row, column = rows[number], some[number, slot]
            fits = np.zeros(some.shape, dtype=bool)
            fits[number, slot] = self.sees(
                row, tries.headings[row, column], tries.travel[row, column]
            )
            seen = fits.any(axis=1)
            best[rows[seen]] = some[seen, np.argmax(fits[seen], axis=1)]
            # a mover is left while nothing was seen and dearer pivots remain
            rows, start = rows[~seen & np.isfinite(cost[rows, some[:, -1]])], start + size
            if not len(rows) or start >= cost.shape[1]:
                break
        return best

    def refine_ways(self, tries: Tries, found: Floats) -> None:
        """Find better pivots at the edge of what is allowed or slow, between those tried."""
        rows, place = edges(tries, found[:, 2])
        low, high = tries.headings[rows, place], tries.headings[rows, place + 1]
        options, owners = [np.zeros((0, 3))], [np.zeros(0, dtype=np.intp)]
        for _ in range(ROUNDS):
            if not len(rows):
                break
            inner = self.judge(
                rows, low[:, None] + (high - low)[:, None] * np.linspace(0, 1, INNER)
            )
            cost, every = inner.cost, np.arange(len(rows))
            chosen = np.argmin(cost, axis=1)
            better = cost[every, chosen] < found[rows, 2]
            options.append(inner.at(every[better], chosen[better]))
            owners.append(rows[better])
            low = inner.headings[every, np.maximum(chosen - 1, 0)]
            high = inner.headings[every, np.minimum(chosen + 1, INNER - 1)]
            promising = np.isfinite(cost[every, chosen])
            promising &= inner.travel.min(axis=1) < found[rows, 2] - REFINE_IN
            rows, low, high = rows[promising], low[promising], high[promising]
        self.take_seen(np.concatenate(owners), np.concatenate(options), found)

    def take_seen(self, rows: Ints, options: Floats, found: Floats) -> None:
        """Take for each mover the best of its options (k, 3) from which the target is seen."""
        order = np.lexsort((options[:, 2], rows))
        rows, options = rows[order], options[order]
        while len(rows):
            first = np.flatnonzero(np.diff(rows, prepend=-1))
            seen = self.sees(rows[first], options[first, 0], options[first, 1])
            found[rows[first[seen]]] = options[first[seen]]
            left = ~np.isin(rows, rows[first[seen]])
            left[first] = False
            rows, options = rows[left], options[left]

    def refine_sight(self, tries: Tries, best: Ints, found: Floats) -> None:
        """Where sight ruled out shorter ways, go from the best pivot to the edge of sight."""
        limited = np.flatnonzero((best >= 0) & (best != np.argmin(tries.cost, axis=1)))
        for step in (-1, 1):
            beside = best[limited] + step
            some = (beside >= 0) & (beside < tries.headings.shape[1])
            rows, beside = limited[some], beside[some]
            shorter = tries.travel[rows, beside] < found[rows, 2] - REFINE_IN
            rows, beside = rows[shorter], beside[shorter]
            if not len(rows):
                continue
            seen, dark = tries.headings[rows, best[rows]], tries.headings[rows, beside]
            travel = tries.travel[rows, best[rows]]
            for _ in range(HALVINGS):
                middle = (seen + dark) / 2
                good = self.sees(rows, middle, travel)
                seen, dark = np.where(good, middle, seen), np.where(good, dark, middle)
            edge = self.judge(rows, seen[:, None])
            better = np.flatnonzero(edge.cost[:, 0] < found[rows, 2])
            found[rows[better]] = edge.at(better, np.zeros_like(better))


def edges(tries: Tries, least: Floats) -> tuple[Ints, Ints]:
    """Rows and places of neighbouring pivots between which a better one may hide."""
    bound = np.minimum(tries.travel[:, 1:], tries.travel[:, :-1])
    slowed, allowed = tries.total > tries.travel, tries.allowed
    edge = (allowed[:, 1:] != allowed[:, :-1]) | (slowed[:, 1:] != slowed[:, :-1])
    rows, place = np.nonzero(edge & (bound < least[:, None] - REFINE_IN))
    return rows, place


def turned_to(base: Floats, angle: Floats) -> Floats:
    """The same angles within π of the base."""
    return base + (angle - base + np.pi) % (2 * np.pi) - np.pi


def distinct(values: Floats) -> Floats:
    """Each row sorted without its doubles; shorter rows repeat their last value."""
    ordered = np.sort(values, axis=1)
    double = np.zeros(ordered.shape, dtype=bool)
    double[:, 1:] = ordered[:, 1:] - ordered[:, :-1] < 1e-12
    most = int((~double).sum(axis=1).max())
    last = ordered[:, -1:]
    return np.minimum(np.sort(np.where(double, np.inf, ordered), axis=1)[:, :most], last)

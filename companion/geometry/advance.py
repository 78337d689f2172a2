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
from companion.geometry.trays import Bools, Floats, Ints, Trays, distance_in_frame, into_frame

GRID_RAD = np.radians(1.0)
REFINE_IN = 1e-5


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
class Way:
    """One mover's question: its tray, the target, and what lies about.

    `stops`: solids that end the move before the target. `bars`: solids the pivoted tray may
    not end on, though the move passes them. `slows`: solids that cost `slow_in` once.
    `sees` tells for headings (radians) whether the target is still in sight after the pivot.
    """

    centre: Floats  # (2,)
    half: Floats  # (2,) half depth, half width
    target: Floats  # (e, 2)
    stops: Floats  # (q, e, 2)
    bars: Floats
    slows: Floats
    slow_in: float
    starts_slow: bool
    sees: Callable[[Floats], Bools]

    def shortest(self, limit_in: float) -> Path | None:
        """The path of least total distance up to the limit, or None."""
        headings = self.critical_headings()
        total, travel, allowed = self.judge(headings, limit_in)
        best = self.pick(headings, total, allowed)
        if best is None:
            return None
        return self.refine(headings, total, travel, allowed, best, limit_in)

    def critical_headings(self) -> Floats:
        """Pivots at which something enters or leaves the swept strip, and a grid between."""
        points = self.target - self.centre
        following = np.roll(self.target, -1, axis=0) - self.centre
        side = following - points
        length2 = np.maximum((side * side).sum(axis=1), 1e-18)
        part = np.clip(-(points * side).sum(axis=1) / length2, 0.0, 1.0)
        feet = points + part[:, None] * side
        own = np.concatenate([points, feet])
        low, high = self.tangents(own)
        start, stop = low.min(), high.max()
        around = np.concatenate([self.stops, self.slows, self.bars]).reshape(-1, 2) - self.centre
        other_low, other_high = self.tangents(around)
        exact = np.concatenate([low, high, other_low, other_high])
        exact = np.unique(exact[(exact >= start) & (exact <= stop)])
        grid = np.arange(start, stop, GRID_RAD)
        between = (exact[1:] + exact[:-1]) / 2
        near = np.concatenate([exact - 1e-7, exact + 1e-7])
        return np.unique(np.concatenate([exact, grid, between, near]))

    def tangents(self, points: Floats) -> tuple[Floats, Floats]:
        """Headings at which points lie on the strip's right and left edge, near the target's."""
        reference = (self.target - self.centre).mean(axis=0)
        base = np.arctan2(reference[1], reference[0])
        distance = np.hypot(points[:, 0], points[:, 1])
        angle = np.arctan2(points[:, 1], points[:, 0])
        angle = base + (angle - base + np.pi) % (2 * np.pi) - np.pi
        with np.errstate(divide="ignore", invalid="ignore"):
            off = np.arcsin(np.clip(self.half[1] / distance, 0.0, 1.0))
        off = np.nan_to_num(off, nan=np.pi / 2)
        return angle - off, angle + off

    def contact(self, headings: Floats, polygons: Floats) -> tuple[Floats, Bools]:
        """Travel until each polygon is met (a, q), and whether it lies under the pivoted tray."""
        forward = np.stack([np.cos(headings), np.sin(headings)], axis=-1)
        flat = np.broadcast_to(
            polygons.reshape(1, -1, 2), (len(headings), polygons[..., 0].size, 2)
        )
        centre = np.broadcast_to(self.centre, (len(headings), 2))
        local = into_frame(centre, forward, flat).reshape(len(headings), *polygons.shape)
        wide = np.full(local.shape[:2], self.half[1] - TOUCH_IN)
        least, most = strip_span(local, -wide, wide, axis=0)
        deep = self.half[0]
        behind = most <= -deep + TOUCH_IN
        ahead = least >= deep - TOUCH_IN
        travel = np.where(ahead, np.maximum(least - deep, 0.0), np.inf)
        return travel, ~(behind | ahead)

    def judge(self, headings: Floats, limit_in: float) -> tuple[Floats, Floats, Bools]:
        """Total distance, travel, and whether each pivot is allowed but for sight."""
        travel, under = self.contact(headings, self.target[None])
        travel, allowed = travel[:, 0], ~under[:, 0]
        if len(self.stops):
            first, below = self.contact(headings, self.stops)
            allowed &= ~below.any(axis=1) & (first.min(axis=1) >= travel - TOUCH_IN)
        if len(self.bars):
            allowed &= ~self.contact(headings, self.bars)[1].any(axis=1)
        total = travel + (self.slow_in if self.starts_slow else 0.0)
        if len(self.slows) and not self.starts_slow:
            first, below = self.contact(headings, self.slows)
            slowed = below.any(axis=1) | (first.min(axis=1) < travel - TOUCH_IN)
            total = travel + self.slow_in * slowed
        allowed &= total <= limit_in
        return total, travel, allowed

    def pick(self, headings: Floats, total: Floats, allowed: Bools) -> int | None:
        """The allowed pivot of least distance from which the target is in sight."""
        order = np.flatnonzero(allowed)
        order = order[np.argsort(total[order], kind="stable")]
        for start in range(0, len(order), 12):
            some = order[start : start + 12]
            seen = self.sees(headings[some])
            if seen.any():
                return int(some[np.argmax(seen)])
        return None

    def refine(
        self,
        headings: Floats,
        total: Floats,
        travel: Floats,
        allowed: Bools,
        best: int,
        limit_in: float,
    ) -> Path:
        """Push the best pivot towards better ones that are just not allowed."""
        path = Path(float(headings[best]), float(travel[best]), float(total[best]))
        change = np.flatnonzero(allowed[1:] != allowed[:-1])
        brackets = [(float(headings[i]), float(headings[i + 1])) for i in change]
        if best > 0:
            brackets.append((float(headings[best - 1]), float(headings[best])))
        if best + 1 < len(headings):
            brackets.append((float(headings[best]), float(headings[best + 1])))
        for low, high in brackets:
            for _ in range(6):
                inner = np.linspace(low, high, 14)
                whole, way, fine = self.judge(inner, limit_in)
                if whole.min() > path.total_in - REFINE_IN:
                    break
                at = self.pick(inner, whole, fine)
                if at is None:
                    break
                if whole[at] < path.total_in:
                    path = Path(float(inner[at]), float(way[at]), float(whole[at]))
                low, high = float(inner[max(at - 1, 0)]), float(inner[min(at + 1, 13)])
        return path

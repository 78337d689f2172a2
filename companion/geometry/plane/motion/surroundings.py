"""The obstacles around trays that pivot and advance: travel until contact, and overlap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.geometry.plane.motion.swing import nearest_spots
from companion.geometry.plane.solids import TOUCH_IN, strip_span
from companion.geometry.plane.trays import Bools, Floats, Ints

MANY = 1000
"""The batch size: arrays of this many contacts stay in the CPU cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """Broad phase: bounds that exclude most pivots for each obstacle."""

    toward: Floats  # (2, q, m) unit vectors to the middles of the polygons
    narrow: Floats  # (q, m) least cosine of the angle at which it can be in the path
    least: Floats  # (q, m) lower bound on the travel


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """q convex polygons around each of m movers, relative to their centres."""

    corners: Floats  # (m, q, e, 2)
    half: Floats  # (m, 2) the movers' half sizes
    spots: Floats  # (m, q, e, 2) of each side the point nearest to the centre
    distance: Floats  # (m, q)
    near: Bools  # (m, q) the pivoted tray may overlap it

    @classmethod
    def of(cls, corners: Floats, half: Floats) -> Surroundings:
        """Polygons around movers of these half sizes."""
        spots = nearest_spots(corners)
        distance = np.hypot(spots[..., 0], spots[..., 1]).min(axis=2)
        near = distance <= np.hypot(half[:, 0], half[:, 1])[:, None]
        return cls(corners, half, spots, distance, near)

    def limits(self) -> Limits:
        """The broad-phase bounds on heading and travel of each polygon."""
        corners, distance, near = self.corners, self.distance, self.near
        deep, wide = self.half[:, :1], self.half[:, 1:]
        middle = corners.mean(axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            toward = middle / np.hypot(middle[..., 0], middle[..., 1])[..., None]
            off = (corners * toward[:, :, None]).sum(axis=3)
            off = (off / np.hypot(corners[..., 0], corners[..., 1])).min(axis=2)
            spread = np.arccos(np.clip(off, -1.0, 1.0)) + np.arcsin(wide / distance)
            least = np.sqrt(distance**2 - wide**2) - deep
        narrow = np.where(near, -np.inf, np.cos(np.minimum(spread, np.pi)) - 1e-9)
        least[near], toward[near] = -1.0, 0.0
        return Limits(toward.T, narrow.T, least.T)

    def meet(
        self, rows: Ints, headings: Floats, chosen: slice, limits: Limits, before: Floats
    ) -> tuple[Floats, Bools]:
        """Travel (q, r, h) until movers meet polygons after pivots (r, h), and whether on one.

        Contacts not `before` a travel (r, h) need not be found.
        """
        cos, sin = np.cos(headings), np.sin(headings)
        ahead_x, ahead_y = limits.toward[:, chosen, rows, None]
        may = ahead_x * cos + ahead_y * sin >= limits.narrow[chosen, rows, None]
        may &= limits.least[chosen, rows, None] < before
        travel, under = np.full(may.shape, np.inf), np.zeros(may.shape, dtype=bool)
        # corners come first in memory: reductions run along them
        spots = np.ascontiguousarray(self.corners[rows, chosen].T)  # (2, e, q, r)
        spots, half = spots.reshape(*spots.shape[:2], -1), self.half[rows].T.copy()
        count, tries = headings.shape
        for flat in batches(np.flatnonzero(may)):
            pivot, pair = flat % headings.size, flat // tries
            found = meeting(
                spots.take(pair, axis=2),
                cos.take(pivot),
                sin.take(pivot),
                half.take(pair % count, axis=1),
            )
            travel.reshape(-1)[flat], under.reshape(-1)[flat] = found
        return travel, under

    def at_once(self, headings: Floats) -> int:
        """The number of movers whose contacts at these pivots (r, h) fit into one batch."""
        return max(MANY // (self.corners.shape[1] * headings.shape[1]), 1)

    def meet_all(self, rows: Ints, headings: Floats) -> tuple[Floats, Bools]:
        """`meet` with all polygons, without the broad phase."""
        spots, half = np.ascontiguousarray(self.corners[rows].T)[..., None], self.half[rows].T
        cos, sin, step = np.cos(headings), np.sin(headings), self.at_once(headings)
        strokes = [slice(start, start + step) for start in range(0, len(rows), step)]
        told = [
            meeting(spots[:, :, :, some], cos[some], sin[some], half[:, some, None])
            for some in strokes
        ]
        if len(told) == 1:
            return told[0]
        travel, under = zip(*told, strict=True)
        return np.concatenate(travel, axis=1), np.concatenate(under, axis=1)


def meeting(spots: Floats, cos: Floats, sin: Floats, half: Floats) -> tuple[Floats, Bools]:
    """Travel until trays facing (cos, sin) meet polygons (2, e, …), and whether they overlap.

    The points are relative to the trays' centres, `half` (2, …) are the trays' half sizes.
    """
    (x, y), (deep, wide) = spots, half
    across = wide - TOUCH_IN
    least, most = strip_span(x * cos + y * sin, y * cos - x * sin, -across, across)
    ahead = least >= deep - TOUCH_IN
    behind = most <= -deep + TOUCH_IN
    return np.where(ahead, np.maximum(least - deep, 0.0), np.inf), ~(behind | ahead)


def batches(index: Ints) -> Iterator[Ints]:
    """The indices in batches."""
    for start in range(0, len(index), MANY):
        yield index[start : start + MANY]

"""The obstacles around trays that pivot and advance: travel until contact, and overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.geometry.plane.motion.swing import nearest_spots
from companion.geometry.plane.solids import TOUCH_IN, strip_span
from companion.geometry.plane.trays import Bools, Floats, Ints

MANY = 1000
"""The batch size: arrays of this many contacts stay in the CPU cache."""


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

    def meet(self, rows: Ints, headings: Floats) -> tuple[Floats, Bools]:
        """Travel (q, r, h) until movers meet polygons after pivots (r, h), and whether on one."""
        spots, half = np.ascontiguousarray(self.corners[rows].T)[..., None], self.half[rows].T
        cos, sin = np.cos(headings), np.sin(headings)
        step = max(MANY // (self.corners.shape[1] * headings.shape[1]), 1)
        batches = [slice(start, start + step) for start in range(0, len(rows), step)]
        found = [
            meeting(spots[:, :, :, some], cos[some], sin[some], half[:, some, None])
            for some in batches
        ]
        travel, under = zip(*found, strict=True)
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

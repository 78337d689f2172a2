"""All trays of a table as arrays, so that all pairs are measured in one vectorised pass.

A tray's own frame has its origin at the centre, u forward and v left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models import Unit

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]

WAYS = ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))
"""Corners in a tray's frame: front left, rear left, rear right, front right."""
SIGNS = np.array(WAYS)


@dataclass(frozen=True, slots=True, eq=False)
class Trays:
    """Centres, facings, half sizes and arc tangents of n trays, and derived values."""

    centre: Floats  # (n, 2)
    forward: Floats  # (n, 2) unit vectors
    half: Floats  # (n, 2): half depth, half width
    tan_arc: Floats  # (n,)
    corners: Floats  # (n, 4, 2)
    spread: Floats  # (n,) one sigma of a corner's position, inches
    turn: Floats  # (n,) one sigma of the heading, radians

    @classmethod
    def of(cls, units: Sequence[Unit], arc_deg: Sequence[float] | None = None) -> Trays:
        """The trays of these units; `arc_deg` replaces the trays' own angles."""
        count = len(units)
        rows = np.array(
            [
                (
                    unit.pose.x,
                    unit.pose.y,
                    unit.pose.heading,
                    unit.tray.depth,
                    unit.tray.width,
                    unit.tray.arc_deg,
                    unit.pose.sigma.xy_in,
                    unit.pose.sigma.heading_deg,
                )
                for unit in units
            ],
            dtype=float,
        ).reshape(count, 8)
        arcs = rows[:, 5] if arc_deg is None else np.asarray(arc_deg, dtype=float)
        return cls.placed(
            rows[:, :2],
            np.radians(rows[:, 2]),
            rows[:, 3:5] / 2,
            np.tan(np.radians(arcs)),
            rows[:, 6],
            np.radians(rows[:, 7]),
        )

    @classmethod
    def placed(
        cls,
        centre: Floats,
        heading_rad: Floats,
        half: Floats,
        tan_arc: Floats,
        sigma_xy: Floats,
        turn: Floats,
    ) -> Trays:
        """Trays at these positions, with all derived values."""
        forward = joined(np.cos(heading_rad), np.sin(heading_rad))
        spread = np.hypot(sigma_xy, turn * np.hypot(half[:, 0], half[:, 1]))
        return cls(centre, forward, half, tan_arc, corners_at(centre, forward, half), spread, turn)

    def __len__(self) -> int:
        return len(self.centre)

    @property
    def left(self) -> Floats:
        """Unit vectors to the left."""
        return joined(-self.forward[:, 1], self.forward[:, 0])

    @property
    def arrow(self) -> Floats:
        """The front arrows: the middle of each front edge (TMG-RNG-9)."""
        return self.centre + self.forward * self.half[:, :1]

    @property
    def exact(self) -> bool:
        """Whether every pose is exact."""
        return not (self.spread.any() or self.turn.any())


def corners_at(centre: Floats, forward: Floats, half: Floats) -> Floats:
    """Corners (…, 4, 2) of rectangles with these centres, facings and half sizes."""
    u = SIGNS[:, 0] * half[..., :1]
    v = SIGNS[:, 1] * half[..., 1:]
    return out_of_frame(centre, forward, joined(u, v))


def into_frame(centre: Floats, forward: Floats, points: Floats) -> Floats:
    """Points (…, k, 2) in the frames with origin `centre` (…, 2) and x axis `forward` (…, 2)."""
    x = points[..., 0] - centre[..., :1]
    y = points[..., 1] - centre[..., 1:]
    c, s = forward[..., :1], forward[..., 1:]
    return joined(x * c + y * s, y * c - x * s)


def out_of_frame(centre: Floats, forward: Floats, points: Floats) -> Floats:
    """Frame points (…, k, 2) in table coordinates."""
    u, v = points[..., 0], points[..., 1]
    c, s = forward[..., :1], forward[..., 1:]
    return joined(centre[..., :1] + u * c - v * s, centre[..., 1:] + u * s + v * c)


def joined(x: Floats, y: Floats) -> Floats:
    """Points (…, 2) from two coordinates; three times as fast as np.stack."""
    points = np.empty((*x.shape, 2))
    points[..., 0] = x
    points[..., 1] = y
    return points


def following(points: Floats) -> Floats:
    """The next corner of each corner of polygons (…, e, 2)."""
    return np.concatenate([points[..., 1:, :], points[..., :1, :]], axis=-2)


def distance_in_frame(points: Floats, half: Floats) -> Floats:
    """The distance of frame points (…, 2) from the rectangle with half sizes (…, 2)."""
    over = np.maximum(np.abs(points) - half, 0.0)
    return np.hypot(over[..., 0], over[..., 1])


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Measurements of all ordered pairs of trays: row = viewer, column = the other tray."""

    corners: Floats  # (n, n, 4, 2): corners of column j in the frame of row i
    gap: Floats  # (n, n) shortest distance tray to tray
    range: Floats  # (n, n) front arrow of row i to the nearest point of tray j
    away: Floats  # (n, n) centre of row i to the nearest point of tray j
    overlap: Bools  # (n, n)


def measure(trays: Trays) -> Pairs:
    """Gaps, ranges and relative corners of all pairs."""
    spots = np.empty((len(trays), 6, 2))
    spots[:, :4], spots[:, 4], spots[:, 5] = trays.corners, trays.arrow, trays.centre
    local = into_frame(trays.centre[:, None], trays.forward[:, None], spots[None])
    half = trays.half[:, None]
    distance, corners = distance_in_frame(local, half[:, None]), local[:, :, :4]
    beyond = (corners.min(axis=2) >= half) | (corners.max(axis=2) <= -half)
    apart, near = beyond.any(axis=2), distance[..., :4].min(axis=2)
    overlap = ~(apart | apart.T)
    return Pairs(
        corners,
        np.where(overlap, 0.0, np.minimum(near, near.T)),
        np.ascontiguousarray(distance[..., 4].T),
        np.ascontiguousarray(distance[..., 5].T),
        overlap,
    )

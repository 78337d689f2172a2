"""Trays and terrain parts together as convex polygons: whatever a moving tray can run into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.geometry.trays import Bools, Floats, Trays, into_frame
from companion.geometry.walls import Walls

TOUCH_IN = 1e-9
"""Solids that only touch do not meet; this is floating point's share."""


@dataclass(frozen=True, slots=True)
class Solids:
    """The n trays of a table first, then the p terrain parts; corners run counter-clockwise."""

    corners: Floats  # (q, e, 2)
    normal: Floats  # (q, e, 2) inward
    offset: Floats  # (q, e)
    trays: int

    @classmethod
    def of(cls, trays: Trays, walls: Walls, ease: Floats | float = 0.0) -> Solids:
        """Everything solid, each tray shrunk by its `ease` (grown where negative)."""
        half = np.maximum(trays.half - np.broadcast_to(ease, (len(trays),))[:, None], 1e-6)
        forward, left = trays.forward, trays.left
        inward = np.stack([-forward, forward, -left, left], axis=1)
        sizes = np.stack([half[:, 0], half[:, 0], half[:, 1], half[:, 1]], axis=1)
        offset = np.einsum("ned,nd->ne", inward, trays.centre) - sizes
        sides = max(4, walls.corners.shape[1] if len(walls) else 4)
        signs = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
        corners = (
            trays.centre[:, None]
            + (signs[:, 0] * half[:, :1])[..., None] * forward[:, None]
            + (signs[:, 1] * half[:, 1:])[..., None] * left[:, None]
        )
        return cls(
            np.concatenate([padded(corners, sides), padded(walls.corners, sides)]),
            np.concatenate([padded(inward, sides), padded(walls.normal, sides)]),
            np.concatenate([padded(offset, sides), padded(walls.offset, sides)]),
            len(trays),
        )

    def __len__(self) -> int:
        return len(self.corners)

    def meet(self, centre: Floats, forward: Floats, half: Floats) -> Bools:
        """Whether rectangles (m) share inner points with each solid: (m, q)."""
        count, total = len(centre), len(self)
        if not count or not total:
            return np.zeros((count, total), dtype=bool)
        flat = np.broadcast_to(self.corners.reshape(1, -1, 2), (count, self.offset.size, 2))
        local = into_frame(centre, forward, flat).reshape(count, total, -1, 2)
        limit = half[:, None, :] - TOUCH_IN
        apart = ((local.min(axis=2) >= limit) | (local.max(axis=2) <= -limit)).any(axis=2)
        left = np.stack([-forward[:, 1], forward[:, 0]], axis=-1)
        normals = self.normal.reshape(-1, 2).T
        deepest = (
            centre @ normals
            + np.abs(forward @ normals) * half[:, :1]
            + np.abs(left @ normals) * half[:, 1:]
        ).reshape(count, total, -1)
        apart |= (deepest <= self.offset + TOUCH_IN).any(axis=2)
        return ~apart


def padded(rows: Floats, sides: int) -> Floats:
    """Rows (q, k, …) with their last entry repeated up to `sides`."""
    lack = sides - rows.shape[1]
    if lack <= 0 or not len(rows):
        return rows if len(rows) else np.zeros((0, sides, *rows.shape[2:]))
    return np.concatenate([rows, np.repeat(rows[:, -1:], lack, axis=1)], axis=1)


def strip_span(along: Floats, across: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """What polygons span along a strip: from corners (e, …) along it and across it.

    Returns the least and greatest coordinate along of the part where low < across < high;
    (inf, -inf) where nothing lies inside.
    """
    step_along = np.concatenate([along[1:], along[:1]]) - along
    step = np.concatenate([across[1:], across[:1]]) - across
    with np.errstate(divide="ignore", invalid="ignore"):
        first = (low - across) / step
        second = (high - across) / step
        enter = np.maximum(np.minimum(first, second), 0.0)
        leave = np.minimum(np.maximum(first, second), 1.0)
        # NaN where a side runs along the strip's edge: its neighbours decide
        inside = enter < leave
        one, two = along + enter * step_along, along + leave * step_along
    least = np.where(inside, np.minimum(one, two), np.inf).min(axis=0)
    most = np.where(inside, np.maximum(one, two), -np.inf).max(axis=0)
    return least, most

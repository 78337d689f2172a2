"""Trays and terrain parts together as convex polygons: everything a moving tray can run into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.geometry.plane.trays import Bools, Floats, Trays, corners_at, joined
from companion.geometry.plane.walls import Walls

TOUCH_IN = 1e-9
"""Solids that only touch do not overlap; this is the tolerance for rounding errors."""


@dataclass(frozen=True, slots=True, eq=False)
class Solids:
    """The n trays of a table first, then the p terrain parts; corners run counter-clockwise."""

    corners: Floats  # (q, e, 2)
    normal: Floats  # (q, e, 2) inward
    offset: Floats  # (q, e)
    trays: int

    @classmethod
    def of(cls, trays: Trays, walls: Walls, ease: Floats | float = 0.0) -> Solids:
        """All solids, each tray shrunk by its `ease` (grown where negative)."""
        half = np.maximum(trays.half - np.reshape(ease, (-1, 1)), 1e-6)
        corners, inward, offset = tray_sides(trays, half)
        sides = max(4, walls.corners.shape[1] if len(walls) else 4)
        return cls(
            np.concatenate([padded(corners, sides), padded(walls.corners, sides)]),
            np.concatenate([padded(inward, sides), padded(walls.normal, sides)]),
            np.concatenate([padded(offset, sides), padded(walls.offset, sides)]),
            len(trays),
        )

    def __len__(self) -> int:
        return len(self.corners)

    @property
    def parts(self) -> Solids:
        """The terrain parts alone."""
        some = slice(self.trays, None)
        return Solids(self.corners[some], self.normal[some], self.offset[some], 0)

    def meet(self, centre: Floats, forward: Floats, half: Floats) -> Bools:
        """Whether the interiors of m rectangles overlap each solid: (m, q)."""
        if not len(centre) or not len(self):
            return np.zeros((len(centre), len(self)), dtype=bool)
        shape = (len(centre), self.offset.shape[1], len(self))  # corners before solids
        left = joined(-forward[:, 1], forward[:, 0])
        corners = self.corners.transpose(2, 1, 0).reshape(2, -1)
        normals = self.normal.transpose(2, 1, 0).reshape(2, -1)
        apart = np.zeros((len(centre), len(self)), dtype=bool)
        reach = centre @ normals - self.offset.T.reshape(-1)
        for axis, size in ((forward, half[:, :1]), (left, half[:, 1:])):
            along = (axis @ corners - (axis * centre).sum(axis=1)[:, None]).reshape(shape)
            limit = size - TOUCH_IN
            apart |= (along.min(axis=1) >= limit) | (along.max(axis=1) <= -limit)
            reach += np.abs(axis @ normals) * size
        return ~(apart | (reach.reshape(shape).min(axis=1) <= TOUCH_IN))


def tray_sides(trays: Trays, half: Floats) -> tuple[Floats, Floats, Floats]:
    """Corners, inward normals and offsets of the sides of trays of these half sizes."""
    inward = np.empty((len(trays), 4, 2))
    inward[:, 1], inward[:, 3] = trays.forward, trays.left
    inward[:, (0, 2)] = -inward[:, (1, 3)]
    offset = (inward * trays.centre[:, None]).sum(axis=2) - half.repeat(2, axis=1)
    return corners_at(trays.centre, trays.forward, half), inward, offset


def padded(rows: Floats, sides: int) -> Floats:
    """Rows (q, k, …) with their last entry repeated up to `sides`."""
    lack = sides - rows.shape[1]
    if lack <= 0 or not len(rows):
        return rows if len(rows) else np.zeros((0, sides, *rows.shape[2:]))
    return np.concatenate([rows, np.repeat(rows[:, -1:], lack, axis=1)], axis=1)


def strip_span(along: Floats, across: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The extent of polygons along a strip, from their corners (e, …) along it and across it.

    Returns the least and greatest coordinate along of the part where low < across < high; (inf,
    -inf) where nothing lies inside.
    """
    step_along, step = np.empty_like(along), np.empty_like(across)
    np.subtract(along[1:], along[:-1], out=step_along[:-1])
    np.subtract(along[0], along[-1], out=step_along[-1])
    np.subtract(across[1:], across[:-1], out=step[:-1])
    np.subtract(across[0], across[-1], out=step[-1])
    with np.errstate(divide="ignore", invalid="ignore"):
        first = (low - across) / step
        second = (high - across) / step
        enter = np.maximum(np.minimum(first, second), 0.0)
        leave = np.minimum(np.maximum(first, second), 1.0)
        # NaN where a side is parallel to the strip and on its border: its neighbours decide
        outside = ~(enter < leave)
        one, two = along + enter * step_along, along + leave * step_along
    least, most = np.minimum(one, two), np.maximum(one, two)
    np.copyto(least, np.inf, where=outside)
    np.copyto(most, -np.inf, where=outside)
    return np.minimum.reduce(least), np.maximum.reduce(most)

"""Label placement: each label takes the position where it covers least, never another label."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.overlay.view_frame import BoundingBox, PointPx

CELL_PX = 4
PER_PX, PER_RANK = 0.35, 3.0
"""The cost of a pixel away from its spot, and of each spot further down the list."""

TAKEN = 1e6
"""The cost per cell of covering another label; figures cost their weight."""


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """A label's size and its preferred positions, best first.

    One that `stays` takes one of them if it can; another may also be moved aside, as a leader line
    will show where it belongs.
    """

    width: float
    height: float
    spots: tuple[PointPx, ...]
    stays: bool = False


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """Where a label was placed, and the spot it belongs to."""

    box: BoundingBox
    spot: PointPx


class LabelSpace:
    """The picture as a grid of cells, each with the cost of writing over it."""

    def __init__(self, bounds: BoundingBox) -> None:
        self.bounds = bounds
        columns = math.ceil((bounds.right - bounds.left) / CELL_PX)
        rows = math.ceil((bounds.bottom - bounds.top) / CELL_PX)
        self.weights: NDArray[np.float64] = np.zeros((max(rows, 1), max(columns, 1)))
        self._summed: NDArray[np.float64] | None = None
        self._taken: list[NDArray[np.int64]] = []

    def add(self, weights: NDArray[Any]) -> None:
        """Add to the cells' costs; the array has one number per cell."""
        self.weights += weights
        self._summed = None

    def take(self, box: BoundingBox) -> None:
        """Reserve a box for a label."""
        sides = np.array([[box.left, box.top, box.right, box.bottom]])
        self._taken.append(self._cells(sides)[:, 0])

    def _cells(self, boxes: NDArray[np.float64]) -> NDArray[np.int64]:
        """First and last row and column of boxes given as left, top, right, bottom."""
        rows, columns = self.weights.shape
        left = np.floor((boxes[:, 0] - self.bounds.left) / CELL_PX)
        top = np.floor((boxes[:, 1] - self.bounds.top) / CELL_PX)
        right = np.ceil((boxes[:, 2] - self.bounds.left) / CELL_PX)
        bottom = np.ceil((boxes[:, 3] - self.bounds.top) / CELL_PX)
        cells = np.stack(
            [
                np.clip(top, 0, rows),
                np.clip(bottom, 0, rows),
                np.clip(left, 0, columns),
                np.clip(right, 0, columns),
            ]
        )
        return cells.astype(np.int64)

    def costs(self, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """The cost of what each box would cover, from a summed-area table."""
        summed = self._sums()
        top, bottom, left, right = self._cells(boxes)
        covered: NDArray[np.float64] = (
            summed[bottom, right] - summed[top, right] - summed[bottom, left] + summed[top, left]
        )
        if self._taken:
            tops, bottoms, lefts, rights = np.array(self._taken).T[:, :, None]
            high = np.minimum(bottom, bottoms) - np.maximum(top, tops)
            wide = np.minimum(right, rights) - np.maximum(left, lefts)
            covered += TAKEN * (np.maximum(high, 0) * np.maximum(wide, 0)).sum(axis=0)
        return covered

    def _sums(self) -> NDArray[np.float64]:
        if self._summed is None:
            self._summed = np.zeros((self.weights.shape[0] + 1, self.weights.shape[1] + 1))
            self._summed[1:, 1:] = self.weights.cumsum(0).cumsum(1)
        return self._summed


def place(room: LabelSpace, wanted: Sequence[LabelRequest]) -> list[PlacedLabel]:
    """Place every label in the given order, and reserve its box."""
    found: list[PlacedLabel] = []
    for label in wanted:
        placed, cost = cheapest(room, label, nearby(label))
        if cost >= TAKEN:  # no room nearby: find the nearest free position anywhere
            placed, _ = cheapest(room, label, anywhere(room, label))
        room.take(placed.box)
        found.append(placed)
    return found


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidate centres for a label, the index of the spot each belongs to, and their costs."""

    centres: NDArray[np.float64]  # (n, 2)
    spots: NDArray[np.intp]  # (n,)
    costs: NDArray[np.float64]  # (n,)


def cheapest(
    room: LabelSpace, label: LabelRequest, candidates: Candidates
) -> tuple[PlacedLabel, float]:
    """The best of the candidates, moved inside the bounds, and its cost."""
    bounds = room.bounds
    half = np.array([label.width, label.height]) / 2
    low = np.array([bounds.left, bounds.top]) + half
    high = np.maximum(np.array([bounds.right, bounds.bottom]) - half, low)
    centres = np.clip(candidates.centres, low, high)
    costs = room.costs(np.hstack([centres - half, centres + half])) + candidates.costs
    best = int(np.argmin(costs.round(6)))
    x, y = centres[best].tolist()
    spot = label.spots[int(candidates.spots[best])]
    return PlacedLabel(BoundingBox.around((x, y), label.width, label.height), spot), float(
        costs[best]
    )


def nearby(label: LabelRequest) -> Candidates:
    """The label's spots and, unless it stays, offsets from them."""
    steps = np.zeros((1, 2)) if label.stays else asides(label.width, label.height)
    spots = np.array(label.spots, dtype=float)
    rank = np.repeat(np.arange(len(spots)), len(steps))
    away = np.tile(np.hypot(steps[:, 0], steps[:, 1]), len(spots))
    centres = (spots[:, None, :] + steps[None, :, :]).reshape(-1, 2)
    return Candidates(centres, rank, PER_RANK * rank + PER_PX * away)


def asides(width: float, height: float) -> NDArray[np.float64]:
    """Offsets from a spot in widening rings, the spot itself first."""
    rings = np.array([0.5, 0.85, 1.3, 2.0, 3.0])[:, None]
    turns = np.radians(30.0 * np.arange(12))[None, :]
    dx = rings * np.cos(turns) * (0.55 * width + 0.45 * height)
    dy = rings * np.sin(turns) * 1.6 * height
    return np.vstack([np.zeros((1, 2)), np.stack([dx.ravel(), dy.ravel()], axis=1)])


def anywhere(room: LabelSpace, label: LabelRequest) -> Candidates:
    """A grid over the whole picture; cost increases with the distance from the first spot."""
    bounds = room.bounds
    x, y = np.meshgrid(
        np.arange(bounds.left, bounds.right, label.width / 3),
        np.arange(bounds.top, bounds.bottom, label.height / 2),
    )
    centres = np.stack([x.ravel(), y.ravel()], axis=1)
    away = np.hypot(*(centres - np.array(label.spots[0])).T)
    return Candidates(centres, np.zeros(len(centres), dtype=np.intp), PER_PX * away)

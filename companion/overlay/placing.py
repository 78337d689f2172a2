"""Where words go: each label takes the place where it covers least, and never another label."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PointPx = tuple[float, float]

CELL_PX = 4
TAKEN = 1000.0
"""What covering other words costs per cell; what covering a figure costs is told by its weight."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle of the picture in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, centre: PointPx, width: float, height: float) -> Box:
        """The box of that size about a point."""
        x, y = centre
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def centre(self) -> PointPx:
        """Its middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def within(self, bounds: Box) -> Box:
        """The same box pushed back into the bounds."""
        dx = max(bounds.left - self.left, 0.0) or min(bounds.right - self.right, 0.0)
        dy = max(bounds.top - self.top, 0.0) or min(bounds.bottom - self.bottom, 0.0)
        return Box(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def overlaps(self, other: Box) -> bool:
        """Whether the two share more than a border."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def distance(self, point: PointPx) -> float:
        """From the box to a point; 0 inside."""
        x, y = point
        return math.hypot(
            max(self.left - x, 0.0, x - self.right), max(self.top - y, 0.0, y - self.bottom)
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """A label's size and the spots it would like, best first.

    One that `stays` takes the best of its spots; another may step aside from them, for a leader
    will show where it belongs.
    """

    width: float
    height: float
    spots: tuple[PointPx, ...]
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a label went, and the spot it belongs to."""

    box: Box
    spot: PointPx


class Room:
    """The picture as a grid of cells, each with what it costs to write over it."""

    def __init__(self, bounds: Box) -> None:
        self.bounds = bounds
        columns = math.ceil((bounds.right - bounds.left) / CELL_PX)
        rows = math.ceil((bounds.bottom - bounds.top) / CELL_PX)
        self.weights: NDArray[np.float64] = np.zeros((max(rows, 1), max(columns, 1)))

    def add(self, weights: NDArray[Any]) -> None:
        """Make cells dearer; the array has one number per cell."""
        self.weights += weights

    def take(self, box: Box) -> None:
        """Reserve a box for words."""
        top, bottom, left, right = self._cells(
            np.array([[box.left, box.top, box.right, box.bottom]])
        )[:, 0]
        self.weights[top:bottom, left:right] += TAKEN

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
        """What each box would cover."""
        summed = np.zeros((self.weights.shape[0] + 1, self.weights.shape[1] + 1))
        summed[1:, 1:] = self.weights.cumsum(0).cumsum(1)
        top, bottom, left, right = self._cells(boxes)
        covered: NDArray[np.float64] = (
            summed[bottom, right] - summed[top, right] - summed[bottom, left] + summed[top, left]
        )
        return covered


def place(room: Room, wanted: Sequence[Wanted]) -> list[Placed]:
    """Give every label its place, in the order given, and reserve it."""
    found: list[Placed] = []
    for label in wanted:
        candidates = [
            (spot, Box.around((spot[0] + dx, spot[1] + dy), label.width, label.height), rank, step)
            for rank, spot in enumerate(label.spots)
            for dx, dy, step in (STAY if label.stays else offsets(label.width, label.height))
        ]
        boxes = [box.within(room.bounds) for _, box, _, _ in candidates]
        covered = room.costs(np.array([[b.left, b.top, b.right, b.bottom] for b in boxes]))
        # A spot further down the list, or a step aside, costs as much as covering a little.
        extra = np.array([3.0 * rank + 0.35 * step for _, _, rank, step in candidates])
        best = int(np.argmin(covered + extra))
        room.take(boxes[best])
        found.append(Placed(boxes[best], candidates[best][0]))
    return found


STAY = [(0.0, 0.0, 0.0)]


def offsets(width: float, height: float) -> list[tuple[float, float, float]]:
    """Steps aside from a spot, nearest first: dx, dy, and how far in pixels."""
    steps = [*STAY]
    for ring in (0.5, 0.85, 1.3, 2.0, 3.0):
        for turn in range(12):
            angle = math.radians(30 * turn)
            dx = math.cos(angle) * ring * (width * 0.55 + height * 0.45)
            dy = math.sin(angle) * ring * height * 1.6
            steps.append((dx, dy, math.hypot(dx, dy)))
    return steps

"""Marks as triangles for a graphics card: vertices with their colours, and words beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.app.ink import Fill, Mark, Ring, Stroke, Words

Floats32 = NDArray[np.float32]
Shorts = NDArray[np.uint16]
Triangulate = Callable[[Sequence[Ring]], tuple[Sequence[tuple[float, float]], Sequence[int]]]
"""Rings (even-odd) as points and the corners of triangles among them."""

MOST = 60_000
"""A card counts vertices in 16 bits."""
SOFT_PX = 0.6
"""How far a stroke's edge fades: smooth lines without a smoother."""
LONGEST_MITER = 2.5


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Vertices (x, y, red, green, blue, opacity) and the corners of the triangles among them."""

    vertices: Floats32
    indices: Shorts


@dataclass(frozen=True, slots=True, eq=False)
class Sheaf:
    """A whole picture: batches in drawing order, then words."""

    batches: tuple[Batch, ...]
    words: tuple[Words, ...]
    size: tuple[float, float]


def sheaf(marks: Iterable[Mark], size: tuple[float, float], triangulate: Triangulate) -> Sheaf:
    """All marks, ready for the card; y turned upwards as cards count."""
    high = size[1]
    binder = Binder()
    words: list[Words] = []
    for mark in marks:
        match mark:
            case Fill():
                rings = [tuple((x, high - y) for x, y in ring) for ring in mark.rings]
                binder.fill(rings, mark.colour, triangulate)
            case Stroke():
                points = np.asarray(mark.points, dtype=np.float32) * (1, -1) + (0, high)
                binder.stroke(points.astype(np.float32), mark.width, mark.colour)
            case Words():
                words.append(mark)
    return Sheaf(binder.done(), tuple(words), size)


class Binder:
    """Collects triangles into batches of a size that cards take."""

    def __init__(self) -> None:
        self.batches: list[Batch] = []
        self.vertices: list[Floats32] = []
        self.indices: list[NDArray[np.int64]] = []
        self.count = 0

    def add(self, points: Floats32, colours: Floats32, indices: NDArray[np.int64]) -> None:
        """One more piece."""
        if self.count + len(points) > MOST:
            self.close()
        self.vertices.append(np.hstack([points, colours]).astype(np.float32))
        self.indices.append(indices + self.count)
        self.count += len(points)

    def close(self) -> None:
        """End a batch."""
        if self.count:
            indices = np.concatenate(self.indices).astype(np.uint16)
            self.batches.append(Batch(np.concatenate(self.vertices), indices))
        self.vertices, self.indices, self.count = [], [], 0

    def done(self) -> tuple[Batch, ...]:
        """Every batch."""
        self.close()
        return tuple(self.batches)

    def fill(
        self,
        rings: Sequence[Ring],
        colour: tuple[float, float, float, float],
        triangulate: Triangulate,
    ) -> None:
        """A filled piece; a convex ring needs no triangulation."""
        if len(rings) == 1 and convex(rings[0]):
            points = np.asarray(rings[0], dtype=np.float32)
            last = np.arange(1, len(points) - 1)
            indices = np.stack([np.zeros_like(last), last, last + 1], axis=1).ravel()
        else:
            found, corners = triangulate(rings)
            points = np.asarray(found, dtype=np.float32).reshape(-1, 2)
            indices = np.asarray(corners, dtype=np.int64)
        if len(points) < 3 or len(points) > MOST:
            return
        colours = np.broadcast_to(np.asarray(colour, dtype=np.float32), (len(points), 4))
        self.add(points, colours.astype(np.float32), indices.astype(np.int64))

    def stroke(
        self, points: Floats32, width: float, colour: tuple[float, float, float, float]
    ) -> None:
        """A line as a band with soft edges and mitred corners."""
        keep = np.ones(len(points), dtype=bool)
        keep[1:] = np.abs(np.diff(points, axis=0)).max(axis=1) > 1e-3
        points = points[keep]
        if len(points) < 2:
            return
        closed = len(points) > 3 and bool(np.abs(points[0] - points[-1]).max() < 1e-3)
        steps = np.diff(points, axis=0)
        steps /= np.linalg.norm(steps, axis=1, keepdims=True)
        normals = np.stack([-steps[:, 1], steps[:, 0]], axis=1)
        before = np.vstack([normals[-1:] if closed else normals[:1], normals])
        after = np.vstack([normals, normals[:1] if closed else normals[-1:]])
        aside = before + after
        length = np.linalg.norm(aside, axis=1, keepdims=True)
        aside = np.where(length > 1e-3, aside / np.maximum(length, 1e-3), before)
        # A corner's band must be wider along the bisector, but no spike may grow.
        stretch = 1.0 / np.maximum(np.sum(aside * after, axis=1, keepdims=True), 1 / LONGEST_MITER)
        half = max(width, 1.0) / 2
        faint = min(1.0, max(width, 0.35))
        offsets = np.array(
            [-half - SOFT_PX, -half + SOFT_PX / 2, half - SOFT_PX / 2, half + SOFT_PX]
        )
        offsets[1], offsets[2] = min(offsets[1], 0.0), max(offsets[2], 0.0)
        rows = points[:, None, :] + offsets[None, :, None] * (aside * stretch)[:, None, :]
        shades = np.tile(np.asarray(colour, dtype=np.float32), (4, 1))
        shades[:, 3] *= np.array([0.0, faint, faint, 0.0], dtype=np.float32)
        colours = np.tile(shades, (len(points), 1))
        first = 4 * np.arange(len(points) - 1)[:, None] + np.arange(3)[None, :]
        base = first.ravel()
        quads = np.stack([base, base + 1, base + 4, base + 1, base + 5, base + 4], axis=1)
        self.add(rows.reshape(-1, 2).astype(np.float32), colours, quads.ravel().astype(np.int64))


def convex(ring: Ring) -> bool:
    """Whether every corner turns the same way."""
    points = np.asarray(ring, dtype=np.float64)
    steps = np.roll(points, -1, axis=0) - points
    after = np.roll(steps, -1, axis=0)
    turns = steps[:, 0] * after[:, 1] - steps[:, 1] * after[:, 0]
    if not ((turns >= -1e-6).all() or (turns <= 1e-6).all()):
        return False
    # A star turns one way too, but more than once around.
    angles = np.arctan2(turns, np.sum(steps * after, axis=1))
    return bool(abs(abs(angles.sum()) - 2 * np.pi) < 0.1)

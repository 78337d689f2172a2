"""Turns marks into vertex batches: coloured triangles for the graphics card, and text beside them.

All strokes are computed in one array operation, and all convex fills: a scene has hundreds, and the
player is waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray

from companion.engine.drawing.display_list import (
    DisplayItem,
    Figure,
    Fill,
    Mark,
    Ring,
    Stroke,
    TextMark,
)
from companion.overlay.shapes import Shape

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int64]
Shorts = NDArray[np.uint16]
Bools = NDArray[np.bool_]
Triangulate = Callable[[tuple[Ring, ...]], tuple[Floats32, Ints]]
"""Triangulates rings (even-odd rule) into points and triangles as indices of them."""

MOST = 60_000
"""The limit of vertices in a batch, whose indices are 16-bit."""
SOFT_PX = 0.6
"""The width over which a stroke's edge fades, which replaces antialiasing."""
STRAIGHT_PX = 0.25
"""A vertex this close to the line between its neighbours is invisible and left out."""
INSIDE = (0.0, 1000.0)
"""The edge distance of fills: far from any edge, so that nothing fades."""
LONGEST_MITER = 2.5


@dataclass(frozen=True, slots=True, eq=False)
class VertexBatch:
    """Vertices, and triangles as indices of them.

    A vertex is x, y; red, green, blue, opacity; its distance from the line's centre, and the line's
    half width.
    """

    vertices: Floats32
    indices: Shorts


@dataclass(frozen=True, slots=True, eq=False)
class VertexBatches:
    """A complete overlay: batches in drawing order, then text."""

    batches: tuple[VertexBatch, ...]
    words: tuple[TextMark, ...]
    size: tuple[float, float]


NOTHING = DisplayItem(np.zeros((0, 8), np.float32), np.zeros(0, np.int64))


def build_batches(
    marks: Iterable[Mark],
    size: tuple[float, float],
    triangulate: Triangulate,
    kept: MutableMapping[Shape, DisplayItem] | None = None,
) -> VertexBatches:
    """The vertex batches of these marks, with y up as OpenGL has it.

    The triangles of whole figures are stored in `kept`, a cache for the next overlay that shows
    them.
    """
    fills: list[Fill] = []
    strokes: list[Stroke] = []
    words: list[TextMark] = []
    order: list[Fill | Stroke | Figure | DisplayItem] = []
    for mark in marks:
        for one in mark.marks if isinstance(mark, Figure) else (mark,):
            if isinstance(one, Fill):
                fills.append(one)
            elif isinstance(one, Stroke):
                strokes.append(one)
        if isinstance(mark, TextMark):
            words.append(mark)
        else:
            order.append(mark)
    filled, drawn = iter(triangulated(fills, triangulate)), iter(bands(strokes))
    pieces: list[DisplayItem] = []
    for mark in order:
        match mark:
            case DisplayItem():
                pieces.append(mark)
            case Figure():
                own = [next(filled if isinstance(one, Fill) else drawn) for one in mark.marks]
                if kept is None or sum(len(one.vertices) for one in own) > MOST:
                    pieces += own
                else:
                    kept[mark.shape] = joined(own)
                    pieces.append(kept[mark.shape])
            case Fill():
                pieces.append(next(filled))
            case Stroke():
                pieces.append(next(drawn))
    return VertexBatches(bound(pieces, size[1]), tuple(words), size)


def joined(pieces: Sequence[DisplayItem]) -> DisplayItem:
    """Several items as one, in arrays of its own."""
    pieces = [piece for piece in pieces if len(piece.vertices) >= 3]
    if not pieces:
        return NOTHING
    indices, count = [], 0
    for piece in pieces:
        indices.append(piece.indices + count)
        count += len(piece.vertices)
    return DisplayItem(
        np.concatenate([piece.vertices for piece in pieces]), np.concatenate(indices)
    )


def bound(pieces: Iterable[DisplayItem], high: float) -> tuple[VertexBatch, ...]:
    """The items in batches of a size that 16-bit indices allow, with y flipped."""
    batches: list[VertexBatch] = []
    vertices: list[Floats32] = []
    indices: list[Ints] = []
    count = 0

    def close() -> None:
        if count:
            whole = np.concatenate(vertices)
            whole[:, 1] = high - whole[:, 1]
            batches.append(VertexBatch(whole, np.concatenate(indices).astype(np.uint16)))

    for piece in pieces:
        if not 3 <= len(piece.vertices) <= MOST:
            continue
        if count + len(piece.vertices) > MOST:
            close()
            vertices, indices, count = [], [], 0
        vertices.append(piece.vertices)
        indices.append(piece.indices + count)
        count += len(piece.vertices)
    close()
    return tuple(batches)


# -- fills ----------------------------------------------------------------------------------------


def triangulated(fills: Sequence[Fill], triangulate: Triangulate) -> list[DisplayItem]:
    """The triangles of fills; convex rings are not sent to the triangulation."""
    rings = iter(plain([ring for fill in fills for ring in fill.rings]))
    thin = [[next(rings) for _ in fill.rings] for fill in fills]
    easy = convex([first for first, *_ in thin])
    found = []
    for fill, own, is_convex in zip(fills, thin, easy, strict=True):
        if is_convex and len(own) == 1:
            points = np.asarray(own[0], dtype=np.float32)
            indices = fan(len(points))
        else:
            points, indices = triangulate(tuple(own))
        vertices = np.empty((len(points), 8), np.float32)
        vertices[:, :2] = points
        vertices[:, 2:6] = fill.colour
        vertices[:, 6:] = INSIDE
        found.append(DisplayItem(vertices, indices))
    return found


def plain(rings: Sequence[Ring]) -> list[Ring]:
    """The rings without invisible vertices; small rings are not changed."""
    points, whose = thinned([(*ring, ring[0]) for ring in rings])
    ends = np.searchsorted(whose, np.arange(len(rings) + 1))
    corners = [tuple(point) for point in points.tolist()]
    found = [tuple(corners[a : b - 1]) for a, b in pairwise(ends.tolist())]
    return [new if len(new) > 3 else ring for new, ring in zip(found, rings, strict=True)]


@lru_cache(maxsize=256)
def fan(count: int) -> Ints:
    """The triangles of a convex ring."""
    last = np.arange(1, count - 1)
    return np.stack([np.zeros_like(last), last, last + 1], axis=1).ravel()


def convex(rings: Sequence[Ring]) -> list[bool]:
    if not rings:
        return []
    counts = np.array([len(ring) for ring in rings])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    points = np.asarray([point for ring in rings for point in ring], dtype=np.float64)
    after = np.arange(1, len(points) + 1)
    after[starts + counts - 1] = starts
    steps = points[after] - points
    next_steps = steps[after]
    turns = steps[:, 0] * next_steps[:, 1] - steps[:, 1] * next_steps[:, 0]
    one_way = (np.minimum.reduceat(turns, starts) >= -1e-6) | (
        np.maximum.reduceat(turns, starts) <= 1e-6
    )
    # A star's corners also turn one way only, but more than once around.
    angles = np.arctan2(turns, np.sum(steps * next_steps, axis=1))
    once = np.abs(np.abs(np.add.reduceat(angles, starts)) - 2 * np.pi) < 0.1
    return [bool(one) for one in one_way & once]


# -- strokes --------------------------------------------------------------------------------------


def bands(strokes: Sequence[Stroke]) -> list[DisplayItem]:
    """Strokes as bands of triangles with soft edges and mitred corners."""
    if not strokes:
        return []
    points, whose = thinned([stroke.points for stroke in strokes])
    counts = np.bincount(whose, minlength=len(strokes))
    firsts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    vertices = edges(points, whose, strokes, firsts, counts)
    return [
        DisplayItem(vertices[2 * first : 2 * (first + count)], ladder(count)) if count else NOTHING
        for first, count in zip(firsts.tolist(), counts.tolist(), strict=True)
    ]


def thinned(lines: Sequence[Ring]) -> tuple[Floats, Ints]:
    """The points of the lines without the invisible ones, and the line number of each."""
    whose = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    points = np.asarray([point for line in lines for point in line], dtype=np.float64)
    points = points.reshape(-1, 2)
    fresh = np.ones(len(points), dtype=bool)
    fresh[1:] = (np.abs(np.diff(points, axis=0)).max(axis=1) > 1e-3) | (whose[1:] != whose[:-1])
    points, whose = points[fresh], whose[fresh]
    counts = np.bincount(whose, minlength=len(lines))
    long_enough = counts[whose] > 1
    points, whose = points[long_enough], whose[long_enough]
    if not len(points):
        return points, whose
    kept, place = np.unique(whose, return_inverse=True)
    straight = shapely.simplify(
        shapely.linestrings(points, indices=place), STRAIGHT_PX, preserve_topology=False
    )
    points, place = shapely.get_coordinates(straight, return_index=True)
    return points, kept[place]


@lru_cache(maxsize=1024)
def ladder(count: int) -> Ints:
    """The triangles of a band along this many points, with two vertices at each."""
    base = 2 * np.arange(count - 1)
    return np.stack([base, base + 1, base + 2, base + 1, base + 3, base + 2], axis=1).ravel()


def edges(
    points: Floats, whose: Ints, strokes: Sequence[Stroke], firsts: Ints, counts: Ints
) -> Floats32:
    """The two vertices across each point; the shader fades between them towards both edges."""
    if not len(points):
        return NOTHING.vertices
    aside = bisectors(points, firsts, counts)
    widths = np.array([stroke.width for stroke in strokes])[whose]
    half = np.maximum(widths, 1.0) / 2
    offsets = np.stack([-half - SOFT_PX, half + SOFT_PX], axis=1)
    vertices = np.empty((len(points), 2, 8), np.float32)
    vertices[:, :, :2] = points[:, None, :] + offsets[:, :, None] * aside[:, None, :]
    vertices[:, :, 2:6] = np.array([stroke.colour for stroke in strokes])[whose][:, None, :]
    # A line thinner than a pixel is drawn a pixel wide with less opacity.
    vertices[:, :, 5] *= np.clip(widths, 0.35, 1.0)[:, None]
    vertices[:, :, 6] = offsets
    vertices[:, :, 7] = half[:, None]
    return vertices.reshape(-1, 8)


def bisectors(points: Floats, firsts: Ints, counts: Ints) -> Floats:
    """The sideways direction of a line at each of its points, longer where it bends."""
    there = counts > 0
    first, last = firsts[there], (firsts + counts - 1)[there]
    steps = np.diff(points, axis=0, append=points[-1:])
    steps /= np.maximum(np.hypot(steps[:, 0], steps[:, 1]), 1e-9)[:, None]
    normals = np.stack([-steps[:, 1], steps[:, 0]], axis=1)
    closed = (last - first > 2) & (np.abs(points[first] - points[last]).max(axis=1) < 1e-3)
    after = normals
    after[last] = np.where(closed[:, None], normals[first], normals[last - 1])
    before = np.roll(normals, 1, axis=0)
    before[first] = np.where(closed[:, None], normals[last - 1], normals[first])
    aside = before + after
    length = np.hypot(aside[:, 0], aside[:, 1])[:, None]
    aside = np.where(length > 1e-3, aside / np.maximum(length, 1e-3), before)
    # At a corner the band must be wider along the bisector, but with a limit against spikes.
    across = np.sum(aside * after, axis=1, keepdims=True)
    stretched: Floats = aside / np.maximum(across, 1 / LONGEST_MITER)
    return stretched

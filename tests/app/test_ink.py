"""Scenes as marks and triangles, without a window."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import shapely

from companion import games
from companion.app.ink import Fill, Ink, Ring, Stroke, Words, map_ink
from companion.app.sheaf import Binder, convex, sheaf
from models import Table
from models.catalogue import DATA


def triangulate(rings: Sequence[Ring]) -> tuple[list[tuple[float, float]], list[int]]:
    """Another way than the app's."""
    points: list[tuple[float, float]] = []
    for piece in shapely.constrained_delaunay_triangles(shapely.Polygon(rings[0], rings[1:])).geoms:
        points += [(float(x), float(y)) for x, y in piece.exterior.coords[:3]]
    return points, list(range(len(points)))


SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))


@pytest.mark.parametrize(
    ("ring", "is_convex"),
    [
        (SQUARE, True),
        (SQUARE[::-1], True),
        (((0, 0), (10, 0), (5, 2), (0, 10)), False),
        (((0, 0), (10, 0), (0, 10), (10, 10)), False),
    ],
)
def test_convex(ring: Ring, is_convex: bool) -> None:
    assert convex(ring) is is_convex


def area(points: np.ndarray, indices: np.ndarray) -> float:
    """The area of all triangles together."""
    a, b, c = (points[indices[n::3], :2].astype(float) for n in range(3))
    u, v = b - a, c - a
    return float(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum() / 2)


@pytest.mark.parametrize(
    "rings",
    [
        (SQUARE,),
        (((0.0, 0.0), (10.0, 0.0), (5.0, 2.0), (0.0, 10.0)),),
        (SQUARE, ((2.0, 2.0), (4.0, 2.0), (4.0, 4.0), (2.0, 4.0))),
    ],
)
@pytest.mark.parametrize("kivys", [False, True])
def test_a_fill_covers_its_area(rings: tuple[Ring, ...], kivys: bool) -> None:
    from companion.app import brush

    binder = Binder()
    binder.fill(rings, (1, 0, 0, 1), brush.triangulate if kivys else triangulate)
    (batch,) = binder.done()
    assert area(batch.vertices, batch.indices) == pytest.approx(
        shapely.Polygon(rings[0], rings[1:]).area
    )


def test_a_stroke_is_as_wide_as_told() -> None:
    binder = Binder()
    binder.stroke(np.array([(0, 0), (100, 0)], np.float32), 6.0, (0, 0, 0, 1))
    (batch,) = binder.done()
    solid = batch.vertices[batch.vertices[:, 5] > 0.5]
    assert float(np.ptp(solid[:, 1])) == pytest.approx(6.0, abs=0.7)


def test_hatching_stays_inside() -> None:
    ink = Ink(100, 100)
    ink.hatch(SQUARE, (0, 0, 0), 1.0, 45, 2, 1)
    strokes = [mark for mark in ink.marks if isinstance(mark, Stroke)]
    assert len(strokes) > 5
    ground = shapely.Polygon(SQUARE).buffer(1e-6)
    assert all(ground.covers(shapely.LineString(mark.points)) for mark in strokes)


def test_the_practice_table_becomes_a_sheaf() -> None:
    table = Table.load(DATA / "practice.table.json")
    scene = games.find(table.game).scene(table, "b2")
    marks = map_ink(scene, 12.0, 1.0)
    found = sheaf(marks, (576.0, 576.0), triangulate)
    assert {word.text for word in found.words} >= {"b2", "r3"}
    assert sum(isinstance(mark, Fill) for mark in marks) > 100
    assert all(isinstance(word, Words) for word in found.words)
    for batch in found.batches:
        assert len(batch.vertices) <= 60_000
        assert batch.indices.max() < len(batch.vertices)
        assert np.isfinite(batch.vertices).all()

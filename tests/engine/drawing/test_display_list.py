"""Scenes as marks and triangles, without a window."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import shapely

from companion import games
from companion.engine.drawing.display_list import (
    DisplayList,
    Fill,
    Mark,
    Ring,
    Stroke,
    TextMark,
    map_marks,
)
from companion.engine.drawing.vertex_batches import (
    SOFT_PX,
    Floats32,
    Ints,
    bands,
    bound,
    build_batches,
    convex,
    plain,
    thinned,
    triangulated,
)
from models import Table
from models.catalogue import DATA


def triangulate(rings: tuple[Ring, ...]) -> tuple[Floats32, Ints]:
    """Another way than the app's."""
    points: list[tuple[float, float]] = []
    for piece in shapely.constrained_delaunay_triangles(shapely.Polygon(rings[0], rings[1:])).geoms:
        points += [(float(x), float(y)) for x, y in piece.exterior.coords[:3]]
    return np.array(points, np.float32).reshape(-1, 2), np.arange(len(points))


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
    assert convex([SQUARE, ring, SQUARE]) == [True, is_convex, True]


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
    from companion.app.render import mesh_renderer

    way = mesh_renderer.triangulate if kivys else triangulate
    (batch,) = bound(triangulated([Fill(rings, (1, 0, 0, 1))], way), 20.0)
    assert area(batch.vertices, batch.indices) == pytest.approx(
        shapely.Polygon(rings[0], rings[1:]).area
    )


def test_a_stroke_is_as_wide_as_told() -> None:
    line = Stroke(((0.0, 0.0), (100.0, 0.0)), 6.0, (0, 0, 0, 1))
    (batch,) = bound(bands([line]), 20.0)
    assert float(np.ptp(batch.vertices[:, 1])) == pytest.approx(6.0 + 2 * SOFT_PX)
    assert set(batch.vertices[:, 7].tolist()) == {3.0}
    assert sorted(set(batch.vertices[:, 6].tolist())) == pytest.approx([-3.6, 3.6])


def test_strokes_do_not_know_their_neighbours() -> None:
    bent = Stroke(((0.0, 0.0), (10.0, 0.0), (10.0, 10.0)), 2.0, (0, 0, 0, 1))
    closed = Stroke((*SQUARE, SQUARE[0]), 3.0, (1, 0, 0, 1))
    point = Stroke(((5.0, 5.0), (5.0, 5.0)), 2.0, (0, 1, 0, 1))
    alone = [bands([one])[0].vertices for one in (bent, closed)]
    together = bands([bent, point, closed, bent])
    assert len(together[1].vertices) == 0
    for found, wanted in (
        (together[0], alone[0]),
        (together[2], alone[1]),
        (together[3], alone[0]),
    ):
        assert found.vertices == pytest.approx(wanted)
    # The corner of a closed line is mitred like the others: its outer edge is a square.
    rim = together[2].vertices.reshape(-1, 2, 8)[:, :, :2]
    assert rim[0] == pytest.approx(rim[-1], abs=1e-4)
    assert abs(float(np.ptp(rim[..., 0])) - (10 + 3 + 2 * SOFT_PX)) < 0.01


def test_what_nobody_sees_is_left_out() -> None:
    straight = tuple((float(x), 0.05 * (x % 2)) for x in range(50))
    bow = tuple((50 * np.cos(turn / 20), 50 * np.sin(turn / 20)) for turn in range(60))
    line, curve = bands([Stroke(straight, 2.0, (0, 0, 0, 1)), Stroke(bow, 2.0, (0, 0, 0, 1))])
    assert len(line.vertices) == 4
    assert len(curve.vertices) > 30
    ways = shapely.LineString(curve.vertices.reshape(-1, 2, 8)[:, :, :2].mean(axis=1))
    assert ways.hausdorff_distance(shapely.LineString(bow)) < 0.5


def test_marks_are_drawn_in_their_order() -> None:
    marks: list[Mark] = [
        Fill((SQUARE,), (1, 0, 0, 1)),
        Stroke(SQUARE, 2.0, (0, 1, 0, 1)),
        Fill((SQUARE,), (0, 0, 1, 1)),
    ]
    (batch,) = build_batches(marks, (20.0, 20.0), triangulate).batches
    drawn = batch.vertices[batch.indices][:, 2:5]
    changes = [tuple(drawn[0])] + [
        tuple(now) for before, now in pairwise(drawn) if any(before != now)
    ]
    assert changes == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


def test_hatching_stays_inside() -> None:
    ink = DisplayList(100, 100)
    ink.hatch(SQUARE, (0, 0, 0), 1.0, 45, 2, 1)
    strokes = [mark for mark in ink.marks if isinstance(mark, Stroke)]
    assert len(strokes) > 5
    ground = shapely.Polygon(SQUARE).buffer(1e-6)
    assert all(ground.covers(shapely.LineString(mark.points)) for mark in strokes)


def test_the_practice_table_becomes_a_sheaf() -> None:
    table = Table.load(DATA / "practice.table.json")
    scene = games.find(table.game).scene(table, "b2")
    marks = map_marks(scene, 12.0, 1.0)
    found = build_batches(marks, (576.0, 576.0), triangulate)
    assert {word.text for word in found.words} >= {"b2", "r3"}
    assert sum(isinstance(mark, Fill) for mark in marks) > 100
    assert all(isinstance(word, TextMark) for word in found.words)
    for batch in found.batches:
        assert len(batch.vertices) <= 60_000
        assert batch.indices.max() < len(batch.vertices)
        assert np.isfinite(batch.vertices).all()


def test_nothing_to_draw_is_drawn_as_nothing() -> None:
    assert plain([]) == []
    points, whose = thinned([((1.0, 1.0), (1.0, 1.0))])
    assert len(points) == len(whose) == 0

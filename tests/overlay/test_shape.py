from __future__ import annotations

import pytest

from companion import games
from companion.overlay.shapes import (
    Circle,
    Label,
    Polygon,
    Polyline,
    Shape,
    Style,
    drawing_order,
    uncluttered,
)
from models import Table
from models.catalogue import DATA


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, (0.0, 0.0)), (0.25, (2.0, 0.0)), (0.5, (4.0, 0.0)), (0.75, (4.0, 2.0)), (1, (4.0, 4.0))],
)
def test_points_along_a_way(share: float, expected: tuple[float, float]) -> None:
    way = Polyline(((0, 0), (4, 0), (4, 4)), Style("attack-path"))
    assert way.length_in == 8
    assert way.at(share) == pytest.approx(expected)


def test_a_way_may_stand_still() -> None:
    way = Polyline(((3, 3), (3, 3)), Style("attack-path"))
    assert way.length_in == 0
    assert way.at(0.5) == (3, 3)


def test_lower_shapes_come_first_and_equals_keep_their_order() -> None:
    style = Style("tray")
    shapes: tuple[Shape, ...] = (
        Circle((0, 0), 1, style, z=5, about=("late",)),
        Polygon(((0, 0), (1, 0), (0, 1)), style, z=1, about=("first",)),
        Circle((0, 0), 1, style, z=1, about=("second",)),
    )
    assert [shape.about[0] for shape in drawing_order(shapes)] == ["first", "second", "late"]


def test_a_map_keeps_its_objectives_when_a_unit_is_chosen() -> None:
    """As on a phone; the app draws them as flags itself."""
    table = Table.load(DATA / "practice.table.json")
    scene = games.find(table.game).scene(table, "b1", None, False)
    tokens = [one for one in scene.shapes if one.style.role == "token"]
    assert tokens
    assert not {one.style.role for one in uncluttered(scene).shapes} & {"token"}
    kept = uncluttered(scene, tokens=True).shapes
    assert [one for one in kept if one.style.role == "token"] == [
        one for one in tokens if not isinstance(one, Label)
    ]

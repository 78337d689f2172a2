from __future__ import annotations

import pytest

from companion.overlay.shapes import Circle, Polygon, Polyline, Shape, Style, drawing_order


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

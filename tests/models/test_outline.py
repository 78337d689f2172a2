"""Which outlines are simple polygons, against shapely's own opinion."""

from __future__ import annotations

import random

import pytest
from shapely.geometry import Polygon

from models import BadInput
from models.field import Field
from models.terrain import read_outline, self_crossing

Point = tuple[float, float]


def accepted(points: list[Point]) -> bool:
    try:
        read_outline(Field([list(point) for point in points]))
    except BadInput:
        return False
    return True


def test_agrees_with_shapely_on_a_grid() -> None:
    """Whole numbers make every touch, fold and doubled corner exact."""
    dice = random.Random(9)
    simple = 0
    for _ in range(3000):
        size = dice.choice([3, 4, 6])
        points = [
            (float(dice.randrange(size)), float(dice.randrange(size)))
            for _ in range(dice.randint(3, 7))
        ]
        shape = Polygon(points)
        expected = shape.is_valid and shape.area > 0
        assert accepted(points) == expected, points
        simple += expected
    assert 300 < simple < 2700


def test_agrees_with_shapely_off_the_grid() -> None:
    dice = random.Random(10)
    for _ in range(1000):
        points = [(dice.uniform(0, 9), dice.uniform(0, 9)) for _ in range(dice.randint(3, 12))]
        shape = Polygon(points)
        if shape.area > 0.01 or not shape.is_valid:
            assert accepted(points) == shape.is_valid, points


@pytest.mark.parametrize(
    ("points", "crossing"),
    [
        ([(0, 0), (4, 0), (4, 4), (0, 4)], None),
        ([(0, 0), (4, 4), (4, 0), (0, 4)], (0, 2)),
        ([(0, 0), (9, 0), (4, 0), (4, 4)], (0, 1)),
        ([(0, 0), (2, 0), (4, 0), (4, 4)], None),  # a corner on a straight side is no fault
        ([(0, 0), (9, 0), (9, 9), (4, 0), (0, 9)], (0, 2)),
    ],
)
def test_says_which_sides(points: list[Point], crossing: tuple[int, int] | None) -> None:
    assert self_crossing(points) == crossing

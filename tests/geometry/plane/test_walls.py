"""Outlines of many corners: taken to within a hair, the rest as they are."""

from __future__ import annotations

import math

import pytest
from shapely.geometry import Polygon

from companion.geometry.plane.solids import MANY_CORNERS, THIN_IN, Walls, thinned


def round_piece(count: int, radius: float = 2.0) -> list[tuple[float, float]]:
    turns = [2 * math.pi * place / count for place in range(count)]
    return [(24 + radius * math.cos(turn), 24 + radius * math.sin(turn)) for turn in turns]


@pytest.mark.parametrize("count", [3, 12, MANY_CORNERS])
def test_an_outline_of_few_corners_is_taken_as_it_is(count: int) -> None:
    outline = round_piece(count)
    assert thinned(outline) == outline


@pytest.mark.parametrize("count", [100, 400])
def test_a_round_piece_keeps_its_shape_and_loses_most_corners(count: int) -> None:
    outline = round_piece(count)
    thin = Polygon(thinned(outline))
    assert thin.is_valid
    assert thin.exterior.is_ccw
    assert thin.hausdorff_distance(Polygon(outline)) <= THIN_IN + 1e-9
    assert len(thin.exterior.coords) <= 129
    assert len(Walls.of([outline])) == 1

"""Half hexes, roads, fires and borders of areas on a board of hexes."""

from __future__ import annotations

import math

import pytest

from companion.overlay.board_shapes import (
    area_outlines,
    board_scene,
    extent_in,
    fires,
    half_hexes,
    tracks,
)
from companion.overlay.shapes import Circle, Polygon, Polyline
from models.board import Board
from models.board_table import BoardPiece, BoardTable

BOARD = Board("hex", 4, 3, 2.0)


def test_each_row_ends_in_a_half_hex_inside_the_printed_board() -> None:
    halves = list(half_hexes(BOARD))
    wide, _ = extent_in(BOARD)
    assert len(halves) == BOARD.rows
    for row, half in enumerate(halves):
        xs = [x for x, _ in half.outline]
        ends = (0.0, 1.0) if row % 2 else (wide - 1.0, wide)
        assert (min(xs), max(xs)) == pytest.approx(ends)
    assert list(half_hexes(Board("square", 4, 3, 2.0))) == []


def test_a_road_leads_to_the_roads_beside_it() -> None:
    ground = {(0, 0): ("road",), (1, 0): ("river", "wooden-bridge"), (3, 2): ("road",)}
    found = list(tracks(Board("hex", 4, 3, 2.0, ground=ground)))
    lines = [one for one in found if isinstance(one, Polyline)]
    assert [(one.about, one.length_in) for one in lines] == [(("0,0",), 1.0), (("1,0",), 1.0)]
    assert sum(isinstance(one, Circle) for one in found) == 3  # two ends, and one alone


def test_no_road_runs_over_a_disc() -> None:
    """It was seen through the disc of whoever stood on it."""
    ground = {(0, 0): ("road",), (1, 0): ("road",)}
    board = Board("hex", 4, 3, 2.0, ground=ground)
    pieces = (BoardPiece("a", "stark", cell=(0, 0)), BoardPiece("b", "stark", cell=(3, 2)))
    shapes = board_scene(BoardTable("toy", board, pieces)).shapes
    (floor,) = [one for one in shapes if one.style.role == "piece-floor"]
    assert floor.about == ("a",)
    assert max(one.z for one in tracks(board)) < floor.z
    assert floor.z < min(one.z for one in shapes if one.style.role == "piece")


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_a_fire_has_as_many_flames_as_its_level(level: int) -> None:
    board = Board("hex", 4, 3, 2.0, ground={(1, 1): ("forest", f"fire-{level}")})
    found = list(fires(board))
    assert len(found) == level
    x, y = board.middle((1, 1))
    assert all(math.dist(point, (x, y)) < 1.15 for one in found for point in one.outline)


def test_the_border_of_an_area_is_one_line_around_it() -> None:
    (line,) = area_outlines(BOARD, [(0, 0), (1, 0), (0, 1)])
    assert len(line) == 12  # three hexes around a corner
    ring = [(1, 1), (2, 1), (1, 2), (2, 2), (1, 0), (2, 0)]
    assert len(area_outlines(BOARD, ring)) == 1
    assert len(area_outlines(BOARD, [(0, 0), (3, 0)])) == 2


def test_the_scene_of_a_board_holds_them() -> None:
    board = Board("hex", 4, 3, 2.0, ground={(1, 1): ("plains", "fire-2")})
    roles = [one.style.role for one in board_scene(BoardTable("toy", board, ())).shapes]
    assert roles.count("ground-half") == 3
    assert roles.count("ground-flame") == 2
    assert all(isinstance(one, Polygon) for one in half_hexes(board))


@pytest.mark.parametrize("turn", [0.0, -90.0, 30.0])
def test_flames_are_upright_however_the_board_lies(turn: float) -> None:
    board = Board("square", 4, 3, 2.0, turn=turn, marks={(1, 1): ("fire",)})
    (flame,) = fires(board)
    _, y = board.middle((1, 1))
    xs, ys = zip(*flame.outline, strict=True)
    (upright,) = fires(Board("square", 4, 3, 2.0, marks={(1, 1): ("fire",)}))
    wide = [x for x, _ in upright.outline]
    assert max(xs) - min(xs) == pytest.approx(max(wide) - min(wide))
    assert max(ys) - y > y - min(ys), "its tip points up"

"""What pieces cover on any table, and boards turned to fill the map."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import pytest

from companion.geometry.grid.placing import cell_at, cell_middle
from companion.overlay.board_shapes import block_outline, board_cells, board_scene, cell_outline
from companion.overlay.footprints import (
    fitted,
    flag_spot,
    outlines,
    piece_at,
    places,
    shown_area,
    table_size,
)
from companion.overlay.shapes import in_colours
from models.board import Board
from models.board_table import BoardPiece, BoardTable
from models.table import Table, TableToken
from tests.conftest import TOYS


def table(space: Literal["square", "hex"] = "square") -> BoardTable:
    board = Board(space, 3, 7, 1.25, (4.0, 5.0), 20.0, ground={(1, 1): ("none",)})
    size = 2 if space == "square" else 1
    pieces = (
        BoardPiece("b1", "blue", cell=(0, 2)),
        BoardPiece("r1", "red", cell=(1, 4), size=size),
    )
    return BoardTable("toy", board, pieces)


@pytest.mark.parametrize("space", ["square", "hex"])
def test_every_cell_is_found_at_its_middle_and_near_its_corners(
    space: Literal["square", "hex"],
) -> None:
    for one in (table(space), fitted(table(space)), fitted(table(space), (900.0, 300.0))):
        for cell in board_cells(one.board):
            x, y = cell_middle(one.board, cell)
            assert cell_at(one.board, x, y) == cell
            for px, py in cell_outline(one.board, cell):
                near = (x + 0.95 * (px - x), y + 0.95 * (py - y))
                assert cell_at(one.board, *near) == cell
        hole = cell_middle(one.board, (1, 1))
        assert cell_at(one.board, *hole) is None
        assert cell_at(one.board, -3.0, -3.0) is None


@pytest.mark.parametrize("space", ["square", "hex"])
def test_a_board_turns_to_fill_the_room(space: Literal["square", "hex"]) -> None:
    upright, broad = fitted(table(space), (300.0, 900.0)), fitted(table(space), (900.0, 300.0))
    assert (upright.board.turn, broad.board.turn) == (0.0, -90.0)
    wide, deep = table_size(broad)
    assert wide > deep
    assert table_size(upright) == pytest.approx((deep, wide))
    for one in (upright, broad):
        width, depth = table_size(one)
        corners = [p for cell in board_cells(one.board) for p in cell_outline(one.board, cell)]
        assert all(0 <= x <= width and 0 <= y <= depth for x, y in corners)
    # Without a camera it does not matter where the board lies on the table.
    assert fitted(upright, (900.0, 300.0)).board.turn == -90.0


@pytest.mark.parametrize("space", ["square", "hex"])
def test_a_board_fills_its_pane_wherever_it_lies_on_the_table(
    space: Literal["square", "hex"],
) -> None:
    one = table(space)
    board = replace(one.board, at=(9.0, 7.0), turn=0.0)
    under_a_camera = replace(one, board=board)
    area, size = shown_area(under_a_camera), board.cell_in
    corners = [p for cell in board_cells(board) for p in cell_outline(board, cell)]
    (left, near), _, (right, far), _ = area.corners
    for x, y in corners:
        assert left <= x <= right
        assert near <= y <= far
    assert min(x for x, _ in corners) - left <= size
    assert far - max(y for _, y in corners) <= size
    assert area.wide < table_size(under_a_camera)[0] - 12
    blind = fitted(one, (900.0, 300.0))  # nothing but the board
    assert (shown_area(blind).wide, shown_area(blind).deep) == table_size(blind)


def test_a_large_piece_is_touched_on_each_of_its_cells() -> None:
    one = table()
    for cell in ((1, 4), (2, 4), (1, 5), (2, 5)):
        assert piece_at(one, cell_middle(one.board, cell), 0.8) == "r1"
    assert piece_at(one, cell_middle(one.board, (0, 2)), 0.8) == "b1"
    assert piece_at(one, cell_middle(one.board, (0, 4)), 0.8) is None
    assert piece_at(one, (0.0, 0.0), 0.8) is None
    block = block_outline(one.board, (1, 4), 2)
    assert math.dist(block[0], block[1]) == pytest.approx(2.5)
    middle = places(one)["r1"]
    assert middle == pytest.approx((sum(x for x, _ in block) / 4, sum(y for _, y in block) / 4))
    assert all(math.dist(point, middle) < 1.25 for point in outlines(one)["r1"])


def test_trays_are_touched_near_their_edge() -> None:
    one = Table.load(TOYS / "two.table.json")
    unit = one.units[0]
    x, y = unit.pose.x, unit.pose.y
    assert piece_at(one, (x, y), 0.8) == unit.id
    assert piece_at(one, (x + 40, y + 40), 0.8) is None
    assert table_size(one) == (one.width, one.depth)
    assert places(one)[unit.id] == (x, y)
    assert len(outlines(one)[unit.id]) == 4


def test_sides_are_drawn_in_the_colours_of_their_seats() -> None:
    scene = board_scene(table())
    assert in_colours(scene, {}) is scene
    assert in_colours(scene, {"blue": 1, "red": 2}) is scene
    assert in_colours(scene, {"blue": 2}) is scene, "no two sides in one colour"
    swapped = in_colours(scene, {"blue": 2, "red": 1})
    assert swapped.sides == ("red", "blue")
    third = in_colours(scene, {"blue": 3, "red": 2})
    assert third.sides == ("green", "red")
    drawn = {(one.about, one.style.side) for one in third.shapes if one.style.role == "piece"}
    assert drawn == {(("b1",), "green"), (("r1",), "red")}


def test_who_holds_an_objective_is_marked_on_its_flag() -> None:
    """Else one objective is drawn twice: its flag, and its holder's sign beside it."""
    two = Table.load(TOYS / "two.table.json")
    unit = two.units[0]
    near = TableToken("o1", unit.pose.x + 2.0, unit.pose.y + 1.0, 0.7)
    far = TableToken("o2", unit.pose.x + 20.0, unit.pose.y, 0.7)
    assert flag_spot(replace(two, tokens=(far, near)), unit) == (near.x, near.y)
    assert flag_spot(replace(two, tokens=(far,)), unit) == (unit.pose.x, unit.pose.y)

"""A board's place from points of it, and how well they fit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.board_place import (
    BoardPlace,
    NoBoardThere,
    board_corners,
    fitted_place,
    nearest_point,
)
from calibration.setup import Setup
from models.board import Board
from models.message import BadInput

SQUARES = Board("square", 7, 14, 1.25)
HEXES = Board("hex", 15, 11, 2.08)


def laid(board: Board, cell_in: float = 0.0, turn: float = 3.0) -> BoardPlace:
    cell = cell_in or board.cell_in
    return BoardPlace(board.space, board.columns, board.rows, cell, 4.5, 6.25, turn)


def on_table(place: BoardPlace, point: tuple[float, float]) -> tuple[float, float]:
    angle = math.radians(place.turn)
    u, v = point[0] * place.cell_in, point[1] * place.cell_in
    return (
        place.x + u * math.cos(angle) - v * math.sin(angle),
        place.y + u * math.sin(angle) + v * math.cos(angle),
    )


@pytest.mark.parametrize("board", [SQUARES, HEXES])
@pytest.mark.parametrize("turn", [0.0, 3.0, 90.0, -178.5])
@pytest.mark.parametrize("scale", [1.0, 0.94])
def test_two_corners_give_the_place_back(board: Board, turn: float, scale: float) -> None:
    true = laid(board, board.cell_in * scale, turn)
    pairs = [(one.at, on_table(true, one.at)) for one in board_corners(board)]
    place = fitted_place(board, pairs)
    assert place.x == pytest.approx(true.x, abs=1e-3)
    assert place.y == pytest.approx(true.y, abs=1e-3)
    assert math.remainder(place.turn - turn, 360) == pytest.approx(0.0, abs=1e-3)
    assert place.cell_in == pytest.approx(true.cell_in, abs=1e-4)
    assert place.odd(board) == (scale != 1.0)
    # Every space lies where it really lies.
    for cell in ((0, 0), (board.columns - 1, 0), (3, board.rows - 1)):
        there, truth = place.laid(board).middle(cell), true.laid(board).middle(cell)
        assert math.dist(there, truth) < 0.01


def test_two_points_tell_whether_they_are_as_far_apart_as_the_board_is() -> None:
    one, two = board_corners(SQUARES)
    place = fitted_place(SQUARES, [(one.at, (2.0, 2.0)), (two.at, (2.0 + 8.75, 2.0 + 17.5))])
    assert place.off_in == 0.0
    assert place.fits(SQUARES)
    longer = fitted_place(SQUARES, [(one.at, (2.0, 2.0)), (two.at, (2.0 + 8.75, 2.0 + 18.5))])
    assert longer.off_in > 0.2
    assert not longer.fits(SQUARES)


def test_points_that_agree_on_a_wrong_size_are_no_good_fit() -> None:
    """2 % over 14 spaces is a quarter of a space: figures there stand between two."""
    near = [((0.0, 0.0), (2.0, 2.0)), ((7.0, 0.0), (2.0 + 8.75, 2.0))]
    place = fitted_place(SQUARES, [*near, ((7.0, 14.0), (2.0 + 8.6, 2.0 + 17.12))])
    assert place.off_in < 0.1, "the points agree"
    assert place.told_off_in(SQUARES) > 0.25
    assert not place.fits(SQUARES)
    right = fitted_place(SQUARES, [*near, ((7.0, 14.0), (2.0 + 8.73, 2.0 + 17.46))])
    assert right.fits(SQUARES)
    assert right.told_off_in(SQUARES) < 0.1


def test_further_points_measure_the_fit_and_better_it() -> None:
    true = laid(SQUARES)
    dice = np.random.default_rng(4)
    points = [(0, 0), (7, 14), (7, 0), (0, 14), (3, 7), (5, 2)]

    def shaky(point: tuple[int, int]) -> tuple[float, float]:
        x, y = on_table(true, (float(point[0]), float(point[1])))
        dx, dy = dice.normal(0, 0.06, 2)
        return x + float(dx), y + float(dy)

    pairs = [((float(u), float(v)), shaky((u, v))) for u, v in points]
    two, all_of_them = fitted_place(SQUARES, pairs[:2]), fitted_place(SQUARES, pairs)

    def worst(place: BoardPlace) -> float:
        ends = [(0, 0), (6, 0), (0, 13), (6, 13)]
        return max(
            math.dist(place.laid(SQUARES).middle(one), true.laid(SQUARES).middle(one))
            for one in ends
        )

    assert worst(all_of_them) < worst(two)
    assert 0.01 < all_of_them.off_in < 0.2
    assert all_of_them.points == 6


def test_missing_spaces_are_no_corners() -> None:
    board = Board("square", 3, 2, 1.0, ground={(0, 0): ("none",), (2, 1): ("none",)})
    first, last = board_corners(board)
    assert first.cell == (0, 1)
    assert last.cell == (2, 0)
    with pytest.raises(NoBoardThere):
        board_corners(Board("square", 1, 1, 1.0))


def test_points_that_cannot_be_the_boards_are_refused() -> None:
    one, two = board_corners(SQUARES)
    with pytest.raises(NoBoardThere, match="two of its corners"):
        fitted_place(SQUARES, [(one.at, (2.0, 2.0))])
    with pytest.raises(NoBoardThere, match="too close"):
        fitted_place(SQUARES, [(one.at, (2.0, 2.0)), (two.at, (2.5, 2.0))])
    with pytest.raises(NoBoardThere, match="not the corners"):
        fitted_place(SQUARES, [(one.at, (2.0, 2.0)), (two.at, (4.0, 5.0))])


def test_a_tap_means_the_nearest_corner_of_a_square_or_middle_of_a_hex() -> None:
    squares, hexes = laid(SQUARES), laid(HEXES)
    x, y = on_table(squares, (3.0, 5.0))
    assert nearest_point(SQUARES, squares, (x + 0.3, y - 0.2)) == (3.0, 5.0)
    x, y = hexes.laid(HEXES).middle((4, 3))
    unit = Board("hex", 15, 11, 1.0)
    assert nearest_point(HEXES, hexes, (x + 0.5, y)) == pytest.approx(unit.middle((4, 3)))


def test_a_pushed_board_turns_on_its_middle() -> None:
    place = laid(SQUARES, turn=0.0)
    pushed = place.shifted(0.1, 0.0, 0.0, SQUARES)
    assert (pushed.x, pushed.y) == pytest.approx((place.x + 0.1, place.y))
    turned = place.shifted(0.0, 0.0, 180.0, SQUARES)
    before, after = place.laid(SQUARES), turned.laid(SQUARES)
    assert after.middle((0, 0)) == pytest.approx(before.middle((6, 13)))


def test_the_place_is_remembered_with_the_set_up_and_earlier_ones_open() -> None:
    old = Setup.parse('format = "table-companion/setup/1"')
    assert old.boards == ()
    assert old.board_place(SQUARES) is None
    place = laid(SQUARES)
    kept = Setup.parse(old.with_board(place).with_board(laid(HEXES)).text())
    assert kept.board_place(SQUARES) == place
    assert kept.board_place(HEXES) == laid(HEXES)
    other = laid(SQUARES, turn=90.0)
    assert kept.with_board(other).board_place(SQUARES) == other
    twice = kept.text() + kept.text().partition("[[board]]")[2].join(["\n[[board]]", ""])
    with pytest.raises(BadInput, match="board"):
        Setup.parse(twice)


def test_a_camera_that_was_moved_is_told_from_one_that_was_not() -> None:
    place = BoardPlace("square", 7, 14, 1.25, 1.0, 1.0, 0.0, camera=(12.0, -5.0, 27.0))
    assert place.seen_from((12.2, -5.1, 27.1))
    assert not place.seen_from((15.0, -5.0, 27.0))
    assert not laid(SQUARES).seen_from((12.0, -5.0, 27.0))


@pytest.mark.parametrize(("scale", "odd"), [(0.98, True), (1.02, True), (1.005, False)])
def test_a_small_error_of_each_space_is_told_where_it_adds_up(scale: float, odd: bool) -> None:
    """2 % of 14 spaces is more than a quarter of one: figures at the far end stand between two."""
    long = Board("square", 7, 14, 1.25)
    place = laid(long, long.cell_in * scale)
    assert place.odd(long) is odd
    assert place.fits(long) is not odd
    assert not laid(Board("square", 4, 3, 1.25), 1.25 * scale).odd(Board("square", 4, 3, 1.25))

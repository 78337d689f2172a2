"""Places on boards in words: by what lies there, by the nearest thing, by the part of the board."""

from __future__ import annotations

import pytest

from companion.games.shared.places import Landmark, place_words
from companion.text.translation import catalogue
from models.board import Board, Cell, cell_text
from models.message import say

TOWER = Landmark("the tower", "of the tower")
FORD = Landmark("the ford", "of the ford")
HEXES = Board("hex", 13, 11, 1.5)
SQUARES = Board("square", 12, 12, 1.0)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ((6, 5), "the tower"),
        ((5, 5), "the hex left of the tower"),
        ((7, 5), "the hex right of the tower"),
        ((4, 5), "the hex 2 steps to the left of the tower"),
        ((6, 3), "the hex 2 steps to this side of the tower"),
        ((6, 7), "the hex 2 steps to the far side of the tower"),
        ((1, 9), "the ford on the far side"),
        ((1, 1), "the ford on this side"),
        ((10, 1), "where Kevan stands"),
        ((11, 1), "the hex right of Kevan"),
        ((12, 9), "a hex on the right"),
    ],
)
def test_hexes(cell: Cell, said: str) -> None:
    marks = {(6, 5): TOWER, (1, 1): FORD, (1, 9): FORD}
    assert place_words(HEXES, marks, {(10, 1): "Kevan"}, cell) == said


def test_further_cells_are_counted_in_german() -> None:
    tower = Landmark("", say("of {name}", name="Tower"))
    told = place_words(HEXES, {(6, 5): tower}, {}, (4, 5))
    assert catalogue("de", game="westeros").translate(told) == "das 2. Feld links von „Tower“"
    assert catalogue("ru", game="westeros").translate(told).startswith("гекс в 2 шагах слева от")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ((5, 6), "the space on the far side of the tower"),
        ((4, 5), "the space left of the tower"),
        ((4, 4), "the space left of the tower, towards this side"),
        ((0, 0), "a space on this side"),
        ((11, 6), "a space on the right"),
    ],
)
def test_squares(cell: Cell, said: str) -> None:
    assert place_words(SQUARES, {(5, 5): TOWER}, {}, cell) == said


def test_a_large_landmark_names_its_own_cells_only() -> None:
    river = dict.fromkeys([(column, 5) for column in range(13)], Landmark("the river", ""))
    assert place_words(HEXES, river, {}, (4, 5)) == "the river"
    assert "river" not in place_words(HEXES, river, {}, (4, 4))


def test_three_areas_of_a_kind_lie_left_in_the_middle_and_right() -> None:
    marks = dict.fromkeys([(1, 5), (2, 5), (6, 5), (11, 5)], TOWER)
    told = [place_words(HEXES, marks, {}, cell) for cell in ((2, 5), (6, 5), (11, 5))]
    assert told == ["the tower on the left", "the tower in the middle", "the tower on the right"]


def test_no_cell_is_called_by_its_coordinates() -> None:
    for board in (HEXES, SQUARES):
        for column in range(board.columns):
            for row in range(board.rows):
                said = place_words(board, {(6, 5): TOWER}, {(2, 2): "Ned"}, (column, row))
                assert cell_text((column, row)) not in said

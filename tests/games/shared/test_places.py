"""Places on boards in words: by what lies there, by the nearest thing, by the part of the board."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import pytest

from companion.games.shared.places import (
    Landmark,
    Landmarks,
    place_words,
    turned_words,
    walk_to,
)
from companion.geometry.grid.grids import HexGrid, SquareGrid
from companion.text.translation import ENGLISH, catalogue
from models.board import Board, Cell, cell_text
from models.message import say
from tests.games.shared.map_walk import MapWalk, things_on


def words_of(
    board: Board, marks: Mapping[Cell, Landmark], people: Mapping[Cell, str], cell: Cell
) -> str:
    return place_words(board, Landmarks(marks), people, cell)


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
        (
            (6, 3),
            "the hex 2 rows straight to this side of the tower",
        ),
        (
            (6, 7),
            "the hex 2 rows straight to the far side of the tower",
        ),
        ((1, 9), "the ford on the far side"),
        ((1, 1), "the ford on this side"),
        ((10, 1), "where Kevan stands"),
        ((11, 1), "the hex right of Kevan"),
        ((12, 9), "the hex in row 10 from this side, place 13 from the left"),
        ((6, 4), "the hex this side and left of the tower"),
        ((7, 4), "the hex this side and right of the tower"),
        ((7, 6), "the hex on the far side and right of the tower"),
        ((7, 3), "the hex 2 steps diagonally right to this side of the tower"),
        ((8, 4), "the hex 1 diagonally right to this side and 1 to the right of the tower"),
    ],
)
def test_hexes(cell: Cell, said: str) -> None:
    marks = {(6, 5): TOWER, (1, 1): FORD, (1, 9): FORD}
    assert words_of(HEXES, marks, {(10, 1): "Kevan"}, cell) == said


def test_further_cells_are_counted_in_german() -> None:
    tower = Landmark("", say("of {name}", name="Tower"))
    told = words_of(HEXES, {(6, 5): tower}, {}, (4, 5))
    assert catalogue("de", game="westeros").translate(told) == "das 2. Feld links von „Tower“"
    assert catalogue("ru", game="westeros").translate(told).startswith("гекс в 2 шагах слева от")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ((5, 6), "the space on the far side of the tower"),
        ((4, 5), "the space left of the tower"),
        ((4, 4), "the space this side and left of the tower"),
        ((0, 0), "the space in row 1 from this side, place 1 from the left"),
        ((3, 4), "the space 1 to this side and 2 to the left of the tower"),
        ((3, 5), "the space 2 steps to the left of the tower"),
    ],
)
def test_squares(cell: Cell, said: str) -> None:
    assert words_of(SQUARES, {(5, 5): TOWER}, {}, cell) == said


def test_a_large_landmark_names_its_own_cells_only() -> None:
    river = dict.fromkeys([(column, 5) for column in range(13)], Landmark("the river", ""))
    told = words_of(HEXES, river, {(5, 5): "Kevan"}, (4, 5))
    assert told == "the river, left of Kevan"
    assert "river" not in words_of(HEXES, river, {}, (4, 4))


def test_three_areas_of_a_kind_lie_left_in_the_middle_and_right() -> None:
    marks = dict.fromkeys([(1, 5), (6, 5), (11, 5)], TOWER)
    told = [words_of(HEXES, marks, {}, cell) for cell in ((1, 5), (6, 5), (11, 5))]
    assert told == ["the tower on the left", "the tower in the middle", "the tower on the right"]


def test_no_cell_is_called_by_its_coordinates() -> None:
    for board in (HEXES, SQUARES):
        for column in range(board.columns):
            for row in range(board.rows):
                said = words_of(board, {(6, 5): TOWER}, {(2, 2): "Ned"}, (column, row))
                assert cell_text((column, row)) not in said


@pytest.mark.parametrize(
    ("turn", "cell", "said"),
    [
        (0, (0, 6), "the space in row 7 from this side, place 1 from the left"),
        (180, (0, 6), "the space in row 7 from the far side, place 1 from the right"),
        (90, (0, 6), "the space in row 7 from the right, place 1 from this side"),
        (180, (5, 4), "the space on the far side of the tower"),
    ],
)
def test_a_board_that_lies_turned_is_told_as_the_map_shows_it(
    turn: float, cell: Cell, said: str
) -> None:
    board = replace(SQUARES, turn=turn, at=(20.0, 20.0))
    marks = {(5, 5): TOWER} if "tower" in said else {}
    assert words_of(board, marks, {}, cell) == said


@pytest.mark.parametrize("turn", [-90.0, 90.0, 180.0])
@pytest.mark.parametrize("upright", [HEXES, SQUARES], ids=["hexes", "squares"])
def test_words_follow_a_board_that_is_only_drawn_turned(upright: Board, turn: float) -> None:
    """What the game has said of the upright board is told as the map shows it."""
    tower, ford = Landmark("", say("of the tower")), Landmark(say("the ford"), say("of the ford"))
    marks = {(6, 5): tower, (1, 2): ford, (1, 8): ford}
    drawn, words = replace(upright, turn=turn), replace(ENGLISH, turned=turned_words(turn))
    for cell in [(5, 5), (7, 5), (6, 7), (6, 3), (4, 5), (1, 2), (1, 8), (12, 5), (1, 4), (8, 3)]:
        if cell[0] < upright.columns:
            told = words_of(upright, marks, {}, cell)
            assert words.translate(told) == words_of(drawn, marks, {}, cell), cell
            assert ENGLISH.translate(told) == told


def test_a_bridge_tells_more_than_a_stretch_of_the_river_beside_it() -> None:
    """What there is only one of comes before one of several, and both sides are one phrase."""
    river, bridge = Landmark("the river", "of the river"), Landmark("the bridge", "of the bridge")
    marks = dict.fromkeys([(column, 5) for column in range(13)], river) | {(6, 5): bridge}
    marks |= {(2, 5): FORD, (9, 5): FORD}  # stretches of two and three hexes
    assert words_of(HEXES, marks, {}, (7, 4)) == "the hex this side and right of the bridge"


def test_a_place_beside_an_area_lies_beside_all_of_it() -> None:
    marks = dict.fromkeys([(5, 5), (6, 5), (7, 5)], TOWER)
    assert words_of(HEXES, marks, {}, (4, 5)) == "the hex left of the tower"


def test_the_hexes_of_a_road_have_words_of_their_own() -> None:
    """Two hexes of one road were called the same, and nobody knew which was meant."""
    road, bridge = Landmark("the road", "of the road"), Landmark("the bridge", "of the bridge")
    marks = {(7, 3): road, (7, 4): road, (7, 5): bridge, (7, 6): road, (7, 7): road}
    assert [words_of(HEXES, marks, {}, cell) for cell in ((7, 6), (7, 7))] == [
        "the road, on the far side and left of the bridge",
        "the road, 2 rows straight to the far side of the bridge",
    ]


KINDS = [
    Landmark(say(f"the {name}"), say(f"of the {name}"))
    for name in ("tower", "ford", "river", "mill")
]
Marks = Mapping[Cell, Landmark]
People = Mapping[Cell, str]


def strewn(chance: random.Random, turn: float) -> tuple[Board, Marks, People]:
    """A board of any kind with things strewn over it."""
    space: Literal["hex", "square"] = chance.choice(["hex", "square"])
    columns, rows = chance.randint(4, 16), chance.randint(4, 14)
    board = Board(space, columns, rows, 1.5, turn=turn, at=(9.0, 9.0))
    every = [(column, row) for column in range(columns) for row in range(rows)]
    marks = {one: chance.choice(KINDS) for one in chance.sample(every, len(every) // 8)}
    free = [one for one in every if one not in marks]
    people = {one: f"N{n}" for n, one in enumerate(chance.sample(free, 4))}
    blocks = [(c, r) for c, r in free if {(c, r + 1), (c + 1, r), (c + 1, r + 1)} <= {*free}]
    if space == "square" and (
        large := [one for one in blocks if people.keys().isdisjoint(block(one))]
    ):
        people |= dict.fromkeys(block(chance.choice(large)), "Rider")
    return board, marks, people


def block(cell: Cell) -> list[Cell]:
    """The spaces of a large figure."""
    return list(SquareGrid(1, 1).block(cell, 2))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("seed", range(40))
def test_a_finger_that_follows_the_words_ends_on_the_very_cell(seed: int, turn: float) -> None:
    """Boards of any kind, laid in quarters: told as the map shows them, or told upright and drawn
    turned, every cell has words of its own, and they lead to it."""
    board, marks, people = strewn(random.Random(seed), turn)
    grid = SquareGrid(board.columns, board.rows)
    drawn = replace(ENGLISH, turned=turned_words(turn))
    upright, finger = replace(board, turn=0.0), MapWalk(board)
    for told, translate in ((board, ENGLISH.translate), (upright, drawn.translate)):
        things = things_on(told, marks, people, translate)
        named = {cell: translate(words_of(told, marks, people, cell)) for cell in grid.cells()}
        shared = Counter(named.values())
        for cell, words in named.items():
            if words == "where Rider stands":
                continue
            assert shared[words] == 1, words
            assert finger.walked(words, things) == {cell}, words


def test_the_steps_over_hexes_are_as_many_as_the_distance() -> None:
    for cell in HexGrid(13, 11).cells():
        walk = walk_to("hex", (6, 5), cell)
        assert sum(n for _, n in walk.steps) == HexGrid.distance((6, 5), cell)
        assert [*walk.cells("hex", (6, 5))][-1:] == ([cell] if cell != (6, 5) else [])


def test_a_space_of_a_small_thing_is_called_by_its_end_or_corner() -> None:
    board = Board("square", 7, 7, 1.0)
    ford, rock = Landmark("the ford", "of the ford"), Landmark("the rock", "of the rock")
    marks = {(3, 3): ford, (3, 4): ford}
    marks |= dict.fromkeys(((0, 0), (1, 0), (0, 1), (1, 1)), rock)
    told = {cell: str(words_of(board, marks, {}, cell)) for cell in marks}
    assert told[3, 3] == "the ford, end on this side"
    assert told[3, 4] == "the ford, end on the far side"
    assert told[1, 0] == "the rock, corner on this side, right"
    turned = replace(board, turn=90.0)
    assert str(words_of(turned, marks, {}, (3, 4))) == "the ford, left end"

"""Boards and the pieces on them: read, written again, refused by name; places become cells."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest

from companion.geometry.grid.placing import cell_middle, cells_of, on_board
from models.board import Board
from models.board_table import BoardPiece, BoardTable, Measured
from models.message import BadInput, UnknownName

SQUARES: dict[str, Any] = {
    "format": "table-companion/2",
    "game": "tactics",
    "board": {
        "space": "square",
        "columns": 14,
        "rows": 7,
        "cell": 1.25,
        "at": [4.0, 4.0],
        "turn": 12.0,
        "ground": {"3,2": "open-x", "4,2": ["open-o", "high"], "0,5": "none"},
        "marks": {"6,3": "objective", "7,5": ["loot", "trap"]},
        "edges": [
            {"between": ["1,1", "2,1"], "kind": "wall"},
            {"between": ["1,2", "2,2"], "kind": "door", "open": False},
        ],
    },
    "pieces": [
        {"id": "b1", "side": "blue", "name": "Robert", "cell": "3,3", "size": 1, "health": 4},
        {"id": "r1", "side": "red", "name": "Rhaegar", "cell": "8,4", "size": 2},
        {"id": "r2", "side": "red", "x": 9.0, "y": 8.0, "sigma": {"xy": 0.1}},
    ],
}
HEXES = {
    "format": "table-companion/2",
    "game": "westeros",
    "board": {
        "space": "hex",
        "columns": 11,
        "rows": 15,
        "cell": 2.0,
        "ground": {"2,2": ["hill"], "3,2": ["river", "wooden-bridge", "fire-1"]},
        "edges": [{"between": ["2,1", "3,2"], "kind": "palisade"}],
    },
}


def table(text: dict[str, Any]) -> BoardTable:
    return BoardTable.parse(json.dumps(text), "a.table.json")


@pytest.mark.parametrize("text", [SQUARES, HEXES], ids=["squares", "hexes"])
def test_a_table_is_read_and_written_again(text: dict[str, Any]) -> None:
    found = table(text)
    assert BoardTable.parse(found.text()) == found


def test_what_a_table_says() -> None:
    found = table(SQUARES)
    assert found.piece("b1").facts == {"health": 4}
    assert found.board.ground[4, 2] == ("open-o", "high")
    assert (0, 5) not in found.board
    assert found.sides() == ("blue", "red")
    assert found.moved("r2", (5, 5)).piece("r2").cell == (5, 5)
    with pytest.raises(UnknownName, match="'x9'"):
        found.piece("x9")


def changed(path: str, value: Any) -> dict[str, Any]:
    """The sample with one value replaced (`pieces.0.cell`), or added."""
    copy: Any = json.loads(json.dumps(SQUARES))
    *steps, last = path.split("/")
    here = copy
    for step in steps:
        here = here[int(step)] if isinstance(here, list) else here[step]
    here[int(last) if isinstance(here, list) else last] = value
    return dict(copy)


@pytest.mark.parametrize(
    ("path", "value", "place", "problem"),
    [
        ("board/space", "triangle", "board.space", "'triangle' is unknown"),
        ("board/columns", 0, "board.columns", "outside 1 to 60"),
        ("board/cell", "wide", "board.cell", "not a number"),
        ("board/at", [1.0], "board.at", "has 1 entries"),
        ("board/colour", "red", "board", "unknown key 'colour'"),
        ("board/ground", {"3,2": "lava"}, "board.ground.3,2", "'lava' is unknown"),
        ("board/ground", {"14,2": "open-x"}, "board.ground", "'14,2' is not on the board"),
        ("board/ground", {"three": "open-x"}, "board.ground", "is no cell"),
        ("board/ground", ["open-x"], "board.ground", "is not an object"),
        ("board/edges/0/between", ["1,1", "2,2"], "board.edges[0].between", "do not share"),
        (
            "board/edges/0/between",
            ["13,1", "14,1"],
            "board.edges[0].between[1]",
            "not on the board",
        ),
        ("board/edges/0/between", ["2,2", "1,2"], "board.edges[1].between", "stands twice"),
        ("board/edges/1/open", "no", "board.edges[1].open", "neither true nor false"),
        ("pieces/1/cell", "13,6", "pieces[1].cell", "covers 14,6"),
        ("pieces/0/cell", "0,5", "pieces[0].cell", "is not on the board"),
        ("pieces/0/size", 9, "pieces[0].size", "outside 1 to 4"),
        ("pieces/0/x", 3.0, "pieces[0]", "has a cell and 'x' too"),
        ("pieces/1/id", "b1", "pieces[1].id", "stands twice"),
        ("pieces/2", {"id": "r2", "side": "red"}, "pieces[2]", "'x' is missing"),
        ("pieces/2", 7, "pieces[2]", "is not an object"),
        ("format", "table-companion/1", "format", "is not 'table-companion/2'"),
    ],
)
def test_bad_boards_are_refused_by_place(path: str, value: Any, place: str, problem: str) -> None:
    with pytest.raises(BadInput) as refused:
        table(changed(path, value))
    assert str(refused.value).startswith(f"a.table.json: {place}")
    assert problem in str(refused.value)


def test_a_measured_piece_needs_a_board_that_lies_somewhere() -> None:
    text = changed("pieces/0/health", 4)
    del text["board"]["at"], text["board"]["turn"]
    with pytest.raises(BadInput, match="does not say where it lies"):
        table(text)


@pytest.mark.parametrize("text", [SQUARES, HEXES], ids=["squares", "hexes"])
def test_the_middle_of_every_cell_is_on_that_cell(text: dict[str, Any]) -> None:
    board = Board.read(board_field(text))
    for column in range(board.columns):
        for row in range(board.rows):
            for size in (1, 2) if board.space == "square" else (1,):
                x, y = cell_middle(board, (column, row), size)
                piece = BoardPiece("a", "blue", size=size, measured=Measured(x, y, 0.05))
                chances = cells_of(board, piece)
                assert next(iter(chances)) == (column, row)
                assert chances[column, row] > 0.999


def board_field(text: dict[str, Any]) -> Any:
    from models.field import Field

    return Field({**text["board"], "at": [3.0, 2.0], "turn": -20.0})


def test_a_piece_between_two_cells_may_stand_on_either() -> None:
    board = table(SQUARES).board
    one, two = cell_middle(board, (3, 3)), cell_middle(board, (4, 3))
    dice = random.Random(2)
    for _ in range(20):
        share = dice.uniform(0.3, 0.7)
        x, y = (a + share * (b - a) for a, b in zip(one, two, strict=True))
        chances = cells_of(board, BoardPiece("a", "blue", measured=Measured(x, y, 0.3)))
        assert set(list(chances)[:2]) == {(3, 3), (4, 3)}
        assert math.isclose(sum(chances.values()), 1.0)


def test_places_on_a_turned_board() -> None:
    board = table(SQUARES).board
    u, v = on_board(board, *cell_middle(board, (2, 5)))
    assert (u, v) == pytest.approx((2.5, 5.5))

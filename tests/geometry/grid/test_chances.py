"""The chance of each cell, against many random places."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable

import pytest

from companion.geometry.grid.placing import (
    cell_at,
    hex_chances,
    likely_cells,
    square_chances,
)
from models.board import Board, Cell, Space
from models.board_table import BoardPiece, Measured

ROW, SIDE = math.sqrt(3) / 2, 1 / math.sqrt(3)


def square_at(x: float, y: float) -> Cell:
    return math.floor(x), math.floor(y)


def hex_at(x: float, y: float) -> Cell:
    """The hex whose centre is nearest."""
    cells = [(c, r) for r in range(-1, 6) for c in range(-1, 7)]
    return min(
        cells,
        key=lambda one: math.hypot(x - one[0] - 0.5 - one[1] % 2 / 2, y - SIDE - ROW * one[1]),
    )


@pytest.mark.parametrize(
    ("chances", "true_cell"), [(square_chances, square_at), (hex_chances, hex_at)]
)
@pytest.mark.parametrize("sigma", [0.05, 0.3, 0.8])
def test_chances_are_those_of_random_places(
    chances: Callable[[float, float, float], dict[Cell, float]],
    true_cell: Callable[[float, float], Cell],
    sigma: float,
) -> None:
    dice = random.Random(3)
    for x, y in ((2.5, 2.4), (3.02, 1.97), (2.0, 2.6)):
        found = chances(x, y, sigma)
        assert sum(found.values()) == pytest.approx(1.0)
        counted = Counter(
            true_cell(dice.gauss(x, sigma), dice.gauss(y, sigma)) for _ in range(1500)
        )
        for cell in counted.keys() | found.keys():
            assert counted[cell] / 1500 == pytest.approx(found.get(cell, 0.0), abs=0.045)


def test_an_exact_place_has_one_cell_and_a_border_shares_them() -> None:
    assert square_chances(2.5, 3.1, 0.0) == {(2, 3): 1.0}
    assert square_chances(2.0, 3.5, 0.0) == {(1, 3): 0.5, (2, 3): 0.5}
    assert hex_chances(0.5, SIDE, 0.0) == {(0, 0): 1.0}
    assert hex_chances(1.0, SIDE, 0.0) == {(0, 0): 0.5, (1, 0): 0.5}


def test_the_likeliest_cell_comes_first() -> None:
    found = square_chances(2.9, 3.5, 0.2)
    assert next(iter(found)) == (2, 3)
    assert list(found.values()) == sorted(found.values(), reverse=True)


@pytest.mark.parametrize(("space", "size"), [("square", 1), ("square", 2), ("hex", 1)])
def test_the_cell_at_a_place_is_the_most_probable_one(space: Space, size: int) -> None:
    board, rng = Board(space, 9, 8, 1.5, (4.0, 3.0), 23.0), random.Random(11)
    for _ in range(300):
        x, y = board.middle((rng.randrange(2, 6), rng.randrange(2, 5)))
        x, y = x + rng.uniform(-1.5, 1.5), y + rng.uniform(-1.5, 1.5)
        seen = BoardPiece("a", "blue", size=size, measured=Measured(x, y, rng.uniform(0.05, 1.2)))
        assert next(iter(likely_cells(board, seen))) == cell_at(board, x, y, size)

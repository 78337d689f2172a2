"""Positions of measured pieces: none is taken to be certain that is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from bench.boards import large_board
from companion import games
from companion.games.shared.board_report import (
    MOST_COMBINATIONS,
    MOST_WORK,
    cell_chances,
    likely_positions,
    merged_checks,
)
from models.board import Cell
from models.message import CompanionError


@dataclass(frozen=True)
class Pawn:
    id: str
    cell: Cell
    name: str = ""


@dataclass(frozen=True)
class Pawns:
    pawns: tuple[Pawn, ...]

    @property
    def by_id(self) -> Mapping[str, Pawn]:
        return {one.id: one for one in self.pawns}


def problem(position: Pawns) -> str:
    cells = [one.cell for one in position.pawns]
    return "" if len(set(cells)) == len(cells) else f"two on {cells}"


def choices(name: str, *cells: tuple[Cell, float]) -> list[tuple[Pawn, float]]:
    return [(Pawn(name, cell), chance) for cell, chance in cells]


def test_every_possible_position_the_likeliest_first() -> None:
    one = choices("a", ((0, 0), 0.25), ((1, 0), 0.75))
    two = choices("b", ((1, 0), 0.5), ((2, 0), 0.5))
    found = likely_positions([one, two], Pawns, problem)
    cells = [tuple(pawn.cell for pawn in way.position.pawns) for way in found]
    assert cells == [((1, 0), (2, 0)), ((0, 0), (1, 0)), ((0, 0), (2, 0))]
    assert [way.chance for way in found] == pytest.approx([0.6, 0.2, 0.2])


def test_hundreds_of_pieces_with_small_chances_are_weighed() -> None:
    """The product of their chances is smaller than any float."""
    every = [choices(f"p{n}", *(((n, row), 0.04) for row in range(25))) for n in range(400)]
    (found,) = likely_positions(every, Pawns, problem)
    assert found.chance == 1
    assert len(found.vague) == 400


def test_no_piece_becomes_certain_when_there_are_too_many_combinations() -> None:
    every = [choices(f"p{n}", ((n, 0), 0.9), ((n, 1), 0.1)) for n in range(9)]
    found = likely_positions(every, Pawns, problem)
    assert len(found) < 2 * MOST_COMBINATIONS
    for n in range(9):
        assert list(cell_chances(found, f"p{n}")) == [(n, 0), (n, 1)]


def test_a_table_on_which_nothing_fits_is_refused() -> None:
    taken = choices("a", ((0, 0), 1.0))
    with pytest.raises(CompanionError, match="two on"):
        likely_positions([taken, choices("b", ((0, 0), 1.0))], Pawns, problem)


def test_checks_that_differ_are_unsure_with_their_share() -> None:
    yes, no = {"answer": "yes", "why": []}, {"answer": "no", "why": ["R-1"]}
    found = merged_checks([(0.6, {"move": yes, "turn": no}), (0.2, {"move": no, "turn": no})])
    assert found["turn"] == no
    assert found["move"] == {"answer": "unsure", "why": [], "probability": 0.75}


def test_a_piece_of_whose_cells_too_many_are_not_tried_is_vague() -> None:
    every = [choices(f"p{n}", ((n, 0), 0.9), ((n, 1), 0.1)) for n in range(100)]
    every[0] = choices("p0", ((0, 0), 0.995), ((0, 1), 0.005))
    found = likely_positions(every, Pawns, problem)
    assert len(found) == MOST_WORK // 100**2
    doubtful = [n for n in range(100) if len(cell_chances(found, f"p{n}")) == 1]
    assert found[0].vague == frozenset(doubtful) - {0}  # p0 has lost too little to matter


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tactics", "westeros"])
def test_badly_measured_pieces_cost_little_and_are_never_certain(game: str) -> None:
    table = large_board(game, 20, 20, measured=True)
    report: Any = games.find(game).report(table)
    assert len(report.placed) <= MOST_WORK // len(table.pieces) ** 2
    told = report.to_json("t")["pieces"]
    for piece in table.pieces:
        assert len(told[piece.id]["cells"]) > 1
        assert "yes" not in {one["answer"] for one in told[piece.id]["attacks"].values()}

"""Positions of measured pieces: none is taken to be certain that is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from companion.games.shared.board_report import (
    MOST_COMBINATIONS,
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

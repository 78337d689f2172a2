"""Pieces measured so badly that not all their cells are tried: what is told for sure stays true."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, Literal

import pytest

from companion import games
from companion.games.shared import board_report
from models.board import Board
from models.board_table import BoardPiece, BoardTable, Measured

PIECES = 12


def crowded(game: str, seed: int) -> BoardTable:
    """A board on which p0 may stand on any of some twenty cells."""
    space: Literal["square", "hex"] = "hex" if game == "westeros" else "square"
    board = Board(space, 9, 8, 1.25, (0.0, 0.0))
    cells = [(column, row) for column in range(9) for row in range(8)]
    Random(seed).shuffle(cells)
    first, *others = [
        BoardPiece(f"p{n}", ("blue", "red")[n % 2], cell=cells[n]) for n in range(PIECES)
    ]
    place = Measured(*board.middle(cells[0]), 1.2)
    return BoardTable(game, board, (replace(first, cell=None, measured=place), *others))


def verdicts(told: dict[str, Any]) -> dict[tuple[str, str, str], str]:
    return {
        (key, one, other): found["answer"]
        for one, answers in told.items()
        for key in ("sees", "attacks", "charges")
        for other, found in answers.get(key, {}).items()
    }


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", ["tactics", "westeros"])
def test_what_is_sure_holds_wherever_a_vague_piece_stands(
    game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, find = crowded(game, seed), games.find(game)
    monkeypatch.setattr(board_report, "MOST_WORK", 2 * PIECES**2)
    report: Any = find.report(table)
    told = report.to_json("t")["pieces"]
    assert report.vague.ids == {"p0"}
    found = verdicts(told)
    taken = {one.cell for one in table.pieces}
    for cell in report.cells["p0"].keys() - taken:
        exact = find.report(table.moved("p0", cell)).to_json("t")["pieces"]
        for key, answer in verdicts(exact).items():
            assert found[key] in ("unsure", answer), (key, cell)
        for one, answers in told.items():
            sure = {there for there, end in answers["reach"].items() if "answer" not in end}
            assert sure <= exact[one]["reach"].keys(), (one, cell)
    others = Counter(answer for key, answer in found.items() if "p0" not in key)
    assert others["unsure"] < others["yes"] + others["no"]
    assert {answer for key, answer in found.items() if "p0" in key} >= {"no", "unsure"}

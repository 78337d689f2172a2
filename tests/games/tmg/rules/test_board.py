"""The table alone as a picture, for reports: the ground and who stands on it, and no answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.tmg.game import GAME
from companion.overlay.picture import paint
from models import Table

PRACTICE = Path(__file__).parents[4] / "models/data/practice.table.json"


@pytest.mark.rule("TMG-TER-1")
def test_the_board_shows_units_and_ground_and_no_answers(tmp_path: Path) -> None:
    table = Table.load(PRACTICE)
    board = GAME.board(table)
    shown = {name for shape in board.shapes for name in shape.about}
    assert {unit.id for unit in table.units} <= shown
    assert {piece.id for piece in table.terrain} <= shown
    roles = {shape.style.role for shape in board.shapes}
    assert roles.isdisjoint({"charge", "shot", "threat-charge", "threat-shot"})
    assert {"charge", "shot"} <= {shape.style.role for shape in GAME.scene(table).shapes}
    paint(board, tmp_path / "board.png", (400, 400))
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")

"""Files of earlier companions are read for ever: never change the games in tests/session/kept."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.session.session import Session
from tests.session.conftest import Watch

KEPT = Path(__file__).parent / "kept"


def test_a_game_of_the_first_layout(path: Path, watch: Watch) -> None:
    shutil.copy(KEPT / "layout-1.game", path)
    with Session.open(path, watch) as session:
        assert session.damage is None
        state = session.state("blue")
        assert (state["seq"], state["round"], state["stones"], state["active"]) == (
            14,
            1,
            34,
            "red",
        )
        assert state["vp"] == {"blue": 5, "red": 1}
        assert state["hands"] == {"blue": ["ace"], "red": 0}
        assert [note["text"] for note in state["notes"]] == ["kept for later companions"]
        assert (state["undo"], state["redo"]) == ("note: kept for later companions", "red takes 1")
        assert state["clock"]["sides"]["red"]["left"] < 3600
        assert session.answer({"do": "redo"})["state"]["stones"] == 33
        assert session.answer({"do": "undo", "to": 0})["state"]["game"] is None

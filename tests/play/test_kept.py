"""Games of earlier companions are played on: never change the files in tests/session/kept."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.session.session import Session
from companion.text.translation import catalogue

KEPT = Path(__file__).parents[1] / "session" / "kept"


def test_a_game_of_the_second_layout(tmp_path: Path) -> None:
    """Its sentences were kept with their templates: they are told in any language."""
    path = tmp_path / "a.game"
    shutil.copy(KEPT / "layout-2.game", path)
    with Session.open(path) as session:
        assert session.damage is None
        state = session.state()
        assert (state["game"], state["mode"], state["round"]) == ("tmg-2021", "GOT", 1)
        assert [test["causes"] for test in state["panic"]] == [["attacked by b1"]]
        (test,) = state["panic"]
        assert catalogue("de").translate(test["causes"][0]) == "Angriff durch b1"
        assert session.answer({"do": "panic", "faces": [6, 6], "d3": 1, "keep": True})["ok"]
        assert session.answer({"do": "undo", "to": 1})["state"]["step"] == "ready"

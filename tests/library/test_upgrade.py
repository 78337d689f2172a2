"""A game that the first version kept goes on in this one."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.session.session import Session

KEPT = Path(__file__).parents[1] / "session" / "kept"


@pytest.mark.parametrize(
    ("game", "seq", "state"),
    [
        ("tmg", 28, {"round": 1, "phase": "activation", "active": "blue", "first": "blue"}),
        ("tactics", 28, {"round": 1, "phase": "round", "active": "red", "first": "red"}),
        ("westeros", 28, {"round": 2, "phase": "command", "active": "stark", "first": "lannister"}),
        ("thrones", 23, {"round": 1, "phase": "plot", "active": "p6", "first": "p3"}),
    ],
)
def test_a_game_that_version_0_1_0_kept_goes_on(
    game: str, seq: int, state: dict[str, Any], tmp_path: Path
) -> None:
    """The values are those that 0.1.0 itself showed."""
    path = tmp_path / "a.game"
    path.write_bytes(gzip.decompress((KEPT / f"0.1.0-{game}.game.gz").read_bytes()))
    with Session.open(path) as session:
        assert session.damage is None
        before = session.state()
        assert before["seq"] == seq
        assert {key: before[key] for key in state} == state
        assert before["undo"] == "note: kept for later companions"
        assert Client(RunningGame(session)).view().prompts, "what is next can be tapped"
        assert session.answer({"do": "redo"})["ok"]
        assert session.answer({"do": "undo"})["ok"]
        assert session.answer({"do": "undo", "count": 5})["ok"]
        assert all(session.answer({"do": "redo"})["ok"] for _ in range(5))
        after = session.state()
        assert {key: after[key] for key in state} == state
        assert session.answer({"do": "undo", "to": 0})["ok"]
        assert session.answer({"do": "note", "text": "so it goes on"})["ok"]

"""2,000 random commands, legal or not: no exception, no impossible state, all of it undoable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.session.session import Session
from tests.session.driving import drive


def possible(heap: Any) -> None:
    assert heap.stones >= 0
    assert heap.stones + sum(heap.taken) == 5000


@pytest.mark.parametrize("seed", [1, 2])
def test_random_commands(path: Path, seed: int) -> None:
    with Session.open(path) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 5000, "seed": 1})
        tally = drive(session, 2000, seed, possible)
    for command in ("take", "gamble", "hide", "place", "undo", "redo", "note", "clock"):
        assert tally[command][True] >= 10, command
    for command in ("take", "hide", "undo", "redo", "note", "clock"):
        assert tally[command][False] > 5, command

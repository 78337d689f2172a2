"""A program of ten lines plays whole games, of both editions and every mode (`make soak`: 200)."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from tests.play.random_games import KINDS, one_game, play

GAMES = 20


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for the disk proves something only where the disk is the subject (test_log.py)."""
    monkeypatch.setattr("companion.session.log.SYNCHRONOUS", "OFF")


@pytest.mark.parametrize("number", range(GAMES), ids=lambda n: "-".join(KINDS[n % len(KINDS)]))
def test_a_whole_game_from_pending_and_help_alone(number: int, tmp_path: Path) -> None:
    found = one_game(tmp_path / "a.game", number)
    assert found["winner"]
    assert found["commands"].total() > 20


def test_the_program_is_a_short_one() -> None:
    lines = inspect.getsource(play).splitlines()
    assert len(lines) <= 10

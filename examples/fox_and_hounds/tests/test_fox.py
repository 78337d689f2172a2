"""The rules of fox and hounds, and a game played by taps to its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fox_and_hounds.game import GAME, START
from fox_and_hounds.play import PLAY, Hunt

import companion as tc


@pytest.fixture
def game(tmp_path: Path) -> Iterator[tc.Game]:
    with tc.Game(tmp_path / "a.game") as game:
        game.practise("foxhunt")
        yield game


def step(game: tc.Game, piece: str, cell: str) -> str:
    """Tap a piece, then a square: what the screen says."""
    offers = game.act({"select": piece})["offers"]
    tap = next(one["tap"] for offer in offers for one in offer["cells"] if one["cell"] == cell)
    return str(game.act({"tap": tap})["result"])


def test_hounds_go_forwards_and_the_fox_anywhere() -> None:
    """FOX-1, FOX-2: diagonally, never onto another piece."""
    steps = GAME.steps
    assert steps(START, "h1") == [(1, 1)]
    assert steps(START, "h2") == [(1, 1), (3, 1)]
    assert steps(START, "fox") == [(2, 6), (4, 6)]
    assert steps(START.moved("fox", (1, 1)), "h1") == []
    assert len(steps(START.moved("fox", (3, 3)), "fox")) == 4


def test_whose_turn_it_is_and_what_is_refused(game: tc.Game) -> None:
    with pytest.raises(tc.Refused, match="not the turn of Hound 1") as refused:
        game.do("step", piece="h1", cell="1,1")
    assert refused.value.why == "FOX-1"
    with pytest.raises(tc.Refused, match="Fox cannot step there"):
        game.do("step", piece="fox", cell="3,5")
    assert step(game, "fox", "4,6") == "Fox steps to 4,6"
    game.undo()
    assert step(game, "fox", "2,6") == "Fox steps to 2,6"


def test_it_is_played_in_german(tmp_path: Path) -> None:
    with tc.Game(tmp_path / "a.game", "de") as game:
        game.practise("foxhunt")
        assert step(game, "fox", "2,6") == "Fuchs zieht nach 2,6"


def test_the_fox_wins_on_the_last_row(game: tc.Game) -> None:
    """FOX-3: the hounds run past it."""
    for piece, cell in (
        ("fox", "2,6"), ("h2", "1,1"), ("fox", "3,5"), ("h2", "0,2"), ("fox", "2,4"),
        ("h2", "1,3"), ("fox", "3,3"), ("h4", "7,1"), ("fox", "2,2"), ("h4", "6,2"),
        ("fox", "1,1"), ("h4", "7,3"), ("fox", "2,0"),
    ):  # fmt: skip
        step(game, piece, cell)
    assert game.winner == "fox"
    assert "Anna" in game.report()
    with pytest.raises(tc.Refused, match="over"):
        game.do("step", piece="h1", cell="1,1")


def test_a_fox_that_cannot_move_has_lost() -> None:
    """FOX-4: in a corner, behind one hound."""
    caught = START.moved("fox", (0, 4)).moved("h1", (1, 3)).moved("h2", (1, 5))
    state = PLAY.start("foxhunt", {})
    assert PLAY.winner(Hunt(caught, state.seats)) == "hounds"
    assert PLAY.winner(Hunt(caught, state.seats, turn=1)) is None

"""The four properties of every screen, on a few random games of each kind."""

from __future__ import annotations

import pytest

from tests.games.random_states import KINDS
from tests.play.screen_properties import play_game

GAMES = 2
"""Of each kind; `make soak` plays 500 (`tests.play.screen_properties`)."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_screens_are_true_accepted_asked_and_reachable(kind: str) -> None:
    for seed in range(GAMES):
        game = play_game(kind, seed, steps=25)
        assert game.taps

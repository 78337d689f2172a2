"""The four properties of every screen, on a few random games of each kind."""

from __future__ import annotations

import pytest

from tests.games.random_states import KINDS
from tests.play.screen_properties import play_game
from tests.trials import trials

FEW, MANY = 3, 500


@pytest.mark.parametrize("kind", KINDS)
def test_screens_are_true_accepted_asked_and_reachable(kind: str) -> None:
    for seed in range(trials(FEW, MANY)):
        game = play_game(kind, seed, steps=40)
        assert game.taps

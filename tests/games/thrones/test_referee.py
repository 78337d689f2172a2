"""A few random games against the referee; `make soak` plays 500."""

from __future__ import annotations

import pytest

from tests.games.thrones.referee import Referee


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 4)])
def test_the_referee_agrees(seed: int, players: int) -> None:
    assert Referee(seed, players).play() > 50

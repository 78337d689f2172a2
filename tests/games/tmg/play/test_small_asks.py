"""What is asked about one unit or test leaves the questions about the others alone."""

from __future__ import annotations

import pytest

from models import Sigma
from tests.games.tmg.play.sighted import NORTH, seen, slab
from tests.play.battle import battle_of


@pytest.mark.rule("TMG-TER-12", "TMG-PAN-7")
def test_a_test_that_is_not_rolled_leaves_the_ground_of_another_open() -> None:
    battle = battle_of("GOT")
    near = slab(battle.game, "weirwood", (10, 12.4 + 5.99, 40, 20))
    spots = {"b1": (17.0, 10.0, NORTH), "b2": (31.0, 10.0, NORTH)}
    seen(battle, spots, (near,), sigma=Sigma(0.3))
    battle.do("test", unit="b1", why="fear").do("test", unit="b2", why="fear")
    assert [one.unit for one in battle.state.tasks] == ["b1", "b2"]
    battle.do("pass-test", unit="b1", why="brave")
    assert [one.unit for one in battle.state.tasks] == ["b2"]
    assert [one.unit for one in battle.state.trials] == ["b2"]
    battle.do("ground", holds=True).do("panic", unit="b2", faces=[6, 6], keep=True)
    assert not battle.state.tasks

"""Who is out leaves nothing behind that others would wait for, and takes nothing of theirs."""

from __future__ import annotations

import pytest

from tests.play.battle import LANNISTER, STARK, Battle


def three() -> Battle:
    armies = [STARK, LANNISTER, {**STARK, "side": "green"}]
    return Battle(armies=armies, shape="ffa", unchecked=True).deployed()


@pytest.mark.rule("TMG-VIC-7", "TMG-FFA-7")
def test_tests_of_the_side_that_is_out_go_and_others_stay() -> None:
    battle = three()
    for unit in ("g1", "b1", "r1"):
        battle.do("test", unit=unit, why="fear")
    battle.do("concede", side="green")
    assert [trial.unit for trial in battle.state.trials] == ["b1", "r1"]
    assert battle.waits() == ["test", "test"]
    assert [unit.id for unit in battle.state.units if not unit.standing] == ["g1", "g2", "g3"]
    assert {ncu.side for ncu in battle.state.ncus} == {"blue", "red"}


@pytest.mark.rule("TMG-VIC-7", "TMG-FFA-7")
@pytest.mark.parametrize(("side", "runs"), [("green", False), ("red", True)])
def test_an_attack_ends_with_the_side_that_makes_or_suffers_it(side: str, runs: bool) -> None:
    battle = three().do("engage", unit="b1", **{"with": ["g1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="g1").do("concede", side=side)
    assert (battle.state.attack is not None) is runs
    if not runs:
        assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-VIC-7", "TMG-FFA-7")
def test_an_ncu_of_a_side_that_is_out_leaves_the_board_and_its_task() -> None:
    battle = three().do("activate", unit="bn1").do("claim", zone="crown")
    assert battle.waits() == ["zone"]
    battle.do("concede", side="blue")
    assert not any(battle.state.board)
    assert battle.state.tasks == ()
    assert battle.waits() == ["end-of-turn"]
    battle = three().do("activate", unit="bn1").do("claim", zone="crown")
    battle.do("concede", side="green")
    assert (battle.state.board[0], battle.waits()) == ("bn1", ["zone"])

"""Mistakes found after the end of a game: they are corrected, and the winner is decided again."""

from __future__ import annotations

import pytest

from companion.games.tmg.screen import SCREEN
from tests.games.tmg.play.test_victory import at, last_round
from tests.play.battle import Battle, battle_of


def dead(side: str = "red") -> Battle:
    """A game that ended by elimination, in the middle of an activation."""
    battle = battle_of("GOT").do("activate", unit="b1")
    for number in (1, 2, 3):
        battle.do("wounds", unit=f"{side[0]}{number}", wounds=12, by="blue")
    return battle


@pytest.mark.rule("TMG-VIC-7", "TMG-UNT-11")
def test_a_unit_that_stands_after_all_takes_the_elimination_back() -> None:
    battle = dead()
    assert (battle.state.phase, battle.state.winner) == ("over", "blue")
    battle.do("correct", unit="r3", wounds=11, why="misread dice")
    assert (battle.state.phase, battle.state.step) == ("activation", "end-of-turn")
    assert (battle.state.winner, battle.state.how) == ("", "")
    assert battle.side("red").eliminated is False
    assert battle.vp() == (2, 0)
    assert battle.titles[-1] == "Correction: nobody has won yet, the game goes on"
    battle.do("end-turn").do("activate", unit="r3")
    assert battle.folded() == battle.state
    battle.do("wounds", unit="r3", wounds=1, by="blue")
    assert (battle.state.phase, battle.state.winner) == ("over", "blue")


@pytest.mark.rule("TMG-VIC-7")
def test_other_corrections_leave_an_elimination_as_it_is() -> None:
    battle = dead()
    battle.do("correct", unit="b1", wounds=3).do("score", side="red", set=20)
    assert (battle.state.phase, battle.state.winner) == ("over", "blue")
    assert [one.type for one in battle.log].count("won") == 1
    battle.do("correct", unit="b1", wounds=12).do("correct", unit="b2", wounds=12)
    battle.do("correct", unit="r1", wounds=0)
    assert battle.state.phase == "activation"


@pytest.mark.rule("TMG-VIC-1", "TMG-RND-14")
def test_points_corrected_below_the_goal_let_the_game_go_on() -> None:
    battle = at((10, 7)).round_over()
    assert battle.state.winner == "blue"
    battle.do("score", side="blue", set=9, why="counted twice")
    assert (battle.state.winner, battle.state.round) == ("", 1)
    assert battle.waits() == ["discard"]
    battle.do("continue")
    assert (battle.state.round, battle.state.phase) == (2, "activation")
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-VIC-4", "TMG-VIC-5", "TMG-VIC-6")
def test_another_winner_after_round_6() -> None:
    battle = last_round(at((3, 2))).clean_up()
    assert battle.state.winner == "blue"
    battle.do("score", side="red", vp=1)
    assert (battle.state.phase, battle.state.winner) == ("over", "red")
    assert battle.state.how == "18 army points left on the battlefield (TMG-VIC-5)"
    battle.do("correct", unit="r1", wounds=12)  # a point for blue, which is ahead again
    assert (battle.vp(), battle.state.winner) == ((4, 3), "blue")
    assert battle.state.how == "most points after round 6 (TMG-VIC-4)"
    battle.do("correct", unit="r2", wounds=12).do("correct", unit="r3", wounds=12)
    assert battle.state.how == "elimination (TMG-VIC-7)"
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-VIC-1")
def test_a_concession_stays_and_nothing_else_is_heard() -> None:
    battle = battle_of("GOT").do("concede", side="red")
    battle.do("score", side="red", set=20).do("correct", unit="b1", wounds=2)
    assert (battle.state.phase, battle.state.winner) == ("over", "blue")
    assert battle.unit("b1").wounds == 2
    battle.refused("TMG-VIC-1", "wounds", unit="b1", wounds=1)
    battle.refused("TMG-RND-13", "score", confirm=True)


@pytest.mark.rule("TMG-VIC-1", "TMG-VIC-7")
def test_the_screen_says_that_the_game_goes_on() -> None:
    battle = dead()
    before, count = battle.state, len(battle.log)
    battle.do("correct", unit="r3", wounds=11)
    told = SCREEN.outcome(before, battle.log[count:], battle.state)
    assert told is not None
    assert told.text == "Correction: nobody has won yet, the game goes on."


@pytest.mark.rule("TMG-ORD-1", "TMG-ORD-5", "TMG-MODE-COK-16", edition="2018")
def test_2018_a_unit_that_stands_after_all_has_used_its_orders() -> None:
    battle = battle_of("COK", "2018").do("order", unit="b1", order="Hold the Line")
    used = battle.unit("b1").orders
    assert used
    battle.do("wounds", unit="b1", wounds=12, by="red").do("correct", unit="b1", wounds=3)
    assert battle.unit("b1").orders == used
    battle.do("wounds", unit="b1", wounds=12, by="red").round_over()
    battle.do("correct", unit="b1", wounds=3)
    assert battle.unit("b1").orders == ()

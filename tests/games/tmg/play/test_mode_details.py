"""Small print of the modes: taken tokens, secret missions, the commander's return."""

from __future__ import annotations

import pytest

from companion.games.tmg.play import PLAY
from tests.play.battle import Battle, battle_of

# -- a stronger attacker takes the token ------------------------------------------------------


def melee(mode: str, wounds: int, panic: tuple[int, int] = (6, 6), d3: int = 1) -> Battle:
    """The token's holder r1 is attacked by b1 and loses so many models."""
    battle = battle_of(mode).do("objective", token="o1", unit="r1")
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1").do("attack-result", wounds=wounds)
    if battle.state.trials:
        battle.do("panic", faces=list(panic), d3=d3, keep=True)
    return battle


@pytest.mark.rule("TMG-MODE-FFC-13", "TMG-MODE-DWD-10")
@pytest.mark.parametrize("mode", ["FFC", "DWD"])
@pytest.mark.parametrize(
    ("wounds", "holder"),
    [
        pytest.param(0, "r1", id="as many ranks"),
        pytest.param(3, "r1", id="models lost, no rank"),
        pytest.param(4, "b1", id="one rank fewer"),
        pytest.param(8, "b1", id="two ranks fewer"),
    ],
)
def test_only_an_attacker_with_more_ranks_takes_the_token(
    mode: str, wounds: int, holder: str
) -> None:
    battle = melee(mode, wounds).do("continue")
    assert battle.token("o1").holder == holder
    held = [event for event in battle.log if event.type == "token-held"][1:]
    rule = {"FFC": "TMG-MODE-FFC-13", "DWD": "TMG-MODE-DWD-10"}[mode]
    assert [(one.data["unit"], one.data["rule"]) for one in held] == (
        [("b1", rule)] if holder == "b1" else []
    )


@pytest.mark.rule("TMG-MODE-FFC-13")
def test_a_weaker_attacker_does_not_take_the_token() -> None:
    battle = battle_of("FFC").do("objective", token="o1", unit="r1")
    battle.do("wounds", unit="b1", wounds=8).do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1").fight(4)
    assert battle.unit("b1").ranks < battle.unit("r1").ranks
    assert battle.token("o1").holder == "r1"


@pytest.mark.rule("TMG-MODE-FFC-13", "TMG-MODE-FFC-11")
def test_the_token_waits_until_the_attack_is_resolved() -> None:
    battle = melee("FFC", 4)
    assert battle.waits() == ["attack-completed"]
    assert battle.token("o1").holder == "r1"
    battle.do("continue")
    assert battle.token("o1").holder == "b1"


@pytest.mark.rule("TMG-MODE-FFC-13")
def test_a_shot_takes_no_token() -> None:
    battle = battle_of("FFC").do("objective", token="o1", unit="r1").do("activate", unit="b2")
    battle.do("action", action="attack", target="r1").fight(8)
    assert battle.unit("b2").ranks > battle.unit("r1").ranks
    assert battle.token("o1").holder == "r1"


@pytest.mark.rule("TMG-MODE-FFC-8", "TMG-MODE-FFC-13", "TMG-MODE-DWD-10")
@pytest.mark.parametrize(("mode", "holder"), [("FFC", "r1"), ("DWD", "b1")])
def test_who_carries_a_token_takes_another_only_where_several_are_allowed(
    mode: str, holder: str
) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="r1")
    battle.do("objective", token="o2", unit="b1")
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1").fight(4)
    assert battle.token("o1").holder == holder
    assert battle.token("o2").holder == "b1"


# -- secret missions --------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-WOW-11", edition="2018")
def test_each_player_may_discard_one_secret_mission_and_draws_back_to_two() -> None:
    battle = battle_of("WOW", "2018")
    blue, red = (battle.player(name).missions for name in ("blue", "red"))
    battle.refused("TMG-RND-1", "lay-aside", player="blue", card=blue[0])
    battle.finish_round()
    battle.refused("TMG-MODE-WOW-11", "lay-aside", player="blue", card=red[0])
    battle.do("lay-aside", player="blue", card=blue[0])
    assert battle.player("blue").missions == (blue[1],)
    battle.refused("TMG-MODE-WOW-11", "lay-aside", player="blue", card=blue[1])
    battle.do("lay-aside", player="red", card=red[1])
    deck = battle.state.mission_deck
    battle.clean_up()
    assert battle.player("blue").missions == (blue[1], deck[0])
    assert battle.player("red").missions == (red[0], deck[1])
    battle.finish_round().do("lay-aside", player="blue", card=blue[1])


@pytest.mark.rule("TMG-MODE-WOW-11", edition="2018")
def test_who_discards_nothing_keeps_both_and_draws_nothing() -> None:
    battle = battle_of("WOW", "2018")
    hands = [battle.player(name).missions for name in ("blue", "red")]
    battle.finish_round().do("continue")
    battle.refused("TMG-MODE-WOW-11", "lay-aside", player="blue", card=hands[0][0])
    battle.clean_up()
    assert [battle.player(name).missions for name in ("blue", "red")] == hands


@pytest.mark.rule("TMG-MODE-WOW-11", edition="2018")
def test_a_scored_mission_is_replaced_at_the_end_of_the_round() -> None:
    battle = battle_of("WOW", "2018").round_over()
    first, second = battle.player("blue").missions
    battle.do("mission", side="blue", mission=first, vp=1)
    assert battle.player("blue").missions == (second,)
    battle.round_over()
    assert len(battle.player("blue").missions) == 2
    assert battle.player("blue").missions[0] == second


@pytest.mark.rule("TMG-MODE-WOW-11", edition="2018")
def test_other_games_have_no_secret_missions_to_discard() -> None:
    battle = battle_of("WOW").finish_round()
    card = battle.player("blue").missions[0]
    battle.refused("TMG-MODE-WOW-11", "lay-aside", player="blue", card=card)


# -- the commander returns --------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-COK-7")
def test_the_first_player_decides_first_whether_the_commander_returns() -> None:
    battle = battle_of("COK").do("wounds", unit="b1", wounds=12)
    battle.do("wounds", unit="r1", wounds=12)
    battle.refused("TMG-MODE-COK-7", "redeploy", unit="r1")
    battle.round_over()
    assert (battle.state.round, battle.state.first) == (2, "red")
    (waiting,) = PLAY.pending(battle.state)
    assert (waiting.what, waiting.side) == ("redeploy", "red")
    battle.refused("TMG-MODE-COK-7", "redeploy", unit="b1")
    battle.refused("TMG-MODE-COK-7", "redeploy", unit="r2")
    battle.do("redeploy", unit="r1")
    (waiting,) = PLAY.pending(battle.state)
    assert (waiting.what, waiting.side) == ("redeploy", "blue")
    battle.do("redeploy", unit="b1")
    assert battle.unit("b1").place == battle.unit("r1").place == "field"
    assert battle.unit("b1").wounds == battle.unit("r1").wounds == 0
    assert not battle.unit("r1").activated
    assert battle.waits() == ["turn-start"]
    assert "use-card" in PLAY.pending(battle.state)[0].commands


@pytest.mark.rule("TMG-MODE-COK-7")
def test_a_player_may_leave_the_commander_out_and_ask_again_next_round() -> None:
    battle = battle_of("COK").do("wounds", unit="r1", wounds=12).round_over()
    assert battle.waits() == ["redeploy"]
    battle.do("continue")
    assert battle.waits() == ["turn-start"]
    assert battle.unit("r1").place == "destroyed"
    battle.refused("TMG-MODE-COK-7", "redeploy", unit="r1")
    battle.round_over()
    assert battle.waits() == ["redeploy"]
    battle.do("redeploy", unit="r1")
    assert battle.unit("r1").place == "field"


@pytest.mark.rule("TMG-MODE-COK-7")
def test_only_the_commanders_unit_returns() -> None:
    battle = battle_of("COK").do("wounds", unit="r2", wounds=12).round_over()
    assert battle.waits() == ["turn-start"]
    battle.refused("TMG-MODE-COK-7", "redeploy", unit="r2")

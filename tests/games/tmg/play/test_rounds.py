"""Rounds, turns and clean-up: the pipeline and everything it keeps."""

from __future__ import annotations

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.play.flow.steps import pipeline
from tests.play.battle import LANNISTER, STARK, Battle

EDITIONS = ("2021", "2018")


@pytest.fixture(params=EDITIONS)
def battle(request: pytest.FixtureRequest) -> Battle:
    return Battle("GOT", request.param).deployed()


def turn_of(battle: Battle) -> tuple[str, int]:
    return battle.state.active, battle.state.turn


@pytest.mark.rule("TMG-RND-1", "TMG-RND-2", "TMG-GLO-17", "TMG-GLO-18", "TMG-GLO-19", "TMG-STA-2")
def test_a_round_begins_with_the_first_players_turn(battle: Battle) -> None:
    assert battle.state.phase == "activation"
    assert (battle.state.round, battle.state.turn) == (1, 1)
    assert battle.state.active == battle.state.first == "blue"
    battle.finish_round()
    assert battle.state.phase == "clean-up"


@pytest.mark.rule("TMG-RND-4", "TMG-RND-8", "TMG-UNT-1", "TMG-NCU-8")
def test_turns_alternate_and_each_activates_one_unit_of_either_kind(battle: Battle) -> None:
    battle.refused("TMG-RND-4", "activate", unit="r1")
    battle.forgo("b1")
    assert turn_of(battle) == ("red", 2)
    battle.refused("TMG-RND-4", "activate", unit="b2")
    battle.forgo("rn1")
    assert turn_of(battle) == ("blue", 3)


@pytest.mark.rule("TMG-RND-5")
def test_only_a_unit_not_yet_activated_may_be_chosen(battle: Battle) -> None:
    battle.forgo("b1").forgo("r1")
    assert "b1" in battle.refused("TMG-RND-5", "activate", unit="b1")


@pytest.mark.rule("TMG-GLO-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_one_activation_a_round(year: str) -> None:
    battle = Battle("GOT", year).deployed().forgo("b1").forgo("r1")
    battle.refused("TMG-RND-5", "activate", unit="b1")
    battle.round_over()
    assert not battle.unit("b1").activated
    if battle.state.active == "red":
        battle.forgo("r1")
    battle.do("activate", unit="b1")


@pytest.mark.rule("TMG-RND-6", "TMG-ACT-1", "TMG-ACT-3")
def test_the_activated_unit_performs_one_action_and_gets_its_token(battle: Battle) -> None:
    battle.refused("TMG-RND-6", "action", action="march")
    battle.do("activate", unit="b1")
    battle.refused("TMG-RND-6", "activate", unit="b2")
    battle.do("action", action="maneuver")
    assert battle.unit("b1").activated
    battle.refused("TMG-RND-6", "action", action="march")
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-ACT-2")
def test_an_action_may_be_forgone(battle: Battle) -> None:
    battle.do("activate", unit="b1")
    assert "TMG-ACT-2" in PLAY.pending(battle.state)[0].say
    battle.do("action", action="forgo")
    assert battle.unit("b1").activated


@pytest.mark.rule("TMG-RND-3", "TMG-RND-7")
def test_start_and_end_of_a_turn_offer_cards(battle: Battle) -> None:
    first = PLAY.pending(battle.state)[0]
    assert (first.what, first.side) == ("turn-start", "blue")
    assert "play" in first.commands
    battle.do("activate", unit="b1").do("action", action="forgo")
    last = PLAY.pending(battle.state)[0]
    assert (last.what, last.side) == ("end-of-turn", None)
    assert {"play", "end-turn"} <= set(last.commands)
    battle.do("play", player="red", card=battle.player("red").hand[0])


@pytest.mark.rule("TMG-RND-9")
def test_nobody_passes_while_a_unit_is_left(battle: Battle) -> None:
    assert "b1" in battle.refused("TMG-RND-9", "pass")


@pytest.mark.rule("TMG-RND-10", "TMG-RND-11")
def test_who_has_no_unit_left_must_pass_and_the_other_goes_on() -> None:
    short = {**LANNISTER, "units": LANNISTER["units"][:1], "ncus": []}
    battle = Battle(armies=[STARK, short]).deployed()
    battle.forgo("b1").forgo("r1").forgo("b2")
    assert turn_of(battle) == ("blue", 4)
    assert any("must pass" in line for line in battle.titles)
    battle.forgo("b3").forgo("bn1")
    assert battle.state.phase == "activation"
    battle.forgo("bn2")
    assert battle.state.phase == "clean-up"


@pytest.mark.rule("TMG-RND-24", "TMG-RND-23")
@pytest.mark.parametrize("year", EDITIONS)
def test_clean_up_runs_in_its_order(year: str) -> None:
    battle = Battle("GOT", year).deployed().finish_round()
    battle.do("continue").do("score", confirm=True).do("continue")
    steps = [event.data["step"] for event in battle.log if event.type == "step"]
    begin = steps.index("end-of-round")
    assert steps[begin : begin + 10] == [
        "end-of-round",
        "score",
        "victory",
        "activation-tokens",
        "board",
        "influence",
        "discard",
        "draw",
        "first-player-token",
        "round-marker",
    ]
    assert battle.state.round == 2
    names = list(pipeline(battle.state.rules))
    assert names.index("score") < names.index("victory") < names.index("first-player-token")


@pytest.mark.rule("TMG-RND-12")
def test_the_end_of_the_round_waits_for_its_effects(battle: Battle) -> None:
    battle.finish_round()
    assert battle.waits() == ["end-of-round"]
    battle.refused("TMG-RND-1", "activate", unit="b1")


@pytest.mark.rule("TMG-RND-13", "TMG-RND-14")
def test_points_are_scored_and_then_victory_is_checked(battle: Battle) -> None:
    battle.do("score", side="blue", set=10, why="to see")
    battle.finish_round().do("continue")
    assert battle.waits() == ["score"]
    assert battle.state.winner == ""
    battle.do("score", confirm=True)
    assert battle.state.winner == "blue"


@pytest.mark.rule("TMG-RND-15", "TMG-RND-16", "TMG-RND-17", "TMG-INF-4", "TMG-ORD-5")
def test_clean_up_clears_tokens_board_influence_and_orders(battle: Battle) -> None:
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    battle.do("influence", ncu="bn1", unit="r1").do("zone-effect", skip=True).do("end-turn")
    battle.do("order", unit="r1", order="Volley")
    battle.finish_round()
    assert battle.unit("r1").activated
    assert battle.unit("r1").influence == (("bn1", "blue"),)
    assert battle.state.board[0] == "bn1"
    assert battle.unit("r1").orders == ("Volley",)
    battle.clean_up()
    assert not any(unit.activated for unit in battle.state.units)
    assert not any(ncu.activated for ncu in battle.state.ncus)
    assert not any(battle.state.board)
    assert battle.unit("r1").influence == ()
    assert battle.unit("r1").orders == ()


@pytest.mark.rule("TMG-RND-18", "TMG-RND-19")
def test_players_discard_what_they_like_and_draw_up_to_three(battle: Battle) -> None:
    hand = battle.player("blue").hand
    battle.finish_round().do("continue").do("score", confirm=True)
    assert battle.waits() == ["discard"]
    battle.do("discard", player="blue", cards=list(hand[:2]))
    battle.do("continue")
    assert len(battle.player("blue").hand) == 3
    assert battle.player("blue").discard == hand[:2]
    assert len(battle.player("blue").deck) == 20 - 5


@pytest.mark.rule("TMG-RND-22")
def test_the_first_player_token_passes(battle: Battle) -> None:
    battle.round_over()
    assert battle.state.first == battle.state.active == "red"
    battle.round_over()
    assert battle.state.first == "blue"


@pytest.mark.rule("TMG-RND-3")
def test_the_view_prints_the_pipeline(battle: Battle) -> None:
    names = battle.view()["pipeline"]
    assert [name for name in names if name.startswith("[")] == ["[turn-start]"]
    assert battle.view()["pending"][0]["what"] == "turn-start"

"""Set-up, turns, action points, passing, the end of rounds and of the battle."""

from __future__ import annotations

import pytest

from companion.games.api.play import Refusal
from companion.games.tactics.play import PLAY
from companion.games.tactics.screen import SCREEN
from companion.games.tactics.screen.views import score
from tests.games.tactics.battle import (
    BOW,
    FOE_HERO,
    HERO,
    RIDER,
    SOLDIER,
    VETERAN,
    Skirmish,
    card,
    with_agenda,
)
from tests.games.tactics.test_told import facts

rule = pytest.mark.rule
FAR = [(SOLDIER, "0,8"), (SOLDIER, "2,8")]


# -- set-up ----------------------------------------------------------------------------------------


@rule("TAC-SET-1", "TAC-SET-2", "TAC-SET-3", "TAC-SET-5", "TAC-SET-6", "TAC-SET-7", "TAC-CMP-5")
def test_the_winner_takes_a_zone_and_the_opponent_gives_the_marker() -> None:
    game = Skirmish([(HERO, ""), (SOLDIER, "")], [(SOLDIER, "")], ready=False, objectives=["4,4"])
    assert game.waits() == "roll"
    assert game.refused("deploy", figure="b1", to="0,0") == "TAC-SET-1"
    assert game.refused("roll-off", faces=[5, 5]) == "TAC-SET-2"
    game.do("roll-off", faces=[3, 8])
    assert (game.waits(), game.state.chooser) == ("choice", "red")
    game.do("zone", zone="silver")
    assert (game.squad("blue").zone, game.state.chooser) == ("gold", "blue")
    assert game.refused("zone", zone="gold") == "TAC-SET-3"
    game.do("start-marker", side="blue")
    assert len(game.state.objective_cards) == 1
    assert [len(one.dealt) for one in game.state.squads] == [2, 2]
    kept = game.squad("blue").dealt[0]
    game.do("agenda", side="blue", keep=kept)
    assert game.squad("blue").agenda == (kept,)
    assert len(game.squad("blue").deck) == 4
    assert game.refused("agenda", side="blue", keep=kept) == "TAC-SET-6"
    game.do("agenda", side="red")
    assert (game.waits(), game.state.active) == ("deploy", "blue")


@rule("TAC-SET-4")
def test_or_gives_the_marker_and_the_opponent_takes_a_zone() -> None:
    game = Skirmish([(HERO, "")], [(SOLDIER, "")], ready=False).do("roll-off", faces=[9, 8])
    game.do("start-marker", side="red")
    assert (game.state.first, game.state.chooser) == ("red", "red")
    assert game.refused("start-marker", side="red") == "TAC-SET-4"
    game.do("zone", zone="gold")
    assert (game.squad("red").zone, game.squad("blue").zone) == ("gold", "silver")


def deploying(blue: list[dict[str, object]], columns: int = 3) -> Skirmish:
    """Two squads before deployment, blue first in the gold zone."""
    game = Skirmish([(one, "") for one in blue], [(SOLDIER, "")], ready=False, size=(columns, 9))
    game.do("roll-off", faces=[9, 1]).do("zone", zone="gold").do("start-marker", side="blue")
    return game.do("agenda", side="blue").do("agenda", side="red")


@rule("TAC-SET-7", "TAC-SET-8", "TAC-SET-9", "TAC-SET-10")
def test_deployment_in_the_own_zone_heroes_first() -> None:
    game = deploying([HERO, VETERAN, SOLDIER])
    assert game.refused("deploy", figure="b3", to="0,0") == "TAC-SET-9"
    assert game.refused("deploy", figure="b1", to="0,4") == "TAC-SET-8"
    assert game.refused("deploy", figure="r1", to="0,8") == "TAC-SET-7"
    game.do("deploy", figure="b1", to="0,0")
    assert game.refused("deployed") == "TAC-SET-10"
    assert game.refused("deploy", figure="b2", to="0,0") == "TAC-SET-8"
    game.do("deploy", figure="b2", to="1,0").do("deploy", figure="b3", to="2,0").do("deployed")
    assert game.state.active == "red"
    assert game.refused("deploy", figure="r1", to="0,0") == "TAC-SET-8"
    game.do("deploy", figure="r1", to="0,8").do("deployed")
    assert game.waits() == "start"
    assert "ability" in PLAY.pending(game.state)[0].commands


@rule("TAC-SET-14")
def test_effects_at_the_start_of_the_battle_are_prompted() -> None:
    game = Skirmish([(HERO, "0,0")], FAR, begin=False)
    assert "start of the battle" in PLAY.pending(game.state)[0].say
    assert game.do("begin").state.round == 1


@rule("TAC-SET-10", "TAC-SET-11", "TAC-SET-12", "TAC-SET-13", "TAC-D-20", "TAC-OR-28")
def test_a_figure_that_does_not_fit_is_placed_in_round_one() -> None:
    game = deploying([HERO, SOLDIER, SOLDIER, SOLDIER, SOLDIER])
    game.do("deploy", figure="b1", to="0,0").do("deploy", figure="b2", to="1,0")
    game.do("deploy", figure="b3", to="2,0")
    told = "no room in the zone, they wait for round 1: Soldier 3, Soldier 4"
    assert told in facts(game)
    game.do("deployed").do("deploy", figure="r1", to="0,8").do("deployed").do("begin")
    assert {
        "no room in the zone yet: Soldier 3, Soldier 4",
        "who is not deployed by the end of round 1 is killed",
    } <= {*facts(game)}
    assert len(game.state.activatable("blue")) == 5
    game.do("activate", figure="b2").do("move", to="1,2").do("end")
    game.do("activate", figure="r1").do("end")
    before = game.coins()[2]
    (offer,) = SCREEN.offers(game.state, None, "b4")
    assert offer.detail == "1 copper star, no actions this round"
    game.do("deploy", figure="b4", to="1,0")
    assert game.coins()[2] == before - 1
    assert (game.figure("b4").activated, game.state.activation) == (True, None)
    assert game.refused("activate", figure="b4") == "TAC-RND-4"
    game.do("activate", figure="b1").do("end").do("activate", figure="b3").do("end")
    # The last one never found room: the round is over for its player, and it is lost.
    assert game.waits() == "end"
    assert game.figure("b5").fate == "killed"
    ignored = Skirmish([(HERO, "0,0"), (SOLDIER, "")], FAR, readings=("waiting-figures=ignored",))
    assert len(ignored.state.activatable("blue")) == 1


@rule("TAC-SET-13")
def test_a_figure_not_deployed_by_the_end_of_round_one_is_killed() -> None:
    game = Skirmish([(HERO, "0,0"), (SOLDIER, "")], [(SOLDIER, "0,8")], coins=(3, 6, 1))
    game.do("activate", figure="b1").do("end").do("activate", figure="r1").do("end")
    assert game.figure("b2").fate == "killed"
    assert game.waits() == "end"


@rule("TAC-GEN-12", "TAC-STA-9")
def test_a_nemesis_is_an_enemy_hero_or_veteran() -> None:
    game = Skirmish([(HERO, "0,0")], [(FOE_HERO, "0,8"), (SOLDIER, "1,8")], begin=False)
    assert game.refused("nemesis", figure="b1", target="r2") == "TAC-GEN-12"
    game.do("nemesis", figure="b1", target="r1")
    assert game.figure("b1").nemeses == ("r1",)
    assert game.refused("nemesis", figure="b1", target="r1") == "TAC-STA-9"


# -- turns -----------------------------------------------------------------------------------------


@rule("TAC-RND-1", "TAC-RND-2", "TAC-RND-4", "TAC-COI-5", "TAC-V-29", "TAC-ACT-1")
def test_turns_alternate_and_a_figure_acts_once() -> None:
    game = Skirmish([(SOLDIER, "0,0"), (SOLDIER, "2,0")], FAR)
    assert game.refused("activate", figure="r1") == "TAC-RND-1"
    game.do("activate", figure="b1")
    assert game.coins()[2] == 17
    assert game.figure("b1").activated
    assert game.state.activation is not None
    assert game.state.activation.ap == 2
    assert game.refused("activate", figure="b2") == "TAC-RND-2"
    game.do("end")
    assert game.state.active == "red"
    game.do("activate", figure="r1").do("end")
    assert game.refused("activate", figure="b1") == "TAC-RND-4"


@rule("TAC-RND-3", "TAC-RND-5", "TAC-RND-6", "TAC-RND-7", "TAC-COI-6")
def test_without_copper_or_figures_the_round_is_over_for_a_player() -> None:
    game = Skirmish([(SOLDIER, "0,0")], [(SOLDIER, "0,8"), (SOLDIER, "2,8"), (SOLDIER, "4,8")])
    assert game.refused("end") == "TAC-RND-2"
    game.do("activate", figure="b1").do("end")
    for name in ("r1", "r2"):
        game.do("activate", figure=name).do("end")
        assert game.state.active == "red"
    poor = Skirmish([(SOLDIER, "0,0"), (SOLDIER, "2,0")], FAR, coins=(0, 0, 1))
    poor.do("activate", figure="b1").do("end").do("activate", figure="r1").do("end")
    assert poor.waits() == "end"
    broke = Skirmish([(SOLDIER, "0,0"), (SOLDIER, "2,0")], FAR, coins=(0, 0, 3))
    broke.do("coins", side="blue", copper=-3)
    assert broke.state.active == "red"
    assert broke.refused("activate", figure="b1") == "TAC-RND-1"


@rule("TAC-RND-8", "TAC-RND-9", "TAC-RND-10", "TAC-COI-7", "TAC-D-16")
def test_pass_with_fewer_figures_for_two_copper() -> None:
    three = [(SOLDIER, f"{c},0") for c in (0, 2, 4)]
    five = [(SOLDIER, f"{c},8") for c in (0, 2, 4, 6, 8)]
    game = Skirmish(three, five, coins=(3, 6, 4))
    game.do("pass")
    assert (game.coins()[2], game.state.active) == (2, "red")
    assert game.refused("pass") == "TAC-RND-9"
    game.do("activate", figure="r1").do("end").do("pass")
    assert game.coins()[2] == 0
    even = Skirmish(three, [(SOLDIER, f"{c},8") for c in (0, 2, 4)])
    assert even.refused("pass") == "TAC-RND-8"
    poor = Skirmish(three, five, coins=(0, 0, 1))
    assert poor.refused("pass") == "TAC-COI-7"


@rule("TAC-ACT-2", "TAC-ACT-3", "TAC-ACT-4", "TAC-ACT-5", "TAC-ACT-7", "TAC-GEN-14", "TAC-OR-16")
def test_two_action_points_and_one_free_action() -> None:
    figure = card("Orderly", abilities=[{"name": "Shout", "kind": "order"}])
    game = Skirmish([(figure, "0,0")], FAR).do("activate", figure="b1")
    game.do("ability", figure="b1", ability="Shout").do("wait")
    assert game.state.activation is not None
    assert (game.state.activation.ap, game.state.activation.free) == (1, 1)
    game.do("wait")
    assert game.state.activation is None
    again = Skirmish([(figure, "0,0")], FAR).do("activate", figure="b1")
    again.do("wait").do("wait")
    assert again.waits() == "act"
    again.do("ability", figure="b1", ability="Shout")
    assert again.state.activation is None


@rule("TAC-ABL-12", "TAC-ABL-13", "TAC-ABL-23")
def test_a_second_free_action_costs_a_point() -> None:
    figure = card(
        "Orderly",
        abilities=[
            {"name": "Shout", "kind": "order"},
            {"name": "Dress", "kind": "action", "ap": 1},
        ],
    )
    game = Skirmish([(figure, "0,0")], FAR).do("activate", figure="b1")
    game.do("ability", figure="b1", ability="Shout").do("ability", figure="b1", ability="Shout")
    assert game.state.activation is not None
    assert game.state.activation.ap == 1
    game.do("ability", figure="b1", ability="Dress")
    assert game.state.activation is None


@rule("TAC-ACT-4")
def test_what_costs_more_than_is_left_is_refused() -> None:
    game = Skirmish([(SOLDIER, "0,0")], [(SOLDIER, "0,3")]).do("activate", figure="b1").do("wait")
    assert game.refused("charge", target="r1", to="0,2") == "TAC-ACT-1"


@pytest.mark.rule("TAC-STA-3", "TAC-STA-4")
def test_frozen_in_its_own_activation_costs_the_next_one() -> None:
    game = Skirmish([(SOLDIER, "0,0")], FAR, rounds=3).do("activate", figure="b1")
    game.do("condition", figure="b1", kind="frozen").do("end")
    assert game.figure("b1").frozen
    while game.state.phase == "round":
        game.do("activate", figure=game.commands()[0]["figure"]).do("end")
    game.do("end-round")
    while not game.state.activation or game.state.activation.figure != "b1":
        game.do("activate", figure=game.commands()[0]["figure"])
        if game.state.activation and game.state.activation.figure != "b1":
            game.do("end")
    assert game.state.activation.ap == 1
    assert not game.do("end").figure("b1").frozen


@rule("TAC-STA-3", "TAC-STA-4", "TAC-STA-5", "TAC-ACT-6", "TAC-D-13")
def test_a_frozen_figure_starts_with_one_point_less() -> None:
    game = Skirmish([(SOLDIER, "0,0")], FAR).do("condition", figure="b1", kind="frozen")
    game.do("activate", figure="b1")
    assert game.state.activation is not None
    assert game.state.activation.ap == 1
    assert game.figure("b1").frozen
    game.do("end")
    assert not game.figure("b1").frozen


@rule("TAC-MOV-8", "TAC-D-8")
def test_the_second_move_of_an_engaged_figure_is_whole() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5")]).do("activate", figure="b1")
    assert game.refused("move", to="4,2") == "TAC-MOV-7"
    game.do("move", to="4,3").do("move", to="4,0")
    assert game.figure("b1").cell == (4, 0)


@rule("TAC-ABL-20", "TAC-ABL-21", "TAC-ABL-1", "TAC-V-24")
def test_a_granted_action_is_taken_at_once_or_lost() -> None:
    game = Skirmish([(HERO, "0,0"), (SOLDIER, "2,0")], FAR).do("activate", figure="b1").do("end")
    game.do("activate", figure="r1").do("end").do("activate", figure="b2")
    game.do("grant", figure="b1")
    assert game.waits() == "act"
    (asked,) = SCREEN.prompts(game.state)
    told = [str(asked.text), *[str(one.text) for one in SCREEN.offers(game.state, None, "b1")]]
    assert told[0] == "Hero may take a granted action: 1 action point", "not that 1 is left"
    assert "Give up the granted action" in told
    assert game.refused("move", figure="b2", to="2,2") == "TAC-RND-2"
    game.do("move", to="0,3")
    assert (game.figure("b1").cell, game.state.granted) == ((0, 3), None)
    assert game.state.activation is not None
    assert (game.state.activation.figure, game.state.activation.ap) == ("b2", 2)
    game.do("grant", figure="b1").do("end")
    assert (game.state.granted, game.figure("b1").cell) == (None, (0, 3))


# -- end of a round and of the battle --------------------------------------------------------------


def round_end(game: Skirmish) -> Skirmish:
    """Everybody is activated; the end phase waits."""
    while game.waits() == "turn":
        ready = [one for one in game.commands() if one["do"] == "activate"]
        game.do("activate", figure=ready[0]["figure"]).do("end")
    assert game.waits() == "end"
    return game


@rule("TAC-END-1", "TAC-END-2", "TAC-END-4", "TAC-END-9", "TAC-RND-11", "TAC-OBJ-1", "TAC-OBJ-4")
@rule("TAC-OR-42", "TAC-GEN-13", "TAC-CMP-3")
def test_the_end_phase_scores_objectives_and_hands_the_marker_over() -> None:
    game = round_end(Skirmish([(SOLDIER, "4,4")], FAR, objectives=["4,4", "0,8"]))
    assert "end of the round" in PLAY.pending(game.state)[0].say
    game.do("end-round", scenario=[["red", 2]])
    assert (game.vp("blue"), game.vp("red")) == (1, 3)
    assert (game.state.round, game.state.first, game.state.active) == (2, "red", "red")


@rule("TAC-OBJ-1", "TAC-LOT-1")
def test_the_tutorial_has_neither_objectives_nor_loot() -> None:
    game = Skirmish(
        [(SOLDIER, "4,4")], FAR, objectives=["4,4"], loot={"4,5": "purse"}, tutorial=True
    )
    assert not [words for words in game.state.board.marks.values() if "objective" in words]


@rule("TAC-OR-27")
def test_a_large_figure_on_two_objectives_scores_once() -> None:
    for readings, points in (((), 1), (("objective-points=per-objective",), 2)):
        game = Skirmish([(RIDER, "4,4")], FAR, objectives=["4,4", "5,5"], readings=readings)
        assert round_end(game).do("end-round").vp() == points


@rule("TAC-COI-2", "TAC-COI-3", "TAC-COI-4", "TAC-D-17", "TAC-OR-30")
def test_copper_returns_and_gold_and_silver_do_not() -> None:
    game = Skirmish([(SOLDIER, "0,0")], FAR, coins=(3, 6, 18))
    assert game.coins() == [3, 6, 18]
    game.do("coins", side="blue", gold=-1, silver=-1, copper=-4)
    round_end(game).do("end-round")
    assert game.coins() == [2, 5, 18]
    rich = Skirmish([(SOLDIER, "0,0")], FAR, coins=(3, 6, 18)).do("coins", side="blue", copper=5)
    assert round_end(rich).do("end-round").coins() == [3, 6, 18]


@rule("TAC-COI-1", "TAC-COI-8")
def test_coins_are_not_exchanged() -> None:
    game = Skirmish([(SOLDIER, "0,0")], FAR, coins=(0, 9, 9))
    assert game.refused("coins", side="blue", gold=-1) == "TAC-COI-8"


@rule("TAC-CAP-9", "TAC-END-3", "TAC-D-19", "TAC-OR-22")
def test_the_most_captives_score_one_point() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(VETERAN, "4,5"), (SOLDIER, "0,8")])
    game.do("wound", figure="r1", wounds=2).do("activate", figure="b1")
    game.attack([6, 1], [1]).do("fate", choose="capture").do("end")
    round_end(game).do("end-round")
    assert game.vp() == 1
    even = Skirmish([(SOLDIER, "4,4")], FAR)
    assert round_end(even).do("end-round").vp() == 0


@rule("TAC-END-5", "TAC-END-6", "TAC-END-7", "TAC-END-8", "TAC-CMP-4", "TAC-GEN-3")
def test_the_most_points_win_after_the_last_round() -> None:
    game = Skirmish([(SOLDIER, "4,4")], FAR, objectives=["4,4"], rounds=2)
    round_end(game).do("end-round")
    round_end(game).do("end-round")
    assert (game.state.phase, game.state.winner, game.vp()) == ("over", "blue", 2)
    assert game.refused("activate", figure="b1") == "TAC-END-7"
    assert PLAY.moment(game.state).winner == "blue"
    draw = Skirmish([(SOLDIER, "4,4")], FAR, rounds=1)
    assert round_end(draw).do("end-round").state.winner == "draw"


@rule("TAC-END-10", "TAC-END-11", "TAC-D-14")
def test_a_player_without_figures_ends_the_battle() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5")], rounds=6)
    for _ in range(3):
        round_end(game).do("end-round")
    assert game.state.round == 4
    game.do("wound", figure="r1", wounds=2)
    assert (game.state.winner, game.vp()) == ("blue", 6)
    last = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5")]).do("activate", figure="b1")
    assert last.attack([6, 7], [1, 1]).state.winner == "blue", "at once: nobody surges first"


@rule("TAC-END-12", "TAC-END-13", "TAC-D-15")
def test_a_conceding_player_scores_nothing() -> None:
    game = Skirmish([(SOLDIER, "4,4")], FAR, rounds=6).do("score", side="red", points=9)
    for _ in range(3):
        round_end(game).do("end-round")
    (_stop, _blue, gives_up) = score(game.state).ends
    assert str(gives_up.text) == "Red concedes"
    (command,) = gives_up.commands
    game.do("concede", side=command["side"])
    assert score(game.state).ends == ()
    assert (game.state.winner, game.vp("blue"), game.vp("red")) == ("blue", 9, 0)


@rule("TAC-END-2", "TAC-END-8")
def test_all_may_agree_to_stop_and_the_points_decide() -> None:
    game = Skirmish([(SOLDIER, "4,4")], FAR, rounds=6, objectives=["4,4"])
    before = Skirmish([(SOLDIER, "4,4")], FAR, begin=False)
    assert all("stop" not in str(one.commands) for one in score(before.state).ends)
    (stops, *_) = score(game.state).ends
    assert str(stops.text) == "All agree: stop here"
    game.do("stop")
    assert (game.state.winner, game.vp("blue"), game.vp("red")) == ("blue", 1, 0)


# -- agendas ---------------------------------------------------------------------------------------


@rule("TAC-AGD-2")
def test_heroes_unharmed() -> None:
    game = with_agenda(Skirmish([(HERO, "0,0")], FAR, rounds=1), "blue", "A1")
    assert round_end(game).do("end-round").vp() == 2
    lost = with_agenda(Skirmish([(HERO, "0,0"), (SOLDIER, "2,0")], FAR, rounds=1), "blue", "A1")
    lost.do("wound", figure="b1", wounds=4)
    assert round_end(lost).do("end-round").vp() == 0


@rule("TAC-AGD-3", "TAC-OR-4")
def test_the_first_to_spend_the_last_gold() -> None:
    oath = {"name": "Oath", "trigger": "other", "price": {"gold": 1}, "points": 1}
    motivated = card("Hero", cost=[1, 0, 0], health=4, motivation=[oath])
    game = with_agenda(Skirmish([(motivated, "0,0")], FAR, coins=(1, 0, 9)), "blue", "A2")
    game.do("motivation", figure="b1", name="Oath")
    assert game.vp() == 3
    silver = with_agenda(
        Skirmish([(motivated, "0,0")], FAR, coins=(1, 1, 9), readings=("last-coin=silver",)),
        "blue",
        "A2",
    )
    assert silver.do("motivation", figure="b1", name="Oath").vp() == 1


@rule("TAC-AGD-4")
def test_hold_the_field() -> None:
    game = Skirmish([(SOLDIER, "4,4")], FAR, objectives=["4,4"], rounds=1)
    assert round_end(with_agenda(game, "blue", "A3")).do("end-round").vp() == 3


@rule("TAC-AGD-6")
def test_two_soldiers_in_the_enemy_zone() -> None:
    squad = [(HERO, "5,8"), (SOLDIER, "0,8"), (SOLDIER, "8,8")]
    game = with_agenda(Skirmish(squad, [(SOLDIER, "0,0")], rounds=1), "blue", "A4")
    assert round_end(game).do("end-round").vp() == 2
    one = with_agenda(Skirmish(squad[:2], [(SOLDIER, "0,0")], rounds=1), "blue", "A4")
    assert round_end(one).do("end-round").vp() == 0


@rule("TAC-AGD-8")
def test_all_enemy_characters_killed() -> None:
    game = Skirmish([(HERO, "0,0")], [(FOE_HERO, "0,8"), (SOLDIER, "3,8")], rounds=1)
    with_agenda(game, "blue", "A5").do("wound", figure="r1", wounds=4)
    assert round_end(game).do("end-round").vp() == 2


@rule("TAC-AGD-5", "TAC-AGD-7", "TAC-OR-17")
def test_the_free_action_of_an_agenda() -> None:
    game = with_agenda(Skirmish([(HERO, "2,0"), (SOLDIER, "0,0")], FAR), "blue", "A4")
    game.do("activate", figure="b2").do("move", to="0,3", agenda=True)
    assert game.state.activation is not None
    assert (game.state.activation.ap, game.state.activation.free) == (2, 1)
    assert game.refused("move", to="0,5", agenda=True) == "TAC-AGD-1"
    hero = with_agenda(Skirmish([(HERO, "2,0"), (SOLDIER, "0,0")], FAR), "blue", "A4")
    hero.do("activate", figure="b1")
    assert hero.refused("move", to="2,2", agenda=True) == "TAC-AGD-5"
    shot = with_agenda(Skirmish([(card("Bow", attacks=[BOW]), "0,0")], FAR), "blue", "A5")
    shot.do("activate", figure="b1").do("attack", target="r1", agenda=True)
    assert shot.state.activation is not None
    assert shot.state.activation.ap == 2


@rule("TAC-OR-17", "TAC-AGD-5")
@pytest.mark.parametrize(("value", "left"), [("free-action", 1), ("extra", 2)])
def test_a_free_action_after_the_one_of_an_agenda(value: str, left: int) -> None:
    calm = {"name": "Calm", "kind": "order", "ap": 0, "price": [0, 0, 0]}
    squad = [(HERO, "2,0"), (card("Sergeant", abilities=[calm]), "0,0")]
    game = Skirmish(squad, FAR, readings=(f"agenda-action={value}",))
    with_agenda(game, "blue", "A4").do("activate", figure="b2").do("move", to="0,3", agenda=True)
    assert game.refused("move", to="0,5", agenda=True) == "TAC-AGD-1"
    game.do("ability", figure="b2", ability="Calm")
    assert game.state.activation is not None
    assert (game.state.activation.ap, game.state.activation.free) == (left, 1)


@rule("TAC-AGD-1")
def test_agendas_are_shown_to_their_owner_only() -> None:
    game = with_agenda(Skirmish([(HERO, "2,0")], FAR), "blue", "A4")
    assert PLAY.view(game.state, "blue")["squads"]["blue"]["agendas"] == ["A4"]
    assert PLAY.view(game.state, "red")["squads"]["blue"]["agendas"] == 1
    assert PLAY.view(game.state)["squads"]["blue"]["agendas"] == 1


# -- set-up commands -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scenario": "nowhere"}, "'nowhere' is unknown"),
        ({"squads": []}, "has 0 entries"),
        ({"wish": 1}, "unknown key 'wish'"),
        ({"readings": ["corners=round"]}, "'round' is unknown"),
        ({"squads": [{"list": "Nobody"}, {"list": "Ford Guard"}]}, "no figure 'Nobody'"),
    ],
)
def test_a_broken_set_up_names_its_place(change: dict[str, object], message: str) -> None:
    from models import CompanionError

    squad = {"list": "Warden of the Ford\nGrey Bannerman\nMarsh Scout"}
    usual = {"do": "set-up", "scenario": "sample-crossing", "squads": [squad, squad]}
    with pytest.raises(CompanionError, match=message):
        PLAY.prepare("tactics", {**usual, **change})


def test_the_sample_squads_are_legal() -> None:
    blue = {"list": "Warden of the Ford\nGrey Bannerman\nMarsh Scout\n2 Ford Guard"}
    found = PLAY.prepare("tactics", {"scenario": "sample-crossing", "squads": [blue, blue]})
    assert not isinstance(found, Refusal)


@rule("TAC-GEN-6")
def test_figures_of_both_squads_have_names_of_their_own() -> None:
    game = Skirmish(
        [(HERO, "0,0"), (SOLDIER, "2,0"), (SOLDIER, "4,0")],
        [(FOE_HERO, "0,8"), (SOLDIER, "2,8")],
    )
    names = [one.name for one in game.state.figures]
    assert names == ["Hero", "Soldier 1", "Soldier 2", "Foe Hero", "Soldier 3"]


@rule("TAC-RND-7", "TAC-END-9")
def test_the_end_of_a_round_is_nobodys_turn() -> None:
    """The report counted it as one, and every later turn was numbered too high."""
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")])
    game.do("activate", figure="b1").do("end").do("activate", figure="r1").do("end")
    assert (game.state.phase, game.state.turn) == ("end", 2)
    game.do("end-round")
    assert (game.state.round, game.state.turn) == (2, 3)

"""The modes in play: set-up, special rules and points of all fifteen."""

from __future__ import annotations

import json

import pytest

from companion.games.tmg.modes import modes
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.mode_play import PLAYS
from companion.games.tmg.play.scoring import quadrant_owner, quadrant_points
from models import catalogue
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")
CAPTAIN = {"name": "Captain", "cost": 1, "character": True}


def scored(battle: Battle) -> list[tuple[str, int, str]]:
    """Who gained what by which rule."""
    return [
        (event.data["side"], event.data["vp"], event.data["rule"])
        for event in battle.log
        if event.type == "scored"
    ]


def offers(battle: Battle) -> list[int]:
    """The points that wait to be confirmed."""
    return [one.vp for one in battle.state.proposals]


def test_every_mode_of_both_editions_has_its_play() -> None:
    for year, number in (("2021", 10), ("2018", 5)):
        known = [mode.key for mode in modes(f"tmg-{year}")]
        assert len(known) == number
        assert all((f"tmg-{year}", key) in PLAYS for key in known)


# -- objectives -------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-GOT-2", "TMG-MODE-WOW-2", edition="2018")
@pytest.mark.parametrize("mode", ["GOT", "WOW"])
def test_five_tokens_one_of_them_in_the_centre(mode: str) -> None:
    tokens = battle_of(mode, "2018").view()["objectives"]
    assert list(tokens) == ["o1", "o2", "o3", "o4", "o5"]
    assert [one["name"] for one in tokens.values()][:2] == ["centre", "token 2"]


@pytest.mark.rule("TMG-OBJ-5", "TMG-OBJ-6", "TMG-MODE-GOT-6", "EX-68", "EX-69")
@pytest.mark.parametrize(("year", "points"), [("2021", 3), ("2018", 2)])
def test_two_tokens_one_held_by_the_commander(year: str, points: int) -> None:
    battle = battle_of("GOT", year)
    battle.do("objective", token="o1", unit="b1").do("objective", token="o2", unit="b2")
    battle.finish_round().do("continue")
    assert offers(battle) == []
    battle.do("score", confirm=True).do("continue")
    assert battle.vp() == (0, 0)
    battle.finish_round().do("continue")
    assert sum(offers(battle)) == points
    assert battle.vp() == (0, 0)
    battle.do("score", confirm=True)
    assert battle.vp() == (points, 0)


@pytest.mark.rule("TMG-OBJ-2", "TMG-OBJ-3", "EX-66", "EX-67")
def test_2021_a_stronger_enemy_contests_a_token() -> None:
    battle = battle_of("GOT").do("objective", token="o1", unit="b1")
    battle.do("wounds", unit="b1", wounds=4).do("engage", unit="b1", **{"with": ["r1"]})
    assert battle.view()["objectives"]["o1"]["controlled"] is None
    battle.do("wounds", unit="r1", wounds=4)
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"


@pytest.mark.rule("TMG-OBJ-3", "EX-67")
def test_2021_a_solo_unit_counts_its_wounds() -> None:
    wolf = {"name": "Wolf", "cost": 3, "tray": "solo", "wounds_per_model": 5}
    battle = battle_of("GOT", armies=[{**STARK, "units": [wolf]}, LANNISTER])
    battle.do("objective", token="o1", unit="b1").do("engage", unit="b1", **{"with": ["r1"]})
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"
    battle.do("wounds", unit="b1", wounds=3)
    assert battle.view()["objectives"]["o1"]["controlled"] is None


def test_2018_the_first_to_touch_keeps_the_token() -> None:
    battle = battle_of("GOT", "2018").do("objective", token="o1", unit="b1")
    battle.do("objective", token="o1", unit="r1")
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"


@pytest.mark.rule("TMG-MODE-GOT-4")
@pytest.mark.parametrize("year", EDITIONS)
def test_got_each_token_has_a_card_of_its_own(year: str) -> None:
    cards = [token.card for token in battle_of("GOT", year).state.tokens]
    assert len(set(cards)) == 5
    assert all(1 <= int(card) <= 10 for card in cards)


def test_an_offer_can_be_dropped_and_changed_before_it_counts() -> None:
    battle = battle_of("GOT").do("objective", token="o1", unit="b2")
    battle.round_over().finish_round().do("continue")
    assert len(battle.state.proposals) == 1
    battle.do("score", drop=1).do("objective", token="o2", unit="r2")
    battle.do("score", side="red", vp=1, why="as agreed").do("score", confirm=True)
    assert battle.vp() == (0, 1)


# -- A Clash of Kings -------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-COK-4")
def test_cok_2021_cards_are_chosen_in_turn() -> None:
    battle = Battle("COK").do("continue")
    battle.refused("TMG-MODE-COK-4", "choose-card", player="blue", card="6")
    battle.do("choose-card", player="red", card="6")
    battle.refused("TMG-MODE-COK-4", "choose-card", player="blue", card="6")
    battle.do("choose-card", player="blue", card="7").do("choose-card", player="red", card="8")
    battle.do("choose-card", player="blue", card="9")
    assert battle.state.step == "deploy"
    assert battle.view()["players"]["blue"]["objective_cards"] == ["7", "9"]


@pytest.mark.rule("TMG-MODE-COK-5", "TMG-MODE-COK-6", "OR-33")
def test_cok_2021_a_card_once_a_game_one_a_round() -> None:
    battle = battle_of("COK")
    assert "use-card" in PLAY.pending(battle.state)[0].commands
    battle.do("use-card", player="blue", card="7")
    assert battle.view()["units"]["b1"]["effects"] == ["objective card 7"]
    battle.refused("TMG-MODE-COK-5", "use-card", player="blue", card="9")
    battle.round_over()
    assert battle.view()["units"]["b1"]["effects"] == []
    battle.forgo("r2")
    battle.refused("TMG-MODE-COK-6", "use-card", player="blue", card="7")
    battle.do("use-card", player="blue", card="9")


@pytest.mark.rule("TMG-MODE-COK-10", "TMG-MODE-COK-11", "TMG-MODE-COK-12", "OR-42")
def test_cok_2021_the_commander_earns_and_costs_points() -> None:
    battle = battle_of("COK")
    battle.do("wounds", unit="r1", wounds=12, by_unit="b1")
    assert scored(battle) == [
        ("blue", 1, "TMG-VIC-8"),
        ("blue", 1, "TMG-MODE-COK-11"),
        ("blue", 2, "TMG-MODE-COK-12"),
    ]
    battle.do("wounds", unit="b2", wounds=12, by_unit="r2")
    assert battle.vp() == (4, 1)


@pytest.mark.rule("TMG-MODE-COK-7", "TMG-MODE-COK-12")
def test_cok_2021_the_commander_returns_and_the_prize_is_won_once() -> None:
    battle = battle_of("COK").do("wounds", unit="r1", wounds=12, by_unit="b2")
    battle.round_over()
    assert battle.waits() == ["redeploy"]
    battle.refused("TMG-MODE-COK-7", "redeploy", unit="r2")
    battle.do("redeploy", unit="r1")
    assert (battle.unit("r1").place, battle.unit("r1").models) == ("field", 12)
    battle.do("wounds", unit="r1", wounds=12, by_unit="b2")
    assert scored(battle)[2:] == [("blue", 1, "TMG-VIC-8")]


@pytest.mark.rule("TMG-MODE-COK-10", "EX-70")
@pytest.mark.parametrize(("year", "points"), [("2021", 2), ("2018", 3)])
def test_cok_the_centre_and_a_side_token(year: str, points: int) -> None:
    battle = battle_of("COK", year)
    battle.do("objective", token="o1", unit="b2").do("objective", token="o2", unit="b2")
    battle.round_over().finish_round().do("continue").do("score", confirm=True)
    assert battle.vp()[0] == points


@pytest.mark.rule("TMG-MODE-COK-13", "TMG-MODE-COK-14")
def test_cok_2018_two_units_start_the_commander_among_them() -> None:
    battle = Battle("COK", "2018").do("continue")
    battle.refused("TMG-MODE-COK-13", "reserve", side="blue", units=["b2", "b3"])
    battle.refused("TMG-MODE-COK-14", "reserve", side="blue", units=["b1"])
    battle.do("reserve", side="blue", units=["b3"])
    assert battle.unit("b3").place == "reserve"


@pytest.mark.rule("TMG-MODE-COK-14")
def test_cok_2018_an_ncu_commander_is_represented() -> None:
    led = {
        **STARK,
        "units": [
            {"name": "One", "cost": 5, "attachments": [CAPTAIN]},
            {"name": "Two", "cost": 5},
            {"name": "Three", "cost": 5},
        ],
        "ncus": [{"name": "Lord", "cost": 0, "commander": True}],
    }
    battle = Battle("COK", "2018", armies=[led, LANNISTER]).do("continue")
    battle.refused("TMG-MODE-COK-14", "reserve", side="blue", units=["b3"])
    battle.refused("TMG-MODE-COK-14", "reserve", side="blue", units=["b3"], leader="b2")
    battle.do("reserve", side="blue", units=["b3"], leader="b1")
    assert battle.unit("b1").commander


@pytest.mark.rule("TMG-MODE-COK-15", "TMG-MODE-COK-16", "TMG-MODE-COK-17", "TMG-MODE-COK-12")
def test_cok_2018_units_come_from_reserve_and_return_to_it() -> None:
    led = {
        **STARK,
        "units": [
            {"name": "One", "cost": 5, "commander": True, "attachments": [CAPTAIN]},
            {"name": "Two", "cost": 5},
            {"name": "Three", "cost": 5},
        ],
    }
    battle = battle_of("COK", "2018", armies=[led, LANNISTER])
    battle.refused("TMG-UNT-11", "activate", unit="b3")
    battle.do("wounds", unit="b1", wounds=12, by_unit="r1")
    fallen = battle.unit("b1")
    assert (fallen.place, fallen.wounds, fallen.attachments) == ("reserve", 0, ())
    assert battle.vp() == (0, 3)
    battle.round_over()
    battle.forgo("r1").do("activate", unit="b3")
    assert battle.unit("b3").standing
    assert battle.unit("b3").activated
    assert battle.waits() == ["end-of-turn"]
    battle.do("end-turn").do("wounds", unit="b2", wounds=12, by="red").forgo("r2")
    battle.do("activate", unit="b2")
    assert battle.unit("b2").standing


@pytest.mark.rule("TMG-MODE-COK-18", "OR-34")
@pytest.mark.parametrize(("reading", "edge"), [("nearest", "left"), ("opposite", "right")])
def test_cok_2018_a_token_wins_its_side_edge(reading: str, edge: str) -> None:
    battle = battle_of("COK", "2018", readings=[f"cok_edge={reading}"]).round_over()
    battle.do("objective", token="o2", unit="b1").forgo("r1").do("activate", unit="b3")
    [told] = battle.answer["reminders"]
    assert f"of the {edge} edge" in told
    assert told.count("edge") == 2
    battle.do("end-turn").do("activate", unit="r3")
    assert battle.answer["reminders"] == ['it enters within 12" of the own edge (TMG-MODE-COK-15)']


# -- A Storm of Swords ------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-SOS-1")
def test_sos_the_higher_roll_attacks_or_defends() -> None:
    battle = Battle("SOS", ready=False, first=None)
    battle.refused("TMG-MODE-SOS-1", "choose-role", side="blue", role="defender")
    battle.do("roll-off", dice={"blue": 2, "red": 4})
    battle.refused("TMG-MODE-SOS-1", "choose-role", side="blue", role="defender")
    battle.do("choose-role", side="red", role="defender")
    assert (battle.side("blue").role, battle.side("red").role) == ("attacker", "defender")
    while battle.state.step != "terrain":
        battle.do("continue")
    battle.refused("TMG-MODE-SOS-4", "terrain", piece="forest", side="blue")
    battle.do("terrain", piece="forest").do("terrain", piece="bog")
    assert {event.data["side"] for event in battle.log if event.type == "piece-placed"} == {"red"}


@pytest.mark.rule("TMG-MODE-SOS-7")
@pytest.mark.parametrize("year", EDITIONS)
def test_sos_three_siege_cards_each_hidden(year: str) -> None:
    battle = battle_of("SOS", year, defender="red")
    hand = battle.player("blue").missions
    assert len(hand) == 3
    assert battle.view()["players"]["blue"]["missions"] == 3
    assert "mission_cards" not in battle.view("red")["players"]["blue"]
    battle.do("siege", player="blue", card=hand[0])
    battle.refused("TMG-MODE-SOS-7", "siege", player="blue", card=hand[0])


@pytest.mark.rule("TMG-MODE-SOS-10", "EX-84")
@pytest.mark.parametrize("year", EDITIONS)
def test_sos_half_of_the_defenders_units_wait(year: str) -> None:
    costs = (4, 4, 4, 4, 9)
    five = {
        **LANNISTER,
        "units": [{"name": f"Unit {n}", "cost": cost} for n, cost in enumerate(costs)],
    }
    battle = Battle("SOS", year, armies=[STARK, five], defender="red").do("continue")
    if year == "2021":
        battle.refused("TMG-MODE-SOS-10", "reserve", side="red", units=["r1", "r2"])
        battle.do("reserve", side="red", units=["r1", "r2", "r3"])
    else:  # 25 points: at least 13 wait
        battle.refused("TMG-MODE-SOS-10", "reserve", side="red", units=["r1", "r2", "r3"])
        battle.do("reserve", side="red", units=["r1", "r5"])
    assert battle.state.step == "deploy"


@pytest.mark.rule("TMG-MODE-SOS-12", "TMG-MODE-SOS-11")
@pytest.mark.parametrize("year", EDITIONS)
def test_sos_reserves_enter_from_round_3_and_still_act(year: str) -> None:
    battle = battle_of("SOS", year, defender="red").forgo("b1")
    battle.refused("TMG-UNT-11", "activate", unit="r2")
    while battle.state.round < 3:
        battle.round_over()
    if battle.state.active == "blue":
        battle.forgo("b1")
    battle.do("activate", unit="r2")
    assert battle.unit("r2").standing
    assert battle.waits() == ["action"]
    battle.do("action", action="march")


@pytest.mark.rule(
    "TMG-MODE-SOS-13", "TMG-MODE-SOS-14", "TMG-MODE-SOS-15", "TMG-MODE-SOS-16", "TMG-MODE-SOS-21"
)
@pytest.mark.parametrize("year", EDITIONS)
def test_sos_walls_are_charged_and_fall(year: str) -> None:
    battle = battle_of("SOS", year, defender="red", wall_wounds=3)
    assert set(battle.view()["walls"]) == {"wall1", "wall2", "wall3"}
    assert not set(battle.view()["units"]) & set(battle.view()["walls"])
    battle.do("activate", unit="b2")
    battle.refused("TMG-MODE-SOS-14", "action", action="attack", target="wall1", ranged=True)
    battle.do("action", action="charge", target="wall1", distance=6, faces=[4])
    dice = battle.view()["attack"]["dice"]
    battle.do("roll", faces=[6] * dice, keep=True)
    assert battle.state.trials == ()
    assert battle.view()["walls"]["wall1"]["standing"] is False
    assert battle.vp() == (5, 0)
    if battle.state.attack:
        battle.do("continue")
    battle.refused("TMG-MODE-SOS-21", "test", unit="wall2", why="fear")
    battle.do("end-turn").forgo("r1").do("activate", unit="b1")
    battle.refused("TMG-MODE-SOS-22", "action", action="charge", target="wall1")


@pytest.mark.rule("TMG-MODE-SOS-16", "EX-71")
def test_sos_two_walls_and_a_unit_are_eleven() -> None:
    battle = battle_of("SOS", defender="red", points=50, wall_wounds=1)
    for unit, wall, other in (("b1", "wall1", "r1"), ("b2", "wall2", "rn1")):
        battle.do("activate", unit=unit)
        battle.do("action", action="charge", target=wall, distance=6, faces=[6])
        battle.do("attack-result", wounds=1).do("continue").do("end-turn")
        battle.forgo(other)
    battle.do("wounds", unit="r1", wounds=12, by="blue").do("eliminate", side="red", out=False)
    assert battle.vp() == (11, 0)
    assert battle.view()["goal"] == 12
    battle.round_over()
    assert battle.state.winner == ""


@pytest.mark.rule("TMG-MODE-SOS-18")
@pytest.mark.parametrize("year", EDITIONS)
def test_sos_walls_shoot_arrows_or_pass(year: str) -> None:
    battle = battle_of("SOS", year, defender="red").do("activate", unit="b1")
    battle.refused("TMG-MODE-SOS-18", "action", action="arrows", target="r1", dice=5, hit=4)
    battle.do("action", action="forgo").do("end-turn").do("activate", unit="wall1")
    battle.refused("TMG-MODE-SOS-18", "action", action="march")
    battle.do("action", action="arrows", target="b1", dice=5, hit=4).fight(2)
    assert battle.unit("b1").wounds == 2
    battle.do("end-turn").forgo("b2").do("activate", unit="wall2").do("action", action="forgo")
    battle.do("end-turn")
    assert battle.view()["walls"]["wall2"]["activated"]
    battle.refused("TMG-MODE-SOS-18", "activate", unit="wall3")


@pytest.mark.rule("TMG-MODE-SOS-5", "TMG-MODE-SOS-6")
def test_sos_the_defender_gains_no_points_and_wins_by_holding() -> None:
    battle = battle_of("SOS", defender="red").do("wounds", unit="b1", wounds=12, by="red")
    assert battle.vp() == (0, 0)
    battle.refused("TMG-MODE-SOS-6", "score", side="red", vp=1)
    battle.do("score", side="red", set=12, why="an override does not help him")
    battle.round_over()
    assert battle.state.winner == ""
    battle.do("continue")
    battle.do("score", side="blue", set=10).round_over()
    assert battle.state.winner == "blue"


@pytest.mark.rule("TMG-MODE-SOS-9", "TMG-MODE-SOS-8")
def test_sos_the_attackers_units_return_without_characters() -> None:
    led = {
        **STARK,
        "units": [{"name": "One", "cost": 5, "attachments": [CAPTAIN]}, {"name": "Two", "cost": 5}],
    }
    battle = battle_of("SOS", defender="red", armies=[led, LANNISTER])
    battle.do("wounds", unit="b1", wounds=12, by="red").round_over()
    assert battle.waits() == ["redeploy"]
    battle.do("redeploy", unit="b1")
    back = battle.unit("b1")
    assert (back.models, back.attachments) == (12, ())


# -- A Feast for Crows ------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-FFC-2", "TMG-MODE-FFC-20")
def test_ffc_2021_no_corpse_piles_as_terrain() -> None:
    battle = Battle("FFC", ready=False, first=None).do("continue").do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 4})
    battle.refused("TMG-MODE-FFC-2", "terrain", piece="corpse-pile")
    battle.refused("TMG-MODE-FFC-20", "terrain", random=True, d3=2, faces=[1, 1])
    for _ in range(3):
        battle.do("terrain", random=True, d3=3, piece="bog")
    assert "corpse-pile" not in battle.state.pieces


@pytest.mark.rule("TMG-MODE-FFC-5", "TMG-MODE-FFC-6", "TMG-MODE-FFC-14", "TMG-MODE-FFC-15")
def test_ffc_2021_fallen_infantry_leaves_a_pile_with_a_token() -> None:
    battle = battle_of("FFC")
    assert [bool(token.card) for token in battle.state.tokens] == [True, True]
    battle.do("wounds", unit="r2", wounds=12, by="blue")
    assert battle.waits() == ["pile"]
    battle.do("place")
    new = battle.token("o3")
    assert new.card not in {battle.token("o1").card, battle.token("o2").card, ""}
    assert new.pile == "pile3"


@pytest.mark.rule("TMG-MODE-FFC-8")
def test_ffc_2021_a_unit_holds_one_token() -> None:
    battle = battle_of("FFC").do("objective", token="o1", unit="b1")
    battle.refused("TMG-MODE-FFC-8", "objective", token="o2", unit="b1")


@pytest.mark.rule("TMG-MODE-FFC-11", "TMG-MODE-DWD-8")
@pytest.mark.parametrize("mode", ["FFC", "DWD"])
def test_a_failed_panic_test_passes_the_token_on(mode: str) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="b1")
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("test", unit="b1", why="fear")
    battle.do("panic", faces=[1, 1], d3=1, keep=True)
    assert battle.token("o1").holder == "r1"


@pytest.mark.rule("TMG-MODE-FFC-11", "TMG-MODE-DWD-8")
@pytest.mark.parametrize("mode", ["FFC", "DWD"])
def test_of_several_enemies_the_opponent_chooses(mode: str) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="b3")
    battle.do("engage", unit="b3", **{"with": ["r1", "r2"]})
    battle.do("correct", unit="b3", wounds=battle.unit("b3").total, why="gone")
    assert battle.waits() == ["claim-token"]
    assert PLAY.pending(battle.state)[0].side == "red"
    battle.refused(PLAYS["tmg-2021", mode].carried, "place", unit="r3")
    battle.do("place", unit="r2")
    assert battle.token("o1").holder == "r2"


def test_with_nobody_engaged_the_token_is_placed_beside_the_tray() -> None:
    battle = battle_of("DWD").do("objective", token="o1", unit="b1")
    battle.do("test", unit="b1", why="fear").do("panic", faces=[1, 1], d3=1, keep=True)
    assert battle.waits() == ["token"]
    battle.do("place")
    assert battle.token("o1").holder == ""


@pytest.mark.rule("TMG-MODE-FFC-13", "TMG-MODE-DWD-10")
@pytest.mark.parametrize("mode", ["FFC", "DWD"])
def test_a_stronger_attacker_takes_the_token(mode: str) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="r1")
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1").fight(4)
    assert battle.token("o1").holder == "b1"


@pytest.mark.rule("TMG-MODE-FFC-16", "TMG-MODE-DWD-11", "TMG-MODE-HAR-11", "TMG-MODE-DWW-11")
@pytest.mark.parametrize("mode", ["FFC", "DWD", "HAR", "DWW"])
def test_2021_tokens_score_from_round_2_and_the_commander_more(mode: str) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="b1").round_over()
    battle.finish_round().do("continue")
    assert [(one.vp, one.rule) for one in battle.state.proposals] == [
        (1, PLAYS["tmg-2021", mode].scoring_rule),
        (1, "TMG-OBJ-6"),
    ]


@pytest.mark.rule("TMG-MODE-FFC-17", "TMG-MODE-FFC-18", "TMG-MODE-FFC-19", "EX-76")
def test_ffc_2018_failed_tests_put_points_on_a_tray() -> None:
    battle = battle_of("FFC", "2018")
    battle.do("activate", unit="b1", near_pile=True)
    assert battle.view()["panic"][0]["kind"] == "morale"
    battle.do("panic", faces=[1, 1], keep=True)
    assert battle.unit("b1").vp_tokens == 1
    assert battle.unit("b1").wounds == 0
    for _ in range(2):
        battle.do("test", unit="b1", why="fear").do("panic", faces=[2, 3], keep=True)
    assert battle.unit("b1").vp_tokens == 3
    battle.do("wounds", unit="b1", wounds=12, by="red")
    assert battle.vp() == (0, 4)
    assert scored(battle)[-1] == ("red", 3, "TMG-MODE-FFC-19")


# -- A Dance with Dragons ---------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-DWD-3", "TMG-MODE-DWD-5", "TMG-MODE-DWD-6", "EX-75")
def test_dwd_a_carrier_is_slow() -> None:
    battle = battle_of("DWD").do("objective", token="o1", unit="b3")
    assert all(token.card for token in battle.state.tokens)
    battle.do("activate", unit="b3")
    battle.refused("TMG-MODE-DWD-5", "action", action="march")
    battle.refused("TMG-CHG-4", "action", action="charge", target="r1", distance=8.5)
    battle.do("action", action="maneuver")
    assert any('up to 2"' in line for line in battle.told)


# -- Winds of Winter --------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-WOW-3")
def test_wow_2021_a_hand_of_six_with_11_and_12() -> None:
    battle = Battle("WOW").do("continue")
    wrong = ["1", "2", "3", "4", "5", "12"]
    battle.refused("TMG-MODE-WOW-3", "missions", player="blue", cards=wrong)
    right = ["1", "2", "3", "4", "11", "12"]
    battle.do("missions", player="blue", cards=right)
    assert battle.player("blue").missions == tuple(right)
    assert "mission_cards" not in battle.view("red")["players"]["blue"]


@pytest.mark.rule("TMG-MODE-WOW-4", "TMG-MODE-WOW-5", "TMG-MODE-WOW-6", "TMG-MODE-WOW-8")
def test_wow_2021_missions_are_revealed_scored_and_discarded() -> None:
    battle = battle_of("WOW").do("objective", token="o1", unit="b1").round_over()
    assert battle.waits() == ["missions"]
    battle.refused("TMG-MODE-WOW-4", "reveal", player="blue", card="1")
    battle.do("reveal", player="red", card="11").do("reveal", player="blue", card="2")
    assert battle.view()["missions"]["open"] == ["11", "2"]
    battle.do("mission", side="blue", mission="11", vp=2)
    battle.do("mission", side="red", mission="11", vp=2)
    battle.refused("TMG-MODE-WOW-6", "mission", side="red", mission="11", vp=2)
    battle.refused("TMG-MODE-WOW-6", "mission", side="red", mission="12", vp=2)
    battle.finish_round().do("continue")
    assert battle.state.proposals == ()
    battle.do("score", confirm=True)
    assert battle.vp() == (2, 2)
    assert battle.view()["missions"]["open"] == []


@pytest.mark.rule("TMG-MODE-WOW-3", "TMG-MODE-WOW-9", "TMG-MODE-WOW-10", "TMG-MODE-WOW-12")
def test_wow_2018_secret_missions() -> None:
    battle = battle_of("WOW", "2018")
    mine = battle.player("blue").missions
    assert len(mine) == 2
    battle.refused("TMG-MODE-WOW-10", "mission", side="blue", mission=mine[0], vp=1)
    battle.do("wounds", unit="r2", wounds=12, by="blue")
    assert battle.vp() == (0, 0)
    battle.finish_round()
    battle.do("lay-aside", player="blue", card=mine[1])
    battle.refused("TMG-MODE-WOW-11", "lay-aside", player="blue", card=mine[0])
    shown = json.dumps([battle.view(), battle.view("red"), battle.told])
    assert f'"{mine[1]}"' not in shown
    assert battle.told == ["blue lays a mission aside, face down"]
    battle.clean_up()
    assert len(battle.player("blue").missions) == 2
    assert mine[1] not in battle.player("blue").missions
    battle.do("mission", side="blue", mission=mine[0], vp=2)
    assert battle.vp() == (2, 0)


@pytest.mark.rule("TMG-MODE-WOW-4", "TMG-MODE-WOW-5", "TMG-MODE-WOW-6", "TMG-MODE-WOW-11")
def test_wow_2018_the_open_mission_counts_for_all_and_several_times() -> None:
    battle = battle_of("WOW", "2018")
    assert battle.view()["missions"]["open"] == []
    battle.round_over()
    [card] = battle.view()["missions"]["open"]
    battle.do("mission", side="blue", mission=card, vp=1)
    battle.do("mission", side="blue", mission=card, vp=1)
    battle.do("mission", side="red", mission=card, vp=1)
    assert battle.vp() == (2, 1)
    battle.round_over()
    assert card not in battle.view()["missions"]["open"]


# -- Honed and Ready --------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-HAR-5", "TMG-MODE-HAR-7")
def test_har_no_impassable_terrain() -> None:
    battle = Battle("HAR", ready=False, first=None).do("continue").do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 4})
    battle.refused("TMG-MODE-HAR-5", "terrain", piece="palisade")
    assert "impassable" in catalogue("tmg-2021").pieces["castle-wall"]


@pytest.mark.rule("TMG-MODE-HAR-8", "TMG-MODE-HAR-9", "EX-77")
def test_har_the_wall_strikes_who_scores_beside_it() -> None:
    battle = battle_of("HAR").do("objective", token="o2", unit="b2")
    battle.do("objective", token="o1", unit="b1").round_over()
    battle.finish_round().do("continue").do("score", confirm=True)
    assert battle.waits() == ["wall-hits"]
    battle.do("wall-hits", d3=2)
    battle.do("roll", faces=[6, 6, 1, 1], keep=True)
    assert battle.unit("b2").wounds == 2
    assert not battle.state.trials
    assert battle.waits() == ["discard"]


@pytest.mark.rule("TMG-MODE-HAR-10")
def test_har_a_zone_may_be_replaced_by_the_walls_hits() -> None:
    battle = battle_of("HAR").do("objective", token="o1", unit="r1")
    battle.do("objective", token="o3", unit="r2")
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    assert "TMG-MODE-HAR-10" in PLAY.pending(battle.state)[0].say
    battle.refused("TMG-MODE-HAR-10", "zone-effect", instead="hits", unit="r1")
    battle.do("zone-effect", instead="hits", unit="r2", d3=1)
    assert battle.view()["attack"]["hits"] == 3


# -- Fire and Blood ---------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-FAB-3", "TMG-MODE-FAB-5")
def test_fab_marking() -> None:
    battle = Battle("FAB").do("continue").do("deploy")
    battle.refused("TMG-MODE-FAB-3", "mark", side="red", unit="b1", card="6")
    battle.do("mark", side="blue", unit="r1", card="6")
    battle.refused("TMG-MODE-FAB-5", "mark", side="red", unit="b1", card="6")
    battle.refused("TMG-MODE-FAB-3", "mark", side="red", unit="r2", card="7")
    battle.do("mark", side="red", unit="b1", card="7")
    battle.do("mark", side="blue", unit="r2", card="8").do("mark", side="red", unit="b2", card="9")
    assert battle.state.round == 1
    assert sum(unit.marked for unit in battle.state.units) == 4


@pytest.mark.rule("TMG-MODE-FAB-7", "TMG-MODE-FAB-8", "TMG-MODE-FAB-9", "EX-74")
def test_fab_six_points_at_once() -> None:
    battle = battle_of("FAB").do("correct", unit="r1", vp_tokens=2)
    battle.do("wounds", unit="r1", wounds=12, by_unit="b1")
    assert [rule for _, _, rule in scored(battle)] == [
        "TMG-VIC-8",
        "TMG-MODE-FAB-7",
        "TMG-MODE-FAB-8",
        "TMG-MODE-FAB-9",
    ]
    assert battle.vp() == (6, 0)


@pytest.mark.rule("TMG-MODE-FAB-6", "OR-42")
def test_fab_the_commander_puts_points_on_enemies() -> None:
    battle = battle_of("FAB").do("activate", unit="b1")
    assert "vp-token" in PLAY.pending(battle.state)[0].commands
    battle.do("vp-token", unit="r3")
    battle.refused("TMG-MODE-FAB-6", "vp-token", unit="r3")
    battle.do("action", action="forgo").do("end-turn").do("activate", unit="r2")
    battle.refused("TMG-MODE-FAB-6", "vp-token", unit="b1")
    assert battle.unit("r3").vp_tokens == 1


# -- Here We Stand ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-HWS-6", "TMG-MODE-HWS-9", "EX-72", "EX-73")
@pytest.mark.parametrize(
    ("blue", "red", "owner"),
    [((6, False), (4, True), "red"), ((4, False), None, None), ((5, False), None, "blue")],
)
def test_hws_control_of_a_quadrant(
    blue: tuple[int, bool], red: tuple[int, bool] | None, owner: str | None
) -> None:
    cost, leads = red or (9, False)
    armies = [
        {"side": "blue", "units": [{"name": "A", "cost": blue[0], "commander": blue[1]}]},
        {"side": "red", "units": [{"name": "B", "cost": cost, "commander": leads}]},
    ]
    battle = battle_of("HWS", armies=armies)
    places = {"b1": "upper-left", "r1": "upper-left" if red else "lower-right"}
    assert quadrant_owner(quadrant_points(battle.state, places)["upper-left"]) == owner


@pytest.mark.rule("TMG-MODE-HWS-7", "TMG-MODE-HWS-8")
def test_hws_ncus_go_to_quadrants() -> None:
    battle = battle_of("HWS").do("activate", unit="bn1")
    assert "quadrant" in PLAY.pending(battle.state)[0].commands
    battle.do("quadrant", quadrant="upper-left").do("end-turn").forgo("r1")
    battle.do("activate", unit="bn2")
    battle.refused("TMG-MODE-HWS-8", "quadrant", quadrant="upper-left")
    battle.do("quadrant", quadrant="upper-right")
    assert quadrant_points(battle.state, {})["upper-left"]["blue"] == 4


@pytest.mark.rule("TMG-MODE-HWS-10", "TMG-MODE-HWS-11")
def test_hws_one_unit_a_side_returns_and_counts_as_activated() -> None:
    battle = battle_of("HWS").do("wounds", unit="r1", wounds=12, by="blue")
    battle.do("wounds", unit="r2", wounds=12, by="blue").round_over()
    assert battle.waits() == ["redeploy"]
    battle.do("redeploy", unit="r1")
    assert battle.unit("r1").standing
    assert battle.unit("r1").activated
    battle.refused("TMG-MODE-HWS-10", "redeploy", unit="r2")


@pytest.mark.rule("TMG-MODE-HWS-12")
def test_hws_a_point_per_quadrant_from_round_2() -> None:
    battle = battle_of("HWS")
    places = {"b1": "upper-left", "b2": "upper-right", "r1": "lower-left"}
    for points in ((0, 0), (2, 1)):
        battle.finish_round().do("continue").do("quadrants", units=places)
        battle.do("score", confirm=True).do("continue")
        assert battle.vp() == points


# -- Dark Wings, Dark Words -------------------------------------------------------------------


def rows(battle: Battle) -> tuple[list[str], list[str], int]:
    found = battle.view()["missions"]
    return found["open"], found["reserve"], found["deck"]


@pytest.mark.rule("TMG-MODE-DWW-3", "TMG-MODE-DWW-4")
def test_dww_two_active_two_in_reserve() -> None:
    active, reserve, deck = rows(battle_of("DWW"))
    assert (len(active), len(reserve), deck) == (2, 2, 5)
    assert not {"10", "11", "12"} & {*active, *reserve}


@pytest.mark.rule("TMG-MODE-DWW-5", "TMG-MODE-DWW-6")
def test_dww_the_row_moves_up_from_round_3_and_the_deck_comes_back() -> None:
    battle = battle_of("DWW")
    before = rows(battle)
    battle.round_over()
    assert rows(battle) == before
    battle.round_over()
    assert rows(battle)[0] == before[1]
    assert rows(battle)[2] == 3
    battle.round_over()
    battle.round_over()
    assert rows(battle)[0]
    assert len(rows(battle)[1]) == 2
    cards = {*rows(battle)[0], *rows(battle)[1], *battle.state.mission_deck}
    assert len(cards) + len(battle.state.mission_discard) == 9


@pytest.mark.rule("TMG-MODE-DWW-7")
def test_dww_a_zone_may_be_replaced_by_a_new_mission() -> None:
    battle = battle_of("DWW")
    active, reserve, _ = rows(battle)
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    assert "TMG-MODE-DWW-7" in PLAY.pending(battle.state)[0].say
    battle.refused("TMG-MODE-DWW-7", "zone-effect", instead="mission", out="99")
    battle.do("zone-effect", instead="mission", out=active[0], into=reserve[1])
    assert rows(battle)[:2] == ([reserve[1], active[1]], [reserve[0]])


@pytest.mark.rule("TMG-MODE-DWW-8")
def test_dww_the_commander_may_replace_a_mission_instead_of_acting() -> None:
    battle = battle_of("DWW").do("activate", unit="b1")
    assert "swap-mission" in PLAY.pending(battle.state)[0].commands
    reserve = rows(battle)[1]
    battle.do("swap-mission", out=reserve[0])
    assert reserve[0] not in rows(battle)[1]
    assert len(rows(battle)[1]) == 2
    assert battle.unit("b1").activated


@pytest.mark.rule("TMG-MODE-DWW-10")
def test_dww_every_revealed_mission_may_be_scored_by_each() -> None:
    battle = battle_of("DWW")
    [first, _], [reserve, _], _ = rows(battle)
    battle.do("mission", side="blue", mission=first, vp=2)
    battle.do("mission", side="red", mission=first, vp=2)
    battle.refused("TMG-MODE-DWW-10", "mission", side="red", mission=reserve, vp=2)
    assert battle.vp() == (2, 2)


@pytest.mark.rule("TMG-MODE-GOT-9")
@pytest.mark.parametrize(("melee", "holder"), [(True, "b2"), (False, "b1")])
def test_got_2018_the_destroyer_takes_the_token_it_touches(melee: bool, holder: str) -> None:
    battle = battle_of("GOT", "2018")
    for unit in ("r1", "b1", "b2"):
        battle.do("objective", token="o1", unit=unit)
    assert battle.token("o1").holder == "r1"
    if melee:
        battle.do("engage", unit="b2", **{"with": ["r1"]})
    battle.do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", ranged=not melee).fight(12)
    assert battle.token("o1").holder == holder


def test_an_offer_can_be_changed_and_the_log_says_by_whom() -> None:
    battle = battle_of("GOT").do("objective", token="o1", unit="b2").round_over()
    battle.finish_round().do("continue").do("score", offer=1, vp=2)
    assert "2 instead of 1 by the players" in battle.told[0]
    battle.do("score", confirm=True)
    assert battle.vp() == (2, 0)


def test_2018_a_printed_zone_may_grant_a_free_attack() -> None:
    battle = battle_of("GOT", "2018").do("activate", unit="bn1").do("claim", zone="combat")
    battle.do("free-action", unit="b2", action="attack", target="r1").fight(2)
    assert battle.unit("r1").wounds == 2
    battle.do("zone-effect", skip=True)
    assert battle.waits() == ["end-of-turn"]


def test_wow_2018_a_mission_may_be_laid_aside_after_another_was_scored() -> None:
    battle = battle_of("WOW", "2018").round_over()
    first, second = battle.player("blue").missions
    battle.do("mission", side="blue", mission=first, vp=1).finish_round()
    battle.do("lay-aside", player="blue", card=second)
    battle.clean_up()
    assert len(battle.player("blue").missions) == 2

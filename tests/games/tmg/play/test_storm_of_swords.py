"""A Storm of Swords in play: walls, siege cards, reserves."""

from __future__ import annotations

import pytest

from models import CompanionError
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")
CAPTAIN = {"name": "Captain", "cost": 1, "character": True}


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


@pytest.mark.rule("TMG-MODE-SOS-1", "TMG-DEP-1")
def test_roles_are_chosen_in_a_siege_only() -> None:
    """The winner of the roll for the zones has no role to choose."""
    battle = Battle(ready=False, first=None)
    while battle.state.step != "zones":
        battle.do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 5})
    battle.refused("TMG-MODE-SOS-1", "choose-role", side="red", role="attacker")
    siege = Battle("SOS", ready=False, first=None)
    told = siege.refused("TMG-MODE-SOS-1", "choose-role", side="blue", role="attacker")
    assert told == "roles are chosen after the roll, in a siege only"


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
    battle.refused("TMG-MODE-SOS-11", "activate", unit="r2")
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


@pytest.mark.rule("TMG-MODE-SOS-16")
@pytest.mark.parametrize("year", EDITIONS)
def test_sos_a_wall_is_set_right_and_its_points_with_it(year: str) -> None:
    battle = battle_of("SOS", year, defender="red", wall_wounds=5)
    battle.do("correct", unit="wall1", wounds=4, why="miscounted")
    assert battle.view()["walls"]["wall1"]["wounds"] == 4
    assert battle.vp() == (0, 0)
    battle.do("correct", unit="wall1", wounds=5)
    assert battle.vp() == (5, 0)
    assert not battle.view()["walls"]["wall1"]["standing"]
    battle.do("correct", unit="wall1", wounds=0)
    assert battle.vp() == (0, 0)
    battle.refused("INPUT", "correct", unit="wall1", marked=True)
    battle.refused("INPUT", "correct", unit="wall1")


@pytest.mark.rule("TMG-MODE-SOS-18")
@pytest.mark.parametrize("year", EDITIONS)
def test_sos_arrows_are_shot_with_dice(year: str) -> None:
    battle = battle_of("SOS", year, defender="red").forgo("b1")
    battle.do("activate", unit="wall1")
    with pytest.raises(CompanionError, match="dice"):
        battle.do("action", action="arrows", target="b2", dice=0, hit=4)
    battle.do("action", action="arrows", target="b2", dice=1, hit=4)


@pytest.mark.rule("TMG-MODE-SOS-10")
@pytest.mark.parametrize("year", EDITIONS)
def test_sos_a_defender_with_a_single_unit_waits_behind_its_walls(year: str) -> None:
    """More than half of one is one: there is no other way to go on."""
    alone = {**LANNISTER, "units": LANNISTER["units"][:1]}
    battle = Battle("SOS", year, armies=[STARK, alone], defender="red", unchecked=True)
    battle.do("continue")
    battle.refused("TMG-MODE-SOS-10", "reserve", side="red", units=[])
    battle.do("reserve", side="red", units=["r1"]).do("deploy")
    assert battle.state.phase == "activation"
    assert battle.state.winner == ""
    both = Battle("SOS", year, defender="red").do("continue")
    both.refused("TMG-MODE-SOS-10", "reserve", side="red", units=["r1", "r2", "r3"])

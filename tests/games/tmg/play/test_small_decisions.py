"""Decisions of one line each that a wrong sign or a dropped guard would turn round."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.commands.terrain import RANDOM_PIECES
from companion.games.tmg.play.events.flow_events import noted
from companion.games.tmg.play.state.play_rules import RULES, goal_for
from companion.games.tmg.rules.combat.dice import (
    charge_chance,
    charge_dice,
    needed_roll,
    roll_charge,
)
from models import CompanionError
from tests.games.tmg.sample_units import field, fighter
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")
CAPTAIN = {"name": "Captain", "cost": 1, "character": True}


def asked(**facts: Any) -> dict[str, Any]:
    """A set-up of two lawful armies."""
    return {"do": "set-up", "mode": "GOT", "armies": [STARK, LANNISTER], "first": "blue", **facts}


# -- set-up -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-UNT-1")
@pytest.mark.parametrize("kind", ["units", "ncus"])
def test_no_two_units_of_a_game_have_the_same_id(kind: str) -> None:
    twins = {**LANNISTER, kind: [{**one, "id": "b1"} for one in LANNISTER[kind][:1]]}
    found = PLAY.prepare("tmg-2021", asked(armies=[STARK, twins], unchecked=True))
    assert isinstance(found, Refusal)
    assert found.say == "two units have the same id"


@pytest.mark.rule("TMG-TEAM-1")
def test_a_second_player_of_one_name_is_refused_by_place_and_name() -> None:
    armies = [{**STARK, "player": "ann"}, {**LANNISTER, "player": "ann"}]
    found = PLAY.prepare("tmg-2021", asked(armies=armies, unchecked=True))
    assert isinstance(found, Refusal)
    assert found.say == "armies[1]: player 'ann' has armies[0] already"


@pytest.mark.rule("TMG-SET-1")
def test_a_table_of_another_game_or_other_owners_begins_no_game() -> None:
    mine = field("tmg-2021", fighter("b1", 10, 5), fighter("r1", 10, 40)).table
    assert not isinstance(PLAY.prepare("tmg-2021", asked(table=mine.to_json())), Refusal)
    plain = mine.to_json()
    for unit in plain["units"]:
        unit["side"] = {"blue": "red", "red": "blue"}[unit["side"]]
    swapped = PLAY.prepare("tmg-2021", asked(table=plain))
    assert isinstance(swapped, Refusal)
    assert swapped.say == "b1 is blue's"
    old = PLAY.prepare("tmg-2018", asked(table=mine.to_json(), unchecked=True))
    assert isinstance(old, Refusal)
    assert old.say == "the table is of tmg-2021, the game of tmg-2018"


@pytest.mark.rule("TMG-MODE-SOS-3")
def test_only_a_siege_has_walls_with_the_wounds_that_were_asked_for() -> None:
    siege = PLAY.prepare("tmg-2021", asked(mode="SOS", wall_wounds=7))
    assert not isinstance(siege, Refusal)
    assert [wall["total"] for wall in siege["walls"]] == [7, 7, 7]
    game = PLAY.prepare("tmg-2021", asked(wall_wounds=7))
    assert not isinstance(game, Refusal)
    assert game["walls"] == []


@pytest.mark.rule("TMG-SET-11", "EX-61", edition="2021")
def test_every_sum_of_two_dice_has_its_piece() -> None:
    told = "corpse-pile corpse-pile bog palisade hedge choice low-wall stakes forest"
    assert list(RANDOM_PIECES) == list(range(2, 13))
    assert list(RANDOM_PIECES.values()) == [*told.split(), "weirwood", "weirwood"]


@pytest.mark.rule("TMG-DEP-3")
def test_sides_deploy_in_turn_from_who_chose_the_zone_and_the_rest_in_one_go() -> None:
    small = {**LANNISTER, "units": LANNISTER["units"][:1]}
    battle = Battle(ready=False, first=None, armies=[STARK, small])
    while battle.state.step != "zones":
        battle.do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 5}).do("choose-zone", side="red", zone="far")
    battle.do("first-player", side="blue")
    while battle.state.step != "deploy":
        battle.do("continue")
    battle.refused("TMG-DEP-3", "deploy", unit="b1")
    battle.do("deploy", unit="r1").do("deploy", unit="b2")
    battle.do("deploy", unit="b1").do("deploy", unit="b3")  # red has none left
    assert battle.state.step != "deploy"


@pytest.mark.rule("TMG-MODE-COK-14", edition="2018")
def test_a_commander_who_is_an_ncu_names_who_stands_in_and_only_his_side_does() -> None:
    led = {
        **LANNISTER,
        "units": [{**LANNISTER["units"][1], "attachments": [CAPTAIN]}, *LANNISTER["units"][1:]],
        "ncus": [{"name": "Tywin", "cost": 4, "commander": True}],
    }
    other = {
        **STARK,
        "units": [{**STARK["units"][0], "attachments": [CAPTAIN]}, *STARK["units"][1:]],
    }
    battle = Battle("COK", "2018", armies=[other, led]).do("continue")
    battle.do("reserve", side="blue", units=["b3"])  # its commander stands on the field
    battle.refused("TMG-MODE-COK-14", "reserve", side="red", units=["r3"])
    battle.refused("TMG-MODE-COK-14", "reserve", side="red", units=["r3"], leader="r2")
    battle.do("reserve", side="red", units=["r3"], leader="r1")
    assert battle.state.step == "deploy"


@pytest.mark.rule("TMG-MODE-SOS-10", edition="2018")
def test_units_of_half_the_points_wait_and_not_all_of_them() -> None:
    costs = (4, 4, 4)
    three = {**LANNISTER, "units": [{"name": f"Unit {n}", "cost": c} for n, c in enumerate(costs)]}
    battle = Battle("SOS", "2018", armies=[STARK, three], defender="red").do("continue")
    battle.refused("TMG-MODE-SOS-10", "reserve", side="red", units=["r1"])  # 4 of 12
    battle.refused("TMG-MODE-SOS-10", "reserve", side="red", units=["r1", "r2", "r3"])
    battle.do("reserve", side="red", units=["r1", "r2"])
    assert battle.state.step == "deploy"


# -- turns ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-SOS-18", "TMG-RND-4")
@pytest.mark.parametrize("year", EDITIONS)
def test_walls_are_activated_by_the_defender_only(year: str) -> None:
    battle = battle_of("SOS", year, defender="red")
    units = PLAY.pending(battle.state)[0].data["units"]
    assert not {"wall1", "wall2", "wall3"} & set(units)
    battle.forgo("b1")
    units = PLAY.pending(battle.state)[0].data["units"]
    assert {"wall1", "wall2", "wall3"} <= set(units)


@pytest.mark.rule("TMG-RND-4", "TMG-RND-6", "TMG-RND-7", "TMG-RND-8")
def test_a_turn_waits_for_a_unit_once_and_then_for_its_action() -> None:
    battle = Battle().deployed()
    assert battle.waits() == ["turn-start"]
    battle.do("activate", unit="b1")
    assert battle.waits() == ["action"]
    battle.do("action", action="forgo")
    assert battle.waits() == ["end-of-turn"]
    battle.do("end-turn")
    assert battle.waits() == ["turn-start"]
    assert PLAY.pending(battle.state)[0].side == "red"


@pytest.mark.rule("TMG-MODE-FAB-6")
def test_fab_points_go_on_enemies_that_stand() -> None:
    battle = battle_of("FAB").do("wounds", unit="r3", wounds=12).do("activate", unit="b1")
    battle.refused("TMG-MODE-FAB-6", "vp-token", unit="b2")
    battle.refused("TMG-MODE-FAB-6", "vp-token", unit="r3")
    battle.do("vp-token", unit="r2")
    assert battle.unit("r2").vp_tokens == 1


@pytest.mark.rule("TMG-UNT-11", "TMG-NCU-1")
@pytest.mark.parametrize("zone", ["crown", "wealth", "tactics"])
def test_a_zone_concerns_nobody_who_has_fallen(zone: str) -> None:
    battle = Battle().deployed().do("wounds", unit="r3", wounds=12)
    battle.do("wounds", unit="b3", wounds=12).do("activate", unit="bn1").do("claim", zone=zone)
    fallen = "b3" if zone == "wealth" else "r3"
    battle.refused("TMG-UNT-11", "zone-effect", unit=fallen, token="panicked")
    battle.refused("TMG-NCU-1", "zone-effect", unit="rn1", token="panicked")


@pytest.mark.rule("TMG-RND-20", edition="2021")
def test_2021_a_hand_of_more_than_five_is_discarded_down() -> None:
    battle = Battle().deployed().do("draw", player="blue", count=2)
    assert len(battle.player("blue").hand) == 5
    assert battle.waits() == ["turn-start"]
    battle.do("draw", player="blue")
    assert "hand" in battle.waits()
    battle.do("discard", player="blue", cards=[battle.player("blue").hand[0]])
    assert battle.waits() == ["turn-start"]
    assert len(battle.player("blue").hand) == 5


@pytest.mark.rule("TMG-RND-20", edition="2018")
def test_2018_a_hand_has_no_limit_and_named_cards_are_those_drawn() -> None:
    battle = Battle("GOT", "2018").deployed()
    deck = battle.player("blue").deck
    wanted = list(deck[-3:])
    battle.do("draw", player="blue", cards=wanted)
    assert battle.player("blue").hand[-3:] == tuple(wanted)
    assert Counter(battle.player("blue").deck) == Counter(deck) - Counter(wanted)
    assert len(battle.player("blue").hand) == 6
    assert battle.waits() == ["turn-start"]


# -- what a unit leaves behind ----------------------------------------------------------------


@pytest.mark.rule("TMG-UNT-11", "TMG-GLO-11")
def test_who_falls_leaves_the_fights_of_others_as_they_are() -> None:
    battle = Battle().deployed().do("engage", unit="b1", **{"with": ["r1", "r2"]})
    battle.do("engage", unit="b2", **{"with": ["r2"]})
    battle.do("wounds", unit="r1", wounds=12)
    assert battle.unit("r1").engaged == ()
    assert battle.unit("b1").engaged == ("r2",)
    assert set(battle.unit("r2").engaged) == {"b1", "b2"}
    assert battle.unit("b2").engaged == ("r2",)


@pytest.mark.rule("TMG-UNT-11")
def test_who_falls_takes_no_test_and_others_still_do() -> None:
    battle = Battle().deployed().do("test", unit="r1", why="fear").do("test", unit="r2", why="fear")
    battle.do("wounds", unit="r1", wounds=12)
    assert [trial.unit for trial in battle.state.trials] == ["r2"]


# -- scoring ----------------------------------------------------------------------------------


def offered() -> Battle:
    """The second score step: the first and the third token are held."""
    battle = Battle().deployed().round_over()
    battle.do("objective", token="o1", unit="b2").do("objective", token="o3", unit="r2")
    return battle.finish_round().do("continue")


@pytest.mark.rule("TMG-OBJ-5")
@pytest.mark.parametrize(("number", "left"), [(1, ["o3"]), (2, ["o1"])])
def test_an_offer_is_dropped_by_its_number(number: int, left: list[str]) -> None:
    battle = offered()
    assert [one.token for one in battle.state.proposals] == ["o1", "o3"]
    for wrong in (0, 3):
        with pytest.raises(CompanionError):
            PLAY.decide(battle.state, {"do": "score", "drop": wrong})
    battle.do("score", drop=number)
    assert [one.token for one in battle.state.proposals] == left


@pytest.mark.rule("TMG-OBJ-5")
@pytest.mark.parametrize(("number", "points"), [(1, [4, 1]), (2, [1, 4])])
def test_an_offer_is_changed_by_its_number(number: int, points: list[int]) -> None:
    battle = offered()
    assert [one.vp for one in battle.state.proposals] == [1, 1]
    for wrong in (0, 3):
        with pytest.raises(CompanionError):
            PLAY.decide(battle.state, {"do": "score", "offer": wrong, "vp": 4})
    battle.do("score", offer=number, vp=4)
    assert [one.vp for one in battle.state.proposals] == points
    battle.do("score", confirm=True)
    assert battle.vp() == tuple(points)


@pytest.mark.rule("TMG-RND-13")
def test_points_are_given_and_taken_but_never_below_none() -> None:
    battle = Battle().deployed().do("score", side="red", vp=3)
    battle.refused("INPUT", "score", side="red", vp=-4)
    battle.do("score", side="red", vp=-3)
    assert battle.vp() == (0, 0)


# -- numbers of the books -----------------------------------------------------------------------


@pytest.mark.rule("TMG-SET-10", "TMG-ATK-17", "TMG-TER-9", "TMG-PAN-2", "TMG-RND-21")
def test_the_editions_differ_as_the_books_say() -> None:
    new, old = RULES["2021"], RULES["2018"]
    assert (new.hand_limit, old.hand_limit) == (5, None)
    assert (new.abilities_share_trigger, old.abilities_share_trigger) == (False, True)
    assert (new.attack_completed_waits, old.attack_completed_waits) == (True, False)
    assert (new.random_terrain, old.random_terrain) == (True, False)
    assert (new.tokens_before_terrain, old.tokens_before_terrain) == (True, False)
    assert (new.solo_attachments, old.solo_attachments) == (False, True)
    assert (new.innate, old.innate) == (True, False)
    assert (new.dangerous_acting, old.dangerous_acting) == (True, False)
    assert (new.panic_d3, old.panic_d3) == (True, False)
    assert (new.goal_needs_more, old.goal_needs_more) == (False, True)


@pytest.mark.rule("TMG-VIC-3", "OR-38")
def test_the_goal_grows_by_two_with_every_ten_points() -> None:
    assert [goal_for(points) for points in (20, 29, 30, 39, 40, 50, 60)] == [8, 8, 8, 8, 10, 12, 14]


@pytest.mark.rule("TMG-CHG-16", "TMG-TER-14")
def test_hindering_ground_and_the_dice_of_a_charge() -> None:
    assert [charge_dice(year, False) for year in EDITIONS] == [1, 1]
    assert [charge_dice(year, True) for year in EDITIONS] == [1, 2]
    for year, hindering, worst in (
        ("2021", False, 1),
        ("2021", True, 1),
        ("2018", False, 1),
        ("2018", True, 2),
    ):
        for die in range(1, 7):
            faces = (die, 6)[: charge_dice(year, hindering)]
            roll = roll_charge(faces, 5.0, 5, year, hindering)
            assert roll.disorderly == (die <= worst), (year, hindering, die)


def test_a_note_stands_in_brackets_and_none_leaves_none() -> None:
    assert noted("r2: 3 wounds", "Longsword") == "r2: 3 wounds (Longsword)"
    assert noted("r2: 3 wounds", "") == "r2: 3 wounds"


@pytest.mark.rule("TMG-CHG-4", "TMG-CHG-11")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_six_is_the_farthest_charge(year: str) -> None:
    assert [needed_roll(away, 5) for away in (4.0, 6.0, 6.01, 10.0, 11.0)] == [1, 1, 2, 5, 6]
    assert needed_roll(11.01, 5) is None
    assert roll_charge((6,), 11.0, 5, year).success
    assert not roll_charge((5,), 11.0, 5, year).success
    assert not roll_charge((6,), 11.01, 5, year).success
    assert [charge_chance(need, year) for need in (1, 4, 6)] == pytest.approx([1, 0.5, 1 / 6])
    assert charge_chance(None, year) == 0.0


@pytest.mark.rule("TMG-MODE-FFC-13")
@pytest.mark.parametrize(("mode", "taken"), [("GOT", False), ("FFC", True)])
def test_a_token_is_taken_by_the_stronger_in_modes_that_say_so(mode: str, taken: bool) -> None:
    battle = battle_of(mode).do("wounds", unit="r1", wounds=8)
    battle.do("objective", token="o1", unit="r1").do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1").fight(0)
    assert battle.token("o1").holder == ("b1" if taken else "r1")


def written(**facts: Any) -> list[dict[str, Any]]:
    """Two armies, one with a unit whose numbers are written out."""
    unit = {"name": "Guards", "cost": 5, **facts}
    return [{**STARK, "units": [unit]}, LANNISTER]


SWORD = {"name": "Sword", "kind": "melee", "hit": 4, "dice": [4, 3, 2]}


@pytest.mark.rule("TMG-CARD-1")
@pytest.mark.parametrize(
    ("key", "fits", "wrong"),
    [
        ("speed", (0, 24), (-1, 25)),
        ("defense", (1, 7), (0, 8)),
        ("morale", (1, 13), (0, 14)),
        ("wounds_per_model", (1, 60), (0, 61)),
        ("cost", (0, 100), (-1, 101)),
        ("attacks", ([SWORD] * 12,), ([SWORD] * 13,)),
        ("abilities", (["Brave"] * 40,), (["Brave"] * 41,)),
        ("attachments", (), ([CAPTAIN] * 13,)),
    ],
)
def test_numbers_of_a_written_unit_have_limits(
    key: str, fits: tuple[object, ...], wrong: tuple[object, ...]
) -> None:
    for value in fits:
        found = PLAY.prepare("tmg-2021", asked(armies=written(**{key: value}), unchecked=True))
        assert not isinstance(found, Refusal), value
    for value in wrong:
        with pytest.raises(CompanionError, match=key):
            PLAY.prepare("tmg-2021", asked(armies=written(**{key: value}), unchecked=True))

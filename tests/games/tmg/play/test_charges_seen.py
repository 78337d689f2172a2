"""A charge as the table shows it: its way, its arc, the ground on it, who stands beside."""

from __future__ import annotations

import pytest

from companion.games.tmg.play.prompt_options import options
from companion.games.tmg.play.state.game_state import table_of
from companion.games.tmg.play.state.table_facts import charge_ways, melee_zone, report
from companion.games.tmg.rules.movement.move_check import check
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.action_offers import offers
from models import EXACT, Pose, Sigma
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen, slab
from tests.play.battle import Battle, battle_of
from tests.reference.charge import reached_at

LINE = {"b1": (26.75, 20.0, NORTH), "r1": (24.0, 32.0, SOUTH), "r2": (29.5, 32.0, SOUTH)}
MAKES_WAY = "if b1 touches r2 too, r2 is aligned at 50 % (TMG-CHG-20)"


@pytest.mark.rule("TMG-CHG-11", "TMG-CHG-14")
def test_the_distance_of_a_charge_is_measured() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 10, NORTH), "r1": (24, 10 + DEEP + 8, SOUTH)})
    battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[2])
    assert battle.state.attack is None
    assert battle.state.trials


@pytest.mark.rule("TMG-CHG-4")
def test_a_charge_out_of_reach_is_refused() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 10, NORTH), "r1": (24, 10 + DEEP + 12, SOUTH)})
    battle.do("activate", unit="b1")
    battle.refused("TMG-CHG-4", "action", action="charge", target="r1", faces=[6])


@pytest.mark.rule("TMG-TER-14")
@pytest.mark.parametrize(("year", "dice"), [("2021", 1), ("2018", 2)])
def test_hindering_ground_on_the_way_is_seen(year: str, dice: int) -> None:
    battle = battle_of("GOT", year)
    bog = slab(battle.game, "bog", (20, 17, 28, 18))
    seen(battle, {"b1": (24, 12, NORTH), "r1": (24, 12 + DEEP + 6, SOUTH)}, (bog,))
    battle.do("activate", unit="b1")
    battle.refused("TMG-CHG-11", "action", action="charge", target="r1", faces=[6] * (3 - dice))
    battle.do("action", action="charge", target="r1", faces=[6] * dice)
    if year == "2021":
        assert battle.view()["attack"]["charge_bonus"] is False


@pytest.mark.rule("TMG-TER-14", "TMG-CHG-5", "TMG-CHG-17")
@pytest.mark.parametrize(
    ("year", "x", "sigma", "bonus"),
    [
        ("2021", 24.0, EXACT, True),
        ("2021", 26.75, EXACT, False),
        ("2021", 25.5, Sigma(0.4, 0.5), True),
        ("2018", 26.75, EXACT, True),
    ],
)
def test_a_charge_that_is_aligned_on_hindering_ground_loses_its_bonus(
    year: str, x: float, sigma: Sigma, bonus: bool
) -> None:
    battle = battle_of("GOT", year)
    bog = slab(battle.game, "bog", (28, 15, 30, 18))
    foe = 12 + DEEP + 6
    seen(battle, {"b1": (24, 12, NORTH), "r1": (24, foe, SOUTH)}, (bog,))
    battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[6])
    (due,) = SCREEN.due_moves(battle.state)
    told = {str(end.text).partition(" · ")[2] for end in due.ends}
    assert told == ({"", "Hindering ground: no charge bonus"} if year == "2021" else {""})
    assert battle.view()["attack"]["charge_bonus"] is True
    seen(battle, {"b1": (x, foe - DEEP, NORTH), "r1": (24, foe, SOUTH)}, (bog,), sigma=sigma)
    assert battle.view()["attack"]["charge_bonus"] is bonus
    lost = "The attack: no charge bonus, the charge ends on bog"
    assert (lost in battle.titles) is not bonus
    known = [str(one.text) for one in SCREEN.prompts(battle.state)[0].facts]
    assert ("charge: without its bonus, it ends on Hindering ground" in known) is not bonus
    doubt = "too close to call: if it does, it has no charge bonus"
    assert (doubt in str(battle.answer)) is (sigma != EXACT)


@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-15")
def test_a_charge_too_close_to_call_is_left_to_the_players() -> None:
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    battle = seen(battle_of("GOT"), spots, sigma=Sigma(0.2, 0.5))
    battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[3])
    assert battle.waits() == ["charge"]
    battle.do("charge-result", success=True)
    assert battle.state.attack is not None


@pytest.mark.rule("TMG-CHG-9", "TMG-CHG-14", "TMG-CHG-15")
@pytest.mark.parametrize("faces", [1, 6])
def test_a_charge_that_arrives_on_any_roll_is_not_asked_about(faces: int) -> None:
    """Its shortest way only grazes the target; its player turns a little further."""
    spots = {"b1": (20.0, 17.4, NORTH), "r1": (17.15, 25.2, 180.0)}
    battle = seen(battle_of("GOT"), spots, sigma=Sigma(0.05, 0.8))
    charge = report(battle.state).units["b1"].charges["r1"]
    assert (charge.answer.verdict, charge.needs, charge.may_need) == ("yes", 1, ())
    battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[faces])
    assert "charge" not in battle.waits()
    assert battle.state.attack is not None


@pytest.mark.rule("TMG-CHG-9", "TMG-CHG-14")
def test_a_charge_whose_player_said_a_heading_that_may_miss_is_asked_about() -> None:
    spots = {"b1": (20.0, 17.4, NORTH), "r1": (17.15, 25.2, 180.0)}
    battle = seen(battle_of("GOT"), spots, sigma=Sigma(0.05, 0.8))
    heading = report(battle.state).units["b1"].charges["r1"].heading
    assert heading is not None
    battle.do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", heading=heading, faces=[6])
    assert battle.waits() == ["charge"]


@pytest.mark.rule("TMG-CHG-3", "TMG-LOS-5", "TMG-UNT-11")
def test_a_destroyed_unit_bars_no_charge() -> None:
    behind = 20 + 2 * DEEP + 6
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH), "r2": (24.0, behind, SOUTH)}
    battle = seen(battle_of("GOT"), spots)
    battle.do("activate", unit="b1").do("action", action="attack", target="r1").fight(12)
    battle.do("surge", take=False).do("end-turn").do("activate", unit="r2")
    battle.do("action", action="charge", target="b1", faces=[6])
    assert battle.unit("b1").engaged == ("r2",)


@pytest.mark.rule("TMG-CHG-2", "TMG-CHG-3")
def test_a_unit_that_moved_bars_no_charge_from_its_old_place() -> None:
    spots = {"b1": (24.0, 14.0, NORTH), "b2": (24.0, 19.5, NORTH), "r1": (24.0, 28.0, SOUTH)}
    battle = seen(battle_of("GOT"), spots)
    battle.do("activate", unit="b1")
    battle.refused("TMG-CHG-3", "action", action="charge", target="r1", faces=[6])
    battle.do("free-action", unit="b2", action="maneuver")
    battle.do("action", action="charge", target="r1", faces=[6])
    assert battle.unit("b1").engaged == ("r1",)


@pytest.mark.rule("TMG-CHG-20")
@pytest.mark.parametrize(("year", "told"), [("2021", [MAKES_WAY]), ("2018", [])])
def test_other_enemies_a_charge_touches_are_told(year: str, told: list[str]) -> None:
    battle = seen(battle_of("GOT", year), LINE).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6])
    assert battle.answer.get("reminders", []) == told
    # as they then stand, b1 fights both: no surge
    spots = {**LINE, "b1": (26.75, 32 - DEEP, NORTH)}
    seen(battle, spots)
    assert battle.unit("b1").engaged == ("r1", "r2")
    battle.fight(12)
    assert "surge" not in battle.waits()


@pytest.mark.rule("TMG-CHG-20", "TMG-CHG-14")
def test_they_are_told_when_the_players_say_that_it_arrived() -> None:
    for success, told in ((True, [MAKES_WAY]), (False, [])):
        battle = seen(battle_of("GOT"), LINE, sigma=Sigma(0.05)).do("activate", unit="b1")
        measured = battle.do("measure", unit="b1", to="r1").answer["gap"]
        assert 7 < measured < 7.4
        battle.do("action", action="charge", target="r1", faces=[2])
        assert battle.waits() == ["charge"]
        assert "reminders" not in battle.answer
        battle.do("charge-result", success=success)
        assert battle.answer.get("reminders", []) == told


@pytest.mark.rule("TMG-MEL-3", "TMG-MEL-4", "EX-27", "EX-28")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_who_is_engaged_at_the_flank_by_one_enemy_may_turn_first(year: str) -> None:
    beside = (24 + 2.75 + DEEP / 2, 20.0, 180.0)
    for spots, turns in (
        ({"r1": beside}, True),
        ({"r1": beside, "r2": (24.0, 20 + DEEP, SOUTH)}, False),  # from two sides
        ({"r1": (24.0, 20 + DEEP, SOUTH)}, False),  # in front already
    ):
        battle = seen(battle_of("GOT", year), {"b1": (24, 20, NORTH), **spots})
        battle.do("activate", unit="b1").do("action", action="attack", target="r1")
        words = "b1 may first turn its front to r1 and align (TMG-MEL-3, TMG-MEL-5)"
        assert battle.answer.get("reminders", []) == [words] * turns


@pytest.mark.rule("TMG-MEL-3", "TMG-MEL-5", "OR-20")
def test_a_unit_that_turns_in_melee_is_put_down_as_its_player_chooses() -> None:
    beside = (24 + 2.75 + DEEP / 2, 20.0, 180.0)
    battle = seen(battle_of("GOT"), {"b1": (24, 20, NORTH), "r1": beside})
    battle.do("activate", unit="b1")
    battle.do("action", action="attack", target="r1", turned=True)
    (due,) = SCREEN.due_moves(battle.state)
    assert (due.kind, due.certain) == ("turn", False)
    assert [str(end.text) for end in due.ends] == [
        "100 % in contact, in the middle",
        "50 % in contact, to its right",
        "50 % in contact, to its left",
    ]
    for end in due.ends:
        ((unit, pose),) = end.poses
        assert (unit, round(pose.heading) % 360) == ("b1", 0), "its front to the enemy"
    table = due.ends[0].command(table_of(battle.state.table))
    battle.do("table", **{key: value for key, value in table.items() if key != "do"})
    assert not SCREEN.due_moves(battle.state)
    assert battle.unit("b1").engaged == ("r1",)
    assert melee_zone(battle.state, "r1", "b1") == "front"


BY_HALF = {"b1": (25.5, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
"""b1 stands front to front with r1, 1.5 inches to its own right of the middle."""


@pytest.mark.rule("TMG-MEL-5", "OR-8")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_unit_in_melee_may_shift_to_align_before_its_dice(year: str) -> None:
    battle = seen(battle_of("GOT", year), BY_HALF).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    (due,) = SCREEN.due_moves(battle.state)
    assert (due.kind, due.piece, due.certain) == ("align", "b1", False)
    assert str(due.text).endswith("may shift along Lannister Crossbowmen first")
    assert [(str(end.text), round(end.poses[0][1].x, 2)) for end in due.ends] == [
        ("100 % in contact, in the middle", 24.0),
        ("50 % in contact, to its right", 26.75),
        ("50 % in contact, to its left", 21.25),
    ]
    table = due.ends[0].command(table_of(battle.state.table))
    battle.do("table", **{key: value for key, value in table.items() if key != "do"})
    assert not SCREEN.due_moves(battle.state)
    assert battle.unit("b1").engaged == ("r1",)
    assert melee_zone(battle.state, "b1", "r1") == "front"
    battle.do("roll", faces=[1] * battle.view()["attack"]["dice"])


@pytest.mark.rule("TMG-MEL-5", "TMG-ATK-2")
def test_the_shift_in_melee_is_past_once_the_dice_lie_and_it_costs_nothing() -> None:
    battle = seen(battle_of("GOT"), BY_HALF).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    battle.do("roll", faces=[6] * battle.view()["attack"]["dice"])
    assert not SCREEN.due_moves(battle.state)
    assert melee_zone(battle.state, "b1", "r1") == "front", "the table still shows the melee"


@pytest.mark.rule("TMG-MEL-5", "OR-21")
def test_a_shift_in_melee_keeps_every_contact() -> None:
    both = {"b1": (26.75, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    both["r2"] = (30.0, 20 + DEEP, SOUTH)  # half an inch beside r1
    battle = seen(battle_of("GOT"), both).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    (due,) = SCREEN.due_moves(battle.state)
    assert [round(end.poses[0][1].x, 2) for end in due.ends] == [27.25], "half on r2"


@pytest.mark.rule("TMG-MEL-5")
def test_no_place_is_offered_on_a_tray_that_is_still_to_be_moved() -> None:
    """b2 has maneuvered, and its tray still lies where b1 could shift to."""
    battle = seen(battle_of("GOT"), {**BY_HALF, "b2": (31.2, 19.0, NORTH)})
    battle.do("free-action", unit="b2", action="maneuver").do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    due = next(one for one in SCREEN.due_moves(battle.state) if one.kind == "align")
    assert [round(end.poses[0][1].x, 2) for end in due.ends] == [24.0, 21.25]


# -- ways --------------------------------------------------------------------------------------


def beside_forest(far: float, sigma: Sigma = EXACT) -> Battle:
    """Straight ahead of b1 stands r1, so far away, with a forest to the left of the lane."""
    battle = battle_of("GOT")
    forest = slab(battle.game, "forest", (20.0, 15.0, 22.5, 17.0))
    spots = {"b1": (24.0, 12.0, NORTH), "r1": (24.0, 12 + DEEP + far, SOUTH)}
    return seen(battle, spots, (forest,), sigma=sigma).do("activate", unit="b1")


@pytest.mark.rule("TMG-CHG-9", "TMG-TER-5")
def test_a_charge_is_led_past_terrain_where_that_needs_no_higher_roll() -> None:
    battle = beside_forest(7.9)
    shortest = report(battle.state).units["b1"].charges["r1"]
    (way,) = charge_ways(battle.state, "b1", "r1")
    assert "fortified" in shortest.effects
    assert (way.needs, way.effects) == (shortest.needs, ())
    table = report(battle.state).table
    low, high = reached_at(table, table.unit("b1"), table.unit("r1"), way.heading or 0.0)
    assert low - 1e-6 <= (way.distance_in or 0.0) <= high + 1e-6
    battle.do("action", action="charge", target="r1", faces=[6])
    assert battle.state.attack is not None
    assert battle.state.attack.defense_mods == ()


@pytest.mark.rule("TMG-CHG-9", "TMG-TER-5")
def test_a_way_around_terrain_that_needs_a_higher_roll_is_the_players_choice() -> None:
    battle = beside_forest(7.2)
    straight, around = charge_ways(battle.state, "b1", "r1")
    assert (straight.needs or 0) < (around.needs or 0)
    assert ("fortified" in straight.effects, around.effects) == (True, ())
    listed = [one for prompt in options(battle.state, "blue") for one in prompt["options"]]
    charges = [one["heading"] for one in listed if one.get("action") == "charge"]
    assert charges == [round(way.heading or 0.0, 3) for way in (straight, around)]
    rows = [one for one in offers(battle.state, report(battle.state), "b1") if one.kind == "charge"]
    told = {one.detail: one.commands[-1]["heading"] for one in rows if one.target == "r1"}
    assert told == {
        f"needs {straight.needs}+ · the target is fortified": charges[0],
        f"needs {around.needs}+ · on free ground": charges[1],
    }
    battle.do("action", action="charge", target="r1", heading=charges[1], faces=[6])
    assert battle.state.attack is not None
    assert battle.state.attack.defense_mods == ()


@pytest.mark.rule("TMG-CHG-9", "TMG-TER-5")
def test_the_way_of_the_lowest_roll_is_taken_where_nobody_says_a_heading() -> None:
    battle = beside_forest(7.2).do("action", action="charge", target="r1", faces=[6])
    assert battle.state.attack is not None
    assert battle.state.attack.defense_mods == (("fortified", 1),)


@pytest.mark.rule("TMG-CHG-9")
def test_a_heading_that_does_not_reach_the_target_is_refused() -> None:
    battle = beside_forest(7.9)
    battle.refused("TMG-CHG-9", "action", action="charge", target="r1", heading=270.0, faces=[6])


FAR = (40.0, 45.0, SOUTH)
PALISADE = (25.5, 17.0, 26.5, 17.5)


@pytest.mark.rule("TMG-CHG-9", "TMG-CHG-12", "TMG-CHG-13", "TMG-CHG-15")
@pytest.mark.parametrize(
    ("spots", "walled", "heading", "end", "stopper"),
    [
        ({"r1": (24.0, 25.2, SOUTH), "r2": (28.0, 20.0, SOUTH)}, False, 90, (24.0, 14.2), "r2"),
        ({"r1": (24.0, 22.0, SOUTH)}, False, 125, (17.691, 19.011), None),
        ({"r1": (24.0, 22.0, SOUTH)}, True, 85, (24.323, 13.690), "palisade"),
    ],
)
@pytest.mark.parametrize("said", [{}, {"distance": 8, "success": False}])
def test_a_charge_may_be_led_past_its_target_in_2018(
    spots: dict[str, tuple[float, float, float]],
    walled: bool,
    heading: float,
    end: tuple[float, float],
    stopper: str | None,
    said: dict[str, object],
) -> None:
    """It fails, where `check` says that it ends (CHG-10 is a rule of 2021)."""
    battle = battle_of("GOT", "2018")
    walls = (slab(battle.game, "palisade", PALISADE),) if walled else ()
    spots = {"b1": (24.0, 10.0, NORTH), "r2": FAR, "r3": (33.0, 45.0, SOUTH), **spots}
    seen(battle, spots, walls).do("activate", unit="b1")
    before = table_of(battle.state.table)
    charge = {"action": "charge", "target": "r1", "heading": heading, "faces": [6]}
    battle.refused("TMG-CHG-15", "action", **charge, distance=8)
    battle.do("action", **charge, **said)
    move = battle.answer["move"]
    assert (move["success"]["answer"], move["stopper"]) == ("no", stopper)
    assert (move["end"]["x"], move["end"]["y"]) == pytest.approx(end, abs=0.02)
    assert battle.state.attack is None
    assert battle.waits() == ["test"], "panic (TMG-CHG-23)"
    there = Pose(move["end"]["x"], move["end"]["y"], heading)
    assert check(before, before.moved("b1", there), "b1")["charge"].answer


@pytest.mark.rule("TMG-CHG-10", "TMG-CHG-13", edition="2021")
def test_a_charge_may_not_be_led_past_its_target_in_2021() -> None:
    for spots, heading in (
        ({"r1": (24.0, 25.2, SOUTH), "r2": (28.0, 20.0, SOUTH)}, 90),
        ({"r1": (24.0, 22.0, SOUTH)}, 125),
    ):
        battle = seen(battle_of("GOT"), {"b1": (24.0, 10.0, NORTH), **spots})
        battle.do("activate", unit="b1")
        for said in ({}, {"distance": 8}):
            battle.refused(
                "TMG-CHG-10",
                "action",
                action="charge",
                target="r1",
                heading=heading,
                faces=[6],
                **said,
            )


@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-15")
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"success": True, "faces": [1]}, "TMG-CHG-15"),
        ({"distance": 3, "faces": [1]}, "TMG-CHG-15"),
        ({"success": False, "faces": [5]}, "TMG-CHG-14"),
        ({"distance": 11, "faces": [5]}, "TMG-CHG-14"),
    ],
)
def test_who_says_otherwise_than_the_table_is_asked(said: dict[str, object], why: str) -> None:
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 6.8, SOUTH)}
    battle = seen(battle_of("GOT"), spots).do("activate", unit="b1")
    charge = {"action": "charge", "target": "r1", **said}
    assert "'agreed'" in battle.refused(why, "action", **charge)
    battle.do("action", **charge, agreed=True)
    assert "move" not in battle.answer, "it would say otherwise"
    assert (battle.state.attack is not None) is (why == "TMG-CHG-15")


@pytest.mark.rule("TMG-CHG-14")
@pytest.mark.parametrize("success", [True, False])
def test_what_the_table_leaves_open_is_the_players_to_say(success: bool) -> None:
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    battle = seen(battle_of("GOT"), spots, sigma=Sigma(0.2, 0.5)).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[3], success=success)
    assert (battle.state.attack is not None) is success


@pytest.mark.rule("TMG-CHG-4", "TMG-CHG-14")
@pytest.mark.parametrize(("face", "waits"), [(6, "charge"), (4, "test")])
def test_a_charge_that_is_perhaps_in_reach_may_be_declared(face: int, waits: str) -> None:
    """`rules` calls it unsure; its die, and where that leaves it open its players, decide."""
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 11.1, SOUTH)}
    battle = seen(battle_of("GOT"), spots, sigma=Sigma(0.1, 0.5)).do("activate", unit="b1")
    assert report(battle.state).units["b1"].charges["r1"].answer.verdict == "unsure"
    battle.do("action", action="charge", target="r1", faces=[face])
    assert battle.waits() == [waits]

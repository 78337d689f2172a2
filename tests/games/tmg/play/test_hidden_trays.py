"""A tray that a table does not show stays where it was; the arc of a fight stays until a move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.play.flow.attacks import defense_modifier
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.rules.modes import BattleArea, walls
from models import Sigma, Table, TableToken
from models.field import Field
from tests.games.tmg.play.sighted import DEEP, EAST, NORTH, SOUTH, seen
from tests.play.battle import Battle, battle_of

YEARS = ("2021", "2018")
FIGHT = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}


def table_now(battle: Battle) -> Table:
    table = PLAY.moment(battle.state).table
    assert isinstance(table, Table)
    return table


def shown_without(battle: Battle, *hidden: str, **poses: Any) -> Battle:
    """The same table again, but some trays are hidden and some stand elsewhere."""
    table = table_now(battle)
    for name, pose in poses.items():
        table = table.moved(name, replace(table.unit(name).pose, **pose))
    left = tuple(unit for unit in table.units if unit.id not in hidden)
    return battle.do("table", table=replace(table, units=left).to_json())


# -- hidden trays -------------------------------------------------------------------------------


@pytest.mark.rule("TMG-GLO-11", "TMG-GLO-12")
@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize("hidden", ["b1", "r1"])
def test_a_hidden_tray_keeps_its_place_and_its_fight_on_both_sides(year: str, hidden: str) -> None:
    battle = shown_without(seen(battle_of("GOT", year), FIGHT), hidden)
    assert battle.unit("b1").engaged == ("r1",)
    assert battle.unit("r1").engaged == ("b1",)
    assert battle.view()["hidden"] == [hidden]
    assert table_now(battle).unit(hidden).pose == table_now(battle).unit(hidden).pose
    assert table_now(battle).unit(hidden).pose.x == 24
    assert any(f"{hidden} is not seen" in one for one in battle.answer["reminders"])
    # It is said once, and forgotten when the tray is seen again.
    assert "reminders" not in shown_without(battle, hidden).answer
    assert seen(battle, FIGHT).view()["hidden"] == []
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-GLO-11")
def test_only_the_players_or_a_retreat_end_the_fight_with_a_hidden_tray() -> None:
    battle = shown_without(seen(battle_of("GOT"), FIGHT), "r1")
    battle.do("engage", unit="b1", **{"with": []})
    assert battle.unit("r1").engaged == ()
    battle = shown_without(seen(battle_of("GOT"), FIGHT), "r1").do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[6])
    shown_without(battle, "r1", b1={"y": 12.0})
    assert battle.unit("b1").engaged == battle.unit("r1").engaged == ()


@pytest.mark.rule("TMG-GLO-11")
def test_who_comes_to_a_hidden_tray_is_engaged_with_it() -> None:
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 6, SOUTH)}
    battle = shown_without(seen(battle_of("GOT"), spots), "r1").do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6]).do("attack-result", wounds=0)
    shown_without(battle, "r1", b1={"y": 16.0})
    assert battle.unit("b1").engaged == ("r1",)
    assert battle.unit("r1").engaged == ("b1",)


@pytest.mark.rule("TMG-GLO-11")
@pytest.mark.parametrize("year", YEARS)
def test_a_hidden_tray_that_moved_fights_whom_it_fought(year: str) -> None:
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 6, SOUTH)}
    battle = seen(battle_of("GOT", year), spots).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6])
    shown_without(battle, "b1")  # it stands somewhere at r1, and no camera sees it
    assert battle.unit("b1").engaged == ("r1",)
    assert battle.unit("r1").engaged == ("b1",)
    assert battle.state.moved == ("b1",)
    assert "b1" not in table_now(battle)
    battle.refused("TMG-GLO-26", "measure", unit="b1", to="r1")


@pytest.mark.rule("TMG-GLO-11")
def test_where_another_tray_stands_no_hidden_one_does() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 20, NORTH)})
    shown_without(battle, "b1", b2={"x": 24.0, "y": 20.0})
    assert "b1" not in table_now(battle)
    assert battle.state.moved == ("b1",)
    assert battle.unit("b1").standing


@pytest.mark.rule("TMG-OBJ-4", "TMG-OBJ-1")
@pytest.mark.parametrize("year", YEARS)
def test_a_hidden_tray_keeps_its_objective(year: str) -> None:
    token = (TableToken("o1", 24, 24, 0.5),)
    battle = seen(battle_of("GOT", year), {"b1": (24, 24, NORTH)}, tokens=token)
    name = next(one.id for one in battle.state.tokens if one.holder == "b1")
    shown_without(battle, "b1")
    assert battle.token(name).holder == "b1"
    # Nor does the token leave because the tray on it hides it.
    table = replace(table_now(battle), tokens=())
    battle.do("table", table=table.to_json())
    assert battle.token(name).holder == "b1"
    # Only who is seen elsewhere has left it.
    shown_without(battle, b1={"y": 10.0})
    assert battle.token(name).holder == ""


@pytest.mark.rule("TMG-OBJ-4")
@pytest.mark.parametrize("year", YEARS)
def test_a_holder_that_moved_and_is_hidden_keeps_its_objective(year: str) -> None:
    token = (TableToken("o1", 24, 24, 0.5),)
    battle = seen(battle_of("GOT", year), {"b1": (24, 24, NORTH)}, tokens=token)
    name = next(one.id for one in battle.state.tokens if one.holder == "b1")
    battle.do("activate", unit="b1").do("action", action="maneuver")
    shown_without(battle, "b1")
    assert battle.token(name).holder == "b1"
    battle.do("objective", token=name)
    assert battle.token(name).holder == ""


@pytest.mark.rule("TMG-GLO-11")
def test_the_order_of_the_sides_stays_when_a_first_tray_is_hidden() -> None:
    battle = seen(battle_of("GOT"), FIGHT)
    first = table_now(battle).units[0].id
    shown_without(battle, first)
    assert table_now(battle).units[0].id == first
    assert table_now(battle).sides() == ("blue", "red")
    assert Table.read(Field(table_now(battle).to_json(), "again")) == table_now(battle)


@pytest.mark.rule("TMG-GLO-11")
def test_a_contact_that_nobody_can_measure_is_as_it_was_and_is_asked_about() -> None:
    near = {**FIGHT, "r1": (24.0, 20 + DEEP + 0.35, SOUTH)}
    battle = seen(battle_of("GOT"), near, sigma=Sigma(0.1))
    assert battle.unit("b1").engaged == ()
    assert any("say it with engage" in one for one in battle.answer["reminders"])
    battle = seen(seen(battle_of("GOT"), FIGHT), near, sigma=Sigma(0.1))
    assert battle.unit("b1").engaged == ("r1",)
    assert battle.unit("r1").engaged == ("b1",)


# -- the arc of a fight -------------------------------------------------------------------------


def zone_of_attack(battle: Battle) -> str:
    return str(battle.view()["attack"]["zone"])


@pytest.mark.rule("TMG-BON-3", "TMG-BON-4")
@pytest.mark.parametrize("year", YEARS)
def test_the_arc_of_a_charge_counts_for_the_next_attack(year: str) -> None:
    battle = battle_of("GOT", year).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", distance=5, faces=[6], zone="flank").fight(1)
    battle.do("end-turn").do("free-action", unit="b1", action="attack", target="r1")
    assert zone_of_attack(battle) == "flank"
    assert defense_modifier(battle.state.attack, year) == -1  # type: ignore[arg-type]
    battle.fight(1)
    battle.do("free-action", unit="r1", action="attack", target="b1")
    assert zone_of_attack(battle) == "front"


@pytest.mark.rule("TMG-BON-3", "TMG-BON-4", "TMG-MEL-3", "TMG-MEL-4")
def test_the_arc_is_forgotten_when_somebody_moves() -> None:
    battle = battle_of("GOT").do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", distance=5, faces=[6], zone="rear").fight(1)
    battle.do("end-turn").do("activate", unit="r1")
    battle.do("action", action="attack", target="b1", turned=True).fight(1)
    assert "r1 turns its front to b1" in battle.report()
    battle.do("end-turn").do("free-action", unit="b1", action="attack", target="r1")
    assert zone_of_attack(battle) == "front"
    battle.fight(1)
    battle.do("engage", unit="b1", **{"with": ["r1", "r2"]})
    battle.refused("TMG-MEL-4", "free-action", unit="b1", action="attack", target="r1", turned=True)


@pytest.mark.rule("TMG-BON-3", "TMG-BON-4")
def test_the_arc_that_was_seen_counts_while_the_tray_is_hidden() -> None:
    beside = {"b1": (24.0, 20.0, EAST), "r1": (24 + DEEP / 2 + 3, 20.0, SOUTH)}
    battle = battle_of("GOT")
    table = table_of_fight(battle, beside)
    battle.do("table", table=table.to_json())
    assert battle.state.arc("b1", "r1") == "flank"
    shown_without(battle, "r1").do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    assert zone_of_attack(battle) == "flank"


def table_of_fight(battle: Battle, spots: dict[str, tuple[float, float, float]]) -> Table:
    """The trays moved together until they touch."""
    seen(battle, {**spots, "r1": (spots["r1"][0] + 4, *spots["r1"][1:])})
    table = table_now(battle)
    one, two = table.unit("b1"), table.unit("r1")
    x = one.pose.x + one.tray.depth / 2 + two.tray.width / 2
    return table.moved("r1", replace(two.pose, x=x))


@pytest.mark.rule("TMG-BON-3", "OR-7")
def test_an_arc_too_close_to_call_is_as_it_was_before() -> None:
    # Corner on corner nobody can tell front from flank; what the players said stays.
    battle = battle_of("GOT")
    seen(battle, FIGHT)
    wide = table_now(battle).unit("r1").tray.width
    corner = {**FIGHT, "r1": (24 + wide, 20 + DEEP, SOUTH)}
    seen(battle, corner, sigma=Sigma(0.05)).do("activate", unit="b1")
    battle.refused("TMG-LOS-8", "action", action="attack", target="r1")
    battle.do("action", action="attack", target="r1", zone="flank").fight(0)
    seen(battle, corner, sigma=Sigma(0.05)).do("end-turn")
    battle.do("free-action", unit="b1", action="attack", target="r1")
    assert zone_of_attack(battle) == "flank"


# -- castle walls -------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MEL-1", "TMG-MODE-SOS-14")
@pytest.mark.parametrize("year", YEARS)
def test_a_wall_is_attacked_only_by_who_is_engaged_with_it(year: str) -> None:
    battle = battle_of("SOS", year, defender="red").do("activate", unit="b1")
    battle.refused("TMG-MEL-1", "action", action="attack", target="wall1")
    battle.do("action", action="charge", target="wall1", distance=6, faces=[6])
    assert battle.unit("b1").engaged == ("wall1",)
    battle.do("attack-result", wounds=1)
    if battle.state.attack:
        battle.do("continue")
    battle.do("end-turn")
    battle.do("free-action", unit="b1", action="attack", target="wall1").do(
        "attack-result", wounds=1
    )
    if battle.state.attack:
        battle.do("continue")
    battle.refused("TMG-MEL-1", "free-action", unit="b1", action="attack", target="wall2")
    battle.refused("TMG-MAN-1", "free-action", unit="b1", action="maneuver")
    battle.do("free-action", unit="b1", action="retreat", faces=[3])
    assert battle.unit("b1").engaged == ()
    battle.refused("TMG-MEL-1", "free-action", unit="b1", action="attack", target="wall1")


@pytest.mark.rule("TMG-MODE-SOS-14", "TMG-MODE-SOS-22")
def test_a_failed_charge_engages_no_wall_and_a_ruin_nobody() -> None:
    battle = battle_of("SOS", defender="red", wall_wounds=2).do("activate", unit="b1")
    battle.do("action", action="charge", target="wall1", distance=11, faces=[1])
    assert battle.unit("b1").engaged == ()
    battle.do("panic", faces=[6, 6], keep=True).do("end-turn")
    battle.refused("TMG-MODE-SOS-14", "engage", unit="r1", **{"with": ["wall1"]})
    battle.do("engage", unit="b1", **{"with": ["wall1"]})
    battle.do("free-action", unit="b1", action="attack", target="wall1")
    battle.do("attack-result", wounds=2)
    assert battle.unit("b1").engaged == ()
    assert battle.vp() == (5, 0)


def besieged() -> Battle:
    """A siege whose sides have chosen their edges: red defends the far one."""
    battle = Battle("SOS", ready=False, first=None)
    battle.do("roll-off", dice={"blue": 2, "red": 4}).do("choose-role", side="red", role="defender")
    while battle.state.step != "zones":
        battle.do("continue")
    battle.do("roll-off", dice={"blue": 1, "red": 6}).do("choose-zone", side="red", zone="far")
    while battle.state.step != "reserves":
        battle.do("continue" if battle.state.first else "first-player", side="blue")
    battle.do("reserve", side="red", units=["r2", "r3"])
    return battle.do("deploy")


@pytest.mark.rule("TMG-MODE-SOS-14")
def test_where_nobody_knows_the_edges_a_table_tells_nothing_of_walls() -> None:
    battle = seen(battle_of("SOS", defender="red"), {"b1": (24, 40, NORTH)})
    assert battle.unit("b1").engaged == ()
    battle.do("engage", unit="b1", **{"with": ["wall2"]})
    assert seen(battle, {"b1": (24, 40, NORTH)}).unit("b1").engaged == ("wall2",)


@pytest.mark.rule("TMG-MODE-SOS-14", "TMG-GLO-11")
def test_a_table_shows_who_touches_a_wall() -> None:
    # The middle wall lies 3 inches from the far edge; its front is at y 43.5 or so.
    battle = besieged()
    seen(battle, {"b1": (24, 30, NORTH), "r1": (4, 40, SOUTH)})
    assert battle.unit("b1").engaged == ()
    front = min(y for _, y in wall_outline(battle))
    seen(battle, {"b1": (24, front - DEEP / 2, NORTH), "r1": (4, 40, SOUTH)})
    assert len(battle.unit("b1").engaged) == 1
    assert battle.state.wall(battle.unit("b1").engaged[0]) is not None
    seen(battle, {"b1": (24, 30, NORTH), "r1": (4, 40, SOUTH)})
    assert battle.unit("b1").engaged == ()


def wall_outline(battle: Battle) -> tuple[tuple[float, float], ...]:
    return walls(mode_of(battle.state), BattleArea(defender=2))[1].outline


@pytest.mark.rule("TMG-MODE-SOS-17")
def test_who_is_seen_behind_the_walls_is_pointed_out() -> None:
    battle = besieged()
    seen(battle, {"b1": (24, 30, NORTH), "r1": (4, 38, SOUTH)})
    assert not any("SOS-17" in one for one in battle.answer.get("reminders", ()))
    seen(battle, {"b1": (24, 30, NORTH), "r1": (4, 45.5, SOUTH)})
    told = [one for one in battle.answer["reminders"] if one.startswith("r1 may not stand there")]
    assert len(told) == 1
    assert "TMG-MODE-SOS-17" in told[0]


@pytest.mark.rule("TMG-MODE-SOS-22", "TMG-MODE-SOS-17")
def test_a_destroyed_wall_stays_and_nobody_goes_behind_it() -> None:
    battle = besieged()
    for name, wall in battle.view()["walls"].items():
        battle.do("correct", unit=name, wounds=wall["of"], why="it fell")
    seen(battle, {"b1": (24, 30, NORTH), "r1": (4, 38, SOUTH)})
    assert [wall["standing"] for wall in battle.view()["walls"].values()] == [False] * 3
    seen(battle, {"b1": (24, 30, NORTH), "r1": (4, 45.5, SOUTH)})
    told = [one for one in battle.answer["reminders"] if one.startswith("r1 may not stand there")]
    assert len(told) == 1
    assert "TMG-MODE-SOS-17" in told[0]


@pytest.mark.rule("TMG-GLO-11", "TMG-SET-5")
@pytest.mark.parametrize("hidden", [("b1",), ("b2",), ("r3",), ("b1", "b2"), ("b2", "r1", "r2")])
def test_hidden_trays_keep_their_place_in_the_order_of_the_file(hidden: tuple[str, ...]) -> None:
    """The order of the units decides which side sits where."""
    battle = seen(battle_of("GOT"), FIGHT)
    before = [unit.id for unit in table_now(battle).units]
    shown_without(battle, *hidden)
    assert [unit.id for unit in table_now(battle).units] == before

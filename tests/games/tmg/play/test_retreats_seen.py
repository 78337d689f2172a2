"""Retreats and free pivots as the table shows them: ways out, and who may have turned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion import games
from companion.games.tmg.play import PLAY
from companion.games.tmg.screen import SCREEN
from models import Pose, Sigma
from tests.games.tmg.play.sighted import DEEP, EAST, NORTH, SOUTH, seen, slab
from tests.play.battle import battle_of


@pytest.mark.rule("TMG-RET-7", "TMG-CHG-2", "EX-10")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_who_may_have_turned_after_a_retreat_is_not_judged_by_its_old_facing(year: str) -> None:
    # b2 stands behind r1: only after its free pivot does r1 see it.
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH), "b2": (24.0, 36.0, SOUTH)}
    battle = seen(battle_of("GOT", year), spots).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[3])
    assert "r1" in battle.answer["reminders"][0]
    battle.do("end-turn").do("activate", unit="r1")
    battle.do("action", action="charge", zone="front", target="b2", faces=[6], success=True)
    assert battle.unit("r1").engaged == ("b2",)


@pytest.mark.rule("TMG-RET-7", "TMG-CHG-2")
def test_who_fights_another_still_may_not_turn() -> None:
    spots = {
        "b1": (24.0, 20.0, NORTH),
        "b3": (24.0, 20 + DEEP + 4.9, SOUTH),
        "r1": (24.0, 20 + DEEP, SOUTH),
    }
    battle = seen(battle_of("GOT"), spots).do("activate", unit="b1")
    assert battle.unit("r1").engaged == ("b1", "b3")
    battle.do("action", action="retreat", faces=[3])
    assert "reminders" not in battle.answer
    assert battle.state.moved == ("b1",)


@pytest.mark.rule("TMG-SRG-4")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_friends_set_free_by_a_destroyed_enemy_may_have_turned(year: str) -> None:
    spots = {
        "b1": (24.0, 20.0, NORTH),
        "b3": (24.0, 20 + DEEP + 4.9, SOUTH),
        "r1": (24.0, 20 + DEEP, SOUTH),
    }
    battle = seen(battle_of("GOT", year), spots).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1").do("attack-result", wounds=12)
    if year == "2021":  # TMG-SRG-3: effects first
        battle.do("continue")
    assert "b3 may make a free pivot" in battle.answer["reminders"][0]
    assert battle.state.moved == ("b3",)
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-RET-7", "TMG-RET-9")
def test_who_stays_after_the_roll_of_a_retreat_sets_nobody_free() -> None:
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    battle = seen(battle_of("GOT"), spots).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[3])
    assert [one.piece for one in SCREEN.due_moves(battle.state)] == ["b1", "r1"]
    before, here = battle.state, PLAY.table(battle.state)
    assert here is not None
    battle.do("table", table=here.to_json(), units=["b1"])
    assert SCREEN.due_moves(battle.state) == ()
    assert battle.unit("r1").engaged == ("b1",)
    assert battle.unit("b1").engaged == ("r1",)
    told = SCREEN.outcome(before, [battle.log[-1]], battle.state)
    assert told is not None
    assert told.text == "Stark Sworn Swords stays where it is, engaged as before."


@pytest.mark.rule("TMG-RET-9", "TMG-RET-7", "EX-12")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_retreat_without_a_way_out_leaves_the_melee_as_it_is(year: str) -> None:
    battle = battle_of("GOT", year)
    pen = tuple(
        replace(slab(battle.game, "palisade", box), id=f"t{number}")
        for number, box in enumerate(
            [(20, 15, 21.2, 30), (26.8, 15, 28, 30), (20, 10, 28, 20 - DEEP / 2 - 3)]
        )
    )
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    # 3 inches behind it: a low wall of palisades; with r1 an inch off there is a way
    seen(battle, spots, pen).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[1])
    assert battle.unit("b1").engaged == ()
    shut = (*pen[:2], replace(slab(battle.game, "palisade", (20, 10, 28, 17.5)), id="t2"))
    battle = seen(battle_of("GOT", year), spots, shut).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[6])
    assert battle.answer["reminders"] == ["no way out: b1 stays engaged (TMG-RET-9)"]
    assert battle.unit("b1").engaged == ("r1",)
    assert battle.state.moved == ()
    assert battle.unit("b1").activated


@pytest.mark.rule("TMG-RET-9", "EX-12")
def test_the_roll_decides_whether_there_is_a_way_out() -> None:
    # Enemies stand along the way back, so near that only a long way leads clear of them.
    spots = {
        "b1": (24.0, 24.0, NORTH),
        "r1": (24.0, 24 + DEEP, SOUTH),
        "r2": (24 - 2.75 - 0.5 - DEEP / 2, 19.5, EAST),
        "r3": (24 + 2.75 + 0.5 + DEEP / 2, 19.5, 180.0),
    }
    sides = [(15, 22.4, 21.2, 40), (26.8, 22.4, 33, 40)]
    # r2 and r3 end at y = 16.75. Straight, b1 is clear of them after 10.5", turned by half a right
    # angle after a little more than 9".
    for face, engaged in ((3, ("r1",)), (5, ()), (6, ())):
        battle = battle_of("GOT")
        walls = tuple(
            replace(slab(battle.game, "palisade", box), id=f"t{number}")
            for number, box in enumerate(sides)
        )
        seen(battle, spots, walls).do("activate", unit="b1")
        battle.do("action", action="retreat", faces=[face])
        assert battle.unit("b1").engaged == engaged


@pytest.mark.rule("TMG-RET-6", "TMG-RET-9")
def test_a_retreat_that_needs_a_pivot_shows_a_place() -> None:
    # As above: with 10" no straight way is clear, turned by half a right angle one is.
    spots = {
        "b1": (24.0, 24.0, NORTH),
        "r1": (24.0, 24 + DEEP, SOUTH),
        "r2": (24 - 2.75 - 0.5 - DEEP / 2, 19.5, EAST),
        "r3": (24 + 2.75 + 0.5 + DEEP / 2, 19.5, 180.0),
    }
    battle = battle_of("GOT")
    walls = tuple(
        replace(slab(battle.game, "palisade", box), id=f"t{number}")
        for number, box in enumerate([(15, 22.4, 21.2, 40), (26.8, 22.4, 33, 40)])
    )
    seen(battle, spots, walls).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[5])
    retreat = SCREEN.due_moves(battle.state)[0]
    (end,) = retreat.ends
    ((unit, pose),) = end.poses
    table = PLAY.table(battle.state)
    assert table is not None
    found = games.find(table.game).check(table, table.moved(unit, pose), unit, None)["retreat"]
    assert (unit, found["answer"]) == ("b1", "yes")
    assert 9 < 24 - pose.y <= 10
    assert "then a pivot by" in end.text
    # with room behind it its player chooses alone
    battle = seen(battle_of("GOT"), dict(list(spots.items())[:2]), walls).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[5])
    assert not SCREEN.due_moves(battle.state)[0].ends


@pytest.mark.rule("TMG-RET-9")
@pytest.mark.parametrize("leaves", [True, False])
def test_a_way_out_too_close_to_call_is_asked_about(leaves: bool) -> None:
    # The palisades beside b1 are shut; 0.02 inches too little room behind it, give or take 0.1.
    battle = battle_of("GOT")
    back = 20 - DEEP / 2 - 1.0 - 0.02
    pen = tuple(
        replace(slab(battle.game, "palisade", box), id=f"t{number}")
        for number, box in enumerate([(20, 10, 21.2, 30), (26.8, 10, 28, 30), (20, 8, 28, back)])
    )
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    seen(battle, spots, pen, sigma=Sigma(0.02)).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[1])
    assert battle.waits() == ["retreat"]
    battle.refused("TMG-RET-9", "free-action", unit="b3", action="march")
    battle.do("retreat-result", success=leaves)
    assert battle.unit("b1").engaged == (() if leaves else ("r1",))
    assert battle.state.moved == (("b1", "r1") if leaves else ())
    assert battle.waits() == ["end-of-turn"]
    assert battle.folded() == battle.state
    battle.refused("TMG-RET-9", "retreat-result", success=True)


@pytest.mark.rule("TMG-RET-3")
@pytest.mark.parametrize("rough", [False, True])
@pytest.mark.parametrize("length", [9.5, 13.0])
def test_too_far_is_told_by_the_die_that_lies(rough: bool, length: float) -> None:
    # Speed 5 and a 3: 8", on Rough ground 7"; not the 11" of a 6.
    battle = battle_of("GOT")
    bog = (slab(battle.game, "bog", (20.0, 3.0, 28.0, 14.0)),) if rough else ()
    seen(battle, {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}, bog)
    battle.do("activate", unit="b1").do("action", action="retreat", faces=[3])
    assert battle.unit("b1").speed == 5
    table = PLAY.table(battle.state)
    assert table is not None
    there = table.moved("b1", Pose(24.0, 20.0 - length, NORTH))
    found = SCREEN.entry_verdict(battle.state, there, "b1")
    assert found is not None
    assert found["answer"] == "no"
    assert found["over"] == pytest.approx(length - 8 + rough, abs=0.01)


@pytest.mark.rule("TMG-TER-10", edition="2021")
@pytest.mark.parametrize(("y", "hurts"), [(14.0, True), (18.0, False)])
def test_a_retreat_onto_dangerous_ground_says_so_before_it_is_made(y: float, hurts: bool) -> None:
    battle = battle_of("GOT")
    stakes = slab(battle.game, "stakes", (18, 13.5, 30, 14.5))
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    seen(battle, spots, (stakes,)).do("activate", unit="b1")
    battle.do("action", action="retreat", faces=[3])
    table = PLAY.table(battle.state)
    assert table is not None
    found = SCREEN.entry_verdict(battle.state, table.moved("b1", Pose(24.0, y, NORTH)), "b1")
    assert found is not None
    assert found["answer"] == "yes"
    assert bool(found.get("dangers")) is hurts

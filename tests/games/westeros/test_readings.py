"""Each open reading that is a switch, with each of its values (BOW-OR-n)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from companion.games.westeros.combat.odds_query import attack_room, unit_odds
from companion.games.westeros.game import GAME
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.skirmish_flow import place_cells
from companion.games.westeros.play.state import battle_position
from companion.games.westeros.rules.readings import SWITCHES
from tests.games.westeros.clash import Clash
from tests.games.westeros.tables import answers, hex_at, table, unit
from tests.games.westeros.test_skirmish import Raid

rule = pytest.mark.rule
FAR: Any = ("foot", "green", "0,10")
RIDER = {"class": "cavalry", "rank": "green", "move": 1}
SINGLE = (1, 4, 7, 12, 16, 19, 20, 31, 32, 34, 35, 36, 37, 38)
"""Readings with one reasonable answer, or whose alternatives change none."""


def values(name: str, *expected: Any) -> pytest.MarkDecorator:
    """A case for each value of a switch, in their order."""
    choices = next(one.choices for one in SWITCHES if one.name == name)
    cases = list(zip(((f"{name}={one}",) for one in choices), expected, strict=True))
    return pytest.mark.parametrize(("read", "expected"), cases)


def test_every_reading_is_a_switch_or_has_one_answer() -> None:
    switched = {int(one.number.split("-")[-1]) for one in SWITCHES}
    assert switched | set(SINGLE) == set(range(1, 43))
    assert not switched & set(SINGLE)
    assert GAME.settings(()).texts() == []


def duel(
    mine: Any = ("foot", "red", "5,5"), theirs: Any = ("foot", "green", "5,6"), **more: Any
) -> Clash:
    return Clash([mine], [theirs, FAR], rounds=5, **more)


@rule("BOW-OR-5")
@values("rim-lines", "yes", "no")
def test_lines_over_the_rim(read: tuple[str, ...], expected: str) -> None:
    units = unit("b1", "0,2", **{"class": "ranged"}), unit("r1", "0,4")
    found = answers(*units, ground={"0,3": "forest"}, readings=read)
    assert found["b1"]["sees"]["r1"]["answer"] == expected
    assert answers(*units, readings=read)["b1"]["sees"]["r1"]["answer"] == "yes"  # the other side


@rule("BOW-OR-10")
@values("blocked-hits", "field", "captured")
def test_blocked_hits_and_a_lone_commander(read: tuple[str, ...], expected: str) -> None:
    """2 hits and a blocked flag: together they are the 3 hits that capture the lord."""
    ground = {"5,7": "river", "4,7": "river"}
    game = duel(theirs=("foot", "green", "5,6", "lord"), ground=ground, readings=read)
    game.do("effect", unit="l1", figures=1).order("s1")
    position = battle_position(game.state)
    odds = unit_odds(position, position.by_id["s1"], position.by_id["l1"])
    ways = {"field": 1309, "captured": 2125}[expected]  # 4 dice: 3 hits or 3 flags; 3 of either
    assert odds.captures == Fraction(ways, 8**4)
    game.attack("s1", "l1", "GGMB")
    assert game.unit("l1").fate == expected


@rule("BOW-OR-10")
def test_hits_that_removed_figures_count_once() -> None:
    """3 figures and the lord: 3 hits, then 2 blocked flags; only 2 hits reach the lord."""
    ground = {"5,7": "river", "4,7": "river"}
    read = ("blocked-hits=together",)
    game = duel(theirs=("foot", "green", "5,6", "lord"), ground=ground, readings=read)
    game.do("effect", unit="l1", figures=3).order("s1").attack("s1", "l1", "GGMM")
    assert (game.unit("l1").fate, game.unit("l1").figures) == ("field", 1)


@rule("BOW-OR-11")
@values("retreat-choice", "lannister", "stark")
def test_who_chooses_the_retreat_hex(read: tuple[str, ...], expected: str) -> None:
    game = duel(readings=read).order("s1").attack("s1", "l1", "MBBB")
    assert (game.waits(), PLAY.pending(game.state)[0].side) == ("retreat", expected)
    game.do("retreat", to="5,7")
    assert game.cell("l1") == "5,7"


@rule("BOW-OR-11")
@values("retreat-path", "retreat", "turn")
def test_whether_a_retreat_turns(read: tuple[str, ...], expected: str) -> None:
    game = duel(readings=read).order("s1").attack("s1", "l1", "MMBB").do("retreat", to="5,7")
    assert game.waits() == expected
    assert expected == "retreat" or game.cell("l1") == "6,8"


@rule("BOW-OR-11")
@values("retreat-path", 2, 1)
def test_how_far_a_straight_retreat_goes(read: tuple[str, ...], expected: int) -> None:
    """Behind the unit both straight ways end after one hex, but not the way that turns."""
    rivers = dict.fromkeys(("4,8", "6,8"), "river")
    units = unit("b1", "5,5"), unit("r1", "5,6")
    found = GAME.report(table(*units, ground=rivers), GAME.settings(read)).best
    assert attack_room(found, found.by_id["b1"], found.by_id["r1"]) >= expected
    game = duel(readings=read, ground=rivers).order("s1").attack("s1", "l1", "MMBB")
    game.do("retreat", to="5,7")
    if game.waits() == "retreat":
        game.do("retreat", to="5,8")
    assert game.unit("l1").figures == 2 + expected
    checked = GAME.check(
        table(units[0], ground=rivers), table(unit("b1", "5,3")), "b1", GAME.settings(read)
    )
    assert checked["retreat"]["answer"] == ("yes" if expected == 2 else "no")


@rule("BOW-OR-13")
@values("counter-marker", "stark", "lannister")
def test_the_marker_after_a_counterattack(read: tuple[str, ...], expected: str) -> None:
    game = duel(theirs=("stalwart", "green", "5,6"), readings=read)
    game.order("s1").attack("s1", "l1", "BBBB").do("counterattack", strike=True)
    assert [one.house for one in game.state.markers] == [expected]


@rule("BOW-OR-14")
@values("parting-blows", "parting-blow", "act")
def test_who_strikes_a_parting_blow(read: tuple[str, ...], expected: str) -> None:
    game = duel(("foot", "green", "5,5"), ("archer", "green", "5,6"), readings=read)
    game.order("s1").attack("s1", "l1", "BB").order("l2").do("end-turn")
    game.do("effect", unit="s1", active=True).order("s1").do("move", unit="s1", to="5,4")
    assert game.waits() == expected
    assert game.cell("s1") == ("5,5" if expected == "parting-blow" else "5,4")


@rule("BOW-OR-15")
@values("ranged-marker", "stark", "lannister")
def test_the_marker_after_a_ranged_attack(read: tuple[str, ...], expected: str) -> None:
    game = duel(theirs=("archer", "green", "5,6"), readings=read)
    game.order("s1").attack("s1", "l1", "BBBB").order("l1").attack("l1", "s1", "BB")
    assert [one.house for one in game.state.markers] == [expected]


@rule("BOW-OR-17")
@values("leaving-flank", True, False)
def test_a_flank_attack_after_leaving(read: tuple[str, ...], expected: bool) -> None:
    stark: Any = [("foot", "red", "5,5"), ("foot", "green", "4,5")]
    lannister: Any = [("foot", "red", "5,6"), ("foot", "red", "4,6"), FAR]
    game = Clash(stark, lannister, rounds=5, readings=read)
    game.order("s1").attack("s1", "l1", "GGGG")
    game.order("l2").attack("l2", "s2", "BBBB").do("pass").order("l1")
    told = GAME.report(PLAY.moment(game.state).table, GAME.settings(read)).merged("l1")
    assert told["attacks"]["s2"]["flank"] is expected
    game.do("attack", unit="l1", target="s2").do("parting-blow", strike=False)
    assert game.state.attack is not None
    assert game.state.attack.flank is expected


@rule("BOW-OR-18")
@values("engaged-hounds", "no", "yes")
def test_hounds_of_an_engaged_unit(read: tuple[str, ...], expected: str) -> None:
    hounds = unit("b1", hex_at(0, 0), keywords=["war-hounds"], engaged="r1")
    found = answers(hounds, unit("r1", hex_at(1, 0)), unit("r2", hex_at(0, 2)), readings=read)
    assert found["b1"]["hounds"]["r2"]["answer"] == expected


@rule("BOW-OR-21")
@values("pursuit-terrain", "no", "yes")
def test_terrain_in_a_pursuit(read: tuple[str, ...], expected: str) -> None:
    rider = unit("b1", hex_at(0, 0), keywords=["pursue 2"])
    woods = {hex_at(1, 0): "forest"}
    before = table(rider, unit("r1", hex_at(1, 0)), ground=woods)
    after = table({**rider, "cell": hex_at(2, 0)}, ground=woods)
    found = GAME.check(before, after, "b1", GAME.settings(read))
    assert found["follow"]["answer"] == expected


@rule("BOW-OR-23")
@values("cavalry-ford", True, False)
def test_a_ford_at_the_end_of_a_ride(read: tuple[str, ...], expected: bool) -> None:
    ford = {hex_at(1, 0): ["river", "ford"]}
    reach = answers(unit("b1", hex_at(0, 0), **RIDER), ground=ford, readings=read)["b1"]["reach"]
    assert (hex_at(1, 0) in reach) is expected
    two = unit("b1", hex_at(0, 0), **{**RIDER, "move": 2})
    longer = answers(two, ground=ford, readings=read)["b1"]["reach"]
    assert longer[hex_at(1, 0)]["cost"] == 2
    assert hex_at(2, 0) not in longer


@rule("BOW-OR-27")
@values("fire-retreat", (1, 0), (2, 2))
def test_retreats_and_fire(read: tuple[str, ...], expected: tuple[int, int]) -> None:
    one = unit("b1", hex_at(0, 0))
    into = answers(one, ground={hex_at(0, 1): "fire-1"}, readings=read)["b1"]["retreat"]
    out = answers(one, ground={hex_at(0, 0): "fire-1"}, readings=read)["b1"]["retreat"]
    assert (len(into), len(out)) == expected


@rule("BOW-OR-29")
@values("fire-chain", "keep", "direction")
def test_a_fire_that_reaches_4_by_spreading(read: tuple[str, ...], expected: str) -> None:
    ground = {"2,2": ["plains", "fire-4"], "3,2": ["plains", "fire-3"]}
    game = duel(ground=ground, readings=read).do("pass").do("pass").do("direction", number=1)
    assert game.waits() == expected
    assert PLAY.view(game.state)["fire"] == {"2,2": "4", "3,2": "4"}
    if expected == "direction":
        assert PLAY.pending(game.state)[0].data["cell"] == "3,2"
        game.do("direction", number=1)
        assert PLAY.view(game.state)["fire"]["4,2"] == "1"
        assert game.waits() == "keep"


@rule("BOW-OR-30")
@values("own-edge", 3, 4)
def test_distances_from_the_own_edge(read: tuple[str, ...], expected: int) -> None:
    raid = Raid(readings=read).chosen().overlays_done()
    leader = next(one for one in raid.state.of("stark") if one.commander)
    assert {cell[1] for cell in place_cells(raid.state, leader)} == set(range(expected))


@rule("BOW-OR-41")
@values("enemy-tactics", "BOW-CRD-17", "")
def test_an_enemy_far_from_the_commander(read: tuple[str, ...], expected: str) -> None:
    game = duel(("foot", "red", "5,5", "lord"), readings=read)
    played = {"unit": "s1", "tokens": [1], "units": ["s1"], "silence": "l2"}
    if expected:
        assert game.refused("card", **played) == expected
    else:
        assert game.do("card", **played).state.acting is not None

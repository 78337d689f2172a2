"""What the rival of Westeros thinks of: places that may be lost, attacks that may come, and units
that had better go.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.cli.balance import begun
from companion.games.westeros.play.state import OrderTurn, WesterosState, battle_position
from companion.games.westeros.rival import RIVAL, acting_lines
from companion.games.westeros.rival_value import held, lead, onslaught
from models.board import Cell, parse_cell

SITE: Cell = (7, 5)


def ford(round_number: int = 1, **cells: Cell) -> WesterosState:
    """The practice battle in its command phase with these units there, no others on the field, and
    an order of every rank for both houses."""
    state: WesterosState = begun("westeros", 0)
    units = tuple(
        replace(one, cell=cells[one.id]) if one.id in cells else replace(one, fate="gone")
        for one in state.units
    )
    houses = tuple(replace(one, pool=("G", "B", "R")) for one in state.houses)
    return replace(
        state, phase="command", active="stark", round=round_number, units=units, houses=houses
    )


def without_orders(state: WesterosState, side: str) -> WesterosState:
    return state.with_house(replace(state.house(side), pool=()))


@pytest.mark.rule("BOW-RND-16")
def test_a_place_where_nobody_stands_may_be_taken() -> None:
    """It is worth less while the enemy has an order for a unit that can enter it."""
    guards, host = units_of(("lannister", "stark"))
    near = ford(4, **{guards: (7, 7), host: (7, 2)})
    near = replace(near, control=((SITE, "stark"),))
    assert held(near, "stark", "lannister") < held(
        without_orders(near, "lannister"), "stark", "lannister"
    )
    stands = near.with_unit(replace(near.unit(host), cell=SITE))
    assert held(near, "stark", "lannister") < held(stands, "stark", "lannister")


@pytest.mark.rule("BOW-ORD-1", "BOW-UNT-10")
def test_an_attack_may_come_only_by_an_order() -> None:
    """In the last round nobody has to fear who has no order left, or is inactive."""
    guards, host = units_of(("lannister", "stark"))
    state = ford(4, **{guards: (7, 7), host: (7, 6)})
    assert onslaught(state, "lannister") > 0
    assert onslaught(without_orders(state, "lannister"), "lannister") == 0
    turned = state.with_unit(replace(state.unit(guards), active=False))
    assert onslaught(turned, "lannister") == 0
    assert onslaught(replace(turned, round=3), "lannister") > 0, "next round it may"


@pytest.mark.rule("BOW-UNT-12")
def test_nobody_is_eliminated_twice() -> None:
    """A second attack on a unit that the first one eliminates takes little more."""
    one, two, host, other = units_of(("lannister", "lannister", "stark", "stark"))
    both = ford(4, **{one: (7, 7), two: (6, 6), host: (7, 6), other: (2, 1)})
    both = both.with_unit(replace(both.unit(host), figures=1))
    single = both.with_unit(replace(both.unit(two), fate="gone"))
    more = onslaught(both, "lannister") - onslaught(single, "lannister")
    assert 0 < more < 0.5 * onslaught(single, "lannister")


@pytest.mark.rule("BOW-MOV-2")
def test_a_unit_that_has_lost_half_thinks_of_going_away() -> None:
    """Beside what it may attack, as far from the enemy as it comes."""
    guards, host = units_of(("lannister", "stark"))
    state = ford(1, **{guards: (7, 7), host: (7, 4)})

    def ends(figures: int) -> set[Cell]:
        now = state.with_unit(replace(state.unit(host), figures=figures))
        position = battle_position(now)
        lines = acting_lines(now, position, position.by_id[host], ())
        moves = (one for line in lines for one in line.commands if one["do"] == "move")
        return {parse_cell(one["to"]) for one in moves}

    distance = battle_position(state).field.distance
    assert max(distance((7, 7), one) for one in ends(2)) > 3
    assert max(distance((7, 7), one) for one in ends(4)) <= 3


def units_of(sides: tuple[str, ...]) -> list[str]:
    """The names of as many foot units of rank green or blue, without commanders."""
    left = {side: [] for side in sides}  # type: dict[str, list[str]]
    for one in begun("westeros", 0).units:
        if one.side in left and one.card.kind == "foot" and one.commander is None:
            left[one.side].append(one.id)
    return [left[side].pop(0) for side in sides]


@pytest.mark.rule("BOW-VIC-2", "BOW-VIC-3")
def test_in_the_last_round_a_tie_has_a_winner() -> None:
    """What is even in points is won by morale, else by the mace."""
    state = ford(4)
    assert state.mace == "lannister"
    assert lead(state, "lannister") > 0 > lead(state, "stark")
    raised = replace(state, morale=1)  # the first house, Stark, is doing well
    assert lead(raised, "stark") > 0 > lead(raised, "lannister")
    held = replace(state, control=((SITE, "stark"),))
    assert lead(held, "stark") == 2, "one for the round and one for the end"


@pytest.mark.rule("BOW-ORD-2", "BOW-ORD-10")
@pytest.mark.parametrize("near", [True, False])
def test_no_step_aside_takes_the_token_of_an_attack(near: bool) -> None:
    """Who may attack with the only green token is not passed over for a walk at the far edge."""
    green = [one.id for one in begun("westeros", 0).of("lannister") if one.rank == "green"][:2]
    (host,) = units_of(("stark",))
    state = ford(1, **{green[0]: (7, 7), green[1]: (1, 9), host: (7, 6) if near else (7, 1)})
    state = replace(state, active="lannister")
    lines = [one.commands for one in RIVAL.lines(state, "lannister")]
    walks = {one[0]["unit"] for one in lines if one[-1]["do"] == "end-turn"}
    attacks = {one[0]["unit"] for one in lines if one[-1]["do"] == "attack"}
    assert (attacks, walks) == (({green[0]}, set()) if near else (set(), set(green)))


@pytest.mark.rule("BOW-OPT-2", "BOW-OPT-4", "BOW-RND-12")
def test_who_is_ordered_already_comes_no_more() -> None:
    """After the first attack of a turn nobody moves, and who passed orders nobody."""
    guards, host, other = units_of(("lannister", "stark", "stark"))
    state = ford(1, **{guards: (7, 7), host: (7, 6), other: (6, 6)})

    def told(now: WesterosState, cell: str) -> str:
        line = ({"do": "retreat", "unit": guards, "to": cell},)
        (*_, last) = RIVAL.facts(now, line)
        return str(last.text)

    turn = OrderTurn("stark", (host, other), acted=(host,), attacking=True)
    nobody = "No active enemy can reach and attack it"
    assert told(state, "7,8") == "2 active enemies can reach and attack it"
    assert told(replace(state, acting=turn), "7,8") == nobody
    assert told(replace(state, acting=replace(turn, units=(host,))), "7,8") == (
        "1 active enemy can reach and attack it"
    )
    stark = replace(state.house("stark"), passed=True)
    assert told(state.with_house(stark), "7,8") == nobody

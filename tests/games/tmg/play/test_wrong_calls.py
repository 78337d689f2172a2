"""Calls that a referee with the rulebook found wrong, each as the two players gave it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.tmg.play import PLAY
from models import Table
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen, slab
from tests.play.battle import Battle, battle_of

EDITIONS = ("2021", "2018")


def nameless(battle: Battle) -> Battle:
    """The same table as a camera without cards gives it: ids, sides, trays and places only."""
    table = Table.parse(battle.state.table).to_json()
    keys = ("id", "side", "tray", "x", "y", "heading")
    units = [{key: unit[key] for key in keys} for unit in table["units"]]
    return battle.do("table", table={**table, "units": units})


# -- what a unit is comes from the game, where it stands from the table ---------------------------


@pytest.mark.rule("TMG-RNG-3", "TMG-RNG-7")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_table_without_card_names_leaves_a_unit_its_shots(year: str) -> None:
    battle = battle_of("GOT", year)
    seen(battle, {"b2": (24, 20, NORTH), "r1": (24, 32, SOUTH)})
    nameless(battle).do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", ranged=True)
    assert battle.state.attack is not None


@pytest.mark.rule("TMG-TER-19")
def test_a_table_without_card_names_leaves_a_unit_its_melee_attack_on_a_wall() -> None:
    battle = battle_of("GOT")
    wall = slab(battle.game, "low-wall", (22, 20 + DEEP / 2 + 0.6, 26, 24))
    seen(battle, {"b1": (24, 20, NORTH)}, (wall,))
    nameless(battle).do("activate", unit="b1").do("action", action="attack", piece="low-wall")
    assert battle.state.broken == ("low-wall",)


@pytest.mark.rule("TMG-TER-19")
def test_a_wall_just_beyond_an_inch_is_not_attacked() -> None:
    battle = battle_of("GOT")
    wall = slab(battle.game, "low-wall", (22, 20 + DEEP / 2 + 1.001, 26, 24))
    seen(battle, {"b1": (24, 20, NORTH)}, (wall,)).do("activate", unit="b1")
    battle.refused("TMG-TER-19", "action", action="attack", piece="low-wall")


@pytest.mark.rule("TMG-CARD-1", "TMG-CHG-4")
def test_a_table_without_card_names_leaves_a_unit_its_speed_and_its_name() -> None:
    battle = battle_of("GOT")
    nameless(seen(battle, {"b3": (24, 20, NORTH)}))
    table = PLAY.moment(battle.state).table
    assert isinstance(table, Table)
    shown, unit = table.unit("b3"), battle.unit("b3")
    assert (shown.name, shown.speed, shown.attacks) == (unit.name, unit.speed, unit.attacks)
    assert (shown.defense, shown.models) == (unit.defense, unit.models)

"""Calls that a referee with the rulebook found wrong, each as the two players gave it."""

from __future__ import annotations

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


# -- attack dice are counted when they are rolled --------------------------------------------------


def attacking(year: str = "2021", first: str = "blue", **fields: Any) -> Battle:
    """The Sworn Swords (b1) have declared their attack on the Halberdiers (r2) in contact."""
    battle = Battle("GOT", year, first=first).deployed()
    battle.do("engage", unit="b1", **{"with": ["r2"]}).do("activate", unit="b1")
    return battle.do("action", action="attack", target="r2", **fields)


@pytest.mark.rule("TMG-ATK-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_ranks_lost_before_the_roll_cost_dice(year: str) -> None:
    battle = attacking(year)
    all_ranks, one_lost = battle.unit("b1").attacks[0].dice[:2]
    assert battle.view()["attack"]["dice"] == all_ranks
    battle.do("wounds", unit="b1", wounds=4)
    assert battle.view()["attack"]["dice"] == one_lost
    assert PLAY.pending(battle.state)[0].data["dice"] == one_lost
    battle.refused("TMG-ATK-1", "roll", faces=[4] * all_ranks)
    battle.do("roll", faces=[4] * one_lost)
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-ATK-1", "TMG-PAN-4")
def test_a_failed_panic_test_before_the_roll_costs_dice() -> None:
    battle = attacking().do("wounds", unit="b1", wounds=2)
    battle.do("test", unit="b1", why="Horrifying sight")
    battle.do("panic", faces=[1, 1], d3=3, keep=True)
    assert battle.unit("b1").ranks == 2
    assert battle.view()["attack"]["dice"] == battle.unit("b1").attacks[0].dice[1]


@pytest.mark.rule("TMG-ATK-1", "TMG-DIC-4")
def test_what_effects_add_stays_and_healing_before_the_roll_gives_dice_back() -> None:
    battle = attacking().do("modify", what="dice", name="Banner", value=2)
    all_ranks, one_lost = battle.unit("b1").attacks[0].dice[:2]
    battle.do("wounds", unit="b1", wounds=5)
    assert battle.view()["attack"]["dice"] == one_lost + 2
    battle.do("modify", what="highest", name="Drums")
    assert battle.view()["attack"]["dice"] == all_ranks + 2
    battle.do("wounds", unit="b1", wounds=4)
    assert battle.view()["attack"]["dice"] == all_ranks + 2


@pytest.mark.rule("TMG-ATK-1")
def test_ranks_lost_after_the_roll_change_nothing() -> None:
    battle = attacking()
    dice = battle.view()["attack"]["dice"]
    battle.do("roll", faces=[6] * dice).do("wounds", unit="b1", wounds=4).do("continue")
    assert battle.view()["attack"]["hits"] == dice


# -- effects of a completed attack ----------------------------------------------------------------


def completed(**fields: Any) -> Battle:
    """The attack of b1 on r2 is completed: its effects may be used now."""
    battle = attacking(**fields).do("attack-result", wounds=2)
    battle.do("panic", faces=[6, 6], keep=True)
    assert battle.waits() == ["attack-completed"]
    return battle


@pytest.mark.rule("TMG-ATK-17", "TMG-TIM-6", "TMG-GLO-21", "TMG-GLO-22")
def test_automatic_hits_on_the_attacker_when_the_attack_is_completed() -> None:
    battle = completed().do("hits", unit="b1", hits=3, by="red", why="Counterstrike")
    assert PLAY.pending(battle.state)[0].data["dice"] == 3
    battle.do("roll", faces=[1, 1, 6], keep=True)
    assert battle.unit("b1").wounds == 2
    assert battle.waits() == ["attack-completed"]
    battle.do("continue")
    assert battle.waits() == ["end-of-turn"]
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-ATK-17", "TMG-SRG-2", "TMG-SRG-3")
def test_who_dies_of_the_hits_after_its_attack_does_not_surge() -> None:
    battle = attacking().do("wounds", unit="b1", wounds=11).do("attack-result", wounds=12)
    assert battle.waits() == ["attack-completed"]
    battle.do("hits", unit="b1", hits=1, by="red", why="Counterstrike")
    battle.do("roll", faces=[1], keep=True)
    assert battle.unit("b1").place == "destroyed"
    battle.do("continue")
    assert "surge" not in battle.waits()


@pytest.mark.rule("TMG-ATK-17", "TMG-SRG-1", "TMG-SRG-3")
def test_the_surge_comes_after_the_hits() -> None:
    battle = attacking().do("attack-result", wounds=12)
    battle.do("hits", unit="b1", hits=1, by="red", why="Counterstrike")
    assert battle.waits() == ["defense-dice"]
    battle.do("roll", faces=[6], keep=True).do("continue")
    assert battle.waits() == ["surge"]


@pytest.mark.rule("TMG-TIM-6")
def test_automatic_hits_still_wait_for_an_attack_that_runs() -> None:
    attacking().refused("TMG-TIM-6", "hits", unit="b1", hits=3)


@pytest.mark.rule("TMG-ACT-4", "TMG-ATK-17")
def test_a_free_action_of_an_effect_after_the_attack() -> None:
    battle = completed().do("free-action", unit="r2", action="attack", target="b1")
    assert battle.state.attack is not None
    assert battle.state.attack.attacker == "r2"
    battle.do("attack-result", wounds=0).do("continue")
    assert battle.waits() == ["attack-completed"]
    battle.do("continue")
    assert battle.waits() == ["end-of-turn"]

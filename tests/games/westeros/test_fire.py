"""Fire in play: setting, fighting, burning, spreading."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.westeros.play.prompts import waiting
from companion.games.westeros.play.state import battle_position
from companion.games.westeros.rules.fire import scorch_cells
from companion.games.westeros.screen import SCREEN
from models.board import Cell
from tests.games.westeros.clash import Clash

rule = pytest.mark.rule


def burner(ground: dict[str, Any], **more: Any) -> Clash:
    units: Any = [("burner", "blue", "5,5", "plunderer")]
    return Clash(units, [("foot", "green", "5,9")], ground=ground, **more)


def words(game: Clash, cell: str) -> list[str]:
    column, row = cell.split(",")
    return list(game.state.board.ground.get((int(column), int(row)), ()))


def scorchable(game: Clash) -> tuple[Cell, ...]:
    position = battle_position(game.state)
    return scorch_cells(position, position.by_id["s1"])


@rule("BOW-KEY-16", "BOW-KEY-17", "BOW-FIR-1", "BOW-FIR-2", "BOW-V-26")
def test_scorched_earth_adds_fire_levels() -> None:
    game = (
        burner({"5,6": "forest"}).order("s1").do("scorch", unit="s1", to="5,6", faces=list("GBV"))
    )
    assert words(game, "5,6") == ["forest", "fire-2"]
    assert game.unit("s1").active is False
    plain = Clash([("burner", "blue", "5,5")], [("foot", "green", "5,9")])
    plain.order("s1").do("scorch", unit="s1", to="5,6", faces=list("GBV"))
    assert words(plain, "5,6") == ["fire-1"]  # valour counts with the ability only


@rule("BOW-V-27", "BOW-FIR-3", "BOW-FIR-6", "BOW-TER-8", "BOW-OR-26")
def test_a_forest_at_its_limit_is_devastated() -> None:
    game = burner({"5,6": ["forest", "fire-1"]}, rounds=4)
    game.order("s1").do("scorch", unit="s1", to="5,6", faces=list("GVV"))
    assert words(game, "5,6") == ["forest", "fire-3"]  # never above the limit
    game.next_round()
    assert words(game, "5,6") == ["forest", "devastation"]
    stays = burner({"5,6": ["forest", "fire-3"]}, readings=("burnt-fire=stays",))
    stays.next_round()
    assert words(stays, "5,6") == ["forest", "fire-3", "devastation"]


@rule("BOW-TER-15", "BOW-TER-18", "BOW-TER-22", "BOW-TER-25", "BOW-TER-26", "BOW-TER-28")
@rule("BOW-FIR-5", "BOW-TER-23")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["building", "fire-4"], ["building", "devastation"]),
        (["building", "fire-3"], ["building", "fire-3"]),
        (["forest-road", "fire-3"], ["forest-road", "devastation"]),
        (["road", "fire-3"], ["road", "fire-3"]),
        (["river", "wooden-bridge", "fire-3"], ["river"]),
        (["plains", "palisade", "fire-3"], ["plains", "palisade", "fire-3"]),
        (["plains", "tent", "fire-1"], ["plains"]),
        (["plains", "siege-tower", "fire-1"], ["plains"]),
    ],
)
def test_what_burns_down(before: list[str], after: list[str]) -> None:
    game = burner({"2,2": before}).pass_both()
    if game.waits() == "direction":
        game.do("direction", number=1)
    assert words(game, "2,2") == after


@rule("BOW-KEY-16", "BOW-FIR-4", "BOW-TER-23", "BOW-TER-9")
@pytest.mark.parametrize("ground", ["river", "hill", ["river", "stone-bridge"], ["river", "ford"]])
def test_what_does_not_burn(ground: Any) -> None:
    game = burner({"5,6": ground}).order("s1")
    assert game.refused("scorch", unit="s1", to="5,6", faces=list("GGG")) == "BOW-KEY-16"
    assert game.refused("scorch", unit="s1", to="5,8", faces=list("GGG")) == "BOW-KEY-16"


@rule("BOW-FIR-7", "BOW-FIR-8", "BOW-D-22", "BOW-OR-32")
def test_units_lose_a_figure_for_each_level() -> None:
    lannister: Any = [("foot", "green", "5,9"), ("foot", "green", "8,8", "lord")]
    ground = {"5,9": ["plains", "fire-3"], "8,8": ["plains", "fire-3"]}
    game = Clash([("foot", "green", "5,1")], lannister, ground=ground, rout=False)
    game.do("effect", unit="l2", figures=2).pass_both()
    assert game.unit("l1").figures == 1
    assert game.unit("l2").fate == "captured"
    assert game.state.morale == 1
    assert [one.partition(" costs")[0] for one in game.titles if "costs" in one] == ["the fire"] * 2


@rule("BOW-FIR-9", "BOW-FIR-10", "BOW-FIR-4", "BOW-D-23", "BOW-OR-29", "BOW-CMP-5")
@pytest.mark.parametrize(
    ("beside", "after"),
    [
        (["plains", "fire-4"], ["plains", "fire-4"]),
        (["plains"], ["plains", "fire-1"]),
        (["river"], ["river"]),
        (["forest", "fire-2"], ["forest", "fire-3"]),
    ],
)
def test_a_fire_of_level_4_spreads(beside: list[str], after: list[str]) -> None:
    game = burner({"2,2": ["plains", "fire-4"], "3,2": beside}).pass_both()
    assert game.waits() == "direction"
    (prompt,) = SCREEN.prompts(game.state)
    ways = {one.cell: (str(one.text), one.commands) for one in prompt.cells}
    assert ways[3, 2] == ("", ({"do": "direction", "number": 1},)), "the hex itself is tapped"
    assert len(ways) == 6
    game.do("direction", number=1)
    if "fire-4" in beside:
        game.do("direction", number=1)
    assert words(game, "3,2") == after
    off = burner({"10,2": ["plains", "fire-4"]}).pass_both().do("direction", number=1)
    assert off.waits() == "keep"  # off the map: nothing


@rule("BOW-FIR-3", "BOW-FIR-4", "BOW-FIR-2")
def test_a_card_may_set_a_fire() -> None:
    game = burner({"2,2": "forest", "3,2": "river"})
    assert game.refused("effect", to="2,2", fire=4) == "BOW-FIR-3"
    assert game.refused("effect", to="3,2", fire=1) == "BOW-FIR-3"
    game.do("effect", to="2,2", fire=3).do("effect", to="2,2", fire=2)
    assert words(game, "2,2") == ["forest", "fire-2"]
    assert words(game.do("effect", to="2,2", fire=0), "2,2") == ["forest"]


@rule("BOW-OR-29")
def test_a_fire_that_reaches_4_by_spreading_does_not_spread_in_the_same_step() -> None:
    game = burner({"2,2": ["plains", "fire-4"], "3,2": ["plains", "fire-3"]}).pass_both()
    game.do("direction", number=1)
    assert words(game, "3,2") == ["plains", "fire-4"]
    assert game.waits() == "keep"


@rule("BOW-FIR-14", "BOW-FIR-12", "BOW-FIR-13")
def test_fighting_the_own_fire() -> None:
    game = burner({"5,5": ["plains", "fire-3"]}).order("s1")
    assert game.refused("scorch", unit="s1", to="5,6") == "BOW-FIR-13"
    assert scorchable(game) == ()
    game.do("fight-fire", unit="s1")
    assert words(game, "5,5") == ["plains"]
    assert scorchable(game)
    assert burner({}).order("s1").refused("fight-fire", unit="s1") == "BOW-FIR-14"


@rule("BOW-FIR-15", "BOW-OR-28", "BOW-D-34")
@pytest.mark.parametrize(
    ("level", "symbol", "reading", "out"),
    [
        (3, "R", "exact", True),
        (3, "V", "exact", False),
        (1, "G", "exact", True),
        (2, "B", "exact", True),
        (4, "V", "exact", True),
        (1, "M", "exact", False),
        (3, "V", "or-lower", True),
        (4, "R", "or-lower", False),
    ],
)
def test_fighting_an_adjacent_fire(level: int, symbol: str, reading: str, out: bool) -> None:
    game = burner({"5,6": ["plains", f"fire-{level}"]}, readings=(f"adjacent-fire={reading}",))
    game.order("s1").do("fight-fire", unit="s1", to="5,6", faces=[symbol])
    assert words(game, "5,6") == (["plains"] if out else ["plains", f"fire-{level}"])
    other = burner({}).order("s1")
    assert other.refused("fight-fire", unit="s1", to="5,6") == "BOW-FIR-15"


@rule("BOW-KEY-16", "BOW-FIR-15")
def test_a_fire_that_is_rolled_for_says_who_lays_it_and_where() -> None:
    game = burner({"5,6": "forest"}).order("s1").do("scorch", unit="s1", to="5,6", ask=True)
    assert " lays a fire: " in game.titles[-1], "Undo names it"
    assert " for this hex: " in str(next(iter(waiting(game.state)))[0].say)


@rule("BOW-KEY-16")
def test_the_hexes_for_fire_are_picked_by_their_row_and_no_turn_ends_in_gold_before() -> None:
    game = burner({"5,6": "forest"}).order("s1")
    offers = {str(one.text): one for one in SCREEN.offers(game.state, None, "s1")}
    fire = offers["Set on fire"]
    assert fire.by_row
    assert {one.mark for one in fire.cells} == {"danger"}
    assert offers["End the turn"].by_row, "the unit may still do something"
    game.do("scorch", unit="s1", to="5,6", faces=list("GBV"))
    assert not any("fire" in str(one.text) for one in SCREEN.offers(game.state, None, "s1"))

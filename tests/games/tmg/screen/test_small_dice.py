"""The D3 of Dangerous ground and of castle walls: players with dice of their own are asked."""

from __future__ import annotations

import pytest

from companion.games.api.prompt import Choice
from companion.games.tmg.game import GAME
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.screen import SCREEN
from tests.games.tmg.play.sighted import DEEP, SOUTH, seen
from tests.games.tmg.play.test_terrain_costs import HERE, stakes
from tests.games.tmg.screen.test_action_offers import after
from tests.play.battle import Battle, battle_of


def on_stakes(engaged: bool = False) -> Battle:
    """B1 stands on Stakes, alone or in a melee."""
    battle = battle_of("GOT")
    spots = {"b1": HERE, **({"r1": (24.0, 10 + DEEP, SOUTH)} if engaged else {})}
    return seen(battle, spots, (stakes("2021", 8, 9),))


def rows(state: GameState, do: str) -> list[Choice]:
    found = (one for prompt in SCREEN.prompts(state) for one in prompt.choices)
    return [one for one in found if one.commands[0]["do"] == do]


def d3_of(choice: Choice) -> bool:
    """Whether the row asks for a D3."""
    asked = [] if choice.dice is None else [choice.dice, *choice.dice.extra]
    return any((one.field, one.sides, one.single) == ("d3", 3, True) for one in asked)


@pytest.mark.rule("TMG-TER-9", "TMG-ZON-4", "TMG-ZON-6")
def test_an_action_of_a_zone_asks_for_the_d3_of_the_ground() -> None:
    battle = on_stakes(engaged=True)
    for zone in ("combat", "maneuver"):
        state = after(
            battle.state, {"do": "activate", "unit": "bn1"}, {"do": "claim", "zone": zone}
        )
        acting = [one for one in rows(state, "zone-effect") if one.piece == "b1"]
        assert acting
        assert all(d3_of(one) for one in acting)
        others = [one for one in rows(state, "zone-effect") if one.piece not in ("b1", "")]
        assert not any(d3_of(one) for one in others)
        then = after(state, {**acting[0].commands[0], "d3": 3})
        assert then.unit("b1").wounds == 4


@pytest.mark.rule("TMG-TER-9", "TMG-ACT-5")
def test_a_free_action_asks_for_the_d3_of_the_ground() -> None:
    state = after(on_stakes().state, {"do": "grant", "unit": "b1"})
    report = GAME.report(current_table(state))
    offers = [one for one in SCREEN.offers(state, report, "b1") if one.kind == "maneuver"]
    assert [one.dice.field for one in offers if one.dice] == ["d3"]


@pytest.mark.rule("TMG-TER-9", "TMG-SRG-1")
def test_a_surge_asks_for_the_d3_of_the_ground() -> None:
    battle = on_stakes(engaged=True).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1", d3=1)
    battle.do("attack-result", wounds=60)
    while battle.waits() != ["surge"]:
        battle.do("continue")
    yes, no = rows(battle.state, "surge")
    assert d3_of(yes)
    assert no.dice is None
    assert after(battle.state, {**yes.commands[0], "d3": 2}).unit("b1").wounds == 2 + 3


@pytest.mark.rule("TMG-MODE-HAR-8")
def test_the_castle_wall_asks_for_its_d3() -> None:
    battle = battle_of("HAR").do("objective", token="o2", unit="b2")
    while battle.waits() != ["wall-hits"]:
        battle.round_over()
    (row,) = rows(battle.state, "wall-hits")
    assert d3_of(row)
    then = after(battle.state, {**row.commands[0], "d3": 2})
    assert then.attack is not None
    assert then.attack.hits == 4


@pytest.mark.rule("TMG-MODE-HAR-10")
def test_hits_in_place_of_a_zone_ask_for_their_d3() -> None:
    battle = battle_of("HAR").do("objective", token="o2", unit="r2")
    battle.do("activate", unit="bn1").do("claim", zone="wealth")
    found = [one for one in rows(battle.state, "zone-effect") if one.commands[0].get("instead")]
    assert found
    assert all(d3_of(one) for one in found)


@pytest.mark.rule("TMG-SRG-1")
def test_a_surge_is_a_move_of_its_unit_that_a_hand_may_make() -> None:
    battle = on_stakes(engaged=True).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1", d3=1)
    battle.do("attack-result", wounds=60)
    while battle.waits() != ["surge"]:
        battle.do("continue")
    yes, no = rows(battle.state, "surge")
    assert [(one.moves, one.piece) for one in (yes, no)] == [("maneuver", "b1"), ("", "")]

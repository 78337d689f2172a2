"""The ground as the table shows it: what inspires, horrifies, wounds, and what may be taken off."""

from __future__ import annotations

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.screen import SCREEN
from models import Pose, Terrain, catalogue
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen, slab
from tests.play.battle import battle_of


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13")
def test_ground_that_inspires_or_horrifies_is_added_up() -> None:
    battle = battle_of("GOT")
    tree = slab(battle.game, "weirwood", (30, 10, 32, 12))
    pile = slab(battle.game, "corpse-pile", (14, 10, 18, 12))
    other = slab(battle.game, "corpse-pile", (22, 18, 26, 20))
    other = Terrain("second", other.outline, other.keywords, other.piece)
    seen(battle, {"b1": (24, 10, NORTH)}, (tree, pile, other))
    battle.do("test", unit="b1", why="fear")
    assert battle.view()["panic"][0]["modifiers"] == {"inspiring": 1, "horrific": -1}


@pytest.mark.rule("TMG-TER-12", "TMG-CHG-23")
@pytest.mark.parametrize(("tree_y", "value"), [(20.0, 1), (2.0, 0)])
def test_a_failed_charge_panics_where_it_stopped(tree_y: float, value: int) -> None:
    """Not where it began: the tray is put down after the test was asked for."""
    battle = battle_of("GOT")
    tree = slab(battle.game, "weirwood", (28, tree_y, 30, tree_y + 2))
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    seen(battle, spots, (tree,)).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[1])
    seen(battle, {**spots, "b1": (24.0, 16.0, NORTH)}, (tree,))
    (test,) = battle.view()["panic"]
    assert test["modifier"] == value
    seen(battle, {**spots, "b1": (24.0, 16.0, NORTH)}, (tree,))
    assert battle.view()["panic"][0]["modifier"] == value


@pytest.mark.rule("TMG-TER-12", "TMG-CHG-23")
def test_a_failed_charge_tests_once_its_tray_lies_where_it_stopped() -> None:
    battle = battle_of("GOT")
    tree = slab(battle.game, "weirwood", (28, 20.0, 30, 22))
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10 + DEEP + 8, SOUTH)}
    plain = seen(battle_of("GOT"), spots).do("activate", unit="b1")
    plain.do("action", action="charge", target="r1", faces=[1])
    plain.do("panic", faces=[6, 6])  # no ground on the table that could count
    seen(battle, spots, (tree,)).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[1])
    battle.refused("TMG-TER-12", "panic", faces=[6, 6])
    (card,) = SCREEN.prompts(battle.state)
    assert card.dice is None
    assert "First put its tray where its move ended" in card.text
    (early,) = card.choices
    assert not isinstance(PLAY.decide(battle.state, early.commands[0]), Refusal), "if all agree"
    seen(battle, {**spots, "b1": (24.0, 16.0, NORTH)}, (tree,))
    (card,) = SCREEN.prompts(battle.state)
    assert card.dice is not None
    battle.do("panic", faces=[6, 6])


@pytest.mark.rule("TMG-TER-9")
def test_acting_on_stakes_is_seen() -> None:
    battle = battle_of("GOT")
    stakes = slab(battle.game, "stakes", (23, 9, 25, 11))
    seen(battle, {"b1": (24, 10, NORTH)}, (stakes,))
    battle.do("activate", unit="b1").do("action", action="maneuver", d3=1)
    assert battle.unit("b1").wounds == 2


@pytest.mark.rule("TMG-MODE-FFC-17")
def test_2018_a_corpse_pile_in_short_range_is_seen() -> None:
    battle = battle_of("FFC", "2018")
    pile = slab(battle.game, "corpse-pile", (22, 14, 26, 16))
    seen(battle, {"b1": (24, 8, NORTH)}, (pile,)).do("activate", unit="b1")
    assert battle.view()["panic"][0]["kind"] == "morale"


@pytest.mark.rule("TMG-TER-4")
def test_a_piece_under_a_tray_may_be_taken_off() -> None:
    battle = battle_of("GOT")
    wood = slab(battle.game, "forest", (22, 9, 26, 11))
    seen(battle, {"b1": (24, 10, NORTH)}, (wood,))
    assert battle.answer["reminders"] == [
        "b1 stands on forest: if it is in the way, mark its outline and lift it off (TMG-TER-4)"
    ]
    seen(battle, {"b1": (24, 10, NORTH)}, (wood,))
    assert "reminders" not in battle.answer


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13", "OR-13")
@pytest.mark.parametrize("turn", [0.0, 37.0, 211.3])
@pytest.mark.parametrize(("off", "value"), [(0.0, 1), (0.005, 0), (-0.005, 1)])
def test_exactly_six_inches_from_a_weirwood_is_near_it(turn: float, off: float, value: int) -> None:
    """However the table is turned: 2.4 inches of tray, then 6 to the tree."""
    battle = battle_of("GOT")
    start = Pose(24, 24, turn)
    near, wide = 2.4 + 6.0 + off, 1.5
    outline = tuple(
        start.ahead(forward, left)
        for forward, left in ((near, -wide), (near + 2, -wide), (near + 2, wide), (near, wide))
    )
    tree = Terrain("t1", outline, catalogue(battle.game).pieces["weirwood"], "weirwood")
    battle = seen(battle, {"b1": (24, 24, turn)}, (tree,))
    battle.do("test", unit="b1", why="fear")
    assert battle.view()["panic"][0]["modifier"] == value


@pytest.mark.rule("TMG-TER-9", "TMG-SRG-1")
@pytest.mark.parametrize(("year", "wounds"), [("2021", 2), ("2018", 0)])
def test_surging_off_stakes_is_acting_on_them(year: str, wounds: int) -> None:
    # The attack that destroyed r1 cost its wounds too: the surge is an action of its own.
    battle = battle_of("GOT", year)
    stakes = slab(battle.game, "stakes", (23, 19, 25, 21))
    seen(battle, {"b1": (24, 20, NORTH), "r1": (24, 20 + DEEP, SOUTH)}, (stakes,))
    battle.do("activate", unit="b1").do("action", action="attack", target="r1", d3=1).fight(12)
    assert battle.unit("b1").wounds == wounds
    battle.do("surge", take=True, d3=1)
    assert battle.unit("b1").wounds == 2 * wounds
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-TER-9", "TMG-SRG-1")
def test_a_surge_that_is_let_be_costs_nothing_and_one_may_die_of_it() -> None:
    for take, place in ((False, "field"), (True, "destroyed")):
        battle = battle_of("GOT")
        battle.do("wounds", unit="b1", wounds=10).do("activate", unit="b1")
        battle.do("engage", unit="b1", **{"with": ["r1"]})
        battle.do("action", action="attack", target="r1").fight(12)
        battle.do("surge", take=take, dangerous=True, d3=3)
        assert battle.unit("b1").place == place
        assert battle.waits() == ["end-of-turn"]
        assert ("b1: maneuver (surge)" in battle.report()) is False

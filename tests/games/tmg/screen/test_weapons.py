"""A unit with several attacks on its card: its player chooses with which it attacks."""

from __future__ import annotations

import pytest

from companion.games.api.prompt import ActionOffer
from companion.games.tmg.game import GAME
from companion.games.tmg.play.prompt_options import options
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.screen import SCREEN
from models import Attack
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, Spot, seen
from tests.games.tmg.play.test_choice_of_attack import AXES, BOWS, SLINGS, SWORDS, ready
from tests.games.tmg.screen.test_action_offers import after

EDITIONS = ("2021", "2018")
AHEAD: Spot = (24.0, 10.0, NORTH)
BOLTS = Attack("Bolts", "long", 4, (3, 2, 1))


def shown(year: str, away: float, *attacks: Attack) -> GameState:
    """A table on which b1 faces r1 at that distance."""
    spots = {"b1": AHEAD, "r1": (24.0, 10.0 + DEEP + away, SOUTH)}
    return seen(ready(year, *attacks), spots).state


def offered(state: GameState, kind: str) -> dict[str, ActionOffer]:
    """The offers of b1 against r1, by the weapon they name."""
    report = GAME.report(current_table(state)) if state.table else None
    found = (one for one in SCREEN.offers(state, report, "b1") if one.kind == kind)
    return {
        str(one.commands[-1].get("weapon", "")): one
        for one in found
        if one.target == "r1" and one.verdict != "no"
    }


@pytest.mark.rule("TMG-CARD-2", "TMG-MEL-2")
@pytest.mark.parametrize("year", EDITIONS)
@pytest.mark.parametrize(("kind", "away"), [("charge", 5.0), ("melee", 0.0)])
def test_each_melee_attack_is_offered_with_its_odds(year: str, kind: str, away: float) -> None:
    state = shown(year, away, SWORDS, AXES)
    found = offered(state, kind)
    assert [*found] == ["Swords", "Axes"] or [*found] == ["Axes", "Swords"]
    assert all(name in one.detail for name, one in found.items())
    assert found["Swords"].expected != found["Axes"].expected
    for name, one in found.items():
        *before, last = one.commands
        then = after(state, *before, {**last, **({"faces": [6]} if kind == "charge" else {})})
        assert then.attack is not None
        assert then.attack.weapon == name


@pytest.mark.rule("TMG-CARD-2", "TMG-RNG-10")
@pytest.mark.parametrize("year", EDITIONS)
def test_each_ranged_attack_is_offered_where_it_reaches(year: str) -> None:
    near = offered(shown(year, 4.0, SWORDS, SLINGS, BOWS), "shot")
    assert {*near} == {"Slings", "Bows"}
    far_off = shown(year, 9.0, SWORDS, SLINGS, BOWS)
    assert {*offered(far_off, "shot")} == {"Bows"}
    assert {*offered(shown(year, 9.0, BOWS, BOLTS), "shot")} == {"Bows", "Bolts"}


@pytest.mark.rule("TMG-CARD-2", "TMG-RNG-10")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_shot_with_a_weapon_that_does_not_reach_is_refused(year: str) -> None:
    state = shown(year, 9.0, SWORDS, SLINGS, BOWS)
    state = after(state, {"do": "activate", "unit": "b1"})
    shot = {"do": "action", "action": "attack", "target": "r1", "ranged": True}
    named = {one.get("weapon") for one in options(state)[0]["options"] if one.get("ranged")}
    assert named == {"Bows"}
    then = after(state, shot)
    assert then.attack is not None
    assert then.attack.weapon == "Bows", "a shot without a name is made with what reaches"


@pytest.mark.rule("TMG-CARD-2")
def test_without_a_table_rows_say_the_weapon() -> None:
    battle = ready("2021", SWORDS, AXES).do("engage", unit="b1", **{"with": ["r1"]})
    report = SCREEN.offers(battle.state, None, "b1")
    details = {one.detail for one in report if one.kind == "melee" and one.target == "r1"}
    assert {word for one in details for word in ("Swords", "Axes") if word in one} == {
        "Swords",
        "Axes",
    }


@pytest.mark.rule("TMG-CARD-2", "TMG-ZON-4")
def test_the_combat_zone_says_the_weapon() -> None:
    battle = ready("2021", SWORDS, AXES).do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="bn1").do("claim", zone="combat")
    rows = [one for prompt in SCREEN.prompts(battle.state) for one in prompt.choices]
    told = [one.detail for one in rows if one.commands[-1].get("target") == "r1"]
    assert any("Swords" in one for one in told)
    assert any("Axes" in one for one in told)

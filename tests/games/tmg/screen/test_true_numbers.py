"""The numbers that a screen tells are the numbers that the rules use."""

from __future__ import annotations

import pytest

from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.prompts import prompts
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen, slab
from tests.play.battle import Battle, battle_of

EDITIONS = ("2021", "2018")


def struck(year: str, zone: str, ability: str = "") -> Battle:
    """The Sworn Swords hit the Crossbowmen three times in that zone."""
    battle = Battle("GOT", year).deployed().do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1", zone=zone)
    if ability:
        battle.do("modify", what="ability", name=ability)
    dice, hit = battle.view()["attack"]["dice"], battle.view()["attack"]["hit"]
    return battle.do("roll", faces=[hit] * 3 + [1] * (dice - 3), keep=True)


@pytest.mark.rule("TMG-BON-3", "TMG-BON-5", "TMG-ABL-4", "TMG-ATK-7")
@pytest.mark.parametrize("year", EDITIONS)
@pytest.mark.parametrize("ability", ["", "sundering"])
@pytest.mark.parametrize("zone", ["front", "flank", "rear"])
def test_the_face_told_for_the_defense_is_the_face_that_blocks(
    year: str, zone: str, ability: str
) -> None:
    battle = struck(year, zone, ability)
    prompt = prompts(battle.state, None)[0]
    assert prompt.dice is not None
    face = prompt.dice.wanted
    assert face is not None
    assert f"{face}+" in prompt.text
    assert f"{face}+" in prompt.dice.text
    assert prompt.data["face"] == face
    expected = {"front": 0, "flank": 1, "rear": 2}[zone] + (ability == "sundering")
    assert face == min(6, battle.unit("r1").defense + expected)
    battle.do("roll", faces=[face, face - 1, 1], keep=True)
    assert battle.state.unit("r1").wounds == 2


@pytest.mark.rule("TMG-ATK-2", "TMG-DIC-1")
@pytest.mark.parametrize("value", [-2, -1, 0, 1])
def test_the_face_told_for_the_attack_is_the_face_that_hits(value: int) -> None:
    battle = Battle().deployed().do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1")
    if value:
        battle.do("modify", what="attack", name="Weather", value=value)
    prompt = prompts(battle.state, None)[0]
    assert prompt.dice is not None
    face, dice = prompt.dice.wanted, prompt.dice.count
    assert face is not None
    assert f"{face}+" in prompt.text
    battle.do("roll", faces=[face, face - 1] + [1] * (dice - 2), keep=True)
    assert battle.view()["attack"]["hits"] == 1


@pytest.mark.rule("TMG-ZON-2", "TMG-ZON-3", "TMG-ZON-5")
@pytest.mark.parametrize(
    ("zone", "told"), [("crown", "-1"), ("wealth", "3 wounds"), ("tactics", "draw 2 tactics cards")]
)
def test_a_zone_says_what_the_book_says(zone: str, told: str) -> None:
    battle = Battle().deployed()
    ncu = next(ncu.id for ncu in battle.state.ncus if ncu.side == "blue")
    battle.do("activate", unit=ncu).do("claim", zone=zone)
    text = prompts(battle.state, None)[0].text
    assert told in text
    assert "TMG" not in text


@pytest.mark.rule("TMG-PAN-2", "TMG-PAN-4")
def test_the_d3_of_a_panic_test_is_named_and_lies_apart_from_its_two_dice() -> None:
    battle = struck("2021", "front").do("roll", faces=[1, 1, 1], keep=True)
    battle.do("panic", faces=[1, 2], d3=3)
    (prompt,) = prompts(battle.state, None)
    assert prompt.rolled == (1, 2)
    assert "the D3 shows 3" in [str(fact.text) for fact in prompt.facts]


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13")
@pytest.mark.parametrize("piece", ["weirwood", "corpse-pile", "low-wall"])
def test_the_wounds_told_beside_the_dice_are_those_of_the_offer(piece: str) -> None:
    """Inspiring or Horrific ground near the target counts in both, as in the test that follows."""
    battle = battle_of("GOT")
    spots = {"b1": (24.0, 20.0, NORTH), "r1": (24.0, 20 + DEEP, SOUTH)}
    near = slab(battle.game, piece, (24.0, 20 + 1.5 * DEEP + 2, 26.0, 20 + 1.5 * DEEP + 4))
    seen(battle, spots, (near,))
    table = PLAY.table(battle.state)
    assert table is not None
    offers = SCREEN.offers(battle.state, GAME.report(table), "b1")
    (melee,) = [one for one in offers if one.kind == "melee"]
    battle.do("activate", unit="b1").do("action", action="attack", target="r1", zone="front")
    (told,) = [str(one.text) for one in prompts(battle.state, None)[0].facts if "about" in one.text]
    assert told == str(melee.expected)


@pytest.mark.rule("TMG-CARD-13", "TMG-ABL-7")
def test_wounds_are_told_without_what_only_the_card_says_of_a_weapon() -> None:
    """The Pyromancers' card has a text for Wildfire: no chance to destroy is told by dice alone."""
    battle = seen(battle_of("GOT"), {"r3": (24, 20, SOUTH), "b3": (24, 10, NORTH)})
    battle.do("wounds", unit="b3", wounds=11).do("activate", unit="bn1").do("forgo")
    battle.do("end-turn")
    report = GAME.report(current_table(battle.state))
    shot = next(one for one in SCREEN.offers(battle.state, report, "r3") if one.kind == "shot")
    assert shot.expected.endswith("wounds with panic · without its card’s text")
    battle.do("activate", unit="r3")
    battle.do("action", action="attack", target="b3", ranged=True)
    facts = [fact.text for fact in prompts(battle.state, None)[0].facts]
    assert any("without its card’s text" in text for text in facts)
    battle.do("lose-abilities", unit="r3", lost=True)
    facts = [fact.text for fact in prompts(battle.state, None)[0].facts]
    assert any("destroys" in text for text in facts)

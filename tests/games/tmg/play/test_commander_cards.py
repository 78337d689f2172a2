"""Commanders: the keyword and the letter that stands in the place of a cost."""

from __future__ import annotations

import pytest

from companion.games.tmg.cards.army_catalogue import army_catalogue
from companion.games.tmg.play.army.army_conditions import price
from companion.games.tmg.play.army.army_lists import read_list
from companion.games.tmg.play.army.army_rules import check, cost, every_card

GAME = "tmg-2021"
LIST = """Faction: House Stark
Commander: Robb Stark – The Wolf Lord {letter}
Points: 40

Combat Units:
• Stark Sworn Swords (5)
  with Robb Stark, The Wolf Lord {letter}
• Stark Bowmen (6)
"""


@pytest.mark.rule("TMG-CMD-2")
@pytest.mark.parametrize("letter", ["(C)", "(H)", "(П)", "(c)", "[C]", "(0)", ""])
def test_a_commanders_letter_stands_for_no_cost(letter: str) -> None:
    text = LIST.format(letter=letter)
    army = read_list(text, GAME)
    assert army.commander == "20201"
    assert army.units[0].attachments == ("20201",)
    assert cost(army) == 11
    assert army.notes == ()
    assert check(army) == ()


@pytest.mark.rule("TMG-CMD-2")
def test_a_cost_printed_at_a_commander_is_told() -> None:
    (told,) = read_list(LIST.format(letter="(3)"), GAME).notes
    assert "Robb Stark, The Wolf Lord commands and costs no points" in told


@pytest.mark.rule("TMG-CMD-2", "TMG-CMD-1")
def test_the_keyword_makes_the_commander_and_not_the_place_in_the_list() -> None:
    facts = army_catalogue(GAME)
    text = "Faction: House Stark\nCombat Units:\n• Stark Sworn Swords (5)\n with {who}\n"
    led = read_list(text.format(who="Robb Stark, The Wolf Lord (C)"), GAME)
    plain = read_list(text.format(who="Sworn Sword Captain (1)"), GAME)
    assert [one.commander for one in every_card(led)] == [False, True]
    assert (led.commander, plain.commander) == ("20201", "")
    assert [problem.why for problem in check(plain)] == ["TMG-ARM-5"]
    leaders = [one for one in facts.attachments.values() if one.commander]
    assert len(leaders) > 40
    assert {price(one) for one in leaders} == {0}

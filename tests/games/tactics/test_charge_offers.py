"""Charges on the screen: the odds of the space where they end, and every effect for coins."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.prompt import ActionOffer, TargetCell
from companion.games.tactics.screen import SCREEN
from models.board import cell_text
from tests.games.tactics.battle import HERO, SOLDIER, SWORD, Skirmish, card

rule = pytest.mark.rule
HIGH = ["open-o", "high"]


def charges(game: Skirmish) -> list[ActionOffer]:
    return [one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "charge"]


def told_and_rolled(offer: ActionOffer, cell: TargetCell, ground: dict[str, Any]) -> bool:
    """Whether the roll after a charge to a space tells what its offer told."""
    command = dict(cell.commands[0])
    game = duel(ground).do(command.pop("do"), **command)
    (prompt,) = SCREEN.prompts(game.state)
    facts = [str(one.text) for one in prompt.facts]
    kills = str(offer.odds).removesuffix(" kill")
    mean = str(offer.expected).partition(", ")[2]
    return f"{mean} on average, kills: {kills}" in facts


def duel(ground: dict[str, Any]) -> Skirmish:
    game = Skirmish([(HERO, "3,1")], [(SOLDIER, "3,4")], ground=ground)
    return game.do("activate", figure="b1")


@rule("TAC-TER-13", "TAC-CHG-6")
@pytest.mark.parametrize(
    ("high", "texts"),
    [
        ("3,1", ["Charge Soldier"]),
        ("3,1 2,3 3,3 4,3", ["Charge Soldier"]),
        ("2,3", ["Charge Soldier from high ground", "Charge Soldier"]),
    ],
)
def test_the_odds_of_a_charge_are_those_of_the_space_where_it_ends(
    high: str, texts: list[str]
) -> None:
    ground = dict.fromkeys(high.split(), HIGH)
    found = [one for one in charges(duel(ground)) if one.possible]
    assert [str(one.text) for one in found] == texts
    ends = [cell for one in found for cell in one.cells]
    assert sorted(cell_text(one.cell) for one in ends) == ["2,3", "3,3", "4,3"]
    assert all(told_and_rolled(one, cell, ground) for one in found for cell in one.cells)


@rule("TAC-CHG-7", "TAC-CHG-8", "TAC-CRD-9")
def test_effects_that_only_the_card_tells_are_bought_with_a_charge() -> None:
    knock = {"name": "Knock down", "price": [0, 0, 2]}
    trample = {"name": "Trample", "price": [0, 0, 1], "charge_only": True}
    ram = card("Ram", attacks=[{**SWORD, "effects": [knock, trample]}])
    game = Skirmish([(ram, "3,1")], [(SOLDIER, "3,4")]).do("activate", figure="b1")
    assert {str(one.text) for one in charges(game)} == {
        "Charge Soldier",
        "Charge Soldier, Trample (1 copper star)",
        "Charge Soldier, Knock down (2 copper stars)",
        "Charge Soldier, Knock down, Trample (3 copper stars)",
    }
    last = next(one for one in charges(game) if "Knock down, Trample" in str(one.text))
    command = dict(last.cells[0].commands[0])
    game.do(command.pop("do"), **command)
    assert game.coins()[2] == 14
    assert game.state.attack is not None
    assert game.state.attack.effects == ("Knock down", "Trample")


@rule("TAC-CHG-7", "TAC-CRD-9")
def test_of_two_effects_alike_in_numbers_each_may_be_bought() -> None:
    effects = [{"name": n, "price": [0, 0, p], "dice": 1} for n, p in (("Cheap", 1), ("Dear", 2))]
    both = card("Both", attacks=[{**SWORD, "effects": effects}])
    game = Skirmish([(both, "3,1")], [(SOLDIER, "3,4")]).do("activate", figure="b1")
    bought = [one.cells[0].commands[0].get("effects", []) for one in charges(game)]
    assert sorted(bought) == [[], ["Cheap"], ["Cheap", "Dear"], ["Dear"]]

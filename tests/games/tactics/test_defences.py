"""Defence abilities and aftermaths on the screen: those that only the card tells are asked, too."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tactics.cards.card_forms import card_of_values, card_values, form_problems
from companion.games.tactics.cards.figure_card import FigureCard
from companion.games.tactics.screen import SCREEN
from models.field import Field
from tests.games.tactics.battle import ARCHER, SOLDIER, Skirmish, card

rule = pytest.mark.rule
KING = {"name": "For us!", "kind": "defence", "price": [0, 0, 1], "text": "defend 1 hit"}


def hit(target: dict[str, Any], **more: Any) -> Skirmish:
    """A soldier has hit the figure twice."""
    game = Skirmish([(SOLDIER, "3,3")], [(target, "3,4")], **more).do("activate", figure="b1")
    return game.do("attack", target="r1").do("roll", faces=[9, 9])


@rule("TAC-ABL-6", "TAC-ATK-8", "TAC-CRD-11")
def test_a_defence_ability_that_only_the_card_tells_is_asked() -> None:
    shield = {"name": "Shield", "price": [0, 0, 2], "modifier": 2}
    both = [KING, {"name": "Wall", "kind": "defence", "effects": [shield]}]
    game = hit(card("Vet", cost=[0, 2, 0], abilities=both))
    (prompt,) = SCREEN.prompts(game.state)
    (form,) = prompt.forms
    assert (str(form.text), str(form.detail)) == ("For us!", "1 copper star, defend 1 hit")
    assert [one.field for one in form.entries] == ["cancels", "modifier"]
    assert form.by == ("red",)
    assert [str(one.text) for one in prompt.choices] == ["No ability", "Shield"]
    game.do("defend", ability="For us!", cancels=1, modifier=1)
    assert game.coins("red")[2] == 17
    assert game.titles[-1] == "Vet uses For us!: defend 1 hit"
    assert game.refused("defend", ability="For us!") == "TAC-CRD-11"
    (prompt,) = SCREEN.prompts(game.state)
    assert not prompt.forms
    assert "+1 on every die: For us!" in [str(one.text) for one in prompt.facts]
    game.do("defend", effects=["Shield"])
    attack = game.state.attack
    assert attack is not None
    assert (attack.cancels, attack.defence_modifier) == (1, 3)
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    assert prompt.dice.count == 1


@rule("TAC-ABL-6")
def test_after_the_last_defence_ability_the_dice_are_rolled() -> None:
    game = hit(card("Vet", cost=[0, 2, 0], abilities=[KING]))
    assert game.refused("defend", ability="Other") == "TAC-ABL-6"
    assert game.do("defend", ability="For us!", cancels=1).waits() == "defence-roll"
    poor = hit(card("Vet", abilities=[{**KING, "price": [9, 0, 0]}]))
    assert poor.waits() == "defence-roll"


@rule("TAC-ATK-8", "TAC-STA-2")
def test_the_modifier_is_told_before_a_defence_ability_is_paid() -> None:
    effects = [{"name": f"e{at}", "price": [0, 0, 1], "modifier": 1} for at in range(1, 6)]
    target = card("Vet", abilities=[{"name": "D", "kind": "defence", "effects": effects}])
    game = Skirmish([(SOLDIER, "3,3")], [(target, "3,4")]).do("activate", figure="b1")
    game.do("condition", figure="r1", kind="shaken", on=True)
    game.do("attack", target="r1").do("roll", faces=[9, 9])
    (prompt,) = SCREEN.prompts(game.state)
    assert "-2 on every die: shaken" in [str(one.text) for one in prompt.facts]
    assert {str(one.text) for one in prompt.choices} == {"No ability", "e1", "e2", "e3", "e4", "e5"}


@rule("TAC-ABL-15", "TAC-ATK-12")
def test_an_aftermath_of_melee_is_not_used_against_a_shot() -> None:
    parry = {"name": "Parry", "kind": "defence", "aftermath": True, "wounds": 1, "melee": True}
    target = card("Vet", abilities=[parry])
    far = Skirmish([(ARCHER, "3,3")], [(target, "3,6")]).do("activate", figure="b1")
    assert far.do("attack", target="r1").do("roll", faces=[1, 1]).waits() == "act"
    near = Skirmish([(SOLDIER, "3,3")], [(target, "3,4")]).do("activate", figure="b1")
    assert near.do("attack", target="r1").do("roll", faces=[1, 1]).waits() == "aftermath"


@rule("TAC-ABL-15", "TAC-COI-8")
def test_an_aftermath_that_nobody_can_pay_is_not_asked() -> None:
    after = {"name": "After", "kind": "triggered", "aftermath": True, "price": [9, 0, 0]}
    game = Skirmish([(card("Vet", abilities=[after]), "3,3")], [(SOLDIER, "3,4")])
    game.do("activate", figure="b1").do("attack", target="r1").do("roll", faces=[1, 1])
    assert game.waits() == "act"


@rule("TAC-ABL-6", "TAC-ABL-15")
def test_what_an_ability_does_is_entered_in_the_form() -> None:
    effect = {"name": "Shield", "copper": 1, "cancels": 1, "modifier": 2}
    shield = {"name": "My shield", "kind": "defence", "effects": [effect]}
    answer = {"name": "My answer", "kind": "defence", "aftermath": True, "wounds": 2, "melee": True}
    stride = {"name": "My stride", "kind": "movement", "spaces": 2, "unstoppable": True}
    made = card_of_values({"name": "Own", "abilities": [shield, answer, stride]})
    first, second, third = made.abilities
    assert (first.effects[0].cancels, first.effects[0].modifier) == (1, 2)
    assert (second.aftermath, second.wounds, second.melee) == (True, 2, True)
    assert (third.spaces, third.unstoppable) == (2, True)
    again = FigureCard.read(Field(made.to_json(), "card"))
    assert card_of_values(card_values(again)) == made


@rule("TAC-ABL-6", "TAC-ATK-8")
def test_of_many_effects_any_combination_that_can_be_paid_may_be_bought() -> None:
    names = ["One", "Two", "Three", "Four", "Five"]
    effects = [{"name": name, "price": [0, 0, 1], "modifier": 1} for name in names]
    wall = {"name": "Wall", "kind": "defence", "effects": effects}
    game = hit(card("Vet", cost=[0, 2, 0], abilities=[wall]))
    (prompt,) = SCREEN.prompts(game.state)
    (form,) = prompt.forms
    (entry,) = form.entries
    assert [value for value, _ in entry.options] == names
    assert str(entry.options[0][1]) == "One (1 copper star)"
    assert (entry.worth, form.most, str(form.tallies[5])) == ((1,) * 5, 18, "5 copper stars")
    game.do(form.command["do"], effects=names)
    attack = game.state.attack
    assert attack is not None
    assert attack.defence_modifier == 5


@rule("TAC-ATK-8", "TAC-CRD-9", "TAC-CRD-5")
def test_defence_effects_tell_their_price_what_they_do_and_the_wounds_left() -> None:
    locked = [
        {"name": "Parry", "price": [0, 0, 1], "cancels": 1},
        {"name": "Brace", "price": [0, 0, 4], "modifier": 3},
    ]
    wall = {"name": "Wall", "kind": "defence", "text": "as printed", "effects": locked}
    game = hit(card("Vet", cost=[0, 2, 0], defence=6, abilities=[wall]))
    (prompt,) = SCREEN.prompts(game.state)
    assert {str(one.text): str(one.detail) for one in prompt.choices} == {
        "No ability": "1.00 wounds on average",  # 2 dice, each defends on 6 to 10
        "Parry": "1 copper star, 1 hit is cancelled, 0.50 wounds on average",
        "Brace": "4 copper stars, +3 on every die, 0.40 wounds on average",
        "Parry, Brace": "5 copper stars, 1 hit is cancelled, +3 on every die,"
        " 0.20 wounds on average",
    }
    (vet,) = (one for one in SCREEN.pieces(game.state) if one.id == "r1")
    assert "Parry: 1 copper star, 1 hit is cancelled" in vet.lines
    game.do("defend", effects=["Parry"])
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    assert prompt.dice.count == 1
    assert [str(one.text) for one in prompt.facts][:2] == ["2 hits", "1 hit is cancelled"]


@rule("TAC-ATK-8", "TAC-CRD-10", "TAC-COI-7")
def test_the_price_of_an_ability_is_paid_once_besides_those_of_its_effects() -> None:
    parries = [
        {"name": "Parry", "price": [0, 0, 1], "cancels": 1},
        {"name": "Duck", "price": [0, 0, 0], "modifier": 1},
    ]
    riposte = {"name": "Riposte", "kind": "defence", "price": [0, 0, 2], "effects": parries}
    game = hit(card("Vet", cost=[0, 2, 0], abilities=[riposte]))
    before = game.coins("red")[2]
    (prompt,) = SCREEN.prompts(game.state)
    told = {str(one.text): str(one.detail).split(",")[0] for one in prompt.choices}
    assert told["Parry"] == "3 copper stars"
    assert told["Duck"] == "2 copper stars"
    assert told["Parry, Duck"] == "3 copper stars"
    game.do("defend", effects=["Parry", "Duck"])
    assert game.coins("red")[2] == before - 3


@rule("TAC-ABL-6", "TAC-ATK-8", "TAC-ATK-12", "TAC-ABL-15")
def test_an_ability_with_effects_and_an_aftermath_has_both() -> None:
    """The effects before the roll, each for its own price; the price of the ability after it."""
    parry = {"name": "Parry", "price": [0, 0, 1], "cancels": 1}
    riposte = {"name": "Riposte", "kind": "defence", "price": [0, 0, 2], "aftermath": True}
    both = {**riposte, "wounds": 1, "melee": True, "effects": [parry]}
    game = hit(card("Vet", cost=[0, 2, 0], health=3, abilities=[both]))
    (prompt,) = SCREEN.prompts(game.state)
    assert [str(one.text) for one in prompt.choices] == ["No ability", "Parry"]
    assert str(prompt.choices[1].detail).startswith("1 copper star, 1 hit is cancelled")
    game.do("defend", effects=["Parry"])
    assert game.coins("red")[2] == 17
    game.do("roll", faces=[1])
    assert game.waits() == "aftermath"
    game.do("aftermath", figure="r1", ability="Riposte")
    assert game.coins("red")[2] == 15
    assert game.figure("b1").wounds == 1
    values = card_values(FigureCard.read(Field(card("Vet", abilities=[both]), "card")))
    (told,) = [one for one in form_problems(values) if one.field == "abilities[0].effects"]
    assert not told.stops
    poor = hit(card("Vet", abilities=[{**both, "price": [9, 0, 0]}]))
    assert poor.waits() == "defend"

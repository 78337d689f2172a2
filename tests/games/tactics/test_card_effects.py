"""What only cards know reaches the battle by taps: abilities, Will tests, coins, points."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Accepted, Plain
from companion.games.api.prompt import Choice, PromptForm
from companion.games.api.screen_views import PieceView
from companion.games.tactics.play import PLAY
from companion.games.tactics.screen import SCREEN
from tests.games.tactics.battle import HERO, SOLDIER, VETERAN, Skirmish, card

rule = pytest.mark.rule
LAST_STAND = {
    "name": "Last Stand",
    "kind": "wound",
    "price": [0, 0, 2],
    "text": "a friend suffers it",
}
WATCH = {
    "name": "Watch",
    "kind": "triggered",
    "price": [0, 0, 1],
    "text": "when a friend is attacked",
}
DARING = {"name": "Daring", "kind": "will", "text": "after a passed Will test"}
LORD = card("Lord", cost=[0, 2, 0], health=1, defence=10, abilities=[LAST_STAND, WATCH, DARING])


def piece(game: Skirmish, name: str) -> PieceView:
    return next(one for one in SCREEN.pieces(game.state) if one.id == name)


def tap(game: Skirmish, choice: Choice | PromptForm, **values: Any) -> Skirmish:
    """What a button or a form sends is accepted."""
    sent = [choice.command] if isinstance(choice, PromptForm) else choice.commands
    for command in sent:
        fields = {**command, **values}
        game.do(fields.pop("do"), **fields)
    return game


def button(found: Any, text: str) -> Any:
    return next(one for one in found if str(one.text).startswith(text))


def struck(target: dict[str, Any], **equipment: str) -> Skirmish:
    """A soldier has wounded a figure as often as it can bear."""
    game = Skirmish(
        [(SOLDIER, "4,4")], [(target, "4,5"), (SOLDIER, "0,8")], equipment=equipment or None
    )
    game.do("activate", figure="b1").do("attack", target="r1").do("roll", faces=[9, 9])
    return game.do("roll", faces=[1, 1])


@rule("TAC-ABL-7", "TAC-ATK-11")
def test_before_a_figure_is_killed_its_player_may_use_a_wound_ability() -> None:
    game = struck(LORD)
    (prompt,) = SCREEN.prompts(game.state)
    assert (prompt.id, prompt.seats, prompt.rule) == ("wounded", ("red",), "TAC-ABL-7")
    assert [str(one.text) for one in prompt.choices] == ["use Last Stand", "Go on"]
    tap(game, prompt.choices[0])
    assert game.state.squad("red").coins.copper == 16
    game.do("heal", figure="r1", wounds=2).do("wound", figure="r2", wounds=2)
    game.do("continue")
    assert game.figure("r1").fate == "board"
    assert game.figure("r2").fate == "killed"


@rule("TAC-ABL-7")
def test_who_cannot_pay_for_a_wound_ability_is_not_asked() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(LORD, "4,5"), (SOLDIER, "0,8")], coins=(3, 6, 1))
    game.do("wound", figure="r1", wounds=1)
    assert game.figure("r1").fate == "killed"


@rule("TAC-EQP-6", "TAC-CAP-1")
@pytest.mark.parametrize(("drinks", "fate"), [(True, "killed"), (False, "captive")])
def test_the_bearer_of_a_vial_of_poison_decides_whether_it_is_captured(
    drinks: bool, fate: str
) -> None:
    weak = card("Weak", cost=[0, 2, 0], health=1, defence=10)
    game = struck(weak, r1="vial-of-poison").do("fate", choose="capture")
    (prompt,) = SCREEN.prompts(game.state)
    assert (prompt.id, prompt.seats) == ("poison", ("red",))
    assert {one.by for one in prompt.choices} == {("red",)}
    tap(game, prompt.choices[0 if drinks else 1])
    assert game.figure("r1").fate == fate
    assert game.figure("r1").equipment == ("" if drinks else "vial-of-poison")


@rule("TAC-ABL-5", "TAC-ABL-9", "TAC-CRD-4")
def test_will_tests_and_abilities_of_figures_that_are_not_active_are_on_their_page() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(LORD, "4,6"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1")
    choices = piece(game, "r1").corrections
    test = button(choices, "Will test")
    assert str(test.detail) == "passed on 5+"
    assert will_test(game, test, 5) is True
    assert will_test(game, test, 4) is False
    tap(game, button(choices, "use Watch"))
    assert game.state.squad("red").coins.copper == 17
    assert button(piece(game, "r1").corrections, "use Daring")


def will_test(game: Skirmish, choice: Any, face: int) -> Any:
    """The player of the figure is asked for the die before anything else."""
    prompt = SCREEN.prompts(tap(game, choice).state)[0]
    assert prompt.dice is not None
    assert (prompt.id, prompt.seats, prompt.dice.wanted) == ("will-roll", ("red",), 5)
    return tap(game, Choice("", (prompt.dice.command,)), faces=[face]).answer["passed"]


@rule("TAC-CRD-4", "TAC-ABL-7")
def test_a_will_test_comes_before_what_waits_already() -> None:
    game = struck(LORD)
    tap(game, button(piece(game, "r1").corrections, "Will test"))
    assert [one.kind for one in game.state.tasks] == ["will-roll", "wounded"]
    game.do("will", figure="r1", faces=[9])
    assert [one.kind for one in game.state.tasks] == ["wounded"]


@rule("TAC-ABL-20", "TAC-ABL-21")
def test_an_ability_lets_a_figure_act_at_once() -> None:
    game = Skirmish([(HERO, "4,4"), (SOLDIER, "6,4")], [(SOLDIER, "0,8")])
    game.do("activate", figure="b1")
    tap(game, button(piece(game, "b2").corrections, "an ability lets it act at once: 1"))
    assert game.state.granted is not None
    assert game.state.granted.figure == "b2"
    move = next(one for one in SCREEN.offers(game.state, None, "b2") if one.kind == "maneuver")
    sent = dict(move.cells[0].commands[0])
    game.do(sent.pop("do"), **sent)
    assert game.state.acting is not None
    assert game.state.acting.figure == "b1"
    assert not game.figure("b2").activated


@rule("TAC-ABL-17", "TAC-ABL-22")
def test_the_owner_of_a_figure_that_is_moved_chooses_where_it_ends() -> None:
    game = Skirmish([(HERO, "4,4")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    form = button(piece(game, "r1").forms, "an ability moves it")
    tap(game, form, **{"way": "away", "from": "b1", "spaces": 1})
    (prompt,) = SCREEN.prompts(game.state)
    assert (prompt.id, prompt.seats, prompt.mover) == ("pushed", ("red",), "r1")
    assert {one.cell for one in prompt.cells} == {(3, 6), (4, 6), (5, 6)}
    assert {one.by for one in prompt.cells} == {("red",)}
    assert game.refused("pushed", to="4,7") == "TAC-ABL-17"
    game.do("pushed", to="5,6")
    assert game.figure("r1").cell == (5, 6)
    assert game.refused("pushed", to="5,6") == "TAC-ABL-22"


@rule("TAC-GEN-12")
def test_a_nemesis_is_named_before_the_battle() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(VETERAN, "4,6"), (SOLDIER, "0,8")], begin=False)
    form = button(piece(game, "b1").forms, "name its nemesis")
    assert [value for value, _ in form.entries[0].options] == ["r1"]
    tap(game, form, target="r1")
    assert game.figure("b1").nemeses == ("r1",)


@rule("TAC-MOT-5", "TAC-MOT-6", "TAC-SET-14")
def test_motivations_that_no_kill_fulfils_are_on_the_page_of_the_squads() -> None:
    sides = [
        {"name": "Glory", "points": 1, "trigger": "other", "price": [1, 0, 0]},
        {"name": "Revenge", "points": 2, "trigger": "other", "dead": True},
    ]
    game = Skirmish([({**HERO, "motivation": sides}, "4,4")], [(SOLDIER, "0,8")])
    assert scored(game, "Glory") == 1
    game = Skirmish([({**HERO, "motivation": sides}, "4,4"), (SOLDIER, "8,0")], [(SOLDIER, "0,8")])
    game.do("wound", figure="b1", wounds=4)
    assert scored(game, "Revenge") == 2


def scored(game: Skirmish, name: str) -> int:
    """The points after the only motivation on the page, which has that name."""
    squads = next(one for one in SCREEN.pages(game.state) if one.id == "squads")
    (choice,) = [one for part in squads.sections for box in part.cards for one in box.choices]
    assert str(choice.text) == f"motivation fulfilled: {name}"
    return tap(game, choice).state.squad("blue").vp


@rule("TAC-COI-1", "TAC-COI-8", "TAC-GEN-2")
def test_coins_and_points_of_cards_are_set_by_taps() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "0,8")], coins=(0, 6, 18))
    coins = next(one for one in SCREEN.pages(game.state) if one.id == "coins")
    gold = coins.sections[0].cards[0]
    assert [str(one.text) for one in gold.choices] == ["1 coin more"]
    tap(game, gold.choices[0])
    assert game.state.squad("blue").coins.gold == 1
    form = SCREEN.score(game.state).seats[0].form
    assert form is not None
    tap(game, form, total=3)
    assert game.state.squad("blue").vp == 3
    tap(game, SCREEN.score(game.state).seats[0].form or form, total=1)
    assert game.state.squad("blue").vp == 1


@rule("TAC-SET-14")
def test_every_button_of_every_figure_is_accepted_before_the_battle_and_in_it() -> None:
    for begin in (False, True):
        game = Skirmish([(LORD, "4,4")], [(LORD, "4,6")], begin=begin)
        for view in SCREEN.pieces(game.state):
            for choice in view.corrections:
                assert isinstance(decided(game, choice.commands[0]), Accepted), choice


def decided(game: Skirmish, command: Plain) -> Any:
    return PLAY.decide(game.state, command)


@rule("TAC-ABL-7")
def test_a_wound_ability_for_a_friend_is_on_the_card_that_asks_for_it() -> None:
    brother = {"name": "Brother", "kind": "wound", "whom": "friend", "range": 1}
    game = Skirmish(
        [(card("Vet", abilities=[brother]), "3,3"), (SOLDIER, "3,2")], [(SOLDIER, "8,8")]
    )
    game.do("activate", figure="b1").do("wound", figure="b1", wounds=1)
    (prompt,) = SCREEN.prompts(game.state)
    (form,) = prompt.forms
    assert [value for value, _ in form.entries[0].options] == ["b2"]
    tap(game, form, target="b2")
    assert game.titles


@rule("TAC-ABL-2", "TAC-ABL-7")
def test_a_wound_ability_is_used_once_for_the_same_wounds() -> None:
    game = struck(LORD)
    (prompt,) = SCREEN.prompts(game.state)
    tap(game, prompt.choices[0])
    coins = game.state.squad("red").coins
    (prompt,) = SCREEN.prompts(game.state)
    assert [str(one.text) for one in prompt.choices] == ["Go on"]
    name = next(one.name for one in game.figure("r1").card.abilities if one.kind == "wound")
    assert game.refused("ability", figure="r1", ability=name) == "TAC-ABL-2"
    assert game.state.squad("red").coins == coins
    game.do("heal", figure="r1", wounds=2).do("continue")
    assert any("uses no other wound ability" in one for one in game.titles)
    game.do("wound", figure="r1", wounds=2)  # other wounds
    (prompt,) = SCREEN.prompts(game.state)
    assert [str(one.text) for one in prompt.choices] == ["use Last Stand", "Go on"]

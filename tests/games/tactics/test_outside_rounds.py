"""What begins at the start of a battle or in an end phase, and battles that end early."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.api.prompt import Choice, TargetCell
from companion.games.tactics.play import PLAY
from companion.games.tactics.screen import SCREEN
from tests.games.tactics.battle import FOE_HERO, HERO, RIDER, SOLDIER, Skirmish, card

rule = pytest.mark.rule
BROTHER = card(
    "Brother", health=3, abilities=[{"name": "Oath", "kind": "wound", "price": [0, 0, 1]}]
)
PARRY = {"name": "Parried", "kind": "defence", "aftermath": True, "price": [0, 0, 1], "wounds": 1}


def at_end(game: Skirmish) -> Skirmish:
    """Everybody acts without doing anything: the end phase."""
    while game.state.phase == "round":
        if ready := [one for one in game.commands() if one["do"] == "activate"]:
            game.do("activate", figure=ready[0]["figure"])
        game.do("end")
    return game


def asked(game: Skirmish) -> list[dict[str, Any]]:
    """What the screen offers for the question that is open."""
    prompt = SCREEN.prompts(game.state)[0]
    answers: list[Choice | TargetCell] = [*prompt.choices, *prompt.cells]
    return [dict(sent) for one in answers for sent in one.commands]


def every_answer_is_taken(game: Skirmish, waits: str) -> None:
    assert game.waits() == waits
    assert asked(game)
    for command in asked(game):
        assert not isinstance(PLAY.decide(game.state, command), Refusal), command


@rule("TAC-END-1", "TAC-SET-14", "TAC-ABL-7")
@pytest.mark.parametrize("begun", [False, True])
def test_a_wound_ability_is_answered_before_and_after_the_rounds(begun: bool) -> None:
    game = Skirmish([(BROTHER, "3,3")], [(SOLDIER, "8,8")], begin=begun)
    if begun:
        at_end(game)
    every_answer_is_taken(game.do("wound", figure="b1", wounds=1), "wounded")


@rule("TAC-END-1", "TAC-FIG-11")
def test_a_mount_that_dies_in_the_end_phase_leaves_its_rider() -> None:
    game = at_end(Skirmish([(RIDER, "3,3")], [(SOLDIER, "8,8")]))
    every_answer_is_taken(game.do("wound", figure="b1", wounds=2), "unhorse")


@rule("TAC-END-1", "TAC-END-6", "TAC-END-10")
def test_the_last_figure_may_fall_in_the_end_phase() -> None:
    game = at_end(Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], paper=True))
    every_answer_is_taken(game.do("wound", figure="b1", wounds=2), "battle-end")
    assert game.do("battle-end").state.winner == "red"


@rule("TAC-END-1", "TAC-CAP-7")
def test_a_captive_that_is_free_in_the_end_phase_is_placed() -> None:
    foes = [(FOE_HERO, "5,3"), (SOLDIER, "8,8")]
    game = Skirmish([(RIDER, "3,3"), (SOLDIER, "0,0")], foes).do("wound", figure="r1", wounds=3)
    game.do("activate", figure="b1").do("attack", target="r1").do("roll", faces=[9, 9])
    game.do("roll", faces=[1, 1]).do("fate", choose="capture").do("end")
    at_end(game).do("wound", figure="b1", wounds=2)
    while game.waits() == "unhorse":  # the mount, then the rider
        every_answer_is_taken(game, "unhorse")
        game.do(**{"word" if key == "do" else key: value for key, value in asked(game)[0].items()})
    assert game.state.phase == "end"


@rule("TAC-END-1", "TAC-SET-14", "TAC-ABL-20", "TAC-ABL-22")
@pytest.mark.parametrize("begun", [False, True])
def test_cards_move_figures_and_let_them_act_outside_a_round(begun: bool) -> None:
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "3,4")], begin=begun)
    if begun:
        at_end(game)
    phase = game.state.phase
    piece = next(one for one in SCREEN.pieces(game.state) if one.id == "b1")
    assert {"do": "grant", "figure": "b1", "ap": 1} in [x.commands[0] for x in piece.corrections]
    assert "push" in [one.command["do"] for one in piece.forms]
    pushed = {"figure": "b1", "from": "r1", "way": "away", "spaces": 1, "asked": True}
    assert not isinstance(PLAY.decide(game.state, {"do": "push", **pushed}), Refusal)
    game.do("grant", figure="b1", ap=1)
    assert game.waits() == "act"
    assert [one.text for one in SCREEN.offers(game.state, None, "b1") if one.kind == "swords"]
    game.do("attack", target="r1").do("roll", faces=[1, 1])
    assert game.state.phase == phase
    assert game.state.granted is None
    assert isinstance(PLAY.decide(game.state, {"do": "attack", "target": "r1"}), Refusal)


@rule("TAC-END-10", "TAC-END-11", "TAC-OR-19")
@pytest.mark.parametrize("swapped", [False, True])
def test_the_defender_falls_before_the_attacker_dies_of_its_aftermath(swapped: bool) -> None:
    one, parry = card("One", health=1), card("Parry", health=1, defence=10, abilities=[PARRY])
    blue, red = (
        ([(parry, "3,4")], [(one, "3,3")]) if swapped else ([(one, "3,3")], [(parry, "3,4")])
    )
    attacker, target = ("r1", "b1") if swapped else ("b1", "r1")
    game = Skirmish(blue, red)
    if swapped:
        game.do("activate", figure="b1").do("end")
    game.do("activate", figure=attacker).do("attack", target=target).do("roll", faces=[7, 8])
    game.do("roll", faces=[1, 1]).do("aftermath", figure=target, ability="Parried", wounds=1)
    while game.state.phase != "over":
        game.do(
            **{"fate": {"word": "fate", "choose": "kill"}}.get(game.waits(), {"word": "continue"})
        )
    assert game.state.winner == ("red" if swapped else "blue")


@rule("TAC-END-10", "TAC-END-11")
def test_both_sides_may_lose_their_last_figure_at_the_end_of_one_action() -> None:
    game = Skirmish([(card("One", health=1), "3,3")], [(card("Two", health=1), "3,4")], rounds=3)
    game.do("activate", figure="b1")
    fatal = tuple(replace(one, wounds=1) for one in game.state.figures)
    game.state = replace(game.state, figures=fatal)
    game.do("end")
    assert game.state.winner == "draw"
    assert game.vp("blue") == game.vp("red") == 6


@rule("TAC-TER-16", "TAC-CRD-5")
def test_armour_and_friends_defend_against_a_stake_pit_too() -> None:
    steel = {"b1": "castle-forged-steel"}
    game = Skirmish(
        [(SOLDIER, "3,3")], [(SOLDIER, "8,8")], equipment=steel, marks={"3,4": "stake-pit"}
    )
    game.do("activate", figure="b1").do("move", to="3,4")
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    assert prompt.dice.wanted == 5
    assert game.do("roll", faces=[5]).figure("b1").wounds == 0
    guard = card("Guard", abilities=[{"name": "Guardian", "kind": "passive", "hero_defence": 1}])
    beside = Skirmish(
        [(HERO, "3,3"), (guard, "4,4")], [(SOLDIER, "8,8")], marks={"3,4": "stake-pit"}
    )
    beside.do("activate", figure="b1").do("move", to="3,4")
    dice = SCREEN.prompts(beside.state)[0].dice
    assert dice is not None
    assert dice.wanted == HERO["defence"] - 1


@rule("TAC-TER-14", "TAC-CHG-4")
@pytest.mark.parametrize("rows", [range(9), (4, 5)])
def test_a_charge_goes_through_a_heap_that_is_open_for_the_figure(rows: range) -> None:
    heap = [f"3,{row}" for row in rows]
    game = Skirmish([(SOLDIER, "2,4")], [(SOLDIER, "5,4")], ground=dict.fromkeys(heap, "blocked-o"))
    game.do("activate", figure="b1").do("heap", cells=heap, faces=[9])
    listed = [one for one in game.commands() if one["do"] == "charge"]
    shown = [
        sent
        for one in SCREEN.offers(game.state, None, "b1")
        if one.kind == "charge" and one.verdict != "no"
        for cell in one.cells
        for sent in cell.commands
    ]
    assert listed
    assert shown
    for command in (*listed, *shown):
        assert not isinstance(PLAY.decide(game.state, command), Refusal), command


@rule("TAC-STA-7", "TAC-CHG-1")
def test_a_figure_that_burns_on_the_way_of_its_charge_dies_after_its_attack() -> None:
    weak = card("Weak", health=1)
    marks = {f"{column},3": "fire" for column in range(9)}
    game = Skirmish([(weak, "3,1")], [(SOLDIER, "3,5")], marks=marks).do("activate", figure="b1")
    game.do("charge", target="r1", to="3,4")
    assert game.waits() == "attack-roll"
    game.do("roll", faces=[1, 1, 1])
    assert game.figure("b1").fate == "killed"


@rule("TAC-ABL-20", "TAC-END-1")
def test_a_granted_action_is_taken_or_given_up_before_the_round_ends() -> None:
    game = at_end(Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")])).do("grant", figure="b1")
    assert isinstance(PLAY.decide(game.state, {"do": "end-round"}), Refusal)
    assert "gives up" in str(game.do("end").titles[-1])
    assert not isinstance(PLAY.decide(game.state, {"do": "end-round"}), Refusal)


@rule("TAC-SET-5", "TAC-SET-6")
def test_paper_cards_are_laid_before_anybody_deploys() -> None:
    """Their words stood on the card of the first hero."""
    game = Skirmish([(HERO, "")], [(FOE_HERO, "")], paper=True, ready=False)
    game.do("roll-off", faces=[9, 2]).do("zone", zone="gold").do("start-marker", side="red")
    first, second = SCREEN.prompts(game.state)
    assert (first.id, first.seats, second.id) == ("cards", (), "deploy")
    assert "one of two agendas" in first.text
    (done,) = first.choices
    assert (done.look, done.commands) == ("primary", ({"do": "laid"},))
    assert PLAY.authority(game.state, {"do": "laid"}).together
    assert not any("agendas" in str(one.text) for one in second.facts)
    assert game.titles[-1] == "next come the paper cards", "deployment has not begun"
    laid = game.do("laid")
    assert laid.titles == ["the paper cards are laid out: deployment begins"]
    assert [one.id for one in SCREEN.prompts(laid.state)] == ["deploy"]
    assert laid.refused("laid") == "TAC-SET-5"
    hasty = Skirmish([(HERO, "")], [(FOE_HERO, "")], paper=True, ready=False)
    hasty.do("roll-off", faces=[9, 2]).do("zone", zone="gold").do("start-marker", side="red")
    hasty.do("deploy", figure="r1", to="0,8")
    assert [one.id for one in SCREEN.prompts(hasty.state)] == ["deploy"]

"""Automatic steps: only where one thing can happen, and nobody learns anything by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from companion.engine.turn import automatic_step
from companion.engine.turn.automatic_step import goes_on, only_choice, take_automatic_step
from companion.games.api.game_screen import GameScreen
from companion.games.api.prompt import (
    ActionOffer,
    Choice,
    DiceRequest,
    Entry,
    Prompt,
    PromptForm,
    TargetCell,
)
from companion.games.tmg.play import practice_game
from companion.session.fold import Position
from companion.session.game_lookup import find_screen
from companion.session.session import Session
from tests.games.random_states import states

GO_ON = Choice("Continue", ({"do": "continue"},), "primary")
OTHER = Choice("Play a card", ({"do": "play"},), "quiet", by=("red",))
LIE = Prompt("dice", "The dice lie", choices=(GO_ON,), rolled=(3, 5))


class Shown:
    """A screen with these prompts, and offers of one piece."""

    def __init__(self, *prompts: Prompt, offers: tuple[ActionOffer, ...] = ()) -> None:
        self._prompts, self._offers = prompts, offers

    def prompts(self, state: Any, seat: str | None = None) -> tuple[Prompt, ...]:
        return self._prompts

    def offers(self, state: Any, report: Any, piece: str | None = None) -> tuple[ActionOffer, ...]:
        return self._offers


def chosen(*prompts: Prompt, offers: tuple[ActionOffer, ...] = ()) -> Choice | None:
    """What is taken without asking."""
    return only_choice(cast("GameScreen", Shown(*prompts, offers=offers)), Position())


def test_dice_that_nobody_may_change_are_taken_as_they_lie() -> None:
    assert chosen(LIE) == GO_ON


@pytest.mark.parametrize(
    "prompts",
    [
        (),
        (replace(LIE, rolled=()),),
        (replace(LIE, choices=(GO_ON, OTHER)),),
        (replace(LIE, choices=()),),
        (replace(LIE, forms=(PromptForm("Wounds", {"do": "wounds"}, (Entry("n", "How many"),)),)),),
        (replace(LIE, dice=DiceRequest(1, {"do": "roll"})),),
        (replace(LIE, cells=(TargetCell((0, 0), ({"do": "go"},)),)),),
        (replace(LIE, hidden=True),),
        (replace(LIE, secret=True),),
        (replace(LIE, page="cards"),),
        (LIE, replace(LIE, id="test")),
    ],
    ids=["nothing", "no dice", "another choice", "no choice", "a form", "more dice", "a cell",
         "a hand of cards", "a secret", "a page", "two prompts"],
)  # fmt: skip
def test_it_stops_where_anything_else_can_happen(prompts: tuple[Prompt, ...]) -> None:
    """A quiet choice of another seat counts: the "no" of one player does not skip it."""
    assert chosen(*prompts) is None


def test_it_stops_where_a_piece_may_act() -> None:
    asked, offer = replace(LIE, pieces=("b1",)), ActionOffer("go", "Go", ({"do": "go"},), "b1")
    assert chosen(asked, offers=(offer,)) is None
    never = replace(offer, verdict="no")
    assert chosen(asked, offers=(never,)) == GO_ON


@pytest.fixture
def duel(tmp_path: Path) -> Session:
    """The practice game in its first turn."""
    session = Session.open(tmp_path / "a.game")
    for command in practice_game.practice_commands():
        assert session.answer(command)["ok"]
    return session


@pytest.mark.parametrize("seed", [0, 2])
def test_a_hand_of_cards_stops_it_whatever_the_cards_are(seed: int) -> None:
    """Going on at once would tell the opponent that no card can be played."""
    screen, rolled = find_screen("tmg-2021"), 0
    for state in states("tmg-2021", seed, 150):
        prompt = next(iter(screen.prompts(state)))
        if prompt.rolled and any(player.hand for player in state.players):
            rolled += 1
            assert prompt.hidden
            assert only_choice(screen, Position(state=state)) is None
    assert rolled


def test_what_follows_is_signed_by_those_who_brought_it_about(duel: Session) -> None:
    """So a seat takes its own step back with what followed from it."""
    assert duel.answer({"do": "note", "text": "x"}, ("blue",))["ok"]
    assert duel.answer({"do": "note", "text": "y"}, ("blue",), follows=True)["ok"]
    assert duel.history.last is not None
    assert duel.history.last.by == ("blue",)
    assert duel.answer({"do": "undo", "count": 2}, ("blue",))["ok"]


def note(text: str) -> dict[str, Any]:
    return {"do": "note", "text": text}


@pytest.mark.parametrize(
    ("commands", "taken"),
    [
        ((note("a"), note("b")), 2),
        ((note("a"), {"do": "note", "texts": 1}, note("b")), 1),
        ((), 0),
    ],
)
def test_what_is_taken_without_asking_is_a_step_of_its_own(
    duel: Session, monkeypatch: pytest.MonkeyPatch, commands: tuple[Any, ...], taken: int
) -> None:
    """An undo comes back to it, and then nothing is taken."""
    lying = replace(LIE, choices=(Choice("Continue", commands, "primary"),))
    monkeypatch.setattr(automatic_step, "screen_of", lambda game: Shown(lying))
    assert duel.answer({"do": "note", "text": "x"}, ("blue",))["ok"]
    begun = duel.history.seq
    assert take_automatic_step(duel, ("blue",)) == [*commands[:taken]]
    assert duel.history.seq == begun + taken
    assert duel.history.last is not None
    assert duel.history.last.by == ("blue",)
    assert duel.answer({"do": "undo"})["ok"]
    undone = duel.history.seq
    assert take_automatic_step(duel) == []
    assert duel.history.seq == undone


def test_a_choice_that_is_another_one_and_then_more_is_no_other_one() -> None:
    roll = Choice("Continue and roll", (*GO_ON.commands, {"do": "roll"}))
    assert goes_on(roll, (GO_ON, roll))
    assert not goes_on(GO_ON, (GO_ON, roll))
    assert not goes_on(roll, (roll,))
    assert not goes_on(roll, (OTHER, roll))
    assert chosen(replace(LIE, choices=(GO_ON, roll))) == GO_ON

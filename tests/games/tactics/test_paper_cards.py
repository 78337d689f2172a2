"""Agendas and objective cards that the players have on paper: noted, hidden, counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.prompt import Prompt, PromptForm
from companion.games.tactics.play.game_play import view
from companion.games.tactics.screen import SCREEN
from companion.text.translation import catalogue
from tests.games.tactics.battle import FOE_HERO, HERO, SOLDIER, Skirmish
from tests.games.tactics.test_outside_rounds import at_end, every_answer_is_taken

rule = pytest.mark.rule
OWN = "Two of mine beside the mill: 2 points"


def asked(game: Skirmish) -> Prompt:
    """The first thing that the battle waits for."""
    return next(iter(SCREEN.prompts(game.state)))


def form(game: Skirmish, do: str, side: str = "") -> PromptForm:
    """The form of a command, of a player."""
    found = (one for one in asked(game).forms if one.command["do"] == do)
    return next(one for one in found if not side or one.command.get("side") == side)


def sent(game: Skirmish, filled: PromptForm, **values: Any) -> Skirmish:
    """Send a form with these values."""
    assert {entry.field for entry in filled.entries} >= set(values)
    command = {**filled.command, **values}
    return game.do(str(command.pop("do")), **command)


def laying(**more: Any) -> Skirmish:
    """Before the players lay their paper cards."""
    more = {"objectives": ["4,4"], "rounds": 1, **more}
    game = Skirmish([(HERO, "")], [(FOE_HERO, "")], paper=True, ready=False, **more)
    return game.do("roll-off", faces=[9, 2]).do("zone", zone="gold").do("start-marker", side="red")


@rule("TAC-SET-6", "TAC-AGD-1")
def test_each_player_notes_an_agenda_that_the_other_does_not_read() -> None:
    game = laying()
    assert form(game, "note-agenda", "blue").seat == "blue", "filled in alone"
    sent(game, form(game, "note-agenda", "blue"), card="own", text=OWN)
    assert game.titles == ["Blue notes an agenda"]
    sent(game, form(game, "note-agenda", "red"), card="A1")
    assert view(game.state, "blue")["squads"]["blue"]["agendas"] == [OWN]
    assert view(game.state, "red")["squads"]["blue"]["agendas"] == 1
    for seat in (None, "red"):
        coins = next(one for one in SCREEN.pages(game.state, seat) if one.id == "coins")
        mine = next(one for one in coins.sections if one.seat == "blue")
        (card,) = [one for one in mine.cards if one.title.startswith("Agenda")]
        assert OWN not in card.lines
    assert game.refused("note-agenda", side="red", card="A1") == "TAC-SET-6"
    assert game.refused("note-agenda", side="red", card="own") == "INPUT"
    plain = Skirmish([(HERO, "3,3")], [(FOE_HERO, "8,8")])
    assert plain.refused("note-agenda", side="red", card="A1") == "TAC-SET-6"


@rule("TAC-END-6", "TAC-AGD-1", "TAC-AGD-2")
def test_points_of_a_noted_agenda_are_counted_with_its_own_words() -> None:
    game = Skirmish([(HERO, "3,3")], [(FOE_HERO, "8,8")], paper=True, rounds=1)
    game.do("note-agenda", side="blue", card="own", text=OWN)
    game.do("note-agenda", side="red", card="A1")
    at_end(game)
    told = [one.text for one in asked(game).forms]
    assert told == [f"Blue: points of {OWN}"], "the app counts the other one itself"
    sent(game, form(game, "score", "blue"), points=2)
    assert game.titles == [f"Blue: 2 victory points ({OWN})"]
    assert (game.vp("blue"), OWN in str(SCREEN.score(game.state).lines)) == (2, True)
    game.do("end-round")
    assert game.vp("red") == 2
    assert f"Blue had the agenda {OWN}: met" in game.titles
    assert "Red had the agenda Heroes unharmed: met" in game.titles


@rule("TAC-LOT-4")
def test_an_agenda_drawn_for_a_letter_may_be_noted_then() -> None:
    game = Skirmish(
        [(HERO, "4,2"), (SOLDIER, "0,0")], [(SOLDIER, "8,8")], paper=True, loot={"4,1": "letter"}
    )
    game.do("activate", figure="b1")
    assert not [one for one in asked(game).forms if one.command["do"] == "note-agenda"]
    game.do("loot", cell="4,1")
    sent(game, form(game, "note-agenda", "blue"), card="A3")
    assert game.squad("blue").agenda == ("A3",)
    assert not [one for one in asked(game).forms if one.command["do"] == "note-agenda"]


@rule("TAC-SET-5", "TAC-OBJ-5")
def test_an_objective_card_is_noted_and_its_action_has_its_words_and_its_points() -> None:
    game = laying()
    sent(game, form(game, "note-objective"), cell="4,4", text="Raise the banner")
    assert game.titles == ["objective card (the objective): Raise the banner"]
    assert game.refused("note-objective", cell="1,1", text="x") == "TAC-OBJ-1"
    played = Skirmish([(HERO, "4,4")], [(FOE_HERO, "8,8")], paper=True, objectives=["4,4"])
    played.do("note-objective", cell="4,4", text="Raise the banner").do("activate", figure="b1")
    (offer,) = [one for one in SCREEN.offers(played.state, "b1") if "objective" in one.text]
    assert "Raise the banner" in str(offer.detail)
    played.do("objective")
    assert played.titles[0] == "Hero uses Raise the banner"
    every_answer_is_taken(played, "objective-done")
    sent(played, form(played, "objective-done"), points=1, text="Raise the banner")
    assert played.titles == ["Blue: 1 victory point (Raise the banner)"]
    assert played.waits() == "act"


@rule("TAC-OBJ-5")
@pytest.mark.parametrize("paper", [False, True])
def test_what_the_action_of_an_objective_brought_is_always_asked(paper: bool) -> None:
    """It took an action point, and nothing else was said."""
    game = Skirmish([(HERO, "4,4")], [(FOE_HERO, "8,8")], paper=paper, objectives=["4,4"])
    game.do("activate", figure="b1").do("objective")
    prompt = asked(game)
    assert (prompt.id, prompt.rule, prompt.seats) == ("objective-done", "TAC-OBJ-5", ("blue",))
    assert [one.text for one in prompt.choices] == ["Nothing to count"]
    told = [entry.field for entry in form(game, "objective-done").entries]
    assert told == (["points", "text"] if paper else ["points"])
    game.do("objective-done")
    assert (game.vp("blue"), game.waits()) == (0, "act")
    (title,) = [one for one in game.titles if one]
    assert title.endswith(": nothing to count"), "Undo and the result line name it"


@rule("TAC-GEN-2", "TAC-GEN-13")
def test_points_that_players_set_may_have_a_reason() -> None:
    game = Skirmish([(HERO, "4,4")], [(FOE_HERO, "8,8")])
    (mine, _) = SCREEN.score(game.state).seats
    assert mine.form is not None
    sent(game, mine.form, total=3, why="The mill burns")
    assert game.titles == ["Blue: 3 victory points (The mill burns)"]


@rule("TAC-SET-6")
def test_the_rows_of_paper_cards_tell_what_is_noted() -> None:
    """They looked the same before and after."""
    game = laying()
    assert form(game, "note-agenda", "blue").detail == "hidden from the other player"
    assert form(game, "note-objective").detail == ""
    game.do("note-agenda", side="blue", card="A1")
    game.do("note-objective", cell="4,4", text="Stay here: 1 point")
    assert form(game, "note-agenda", "blue").detail == "1 noted, hidden from the other player"
    assert form(game, "note-agenda", "red").detail == "hidden from the other player"
    assert form(game, "note-objective").detail == "1 of 1 noted"
    where, _told = form(game, "note-objective").entries
    ((_cell, place),) = where.options
    german = catalogue("de", "in", "tactics").translate(place)
    assert german.endswith(": Stay here: 1 point")
    assert german.startswith("das Ziel")


@rule("TAC-LOT-4")
def test_a_letter_with_an_agenda_says_where_its_player_finds_it() -> None:
    """A line over the board said that a card was drawn, not by whom nor where it is."""
    game = Skirmish([(HERO, "4,2")], [(SOLDIER, "8,8")], loot={"4,1": "letter"})
    game.do("activate", figure="b1").do("loot", cell="4,1")
    (told,) = [one for one in game.titles if "secret letter" in one]
    assert told.endswith("takes a secret letter and an agenda: its player finds it under “Coins”")
    assert "draws an agenda card" not in str(game.answer.get("reminders"))
    coins = next(one for one in SCREEN.pages(game.state, "blue") if one.id == "coins")
    assert any(card.title.startswith("Agenda") for one in coins.sections for card in one.cards)


@rule("TAC-OBJ-5")
def test_a_card_that_the_app_has_laid_is_told_with_words() -> None:
    """“as card O3 says” and a card called “O3” told nobody what they are."""
    game = Skirmish([(HERO, "4,4")], [(SOLDIER, "8,8")], objectives=["4,4"]).do(
        "activate", figure="b1"
    )
    state = replace(game.state, objective_cards=(((4, 4), "O3"),))
    (action,) = [one for one in SCREEN.offers(state, None, "b1") if one.kind == "flag"]
    assert action.detail.startswith("objective card 3: what it does stands on your card")
    titles = [
        card.title for page in SCREEN.pages(state) for one in page.sections for card in one.cards
    ]
    assert "Objective card 3" in titles
    assert "O3" not in titles

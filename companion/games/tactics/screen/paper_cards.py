"""What players note of their paper cards: agendas, each for its player's eyes, and objective cards;
and what these bring (TAC-SET-5, -6, TAC-OBJ-5, TAC-AGD)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import Pending
from companion.games.api.prompt import Entry, PromptForm
from companion.games.tactics.play.setup_commands import OWN_WORDS, marked_objectives
from companion.games.tactics.play.state import (
    AGENDA_CARDS,
    SkirmishState,
    SquadInPlay,
    agenda_name,
    battle_position,
)
from companion.games.tactics.play.terrain_commands import MOST_CARD_POINTS
from companion.games.tactics.rules.places import place
from companion.games.tactics.screen.views import agenda_words
from models.board import cell_text, parse_cell
from models.message import joined, say

DRAWN_AT = ("turn", "act", "start", "end")
"""Prompts in which an agenda that was drawn for a letter may be noted."""


def paper_forms(state: SkirmishState, asked: Pending) -> Iterator[PromptForm]:
    """What may be noted of paper cards, and counted by them, while this is asked."""
    if asked.what == "objective-done":
        yield objective_form(state)
    if not state.paper:
        return
    for squad in state.squads:
        if asked.what == "cards" or (asked.what in DRAWN_AT and squad.letters):
            yield agenda_form(squad)
    if asked.what == "cards" and marked_objectives(state):
        yield laid_form(state)
    if state.counts_paper or asked.what == "battle-end":
        for squad in state.squads:
            yield from points_forms(squad)


def agenda_form(squad: SquadInPlay) -> PromptForm:
    """An agenda for its player's eyes: one of the five, or in own words."""
    known = [(card, agenda_words(card)) for card in AGENDA_CARDS if card not in squad.agenda]
    options = (*known, (OWN_WORDS, say("another one, in our own words")))
    which = Entry("card", say("Which agenda?"), options=options)
    told = Entry("text", say("What it says"), "text", only_for=(OWN_WORDS,))
    return PromptForm(
        say("{player}: note an agenda", player=squad.player),
        {"do": "note-agenda", "side": squad.id},
        (which, told),
        detail=noted_agendas(len(squad.agenda)),
        opens=True,
        seat=squad.id,
    )


def noted_agendas(n: int) -> str:
    """How many agendas are noted, which only their player reads."""
    if not n:
        return say("hidden from the other player")
    return say(
        "{n} noted, hidden from the other player", "{n} noted, hidden from the other player", n=n
    )


def laid_form(state: SkirmishState) -> PromptForm:
    """What the card of an objective says."""
    position, noted = battle_position(state), dict(state.objective_cards)
    options = tuple(
        (cell_text(cell), joined(filter(None, (place(position, cell), noted.get(cell))), ": "))
        for cell in marked_objectives(state)
    )
    where = Entry("cell", say("Which objective?"), options=options)
    told = Entry("text", say("What its card says"), "text")
    text = say("Note an objective card")
    n, most = len(noted), len(marked_objectives(state))
    detail = say("{n} of {most} noted", n=n, most=most) if n else ""
    return PromptForm(text, {"do": "note-objective"}, (where, told), detail=detail, opens=True)


def objective_form(state: SkirmishState) -> PromptForm:
    """The points that the action of an objective brings, with the words of its card."""
    cell = parse_cell(state.tasks[0].data["cell"])
    card = dict(state.objective_cards).get(cell, "")
    points = Entry("points", say("Victory points"), "number", most=MOST_CARD_POINTS, value=1)
    told = Entry("text", say("What its card says"), "text", value=card, required=False)
    entries = (points, told) if state.paper else (points,)
    return PromptForm(
        say("It brings points"), {"do": "objective-done"}, entries, detail=card, opens=True
    )


def points_forms(squad: SquadInPlay) -> Iterator[PromptForm]:
    """Agendas on paper are revealed in the last end phase: the players count those in their own
    words, and all if none was noted (TAC-AGD-2)."""
    points = Entry("points", say("Victory points"), "number", least=1, most=20, value=2)
    about = {"do": "score", "side": squad.id}
    own = [card for card in squad.agenda if card not in AGENDA_CARDS]
    for card in own:
        text = say("{player}: points of {card}", player=squad.player, card=agenda_name(card))
        yield PromptForm(text, {**about, "why": card}, (points,), opens=True)
    if not squad.agenda:
        text = say("{player}: points of the agendas", player=squad.player)
        yield PromptForm(text, {**about, "why": "agendas"}, (points,), opens=True)

"""A new game: the players and their decks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.api.play import Plain
from companion.games.api.prompt import Entry
from companion.games.api.setup_step import NewGameStep, SeatList, SetupProblem
from companion.games.shared.setup_check import refused_setup
from companion.games.thrones.cards.catalogue import broken_cards, card_catalogue
from companion.games.thrones.cards.deck import deck_problems
from companion.games.thrones.cards.deck_reader import read_deck
from companion.games.thrones.cards.titles import broken_titles
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.setup import SEATS
from companion.games.thrones.screen import deck_lists
from companion.text.rule_numbers import unnumbered
from models.errors import CompanionError
from models.lazy_message import say


def steps(draft: Plain) -> Iterator[NewGameStep]:
    """Players, decks, how to begin, and the start."""
    yield NewGameStep(
        "seats",
        "seats",
        say("Who plays?"),
        say("Two play a joust, three to six a melee. Seats run clockwise."),
    )
    yield NewGameStep(
        "decks",
        "list",
        say("Decks"),
        say(
            "Paste or open a list: ThronesDB text or JSON, an .o8d file, or lines like"
            " 3x Name (Pack). Or build one: search by name and tap."
        ),
        problems=tuple(list_problems(draft)),
        lists=tuple(seat_lists(draft)),
        searches=True,
    )
    beginning = (("steps", say("Go through the set-up")), ("ready", say("Set-up is done")))
    first = (("", say("Chance decides")), *((one["id"], name_of(one)) for one in seats_of(draft)))
    yield NewGameStep(
        "game",
        "form",
        say("How does it begin?"),
        entries=(
            Entry("first", say("First player"), options=first, value="", required=False),
            Entry("begin", say("Set-up"), options=beginning, value="steps"),
        ),
        optional=True,
    )
    yield NewGameStep("begin", "begin", say("Begin"), problems=setup_problems(draft))


def seats_of(draft: Plain) -> list[dict[str, Any]]:
    """The players of the draft, or two."""
    return list(draft.get("seats") or ({"id": one} for one in SEATS.ids[: SEATS.least]))


def name_of(seat: Plain) -> str:
    return str(seat.get("name") or seat["id"])


def seat_lists(draft: Plain) -> Iterator[SeatList]:
    """What each deck holds, and what may be added."""
    lists, cards = draft.get("decks", {}), card_catalogue()
    for seat in seats_of(draft):
        text = lists.get(seat["id"], "")
        yield deck_lists.seat_list(seat["id"], text, cards, deck_lists.searched(draft, seat["id"]))


def list_problems(draft: Plain) -> Iterator[SetupProblem]:
    """What each deck lacks or breaks, with the rule; before it, broken files of the players'."""
    for error in (*broken_cards().values(), *broken_titles().values()):
        yield SetupProblem(str(error))
    lists, cards = draft.get("decks", {}), card_catalogue()
    for seat in seats_of(draft):
        text = lists.get(seat["id"], "")
        if not text:
            yield SetupProblem(say("no deck yet"), seat=seat["id"])
            continue
        try:
            deck, notes = read_deck(text, cards)
        except CompanionError as error:
            yield SetupProblem(str(error), seat=seat["id"])
            continue
        for note in notes:
            yield SetupProblem(note, seat=seat["id"], stops=False)
        for problem in deck_problems(deck):
            yield SetupProblem(unnumbered(problem.say), problem.why, seat["id"])


def setup_problems(draft: Plain) -> tuple[SetupProblem, ...]:
    """The game's own objection to the finished draft."""
    lists = draft.get("decks", {})
    if not all(lists.get(seat["id"]) for seat in seats_of(draft)):
        return (SetupProblem(say("every player needs a deck")),)
    return refused_setup(PLAY, "thrones", set_up("thrones", draft))


def set_up(game: str, draft: Plain) -> dict[str, Any]:
    """The `set-up` command of a draft."""
    seats, lists = seats_of(draft), draft.get("decks", {})
    decks = {seat["id"]: lists.get(seat["id"], "") for seat in seats}
    command: dict[str, Any] = {"do": "set-up", "game": game, "seats": seats, "decks": decks}
    chosen = draft.get("game", {})
    if chosen.get("first"):
        command["first"] = chosen["first"]
    if chosen.get("begin") == "ready":
        command["ready"] = True
    return command

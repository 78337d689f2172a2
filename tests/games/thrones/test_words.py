"""What the card game says, in German and Russian: whole, with the same values, and really told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.thrones.cards.card import FACE_DOWN
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.events.card_events import knelt_title
from companion.games.thrones.screen import SCREEN
from companion.text.translation import catalogue, set_language
from models.message import LazyMessage
from tests.games.thrones.decks import CARDS, EXPANSIONS
from tests.games.thrones.referee import Referee
from tests.games.thrones.test_screen import texts
from tests.sentences import ROOT, TRANSLATED, worded

GAME = ROOT / "companion" / "games" / "thrones"
OTHERS = pytest.mark.parametrize("language", TRANSLATED)
NAMES = {str(one["name"]) for one in (*CARDS, *EXPANSIONS)}


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    set_language("en")


def heard() -> Iterator[str]:
    """What a random melee says: titles, prompts, outcomes, pages, score."""
    referee = Referee(3, 3)
    spoken: list[str] = []
    step = referee.game.do

    def listened(word: str, **asked: Any) -> Any:
        before = referee.game.state
        found = step(word, **asked)
        spoken.extend(found.titles)
        outcome = SCREEN.outcome(before, found.events, found.state)
        if outcome is not None:
            spoken.extend((outcome.text, outcome.follows))
        spoken.extend(texts(tuple(SCREEN.prompts(found.state, "p1"))))
        spoken.append(SCREEN.headline(found.state))
        return found

    referee.game.do = listened  # type: ignore[method-assign]
    referee.play()
    state = referee.game.state
    shown = (tuple(SCREEN.pieces(state)), SCREEN.score(state), SCREEN.pages(state, "p2"))
    yield from (*spoken, *texts(shown), PLAY.occasion(state))
    for card in state.cards:
        yield from texts(tuple(SCREEN.offers(state, None, card.id)))


@pytest.fixture(scope="module")
def spoken() -> set[str]:
    return set(heard())


@OTHERS
def test_whatever_a_game_says_is_translated(spoken: set[str], language: str) -> None:
    forms = catalogue(language, "thrones").forms
    waiting = [one for one in spoken if isinstance(one, LazyMessage)]
    assert len(waiting) > 200
    unknown = set()
    while waiting:
        sentence = waiting.pop()
        waiting += [one for one in sentence.values.values() if isinstance(one, LazyMessage)]
        if sentence.one not in forms and worded(sentence.one):
            unknown.add(sentence.one)
    assert unknown == set()


@OTHERS
def test_no_text_is_put_together_in_place(spoken: set[str], language: str) -> None:
    """Plain texts are names of players and cards, traits and steps; everything else is said."""
    plain = {one for one in spoken if not isinstance(one, LazyMessage) and " " in one}
    assert {one for one in plain if not any(name in one for name in NAMES)} == set()


def test_german_and_russian_are_told() -> None:
    found = Referee(3, 3)
    event = next(iter(list(found.game.do("choose-plot", seat="p1", plot="g1").events)))
    title = PLAY.title(event)
    assert isinstance(title, LazyMessage)
    assert catalogue("de", "thrones").translate(title) == "Anna hat eine Strategiekarte gewählt"
    assert catalogue("ru", "thrones").translate(title) == "замысел выбран: Anna"


@pytest.mark.rule("AGOT-CARD-2")
def test_cards_without_a_printed_name_are_told_among_others() -> None:
    """The faction card and a face-down card, in a row of cards that kneel."""
    faction = Referee(3, 3).game.state.faction_card("p1").name
    title = knelt_title([faction, FACE_DOWN.name, "Will"])
    told = catalogue("de", game="thrones").translate(title)
    assert told == "gebeugt: die Fraktionskarte von Anna, Verdeckte Karte, Will"

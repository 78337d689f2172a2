"""What Tactics says, in German and Russian: whole, with the same values, and really told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.tactics.play import PLAY
from companion.games.tactics.screen import SCREEN
from companion.text.translation import catalogue, set_game, set_language
from models.message import LazyMessage
from tests.games.tactics.battle import HERO, RIDER, SOLDIER, VETERAN, Skirmish
from tests.sentences import ROOT, TRANSLATED

GAME = ROOT / "companion" / "games" / "tactics"
OTHERS = pytest.mark.parametrize("language", TRANSLATED)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    set_language("en")
    set_game("")


def heard() -> Iterator[str]:
    """What a short fight says: titles, prompts, offers, outcomes, pieces, pages."""
    game = Skirmish([(HERO, "4,4"), (SOLDIER, "0,0")], [(RIDER, "5,5"), (VETERAN, "0,8")])
    fight: list[tuple[str, dict[str, Any]]] = [
        ("activate", {"figure": "b1"}),
        ("attack", {"target": "r1"}),
        ("roll", {"faces": [10, 9]}),
        ("roll", {"faces": [1, 1, 1]}),
        ("dismount", {"to": "5,5"}),
        ("condition", {"figure": "b1", "kind": "shaken"}),
        ("will", {"figure": "b1", "faces": [2]}),
        ("end", {}),
    ]
    for word, asked in fight:
        before = game.state
        game.do(word, **asked)
        yield from game.titles
        outcome = SCREEN.outcome(before, game.events, game.state)
        if outcome is not None:
            yield from (outcome.text, outcome.follows)
        for prompt in SCREEN.prompts(game.state):
            yield from (prompt.title, prompt.text, *(fact.text for fact in prompt.facts))
            yield from (choice.text for choice in prompt.choices)
        for offer in SCREEN.offers(game.state, None, "b1"):
            yield from (offer.text, offer.odds, offer.detail, offer.expected, offer.reason)
    for piece in SCREEN.pieces(game.state):
        yield from piece.lines
    yield SCREEN.headline(game.state)


NAMES = {"Hero", "Soldier", "Rider", "Veteran", "mounted", "Sword", "Blue", "Red"}


def test_a_fight_is_told_in_russian_without_english_words() -> None:
    told = catalogue("ru", game="tactics")
    for text in heard():
        if not text:
            continue
        assert isinstance(text, LazyMessage) or text in NAMES, text
        words = set(re.findall(r"[A-Za-z]{3,}", told.translate(text)))
        assert words <= NAMES, (text, told.translate(text))


def test_a_refusal_is_told_in_german() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5")]).do("activate", figure="b1")
    found = PLAY.decide(game.state, {"do": "move", "to": "4,1"})
    text = catalogue("de", game="tactics").translate(getattr(found, "say", ""))
    assert (
        text == "Soldier 1 kann nicht dorthin ziehen: eine Figur im Nahkampf bewegt sich nur 1 Feld"
    )


def test_the_report_is_told_in_sentences() -> None:
    from companion.games.tactics.game import GAME as RULES
    from tests.games.tactics.boards import drawn

    table = drawn("A.b..c", facts={"A": {"name": "Ann"}, "c": {"name": "Carl"}})
    text = RULES.text(RULES.report(table), "t.table.json", "A")
    assert text.splitlines()[1] == "Ann (blue) stands on the space 2 steps to the left of b"
    assert "  charges b: 0.60 wounds on average" in text
    cold = drawn("A.b", facts={"A": {"name": "Ann", "frozen": True}})
    told = RULES.text(RULES.report(cold), "t.table.json", "A")
    assert "  cannot charge: a frozen figure has 1 action point only" in told
    assert "  does not see Carl: a figure blocks the line of sight" in text
    set_game("tactics")
    set_language("ru")
    assert "не видит: Carl" in RULES.text(RULES.report(table), "t.table.json")

"""What Tactics says, in German and Russian: whole, with the same values, and really told."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tactics.cards.map_tile import shipped_tiles
from companion.games.tactics.cards.scenario import shipped_scenarios
from companion.games.tactics.play import PLAY
from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.places import landmarks, place
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.screen import SCREEN
from companion.geometry.grid.grids import SquareGrid
from companion.text.translation import catalogue, set_game, set_language, translate
from models.message import LazyMessage
from tests.games.shared.map_walk import MapWalk, things_on
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


@pytest.mark.parametrize("scenario", shipped_scenarios())
@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0])
def test_words_lead_to_every_space_of_a_shipped_scenario(scenario: str, turn: float) -> None:
    """A finger that follows them ends on the very space, beside large figures too."""
    upright = shipped_scenarios()[scenario].board(shipped_tiles())
    board, chance = replace(upright, turn=turn, at=(9.0, 9.0)), random.Random(scenario)
    cells, finger = list(SquareGrid(board.columns, board.rows).cells()), MapWalk(board)
    for _ in range(4):
        figures: list[BoardFigure] = []
        for n, cell in enumerate(chance.sample(cells, 9)):
            figure = BoardFigure(f"f{n}", "a", f"Guard {n}", cell, 1 + n % 2)
            taken = {one for other in figures for one in other.cells}
            if taken.isdisjoint(figure.cells) and all(one in board for one in figure.cells):
                figures.append(figure)
        position = BattlePosition(SquareField.of(board), tuple(figures))
        people = {one: figure.name for figure in figures for one in figure.cells}
        things = things_on(board, landmarks(board), people)
        for cell in cells:
            words = str(place(position, cell))
            own = people.get(cell)
            if own is None or not words.startswith("where"):
                assert finger.walked(words, things) == {cell}, words


@OTHERS
def test_a_figure_has_one_name_on_its_badge_and_in_its_panel(language: str) -> None:
    """The badge said "Axtmann", and the panel "Axtkämpfer von Dornhügel"."""
    (begins, *_more) = SCREEN.practice("tactics")
    setup = PLAY.prepare("tactics", {"seed": 1, **begins})
    assert not isinstance(setup, Refusal)
    views = list(SCREEN.pieces(PLAY.start("tactics", setup)))
    assert len(views) > 8
    set_language(language)
    set_game("tactics")
    for one in views:
        badge, panel = (translate(said).rstrip(" 0123456789") for said in (one.short, one.name))
        assert badge.lower() in panel.lower(), (badge, panel)
        assert badge != str(one.short), "it has a word of this language"

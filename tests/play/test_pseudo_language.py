"""Nothing that players see is untranslated: one random game of each kind in the pseudo-language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.engine.turn.running_game import RunningGame
from companion.text.translation import catalogue
from tests.play.pseudo_language import (
    BRACKETED,
    BracketClient,
    Brackets,
    bare,
    brackets,
    in_brackets,
    read,
    untranslated,
    untranslated_report,
)
from tests.play.screen_walk import GAMES
from tests.rival.test_rival import SIDES, until_rival, with_rival
from tests.test_glossary import wrong_words

PRINTED = {
    "of",
    "the",
    "that",
    "was",
    "for",
    "and",
    "to",
    "by",
    "at",
    "from",
    "with",
    "mounted",
    "sundering",
    "hit",
}
"""Small words inside printed names, and abilities that cards print in small letters."""


def foreign(text: str) -> set[str]:
    """The words of a text that are no name and were not translated."""
    return set(re.findall(r"\b[a-z]{2,}\b", BRACKETED.sub(" ", text))) - PRINTED


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_text_of_a_game_is_translated(game: str, tmp_path: Path) -> None:
    Brackets.heard.clear()
    found = {
        text: place
        for text, place in untranslated(game, 1, 25, tmp_path).items()
        if place not in (".undo", ".redo")  # these may quote what players wrote
        and foreign(text)
    }
    assert found == {}
    for language in ("de", "ru"):
        words, wrong = catalogue(language, game=game), wrong_words(game, language)
        told = map(words.translate, Brackets.heard)
        assert list(filter(wrong.search, told)) == []


@pytest.mark.parametrize("game", ["tactics", "westeros"])
def test_rival_and_coach_are_translated(game: str, tmp_path: Path) -> None:
    with with_rival(tmp_path, game) as session:
        client = BracketClient(RunningGame(session))
        client.spoken = brackets(game)
        views = [until_rival(client)]
        client.ask_coach(SIDES[game][0])
        views.append(client.view())
    assert [text for view in views for _place, text in read(view) if foreign(text)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_line_of_a_report_is_translated(game: str, tmp_path: Path) -> None:
    assert list(filter(foreign, untranslated_report(game, 1, 60, tmp_path))) == []


def test_what_stands_outside_the_brackets_is_found() -> None:
    assert in_brackets("{unit} attacks {target}") == "{unit}⟦ attacks ⟧{target}"
    assert bare("‹Robb›⟦ attacks ⟧stark 3") == ["stark"]
    assert bare("⟦Round ⟧2 · ‹Anna›") == []

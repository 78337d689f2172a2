"""The words of the rulebooks: every entry of a game's catalogue against its glossary.

A row of `glossary.csv` names an English term and what must stand in the translation of every entry
that says it, both as patterns; and words that readers found wrong, which stand nowhere.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from companion.text.translation import read_po
from models.message import CONTEXT, FIELD
from tests.sentences import ROOT, TRANSLATED

GLOSSARY = list(csv.DictReader((Path(__file__).parent / "glossary.csv").open(encoding="utf-8")))
CODE = re.compile(r"[A-Z]{2,5}(?:-[A-Z]+)+-\d+|'\w+'")
"""Rule numbers, and the names of a command's fields."""


@cache
def entries_of(game: str, language: str) -> list[tuple[str, str]]:
    """The texts of a game without their values, and what they are in the language."""
    path = ROOT / "companion" / "games" / game / "locale" / f"{language}.po"
    return [
        (CODE.sub("", FIELD.sub("", source.rpartition(CONTEXT)[2])), " ".join(forms))
        for source, forms in read_po(path).items()
        if source
    ]


def wrong_words(game: str, language: str) -> re.Pattern[str]:
    """The words that stand nowhere in what a game says."""
    rows = [row for row in GLOSSARY if (row["game"], row["language"]) == (game, language)]
    return re.compile("|".join(row["forbidden"] for row in rows if row["forbidden"]) or "(?!)")


@pytest.mark.parametrize("row", GLOSSARY, ids=lambda row: "-".join(list(row.values())[:3]))
def test_a_game_says_what_its_book_says(row: dict[str, str]) -> None:
    term = re.compile(rf"\b(?:{row['term']})\b", re.IGNORECASE)
    stem = re.compile(row["stem"], re.IGNORECASE)
    entries = entries_of(row["game"], row["language"])
    said = [(one, told) for one, told in entries if term.search(one)]
    assert said
    assert [(one, told) for one, told in said if not stem.search(told)] == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", ["tmg", "thrones", "tactics", "westeros"])
def test_a_game_says_no_word_that_readers_found_wrong(game: str, language: str) -> None:
    wrong = wrong_words(game, language)
    assert [told for _, told in entries_of(game, language) if wrong.search(told)] == []

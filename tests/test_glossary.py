"""The words of the rulebooks: every entry of a game's catalogue against its glossary."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from companion.text.translation import read_po
from tests.sentences import ROOT

GLOSSARY = list(csv.DictReader((Path(__file__).parent / "glossary.csv").open(encoding="utf-8")))


@pytest.mark.parametrize("row", GLOSSARY, ids=lambda row: "-".join(list(row.values())[:3]))
def test_a_game_says_what_its_book_says(row: dict[str, str]) -> None:
    """The book's word is used, and the word that readers found wrong is not."""
    path = ROOT / "companion" / "games" / row["game"] / "locale" / f"{row['language']}.po"
    told = {source: " ".join(forms) for source, forms in read_po(path).items() if source}
    assert any(row["stem"] in text for text in told.values())
    assert {source for source, text in told.items() if row["forbidden"] in text} == set()

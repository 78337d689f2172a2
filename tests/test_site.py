"""The site: every link leads somewhere, every name is described, in both languages, on a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion as tc
from release import site


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("site")
    site.build(found)
    return found


def test_every_link_and_every_picture_leads_somewhere(folder: Path) -> None:
    assert site.broken_links(folder) == []
    (folder / "index.html").write_text('<a href="nowhere.html">x</a> <a href="games.html#no">y</a>')
    assert site.broken_links(folder) == ["index.html: nowhere.html", "index.html: games.html#no"]
    site.build(folder)


def test_the_reference_describes_every_public_name(folder: Path) -> None:
    told = (folder / "reference.html").read_text(encoding="utf-8")
    for name in tc.__all__:
        assert f'id="{name.lower()}"' in told, name
    assert "Everything the rules say about a table" in told


def test_players_read_english_and_german_on_a_phone(folder: Path) -> None:
    for language, pages in site.PLAYERS.items():
        for name in pages:
            path = folder / ("" if language == "en" else language) / f"{name}.html"
            text = path.read_text(encoding="utf-8")
            assert f'lang="{language}"' in text
            assert "width=device-width" in text
            assert text.count("<img") == text.count("<img alt="), "a picture says what it shows"


def test_the_words_in_bold_are_those_on_the_buttons() -> None:
    """The German pages name buttons as the app does."""
    app = (site.ROOT / "companion/engine/locale/de.po").read_text(encoding="utf-8")
    page = (site.DOCS / "de" / "index.md").read_text(encoding="utf-8")
    for button in ("Übungstisch", "Rückgängig", "Neues Spiel", "Weiterspielen", "Lesarten"):
        assert f"**{button}**" in page
        assert re.search(f'msgstr "{button}"', app, re.IGNORECASE), button

"""The site: every link leads somewhere, every name is described, in both languages, on a phone."""

from __future__ import annotations

import html
import re
import zipfile
from pathlib import Path

import pytest

import companion as tc
from release import site


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("site")
    site.build(found)
    return found


@pytest.mark.slow
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


def test_the_reference_tells_the_types_of_properties(folder: Path) -> None:
    told = html.unescape((folder / "reference.html").read_text(encoding="utf-8"))
    assert "melee: tuple[Attack, ...]" in told
    assert "destroys: float | None" in told
    assert "Rules that the players agreed on" in told, "what stands below a field"


def test_the_example_game_is_there_to_read_and_to_take(folder: Path) -> None:
    """Every line of it stands on the page, and the archive holds the files as they are."""
    told = html.unescape((folder / "example.html").read_text(encoding="utf-8"))
    assert "files/fox_and_hounds.zip" in told
    with zipfile.ZipFile(folder / "files" / "fox_and_hounds.zip") as packed:
        names = packed.namelist()
        assert "fox_and_hounds/fox_and_hounds/locale/de.po" in names
        assert not any("cache" in name or name.endswith(".pyc") for name in names)
        for name in names:
            text = packed.read(name).decode()
            assert text == (site.EXAMPLE.parent / name).read_text(encoding="utf-8")
            assert name.endswith("README.md") or text.strip() in told, name


def test_the_interface_of_games_tells_every_name_with_its_parameters(folder: Path) -> None:
    told = html.unescape((folder / "interface.html").read_text(encoding="utf-8"))
    for line in site.GAME_API.read_text(encoding="utf-8").splitlines():
        module, name = re.split(r"[.(]", line.removesuffix(" needed"))[:2]
        assert f'id="{name.lower()}"' in told, line
        assert f"from companion.games.api.{module} import {name}" in told, line
    assert told.index('id="play"') < told.index('id="gamescreen"') < told.index('id="armybuilder"')
    assert "decide(state: State, command: Mapping[str, Any]) -> Accepted | Refusal" in told
    needed = set(re.findall(r"<h3[^>]*>([^<]*)</h3>(?:(?!<h)[\s\S])*?Needed", told))
    assert {"Play.decide", "Play.apply", "GameScreen.name", "GameRules.report"} <= needed
    assert needed.isdisjoint({"Play.options", "Play.dice", "GameScreen.guide"})
    for line in (
        "from models.message import say",
        "from companion.games.shared.commands import no",
    ):
        assert line in told


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

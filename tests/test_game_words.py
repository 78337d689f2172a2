"""A word is looked up in the game being played, then in what all games share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import package_of
from companion.games.tmg.play import PLAY
from companion.text import translation
from companion.text.translation import catalogue, files, set_game, set_language, translate

HEAD = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'


def entry(source: str, told: str) -> str:
    return f'msgid "{source}"\nmsgstr "{told}"\n\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Shared words and two games, of which both know a claim."""
    texts = {
        "locale": entry("claim", "Anspruch") + entry("round", "Runde"),
        "games/aaa/locale": entry("claim", "Zone besetzen"),
        "games/zzz/locale": entry("claim", "Machtanspruch") + entry("plot", "Plan"),
    }
    for place, text in texts.items():
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "de.po").write_text(HEAD + text, encoding="utf-8")
    monkeypatch.setattr(translation, "PACKAGE", tmp_path)
    catalogue.cache_clear()
    yield
    set_language("en")
    set_game("")
    catalogue.cache_clear()


@pytest.mark.usefixtures("folder")
def test_the_game_being_played_comes_first() -> None:
    set_language("de")
    assert translate("claim") == "Anspruch"
    for game, told in (("aaa", "Zone besetzen"), ("zzz", "Machtanspruch"), ("none", "Anspruch")):
        set_game(game)
        assert translate("claim") == told
        assert translate("round") == "Runde"
    set_language("en")
    assert translate("claim") == "claim"


@pytest.mark.usefixtures("folder")
def test_the_order_of_the_files() -> None:
    assert [path.parts[-3] for path in files("de", "aaa")][1:] == [files("de")[-1].parts[-3], "aaa"]


def test_the_package_of_a_game() -> None:
    assert package_of(PLAY) == "tmg"
    assert package_of(None) == ""

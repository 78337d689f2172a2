"""One running game shown to three viewers in three languages at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.overlay.shapes import Label, in_words
from companion.session.game_view import TEXTS, screen_to_json
from companion.text.translation import CURRENT, catalogue
from tests.games.test_screen_json import GAMES, practice

LANGUAGES = ("en", "de", "ru")


def texts(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a record or of JSON, with its place."""
    if isinstance(value, str):
        yield place, value
    elif is_dataclass(value):
        for one in fields(value):
            yield from texts(getattr(value, one.name), f"{place}.{one.name}")
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from texts(one, f"{place}.{key}")
    elif isinstance(value, list | tuple):
        for number, one in enumerate(value):
            yield from texts(one, f"{place}.{number}")


READ = TEXTS | {"headline", "result", "undo", "redo", "notice", "log"}
"""The members that players read; the others are for programs."""


def read(value: Any) -> dict[str, str]:
    """The texts that players read."""
    return {
        place: text
        for place, text in texts(value)
        if next(part for part in reversed(place.split(".")) if not part.isdigit()) in READ
    }


def check_language(english: dict[str, str], other: dict[str, str], language: str, game: str) -> int:
    """Every text with a translation is translated; the number of those that were."""
    words, changed = catalogue(language, game=game), 0
    for place, text in english.items():
        translated = words.forms.get(text, (text,))[0]
        if place in other and translated != text:
            assert other[place] != text, (language, place, text)
        changed += other.get(place) != text
    return changed


@pytest.mark.parametrize("game", GAMES)
def test_each_viewer_reads_the_own_language(game: str, tmp_path: Path) -> None:
    """Three screens of one game, looked at in turn: none changes what another reads."""
    package = game.partition("-")[0]
    with practice(game, tmp_path / "a.game") as session:
        running = RunningGame(session)
        clients = {language: Client(running, language=language) for language in LANGUAGES}
        for _ in range(2):
            shown = {language: read(client.view()) for language, client in clients.items()}
            for language in ("de", "ru"):
                assert check_language(shown["en"], shown[language], language, package) > 5
        assert CURRENT.language() == "en"


@pytest.mark.parametrize("game", GAMES)
def test_the_records_of_a_screen_are_translated_for_each_viewer(game: str, tmp_path: Path) -> None:
    package = game.partition("-")[0]
    with practice(game, tmp_path / "a.game") as session:
        screen = screen_to_json(session.history, None, None)
        english = read(screen)
        for language in ("de", "ru"):
            other = read(catalogue(language, game=package).translate_all(screen))
            assert check_language(english, other, language, package) > 20


def test_labels_of_the_table_are_lazy_until_they_are_drawn(tmp_path: Path) -> None:
    """One scene, three maps."""
    with practice("tmg-2021", tmp_path / "a.game") as session:
        here = session.history.now
        assert here.play is not None
        table = here.play.moment(here.state).table
        scene = games.find(table.game).scene(table)
        found = {}
        for language in LANGUAGES:
            drawn = in_words(scene, catalogue(language, game="tmg").translate)
            found[language] = " ".join(
                [drawn.title, drawn.subtitle, *(key.text for key in drawn.legend)]
                + [one.text for one in drawn.shapes if isinstance(one, Label)]
            )
        assert "Charges, shots and threats" in found["en"]
        assert "Charges, shots and threats" not in found["de"] + found["ru"]
        assert "deployment of" not in found["de"] + found["ru"]
        assert "Knights of Casterly Rock" in found["en"]
        assert "Ritter von Casterlystein" in found["de"], "trays have the names of their cards"
        assert len(set(found.values())) == len(LANGUAGES)

"""What `{"do": "screen"}` prints: the same records that the app draws, with all that is beside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.session.game_lookup import find_screen
from companion.session.game_view import public_view, record_to_json
from companion.session.session import Session
from companion.text.translation import catalogue
from models.message import LazyMessage, Name

GAMES = ("tmg-2021", "tactics", "westeros", "thrones")


def practice(game: str, path: Path) -> Session:
    """The practice game of a game."""
    session = Session.open(path)
    for command in find_screen(game).practice(game):
        assert session.answer(command)["ok"]
    return session


@pytest.fixture
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    with practice(request.param, tmp_path / "a.game") as session:
        yield session


def shown(session: Session, **asked: str) -> dict[str, Any]:
    answer = session.answer({"do": "screen", **asked})
    assert answer["ok"], answer
    found: dict[str, Any] = answer["screen"]
    return found


@pytest.mark.parametrize("played", GAMES, indirect=True)
def test_it_is_what_the_app_draws(played: Session) -> None:
    here = played.history.now
    screen, found = find_screen(here.game), shown(played)
    view = public_view(screen, here)
    for name in ("headline", "prompts", "pieces", "score", "pages", "outcome", "seats"):
        assert found[name] == record_to_json(getattr(view, name)), name
    assert found["active"] == list(view.active)
    assert found["names"] == view.names
    assert found["name"] == screen.name(here.game)
    assert found["space"]["kind"] == screen.space(here.game).kind
    assert found["undo"]
    assert found["redo"] == ""
    assert found["log"][-1] == screen.name(here.game)


def test_a_result_stays_until_the_next(tmp_path: Path) -> None:
    """Notes and positions that a camera saw do not take it away."""
    with practice("westeros", tmp_path / "a.game") as session:
        play = session.history.now.play
        assert play is not None
        while not shown(session).get("outcome"):
            options = play.options(session.history.now.state)[0]["options"]
            assert session.answer(options[-1])["ok"]
        outcome = shown(session)["outcome"]
        session.answer({"do": "note", "text": "a break"})
        assert shown(session)["outcome"] == outcome


@pytest.mark.parametrize("played", ["tactics"], indirect=True)
def test_what_was_taken_back_is_named(played: Session) -> None:
    before = shown(played)["undo"]
    assert played.answer({"do": "undo"})["ok"]
    found = shown(played)
    assert found["redo"] == before
    assert found["undo"] != before


@pytest.mark.parametrize("played", ["thrones"], indirect=True)
def test_a_clock_is_shown_once_it_runs(played: Session) -> None:
    assert "clock" not in shown(played)
    played.answer({"do": "clock", "action": "set", "minutes": 30})
    assert shown(played)["clock"]


def texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text that players read, with the field that holds it."""
    if isinstance(value, LazyMessage):
        yield name, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from texts(one, key)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one, name)


@pytest.mark.parametrize("played", GAMES, indirect=True)
def test_names_and_titles_are_translated_too(played: Session) -> None:
    """No field that players read is a plain text, which a translation would pass over."""
    found = shown(played)
    names = {name for name, _ in texts(found)}
    assert {"name", "title", "text", "headline"} <= names
    game = played.history.now.game.partition("-")[0]
    for language in ("de", "ru"):
        words = catalogue(language, game=game)
        for name, text in texts(found):
            if text in words.forms:
                assert words.translate_all({"x": text})["x"] == words.translate(str(text)), name
    for piece in found["pieces"]:
        assert isinstance(piece["name"], LazyMessage | Name)
    for page in found["pages"]:
        assert isinstance(page["title"], LazyMessage)

"""Games of the past: listed, told, replayed, exported, deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app import first_game
from companion.app.desk import Desk
from companion.app.driver import Driver
from companion.app.library import saved_games
from companion.session.session import Session
from companion.words import speak
from models import Table
from tests.app.bare import no_triangles
from tests.app.conftest import opened
from tests.app.fits import faults


def played(folder: Path, name: str = "practice-1") -> Path:
    """A game of a few steps on the disk."""
    table = Table.load(first_game.TABLE)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.game"
    with Session.open(path) as session:
        for command in (
            first_game.set_up(table),
            *first_game.opening(table),
            {"do": "activate", "unit": "b2"},
            {"do": "action", "action": "forgo"},
            {"do": "end-turn"},
            {"do": "score", "side": "red", "vp": 2, "why": "by hand"},
            {"do": "note", "text": "rain"},
        ):
            assert session.answer({"seed": 7, **command} if command["do"] == "set-up" else command)[
                "ok"
            ]
    return path


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """An app that knows one game of the past, at its page."""
    folder = tmp_path_factory.mktemp("past")
    played(folder / "games")
    driver = opened(folder)
    driver.press("game:practice-1")
    yield driver
    driver.stop()


def told(driver: Driver) -> str:
    return " ".join(one.text for one in driver.widgets() if getattr(one, "text", ""))


def test_the_list_names_players_and_score(past: Driver) -> None:
    saved = past.app.saved
    assert saved is not None
    assert saved.players == ("blue", "red")
    assert dict(saved.score) == {"blue": 0, "red": 2}
    assert "blue – red" in told(past)
    assert faults(past) == []


@pytest.mark.parametrize("form", ["json", "md", "html"])
def test_a_game_is_exported(past: Driver, form: str) -> None:
    past.press(f"export:{form}")
    path = past.app.desk.folder / "exports" / f"practice-1.{form}"
    past.until(path.exists, 60)
    past.until(lambda: past.app.waiting is None, 60)
    text = path.read_text(encoding="utf-8")
    assert "rain" in text
    if form == "json":
        assert json.loads(text)["steps"][-1]["title"].endswith("rain")
    assert str(path) in told(past)


def test_the_report_is_read(past: Driver) -> None:
    past.press("report-game")
    past.until(lambda: past.app.waiting is None, 60)
    past.steps(3)
    assert "“rain”" in told(past)
    assert "red 2" in told(past)
    past.press("back")


def test_a_replay_steps_through_events_with_the_map(past: Driver) -> None:
    past.press("replay-game")
    past.until(lambda: past.app.waiting is None, 60)
    past.rest()
    screen = past.app.screen
    assert screen.at == len(screen.replay) == 9
    assert "rain" in screen.title(9)
    past.press("replay:-1")
    assert screen.at == 8
    past.press("to:5")
    assert screen.at == 5
    assert "b2" in screen.title(5)
    past.until(lambda: screen.pane.brush.shown[0] is not None)
    past.press("replay:+10")
    assert screen.at == 9
    past.press("round:1")
    assert screen.at == 3
    assert faults(past) == []
    past.press("back")


def test_a_broken_file_is_named_in_the_language_spoken(tmp_path: Path) -> None:
    (tmp_path / "letter.game").write_bytes(b"no game at all")
    speak("de")
    try:
        (saved,) = saved_games(tmp_path)
    finally:
        speak("en")
    assert saved.broken.endswith("letter.game: ist kein Spiel der App")


def test_a_recovered_game_says_what_was_saved(tmp_path: Path) -> None:
    path = played(tmp_path / "games")
    path.write_bytes(bytes(200) + path.read_bytes()[200:])
    desk = Desk(tmp_path, no_triangles)
    desk.mind.foresees = False
    desk.resume(path)
    assert desk.settle(30)
    assert desk.snapshot.told.refused
    assert "is damaged" in desk.snapshot.told.text
    assert "kept as" in desk.snapshot.told.text
    assert desk.snapshot.state["vp"] == {"blue": 0, "red": 2}
    desk.close()


def test_what_is_broken_says_so_and_can_be_deleted(past: Driver) -> None:
    broken = past.app.desk.games_folder / "broken.game"
    broken.write_bytes(b"no game at all")
    played(past.app.desk.games_folder, "other")
    past.app.go("home")
    past.press("game:broken")
    assert past.app.saved is not None
    assert past.app.saved.broken in told(past)
    assert past.find("open-game") is None
    past.press("delete-game")
    past.press("delete-sure")
    assert not broken.exists()
    assert past.app.place == "home"
    assert {one.path.stem for one in saved_games(past.app.desk.games_folder)} == {
        "practice-1",
        "other",
    }

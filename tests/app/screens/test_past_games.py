"""Games of the past: listed, told, replayed, exported, deleted."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.render.theme import THEME
from companion.app.screens import past_game as report_screen
from companion.app.screens import replay_screen
from companion.app.scripted.driver import Driver
from companion.engine.app_service import AppService
from companion.engine.files import exports as exporting
from companion.engine.files.game_library import Seats, save_seats, saved_games, seats_path
from companion.games.shared.places import turned_words
from companion.games.tactics.screen import SCREEN as SKIRMISH
from companion.games.tmg.play import practice_game
from companion.overlay.footprints import fitted
from companion.session.report.story import Story
from companion.session.session import Session
from companion.text.translation import set_language, translate
from models import BadInput, Table
from models.message import say
from tests.app.bare import no_triangles
from tests.app.conftest import opened
from tests.app.fits import faults

pytestmark = pytest.mark.slow


def played(folder: Path, name: str = "practice-1") -> Path:
    """A game of a few steps on the disk."""
    table = Table.load(practice_game.TABLE)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.game"
    with Session.open(path) as session:
        for command in (
            practice_game.set_up(table),
            *practice_game.opening(table),
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


def screen_text(driver: Driver) -> str:
    return " ".join(one.text for one in driver.widgets() if getattr(one, "text", ""))


def test_the_list_names_players_and_score(past: Driver) -> None:
    saved = past.app.saved
    assert saved is not None
    assert saved.players == ("Blue", "Red")
    assert dict(saved.score) == {"blue": 0, "red": 2}
    assert "Blue – Red" in screen_text(past)
    assert faults(past) == []


@pytest.mark.parametrize("form", ["json", "md", "html"])
def test_a_game_is_exported(past: Driver, form: str) -> None:
    past.press(f"export:{form}")
    path = past.app.service.folder / "exports" / f"practice-1.{form}"
    past.until(path.exists, 60)
    past.until(lambda: past.app.waiting is None, 60)
    text = path.read_text(encoding="utf-8")
    assert "rain" in text
    if form == "json":
        assert json.loads(text)["steps"][-1]["title"].endswith("rain")
    assert path.name in screen_text(past)


def test_the_report_is_read(past: Driver) -> None:
    past.press("report-game")
    past.until(lambda: past.app.waiting is None, 60)
    past.steps(3)
    assert "“rain”" in screen_text(past)
    assert "Red 2" in screen_text(past)
    past.press("back")


@pytest.fixture
def slow(past: Driver, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A game that takes its time to be read, until the event is set."""
    go_on = threading.Event()

    def read_slowly(path: Path) -> Story:
        go_on.wait(30)
        return exporting.story_of(path)

    monkeypatch.setattr(report_screen, "story_of", read_slowly)
    yield go_on
    go_on.set()


def test_a_report_says_that_it_is_being_written(past: Driver, slow: threading.Event) -> None:
    past.app.go("past")
    past.press("report-game")
    written = [one.text for one in past.widgets(past.app.screen) if getattr(one, "text", "")]
    assert "The report is being written …" in written
    assert "reading the game" in written
    slow.set()
    past.until(lambda: past.app.waiting is None, 60)
    past.until(lambda: "being written" not in screen_text(past))
    assert "“rain”" in screen_text(past)
    past.press("back")


def test_a_report_that_nobody_waits_for_leaves_no_blank_page(
    past: Driver, slow: threading.Event
) -> None:
    past.app.go("past")
    past.press("report-game")
    past.press("task-cancel")
    slow.set()
    past.until(lambda: past.app.waiting is None, 60)
    assert past.app.place == "past"
    assert past.find("report-game") is not None


def test_a_game_that_cannot_be_read_any_more_leads_back(
    past: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(path: Path) -> Any:
        raise BadInput(path.name, "", "is gone")

    monkeypatch.setattr(report_screen, "story_of", gone)
    monkeypatch.setattr(replay_screen, "read", gone)
    for button in ("report-game", "replay-game"):
        past.app.go("past")
        past.press(button)
        past.until(lambda: past.app.waiting is None, 60)
        past.steps(3)
        assert past.app.place == "past", button
        assert "is gone" in screen_text(past)


def test_a_long_report_is_written_round_by_round(past: Driver) -> None:
    past.app.go("past")
    past.press("report-game")
    past.until(lambda: past.app.waiting is None, 60)
    screen = past.app.screen
    assert past.app.saved is not None
    story = exporting.story_of(past.app.saved.path)
    many = replace(story, chapters=tuple(replace(story.chapters[-1], round=n) for n in range(1, 8)))
    screen.fill([screen.progress])
    screen.show_story(many)
    past.steps(2)
    assert "Round 2" in screen_text(past)
    assert "Round 7" not in screen_text(past)
    assert "being written" in screen_text(past)
    assert 0.4 < screen.gauge.share < 1
    past.until(lambda: "being written" not in screen_text(past))
    assert all(f"Round {n}" in screen_text(past) for n in range(1, 8))
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
    assert "Stark Bowmen" in screen.title(5)
    assert "to act" in screen_text(past)  # in the game's words, no name of a phase
    past.until(lambda: screen.pane.brush.shown[0] is not None)
    past.until(lambda: bool(screen.pane.chips.placed), 30)
    past.press("replay:+10")
    assert screen.at == 9
    past.press("round:1")
    assert screen.at == 3
    assert faults(past) == []
    past.press("back")


def test_a_replay_wears_the_colours_that_the_players_chose(past: Driver) -> None:
    past.app.go("past")
    saved = past.app.saved
    assert saved is not None
    past.press("replay-game")
    past.until(lambda: past.app.waiting is None, 60)
    past.rest()
    own = screen_text(past)
    past.press("back")
    save_seats(saved.path, Seats(colours={"blue": 3, "red": 5}))
    try:
        past.press("replay-game")
        past.until(lambda: past.app.waiting is None, 60)
        past.rest()
        chosen = [THEME.mark_of(3), THEME.mark_of(5)]
        assert all(mark in screen_text(past) and mark not in own for mark in chosen)
        assert past.app.screen._badged.colours == {"blue": 3, "red": 5}
        past.press("back")
    finally:
        seats_path(saved.path).unlink()


def test_a_broken_file_is_named_in_the_language_spoken(tmp_path: Path) -> None:
    (tmp_path / "letter.game").write_bytes(b"no game at all")
    set_language("de")
    try:
        (saved,) = saved_games(tmp_path)
    finally:
        set_language("en")
    assert saved.broken.endswith("letter.game: ist kein Spiel der App")


def test_a_recovered_game_says_what_was_saved(tmp_path: Path) -> None:
    path = played(tmp_path / "games")
    path.write_bytes(bytes(200) + path.read_bytes()[200:])
    service = AppService(tmp_path, no_triangles)
    service.resume(path)
    assert service.settle(30)
    assert service.snapshot.message.refused
    assert "is damaged" in service.snapshot.message.text
    assert "kept as" in service.snapshot.message.text
    assert service.snapshot.state["vp"] == {"blue": 0, "red": 2}
    service.close()


def test_what_is_broken_says_so_and_can_be_deleted(past: Driver) -> None:
    broken = past.app.service.games_folder / "broken.game"
    broken.write_bytes(b"no game at all")
    played(past.app.service.games_folder, "other")
    past.app.go("home")
    past.press("game:broken")
    assert past.app.saved is not None
    assert past.app.saved.broken in screen_text(past)
    assert past.find("open-game") is None
    past.press("delete-game")
    past.press("delete-sure")
    assert not broken.exists()
    assert past.app.place == "home"
    assert {one.path.stem for one in saved_games(past.app.service.games_folder)} == {
        "practice-1",
        "other",
    }


def test_players_are_called_by_their_names_and_not_by_words(tmp_path: Path) -> None:
    """A player called Will is no will power, and the winner is no id."""
    with Session.open(tmp_path / "a.game") as session:
        players = {"stark": "Will", "lannister": "Ready"}
        begin = {"do": "set-up", "game": "westeros", "battle": "sample-ford", "players": players}
        for command in (begin, {"do": "begin"}):
            assert session.answer(command)["ok"], command
    set_language("de")
    try:
        (saved,) = saved_games(tmp_path)
    finally:
        set_language("en")
    assert saved.players == ("Will", "Ready")
    assert replace(saved, winner="stark").won_by() == "Will"


def test_a_replay_calls_places_as_its_map_shows_them(tmp_path: Path) -> None:
    """The board lies a quarter turned in its room: left of something is drawn above it."""
    (tmp_path / "games").mkdir()
    with Session.open(tmp_path / "games" / "one.game") as session:
        for command in SKIRMISH.practice("tactics"):
            assert session.answer(dict(command))["ok"]
    driver = opened(tmp_path)
    driver.press("game:one")
    driver.press("replay-game")
    driver.until(lambda: driver.app.screen.at > 0, 30)
    table = driver.app.screen.replay.at(1).now.play.moment(driver.app.screen.replay.at(1).now.state)
    turn = fitted(table.table, driver.app.screen.room()).board.turn - table.table.board.turn
    words = turned_words(turn).items()
    assert words, "else nothing is proved"

    def spoken() -> bool:
        about: dict[str, Any] = {"of": "X", "n": 2, "m": 3, "place": "X"}
        return all(translate(say(told, **about)) == str(say(now, **about)) for told, now in words)

    assert spoken()
    driver.press("back")
    assert not spoken(), "no map is shown"
    driver.press("report-game")
    driver.until(spoken, 30)
    driver.stop()

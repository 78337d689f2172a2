"""The clock: follows the game, may be paused, is corrected by hand, and no undo turns it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.api.play import Event
from companion.session.session import Session
from companion.session.step import CLOCK, title
from tests.session.conftest import Do, Watch


@pytest.fixture
def running(do: Do) -> Do:
    do("clock", action="set", minutes=10)
    do("clock", action="start")
    return do


def used(answer: dict[str, Any]) -> tuple[float, float]:
    sides = answer["state"]["clock"]["sides"]
    return sides["blue"]["used"], sides["red"]["used"]


def test_without_a_clock_nothing_is_said(do: Do) -> None:
    assert "clock" not in do("state")["state"]


def test_it_runs_for_whom_the_game_waits_for(running: Do, watch: Watch) -> None:
    watch.wait(30)
    running("take", stones=1)
    watch.wait(5)
    answer = running("state")
    assert used(answer) == (30, 5)
    assert answer["state"]["clock"]["sides"]["blue"]["left"] == 570
    assert answer["state"]["clock"]["side"] == "red"


def test_a_pause_costs_nobody_time(running: Do, watch: Watch) -> None:
    watch.wait(10)
    running("clock", action="pause")
    watch.wait(3600)
    assert used(running("take", stones=1)) == (10, 0)
    running("clock", action="start")
    watch.wait(4)
    assert used(running("state")) == (10, 4)


def test_undo_gives_no_time_back_and_hands_the_clock_over(running: Do, watch: Watch) -> None:
    watch.wait(30)
    running("take", stones=1)
    watch.wait(20)
    answer = running("undo")
    assert used(answer) == (30, 20)
    assert answer["state"]["clock"]["side"] == "blue"
    watch.wait(7)
    assert used(running("state")) == (37, 20)


def test_the_clock_itself_is_not_undone(running: Do, watch: Watch) -> None:
    watch.wait(1)
    running("clock", action="pause")
    answer = running("undo")  # undoes the set-up, the last step of the game
    assert answer["state"]["game"] is None
    assert answer["state"]["clock"]["sides"]["blue"] == {"used": 1, "left": 599}


def test_undoing_the_set_up_stops_it(running: Do, watch: Watch) -> None:
    watch.wait(2)
    assert running("undo")["state"]["clock"]["running"] is False


def test_players_correct_it(running: Do, watch: Watch) -> None:
    running("clock", action="add", side="red", seconds=-60)
    answer = running("clock", action="set", side="blue", minutes=1)
    sides = answer["state"]["clock"]["sides"]
    assert (sides["red"]["left"], sides["blue"]["left"]) == (540, 60)
    running("clock", action="give", side="red")
    watch.wait(3)
    running("take", stones=1)  # red keeps it: set by hand, it no longer follows the game
    watch.wait(3)
    assert used(running("state")) == (0, 6)
    running("clock", action="start")
    running("take", stones=1)
    assert running("state")["state"]["clock"]["side"] == "blue"


def test_it_stops_with_the_game(running: Do, watch: Watch) -> None:
    while left := running("state")["state"]["stones"]:
        watch.wait(1)
        assert running("state")["state"]["clock"]["running"] is True
        running("take", stones=min(left, 3))
    assert running("state")["state"]["clock"]["running"] is False


def test_put_away(running: Do) -> None:
    assert "clock" not in running("clock", action="off")["state"]


def test_closing_pauses_it(path: Path, watch: Watch) -> None:
    with Session.open(path, watch) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
        session.answer({"do": "clock", "action": "start"})
        watch.wait(5)
    watch.wait(500)
    with Session.open(path, watch) as session:
        clock = session.state()["clock"]
    assert (clock["running"], clock["sides"]["blue"]["used"]) == (False, 5)


def test_a_dead_battery_costs_nobody_time(path: Path, watch: Watch) -> None:
    session = Session.open(path, watch)
    session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
    session.answer({"do": "clock", "action": "start"})
    watch.wait(5)
    session.answer({"do": "note", "text": "the battery is low"})
    watch.wait(2)
    session.log.link.close()
    watch.wait(500)
    with Session.open(path, watch) as session:
        clock = session.state()["clock"]
    assert (clock["running"], clock["sides"]["blue"]["used"]) == (False, 5)


def test_a_clock_that_is_set_and_handed_over_at_once_is_told_by_what_was_set() -> None:
    asked = Event(CLOCK, {"run": "blue", "follows": True})
    handed_over = Event(CLOCK, {"run": "red"})
    told = title(None, (asked, handed_over), None)
    assert told == title(None, (asked,), None) == "clock: blue’s time runs"

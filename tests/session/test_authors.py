"""Steps that seats sign: who may do what, who may take it back, and where it is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.api.play import Event
from companion.session.authors import consent_needed
from companion.session.fold import fold
from companion.session.protocol import respond
from companion.session.report.markdown_report import markdown
from companion.session.report.replay import Replay
from companion.session.report.story import build_story
from companion.session.session import Session
from companion.session.step import LogStep
from companion.session.storage import read
from models import BadInput

BLUE, RED = ("blue",), ("red",)


def took(session: Session, by: tuple[str, ...] = (), **command: Any) -> dict[str, Any]:
    return session.answer({"do": "take", "stones": 1, **command}, by)


def test_a_step_keeps_who_took_it(session: Session, path: Path) -> None:
    assert took(session, BLUE)["ok"]
    assert took(session)["ok"]  # the shared tablet signs nothing
    assert [step.by for step in read(path).steps] == [(), BLUE, ()]
    assert fold(read(path).steps).now.state == session.history.now.state


def test_only_the_side_that_is_asked_gives_its_commands(session: Session) -> None:
    before = session.history
    refused = took(session, RED)
    assert (refused["ok"], refused["why"]) == (False, "SEATS")
    assert "blue" in refused["say"]
    assert session.history is before
    assert took(session, BLUE)["ok"]
    assert took(session, RED)["ok"]


def test_several_commands_together_are_each_given_by_whom_they_ask(session: Session) -> None:
    """After one of red's stones the turn is blue's again, also within one step."""
    before = session.history
    one = {"do": "take", "stones": 1}
    both = {"do": "together", "commands": [one, one]}
    for seat in (RED, BLUE):
        refused = session.answer(both, seat)
        assert (refused["ok"], refused["why"]) == (False, "SEATS"), seat
    assert session.history is before
    assert session.answer({"do": "together", "commands": [one]}, BLUE)["ok"]
    assert session.answer({"do": "together", "commands": ["take", {}]}, RED)["why"] == "INPUT"
    assert session.answer({"do": "together", "commands": 7}, RED)["why"] == "INPUT"
    assert session.answer(both)["ok"], "the host gives everything"


@pytest.mark.parametrize("command", [{"do": "set-up", "game": "toy"}, {"do": "save", "file": "b"}])
def test_files_belong_to_the_host(session: Session, command: dict[str, Any]) -> None:
    assert session.answer(command, BLUE)["why"] == "SEATS"


def test_a_seat_takes_back_its_own_newest_step(session: Session) -> None:
    took(session, BLUE)
    assert consent_needed(session.history, "undo", 1, BLUE) == ()
    assert session.answer({"do": "undo"}, BLUE)["ok"]
    assert consent_needed(session.history, "redo", 1, BLUE) == ()
    assert session.answer({"do": "redo"}, RED)["why"] == "AGREE"
    assert session.answer({"do": "redo"}, BLUE)["ok"]


def test_steps_of_others_need_their_consent(session: Session) -> None:
    took(session, BLUE)
    took(session, RED)
    assert consent_needed(session.history, "undo", 1, BLUE) == RED
    assert session.answer({"do": "undo"}, BLUE)["why"] == "AGREE"
    assert session.answer({"do": "undo", "count": 2}, RED)["why"] == "AGREE"
    assert session.answer({"do": "undo", "to": 1}, RED)["why"] == "AGREE"
    assert session.answer({"do": "undo", "count": 2}, ("red", "blue"))["ok"]


def test_everybody_is_asked_about_a_step_that_nobody_signed(session: Session) -> None:
    took(session)
    assert consent_needed(session.history, "undo", 1, BLUE) == RED
    assert consent_needed(session.history, "undo", 1, ()) == ()
    assert session.answer({"do": "undo"})["ok"]  # the host takes anything back


def test_the_log_says_who_did_what(session: Session, path: Path) -> None:
    took(session, BLUE)
    log = session.state()["log"]
    assert [line.get("by") for line in log] == [None, ["blue"]]
    undo = session.answer({"do": "history"})["undo"]
    assert [line.get("by") for line in undo] == [["blue"], None]
    steps = read(path).steps
    assert "takes 1 (Blue)" in markdown(build_story(steps))
    assert Replay.of(steps).line(2).endswith("(blue)")


def test_a_line_may_name_its_author(session: Session) -> None:
    assert b'"why": "SEATS"' in respond(session, b'{"do": "take", "stones": 1, "author": "red"}')
    assert b'"ok": true' in respond(session, b'{"do": "take", "stones": 1, "author": "blue"}')
    assert session.history.last is not None
    assert session.history.last.by == BLUE
    assert b"'green'" in respond(session, b'{"do": "take", "stones": 1, "author": "green"}')


@pytest.mark.parametrize("seats", ["blue", 5, [5], None])
def test_a_file_with_odd_seats_is_refused(session: Session, path: Path, seats: object) -> None:
    steps = read(path).steps
    odd = LogStep.after(steps[-1], 0, "", (Event("session.by", {"seats": seats}),))
    with pytest.raises(BadInput):
        fold([*steps, odd])

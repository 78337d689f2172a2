"""Files of earlier companions are read for ever: never change the games in tests/session/kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.session.log import VERSION
from companion.session.session import Session
from companion.session.storage import read
from companion.text.translation import catalogue
from models import BadInput
from tests.session.conftest import Watch

KEPT = Path(__file__).parent / "kept"


def test_a_game_of_the_first_layout(path: Path, watch: Watch) -> None:
    shutil.copy(KEPT / "layout-1.game", path)
    with Session.open(path, watch) as session:
        assert session.damage is None
        state = session.state("blue")
        assert (state["seq"], state["round"], state["stones"], state["active"]) == (
            14,
            1,
            34,
            "red",
        )
        assert state["vp"] == {"blue": 5, "red": 1}
        assert state["hands"] == {"blue": ["ace"], "red": 0}
        assert [note["text"] for note in state["notes"]] == ["kept for later companions"]
        assert (state["undo"], state["redo"]) == ("note: kept for later companions", "red takes 1")
        assert state["clock"]["sides"]["red"]["left"] < 3600
        assert session.answer({"do": "redo"})["state"]["stones"] == 33
        assert session.answer({"do": "undo", "to": 0})["state"]["game"] is None


def layout(path: Path) -> int:
    """The number in a file's header (SQLite's user_version)."""
    return int.from_bytes(path.read_bytes()[60:64], "big")


def test_an_earlier_layout_is_raised_with_its_first_new_step(path: Path) -> None:
    shutil.copy(KEPT / "layout-1.game", path)
    steps = len(read(path).steps)
    with Session.open(path) as session:
        assert session.answer({"do": "state"})["ok"]
    assert layout(path) == (1 if len(read(path).steps) == steps else VERSION)
    with Session.open(path) as session:
        assert session.answer({"do": "note", "text": "so it goes on"})["ok"]
        assert session.answer({"do": "note", "text": "and on"})["ok"]
    assert layout(path) == VERSION
    found = read(path)
    assert found.damage is None
    assert found.steps[-1].title == "note: and on"


def test_a_layout_is_not_raised_by_a_step_that_cannot_be_written(path: Path) -> None:
    shutil.copy(KEPT / "layout-1.game", path)
    with Session.open(path) as session:
        before = session.history.seq
        session.log.link.execute("PRAGMA query_only = ON")
        refused = session.answer({"do": "note", "text": "so it goes on"})
        assert (refused["ok"], refused["why"]) == (False, "DISK")
        session.log.link.execute("PRAGMA query_only = OFF")
        assert session.log.layout == 1
        assert session.answer({"do": "note", "text": "so it goes on"})["seq"] == before + 1
    assert layout(path) == VERSION


@pytest.mark.parametrize(
    ("language", "says"),
    [("en", "newer version"), ("de", "neueren Fassung"), ("ru", "более новой версией")],
)
def test_a_game_of_a_newer_version_says_so(path: Path, language: str, says: str) -> None:
    data = bytearray((KEPT / "layout-2.game").read_bytes())
    data[60:64] = (VERSION + 1).to_bytes(4, "big")
    path.write_bytes(data)
    with pytest.raises(BadInput) as refused:
        Session.open(path)
    assert says in catalogue(language).translate(str(refused.value))
    assert path.read_bytes() == data

"""The log on disk: durable, only added to, one writer, versions, full disks, read-only folders."""

from __future__ import annotations

import ctypes
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.games.api.play import Event
from companion.session.fold import fold
from companion.session.log import APPLICATION, SYNCHRONOUS, VERSION, Log, Unwritten
from companion.session.session import Session
from companion.session.step import LogStep, body_of
from companion.session.storage import open_log, read
from models import BadInput
from models.message import LazyMessage, say
from tests.session.conftest import Do

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _true_disk(_quick_disk: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.session.log.SYNCHRONOUS", SYNCHRONOUS)


@pytest.mark.slow
def test_a_step_is_on_the_disk_before_its_answer(session: Session, do: Do) -> None:
    mode, sync = (
        session.log.link.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous")
    )
    assert (mode, sync) == ("wal", 2)  # 2 is FULL: every commit waits for the disk
    for count in range(1, 50):
        do("note", text="on and on")
        assert len(read(session.log.path).steps) == count + 1


@pytest.mark.parametrize("statement", ["UPDATE log SET title = 'x'", "DELETE FROM mirror"])
def test_a_log_is_only_added_to(session: Session, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="only added to"):
        session.log.link.execute(statement)


def test_one_game_one_writer(session: Session) -> None:
    with pytest.raises(BadInput, match="open in another program"):
        Session.open(session.log.path)
    assert session.answer({"do": "take", "stones": 1})["ok"]


def test_a_game_may_be_read_while_it_is_played(session: Session, do: Do) -> None:
    do("take", stones=2)
    assert fold(read(session.log.path).steps).now.state == session.history.now.state
    assert do("take", stones=2)["ok"]


def test_the_file_says_what_it_is_and_in_which_layout(path: Path) -> None:
    Session.open(path).close()
    with sqlite3.connect(path) as link:
        assert link.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
        assert link.execute("PRAGMA user_version").fetchone()[0] == VERSION


def test_a_later_layout_is_refused_and_left_alone(path: Path) -> None:
    Session.open(path).close()
    with sqlite3.connect(path) as link:
        link.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(BadInput, match=f"newer version of the companion .layout {VERSION + 1}"):
        Session.open(path)
    assert path.read_bytes() == before


def test_an_event_of_a_later_version_is_refused_by_its_step(path: Path) -> None:
    log, _, _ = open_log(path)
    log.append(LogStep.after(None, 0, "later", [Event("session.note", {"text": "?"}, 99)]))
    log.close()
    with pytest.raises(BadInput, match=r"step 1: 'session.note' version 99"):
        Session.open(path)


@pytest.mark.parametrize("content", [b"a letter to a friend", b"PNG" * 3000])
def test_a_file_that_is_no_game_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(BadInput, match="not a game of the companion"):
        Session.open(path)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == ["a.game"]


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as link:
        link.execute("CREATE TABLE letters (text)")
    before = path.read_bytes()
    with pytest.raises(BadInput, match="not a game of the companion"):
        Session.open(path)
    assert path.read_bytes() == before


def test_an_empty_file_is_a_new_game(path: Path) -> None:
    path.touch()
    with Session.open(path) as session:
        assert session.answer({"do": "set-up", "game": "toy", "stones": 3})["ok"]


@pytest.mark.parametrize("name", ["missing/a.game", "."])
def test_a_place_where_no_file_can_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput):
        Session.open(tmp_path / name)


@contextmanager
def full_disk(path: Path) -> Iterator[None]:
    """No file may grow beyond what the game's side file is now."""
    side = path.with_name(path.name + "-wal")
    room = max(path.stat().st_size, side.stat().st_size)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_refuses_and_leaves_no_half_step(session: Session, do: Do) -> None:
    for _ in range(5):
        do("gamble")
    before = session.history
    with full_disk(session.log.path):
        for _ in range(3):
            answer = do("gamble")
            assert (answer["ok"], answer["why"]) == (False, "DISK")
            assert str(session.log.path) in answer["say"]
        assert session.history is before
        assert do("state")["ok"]
    assert len(read(session.log.path).steps) == 6
    assert do("gamble")["seq"] == 7  # once there is room again the game goes on
    assert fold(read(session.log.path).steps).now.state == session.history.now.state


def test_a_full_disk_is_called_so(session: Session, do: Do) -> None:
    pages = session.log.link.execute("PRAGMA page_count").fetchone()[0]
    session.log.link.execute(f"PRAGMA max_page_count = {pages + 1}")
    answers = [do("note", text="so it went on " * 100) for _ in range(20)]
    assert answers[0]["ok"]
    assert answers[-1] == {
        "ok": False,
        "why": "DISK",
        "say": f"{session.log.path}: cannot be written: the disk is full",
    }
    done = sum(answer["ok"] for answer in answers)
    assert len(read(session.log.path).steps) == 1 + done
    session.log.link.execute(f"PRAGMA max_page_count = {pages + 100}")
    assert do("note", text="there is room again")["seq"] == 2 + done


def test_a_full_disk_and_then_no_power(path: Path) -> None:
    session = Session.open(path)
    session.answer({"do": "set-up", "game": "toy", "stones": 50, "seed": 1})
    session.answer({"do": "take", "stones": 1})
    with full_disk(path):
        session.answer({"do": "take", "stones": 2})
    session.log.link.close()
    with Session.open(path) as again:
        assert again.damage is None
        assert again.state()["stones"] == 49


def test_a_step_that_cannot_be_written_is_told_as_such(session: Session) -> None:
    session.log.link.close()
    with pytest.raises(Unwritten, match="cannot be written"):
        session.take([Event("session.note", {"text": "lost"})])


SCRIPT = """
import sys
import companion.games, companion.session.session
companion.games.__path__ = [{toys!r}]
from companion.cli.program import main
sys.exit(main(["session", {path!r}]))
"""


def conversation(path: Path, *commands: str, **how: Any) -> subprocess.CompletedProcess[str]:
    """Run `companion session` as a process of its own."""
    script = SCRIPT.format(toys=str(ROOT / "tests/toys"), path=str(path))
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        input="".join(f"{command}\n" for command in commands),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **how,
    )


@pytest.fixture
def sealed(path: Path) -> Iterator[Path]:
    """A game in a folder that nothing can be written to."""
    with Session.open(path) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 50, "seed": 1})
    path.chmod(0o444)
    path.parent.chmod(0o555)
    yield path
    path.parent.chmod(0o755)


PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1


def as_anybody() -> None:
    """Put away root's right to write everywhere; anybody else has none to put away."""
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a right to be put away")
def test_a_read_only_folder_refuses_in_one_line(sealed: Path) -> None:
    before = sealed.read_bytes()
    for path in (sealed, sealed.with_name("new.game")):
        done = conversation(path, '{"do": "take", "stones": 1}', preexec_fn=as_anybody)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"companion: {path}: cannot be opened")
        assert done.stderr.count("\n") == 1
    assert sealed.read_bytes() == before
    assert len(read(sealed).steps) == 1
    assert [file.name for file in sealed.parent.iterdir()] == ["a.game"]


def test_the_command_as_a_shell_runs_it(path: Path) -> None:
    done = conversation(
        path, '{"do": "set-up", "game": "toy", "stones": 9}', "{", '{"do": "take", "stones": 1}'
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [line[:11] for line in done.stdout.splitlines()] == [
        '{"ok": true',
        '{"ok": fals',
        '{"ok": true',
    ]
    log, steps = Log.open(path)
    log.close()
    assert [step.title for step in steps] == ["set up toy", "blue takes 1"]


# -- the text of a step -----------------------------------------------------------------------

AS_IS: list[dict[str, Any]] = [
    {},
    {"a": 1, "b": -(10**15), "c": 0.1, "d": True, "e": None, "f": '\u00fc"\\\n\u2028', "g": []},
    {"deep": [[1, {"x": {"y": [None]}}], "z"], "": {}},
    {"why": say("{n} hit", "{n} hits", n=2), "causes": [say("{told} ({n})", told=say("x"), n=1)]},
]
OTHERWISE: list[tuple[dict[Any, Any], dict[str, Any]]] = [
    ({"a": (1, 2)}, {"a": [1, 2]}),
    ({"a": [{"b": (1,)}]}, {"a": [{"b": [1]}]}),
    ({"a": {1: 2}}, {"a": {"1": 2}}),
    ({"why": say("{faces}", faces=(1, 2))}, {"why": "[1, 2]"}),
]


@pytest.mark.parametrize("data", AS_IS)
def test_what_json_holds_is_read_back_as_it_was_written(data: dict[str, Any]) -> None:
    events = (Event("one", data), Event("two", data, 3))
    step = LogStep.after(None, 0, "x", events)
    assert step.events() == events
    assert all(kinds(one.data) == kinds(data) for one in step.events())


def kinds(value: Any) -> Any:
    """The types in some facts."""
    if isinstance(value, dict):
        return {key: kinds(one) for key, one in value.items()}
    if isinstance(value, list):
        return [kinds(one) for one in value]
    return (
        (value.one, value.many, kinds(value.values))
        if isinstance(value, LazyMessage)
        else type(value)
    )


@pytest.mark.parametrize(("data", "found"), OTHERWISE)
def test_what_json_cannot_hold_is_read_back_otherwise(
    data: dict[Any, Any], found: dict[str, Any]
) -> None:
    step = LogStep.after(None, 0, "x", [Event("one", data)])
    assert step.events() == (Event("one", found),)


def test_no_endless_number_is_written() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        body_of([Event("one", {"a": float("inf")})])

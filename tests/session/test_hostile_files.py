"""Game files lost, deleted or made by somebody else: said in one line, and nothing is dropped."""

from __future__ import annotations

import io
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.cli.program import main
from companion.engine.files import game_library
from companion.games.api.play import Event
from companion.session import log as log_module
from companion.session.log import COLUMNS, MAX_BYTES, SCHEMA
from companion.session.report.markdown_report import markdown
from companion.session.report.replay import Replay, hidden_as_json
from companion.session.report.story import build_story
from companion.session.salvage import FRAME, WAL_HEADER, frames
from companion.session.session import Session, steady_now
from companion.session.step import LogStep
from companion.session.storage import open_log, read, side_of, write_log
from companion.text.translation import catalogue
from models import BadInput, CompanionError
from tests.session.race import ROOT, race
from tests.session.test_damage import killed, played


def sealed(path: Path, *events: Event, title: str = "a step") -> Path:
    """A game whose chain of marks is right, with any events in it."""
    steps: list[LogStep] = []
    for count, event in enumerate(events):
        last = steps[-1] if steps else None
        steps.append(LogStep.after(last, 1_700_000_000_000 + count, title, (event,)))
    write_log(path, steps)
    return path


def noted(text: Any) -> Event:
    return Event("session.note", {"text": text})


# -- lost and deleted ---------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["deleted", "cut to nothing"])
def test_a_lost_game_is_recovered_from_its_side_file(path: Path, loss: str) -> None:
    with Session.open(path) as session:
        for count in range(5):
            assert session.answer({"do": "note", "text": f"note {count}"})["ok"]
        side = side_of(path).read_bytes()
    side_of(path).write_bytes(side)
    if loss == "deleted":
        path.unlink()
    else:
        path.write_bytes(b"")
    found = read(path)
    assert found.damage is not None
    assert len(found.steps) == 5
    assert [saved.path for saved in game_library.saved_games(path.parent)] == [path]
    with Session.open(path) as session:
        assert session.damage is not None
        assert session.history.seq == 5
        assert "only its side file is left" in session.damage.say()
        kept = Path(session.damage.aside)
        assert side_of(kept).read_bytes() == side
    assert read(path).damage is None


@pytest.mark.parametrize("loss", ["deleted", "cut to nothing"])
def test_a_side_file_of_which_nothing_can_be_read_is_kept(path: Path, loss: str) -> None:
    side_of(path).write_bytes(random.Random(1).randbytes(3 * FRAME))
    if loss == "cut to nothing":
        path.write_bytes(b"")
    before = side_of(path).read_bytes()
    with pytest.raises(BadInput, match="only its side file is left, and no step"):
        Session.open(path)
    assert side_of(path).read_bytes() == before


def test_an_empty_file_is_said(path: Path) -> None:
    path.write_bytes(b"")
    with Session.open(path) as session:
        assert session.damage is not None
        assert "it is empty" in session.damage.say()
        assert session.answer({"do": "note", "text": "on it goes"})["ok"]
    assert read(path).damage is None
    path.write_bytes(b"")
    assert "it is empty" in game_library.about(path).broken


def test_a_flipped_bit_in_the_newest_frame_costs_no_step(path: Path) -> None:
    path, steps = killed(path)
    side = side_of(path).read_bytes()
    newest = max(place for place, *_ in frames(side))
    chance = random.Random(7)
    for _ in range(16):
        hurt = bytearray(side)
        hurt[WAL_HEADER + newest * FRAME + chance.randrange(FRAME)] ^= 1 << chance.randrange(8)
        side_of(path).write_bytes(hurt)
        found = read(path)
        assert found.damage is not None
        assert found.steps == steps
        assert found.side == bytes(hurt)


def test_a_recovery_killed_before_its_last_move_is_finished(path: Path) -> None:
    path, steps = killed(path)
    data, side = path.read_bytes(), side_of(path).read_bytes()
    hurt = bytes(200) + data[200:]
    # As it is left between moving the side file aside and putting the new file in place.
    path.write_bytes(hurt)
    side_of(path).unlink()
    aside = path.with_name("a.game.damaged-1")
    aside.write_bytes(hurt)
    side_of(aside).write_bytes(side)
    with Session.open(path) as session:
        assert session.damage is not None
        assert session.damage.aside == str(aside)
    assert read(path).steps == steps
    assert not path.with_name("a.game.damaged-2").exists()


@pytest.mark.parametrize("which", ["game", "side", "replaced", "cut"])
def test_a_game_deleted_while_it_is_played_is_not_acknowledged(path: Path, which: str) -> None:
    session = Session.open(path)
    assert session.answer({"do": "note", "text": "one"})["ok"]
    if which == "side":
        side_of(path).unlink()
    elif which == "cut":
        os.truncate(path, 0)
    else:
        path.unlink()
    if which == "replaced":
        path.write_bytes(b"somebody else's")
    answer = session.answer({"do": "note", "text": "two"})
    assert (answer["ok"], answer["why"]) == (False, "GONE")
    assert "deleted or replaced" in answer["say"]
    assert session.history.seq == 1
    answer = session.answer({"do": "save", "file": "rescued.game"})
    assert answer["ok"], answer
    assert session.answer({"do": "note", "text": "two"})["seq"] == 2
    session.close()
    assert [step.seq for step in read(path.with_name("rescued.game")).steps] == [1, 2]
    if which == "replaced":
        assert path.read_bytes() == b"somebody else's"


def test_saving_elsewhere_never_replaces_anything(path: Path) -> None:
    other = path.with_name("other.game")
    other.write_bytes(b"mine")
    with Session.open(path) as session:
        session.answer({"do": "note", "text": "one"})
        for name in ("other.game", "a.game", ".", ""):
            assert not session.answer({"do": "save", "file": name})["ok"]
        assert session.log.path == path
    assert other.read_bytes() == b"mine"


def test_deleting_a_game_deletes_no_other(tmp_path: Path) -> None:
    games = [
        tmp_path / name for name in ("a.game", "a.b.game", "a.game.game", "ab.game", "[a].game")
    ]
    for game in games:
        sealed(game, noted("x"))
        game.with_suffix(".seats.json").write_text("{}")
        game.with_name(game.name + ".damaged-1").write_text("old")
    game_library.remove(games[0])
    assert not any(tmp_path.glob("a.game*")) or sorted(
        one.name for one in tmp_path.glob("a.game*")
    ) == ["a.game.game", "a.game.game.damaged-1", "a.game.seats.json"]
    for game in games[1:]:
        assert game.exists()
        assert game.with_suffix(".seats.json").exists()
    game_library.remove(games[4])
    assert games[1].exists()


# -- two programs -------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_programs_recover_a_damaged_game_without_losing_a_step(tmp_path: Path) -> None:
    assert race(4, seed=3, folder=tmp_path) == 4


# -- made by somebody else ----------------------------------------------------------------------

SECRETS = [
    "{x.__class__}",
    "{x[0]}",
    "{x:999999999}",
    "{x!s}",
    "{x!a}",
    "{x:{y}}",
    "{0}",
    "{}",
    "{x",
    "x}",
    "{x:>9}",
    "{x:.99f}",
]


@pytest.mark.parametrize("template", SECRETS)
def test_sentences_in_a_file_hold_names_only(path: Path, template: str) -> None:
    text = {"said": [template], "with": {"x": "a", "y": "9"}}
    sealed(path, noted(text))
    with pytest.raises(BadInput, match="step 1: cannot be read"):
        Session.open(path)
    assert "step 1" in game_library.about(path).broken


def test_a_sentence_that_grows_is_refused(path: Path) -> None:
    text: Any = "ha" * 50
    for _ in range(40):
        text = {"said": ["{x}{x}"], "with": {"x": text}}
    sealed(path, noted(text))
    with pytest.raises(BadInput, match="longer than"):
        Session.open(path)


@pytest.mark.parametrize("values", [{}, {"n": "many"}, {"n": None}, {"n": 1.5}])
def test_a_counted_sentence_needs_a_whole_number(path: Path, values: dict[str, Any]) -> None:
    text = {"said": ["{n} wound", "{n} wounds"], "with": values}
    sealed(path, noted(text))
    with pytest.raises(BadInput, match="step 1: cannot be read"):
        Session.open(path)


def test_a_known_sentence_with_other_values_is_told_in_english(path: Path) -> None:
    text = {"said": ["the clock is running for {side} already"], "with": {"side": 7, "n": 2}}
    sealed(path, noted(text))
    with Session.open(path) as session:
        assert "7" in str(catalogue("de").translate_all(session.state()))


ODD_EVENTS = [
    Event("session.undo", {"count": 10**9}),
    Event("session.undo", {"count": "x"}),
    Event("session.redo", {}),
    Event("session.clock", {"minutes": {"blue": "long"}}),
    Event("session.clock", {"run": ["x"]}),
    Event("session.note", {}),
    Event("session.set-up", {"game": "chess", "setup": {}}),
    Event("session.set-up", {"game": ["x"], "setup": {}}),
    Event("session.strange", {}),
    Event("passed", {"side": "blue"}),
]


@pytest.mark.parametrize("event", ODD_EVENTS, ids=lambda event: f"{event.type}-{event.data}")
def test_a_resealed_game_does_not_keep_the_app_from_starting(path: Path, event: Event) -> None:
    sealed(path, event)
    assert game_library.saved_games(path.parent)[0].broken
    with pytest.raises(CompanionError) as caught:
        Session.open(path)
    assert "\n" not in str(caught.value)


VIEW = (
    "DROP TABLE mirror; DROP TABLE log; CREATE VIEW log AS WITH RECURSIVE more(n) AS"
    " (SELECT 1 UNION ALL SELECT n + 1 FROM more) SELECT n AS seq, 0 AS at, '' AS title,"
    " '' AS body, '' AS mark FROM more"
)
LAYOUTS = {
    "view": VIEW,
    "more": "CREATE VIEW more AS SELECT 1",
    "trigger": "CREATE TRIGGER more AFTER INSERT ON log BEGIN SELECT 1; END",
    "index": "CREATE INDEX more ON log (at)",
    "gone": "DROP TRIGGER log_keeps",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_another_layout_is_never_read(path: Path, layout: str) -> None:
    sealed(path, noted("x"))
    with closing(sqlite3.connect(path)) as link:
        link.executescript(LAYOUTS[layout])
    before = path.read_bytes()
    start = time.monotonic()
    found = read(path)
    assert time.monotonic() - start < 5
    assert found.damage is not None
    game_library.about(path)
    with Session.open(path) as session:
        assert session.damage is not None
        assert Path(session.damage.aside).read_bytes() == before
        assert session.answer({"do": "note", "text": "on"})["ok"]
    assert read(path).damage is None


@pytest.mark.parametrize("at", [-1, 2**62, 1.5, "soon"])
def test_a_time_that_is_none_is_not_read(path: Path, at: Any) -> None:
    with closing(sqlite3.connect(path)) as link:
        link.executescript(SCHEMA)
        link.execute(f"PRAGMA application_id = {log_module.APPLICATION}")
        link.execute("PRAGMA user_version = 2")
        step = LogStep.after(None, 5, "x", (noted("x"),))
        row = (1, at, step.title, step.body, step.mark)
        for table in ("log", "mirror"):
            link.execute(f"INSERT INTO {table} ({COLUMNS}) VALUES (?, ?, ?, ?, ?)", row)
        link.commit()
    found = read(path)
    assert found.damage is not None
    assert found.steps == []


def test_a_file_that_takes_too_long_is_not_taken_for_a_damaged_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = played(path)
    monkeypatch.setattr(log_module, "READING_S", -1.0)
    monkeypatch.setattr(log_module, "BETWEEN", 10)
    before = path.read_bytes()
    with pytest.raises(BadInput, match="takes longer than"):
        Session.open(path)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == ["a.game"]


# -- growth -------------------------------------------------------------------------------------


def test_notes_do_not_grow_with_their_square(path: Path) -> None:
    with Session.open(path) as session:
        for count in range(60):
            session.answer({"do": "note", "text": f"note {count}"})
        assert len(session.history.now.notes) == 20
        assert [one["text"] for one in session.state()["notes"]][-1] == "note 59"
        session.answer({"do": "undo", "count": 45})
        assert session.state()["notes"][-1]["text"] == "note 14"
        assert len(session.history.now.notes) == 15


def test_a_game_too_large_to_be_read_is_refused_before_it_is_acknowledged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("log", "storage"):
        monkeypatch.setattr(f"companion.session.{module}.MAX_BYTES", 400_000)
    with Session.open(path) as session:
        answer: dict[str, Any] = {"ok": True}
        while answer["ok"]:
            answer = session.answer({"do": "note", "text": "so it went " * 170})
        assert answer["why"] == "DISK"
        assert "larger than" in answer["say"]
        last = session.history.seq
    assert len(read(path).steps) == last > 10
    with Session.open(path) as session:
        assert session.history.seq == last


@pytest.mark.slow
def test_the_largest_file_that_is_read_takes_600_mb_at_most(path: Path) -> None:
    """SECURITY.md: for anything that a file can say."""
    with Session.open(path) as session:
        session.answer({"do": "note", "text": "x"})
    with sqlite3.connect(path) as link:
        size = MAX_BYTES - (1 << 20)
        link.execute("INSERT INTO log VALUES (2, 0, 'x', zeroblob(?), '')", (size,))
    link.close()
    assert path.stat().st_size <= MAX_BYTES
    asked = [sys.executable, "-c", EXPORTED, str(path)]
    told = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert int(told.split()[-1]) < 600 << 10


EXPORTED = """
import re, sys
from pathlib import Path
from companion.cli.program import main
main(["export", sys.argv[1]])
print(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""
"""A program that exports a game and tells how much memory it took at most, in kB."""


# -- the clock ----------------------------------------------------------------------------------


def test_a_device_clock_set_back_does_not_stop_the_chess_clock(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Session.open(path) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
    last = read(path).steps[-1].at_ms
    ticks = [0]
    monkeypatch.setattr("companion.session.session.ticks_ns", lambda: ticks[0])
    monkeypatch.setattr(time, "time_ns", lambda: (last - 86_400_000) * 1_000_000)
    with Session.open(path) as session:
        side = session.answer({"do": "clock", "action": "start"})["state"]["clock"]["side"]
        ticks[0] = 90 * 10**9
        used = session.state()["clock"]["sides"][side]["used"]
    assert used == 90.0


def test_a_saved_game_tells_when_its_last_step_was(path: Path) -> None:
    """A file beside the game takes the newest steps, and a copy is younger than its game."""
    with Session.open(path) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
    os.utime(path, (1, 1))
    assert game_library.about(path).changed_s == read(path).steps[-1].at_ms / 1000
    side_of(path).write_bytes(b"")
    os.utime(side_of(path), (7, 7))
    assert game_library.changed_s(path) == 7  # the newer one orders the list


def test_the_steady_clock_goes_on_after_the_last_step() -> None:
    far = time.time_ns() // 1_000_000 + 10**9
    assert steady_now(far)() >= far
    assert abs(steady_now()() - time.time_ns() / 1e6) < 1000


def test_a_clock_started_for_a_side_runs_for_that_side(path: Path) -> None:
    with Session.open(path) as session:
        session.answer({"do": "set-up", "game": "toy", "stones": 9, "seed": 1})
        here = session.history.now
        assert here.play is not None
        moment = here.play.moment(here.state)
        other = next(side for side in moment.sides if side != moment.side)
        for side in (other, moment.side):
            answer = session.answer({"do": "clock", "action": "start", "side": side})
            assert answer["ok"], answer
            assert answer["state"]["clock"]["side"] == side


# -- names and terminals ------------------------------------------------------------------------


@pytest.mark.parametrize("name", [".", "/", "", "..", "/tmp"])
@pytest.mark.parametrize("command", ["session", "export", "report", "replay"])
def test_a_folder_is_no_game(
    name: str, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert main([command, name]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "is a folder" in told


def test_a_game_called_memory_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Session.open(Path(":memory:")) as session:
        assert session.answer({"do": "note", "text": "kept"})["ok"]
    assert len(read(Path(":memory:")).steps) == 1


def test_nothing_in_a_file_moves_the_cursor(path: Path) -> None:
    evil = "\x1b]0;gone\x07\x9b2J\u202e"
    sealed(path, noted(evil), title=evil)
    steps = read(path).steps
    told = "".join(Replay.of(steps).lines()) + markdown(build_story(steps)).replace("\n", "")
    assert told.isprintable()
    plain = json.dumps({"text": evil}, ensure_ascii=False)
    assert hidden_as_json(plain).isprintable()
    assert json.loads(hidden_as_json(plain)) == {"text": evil}


def test_no_two_programs_open_one_game(path: Path) -> None:
    log, _, _ = open_log(path)
    program = (
        "import sys; from pathlib import Path; from companion.session.session import Session\n"
        "Session.open(Path(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, path], cwd=ROOT, capture_output=True, check=False, text=True
    )
    log.close()
    assert "it is open in another program" in done.stderr


@pytest.mark.parametrize("name", ["a.game", "a.game-wal", "a.game.recovered", "a.game.damaged-1"])
def test_a_pipe_in_place_of_a_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.game"
    if name != path.name:
        with Session.open(path) as session:
            session.answer({"do": "note", "text": "one"})
        if "damaged" in name:
            path.write_bytes(path.read_bytes()[:5000])
    os.mkfifo(tmp_path / name)
    command = [sys.executable, "-m", "companion.cli", "session", str(path)]
    done = subprocess.run(
        command, input=b"", capture_output=True, timeout=60, check=False, cwd=ROOT
    )
    assert done.returncode == 2
    assert done.stderr.decode() == f"companion: {tmp_path / name}: is not a file\n"


@pytest.mark.parametrize("length", [241, 245, 250, 256, 5000])
def test_a_name_too_long_for_the_files_beside_it_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / ("x" * (length - 5) + ".game")
    with pytest.raises(BadInput, match=r"\.game: cannot be read: File name too long$"):
        Session.open(path)
    assert not list(tmp_path.iterdir())
    with Session.open(tmp_path / ("x" * 230 + ".game")) as session:
        assert session.answer({"do": "note", "text": "one"})["ok"]


@pytest.mark.usefixtures("modes_hold")
def test_a_folder_that_is_locked_during_a_game_is_called_so(tmp_path: Path) -> None:
    """The game was called deleted; nothing is lost, and it goes on when the folder is open."""
    folder = tmp_path / "games"
    folder.mkdir()
    with Session.open(folder / "a.game") as session:
        assert session.answer({"do": "note", "text": "rain"})["ok"]
        folder.chmod(0)
        answer = session.answer({"do": "note", "text": "lost"})
        folder.chmod(0o755)
        assert answer["why"] == "GONE"
        locked = "a.game: cannot be written: the folder is locked: Permission denied"
        assert answer["say"].endswith(locked)
        assert session.answer({"do": "note", "text": "sun"})["ok"]
    texts = [step.events()[0].data["text"] for step in read(folder / "a.game").steps]
    assert texts == ["rain", "sun"]

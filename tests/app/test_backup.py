"""One zip of everything, and back: whole or not at all, whatever is wrong with the zip."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from companion.app import backup as module
from companion.app.backup import CONTENTS, READY, STAGE, Places, back_up, contents, finish, restore
from companion.app.preferences import Preferences, load, save
from companion.app.station import fresh
from companion.app.task import Running, Stopped, Task
from companion.practice.workbench import workbench_setup
from companion.session.session import Session
from models import BadInput


def quiet(share: float, word: str = "") -> None:
    """A step nobody looks at."""


def device(folder: Path, language: str = "de") -> Places:
    """A device with a game, a set-up, choices and a tray of its own."""
    places = Places(folder / "home", folder / "own")
    games = places.folder / "games"
    games.mkdir(parents=True)
    with closing(sqlite3.connect(games / "a.game")) as link:
        link.execute("create table log (seq integer, text text)")
        link.execute("insert into log values (1, ?)", (language,))
        link.commit()
    fresh(places.folder / "setups", "My table").kept(workbench_setup())
    save(places.folder / "preferences.json", Preferences(language=language))
    (folder / "own").mkdir()
    (folder / "own" / "trays.toml").write_text("[solo]\nwidth = 3\ndepth = 3\n")
    (places.folder / "print").mkdir()
    (places.folder / "print" / "tags.pdf").write_bytes(b"%PDF")
    return places


def seen(places: Places) -> dict[str, bytes]:
    """Every file of the data by name."""
    parts = places.parts()
    return {name: path.read_bytes() for name, path in module.sources(places) if parts}


def logged(path: Path) -> str:
    with closing(sqlite3.connect(path)) as link:
        return str(link.execute("select text from log").fetchone()[0])


def test_everything_comes_back_and_the_old_is_kept_aside(tmp_path: Path) -> None:
    places = device(tmp_path / "one", "de")
    target = back_up(places, tmp_path / "b" / "x.zip", quiet)
    held = contents(target)
    assert (held.games, held.setups) == (1, 1)
    assert not any("print" in name for name in held.files)
    other = device(tmp_path / "two", "ru")
    before = seen(other)
    aside = restore(target, other, quiet)
    assert load(other.folder / "preferences.json").language == "de"
    assert logged(other.folder / "games" / "a.game") == "de"
    assert (other.folder / "print" / "tags.pdf").exists()
    kept = {name: (aside / name).read_bytes() for name in before if (aside / name).exists()}
    assert kept == before
    assert logged(aside / "games" / "a.game") == "ru"
    assert not (other.folder / STAGE).exists()


def test_a_game_that_is_being_played_is_packed_whole(tmp_path: Path) -> None:
    places = device(tmp_path / "one")
    path = places.folder / "games" / "a.game"
    with closing(sqlite3.connect(path)) as link:
        link.execute("pragma journal_mode = wal")
        link.execute("update log set text = 'written just now'")
        link.commit()
        assert path.with_name("a.game-wal").stat().st_size > 0
        target = back_up(places, tmp_path / "x.zip", quiet)
    with zipfile.ZipFile(target) as bundle:
        assert not any(name.endswith("-wal") for name in bundle.namelist())
        bundle.extract("games/a.game", tmp_path / "out")
    assert logged(tmp_path / "out" / "games" / "a.game") == "written just now"


@pytest.mark.parametrize("here", [True, False])
def test_a_game_nobody_else_may_open_is_packed_whole(tmp_path: Path, here: bool) -> None:
    # A session keeps its file to itself; a backup must neither wait for it nor miss a step.
    places = Places(tmp_path / "home")
    path = places.folder / "games" / "played.game"
    path.parent.mkdir(parents=True)
    with Session.open(path) as session:
        for number in range(5):
            assert session.answer({"do": "note", "text": f"note {number}"})["ok"]

        def copy(asked: Path, target: Path) -> bool:
            assert asked == path
            session.log.copy(target)
            return True

        ways = {"copy": copy} if here else {}
        target = back_up(places, tmp_path / "x.zip", quiet, **ways)
        with zipfile.ZipFile(target) as bundle:
            bundle.extract("games/played.game", tmp_path / "out")
        assert session.answer({"do": "note", "text": "and on"})["ok"]
    with Session.open(tmp_path / "out" / "games" / "played.game") as copied:
        assert [step.seq for step in copied.log.steps()] == [1, 2, 3, 4, 5]


def test_a_damaged_game_is_packed_as_it_is(tmp_path: Path) -> None:
    places = device(tmp_path / "one")
    (places.folder / "games" / "bad.game").write_bytes(b"not a database at all")
    target = back_up(places, tmp_path / "x.zip", quiet)
    other = Places(tmp_path / "two", tmp_path / "own2")
    restore(target, other, quiet)
    assert (other.folder / "games" / "bad.game").read_bytes() == b"not a database at all"


def rewritten(source: Path, target: Path, change: dict[str, bytes | None]) -> Path:
    """A backup with some files changed, added, or (None) left out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = change.get(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
        for name, data in change.items():
            if name not in old.namelist() and data is not None:
                new.writestr(name, data)
    return target


def listing(source: Path, **files: str) -> bytes:
    with zipfile.ZipFile(source) as bundle:
        raw = json.loads(bundle.read(CONTENTS))
    raw["files"] |= {name.replace("__", "/"): told for name, told in files.items()}
    return json.dumps(raw).encode()


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("text", "is not a backup"),
        ("empty", "is not a backup"),
        ("truncated", "is not a backup"),
        ("other format", "'other/1' is not 'table-companion/backup/1'"),
        ("changed", "games/a.game: was changed since the backup was made"),
        ("missing", "games/a.game: is missing"),
        ("outside", "leads out of the data folder"),
        ("elsewhere", "kivy/config.ini: leads out of the data folder"),
        ("no list", "is not a list of files"),
    ],
)
def test_what_is_not_sound_is_refused_and_changes_nothing(
    tmp_path: Path, what: str, told: str
) -> None:
    good = back_up(device(tmp_path / "one"), tmp_path / "good.zip", quiet)
    bad = tmp_path / "bad.zip"
    made: dict[str, dict[str, bytes | None]] = {
        "other format": {CONTENTS: b'{"format": "other/1"}'},
        "changed": {"games/a.game": b"other bytes"},
        "missing": {"games/a.game": None},
        "outside": {CONTENTS: listing(good, **{"games__..__..__x": "0"}), "games/../../x": b"x"},
        "elsewhere": {CONTENTS: listing(good, **{"kivy__config.ini": "0"}), "kivy/config.ini": b""},
        "no list": {CONTENTS: b'{"format": "table-companion/backup/1", "files": [1]}'},
    }
    if what in made:
        rewritten(good, bad, made[what])
    else:
        whole = good.read_bytes()
        bad.write_bytes(
            {"text": b"hello", "empty": b"", "truncated": whole[: len(whole) // 2]}[what]
        )
    other = device(tmp_path / "two", "ru")
    before = seen(other)
    with pytest.raises(BadInput, match=r"bad\.zip") as refused:
        restore(bad, other, quiet)
    assert told in str(refused.value)
    assert seen(other) == before
    assert not (other.folder / STAGE).exists()
    assert not list(other.folder.glob("before-*"))


@pytest.mark.parametrize("at", [0.0, 0.3, 0.6, 0.88])
def test_a_stopped_restore_changes_nothing(tmp_path: Path, at: float) -> None:
    good = back_up(device(tmp_path / "one"), tmp_path / "good.zip", quiet)
    other = device(tmp_path / "two", "ru")
    before = seen(other)

    def step(share: float, word: str = "") -> None:
        if share >= at:
            raise Stopped

    with pytest.raises(Stopped):
        restore(good, other, step)
    assert seen(other) == before
    assert not (other.folder / STAGE).exists()


def test_a_stopped_backup_leaves_no_file(tmp_path: Path) -> None:
    target = tmp_path / "b" / "x.zip"

    def step(share: float, word: str = "") -> None:
        if share > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        back_up(device(tmp_path / "one"), target, step)
    assert list(target.parent.iterdir()) == []


def test_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = device(tmp_path / "one")

    def full(*_: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "copy_of", full)
    running = Running(Task("b", lambda step: back_up(places, tmp_path / "x.zip", step)))
    running.start()
    running.join(10)
    assert running.progress.state == "failed"
    assert "No space left" in running.progress.why
    assert not (tmp_path / "x.zip").exists()


@pytest.mark.parametrize("cut", range(8))
def test_a_restore_cut_off_anywhere_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    good = back_up(device(tmp_path / "one", "de"), tmp_path / "good.zip", quiet)
    other = device(tmp_path / "two", "ru")
    moves = 0
    really = shutil.move

    class PowerFailure(BaseException):
        pass

    def move(source: Path, target: Path) -> None:
        nonlocal moves
        if moves == cut:
            raise PowerFailure
        moves += 1
        really(source, target)

    monkeypatch.setattr("shutil.move", move)
    with pytest.raises(PowerFailure):
        restore(good, other, quiet)
    monkeypatch.undo()
    finish(other)
    assert load(other.folder / "preferences.json").language == "de"
    assert logged(other.folder / "games" / "a.game") == "de"
    aside = next(other.folder.glob("before-*"))
    assert logged(aside / "games" / "a.game") == "ru"
    assert not (other.folder / STAGE).exists()


def test_a_stage_that_was_never_complete_is_thrown_away(tmp_path: Path) -> None:
    places = device(tmp_path / "one")
    before = seen(places)
    (places.folder / STAGE / "games").mkdir(parents=True)
    assert finish(places) is None
    (places.folder / STAGE / "games").mkdir(parents=True)
    (places.folder / STAGE / READY).write_text("{")
    assert finish(places) is None
    assert seen(places) == before
    assert not (places.folder / STAGE).exists()

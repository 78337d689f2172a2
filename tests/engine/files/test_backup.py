"""One zip of everything, and back: whole or not at all, whatever is wrong with the zip."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.engine.camera.camera_profile import fresh
from companion.engine.files import backup as module
from companion.engine.files import backup_zip, game_library
from companion.engine.files import draft as drafts
from companion.engine.files.backup import READY, STAGE, BackupPaths, back_up, finish, restore
from companion.engine.files.backup_zip import BOMB_BYTES, CONTENTS, FORMAT, contents
from companion.engine.files.game_library import saved_games
from companion.engine.files.preferences import Preferences, load, save
from companion.engine.threads import BackgroundTask, Running, Stopped
from companion.practice.workbench import workbench_setup
from companion.session.session import Session
from companion.session.storage import read
from companion.text.translation import set_language
from companion.vision.sources.stream_address import masked
from models import BadInput
from models.atomic_write import PREFIX
from tests.play.played_games import played


def quiet(share: float, word: str = "") -> None:
    """A step nobody looks at."""


def device(folder: Path, language: str = "de") -> BackupPaths:
    """A device with a game, a set-up, choices and a tray of its own."""
    places = BackupPaths(folder / "home", folder / "own")
    games = places.folder / "games"
    games.mkdir(parents=True)
    with Session.open(games / "a.game") as session:
        assert session.answer({"do": "note", "text": language})["ok"]
    fresh(places.folder / "setups", "My table").saved(workbench_setup())
    save(places.folder / "preferences.json", Preferences(language=language))
    (folder / "own").mkdir()
    (folder / "own" / "trays.toml").write_text("[solo]\nwidth = 3\ndepth = 3\n")
    (places.folder / "print").mkdir()
    (places.folder / "print" / "tags.pdf").write_bytes(b"%PDF")
    return places


def seen(places: BackupPaths) -> dict[str, bytes]:
    """Every file of the data by name."""
    parts = places.parts()
    return {name: path.read_bytes() for name, path in module.sources(places) if parts}


def test_a_backup_tells_its_date_as_the_language_writes_it() -> None:
    told = []
    for language in ("en", "de"):
        set_language(language)
        told.append(backup_zip.shown_date("2026-11-17 09:46"))
    set_language("en")
    assert told == ["2026-11-17, 09:46", "17.11.2026, 09:46"]
    assert backup_zip.shown_date("long ago") == "long ago"
    assert backup_zip.shown_date(3) == ""


def logged(path: Path) -> str:
    return str(read(path).steps[-1].events()[0].data["text"])


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


def test_own_cards_come_back_on_another_device(tmp_path: Path) -> None:
    places = device(tmp_path / "a")
    card = places.folder / "tactics-cards" / "ser-test.toml"
    card.parent.mkdir()
    card.write_text("will = 5", encoding="utf-8")
    (places.folder / "before-20261116").mkdir()
    made = back_up(places, tmp_path / "b.zip", quiet)
    other = device(tmp_path / "c")
    restore(made, other, quiet)
    again = other.folder / "tactics-cards" / "ser-test.toml"
    assert again.read_text(encoding="utf-8") == "will = 5"


def test_a_game_whose_name_begins_with_a_dot_is_packed_too(tmp_path: Path) -> None:
    places = device(tmp_path)
    games = places.folder / "games"
    with Session.open(games / ".hidden.game") as session:
        assert session.answer({"do": "note", "text": "mine"})["ok"]
    (games / f"{PREFIX}0123456789abcdef.tmp.game").write_bytes(b"being written")
    (games / ".DS_Store").write_bytes(b"nothing of ours")
    held = contents(back_up(places, tmp_path / "x.zip", quiet))
    assert [name for name in held.files if "games/" in name] == [
        "games/.hidden.game",
        "games/a.game",
    ]


def test_a_game_that_is_being_played_is_packed_whole(tmp_path: Path) -> None:
    places = device(tmp_path / "one")
    path = places.folder / "games" / "a.game"
    with Session.open(path) as session:
        assert session.answer({"do": "note", "text": "written just now"})["ok"]
        assert path.with_name("a.game-wal").stat().st_size > 0
        target = back_up(places, tmp_path / "x.zip", quiet)
    with zipfile.ZipFile(target) as bundle:
        assert not any(name.endswith("-wal") for name in bundle.namelist())
        bundle.extract("games/a.game", tmp_path / "out")
    assert logged(tmp_path / "out" / "games" / "a.game") == "written just now"


@pytest.mark.parametrize("here", [True, False])
def test_a_game_nobody_else_may_open_is_packed_whole(tmp_path: Path, here: bool) -> None:
    # A session keeps its file to itself; a backup must neither wait for it nor miss a step.
    places = BackupPaths(tmp_path / "home")
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
    other = BackupPaths(tmp_path / "two", tmp_path / "own2")
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
        ("other format", "'other/1' is not 'table-companion/backup/2'"),
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

    monkeypatch.setattr(module, "pack", full)
    running = Running(BackgroundTask("b", lambda step: back_up(places, tmp_path / "x.zip", step)))
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


def test_read_only_folders_are_replaced(tmp_path: Path) -> None:
    """They were copied and could not be removed: the app no longer started, and copied again."""
    good = back_up(device(tmp_path / "one", "de"), tmp_path / "good.zip", quiet)
    other = device(tmp_path / "two", "ru")
    (other.folder / "games").chmod(0o555)
    aside = restore(good, other, quiet)
    assert logged(other.folder / "games" / "a.game") == "de"
    assert logged(aside / "games" / "a.game") == "ru"


@pytest.mark.parametrize("locked", ["games", "thrones-cards", "setups"])
def test_a_locked_folder_is_named_and_never_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locked: str
) -> None:
    """A backup without it was called done."""
    places = device(tmp_path / "one", "de")
    folder = places.folder / locked
    folder.mkdir(exist_ok=True)
    (folder / "a.toml").write_text("x")
    opened = os.scandir

    def scan(path: str | Path) -> Any:
        if Path(path) == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path)

    monkeypatch.setattr("os.scandir", scan)
    with pytest.raises(BadInput, match=rf"{locked}: cannot be read: Permission denied$"):
        back_up(places, tmp_path / "all.zip", quiet)
    assert not (tmp_path / "all.zip").exists()


def test_a_folder_that_must_stay_stops_a_restore_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = back_up(device(tmp_path / "one", "de"), tmp_path / "good.zip", quiet)
    other = device(tmp_path / "two", "ru")
    before = seen(other)
    monkeypatch.setattr("os.access", lambda *_: False)

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(BadInput, match=r"cannot be replaced: Operation not permitted$"):
        restore(good, other, quiet)
    assert seen(other) == before
    assert not (other.folder / STAGE).exists()


def test_a_restore_that_cannot_be_finished_is_one_line_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = back_up(device(tmp_path / "one", "de"), tmp_path / "good.zip", quiet)
    other = device(tmp_path / "two", "ru")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("shutil.move", refuse)
    for _ in range(2):  # by the restore itself, and at the next start
        with pytest.raises(BadInput, match=r"cannot be replaced: Permission denied$"):
            restore(good, other, quiet) if not (other.folder / STAGE).exists() else finish(other)
    assert logged(other.folder / "games" / "a.game") == "ru"
    monkeypatch.undo()
    finish(other)
    assert logged(other.folder / "games" / "a.game") == "de"


@pytest.mark.usefixtures("modes_hold")
def test_a_stage_that_is_locked_is_kept_for_the_next_start(tmp_path: Path) -> None:
    """It was thrown away as if it had never been complete, with half of it in place."""
    places = device(tmp_path / "one")
    stage = places.folder / STAGE
    (stage / "games").mkdir(parents=True)
    (stage / "games" / "new.game").write_text("x")
    (stage / READY).write_text('{"aside": "before-1"}')
    (stage / READY).chmod(0)
    with pytest.raises(BadInput, match=r"restoring: cannot be replaced: Permission denied$"):
        finish(places)
    (stage / READY).chmod(0o644)
    assert finish(places) == places.folder / "before-1"
    assert (places.folder / "games" / "new.game").read_text() == "x"


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


# -- what a device may hold ---------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX systems")
@pytest.mark.parametrize(
    "name",
    [
        b"10:30.game",
        b"a\\b.game",
        b"100%.game",
        b"caf\xe9.game",
        b"tab\there.game",
        "ж%3A.game".encode(),
    ],
)
def test_every_name_of_a_device_comes_back(tmp_path: Path, name: bytes) -> None:
    places = device(tmp_path / "one")
    odd = places.folder / "games" / os.fsdecode(name)
    shutil.copyfile(places.folder / "games" / "a.game", odd)
    target = back_up(places, tmp_path / "x.zip", quiet)
    other = BackupPaths(tmp_path / "two", tmp_path / "own2")
    restore(target, other, quiet)
    assert (other.folder / "games" / os.fsdecode(name)).read_bytes() == odd.read_bytes()
    assert len(list((other.folder / "games").iterdir())) == 2


def test_a_backup_of_the_first_format_is_restored(tmp_path: Path) -> None:
    good = back_up(device(tmp_path / "one"), tmp_path / "good.zip", quiet)
    with zipfile.ZipFile(good) as bundle:
        listed = bundle.read(CONTENTS).replace(b"backup/2", b"backup/1")
    old = rewritten(good, tmp_path / "old.zip", {CONTENTS: listed})
    other = BackupPaths(tmp_path / "two", tmp_path / "own2")
    restore(old, other, quiet)
    assert logged(other.folder / "games" / "a.game") == "de"


def test_a_backup_that_cannot_be_read_back_is_not_called_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = device(tmp_path / "one")
    monkeypatch.setattr(module, "pack", lambda bundle, name, stream: ("0", 0))
    target = tmp_path / "x.zip"
    target.write_bytes(b"the last backup")
    with pytest.raises(BadInput):
        back_up(places, target, quiet)
    assert target.read_bytes() == b"the last backup"
    assert [path.name for path in tmp_path.glob("*")] == ["one", "x.zip"]


def test_damaged_files_and_their_side_files_are_kept(tmp_path: Path) -> None:
    places = device(tmp_path / "one")
    games = places.folder / "games"
    kept = {
        "lost.game-wal": b"what is left",
        "b.game.damaged-1": b"damaged",
        "b.game.damaged-1-wal": b"its side file",
        "bad.game": b"not a game",
        "bad.game-wal": b"nor this",
    }
    for name, data in kept.items():
        (games / name).write_bytes(data)
    target = back_up(places, tmp_path / "x.zip", quiet)
    other = BackupPaths(tmp_path / "two", tmp_path / "own2")
    restore(target, other, quiet)
    for name, data in kept.items():
        assert (other.folder / "games" / name).read_bytes() == data


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX systems")
def test_a_pipe_in_the_data_folder_holds_nothing_up(tmp_path: Path) -> None:
    places = device(tmp_path / "one")
    (places.folder / "preferences.json").unlink()
    for name in ("games/pipe.game", "games/a.seats.json", "preferences.json", "draft.json"):
        os.mkfifo(places.folder / name)
    back_up(places, tmp_path / "x.zip", quiet)
    assert load(places.folder / "preferences.json") == Preferences()
    assert drafts.load(places.folder / "draft.json") == drafts.Draft.fresh()
    assert len(saved_games(places.folder / "games")) == 1
    assert game_library.load_seats(places.folder / "games" / "a.game") == game_library.Seats()


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"games__a.game": "0", "games__a.game__x": "0"}, "is in a folder that is a file"),
        ({"preferences.json__x": "0"}, "leads out of the data folder"),
        ({"games": "0"}, "leads out of the data folder"),
        ({"games__%2e%2e__x": "0"}, "leads out of the data folder"),
        ({"games__..%2F..%2Fx": "0"}, "leads out of the data folder"),
        ({"games__%61.game": "0"}, "names a file twice"),
        ({"games__" + "a" * 256: "0"}, "is longer than a file's name can be"),
        ({"games__" + "a__" * 2000 + "x": "0"}, "is longer than a file's name can be"),
    ],
)
def test_names_that_mean_something_else_are_refused(
    tmp_path: Path, files: dict[str, str], told: str
) -> None:
    good = back_up(device(tmp_path / "one"), tmp_path / "good.zip", quiet)
    bad = rewritten(good, tmp_path / "bad.zip", {CONTENTS: listing(good, **files)})
    with pytest.raises(BadInput, match=r"bad\.zip") as refused:
        contents(bad)
    assert told in str(refused.value)
    assert len(refused.value.place) < 100


def test_too_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    large = tmp_path / "large.zip"
    with zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr(CONTENTS, b" " * (backup_zip.LONGEST_INDEX + 1))
    with pytest.raises(BadInput, match="is too large"):
        contents(large)
    many = tmp_path / "many.zip"
    with zipfile.ZipFile(many, "w") as bundle:
        bundle.writestr(CONTENTS, b"{}")
    data = bytearray(many.read_bytes())
    data[-10:-6] = (backup_zip.LONGEST_INDEX + 1).to_bytes(4, "little")  # the length of its index
    many.write_bytes(data)
    with pytest.raises(BadInput, match="too many"):
        contents(many)
    odd = tmp_path / "odd.zip"
    with zipfile.ZipFile(odd, "w", zipfile.ZIP_LZMA) as bundle:
        bundle.writestr(CONTENTS, b"{}")
    with pytest.raises(BadInput, match="packed in a way"):
        contents(odd)


def test_lists_and_shared_cards_come_back_on_an_empty_device(tmp_path: Path) -> None:
    places = device(tmp_path / "one")
    for name in ("armies/tmg-2021-robb.txt", "shared/figure.toml"):
        path = places.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine\n", encoding="utf-8")
    back_up(places, tmp_path / "a.zip", quiet)
    other = BackupPaths(tmp_path / "two", tmp_path / "two-own")
    restore(tmp_path / "a.zip", other, quiet)
    for name in ("armies/tmg-2021-robb.txt", "shared/figure.toml"):
        assert (other.folder / name).read_text(encoding="utf-8") == "mine\n"


@pytest.mark.parametrize(
    "aside", ["before-\0", f"before-{'1' * 300}", "before-/../..", "before-x", "", 7, None, [], {}]
)
def test_a_hostile_note_of_a_restore_changes_nothing(tmp_path: Path, aside: object) -> None:
    places = device(tmp_path / "one")
    before = seen(places)
    stage = places.folder / STAGE
    (stage / "games").mkdir(parents=True)
    (stage / READY).write_text(json.dumps({"aside": aside}), encoding="utf-8")
    assert finish(places) is None
    assert seen(places) == before


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.truncate(path, 3 << 30)])
def test_a_pipe_or_a_giant_in_place_of_the_note_is_no_note(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    """The pipe was waited for at every start."""
    places = device(tmp_path / "one")
    before = seen(places)
    stage = places.folder / STAGE
    stage.mkdir()
    if make is not os.mkfifo:
        (stage / READY).touch()
    make(stage / READY)
    assert finish(places) is None
    assert seen(places) == before
    assert not stage.exists()


def test_preferences_far_too_large_are_named_before_they_are_read(tmp_path: Path) -> None:
    """They were read whole into the memory."""
    places = device(tmp_path / "one")
    os.truncate(places.folder / "preferences.json", 3 << 30)
    with pytest.raises(BadInput, match=r"preferences.json: is larger than \d+ MiB$"):
        back_up(places, tmp_path / "a.zip", quiet)


KEPT_OTHERWISE = ("backups", "exports", "print", "kivy", "logs")
"""What can be made again, or is itself a backup."""


@pytest.mark.parametrize("game", ["tmg", "thrones", "tactics", "westeros"])
def test_all_that_the_app_keeps_comes_back_on_an_empty_device(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = device(tmp_path / "one")
    monkeypatch.setenv("COMPANION_HOME", str(places.folder))
    played_game, players = played(game), played(game).players(3)
    with Session.open(places.folder / "games" / "b.game") as session:
        session.answer(played_game.set_up(random.Random(3)))
        while session.history.seq < 5:
            side = session.state()["pending"][0]["side"]
            asked = {"do": "state", **({"for": side} if side else {})}
            session.answer(players.command(session.answer(asked)["state"]))
    drafts.save(places.folder / "draft.json", drafts.Draft.fresh())
    folders = ("armies", "shared", *(f"{game}-{what}" for what in ("cards", "scenarios", "titles")))
    for name in folders:
        (places.folder / name).mkdir()
        ending = "txt" if name == "armies" else "toml"
        (places.folder / name / f"mine.{ending}").write_text(f"of {name}\n", encoding="utf-8")
    back_up(places, tmp_path / "a.zip", quiet)
    other = BackupPaths(tmp_path / "two", tmp_path / "two-own")
    restore(tmp_path / "a.zip", other, quiet)

    def kept(folder: Path) -> dict[str, bytes]:
        files = [one for one in sorted(folder.rglob("*")) if one.is_file()]
        named = {one.relative_to(folder).as_posix(): one.read_bytes() for one in files}
        return {k: v for k, v in named.items() if k.split("/")[0] not in KEPT_OTHERWISE}

    assert kept(other.folder) == kept(places.folder)
    assert kept(tmp_path / "two-own") == kept(tmp_path / "one" / "own")
    assert {"draft.json", "armies/mine.txt", f"{game}-cards/mine.toml"} <= kept(other.folder).keys()


def test_thousands_of_small_files_are_restored_without_a_sync_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty thousand took half a minute of processor; all are on the disk before the moves."""
    many = tmp_path / "many.zip"
    files = {f"armies/{n}.txt": hashlib.sha256(b"x").hexdigest() for n in range(300)}
    with zipfile.ZipFile(many, "w") as bundle:
        bundle.writestr(CONTENTS, json.dumps({"format": FORMAT, "made": "", "files": files}))
        for name in files:
            bundle.writestr(name, b"x")
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", synced.append)
    monkeypatch.setattr("os.sync", lambda: synced.append(-1), raising=False)
    places = BackupPaths(tmp_path / "two")
    restore(many, places, quiet)
    assert len(list((places.folder / "armies").iterdir())) == 300
    assert (synced[0], len(synced) < 10) == (-1, True)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as bundle:
        told = {"format": FORMAT, "made": "", "files": {"games/a.game": ""}}
        bundle.writestr(CONTENTS, json.dumps(told))
        bundle.writestr("games/a.game", bytes(BOMB_BYTES + 1))
    with pytest.raises(BadInput, match="far more than a backup of its size"):
        restore(bomb, BackupPaths(tmp_path / "two"), quiet)
    assert not (tmp_path / "two").exists() or not list((tmp_path / "two").rglob("*.game"))


def test_what_killed_backups_left_is_removed_at_a_later_start(tmp_path: Path) -> None:
    places = device(tmp_path / "one")
    folder = places.folder / "backups"
    for age_s, name in ((9000, "old"), (10, "new")):
        scratch = folder / f".companion-backup-{name}"
        scratch.mkdir(parents=True)
        (scratch / "copy").write_bytes(b"half a game")
        part = folder / f".companion-{'ab' if name == 'old' else 'cd'}{'0' * 14}.tmp.zip"
        part.write_bytes(b"half a zip")
        for one in (scratch, part):
            os.utime(one, (one.stat().st_atime, one.stat().st_mtime - age_s))
    (folder / "mine.zip").write_bytes(b"mine")
    finish(places)
    left = sorted(one.name for one in folder.iterdir())
    assert left == [".companion-backup-new", f".companion-cd{'0' * 14}.tmp.zip", "mine.zip"]
    back_up(places, folder / "a.zip", quiet)
    assert sorted(one.name for one in folder.iterdir()) == sorted([*left, "a.zip"])


@pytest.mark.parametrize(
    "address",
    [
        "rtsp://me:secret@10.0.0.5/live",
        "rtsp://me:se/cret#secret@10.0.0.5/live",
        "http://10.0.0.5/video?user=me&password=secret",
        "http://10.0.0.5/video.cgi?loginuse=me&loginpas=secret",
    ],
)
def test_a_backup_holds_no_password_of_a_camera(tmp_path: Path, address: str) -> None:
    places = BackupPaths(tmp_path / "data")
    fresh(places.folder / "setups", "My table").saved(workbench_setup(), source=address)
    broken = places.folder / "setups" / "Other.notes.json"
    broken.write_text(f'{{"source": "{address}", ', encoding="utf-8")
    save(places.folder / "preferences.json", Preferences(dice_camera=address))
    target = back_up(places, tmp_path / "a.zip", quiet)
    with zipfile.ZipFile(target) as bundle:
        texts = [bundle.read(name) for name in bundle.namelist()]
    assert not any(b"secret" in text for text in texts)
    notes = [json.loads(text) for text in texts if b'"lens_px"' in text]
    assert [note["source"] for note in notes] == [masked(address)]
    assert notes[0]["tag_mm"] == 25.0
    kept = [json.loads(text)["dice_camera"] for text in texts if b'"dice_camera"' in text]
    assert kept == [masked(address)]

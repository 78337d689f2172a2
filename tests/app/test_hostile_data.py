"""A data folder that somebody tampered with: the app starts, names what is wrong and goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.app.device import tablet
from companion.app.play import make_data_folder
from companion.app.render.theme import bare
from companion.app.scripted.driver import Driver
from companion.engine.app_service import AppService
from companion.engine.camera import camera_profile
from companion.engine.files import game_library, preferences
from companion.engine.files.backup import (
    BackupPaths,
    back_up,
    backup_name,
    backups,
    finish,
    restore,
)
from companion.engine.files.card_drafts import CardDraft, drafts_of, keep_draft
from companion.engine.files.exports import print_sheets
from companion.engine.files.game_library import new_path, saved_games
from companion.games.api.play import Event
from companion.games.shared.own_files import delete, own_folder
from companion.session.session import Session
from companion.session.step import LogStep
from companion.session.storage import read, write_log
from models import BadInput, CompanionError
from tests.app.bare import no_triangles
from tests.app.conftest import opened

ROOT = Path(__file__).parents[2]


def resealed(path: Path, *events: Event) -> None:
    """A game with such events in a sound chain."""
    path.parent.mkdir(parents=True, exist_ok=True)
    steps: list[LogStep] = []
    for event in events:
        steps.append(LogStep.after(steps[-1] if steps else None, 1, "x", (event,)))
    write_log(path, steps)


def test_the_app_starts_whatever_lies_in_its_folder(tmp_path: Path) -> None:
    evil = {"said": ["{x.__class__.__mro__}"], "with": {"x": 1}}
    resealed(tmp_path / "games" / "a.game", Event("session.note", {"text": evil}))
    resealed(tmp_path / "games" / "b.game", Event("session.undo", {"count": 10**9}))
    (tmp_path / "games" / "c.game").write_bytes(b"")
    (tmp_path / "games" / "d.game").write_bytes(b"not a game")
    (tmp_path / "draft.json").write_text('{"points": Infinity}')
    (tmp_path / "preferences.json").write_text("[" * 100_000)
    os.mkfifo(tmp_path / "games" / "e.game")
    driver = opened(tmp_path)
    try:
        told = " ".join(one.text for one in driver.widgets() if getattr(one, "text", ""))
        assert "step 1" in told
        assert "it is empty" in told
        assert "is not a game of the companion" in told
    finally:
        driver.stop()


@pytest.mark.parametrize(
    "text",
    [
        '{"points": Infinity}',
        '{"points": 1e999}',
        "[" * 100_000,
        '{"a":' * 50_000,
        "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
        "1" * 5000,
    ],
)
def test_a_desk_opens_over_any_draft_and_choices(tmp_path: Path, text: str) -> None:
    for name in ("draft.json", "preferences.json"):
        (tmp_path / name).write_text(text, encoding="latin-1")
    service = AppService(tmp_path, no_triangles)
    assert service.preferences.language == "en"
    service.close()


@pytest.mark.slow
def test_a_game_deleted_under_the_app_is_saved_elsewhere(driver: Driver) -> None:
    driver.press("practice")
    service = driver.app.service
    driver.until(lambda: bool(service.snapshot.path) and bool(service.snapshot.state), 60)
    driver.rest()
    old = Path(service.snapshot.path)
    known = service.snapshot.state["seq"]
    old.unlink()
    service.do({"do": "note", "text": "rain"})
    driver.until(lambda: driver.app.sheet is not None, 30)
    driver.press("save-elsewhere")
    driver.until(lambda: service.snapshot.path != str(old), 30)
    service.do({"do": "note", "text": "sun"})
    assert service.settle()
    new = Path(service.snapshot.path)
    service.leave()
    assert service.settle()
    steps = read(new).steps
    assert len(steps) == known + 1
    assert steps[-1].events()[0].data["text"] == "sun"


def test_a_new_game_does_not_take_the_name_of_a_lost_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.strftime", lambda _: "20261116-120000")
    first = game_library.new_path(tmp_path, "game")
    (tmp_path / f"{first.name}-wal").write_bytes(b"steps")
    assert game_library.new_path(tmp_path, "game") != first


def test_a_folder_of_games_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("x")
    with pytest.raises(BadInput, match=r"games: cannot be written: File exists$"):
        game_library.new_path(tmp_path / "games", "game")


def test_a_data_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match=r"cannot be written: .*COMPANION_HOME"):
        make_data_folder(tmp_path / "file" / "data")
    with pytest.raises(BadInput, match="cannot be written"):
        make_data_folder(Path("/proc/none"))
    make_data_folder(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


def refused(work: Callable[[], object]) -> str:
    """What is refused in one line, "" for an answer; anything else is a fault."""
    try:
        work()
    except CompanionError as error:
        return str(error) if "\n" not in str(error) else "several lines"
    return ""


def quiet(share: float, word: str = "") -> None:
    """Nobody watches the progress."""


@pytest.mark.usefixtures("modes_hold")
@pytest.mark.parametrize("mode", [0o000, 0o111, 0o333, 0o444, 0o555])
@pytest.mark.parametrize("part", ["", "games", "setups", "backups", "card-drafts"])
def test_a_locked_data_folder_is_one_line_and_nothing_is_lost(
    tmp_path: Path, part: str, mode: int
) -> None:
    """Each of these ended in a PermissionError, or held the files of a locked folder for gone."""
    home = tmp_path / "home"
    draft = CardDraft("tactics", "figure", {"name": "a"})
    with Session.open(new_path(home / "games", "game")) as session:
        session.answer({"do": "note", "text": "rain"})
    keep_draft(home, draft)
    camera_profile.fresh(home / "setups", "table").saved()
    places = BackupPaths(home, home / "data")
    good = back_up(places, home / "backups" / "a.zip", quiet)
    other = shutil.copy(good, tmp_path / "other.zip")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    work: dict[str, Callable[[], object]] = {
        "games": lambda: saved_games(home / "games")[0].title,
        "card-drafts": lambda: drafts_of(home, "tactics"),
        "setups": lambda: camera_profile.camera_profiles(home / "setups")[0].name,
        "backups": lambda: backups(home / "backups")[0].name,
        "keeps": lambda: keep_draft(home, draft),
        "profile": lambda: camera_profile.fresh(home / "setups", "table").saved(),
        "prefers": lambda: preferences.save(home / "preferences.json", preferences.Preferences()),
        "backs up": lambda: back_up(places, backup_name(home / "backups"), quiet),
        "prints": lambda: print_sheets(["references"], home / "print", quiet),
        "finishes": lambda: finish(places),
    }
    locked = home / part
    locked.chmod(mode)
    try:
        told = {name: refused(one) for name, one in work.items()}
        told["restores"] = refused(lambda: restore(Path(other), places, quiet))
        assert all(str(home) in one for one in told.values() if one), told
        assert mode & 0o400 or not part or told[part], told
        assert part or mode & 0o200 or (told["prefers"] and told["prints"]), told
    finally:
        locked.chmod(0o755)
        for path in home.glob("before-*/*"):
            path.chmod(0o755)
    kept = {path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert all(data in kept for data in before.values())


@pytest.mark.usefixtures("modes_hold")
def test_locked_folders_are_named_on_the_screens(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    for name in ("games", "setups", "backups", "card-drafts"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name).chmod(0)
    driver = opened(tmp_path)
    app = driver.app
    try:
        for place, name in (("home", "games"), ("camera", "setups"), ("settings", "backups")):
            app.section = "data"
            app.go(place)
            told = [str(one.text) for one in driver.widgets() if getattr(one, "text", "")]
            line = f"{tmp_path / name}: cannot be read: Permission denied"
            assert any(line in bare(text) for text in told), place
    finally:
        driver.stop()
        for name in ("games", "setups", "backups", "card-drafts"):
            (tmp_path / name).chmod(0o755)


def test_a_full_disk_is_named_by_the_worker(tmp_path: Path) -> None:
    """It said "Something went wrong", and a traceback went to the log."""

    def full() -> None:
        raise OSError(28, "No space left on device", "/data/games/a.game")

    service = AppService(tmp_path, no_triangles)
    service.ask(full)
    assert service.settle()
    assert service.snapshot.message.text == "/data/games/a.game: No space left on device"
    assert not service.worker.failures
    service.close()


def test_a_tablet_whose_storage_cannot_be_written_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("ANDROID_PRIVATE", str(tmp_path / "file"))
    with pytest.raises(SystemExit) as ended:
        tablet.run()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "cannot be written" in told


def test_own_cards_lie_in_the_storage_of_a_tablet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANDROID_PRIVATE", str(tmp_path))
    for name in ("COMPANION_HOME", "COMPANION_DATA"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)  # set by the app, restored after the test
    started = SimpleNamespace(run=lambda: None)
    monkeypatch.setattr("companion.app.play.make_app", lambda folder: started)
    tablet.run()
    assert own_folder("tactics-cards") == tmp_path / "table-companion" / "tactics-cards"


@pytest.mark.skipif(shutil.which("mount") is None or os.geteuid() != 0, reason="needs a mount")
def test_a_read_only_data_folder_is_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "sealed"
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", folder], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("this machine mounts nothing for us")
    try:
        env = {**os.environ, "COMPANION_HOME": str(folder), "DISPLAY": ":none"}
        env.pop("SDL_VIDEODRIVER", None)
        done = subprocess.run(
            [sys.executable, "-m", "companion.cli", "play"],
            cwd=ROOT, env=env, capture_output=True, check=False, timeout=60,
        )  # fmt: skip
    finally:
        subprocess.run(["umount", folder], check=True)
    told = done.stderr.decode()
    assert done.returncode == 2, told
    assert told.count("\n") == 1
    assert f"{folder}: cannot be written: Read-only file system" in told


def test_an_own_file_that_cannot_be_deleted_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(BadInput, match="cannot be deleted: Permission denied"):
        delete(tmp_path / "a.toml")

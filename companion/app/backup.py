"""Everything of a device in one zip file, and back: games, set-ups, choices, own trays and units.

A backup is written whole or not at all. Restoring checks all of it first, keeps the old data
aside, and, if it is cut off in the middle, is finished at the next start.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from companion.app.station import SUFFIX as SETUP_SUFFIX
from companion.app.task import Step
from companion.app.words import _
from companion.session.storage import whole
from models import BadInput, CompanionError, atomic_write

FORMAT = "table-companion/backup/1"
CONTENTS = "backup.json"
GAME = ".game"
SIDE_FILES = ("-wal", "-shm", "-journal")
"""What a game that is being played keeps beside itself; a copy needs none of it."""
MOST_BYTES = 2 * 1024**3
"""A backup that unpacks to more than this is not one of ours."""
Copy = Callable[[Path, Path], bool]
"""Copies a game that is being played here; False if it is not."""
STAGE = ".restoring"
READY = "ready.json"


@dataclass(frozen=True, slots=True)
class Places:
    """Where each part of the data lies; a part that is not kept here is left out."""

    folder: Path
    own: Path | None = None
    """The players' own trays and units."""

    def parts(self) -> dict[str, Path]:
        """The parts of a backup by their name in it."""
        found = {
            "games": self.folder / "games",
            "setups": self.folder / "setups",
            "preferences.json": self.folder / "preferences.json",
        }
        return found | ({"data": self.own} if self.own is not None else {})


@dataclass(frozen=True, slots=True)
class Contents:
    """What a backup holds: when it was made, and every file with its digest."""

    made: str
    files: Mapping[str, str]

    @property
    def games(self) -> int:
        """How many games."""
        return sum(name.endswith(GAME) for name in self.files)

    @property
    def setups(self) -> int:
        """How many set-ups."""
        return sum(name.endswith(SETUP_SUFFIX) for name in self.files)


# -- writing ---------------------------------------------------------------------------------


def not_played(path: Path, target: Path) -> bool:
    """Nobody here plays that game."""
    return False


def back_up(places: Places, target: Path, step: Step, copy: Copy = not_played) -> Path:
    """Write a backup; `copy` copies a game that is being played here as it is at this moment."""
    target.parent.mkdir(parents=True, exist_ok=True)
    files = list(sources(places))
    digests: dict[str, str] = {}
    with (
        tempfile.TemporaryDirectory(prefix="companion-backup-") as scratch,
        atomic_write.replacing(target) as part,
        zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle,
    ):
        for number, (name, path) in enumerate(files):
            step(0.95 * number / max(len(files), 1), PurePosixPath(name).name)
            copied = copy_of(path, Path(scratch) / "copy", copy)
            digests[name] = digest(copied)
            bundle.write(copied, name)
        made = time.strftime("%Y-%m-%d %H:%M")
        told = {"format": FORMAT, "made": made, "files": digests}
        bundle.writestr(CONTENTS, json.dumps(told, indent=1))
        step(0.98)
    return target


def sources(places: Places) -> Iterator[tuple[str, Path]]:
    """Every file of a backup, with its name in it."""
    for part, place in places.parts().items():
        if place.is_file():
            yield part, place
        elif place.is_dir():
            for path in sorted(place.rglob("*")):
                hidden = any(piece.startswith(".") for piece in path.relative_to(place).parts)
                if path.is_file() and not hidden and not path.name.endswith(SIDE_FILES):
                    yield f"{part}/{path.relative_to(place).as_posix()}", path


def copy_of(path: Path, scratch: Path, copy: Copy = not_played) -> Path:
    """A file that does not change while it is packed; a damaged game is packed as it is."""
    scratch.unlink(missing_ok=True)
    if path.name.endswith(GAME):
        if copy(path, scratch):
            return scratch
        try:
            with (
                closing(
                    sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0.2)
                ) as old,
                closing(sqlite3.connect(scratch)) as new,
            ):
                old.backup(new, progress=unless_locked)
            return scratch
        except sqlite3.Error:
            scratch.unlink(missing_ok=True)
            with suppress(CompanionError):  # another program plays it: its two files as one
                scratch.write_bytes(whole(path))
                return scratch
    shutil.copyfile(path, scratch)
    return scratch


def unless_locked(status: int, remaining: int, total: int) -> None:
    """SQLite would wait for a locked file for ever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise sqlite3.OperationalError("the file is in use")


def digest(path: Path) -> str:
    """A file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# -- reading ---------------------------------------------------------------------------------


def contents(bundle_path: Path) -> Contents:
    """What a backup holds; anything that is not a sound one is refused by name."""
    try:
        with zipfile.ZipFile(bundle_path) as bundle:
            return read_contents(bundle, str(bundle_path))
    except (OSError, zipfile.BadZipFile, RuntimeError) as error:
        raise BadInput(str(bundle_path), "", f"is not a backup: {error}") from None


def read_contents(bundle: zipfile.ZipFile, source: str) -> Contents:
    """The list in a backup, checked against what is really in it."""
    if CONTENTS not in bundle.namelist():
        raise BadInput(source, "", f"is not a backup: it has no {CONTENTS}")
    try:
        raw: Any = json.loads(bundle.read(CONTENTS))
    except ValueError:
        raise BadInput(source, CONTENTS, "cannot be read") from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        told = raw.get("format") if isinstance(raw, dict) else raw
        raise BadInput(source, f"{CONTENTS}.format", f"{told!r} is not {FORMAT!r}")
    files = raw.get("files")
    if not isinstance(files, dict) or not all(isinstance(one, str) for one in files.values()):
        raise BadInput(source, f"{CONTENTS}.files", "is not a list of files")
    for name in files:
        if not safe(name):
            raise BadInput(source, name, "leads out of the data folder")
    real = {one.filename: one.file_size for one in bundle.infolist() if not one.is_dir()}
    missing = sorted(files.keys() - real.keys())
    if missing:
        raise BadInput(source, missing[0], "is missing")
    if sum(real.values()) > MOST_BYTES:
        raise BadInput(source, "", f"unpacks to {sum(real.values())} bytes: too much")
    return Contents(str(raw.get("made", "")), files)


def safe(name: str) -> bool:
    """Whether a name in a backup stays inside the parts that backups have."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or set("\\:") & set(name):
        return False
    return bool(path.parts) and path.parts[0] in Places(Path(), Path()).parts()


def restore(bundle_path: Path, places: Places, step: Step) -> Path:
    """Put a backup in place of the data there is; answers where the old data lies now."""
    held = contents(bundle_path)
    stage = places.folder / STAGE
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    try:
        unpack(bundle_path, held, stage, step)
        step(0.9, _("putting it in place"))
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        raise
    aside = free_name(places.folder / f"before-{time.strftime('%Y%m%d-%H%M%S')}")
    # From here on it is finished, now or at the next start.
    with atomic_write.replacing(stage / READY) as part:
        part.write_text(json.dumps({"aside": aside.name}), encoding="utf-8")
    return finish(places) or aside


def unpack(bundle_path: Path, held: Contents, stage: Path, step: Step) -> None:
    """Every file, its digest compared: a game that was damaged before comes back as it was."""
    source = str(bundle_path)
    try:
        with zipfile.ZipFile(bundle_path) as bundle:
            for number, (name, told) in enumerate(held.files.items()):
                step(0.85 * number / max(len(held.files), 1), PurePosixPath(name).name)
                path = stage / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with bundle.open(name) as packed, path.open("wb") as file:
                    shutil.copyfileobj(packed, file)
                    file.flush()
                    os.fsync(file.fileno())
                if digest(path) != told:
                    raise BadInput(source, name, "was changed since the backup was made")
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError) as error:
        raise BadInput(source, "", f"is damaged: {error}") from None


def finish(places: Places) -> Path | None:
    """Put what is staged in place: called at every start, in case the last one was cut off.

    Every move can be the last one before the power fails; doing the rest afterwards ends the same.
    """
    stage = places.folder / STAGE
    if not stage.is_dir():
        return None
    try:
        told = json.loads((stage / READY).read_text(encoding="utf-8"))
        aside = places.folder / PurePosixPath(str(told["aside"])).name
    except (OSError, ValueError, KeyError, TypeError):
        shutil.rmtree(stage, ignore_errors=True)  # it was never complete: the old data stays
        return None
    aside.mkdir(exist_ok=True)
    for part, place in places.parts().items():
        staged = stage / part
        if not staged.exists():
            continue
        if place.exists():
            shutil.move(place, free_name(aside / part))
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(staged, place)
    shutil.rmtree(stage, ignore_errors=True)
    return aside


def free_name(path: Path) -> Path:
    """The path itself, or the next one that nobody has."""
    found, number = path, 2
    while found.exists():
        found, number = path.with_name(f"{path.name}-{number}"), number + 1
    return found


def backups(folder: Path) -> tuple[Path, ...]:
    """The backups of a folder, the latest first."""
    return tuple(sorted(folder.glob("*.zip"), reverse=True)) if folder.is_dir() else ()


def backup_name(folder: Path) -> Path:
    """A free name for a backup of this moment."""
    stem = f"table-companion-{time.strftime('%Y%m%d-%H%M%S')}"
    path, number = folder / f"{stem}.zip", 2
    while path.exists():
        path, number = folder / f"{stem}-{number}.zip", number + 1
    return path

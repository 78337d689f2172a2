"""Backup and restore of a device's data in one zip: games, set-ups, preferences, trays and units.

A backup is written completely or not at all, and verified by reading it back. Restoring checks
everything first and moves the old data aside; if it is interrupted, it is completed at the next
start.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NoReturn

from companion.engine.app_words import _
from companion.engine.camera.camera_profile import NOTES
from companion.engine.files.backup_zip import (
    CONTENTS,
    FILES,
    FORMAT,
    GAME,
    LISTS,
    MADE,
    MOST_BYTES,
    MOST_FILES,
    OWN_FOLDER,
    SHARED,
    Contents,
    contents,
    encoded,
    reading,
)
from companion.engine.threads import TaskStep
from companion.session.storage import read, real_path, whole
from companion.vision.sources.stream_address import masked
from models import BadInput, CompanionError, atomic_write
from models.field import file_size, files_named, read_bytes, shown
from models.message import file_problem

SIDE_FILES = ("-wal", "-journal")
"""SQLite's files beside an open game; a copy of an undamaged game needs none of them."""
CHUNK = 1 << 20
Copy = Callable[[Path, Path], bool]
"""Copies a game that is open in the app; returns False if it is not."""
STAGE = ".restoring"
BACKUPS, SCRATCH = "backups", f"{atomic_write.PREFIX}backup-"
"""Where the app keeps backups, and the folders in it that one works in while it is made."""
ASIDE = re.compile(r"before-[0-9-]{1,40}")
"""How the folder of the old data is called."""
READY, LONGEST_NOTE = "ready.json", 1000
"""The note of a stage that is complete, and how much of it is read."""
PREFERENCES = "preferences.json"
ADDRESSES = ("source", "dice_camera")
"""Where a camera's address stands in its notes and in the preferences."""


@dataclass(frozen=True, slots=True)
class BackupPaths:
    """The path of each part of the data; a part that this device does not have is left out."""

    folder: Path
    own: Path | None = None
    """The players' own trays and units."""

    def parts(self, stage: Path | None = None) -> dict[str, Path]:
        """The parts of a backup by their name in the zip; a stage may hold further own folders."""
        found = own_folders(self.folder, self.folder)
        if stage is not None:
            found |= own_folders(stage, self.folder)
        found |= {
            "games": self.folder / "games",
            "setups": self.folder / "setups",
            LISTS: self.folder / LISTS,
            SHARED: self.folder / SHARED,
        }
        found |= {name: self.folder / name for name in FILES}
        return found | ({"data": self.own} if self.own is not None else {})


def own_folders(where: Path, folder: Path) -> dict[str, Path]:
    """The folders of the players' own cards and boards that are there, and their places."""
    return {
        name: folder / name
        for name in (one.name for one in files_named(where, ""))
        if OWN_FOLDER.fullmatch(name)
        and any(
            one.suffix == ".toml" and one.parent == where / name for one in files_in(where / name)
        )
    }


# -- writing ---------------------------------------------------------------------------------


def not_played(path: Path, target: Path) -> bool:
    """The default `Copy`: no game is open."""
    return False


def back_up(places: BackupPaths, target: Path, step: TaskStep, copy: Copy = not_played) -> Path:
    """Write a backup and verify it; `copy` copies a game that is open in the app."""
    atomic_write.make_folder(target.parent)
    try:
        pack_all(list(sources(places)), target, step, copy)
    except OSError as error:
        raise file_problem(error) from None
    return target


def pack_all(files: Sequence[tuple[str, Path]], target: Path, step: TaskStep, copy: Copy) -> None:
    """Write these files into one zip and verify it."""
    refuse_too_much([path for _name, path in files])
    digests: dict[str, str] = {}
    total = 0
    with (
        tempfile.TemporaryDirectory(prefix=SCRATCH, dir=target.parent) as scratch,
        atomic_write.replacing(target) as part,
    ):
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
            for number, (name, path) in enumerate(files):
                step(0.6 * number / max(len(files), 1), PurePosixPath(encoded(name)).name)
                for ending, stream in contents_of(path, Path(scratch) / "copy", copy):
                    with stream:
                        packed = encoded(name + ending)
                        digests[packed], size = pack(bundle, packed, stream)
                    total += size
                    if total >= MOST_BYTES or len(digests) > MOST_FILES:
                        raise BadInput(str(target), "", "there is more data than a backup holds")
            made = time.strftime(MADE)
            told = {"format": FORMAT, "made": made, "files": digests}
            pack(bundle, CONTENTS, io.BytesIO(json.dumps(told, indent=1).encode()))
        verify(part, step, 0.6, 0.98)


def refuse_too_much(paths: Sequence[Path]) -> None:
    """Before anything is read: name the largest file where all together are more than fits."""
    sizes = {path: file_size(path) for path in paths}
    if sum(sizes.values()) >= MOST_BYTES:
        largest = max(sizes, key=sizes.__getitem__)
        size = f"{sizes[largest] // 1024**2:,} MiB"
        raise BadInput(str(largest), "", f"{size}: there is more data than a backup holds")


def sources(places: BackupPaths) -> Iterator[tuple[str, Path]]:
    """Every file of a backup, with its name in the zip."""
    for part, place in places.parts().items():
        if place.is_file():
            yield part, place
        elif place.is_dir():
            for path in sorted(files_in(place)):
                if path.is_file() and not unfinished(path, place) and not beside_a_game(path):
                    yield f"{part}/{path.relative_to(place).as_posix()}", path


def files_in(folder: Path) -> Iterator[Path]:
    """Every file in a folder and those in it; one that is locked is named, never left out."""

    def refuse(error: OSError) -> NoReturn:
        name = str(error.filename or folder)
        raise BadInput(name, "", f"cannot be read: {error.strerror or error}")

    for where, _folders, names in os.walk(folder, onerror=refuse):
        yield from (Path(where, name) for name in names)


def unfinished(path: Path, place: Path) -> bool:
    """Whether a file is hidden, as one that is being written is; a game may be called so."""
    *folders, name = path.relative_to(place).parts
    return any(one.startswith(".") for one in folders) or (
        name.startswith(".") and (name.startswith(atomic_write.PREFIX) or not name.endswith(GAME))
    )


def beside_a_game(path: Path) -> bool:
    """Whether a file is packed together with its game, or recreated by SQLite."""
    main = next((path.name.removesuffix(one) for one in SIDE_FILES if path.name.endswith(one)), "")
    return path.name.endswith("-shm") or (main.endswith(GAME) and path.with_name(main).is_file())


def contents_of(path: Path, scratch: Path, copy: Copy) -> Iterator[tuple[str, BinaryIO]]:
    """The contents to pack for a file, each with a suffix for its name.

    An undamaged game is one file, even while it is open. A damaged one is packed as it is, together
    with its side file, because more can be recovered from both.
    """
    if path.name.endswith((NOTES, PREFERENCES)):
        yield "", io.BytesIO(without_passwords(read_bytes(path)))
        return
    if not path.name.endswith(GAME):
        yield "", path.open("rb")
        return
    scratch.unlink(missing_ok=True)
    if copy(path, scratch):
        yield "", scratch.open("rb")
        return
    try:
        found = read(path)
    except CompanionError:
        found = None  # not a game, or an unreadable one
    if found is not None and found.damage is None:
        yield "", io.BytesIO(whole(found))
        return
    path = real_path(path)
    yield "", path.open("rb")
    for ending in SIDE_FILES:
        side = path.with_name(path.name + ending)
        if side.is_file():
            yield ending, side.open("rb")


def without_passwords(notes: bytes) -> bytes:
    """A camera's notes, or the preferences, with stars for the passwords in an address."""
    try:
        told = json.loads(notes)
        open_ = {name: told[name] for name in ADDRESSES if isinstance(told.get(name), str)}
        safe = {name: masked(address) for name, address in open_.items()}
        return notes if safe == open_ else json.dumps({**told, **safe}).encode()
    except (ValueError, AttributeError, RecursionError):  # a broken file, which nobody reads
        return b"\n".join(
            masked(line.decode(errors="surrogateescape")).encode(errors="surrogateescape")
            for line in notes.split(b"\n")
        )


def pack(bundle: zipfile.ZipFile, name: str, stream: BinaryIO) -> tuple[str, int]:
    """Pack a stream and return its SHA-256 and its size."""
    digest, size = hashlib.sha256(), 0
    with bundle.open(name, "w", force_zip64=False) as member:
        while size < MOST_BYTES and (chunk := stream.read(CHUNK)):
            digest.update(chunk)
            size += len(chunk)
            member.write(chunk)
    return digest.hexdigest(), size


def verify(bundle_path: Path, step: TaskStep, start: float, end: float) -> None:
    """Read a backup as restoring would; raises BadInput if it could not be restored."""
    held = contents(bundle_path)
    with reading(bundle_path) as bundle:
        for number, (name, told) in enumerate(held.files.items()):
            step(start + (end - start) * number / max(len(held.files), 1))
            found = hashlib.sha256()
            with bundle.open(name) as packed:
                while chunk := packed.read(CHUNK):
                    found.update(chunk)
            if found.hexdigest() != told:
                raise BadInput(str(bundle_path), name, "cannot be read back as it was written")


# -- reading ---------------------------------------------------------------------------------


def restore(bundle_path: Path, places: BackupPaths, step: TaskStep) -> Path:
    """Replace the data by a backup; returns the folder the old data was moved to."""
    held = contents(bundle_path)
    stage = places.folder / STAGE
    shutil.rmtree(stage, ignore_errors=True)
    for place in places.parts().values():
        make_movable(place)
    try:
        atomic_write.make_folder(stage)
        if shutil.disk_usage(stage).free < held.size:
            raise BadInput(str(bundle_path), "", f"needs {held.size} bytes: the disk is too full")
        unpack(bundle_path, held, stage, step)
        atomic_write.sync_all(stage)
        step(0.9, _("putting it in place"))
    except BaseException as error:
        shutil.rmtree(stage, ignore_errors=True)
        if isinstance(error, OSError):
            raise file_problem(error) from None
        raise
    aside = free_name(places.folder / f"before-{time.strftime('%Y%m%d-%H%M%S')}")
    # From here on the restore will be completed, now or at the next start.
    atomic_write.write_text(stage / READY, json.dumps({"aside": aside.name}))
    return finish(places) or aside


def make_movable(place: Path) -> None:
    """Let the old data of a part be moved away, or raise why it cannot be; files stay as they are.

    A folder that is read-only cannot change its place: it would be copied, and the restore stopped
    half-way.
    """
    try:
        if not place.is_dir() or os.access(place, os.W_OK | os.X_OK):
            return
        place.chmod(0o700 | place.stat().st_mode)
    except OSError as error:
        raise unmoved(place, error) from None


def unmoved(place: Path, error: OSError) -> BadInput:
    return BadInput(str(place), "", f"cannot be replaced: {error.strerror or error}")


def unpack(bundle_path: Path, held: Contents, stage: Path, step: TaskStep) -> None:
    """Unpack every file and compare its digest; a damaged game is restored as it was packed."""
    source = str(bundle_path)
    with reading(bundle_path) as bundle:
        for number, (name, told) in enumerate(held.files.items()):
            step(0.85 * number / max(len(held.files), 1), PurePosixPath(name).name)
            path = stage / held.names[name]
            if os.path.lexists(path):  # where letters are folded, two names may be one
                raise BadInput(source, shown(name)[1:-1], "has the name of another file here")
            found = hashlib.sha256()
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with bundle.open(name) as packed, path.open("xb") as file:
                    while chunk := packed.read(CHUNK):
                        found.update(chunk)
                        file.write(chunk)
            except OSError as error:
                raise BadInput(source, shown(name)[1:-1], str(error.strerror or error)) from None
            if found.hexdigest() != told:
                raise BadInput(source, name, "was changed since the backup was made")


def finish(places: BackupPaths) -> Path | None:
    """Complete a restore; called at every start, in case the last one was interrupted.

    Power may fail after any of the moves; running this again does the rest, with the same result.
    """
    remove_abandoned(places.folder / BACKUPS)
    stage = places.folder / STAGE
    if not os.path.isdir(stage):
        return None
    try:
        told = ready_note(stage / READY)
        name = str(told["aside"])
        if not ASIDE.fullmatch(name):
            raise ValueError(name)
        aside = places.folder / name
        aside.mkdir(exist_ok=True)
    except (FileNotFoundError, ValueError, KeyError, TypeError, RecursionError):
        shutil.rmtree(stage, ignore_errors=True)  # it was never complete, so the old data stays
        return None
    except OSError as error:  # half of it may be in place: the next start tries again
        raise unmoved(stage, error) from None
    for part, place in places.parts(stage).items():
        staged = stage / part
        try:
            if not staged.exists():
                continue
            if place.exists():
                make_movable(place)
                shutil.move(place, free_name(aside / part))
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(staged, place)
        except OSError as error:  # the next start tries again
            raise unmoved(place, error) from None
    shutil.rmtree(stage, ignore_errors=True)
    return aside


def ready_note(path: Path) -> Any:
    """What the note of a complete stage says; ValueError for a pipe, or far more than a note."""
    if os.path.lexists(path) and not path.is_file():
        raise ValueError(path)
    with path.open("rb") as file:
        return json.loads(file.read(LONGEST_NOTE))


def remove_abandoned(folder: Path) -> None:
    """Remove what backups that were killed left behind an hour ago or earlier."""
    atomic_write.remove_abandoned(folder)
    with suppress(CompanionError, OSError):  # a locked folder, which the list of backups names
        for scratch in files_named(folder, ""):
            old = time.time() - scratch.stat().st_mtime > atomic_write.ABANDONED_S
            if scratch.name.startswith(SCRATCH) and old:
                shutil.rmtree(scratch, ignore_errors=True)


def free_name(path: Path) -> Path:
    """The path itself, or the first numbered variant that does not exist."""
    found, number = path, 2
    while os.path.lexists(found):
        found, number = path.with_name(f"{path.name}-{number}"), number + 1
    return found


def backups(folder: Path) -> tuple[Path, ...]:
    """The backups in a folder, newest first."""
    return tuple(reversed(files_named(folder, ".zip")))


def backup_name(folder: Path) -> Path:
    """An unused file name for a backup made now."""
    stem = f"table-companion-{time.strftime('%Y%m%d-%H%M%S')}"
    path, number = folder / f"{stem}.zip", 2
    while os.path.lexists(path):
        path, number = folder / f"{stem}-{number}.zip", number + 1
    return path

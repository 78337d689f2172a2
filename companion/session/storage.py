"""Opening a game's file: intact, new, read-only, or corrupt and then recovered.

A corrupt file is never overwritten: it is kept under another name, and the steps recovered from it
go into a new file in its place. Only one process at a time does this (`file_lock.py`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from companion.session.file_lock import folder_lock, in_use
from companion.session.log import (
    APPLICATION,
    MAX_BYTES,
    PAGE,
    Damaged,
    Log,
    create,
    reason,
    verified,
)
from companion.session.salvage import (
    FRAME,
    WAL_HEADER,
    accepted,
    contradicts,
    dropped,
    joined,
    salvage,
    sound_frames,
    with_last_frame_mended,
)
from companion.session.step import LogStep
from models import BadInput, CompanionError, atomic_write
from models.message import say

SIDE = "-wal"
SQLITE_FILES = (SIDE, "-shm", "-journal")
"""What SQLite keeps beside a game."""
LONGEST_BESIDE = ".damaged-999-wal"
"""What may be added to a game's name for the files beside it."""
TRIES = 5
MAGIC = b"SQLite format 3\0"
WRITE_AHEAD = b"\2\2"
"""Bytes 18 and 19 of a file whose newest steps may be in its write-ahead log."""
FIRST_PAGE_TYPE, LEAF_TABLE = 100, 13
"""Where the first page says what it is, and the value of one without further pages."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What was wrong with a file, what was recovered, and where the corrupt file is now."""

    path: str
    problem: str
    saved: int
    beyond: int
    last_title: str = ""
    aside: str = ""

    def say(self) -> str:
        """The report as one line for the players."""
        file, problem, saved, title = self.path, self.problem, self.saved, self.last_title
        if not saved:
            told = say(
                "{file} is damaged ({problem}); no step could be saved", file=file, problem=problem
            )
        elif self.beyond > saved:
            told = say(
                "{file} is damaged ({problem}); steps 1 to {saved} are saved, the last is"
                " “{title}”; of the steps up to {beyond} not all could be read",
                file=file,
                problem=problem,
                saved=saved,
                title=title,
                beyond=self.beyond,
            )
        else:
            told = say(
                "{file} is damaged ({problem}); steps 1 to {saved} are saved,"
                " the last is “{title}”",
                file=file,
                problem=problem,
                saved=saved,
                title=title,
            )
        if not self.aside:
            return told
        return say("{told}; the damaged file is kept as {aside}", told=told, aside=self.aside)

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        return {
            "problem": self.problem,
            "saved": self.saved,
            "beyond": self.beyond,
            "kept": self.aside,
            "say": self.say(),
        }


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """The bytes of a file and its write-ahead log, the steps in them, and what is wrong."""

    data: bytes
    side: bytes
    steps: list[LogStep]
    damage: Damage | None = None


def open_log(path: Path) -> tuple[Log, list[LogStep], Damage | None]:
    """Open a game's file for writing; create it if it is missing."""
    path = real_path(path)
    refuse_folder(path)
    with folder_lock(path):
        # A file that another program is writing at this moment may look corrupt.
        if in_use(path):
            reason = say("it is open in another program")
            raise BadInput(str(path), "", say("cannot be opened: {reason}", reason=reason))
        found = read(path)
        damage = None if found.damage is None else recover(path, found, found.damage)
        log, steps = Log.open(path)
        if len(steps) < len(found.steps):
            # SQLite reads fewer steps than the bytes contain: write the recovered ones in their
            # place.
            log.close()
            problem = say("its side file is broken")
            damage = damage_of(path, found.steps, len(found.steps), problem)
            damage = recover(path, found, damage)
            log, steps = Log.open(path)
        return log, steps, damage


def real_path(path: Path) -> Path:
    """The file that a link leads to: SQLite keeps its files beside that one."""
    try:
        return Path(os.path.realpath(path)) if path.is_symlink() else path
    except (OSError, ValueError):
        return path  # what is wrong with it is said where it is opened


def refuse_folder(path: Path) -> None:
    """Raise for a path that cannot be a game's file: a folder, a pipe, or an empty name."""
    try:
        folder = not path.name or path.is_dir()
        other = path.exists() and not path.is_file()  # opening a pipe would wait for a writer
        if not folder:  # an error if the name is too long, or none at all
            with suppress(FileNotFoundError, NotADirectoryError):
                path.with_name(path.name + LONGEST_BESIDE).lstat()
    except (OSError, ValueError) as error:
        problem = str(getattr(error, "strerror", None) or error)
        raise BadInput(str(path), "", say("cannot be read: {reason}", reason=problem)) from None
    if folder:
        raise BadInput(str(path), "", say("is a folder, not a game's file"))
    if other:
        raise BadInput(str(path), "", say("is not a file"))
    for ending in SQLITE_FILES:  # SQLite, too, would wait for the writer of a pipe
        beside = path.with_name(path.name + ending)
        if os.path.lexists(beside) and not os.path.isfile(beside):
            raise BadInput(str(beside), "", say("is not a file"))


def read(path: Path) -> OpenedFile:
    """Read the steps of a file without changing it: it may be read-only, corrupt, or in use.

    The process that has it open must use `Log.steps`: on many systems, reading the file outside
    SQLite would release the lock that keeps other programs from writing.
    """
    path = real_path(path)
    refuse_folder(path)
    data, side = both(path)
    refuse_second_name(path, data, side)
    unfinished = content(recovering(path))
    aside = interrupted(path, data, side)
    if aside is not None:
        side = content(side_of(aside))
        problem = say("its recovery was cut short")
        return damaged(path, data, side, problem, content(aside) if aside.exists() else b"")
    if not data and not side and not unfinished:
        empty = damage_of(path, [], 0, say("it is empty")) if path.exists() else None
        return OpenedFile(data, side, [], empty)
    if not data and side:
        if never_begun(side):
            return OpenedFile(data, side, [])
        return damaged(path, data, side, say("only its side file is left"))
    if never_created(data) and not salvage([data, unfinished], [side]).beyond:
        return OpenedFile(data, side, [])
    own = salvage([data], []).steps if side else []
    if contradicts(side, own):  # SQLite would apply it all the same, and this game were lost
        raise belongs_elsewhere(path)
    try:
        steps = verified_copy(joined(data, accepted(side)))
    except Damaged as error:
        return damaged(path, data, side, str(error))
    except CompanionError as error:
        raise BadInput(str(path), "", str(error)) from None
    if own != steps[: len(own)]:
        raise belongs_elsewhere(path)
    commits = dropped(side)
    if commits > 1 or (commits and len(salvage([data], [side]).steps) > len(steps)):
        return damaged(path, data, side, say("its side file is broken"))
    mended = with_last_frame_mended(side)
    if mended is not None and len(salvage([data], [mended]).steps) > len(steps):
        found = damaged(path, data, mended, say("its side file is broken"))
        return replace(found, side=side)
    if unfinished and len(salvage([data, unfinished], []).steps) > len(steps):
        return damaged(path, data, side, say("its recovery was cut short"))
    return OpenedFile(data, side, steps)


def belongs_elsewhere(path: Path) -> BadInput:
    """The refusal of a game beside which lies the write-ahead log of another."""
    side = side_of(path).name
    return BadInput(str(path), "", say("{side} beside it belongs to another game", side=side))


def whole(found: OpenedFile) -> bytes:
    """The game as one file: its bytes with the write-ahead log merged in."""
    return joined(found.data, accepted(found.side))


def both(path: Path) -> tuple[bytes, bytes]:
    """Read a file and its write-ahead log consistently, even while another program writes them."""
    for _try in range(TRIES):
        side = content(side_of(path))
        data = content(path)
        if content(side_of(path)) == side:
            break
    return data, side


def content(path: Path) -> bytes:
    """The bytes of a file, empty if there is no file."""
    try:
        if path.exists() and not path.is_file():
            raise BadInput(str(path), "", say("is not a file"))
        if path.exists() and path.stat().st_size > MAX_BYTES:
            raise BadInput(str(path), "", say("is larger than {most} MiB", most=MAX_BYTES // 2**20))
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(
            str(path), "", say("cannot be read: {reason}", reason=str(problem or error))
        ) from None


def side_of(path: Path) -> Path:
    """The path of the write-ahead log that SQLite keeps beside an open or interrupted game."""
    return path.with_name(path.name + SIDE)


def verified_copy(data: bytes) -> list[LogStep]:
    """The steps of an intact game; raises Damaged, or CompanionError for any other kind of file."""
    if not data.startswith(MAGIC):
        raise Damaged(say("its beginning is not that of a game"))
    link = sqlite3.connect(":memory:", isolation_level=None)
    try:
        # These two bytes of the header select write-ahead logging; here there is no such log.
        link.deserialize(b"".join((data[:18], b"\1\1", memoryview(data)[20:])))
        return verified(link)
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from None
    finally:
        link.close()


def damaged(path: Path, data: bytes, side: bytes, problem: str, more: bytes = b"") -> OpenedFile:
    """What can be read from a corrupt file; a file that never was a game is refused."""
    saved = salvage([data, more, content(recovering(path))], [side])
    if not saved.steps and not data and side:
        lost = say("{problem}, and no step can be read from it", problem=problem)
        raise BadInput(str(path), "", lost)
    if not saved.steps and not ours(data):
        raise BadInput(str(path), "", say("is not a game of the companion"))
    return OpenedFile(data, side, saved.steps, damage_of(path, saved.steps, saved.beyond, problem))


def never_begun(side: bytes) -> bool:
    """Whether a write-ahead log without its game is from a program killed before the first step."""
    complete = len(side) < WAL_HEADER + (sound_frames(side) + 1) * FRAME
    return complete and not salvage([], [side]).beyond


def never_created(data: bytes) -> bool:
    """Whether a program was killed while it made a file: it is one page without a table."""
    numbers = data[60:64] + data[68:72]  # the layout and the application that we write
    return (
        len(data) == PAGE
        and data.startswith(MAGIC)
        and not any(numbers)
        and data[FIRST_PAGE_TYPE] == LEAF_TABLE
        and not any(data[FIRST_PAGE_TYPE + 3 : FIRST_PAGE_TYPE + 5])
    )


def refuse_second_name(path: Path, data: bytes, side: bytes) -> None:
    """Refuse an open game under another name than that of its write-ahead log."""
    if side or data[18:20] != WRITE_AHEAD or not ours(data):
        return
    if path.stat().st_nlink > 1:
        raise BadInput(str(path), "", say("is a second name of a game; open it by its first name"))


def damage_of(path: Path, steps: list[LogStep], beyond: int, problem: str) -> Damage:
    """The report on a corrupt file."""
    return Damage(str(path), problem, len(steps), beyond, steps[-1].title if steps else "")


def recovering(path: Path) -> Path:
    """The temporary name that an earlier version of the companion used for a recovered game."""
    return path.with_name(path.name + ".recovered")


def ours(data: bytes) -> bool:
    """Whether the header still identifies this file as a game of the companion."""
    return data.startswith(MAGIC) and data[68:72] == APPLICATION.to_bytes(4, "big")


def recover(path: Path, found: OpenedFile, damage: Damage) -> Damage:
    """Keep the corrupt file under another name and replace it by a new one with its steps.

    If this fails, only files created here are removed. If the program is killed half-way, the file
    kept aside is byte for byte the corrupt one, and `interrupted` finds its write-ahead log.
    """
    if not found.data and not found.side:
        return damage  # an empty file: there is nothing to keep
    aside = (
        interrupted(path, found.data, content(side_of(path)))
        or same_aside(path, found)
        or free_name(path)
    )
    begun: list[Path] = []
    moved = False
    try:
        if found.data and not aside.exists():
            atomic_write.write_new(aside, found.data)
            begun.append(aside)
        with atomic_write.replacing(path) as part:
            write_log(part, found.steps)
            if content(side_of(path)):
                os.rename(side_of(path), side_of(aside))
                moved = True
        if not aside.exists():
            atomic_write.write_new(aside, b"")  # it was lost; this completes the recovery
        if recovering(path).exists():
            os.rename(recovering(path), recovering(aside))
    except (OSError, sqlite3.Error, BadInput) as error:
        if moved:
            with suppress(OSError):
                os.rename(side_of(aside), side_of(path))
        for one in begun:
            one.unlink(missing_ok=True)
        why = say("{damage}, but cannot be recovered here: {reason}", damage=damage.say(),
                  reason=problem_of(error))  # fmt: skip
        raise BadInput(str(path), "", why) from None
    return replace(damage, aside=str(aside))


def problem_of(error: Exception) -> str:
    """The error message without the name of the file."""
    if isinstance(error, sqlite3.Error):
        return reason(error)
    if isinstance(error, BadInput):
        return error.problem
    return str(getattr(error, "strerror", None) or error)


def asides(path: Path) -> Iterator[Path]:
    """The names used for corrupt files, up to the first free one."""
    count = 1
    while True:
        aside = path.with_name(f"{path.name}.damaged-{count}")
        yield aside
        if not aside.exists() and not side_of(aside).exists():
            return
        count += 1


def kept_aside(path: Path) -> list[Path]:
    """Every file that was kept aside when this game was recovered."""
    return [
        one
        for aside in asides(path)
        for one in (aside, side_of(aside), recovering(aside))
        if one.exists()
    ]


def free_name(path: Path) -> Path:
    """A free name for the corrupt file."""
    return list(asides(path))[-1]


def interrupted(path: Path, data: bytes, side: bytes) -> Path | None:
    """Where a recovery that was killed half-way put the write-ahead log, if there was one."""
    if side:
        return None
    for aside in asides(path):
        if side_of(aside).exists() and content(aside) == data and (data or not aside.exists()):
            return aside
    return None


def same_aside(path: Path, found: OpenedFile) -> Path | None:
    """Where an identical copy of this file is kept already."""
    for aside in asides(path):
        if found.data and content(aside) == found.data and not side_of(aside).exists():
            return aside
    return None


def save_as(log: Log, target: Path) -> Log:
    """Copy an open game to a new file and continue there."""
    target = real_path(target)
    refuse_folder(target)
    if target.exists() or side_of(target).exists():
        raise BadInput(str(target), "", say("is there already; name another file"))
    try:
        steps = log.steps()
        with atomic_write.replacing(target) as part:
            write_log(part, steps)
        new, found, _ = open_log(target)
    except sqlite3.Error as error:
        raise BadInput(
            str(target), "", say("cannot be written: {reason}", reason=reason(error))
        ) from None
    if found[-1:] != ([log.last] if log.last else []):
        new.close()
        raise BadInput(str(target), "", say("not every step could be saved"))
    log.close()
    return new


def write_log(path: Path, steps: list[LogStep]) -> None:
    """Write a new log with these steps."""
    link = sqlite3.connect(path, isolation_level=None)
    try:
        create(link)
        link.execute("BEGIN IMMEDIATE")
        for table in ("log", "mirror"):
            link.executemany(
                f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?)",
                [(one.seq, one.at_ms, one.title, one.body, one.mark) for one in steps],
            )
        link.execute("COMMIT")
    finally:
        link.close()

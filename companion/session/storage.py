"""Opening a game's file: sound, new, read-only, or harmed and then recovered.

A harmed file is never written over: it is kept aside under another name, and what it still holds
goes into a new file in its place.
"""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from companion.session.log import APPLICATION, Damaged, Log, create, reason, verified
from companion.session.salvage import Saved, accepted, dropped, joined, salvage
from companion.session.step import Step
from models import BadInput, CompanionError
from models.said import say

MAX_BYTES = 256 * 1024 * 1024
SIDE = "-wal"
TRIES = 5
MAGIC = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class Damage:
    """What was found wrong with a file, what could be saved, and where the harmed file lies now."""

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

    def plain(self) -> dict[str, object]:
        """The report for a program."""
        return {
            "problem": self.problem,
            "saved": self.saved,
            "beyond": self.beyond,
            "kept": self.aside,
            "say": self.say(),
        }


@dataclass(frozen=True, slots=True)
class Found:
    """The bytes of a file and its side file, the steps in them, and what is wrong with them."""

    data: bytes
    side: bytes
    steps: list[Step]
    damage: Damage | None = None


def open_log(path: Path) -> tuple[Log, list[Step], Damage | None]:
    """Open a game's file for writing; a new one where there is none."""
    found = read(path)
    if found.damage is None:
        log, steps = Log.open(path)
        return log, steps, None
    # The bytes of a game that another program is writing just now may look harmed and are not.
    refuse_if_in_use(path)
    damage = recover(path, found)
    log, steps = Log.open(path)
    return log, steps, damage


def read(path: Path) -> Found:
    """The steps of a file without touching it: it may be read-only, harmed, or in use elsewhere.

    The program that has it open asks `Log.steps`: on many systems reading the file beside SQLite
    would take away the lock that keeps other programs from writing.
    """
    data, side = both(path)
    unfinished = content(recovering(path))
    if not data and not side and not unfinished:
        return Found(data, side, [])
    try:
        steps = verified_copy(joined(data, accepted(side)))
    except Damaged as error:
        return harmed(path, data, side, str(error))
    except CompanionError as error:
        raise BadInput(str(path), "", str(error)) from None
    if dropped(side) and len(salvage([data], [side]).steps) > len(steps):
        return harmed(path, data, side, say("its side file is broken"))
    if unfinished and len(salvage([data, unfinished], []).steps) > len(steps):
        return harmed(path, data, side, say("its recovery was cut short"))
    return Found(data, side, steps)


def whole(path: Path) -> bytes:
    """A file with what its side file adds, in one piece, though another program may be writing."""
    data, side = both(path)
    return joined(data, accepted(side))


def both(path: Path) -> tuple[bytes, bytes]:
    """The bytes of a file and its side file as of one moment, though somebody may be writing."""
    for _try in range(TRIES):
        side = content(side_of(path))
        data = content(path)
        if content(side_of(path)) == side:
            break
    return data, side


def content(path: Path) -> bytes:
    """The bytes of a file, none where there is no file."""
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
    """The side file SQLite keeps beside a game that is open (or was when the power went)."""
    return path.with_name(path.name + SIDE)


def verified_copy(data: bytes) -> list[Step]:
    """The steps of a sound game; Damaged, or CompanionError where it is none of ours."""
    if not data.startswith(MAGIC):
        raise Damaged(say("its beginning is not that of a game"))
    link = sqlite3.connect(":memory:", isolation_level=None)
    try:
        # The two bytes say that there is a side file; here there is none any more.
        link.deserialize(data[:18] + b"\1\1" + data[20:])
        return verified(link)
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from None
    finally:
        link.close()


def harmed(path: Path, data: bytes, side: bytes, problem: str) -> Found:
    """What can be read from a harmed file; a file that never was a game is refused."""
    saved = saved_from(path, data, side)
    if not saved.steps and not ours(data):
        raise BadInput(str(path), "", say("is not a game of the companion"))
    last = saved.steps[-1].title if saved.steps else ""
    damage = Damage(str(path), problem, len(saved.steps), saved.beyond, last)
    return Found(data, side, saved.steps, damage)


def saved_from(path: Path, data: bytes, side: bytes) -> Saved:
    """The steps in a harmed file, its side file, and a recovery that was itself cut short."""
    return salvage([data, content(recovering(path))], [side])


def recovering(path: Path) -> Path:
    """Where a recovered game is written before it takes its place."""
    return path.with_name(path.name + ".recovered")


def ours(data: bytes) -> bool:
    """Whether the header still says that this is a game of the companion."""
    return data.startswith(MAGIC) and data[68:72] == APPLICATION.to_bytes(4, "big")


def refuse_if_in_use(path: Path) -> None:
    """Refuse a file that another program has open."""
    if not path.exists():
        return
    link = sqlite3.connect(path, isolation_level=None, timeout=0.2)
    try:
        link.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        if "locked" in str(error):
            raise BadInput(
                str(path), "", say("cannot be opened: {reason}", reason=reason(error))
            ) from None
    finally:
        link.close()


def recover(path: Path, found: Found) -> Damage:
    """Keep the harmed file aside and put a new one with its steps into its place."""
    assert found.damage is not None
    aside, fresh = free_name(path), recovering(path)
    try:
        write_through(aside, found.data)
        if found.side:
            write_through(side_of(aside), found.side)
        for old in (fresh, side_of(fresh)):
            old.unlink(missing_ok=True)
        write_log(fresh, found.steps)
        side_of(path).unlink(missing_ok=True)
        fresh.replace(path)
        sync_folder(path.parent)
    except (OSError, sqlite3.Error) as error:
        # Nothing was moved yet: take away what was begun beside the harmed file.
        for begun in (aside, side_of(aside), fresh, side_of(fresh)):
            begun.unlink(missing_ok=True)
        problem = reason(error) if isinstance(error, sqlite3.Error) else error.strerror or error
        raise BadInput(
            str(path),
            "",
            say(
                "{damage}, but cannot be recovered here: {reason}",
                damage=found.damage.say(),
                reason=str(problem),
            ),
        ) from None
    damage = found.damage
    return Damage(
        damage.path, damage.problem, damage.saved, damage.beyond, damage.last_title, str(aside)
    )


def free_name(path: Path) -> Path:
    """A name for the harmed file that nothing has yet."""
    count = 1
    while True:
        aside = path.with_name(f"{path.name}.damaged-{count}")
        if not aside.exists() and not side_of(aside).exists():
            return aside
        count += 1


def write_through(path: Path, data: bytes) -> None:
    """Write a file that is on the disk when this returns."""
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_log(path: Path, steps: list[Step]) -> None:
    """A new log that holds these steps already."""
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


def sync_folder(folder: Path) -> None:
    """Make a changed name in a folder durable, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""The log: an SQLite file that steps are only ever added to, each on disk before it counts.

One file is written by one program at a time. Every step is kept twice, on different pages of the
file, so that a page gone bad takes nothing with it.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.session.step import LogStep
from models import BadInput, CompanionError
from models.field import shown
from models.lazy_message import say

APPLICATION = 0x54424C43
"""How a file says that it is a game of ours (SQLite's application_id)."""

VERSION = 2
"""The layout of a log; a later one is refused by its number, an earlier one is read.

1: sentences in events are English texts. 2: they may be templates with their values (`step.py`).
An earlier log becomes one of this layout with the first step that is added to it.
"""

PAGE = 4096
SYNCHRONOUS = "FULL"
CHECKPOINT_PAGES = 120
"""After so many pages the side file is worked into the game's file: some forty steps."""

TABLES = ("log", "mirror")
COLUMNS = "seq, at, title, body, mark"
SCHEMA = "".join(
    f"""
CREATE TABLE {table} (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    mark TEXT NOT NULL
);
CREATE TRIGGER {table}_keeps BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'a log is only added to'); END;
CREATE TRIGGER {table}_holds BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'a log is only added to'); END;
"""
    for table in TABLES
)
APPEND = f"INSERT INTO {TABLES[0]} ({COLUMNS}) VALUES (?, ?, ?, ?, ?)"
COPYING = f"""
CREATE TEMP TRIGGER copying AFTER INSERT ON main.{TABLES[0]}
BEGIN INSERT INTO {TABLES[1]} ({COLUMNS})
VALUES (NEW.seq, NEW.at, NEW.title, NEW.body, NEW.mark); END
"""
"""Of this program alone, not of the file: a program that copies for itself is no worse off."""


LATEST_MS = 253_402_300_799_000
"""The end of the year 9999: a later time is none."""
LARGEST_VALUE = 1 << 26
READING_S = 10.0
"""Checking a file of any size we read takes less; one that takes longer was made to."""
BETWEEN = 100_000
"""So many instructions of SQLite lie between two looks at the time."""
MAX_BYTES = 256 * 1024 * 1024
"""A file larger than this is not read, so none is written."""
SPARE_BYTES = 64 * 1024
"""Room for the pages that a step touches besides its own."""


class Unwritten(CompanionError):
    """A step that could not be made durable; the log is as it was before."""


class Gone(Unwritten):
    """The file of an open game was deleted, cut off or replaced by another program."""


class Damaged(CompanionError):
    """A file that does not hold what it once held."""


ABANDONED: list[sqlite3.Connection] = []
"""Links to files that are gone; they end with the program."""


@dataclass(slots=True)
class Log:
    """An open log and its last step."""

    path: Path
    link: sqlite3.Connection
    last: LogStep | None = None
    layout: int = VERSION
    files: tuple[tuple[Path, tuple[int, int]], ...] = ()
    """The game's file and its side file as they were when the game was opened."""

    @classmethod
    def open(cls, path: Path) -> tuple[Log, list[LogStep]]:
        """Open or create a log for writing, with every step in it."""
        try:
            # Absolute: SQLite keeps a file called ":memory:" nowhere.
            link = sqlite3.connect(path.absolute(), isolation_level=None, timeout=0.2)
        except sqlite3.Error as error:
            raise BadInput(
                str(path), "", say("cannot be opened: {reason}", reason=str(error))
            ) from None
        try:
            # Exclusive, before anything else: no second writer, and no shared-memory side file.
            link.execute("PRAGMA locking_mode = EXCLUSIVE")
            link.execute(f"PRAGMA page_size = {PAGE}")
            link.execute("PRAGMA journal_mode = WAL")
            # FULL: the commit returns when the step is on the disk, not in somebody's buffer.
            link.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
            link.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            if empty(link):
                create(link)
            else:
                # Takes the lock for good, and tells at once when nothing can be written here.
                link.executescript("BEGIN IMMEDIATE; COMMIT")
            link.execute(COPYING)
            steps = verified(link)
            layout = number(link, "user_version")
        except sqlite3.Error as error:
            link.close()
            raise BadInput(
                str(path), "", say("cannot be opened: {reason}", reason=reason(error))
            ) from None
        except CompanionError as error:
            link.close()
            raise BadInput(str(path), "", str(error)) from None
        last = steps[-1] if steps else None
        side = path.with_name(path.name + "-wal")
        files = tuple((one, known) for one in (path, side) if (known := identity(one)) is not None)
        return cls(path, link, last, layout, files), steps

    def append(self, step: LogStep) -> None:
        """Make the next step durable, or leave everything as it was."""
        row = (step.seq, step.at_ms, step.title, step.body, step.mark)
        self.refuse_if_gone()
        self.refuse_if_too_large(len(step.body) + len(step.title))
        try:
            if self.layout < VERSION:  # with the step or not at all
                self.link.execute("BEGIN IMMEDIATE")
                self.link.execute(f"PRAGMA user_version = {VERSION}")
                self.link.execute(APPEND, row)
                self.link.execute("COMMIT")
                self.layout = VERSION
            else:
                # One statement is one transaction: both copies, or neither, one wait for the disk.
                self.link.execute(APPEND, row)
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                if self.link.in_transaction:
                    self.link.execute("ROLLBACK")
            problem = say(
                "{path}: cannot be written: {reason}", path=str(self.path), reason=reason(error)
            )
            raise Unwritten(problem) from None
        self.last = step

    @property
    def gone(self) -> bool:
        """Whether what is written now would be found again by nobody."""
        return any(identity(path) != known for path, known in self.files)

    def refuse_if_gone(self) -> None:
        """Refuse to write where nobody would find it again."""
        if self.gone:
            problem = say(
                "it was deleted or replaced while the game was open;"
                " save the game under another name"
            )
            raise Gone(
                say("{path}: cannot be written: {reason}", path=str(self.path), reason=problem)
            )

    def refuse_if_too_large(self, more: int) -> None:
        """Refuse a step that would make the file too large to be read again."""
        size = sum(size_of(path) for path, _ in self.files)
        if size + 2 * more + SPARE_BYTES > MAX_BYTES:
            problem = say("it would be larger than {most} MiB", most=MAX_BYTES // 2**20)
            raise Unwritten(
                say("{path}: cannot be written: {reason}", path=str(self.path), reason=problem)
            )

    def steps(self) -> list[LogStep]:
        """Every step, for the program that has the log open."""
        return rows(self.link, TABLES[0])

    def copy(self, target: Path) -> None:
        """The log as it is now in a file of its own; only who has it open can make one."""
        try:
            with closing(sqlite3.connect(target)) as other:
                self.link.backup(other)
        except sqlite3.Error as error:
            problem = say(
                "{path}: cannot be written: {reason}", path=str(target), reason=reason(error)
            )
            raise Unwritten(problem) from None

    def close(self) -> None:
        """Close the file; everything then lies in it alone, without a side file."""
        if self.gone:
            # SQLite would delete the side file by its name, which may be another game's by now.
            ABANDONED.append(self.link)
            return
        with suppress(sqlite3.Error):
            self.link.execute("PRAGMA journal_mode = DELETE")
        with suppress(sqlite3.Error):
            self.link.close()


def reason(error: sqlite3.Error) -> str:
    """What went wrong, in a player's words where we have them."""
    text = str(error)
    if "locked" in text:
        return say("it is open in another program")
    if "readonly" in text:
        return say("the file or its folder is read-only")
    if "full" in text:
        return say("the disk is full")
    if "unable to open" in text:
        return say("no file can be made there: the folder is missing or read-only")
    return text


def identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one that takes its name; None where none holds anything."""
    try:
        known = path.stat()
    except OSError:
        return None
    return (known.st_dev, known.st_ino) if known.st_size else None


def size_of(path: Path) -> int:
    """The bytes of a file, 0 where there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def empty(link: sqlite3.Connection) -> bool:
    """Whether nothing at all was ever written into this file."""
    tables: int = link.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    return tables == 0 and number(link, "user_version") == 0


def create(link: sqlite3.Connection) -> None:
    """Lay out a new log."""
    link.executescript(
        f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION};"
        f"PRAGMA user_version = {VERSION}; COMMIT"
    )


def number(link: sqlite3.Connection, pragma: str) -> int:
    """One of the numbers in the file's header."""
    value: int = link.execute(f"PRAGMA {pragma}").fetchone()[0]
    return value


def verified(link: sqlite3.Connection) -> list[LogStep]:
    """Every step of an open log, once the file, the layout and the chain of marks are sound."""
    # Time of this thread: on a busy machine a sound file takes no longer.
    end = time.thread_time() + READING_S
    link.set_progress_handler(lambda: time.thread_time() > end, BETWEEN)
    try:
        return verified_within(link)
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        raise CompanionError(
            say("takes longer than {most} s to read", most=int(READING_S))
        ) from None
    except (UnicodeError, OverflowError, MemoryError) as error:
        # SQLite read something that Python cannot take, if only in its complaint.
        raise Damaged(type(error).__name__) from None
    finally:
        link.set_progress_handler(None, 0)


def verified_within(link: sqlite3.Connection) -> list[LogStep]:
    """The same, as long as SQLite is given."""
    link.execute("PRAGMA trusted_schema = OFF")
    link.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    if number(link, "application_id") != APPLICATION:
        raise Damaged(say("its beginning is not that of a game"))
    version = number(link, "user_version")
    if version > VERSION:
        raise CompanionError(
            say(
                "was made by a newer version of the companion"
                " (layout {layout}; this one reads up to {known})",
                layout=version,
                known=VERSION,
            )
        )
    refuse_other_layout(link)
    found = link.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise Damaged(str(found))
    kept = [rows(link, table) for table in TABLES]
    if kept[0] != kept[1]:
        raise Damaged(say("the two copies of the log differ"))
    last = None
    for step in kept[0]:
        if not step.follows(last):
            raise Damaged(say("step {step} is not the one that was written", step=step.seq))
        last = step
    return kept[0]


def refuse_other_layout(link: sqlite3.Connection) -> None:
    """Refuse a file whose tables are not exactly ours: a view or trigger would run in our name."""
    try:
        found = link.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    except sqlite3.OperationalError as error:
        raise refined(error) from None
    known = layout_of_a_log()
    for row in found:
        if row not in known:
            raise Damaged(say("it holds something else besides a log: {name}", name=shown(row[1])))
    for row in known:
        if row not in found:
            raise Damaged(say("a part of the log is missing: {name}", name=row[1]))


@lru_cache
def layout_of_a_log() -> list[tuple[str, str, str, str]]:
    """What SQLite notes of the tables of a new log."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as link:
        create(link)
        return link.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()


def refined(error: sqlite3.OperationalError) -> Exception:
    """A file that cannot be read is damaged; one that was only not read to the end is not."""
    return error if "interrupted" in str(error) else Damaged(str(error))


def rows(link: sqlite3.Connection, table: str) -> list[LogStep]:
    """The steps in one of the tables."""
    try:
        found = link.execute(f"SELECT {COLUMNS} FROM {table} ORDER BY seq").fetchall()
    except sqlite3.OperationalError as error:
        raise refined(error) from None
    for seq, at_ms, *texts in found:
        whole = type(seq) is int and type(at_ms) is int and 0 <= at_ms <= LATEST_MS
        if not whole or not all(type(one) is str for one in texts):
            raise Damaged(say("step {step} is not the one that was written", step=shown(seq)))
    return [LogStep(*row) for row in found]

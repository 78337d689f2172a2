"""The event log: an append-only SQLite file; each step is on disk before it takes effect.

Only one process writes a file at a time. Every step is stored twice, on different pages of the
file, so that one corrupt page loses nothing.
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
from models.field import file_size, shown
from models.message import say

APPLICATION = 0x54424C43
"""SQLite's application_id, which marks a file as one of our games."""

VERSION = 2
"""The version of the file layout; newer versions are refused, older ones are read.

1: sentences in events are English texts. 2: they may be templates with their values (`step.py`). An
older log is converted to this layout when the first step is appended to it.
"""

PAGE = 4096
SYNCHRONOUS = "FULL"
CHECKPOINT_PAGES = 120
"""The write-ahead log is checkpointed into the main file after so many pages: about forty steps."""

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
"""The trigger that stores the second copy. It is temporary and not part of the file, so that a
program that writes both copies itself works too."""


LATEST_MS = 253_402_300_799_000
"""The end of the year 9999; later times are invalid."""
LARGEST_VALUE = 1 << 26
READING_S = 10.0
"""The time limit for checking a file; only a file crafted to be slow takes longer."""
BETWEEN = 100_000
"""The number of SQLite instructions between two checks of the time limit."""
MAX_BYTES = 128 * 1024 * 1024
"""The largest file that is read, and therefore the largest that is written."""
SPARE_BYTES = 64 * 1024
"""Room for the pages that appending a step changes besides its own."""


class Unwritten(CompanionError):
    """A step could not be made durable; the log is unchanged."""


class Gone(Unwritten):
    """The file of an open game was deleted, truncated or replaced by another program."""


class Damaged(CompanionError):
    """The file is corrupt: its content does not match what was written."""


ABANDONED: list[sqlite3.Connection] = []
"""Connections to files that no longer exist; they are closed when the program ends."""


@dataclass(slots=True)
class Log:
    """An open event log and its last step."""

    path: Path
    link: sqlite3.Connection
    last: LogStep | None = None
    layout: int = VERSION
    files: tuple[tuple[Path, tuple[int, int]], ...] = ()
    """The identity of the game's file and of its write-ahead log when the game was opened."""

    @classmethod
    def open(cls, path: Path) -> tuple[Log, list[LogStep]]:
        """Open or create a log for writing, and return it with all its steps."""
        try:
            # An absolute path, because SQLite treats the name ":memory:" as no file at all.
            link = sqlite3.connect(path.absolute(), isolation_level=None, timeout=0.2)
        except sqlite3.Error as error:
            raise BadInput(
                str(path), "", say("cannot be opened: {reason}", reason=reason(error))
            ) from None
        try:
            # Exclusive locking first: no second writer, and no shared-memory file.
            link.execute("PRAGMA locking_mode = EXCLUSIVE")
            link.execute(f"PRAGMA page_size = {PAGE}")
            link.execute("PRAGMA journal_mode = WAL")
            # FULL: the commit returns only when the step is on the disk, not in a buffer.
            link.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
            link.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            if empty(link):
                create(link)
            else:
                # Acquires the lock permanently, and fails now if the file cannot be written.
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
        """Make the next step durable, or leave everything unchanged."""
        row = (step.seq, step.at_ms, step.title, step.body, step.mark)
        self.refuse_if_gone()
        self.refuse_if_too_large(len(step.body) + len(step.title))
        try:
            if self.layout < VERSION:  # in the same transaction as the step
                self.link.execute("BEGIN IMMEDIATE")
                self.link.execute(f"PRAGMA user_version = {VERSION}")
                self.link.execute(APPEND, row)
                self.link.execute("COMMIT")
                self.layout = VERSION
            else:
                # One statement is one transaction: both copies or neither, with one sync to disk.
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
        """Whether the file was deleted or replaced, so that writing to it would be lost."""
        return any(identity(path) != known for path, known in self.files)

    def refuse_if_gone(self) -> None:
        """Raise if the file was deleted or replaced."""
        if self.gone:
            problem = say(
                "it was deleted or replaced while the game was open;"
                " save the game under another name"
            )
            try:
                self.path.stat()
            except PermissionError as error:  # it is still there, in a locked folder
                problem = say("the folder is locked: {reason}", reason=str(error.strerror))
            except OSError:
                pass
            raise Gone(
                say("{path}: cannot be written: {reason}", path=str(self.path), reason=problem)
            )

    def refuse_if_too_large(self, more: int) -> None:
        """Raise if this step would make the file too large to be read again."""
        size = sum(file_size(path) for path, _ in self.files)
        if size + 2 * more + SPARE_BYTES > MAX_BYTES:
            problem = say("it would be larger than {most} MiB", most=MAX_BYTES // 2**20)
            raise Unwritten(
                say("{path}: cannot be written: {reason}", path=str(self.path), reason=problem)
            )

    def steps(self) -> list[LogStep]:
        """All steps, for the process that has the log open."""
        return rows(self.link, TABLES[0])

    def copy(self, target: Path) -> None:
        """Copy the log to a new file; only the process that has it open can do this."""
        try:
            with closing(sqlite3.connect(target)) as other:
                self.link.backup(other)
        except sqlite3.Error as error:
            problem = say(
                "{path}: cannot be written: {reason}", path=str(target), reason=reason(error)
            )
            raise Unwritten(problem) from None

    def close(self) -> None:
        """Close the file; this merges the write-ahead log into it."""
        if self.gone:
            # SQLite would delete the write-ahead log by name, which may belong to another game by
            # now.
            ABANDONED.append(self.link)
            return
        with suppress(sqlite3.Error):
            self.link.execute("PRAGMA journal_mode = DELETE")
        with suppress(sqlite3.Error):
            self.link.close()


def reason(error: sqlite3.Error) -> str:
    """What went wrong, in plain words where we have them."""
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
    """Distinguishes a file from another one of the same name; None if it is missing or empty."""
    try:
        known = path.stat()
    except OSError:
        return None
    return (known.st_dev, known.st_ino) if known.st_size else None


def empty(link: sqlite3.Connection) -> bool:
    """Whether nothing was ever written to this file."""
    tables: int = link.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    return tables == 0 and number(link, "user_version") == 0


def create(link: sqlite3.Connection) -> None:
    """Create the tables of a new log."""
    link.executescript(
        f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION};"
        f"PRAGMA user_version = {VERSION}; COMMIT"
    )


def number(link: sqlite3.Connection, pragma: str) -> int:
    """The value of an integer PRAGMA."""
    value: int = link.execute(f"PRAGMA {pragma}").fetchone()[0]
    return value


def verified(link: sqlite3.Connection) -> list[LogStep]:
    """All steps of an open log, after checking the file, the layout and the hash chain."""
    # The CPU time of this thread: a busy machine must not make an intact file fail.
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
        # SQLite returned something that Python cannot decode, perhaps only its error message.
        raise Damaged(type(error).__name__) from None
    finally:
        link.set_progress_handler(None, 0)


def verified_within(link: sqlite3.Connection) -> list[LogStep]:
    """The same, without the time limit."""
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
        raise Damaged(" ".join(str(found).split()))  # SQLite's message has two lines
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
    """Raise unless the tables are exactly ours: a view or trigger in the file would be run."""
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
    """The rows of sqlite_schema for a new log."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as link:
        create(link)
        return link.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()


def refined(error: sqlite3.OperationalError) -> Exception:
    """`Damaged` for an unreadable file; a read that was only interrupted is not damage."""
    return error if "interrupted" in str(error) else Damaged(str(error))


def rows(link: sqlite3.Connection, table: str) -> list[LogStep]:
    try:
        found = link.execute(f"SELECT {COLUMNS} FROM {table} ORDER BY seq").fetchall()
    except sqlite3.OperationalError as error:
        raise refined(error) from None
    for seq, at_ms, *texts in found:
        whole = type(seq) is int and type(at_ms) is int and 0 <= at_ms <= LATEST_MS
        if not whole or not all(type(one) is str for one in texts):
            raise Damaged(say("step {step} is not the one that was written", step=shown(seq)))
    return [LogStep(*row) for row in found]

"""Locks between processes: only one at a time opens or recovers the games of a folder.

The folder itself is locked, so no lock file is left behind, and a file that is missing, damaged or
being replaced is protected too. Without `fcntl` (Windows) there is no such lock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models import BadInput
from models.message import say

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]

PATIENCE_S = 15.0
SQLITE_LOCKS = (0x40000000, 512)
"""The byte range of a file that SQLite locks: offset and length."""


@contextmanager
def folder_lock(path: Path) -> Iterator[None]:
    """Hold the lock on the folder of this game; wait a while if another process has it."""
    try:
        handle = os.open(path.parent, os.O_RDONLY) if fcntl is not None else -1
    except OSError:
        handle = -1  # opening the game reports what is wrong with the folder
    try:
        if handle >= 0:
            wait_for_lock(handle, path)
        yield
    finally:
        if handle >= 0:
            os.close(handle)


def wait_for_lock(handle: int, path: Path) -> None:
    """Acquire the lock on a folder, or raise after a timeout."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                reason = say("another program is opening a game in the same folder")
                problem = say("cannot be opened: {reason}", reason=reason)
                raise BadInput(str(path), "", problem) from None
            time.sleep(0.01)
        except OSError:
            return  # the file system does not support such locks


def in_use(path: Path) -> bool:
    """Whether another process has this game open.

    Checks the locks without SQLite, which would remove files beside a damaged one. The process that
    has the game open must not call this: closing the file would release its own lock.
    """
    if fcntl is None:
        return False
    start, length = SQLITE_LOCKS
    try:
        with path.open("rb") as file:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, length, start)
            fcntl.lockf(file, fcntl.LOCK_UN, length, start)
    except (BlockingIOError, PermissionError):
        return True
    except OSError:
        return False
    return False

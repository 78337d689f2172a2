"""Ctrl-C ends a command with one line at any moment, even while it is loading or exiting."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STATUS = 130
"""The exit status that a shell expects of an interrupted program."""


def end_at_once(*_: object) -> None:
    """Print a line and exit, without a traceback."""
    os.write(2, b"companion: interrupted\n")
    os._exit(STATUS)


def install() -> None:
    """Exit at once on Ctrl-C from now on, unless the process was started with Ctrl-C ignored."""
    if usable() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)


@contextmanager
def raising() -> Iterator[None]:
    """Within this context the first Ctrl-C raises KeyboardInterrupt, so that files are closed."""
    if not usable() or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, end_at_once)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def usable() -> bool:
    """Only the main thread may install signal handlers."""
    return threading.current_thread() is threading.main_thread()

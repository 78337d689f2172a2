"""Ctrl-C ends a command in one line at any moment, also while the program is loaded or ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STATUS = 130
"""What a shell expects of a program that was interrupted."""


def end_at_once(*_: object) -> None:
    """Say it and end, without a traceback of whatever was just being done."""
    os.write(2, b"companion: interrupted\n")
    os._exit(STATUS)


def install() -> None:
    """End at once from now on; a program that was told to ignore Ctrl-C goes on ignoring it."""
    if usable() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)


@contextmanager
def raising() -> Iterator[None]:
    """Inside it the first Ctrl-C raises KeyboardInterrupt, so that files are closed properly."""
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
    """Only the main thread may say what a signal does."""
    return threading.current_thread() is threading.main_thread()

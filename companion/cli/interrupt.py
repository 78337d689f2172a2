"""Ctrl-C ends a command that is running with one line, after its files are closed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from companion.cli.exit_on_interrupt import end_at_once


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

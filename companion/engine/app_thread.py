"""Threads of the app: the process waits for them when it ends, though not forever.

A daemon thread that is still inside OpenCV when the interpreter ends takes the whole process down:
Python ends the thread where it asks for the GIL again, which OpenCV does in a C++ destructor, and
C++ answers with "terminate called without an active exception", or in a handler of all exceptions:
"FATAL: exception not rethrown".
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable

LONGEST_S = 3.0
"""How long the end of the process waits; a camera that hangs for longer is abandoned."""


class AppThread(threading.Thread):
    """A daemon thread; `end` asks it to end soon, from any thread."""

    def __init__(self, target: Callable[[], object], name: str, end: Callable[[], object]) -> None:
        super().__init__(target=target, name=name, daemon=True)
        self.end = end


def end_threads(longest_s: float = LONGEST_S) -> None:
    """Ask all threads of the app to end, and wait for them."""
    running = [one for one in threading.enumerate() if isinstance(one, AppThread)]
    for thread in running:
        thread.end()
    deadline = time.monotonic() + longest_s
    for thread in running:
        thread.join(max(deadline - time.monotonic(), 0.0))


atexit.register(end_threads)

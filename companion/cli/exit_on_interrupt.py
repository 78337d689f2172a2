"""Ctrl-C while the program is loading: one line, no traceback.

Only modules built into Python are imported, so that this holds from the first moment.
"""

import _signal as signal  # type: ignore[import-not-found]  # `signal` itself loads others first
import os

STATUS = 130
"""The exit status that a shell expects of an interrupted program."""


def end_at_once(*_: object) -> None:
    """Print a line and exit, without a traceback."""
    os.write(2, b"companion: interrupted\n")
    os._exit(STATUS)


def install() -> None:
    """Exit at once on Ctrl-C from now on, unless the process was started with Ctrl-C ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        try:  # noqa: SIM105 - `contextlib` is not loaded yet
            signal.signal(signal.SIGINT, end_at_once)
        except ValueError:
            pass  # not the main thread, which alone may set this

"""Thrift with memory and with the garbage collector: a tablet lies beside the table for hours."""

from __future__ import annotations

import ctypes
import gc
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8
"""Names that glibc's `mallopt` knows its settings by."""
LARGE = 128 * 1024
TURN_S = 0.002


def give_back() -> None:
    """Let freed pictures go back to the system at once.

    glibc learns from the first large picture to keep room for the next one in every thread; a
    camera, its tracking and the overlays then hold twice what they use. Elsewhere nothing is done.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    for setting, value in ((MMAP_THRESHOLD, LARGE), (TRIM_THRESHOLD, LARGE), (ARENA_MAX, 2)):
        mallopt(setting, value)


def take_turns() -> None:
    """Let a frame or an answer in sooner while something is drawn ahead.

    A thread that wants its turn waits so long for one that calculates; a frame wants it several
    times. Measured beside one that never stops: 43 ms a frame instead of 55.
    """
    sys.setswitchinterval(TURN_S)


def settle() -> None:
    """What is there now stays for good: the collector need not look at it again.

    Looking at everything takes half a second, during which no frame is drawn.
    """
    gc.collect()
    gc.freeze()

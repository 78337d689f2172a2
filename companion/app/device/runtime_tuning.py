"""Tuning of memory allocator, thread switching and garbage collector, for hours on a tablet."""

from __future__ import annotations

import ctypes
import gc
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8
"""The parameter numbers of glibc's `mallopt`."""
LARGE = 128 * 1024
TURN_S = 0.002


def give_back() -> None:
    """Return freed memory of pictures to the system at once.

    After the first large picture glibc keeps memory for the next one in every thread; camera,
    tracking and overlays would then hold twice what they use. Does nothing without glibc.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    for setting, value in ((MMAP_THRESHOLD, LARGE), (TRIM_THRESHOLD, LARGE), (ARENA_MAX, 2)):
        mallopt(setting, value)


def take_turns() -> None:
    """Shorten the thread switch interval, so that frames wait less for the worker.

    A thread that needs the GIL waits this long for one that is computing, and a frame needs it
    several times. Measured beside a thread that never blocks: 43 ms a frame instead of 55.
    """
    sys.setswitchinterval(TURN_S)


def settle() -> None:
    """Exclude all objects that exist now from garbage collection.

    A full collection takes half a second, during which no frame is drawn.
    """
    gc.collect()
    gc.freeze()

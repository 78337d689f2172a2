"""Runs one fuzzer: seeded inputs, each with a limit of memory and time.

A fuzzer is a module of this package with an object `FUZZER`. `python -m tests.fuzz 10000` runs all
of them, `python -m tests.fuzz 10000 lists` one, and `--seed 3 --only 17` repeats one input.
"""

from __future__ import annotations

import contextlib
import faulthandler
import random
import resource
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from models import CompanionError

MEMORY_BYTES = 600 << 20
"""No input may take more than this on top of what the program had before."""
TIME_S = 5.0
"""Of the processor; so that a busy machine finds no faults, the clock may show more."""
STOPS = (signal.SIGINT, signal.SIGTERM)
WAITING = 6
"""Times that limit for an input that does nothing but wait."""
LONGEST_MESSAGE = 1000
"""Of each thing that a message names: a list names every line that cannot be read."""


class TooSlow(BaseException):
    """An input that took too long; not an `Exception`, so that no handler swallows it."""


@dataclass(frozen=True, slots=True)
class Fuzzer:
    """`make` invents an input, `check` gives it to the program and names the result.

    `check` may raise `CompanionError` (the program refused the input, in one line) and
    `AssertionError` (the program did something wrong). Every other exception is a failure.
    """

    name: str
    make: Callable[[random.Random, Path], Any]
    check: Callable[[Any, Path], str]


@dataclass(slots=True)
class Outcome:
    """How the inputs ended, what went wrong, and the slowest input."""

    ends: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    memory_bytes: int = 0


def run(fuzzer: Fuzzer, count: int, seed: int = 0, only: int | None = None) -> Outcome:
    """Try `count` inputs; each depends on the seed and its own number alone."""
    outcome = Outcome()
    numbers = range(count) if only is None else (only,)
    stopped: list[int] = []
    keep = {sign: signal.signal(sign, lambda got, _: stopped.append(got)) for sign in STOPS}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for number in numbers:
            if stopped:  # Ctrl-C: what was reached counts
                break
            dice = random.Random(f"{fuzzer.name}:{seed}:{number}")
            given = fuzzer.make(dice, Path(folder))
            began, before = time.process_time(), resident_bytes()
            problem = ""
            try:
                with limits(), time_limit(TIME_S):
                    end = one(fuzzer, given, Path(folder))
            except TooSlow:
                end, problem = "too slow", f"longer than {TIME_S:g} s\n{traceback.format_exc()}"
            except BaseException:  # MemoryError and SystemExit included
                end, problem = "failed", traceback.format_exc()
            outcome.ends[end] += 1
            outcome.slowest_s = max(outcome.slowest_s, time.process_time() - began)
            outcome.memory_bytes = max(outcome.memory_bytes, resident_bytes() - before)
            if problem:
                outcome.failures.append(
                    f"{fuzzer.name}: seed {seed} input {number}: {shortened(given)}\n{problem}"
                )
    for sign, handler in keep.items():
        signal.signal(sign, handler)
    return outcome


def one(fuzzer: Fuzzer, given: Any, folder: Path) -> str:
    """The result of one input; a refusal must be one readable line."""
    try:
        return fuzzer.check(given, folder)
    except CompanionError as error:
        one_line(str(error))
        return "refused"


def one_line(message: str) -> None:
    """Fail unless a message is one line that a player can read."""
    assert message.strip(), "an empty message"
    longest = max(map(len, message.split("; ")))
    assert longest <= LONGEST_MESSAGE, f"a message of {longest} letters"
    assert "\n" not in message, f"more than one line: {message!r}"
    assert "Traceback" not in message, message


def shortened(given: Any) -> str:
    """An input for a message."""
    text = repr(given)
    return text if len(text) <= 2000 else f"{text[:2000]} … ({len(text)} letters)"


def resident_bytes() -> int:
    """The largest memory this process has used so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@contextlib.contextmanager
def limits() -> Iterator[None]:
    """Inside it, memory beyond the limit is refused, and a hung process ends with a traceback."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    used = pages * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def starved_s() -> float:
    """How long this thread has waited for a processor so far; 0 where nobody counts it."""
    try:
        counted = Path("/proc/thread-self/schedstat").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return int(counted.split()[1]) / 1e9


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` after that time; end the process if even that does not help."""
    began, before = time.monotonic(), starved_s()

    def late(number: int, frame: FrameType | None) -> None:
        waited = time.monotonic() - began - (starved_s() - before)
        if number == signal.SIGALRM and waited < WAITING * seconds:
            signal.setitimer(signal.ITIMER_REAL, WAITING * seconds - waited + 0.01)
            return  # others had the processor
        raise TooSlow

    timers = {
        signal.SIGPROF: (signal.ITIMER_PROF, seconds),
        signal.SIGALRM: (signal.ITIMER_REAL, WAITING * seconds),
    }
    handlers = {number: signal.signal(number, late) for number in timers}
    for timer, limit in timers.values():
        signal.setitimer(timer, limit)
    faulthandler.dump_traceback_later(4 * WAITING * seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        for number, (timer, _) in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, handlers[number])

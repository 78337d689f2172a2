"""A worker thread with a job queue, so that the screen thread never waits."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from typing import TypeVar

from companion.engine.app_thread import AppThread
from companion.engine.app_words import _
from models import CompanionError

Job = Callable[[], object]
T = TypeVar("T")

TICK_S = 0.15
"""How often an idle worker calls `idle`."""


class Worker:
    """Runs jobs in order and `idle` in between; a job's `CompanionError` is passed to `refused`."""

    def __init__(self, idle: Job, refused: Callable[[CompanionError], object]) -> None:
        self.quiet = threading.Event()
        """Set while no job is running or queued."""
        self.quiet.set()
        self.failures: list[str] = []
        """Tracebacks of unexpected errors."""
        self._idle, self._refused = idle, refused
        self._jobs: deque[Job] = deque()
        self._wake = threading.Condition()
        self._busy = False
        self._over = False
        self._thread = AppThread(self._run, "controller", self._finish)

    def start(self) -> None:
        """Start the thread, once everything that `idle` needs exists."""
        self._thread.start()

    def ask(self, job: Job) -> None:
        """Queue a job."""
        with self._wake:
            self.quiet.clear()
            self._jobs.append(job)
            self._wake.notify()

    def answer(self, job: Callable[[], T]) -> T | None:
        """Queue a job and block for its result; None if it was refused. For other workers only."""
        done = threading.Event()
        found: list[T] = []

        def work() -> None:
            try:
                found.append(job())
            finally:
                done.set()

        self.ask(work)
        while not done.wait(TICK_S) and self.alive:
            pass
        return found[0] if found else None

    def settle(self, timeout_s: float) -> bool:
        """Block until the queue is empty; for tests and scripts, never on the screen thread."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            with self._wake:
                if not self._jobs and not self._busy:
                    return True
            time.sleep(0.01)
        return False

    @property
    def waiting(self) -> int:
        """How many jobs are queued."""
        return len(self._jobs)

    @property
    def alive(self) -> bool:
        """Whether the thread is running."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Finish the queued jobs, then stop the thread."""
        self._finish()
        self._thread.join(timeout=10)

    def _finish(self) -> None:
        self.ask(self._end)

    def _end(self) -> None:
        self._over = True

    def _run(self) -> None:
        while not self._over:
            with self._wake:
                if not self._jobs:
                    self.quiet.set()
                    self._wake.wait(TICK_S)
                job = self._jobs.popleft() if self._jobs else None
                self._busy = job is not None
            try:
                (job or self._idle)()
            except CompanionError as error:
                self._refused(error)
            except Exception:
                # A drawing error must not end the game: log it, show it, and carry on.
                self.failures.append(traceback.format_exc())
                logging.getLogger(__name__).error("%s", self.failures[-1])
                self._refused(CompanionError(_("Something went wrong. The game is kept.")))
            finally:
                self._busy = False

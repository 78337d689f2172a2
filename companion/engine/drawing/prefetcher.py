"""A thread that prefetches overlays that may be needed next, and pauses while the worker works."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable, Sequence

from companion.engine.app_thread import AppThread

Checkpoint = Callable[[], None]
"""A checkpoint: prefetching calls it between steps and blocks there while the worker is busy."""
Ahead = Callable[[Checkpoint], object]


def go_on() -> None:
    """The checkpoint of work that is needed now: never blocks."""


REST_S = 1.0
"""How long a new plan rests before its first job.

The drawing of one unit cannot be interrupted: begun at once, it takes a third of the processor from
the answer to the first tap after a change.
"""


class Superseded(Exception):
    """Raised at a checkpoint when the plan was replaced and the current job is no longer needed."""


class Prefetcher:
    """Runs its jobs in order while `quiet` is set."""

    def __init__(self, quiet: threading.Event) -> None:
        self._quiet = quiet
        self._plan: list[Ahead] = []
        self._begun: list[Ahead] | None = None
        """The plan whose first job may have been begun."""
        self._wake = threading.Condition()
        self._over = False
        self._thread = AppThread(self._run, "foresight", self._end)

    @property
    def left(self) -> int:
        """How many jobs are left."""
        return len(self._plan)

    def start(self) -> None:
        self._thread.start()

    def plan(self, jobs: Sequence[Ahead]) -> None:
        """Replace all planned jobs by these."""
        with self._wake:
            self._plan = list(jobs)
            self._wake.notify()

    def close(self) -> None:
        """Drop all jobs and stop the thread."""
        self._end()
        self._thread.join(timeout=10)

    def _end(self) -> None:
        with self._wake:
            self._over, self._plan = True, []
            self._wake.notify()
        self._quiet.set()

    def _run(self) -> None:
        while not self._over:
            with self._wake:
                self._wake.wait_for(lambda: self._plan or self._over)
                plan = self._plan
                fresh = plan is not self._begun
                self._begun = plan
                if fresh and plan:  # whoever changed the table taps next: nothing competes with it
                    self._wake.wait(REST_S)
                    plan = self._plan
            if plan:
                self._draw(plan)

    def _draw(self, plan: list[Ahead]) -> None:
        """Run the first job of a plan; it stays in the plan until it is done."""

        def checkpoint() -> None:
            if not self._quiet.is_set():
                self._quiet.wait()
            if self._plan is not plan:
                raise Superseded

        try:
            checkpoint()
            plan[0](checkpoint)
        except Superseded:
            return
        except Exception:
            # If the unit is tapped, its overlay is drawn again on the worker, which reports the
            # error.
            logging.getLogger(__name__).error("%s", traceback.format_exc())
        with self._wake:
            del plan[0]

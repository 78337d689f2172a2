"""A thread that draws ahead what may be tapped next, and holds still while an answer is made."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable, Sequence

Breathe = Callable[[], None]
"""Called between strokes: whoever draws ahead stops there while somebody waits for an answer."""
Ahead = Callable[[Breathe], object]


def go_on() -> None:
    """The breath of somebody who is waited for."""


class Superseded(Exception):
    """Something else is to be drawn ahead now: what was begun is of no use any more."""


class Prefetcher:
    """Draws one thing after the other while `quiet` is set."""

    def __init__(self, quiet: threading.Event) -> None:
        self._quiet = quiet
        self._plan: list[Ahead] = []
        self._wake = threading.Condition()
        self._over = False
        self._thread = threading.Thread(target=self._run, name="foresight", daemon=True)

    @property
    def left(self) -> int:
        """How much is still to be drawn."""
        return len(self._plan)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def plan(self, jobs: Sequence[Ahead]) -> None:
        """Draw these from now on, and nothing that was planned before."""
        with self._wake:
            self._plan = list(jobs)
            self._wake.notify()

    def close(self) -> None:
        """Draw nothing any more."""
        with self._wake:
            self._over, self._plan = True, []
            self._wake.notify()
        self._quiet.set()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while not self._over:
            with self._wake:
                self._wake.wait_for(lambda: self._plan or self._over)
                plan = self._plan
            if plan:
                self._draw(plan)

    def _draw(self, plan: list[Ahead]) -> None:
        """The first of a plan; it counts as left until it is drawn."""

        def breathe() -> None:
            if not self._quiet.is_set():
                self._quiet.wait()
            if self._plan is not plan:
                raise Superseded

        try:
            breathe()
            plan[0](breathe)
        except Superseded:
            return
        except Exception:
            # Whoever is tapped is drawn once more, and told of it then.
            logging.getLogger(__name__).error("%s", traceback.format_exc())
        with self._wake:
            del plan[0]

"""A long task: work done off the screen thread, with progress, a way to stop it, and one ending.

>>> def work(step):
...     for number in range(4):
...         step(number / 4, "page")
...     return "book.pdf"
>>> running = Running(Task("Print", work, then=print))
>>> running.start()
>>> running.join()
>>> running.progress.share, running.finish()
book.pdf
(1.0, True)
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from companion.text.translation import tell
from models import CompanionError

State = Literal["running", "done", "failed", "stopped"]


class Stopped(Exception):
    """Raised inside the work of a task that was told to stop; let it pass through."""


class TaskStep(Protocol):
    """How the work says how far it is; it raises `Stopped` once nobody wants the result."""

    def __call__(self, share: float, word: str = "") -> None:
        """That share (0 to 1) is done; `word` says with what, already in the players' language."""


@dataclass(frozen=True, slots=True)
class BackgroundTask:
    """What to do, and what to do with its result.

    `work` runs off the screen thread and calls its `step` often; what it has written when `step`
    raises `Stopped` must be as it was before. `then` gets the result on the screen thread;
    `otherwise` is called there where there is none.
    """

    title: str
    work: Callable[[TaskStep], Any]
    then: Callable[[Any], object] = lambda result: None
    otherwise: Callable[[], object] = lambda: None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a task is: replaced as a whole, so that a reader never sees half of it."""

    share: float = 0.0
    word: str = ""
    state: State = "running"
    why: str = ""
    """The one line that says what went wrong."""


class Running:
    """A task on its way; the screen reads `progress`, may `cancel`, and calls `finish` once."""

    def __init__(self, task: BackgroundTask) -> None:
        self.task = task
        self.progress = Progress()
        self._result: Any = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="task", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Stop at the next step."""
        self._stop.set()

    def join(self, timeout_s: float | None = None) -> None:
        """Wait for the end; for scripts and for closing down, never for the screen."""
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    @property
    def over(self) -> bool:
        """Whether nothing more happens."""
        return self.progress.state != "running"

    def finish(self) -> bool:
        """Hand the result on, on the thread that calls; whether there was one."""
        if self.progress.state != "done":
            self.task.otherwise()
            return False
        self.task.then(self._result)
        return True

    def _step(self, share: float, word: str = "") -> None:
        if self._stop.is_set():
            raise Stopped
        word = word or self.progress.word
        self.progress = Progress(min(max(share, self.progress.share, 0.0), 1.0), word)

    def _run(self) -> None:
        try:
            self._result = self.task.work(self._step)
            ending = Progress(1.0, "", "done")
        except Stopped:
            ending = Progress(self.progress.share, "", "stopped")
        except (CompanionError, OSError) as error:
            ending = Progress(self.progress.share, "", "failed", " ".join(tell(str(error)).split()))
        except Exception as error:
            # A fault of ours: the log gets all of it, the players one line.
            logging.getLogger(__name__).exception("task %r", self.task.title)
            why = f"{type(error).__name__}: {error}"
            ending = Progress(self.progress.share, "", "failed", " ".join(why.split()))
        self.progress = ending

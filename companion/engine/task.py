"""A long task on its own thread, with progress, cancellation and one result.

>>> def work(step):
...     for number in range(4):
...         step(number / 4, "page")
...     return "book.pdf"
>>> running = Running(BackgroundTask("Print", work, then=print))
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

from companion.engine.app_thread import AppThread
from companion.text.translation import translate
from models import CompanionError

State = Literal["running", "done", "failed", "stopped"]


class Stopped(Exception):
    """Raised by `step` inside a task that was cancelled; do not catch it."""


class TaskStep(Protocol):
    """The callback with which a task reports progress; raises `Stopped` once it is cancelled."""

    def __call__(self, share: float, word: str = "") -> None:
        """Report the share that is done (0 to 1); `word` says with what, already translated."""


@dataclass(frozen=True, slots=True)
class BackgroundTask:
    """The work, and what to do with its result.

    `work` runs on its own thread and calls its `step` often; when `step` raises `Stopped`, it must
    undo what it has written so far. `then` gets the result on the screen thread; `otherwise` is
    called there if there is no result.
    """

    title: str
    work: Callable[[TaskStep], Any]
    then: Callable[[Any], object] = lambda result: None
    otherwise: Callable[[], object] = lambda: None


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a task; replaced as a whole, so that readers never see a partial update."""

    share: float = 0.0
    word: str = ""
    state: State = "running"
    why: str = ""
    """The error as one line."""


class Running:
    """A running task: the screen reads `progress`, may `cancel`, and calls `finish` once."""

    def __init__(self, task: BackgroundTask) -> None:
        self.task = task
        self.progress = Progress()
        self._result: Any = None
        self._stop = threading.Event()
        self._thread = AppThread(self._run, "task", self.cancel)

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        """Stop at the next step."""
        self._stop.set()

    def join(self, timeout_s: float | None = None) -> None:
        """Block until the end; for scripts and for closing down, never on the screen thread."""
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    @property
    def over(self) -> bool:
        """Whether the task has ended."""
        return self.progress.state != "running"

    def finish(self) -> bool:
        """Pass the result on, on the calling thread; returns whether there was one."""
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
            ending = Progress(
                self.progress.share, "", "failed", " ".join(translate(str(error)).split())
            )
        except Exception as error:
            # A bug of ours: the log gets the traceback, the players one line.
            logging.getLogger(__name__).exception("task %r", self.task.title)
            why = f"{type(error).__name__}: {error}"
            ending = Progress(self.progress.share, "", "failed", " ".join(why.split()))
        self.progress = ending

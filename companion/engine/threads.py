"""Threads of the app: the worker with its job queue, and long tasks with progress and
cancellation; the process waits for them when it ends, though not forever.

A long task on its own thread, with progress, cancellation and one result.

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

import atexit
import logging
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from companion.engine.app_words import _
from companion.text.translation import translate
from models import CompanionError
from models.message import file_problem

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


Job = Callable[[], object]
T = TypeVar("T")

TICK_S = 0.15
"""How often an idle worker calls `idle`."""


class Worker:
    """Runs jobs in order and `idle` in between; a job's `CompanionError` is passed to `refused`."""

    def __init__(self, idle: Job, refused: Callable[[CompanionError], object]) -> None:
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

    def promise(self, job: Callable[[], T]) -> Future[T]:
        """Queue a job; the future gets its result, or the error that it raised."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(job())
            except BaseException as error:
                future.set_exception(error)
                raise

        self.ask(work)
        return future

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
                    self._wake.wait(TICK_S)
                job = self._jobs.popleft() if self._jobs else None
                self._busy = job is not None
            try:
                (job or self._idle)()
            except CompanionError as error:
                self._refused(error)
            except OSError as error:
                self._refused(file_problem(error))
            except Exception:
                # A drawing error must not end the game: log it, show it, and carry on.
                self.failures.append(traceback.format_exc())
                logging.getLogger(__name__).error("%s", self.failures[-1])
                self._refused(CompanionError(_("Something went wrong. The game is kept.")))
            finally:
                self._busy = False


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
            told = file_problem(error) if isinstance(error, OSError) else error
            ending = Progress(
                self.progress.share, "", "failed", " ".join(translate(str(told)).split())
            )
        except Exception as error:
            # A bug of ours: the log gets the traceback, the players one line.
            logging.getLogger(__name__).exception("task %r", self.task.title)
            why = f"{type(error).__name__}: {error}"
            ending = Progress(self.progress.share, "", "failed", " ".join(why.split()))
        self.progress = ending

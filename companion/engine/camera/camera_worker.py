"""Threads for one camera: in a game the first shows every frame and the second analyses frames;
in the set-up wizard one reads frames and runs the current step's detection.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from calibration.references.table_pose import TablePose
from calibration.setup import Setup
from companion.engine.camera.practice_source import PracticeSource
from companion.engine.snapshot import CameraView, Sight
from companion.engine.threads import AppThread
from companion.vision.sources.frame import CameraFrame, Gap, Picture, rgba_of
from companion.vision.sources.frame_sources import Source
from companion.vision.sources.safe_source import Opener, SafeSource
from companion.vision.track.table_tracker import SETTLE_S, TableTracker, TrackedView, TrayMoved
from models.message import CompanionError, cause, say

LONGEST_S = 1.0


class FrameRate:
    """Delays frames of a video file, which can be read faster than it was recorded.

    A camera's frames carry the time of this clock, so they are never early.
    """

    def __init__(self) -> None:
        self._opened_s = time.monotonic()
        self._began_s: float | None = None

    def early_s(self, frame: CameraFrame) -> float:
        """How long to wait before this frame is shown."""
        now = time.monotonic()
        if self._began_s is None:
            live = frame.time_s >= self._opened_s
            self._began_s = 0.0 if live else now - frame.time_s
        return min(max(self._began_s + frame.time_s - now, 0.0), LONGEST_S)


PAUSE_S = 0.1
"""Pause before asking the source again when it has no frame."""
SILENT_S = 1.5
"""A camera that has not answered for so long is lost."""
FOLLOW_S = 5.0
"""A frame whose analysis takes longer than this no longer shows the current table."""
THREAD_ENDED = say("the camera has stopped working")
JOIN_S = 0.3
"""How long closing waits for the threads; a camera that hangs is abandoned with its thread."""


class CameraWorker:
    """Reads a source, or the one that `reopen` opens, and publishes what it shows as `live`.

    Any error in its threads is shown as "lost", with its cause, and the camera is tried again.
    """

    def __init__(
        self,
        source: Source | None,
        setup: Setup,
        moved: Callable[[TrayMoved], None],
        reopen: Opener | None = None,
    ) -> None:
        self.setup = setup
        self._live = CameraView(sight="starting")
        self._moved = moved
        self._reader = SafeSource(source, reopen, mirrored=setup.mirrored)
        self._follower = TableTracker(setup, self._reader.still)
        self._appeared: dict[str, float] = {}
        """When trays were seen for the first time that have not yet been at rest since."""
        self._stop = threading.Event()
        self._new = threading.Condition()
        self._frame: CameraFrame | None = None
        """The newest frame that has not been analysed yet."""
        self._shown = self._since = 0
        """How many frames were shown, and the number of the first one since the camera was lost."""
        self._reading_since_s: float | None = None
        self._following_since_s: float | None = None
        """Since when a thread has been waiting for the camera, or for the analysis of a frame."""
        self._threads = [
            AppThread(self._watch, "camera", self._end),
            AppThread(self._follow, "camera", self._end),
        ]

    @property
    def source(self) -> Source | None:
        return self._reader.source

    @property
    def live(self) -> CameraView:
        """The newest frame; marked as lost as soon as a thread hangs or has ended."""
        silence = self._silence()
        if silence and self._live.sight != "lost":
            self._lose(silence)
        return self._live

    def _silence(self) -> str:
        """Why there is nothing new, in cases that the threads cannot report themselves.

        The practice table is rendered here: on a busy machine it is late, but never silent.
        """
        now, known = time.monotonic(), self._live.sight != "starting"
        rendered = isinstance(self.source, PracticeSource)
        reading, following = self._reading_since_s, self._following_since_s
        if not rendered and reading is not None and now - reading > SILENT_S:
            return say("{camera} does not answer", camera=self._reader.name)
        if not rendered and known and following is not None and now - following > FOLLOW_S:
            return say("the picture takes too long to work out")
        if not self._stop.is_set() and any(
            thread.ident is not None and not thread.is_alive() for thread in self._threads
        ):
            return THREAD_ENDED
        return ""

    def open(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop the threads; the camera's thread closes the source, at once unless it hangs."""
        self._end()
        end = time.monotonic() + JOIN_S
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=max(end - time.monotonic(), 0.0))

    def forget(self) -> None:
        """Discard all tracks and search the whole table again."""
        self._follower = TableTracker(self.setup, self._reader.still)

    def _end(self) -> None:
        self._stop.set()
        with self._new:
            self._new.notify()

    # -- showing frames ----------------------------------------------------------------------

    def _watch(self) -> None:
        pace = FrameRate()
        try:
            while not self._stop.is_set():
                self._reading_since_s = time.monotonic()
                taken = self._reader.read()
                self._reading_since_s = None
                if taken is None:
                    self._lose(say("the pictures ended"))
                    return
                if isinstance(taken, Gap):
                    self._lose(taken.why)
                    self._stop.wait(PAUSE_S)
                elif not self._stop.wait(pace.early_s(taken)):
                    self._try_to_show(taken)
        finally:
            self._reading_since_s = None
            if not self._stop.is_set():
                self._lose(THREAD_ENDED)
            self._end()
            self._reader.close()

    def _try_to_show(self, frame: CameraFrame) -> None:
        try:
            self._show(frame)
        except BaseException as error:  # for example out of memory
            logging.getLogger(__name__).exception("frame %s", frame.name)
            self._lose(f"{frame.name}: {cause(error)}")
            self._stop.wait(PAUSE_S)

    def _show(self, frame: CameraFrame) -> None:
        pixels = rgba_of(frame.picture)
        with self._new:
            self._shown += 1
            self._live = replace(self._live, number=self._shown, picture=frame.picture, rgba=pixels)
            self._frame = frame
            self._new.notify()

    def _lose(self, why: str) -> None:
        with self._new:
            self._frame, self._since = None, self._shown + 1
            if self._live.sight != "lost":
                self._live = replace(self._live, sight="lost", why=why, since_s=time.monotonic())

    # -- analysing frames --------------------------------------------------------------------

    def _follow(self) -> None:
        while True:
            with self._new:
                self._new.wait_for(lambda: self._frame is not None or self._stop.is_set())
                frame, self._frame, number = self._frame, None, self._shown
            if frame is None:
                return
            self._following_since_s = time.monotonic()
            try:
                self._tell(self._follower.see(frame), number)
            except BaseException as error:  # one frame must not stop the thread
                if not isinstance(error, CompanionError):
                    logging.getLogger(__name__).exception("frame %s", frame.name)
                    with suppress(BaseException):
                        self.forget()
                self._lose(cause(error))
            finally:
                self._following_since_s = None

    def _tell(self, view: TrackedView, number: int) -> None:
        sight, why = condition(view)
        with self._new:
            if number < self._since:
                return  # the camera was lost in the meantime
            before = self._live
            self._live = replace(
                before,
                camera=view.camera if isinstance(view.camera, TablePose) else before.camera,
                sight=sight,
                standings=view.standings,
                why=why,
                since_s=before.since_s if sight == before.sight else time.monotonic(),
            )
        for event in view.events:
            if isinstance(event, TrayMoved):
                self._moved(event)
            elif event.what == "appeared":
                self._appeared[event.unit] = event.at_s
        for one in view.standings:
            since = self._appeared.get(one.unit, math.inf)
            if one.condition == "settled" and one.seen_s - since >= SETTLE_S:
                # A hand may have moved it before its tag was seen: the game compares the place.
                del self._appeared[one.unit]
                self._moved(TrayMoved(one.unit, one.fit.pose, one.fit.pose, since, one.seen_s))


def condition(view: TrackedView) -> tuple[Sight, str]:
    """Whether the tracked table is live or held from earlier frames, and why."""
    if view.held_s is None:
        return "live", view.problems[0] if view.problems else ""
    return "held", view.camera.reason if not isinstance(view.camera, TablePose) else ""


Watch = Callable[[CameraFrame], Any]


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationFrame:
    """The newest frame and the result of the step's `watch`; `trouble` says why there is none."""

    number: int = 0
    picture: Picture | None = None
    found: Any = None
    trouble: str = ""
    watch: Watch | None = None
    """The function that made the result; after a change of steps the old result is ignored."""

    unusable: bool = False
    """Whether the trouble is with what the picture shows: the camera itself works."""


class CalibrationWorker:
    """Opens a source on its own thread and reads it until closed.

    A video or a folder of photos restarts when it ends.
    """

    def __init__(self, open_it: Callable[[], Source], mirrored: bool = False) -> None:
        self._latest = CalibrationFrame()
        self._reader = SafeSource(reopen=open_it, mirrored=mirrored)
        self._open = open_it
        self._watch: Watch = lambda frame: None
        self._reading_since_s: float | None = None
        """Since when the thread has waited for the camera."""
        self._stop = threading.Event()
        self._thread = AppThread(self._run, "calibration", self._stop.set)

    @property
    def source(self) -> Source | None:
        """What is looked through now."""
        return self._reader.source

    @property
    def latest(self) -> CalibrationFrame:
        """The newest frame; in trouble as soon as the thread hangs or has ended, whoever asks."""
        silence = self._silence()
        if silence and not self._latest.trouble:
            self._trouble(silence)
        return self._latest

    def _silence(self) -> str:
        """Why there is nothing new, as far as the thread cannot tell it itself."""
        since, thread = self._reading_since_s, self._thread
        if thread.ident is not None and not thread.is_alive() and not self._stop.is_set():
            return THREAD_ENDED
        if since is not None and time.monotonic() - since > SILENT_S:
            return f"{self._reader.name} does not answer"
        return ""

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def turn_back(self, mirrored: bool) -> None:
        """Turn pictures back that the camera mirrors, or leave them as they are."""
        self._reader.mirrored = mirrored

    def watch(self, watch: Watch) -> None:
        """Use another detection function from the next frame on."""
        self._watch = watch
        self._latest = replace(self._latest, found=None, watch=watch)

    def close(self) -> None:
        """Stop the thread and close the source."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=JOIN_S)

    def _run(self) -> None:
        pace = FrameRate()
        while not self._stop.is_set():
            self._reading_since_s = time.monotonic()
            taken = self._reader.read()
            self._reading_since_s = None
            if taken is None:
                self._reader.close()
                mirrored = self._reader.mirrored
                self._reader, pace = SafeSource(reopen=self._open, mirrored=mirrored), FrameRate()
                self._stop.wait(PAUSE_S)
            elif isinstance(taken, Gap):
                self._trouble(taken.why)
                self._stop.wait(PAUSE_S)
            elif not self._stop.wait(pace.early_s(taken)):
                self._see(taken)
        self._reader.close()

    def _see(self, frame: CameraFrame) -> None:
        watch, unusable = self._watch, True
        try:
            found, trouble = watch(frame), frame.trouble
            unusable = False
        except CompanionError as error:
            found, trouble = None, str(error)
        except Exception as error:
            # One frame that breaks a step's detection must not end the thread.
            logging.getLogger(__name__).exception("frame %s", frame.name)
            found, trouble = None, cause(error)
        number = self._latest.number + 1
        self._latest = CalibrationFrame(number, frame.picture, found, trouble, watch, unusable)

    def _trouble(self, why: str) -> None:
        latest = self._latest
        self._latest = replace(
            latest, number=latest.number + 1, found=None, trouble=why, unusable=False
        )

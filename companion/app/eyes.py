"""Two threads that look at the table: one shows every frame at once, one works out what it shows.

A search of the whole picture takes longer than a frame; the picture must not stand still for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from calibration.setup import Setup
from calibration.table_pose import TablePose
from companion.app.pace import Pace
from companion.app.snapshot import Live, Sight
from companion.vision.following import Follower, Moved, View
from companion.vision.frame import Frame, Gap, rgba_of
from companion.vision.sources import Source
from models import CompanionError

PAUSE_S = 0.1
"""While there is no frame, the source is asked again so often."""


class Eyes:
    """Reads one source until told to stop; `live` is always whole."""

    def __init__(self, source: Source, setup: Setup, moved: Callable[[Moved], None]) -> None:
        self.source, self.setup = source, setup
        self.live = Live(sight="starting")
        self._moved = moved
        self._follower = Follower(setup, source.still)
        self._stop = threading.Event()
        self._new = threading.Condition()
        self._frame: Frame | None = None
        """The newest frame that nobody has followed yet."""
        self._shown = self._since = 0
        """How many frames were shown, and which was the first since the camera was lost."""
        self._threads = [
            threading.Thread(target=self._watch, name="camera", daemon=True),
            threading.Thread(target=self._follow, name="eyes", daemon=True),
        ]

    def open(self) -> None:
        """Begin to look."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop looking and let go of the source."""
        self._end()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=5)

    def forget(self) -> None:
        """Look at the whole table anew: everything may have been put elsewhere."""
        self._follower = Follower(self.setup, self.source.still)

    def _end(self) -> None:
        self._stop.set()
        with self._new:
            self._new.notify()

    # -- showing ----------------------------------------------------------------------------

    def _watch(self) -> None:
        pace = Pace()
        try:
            while not self._stop.is_set():
                try:
                    taken = self.source.read()
                except CompanionError as error:
                    taken = Gap(time.monotonic(), str(error))
                if taken is None:
                    self._lose("the pictures ended")
                    return
                if isinstance(taken, Gap):
                    self._lose(taken.why)
                    self._stop.wait(PAUSE_S)
                elif not self._stop.wait(pace.early_s(taken)):
                    self._show(taken)
        finally:
            self._end()
            self.source.close()

    def _show(self, frame: Frame) -> None:
        pixels = rgba_of(frame.picture)
        with self._new:
            self._shown += 1
            self.live = replace(self.live, number=self._shown, picture=frame.picture, rgba=pixels)
            self._frame = frame
            self._new.notify()

    def _lose(self, why: str) -> None:
        with self._new:
            self._frame, self._since = None, self._shown + 1
            if self.live.sight != "lost":
                self.live = replace(self.live, sight="lost", why=why, since_s=time.monotonic())

    # -- following --------------------------------------------------------------------------

    def _follow(self) -> None:
        while True:
            with self._new:
                self._new.wait_for(lambda: self._frame is not None or self._stop.is_set())
                frame, self._frame, number = self._frame, None, self._shown
            if frame is None:
                return
            try:
                view = self._follower.see(frame)
            except CompanionError as error:
                self._lose(str(error))
                continue
            self._tell(view, number)

    def _tell(self, view: View, number: int) -> None:
        sight, why = condition(view)
        with self._new:
            if number < self._since:
                return  # the camera was lost meanwhile
            before = self.live
            self.live = replace(
                before,
                camera=view.camera if isinstance(view.camera, TablePose) else before.camera,
                sight=sight,
                standings=view.standings,
                why=why,
                since_s=before.since_s if sight == before.sight else time.monotonic(),
            )
        for event in view.events:
            if isinstance(event, Moved):
                self._moved(event)


def condition(view: View) -> tuple[Sight, str]:
    """Whether the table is live or held, and why."""
    if view.held_s is None:
        return "live", view.problems[0] if view.problems else ""
    return "held", view.camera.reason if not isinstance(view.camera, TablePose) else ""

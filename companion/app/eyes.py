"""The camera's own thread: frames come in, what is known of the table goes out; it never waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from calibration.setup import Setup
from calibration.table_pose import TablePose
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
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def open(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking and let go of the source."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def forget(self) -> None:
        """Look at the whole table anew: everything may have been put elsewhere."""
        self._follower = Follower(self.setup, self.source.still)

    def _run(self) -> None:
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
                    continue
                self._see(taken)
        finally:
            self.source.close()

    def _lose(self, why: str) -> None:
        if self.live.sight != "lost":
            self.live = replace(self.live, sight="lost", why=why, since_s=time.monotonic())

    def _see(self, frame: Frame) -> None:
        try:
            view = self._follower.see(frame)
        except CompanionError as error:
            self._lose(str(error))
            return
        sight, why = condition(view)
        since = self.live.since_s if sight == self.live.sight else time.monotonic()
        camera = view.camera if isinstance(view.camera, TablePose) else self.live.camera
        self.live = Live(
            frame.number,
            frame.picture,
            rgba_of(frame.picture),
            camera,
            sight,
            view.standings,
            why,
            since,
        )
        for event in view.events:
            if isinstance(event, Moved):
                self._moved(event)


def condition(view: View) -> tuple[Sight, str]:
    """Whether the table is live or held, and why."""
    if view.held_s is None:
        return "live", view.problems[0] if view.problems else ""
    return "held", view.camera.reason if not isinstance(view.camera, TablePose) else ""

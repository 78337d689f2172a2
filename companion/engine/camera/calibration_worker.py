"""The camera thread of the set-up wizard: reads frames and runs the current step's detection."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.app_thread import AppThread
from companion.engine.camera.camera_worker import SILENT_S, THREAD_ENDED
from companion.engine.camera.frame_rate import FrameRate
from companion.vision.sources.frame import CameraFrame, Gap, Picture
from companion.vision.sources.frame_sources import Source
from companion.vision.sources.safe_source import SafeSource
from models.errors import CompanionError, cause

PAUSE_S = 0.1
JOIN_S = 0.3
"""How long closing waits; a camera that hangs is abandoned with its thread."""

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

    def __init__(self, open_it: Callable[[], Source]) -> None:
        self._latest = CalibrationFrame()
        self._reader = SafeSource(reopen=open_it)
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
                self._reader, pace = SafeSource(reopen=self._open), FrameRate()
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

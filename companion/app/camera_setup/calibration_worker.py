"""A camera's own thread while it is being set up: frames in, what a step sees in them out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from companion.app.engine.frame_rate import FrameRate
from companion.vision.sources.frame import CameraFrame, Gap, Picture
from companion.vision.sources.frame_sources import Source
from companion.vision.sources.safe_source import SafeSource, frame_problem
from models.errors import CompanionError, cause

PAUSE_S = 0.1
AGAIN_S = 1.5
"""A camera that cannot be opened is asked again so often."""
JOIN_S = 0.3
"""Closing waits so long; a camera that hangs is left to its own thread."""

Watch = Callable[[CameraFrame], Any]


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationFrame:
    """The newest frame and what the step's watch made of it; `trouble` says why there is none."""

    number: int = 0
    picture: Picture | None = None
    found: Any = None
    trouble: str = ""
    watch: Watch | None = None
    """Whose finding it is: after a change of steps the old one's is nobody's."""

    unusable: bool = False
    """Whether the trouble is with what the picture shows: the camera itself works."""


class CalibrationWorker:
    """Opens a source in its own thread, reads it until told to stop, and never waits for anybody.

    A film or a folder of photos begins anew when it ends.
    """

    def __init__(self, open_it: Callable[[], Source]) -> None:
        self.scouted = CalibrationFrame()
        self.source: Source | None = None
        self._open = open_it
        self._watch: Watch = lambda frame: None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scout", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def watch(self, watch: Watch) -> None:
        """From the next frame on, look for something else."""
        self._watch = watch
        self.scouted = replace(self.scouted, found=None, watch=watch)

    def close(self) -> None:
        """Stop, and let go of the source."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=JOIN_S)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.source = self._open()
                self._read(self.source)
                pause = PAUSE_S
            except Exception as error:  # drivers and decoders raise nearly anything
                if not isinstance(error, CompanionError):
                    logging.getLogger(__name__).warning("camera", exc_info=True)
                self._trouble(cause(error))
                pause = AGAIN_S
            finally:
                SafeSource(self.source).close()
                self.source = None
            self._stop.wait(pause)

    def _read(self, source: Source) -> None:
        """Until there are no more frames."""
        pace = FrameRate()
        while not self._stop.is_set():
            taken = source.read()
            if taken is None:
                return
            problem = taken.why if isinstance(taken, Gap) else frame_problem(taken)
            if isinstance(taken, Gap) or problem:
                self._trouble(problem)
                self._stop.wait(PAUSE_S)
                continue
            self._stop.wait(pace.early_s(taken))
            self._see(taken)

    def _see(self, frame: CameraFrame) -> None:
        watch, unusable = self._watch, True
        try:
            found, trouble = watch(frame), frame.trouble
            unusable = False
        except CompanionError as error:
            found, trouble = None, str(error)
        except Exception as error:
            # One picture that breaks a step must not end the looking.
            logging.getLogger(__name__).exception("frame %s", frame.name)
            found, trouble = None, cause(error)
        number = self.scouted.number + 1
        self.scouted = CalibrationFrame(number, frame.picture, found, trouble, watch, unusable)

    def _trouble(self, why: str) -> None:
        scouted = self.scouted
        self.scouted = replace(
            scouted, number=scouted.number + 1, found=None, trouble=why, unusable=False
        )

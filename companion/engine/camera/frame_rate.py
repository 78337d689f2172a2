"""Paces frames so that they are shown as fast as they were recorded."""

from __future__ import annotations

import time

from companion.vision.sources.frame import CameraFrame

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

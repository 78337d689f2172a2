"""A virtual camera as a frame source: one picture when it is due, none while it is covered."""

from __future__ import annotations

import time

from companion.vision.sources.frame import CameraFrame, Gap, Picture
from models.lazy_message import say


class PacedSource:
    """A frame `Source` that renders its pictures with `picture`, at most `fps` in a second."""

    name = "practice camera"
    fps: float
    _number = 0
    _due_s = 0.0
    _covered = False

    def picture(self, now_s: float) -> Picture:
        """The picture at this moment."""
        raise NotImplementedError

    def cover(self, covered: bool) -> None:
        """Simulate an unplugged camera, or plug it in again."""
        self._covered = covered

    def read(self) -> CameraFrame | Gap | None:
        """The next frame; blocks until it is due."""
        now = time.monotonic()
        if self._due_s > now:
            time.sleep(self._due_s - now)
            now = time.monotonic()
        self._due_s = max(now, self._due_s + 1.0 / self.fps)
        if self._covered:
            return Gap(now, say("the camera is covered"))
        picture = self.picture(now)
        self._number += 1
        return CameraFrame(picture, now, self._number, self.name)

    def still(self) -> CameraFrame | None:
        """None: the practice camera has no higher resolution for stills."""
        return None

    def close(self) -> None: ...

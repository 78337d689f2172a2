"""The newest picture of a camera, however seldom it is asked for.

Drivers and networks keep pictures in a queue: who is slower than the camera would see the table as
it was seconds ago.
"""

from __future__ import annotations

import threading
from contextlib import nullcontext

import cv2
import numpy as np

from companion.vision.sources.frame import Picture
from companion.vision.sources.memory_limit import FRAME_BYTES, memory_limit


class LiveCapture:
    """Takes every picture of a capture on a thread of its own and keeps only the newest.

    Pictures that came from elsewhere (`foreign`) get limited memory.
    """

    def __init__(self, capture: cv2.VideoCapture, foreign: bool) -> None:
        self._capture, self._foreign = capture, foreign
        self._changed = threading.Condition()
        self._newest: Picture | None = None
        self._ended = False
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._take, name="live capture", daemon=True)

    def set(self, name: int, value: float) -> bool:
        """Ask the camera for something, before the first picture."""
        return self._capture.set(name, value)

    def read(self) -> tuple[bool, Picture | None]:
        """The newest picture that has not been given yet; waits for one."""
        if self._thread.ident is None:
            self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._ended)
            picture, self._newest = self._newest, None
            if picture is None and self._error is not None:
                raise self._error
        return picture is not None, picture

    def release(self) -> None:
        """Close the device, as soon as it has given the picture that it is asked for."""
        with self._changed:
            self._ended = True
        if self._thread.ident is not None:
            self._thread.join()
        self._capture.release()

    def _take(self) -> None:
        while not self._ended:
            error = picture = None
            try:
                picture = grabbed(self._capture, self._foreign)
            except BaseException as raised:  # drivers raise nearly anything: `read` raises it again
                error = raised
            with self._changed:
                if picture is None:
                    self._ended, self._error = True, error
                else:
                    self._newest = picture
                self._changed.notify()


def grabbed(capture: cv2.VideoCapture | LiveCapture, foreign: bool = True) -> Picture | None:
    """The next picture of a capture, or None; what came from elsewhere gets limited memory."""
    try:
        with memory_limit(FRAME_BYTES) if foreign else nullcontext():
            good, picture = capture.read()
    except (cv2.error, MemoryError):
        return None
    if not good or picture is None or picture.size == 0:
        return None
    return np.asarray(picture, dtype=np.uint8)

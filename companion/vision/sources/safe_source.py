"""A source whose `read` never raises: every fault of a camera becomes a Gap that says why."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

import numpy as np

from companion.vision.sources.frame import (
    CameraFrame,
    Gap,
    Picture,
    side_problem,
)
from companion.vision.sources.frame_sources import RETRY_S, Photos, Source, VideoFile
from models.message import CompanionError, cause

FROZEN_S, NETWORK_S = 1.5, 4.0
"""A camera has noise: pictures that are equal to the last bit for so long mean that it hangs. Those
of a network stall more often, and go on."""
CLOSE_S = 0.5
"""A device that takes longer to close is left to a thread of its own,"""
MOST_CLOSING = 3
"""but no more than so many of them."""
LEAST_PX = 16
"""The least width and height of a picture: a tag alone needs more."""

Opener = Callable[[], Source]


class SafeSource:
    """Reads a source, or what `reopen` opens; after a fault it is closed and opened again.

    A source without `reopen` is asked again instead. Only `read` opens a source, so that a
    camera that does not answer keeps nobody waiting but the thread that reads it.
    """

    def __init__(
        self,
        source: Source | None = None,
        reopen: Opener | None = None,
        clock: Callable[[], float] = time.monotonic,
        mirrored: bool = False,
    ) -> None:
        self.source = source
        self.mirrored = mirrored
        """Whether its pictures are turned back, since the camera mirrors them."""
        self._reopen, self._clock = reopen, clock
        self._retry_at_s = 0.0
        self._opened_s = 0.0
        self._fault = ""
        self._last: CameraFrame | None = None
        self._same_since_s = 0.0
        self._closing: list[threading.Thread] = []

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return self.source.name if self.source is not None else "the camera"

    def read(self) -> CameraFrame | Gap | None:
        """The next sound frame; a Gap while there is none; None when there will be no more."""
        now = self._clock()
        if self.source is None and (now < self._retry_at_s or self._hangs()):
            return Gap(now, self._fault)
        try:
            if self.source is None:
                if self._reopen is None:
                    return None
                self.source, self._opened_s = self._reopen(), self._clock()
            taken = self.source.read()
        except BaseException as error:  # drivers and decoders raise nearly anything
            refuse_interrupt(error)
            # An error of ours already names the camera.
            return self._failed(cause(error), named=isinstance(error, CompanionError))
        if taken is None and self._ends():
            return None
        if taken is None or isinstance(taken, Gap):
            self._last = None
            return taken or self._failed("gives no more pictures")
        problem = frame_problem(taken)
        if problem:
            return self._failed(problem)
        frozen = self._frozen(taken)
        if frozen and self._clock() - self._opened_s >= self._patience_s:
            return self._failed(frozen, taken)
        # A camera that was just opened again gets time for another picture.
        if frozen:
            return Gap(now, f"{self.name}: {frozen}")
        return taken.turned_back(self.mirrored)

    def still(self) -> CameraFrame | None:
        """A picture of higher resolution, where the source can take one."""
        source = self.source
        try:
            taken = source.still() if source is not None else None
        except BaseException as error:
            refuse_interrupt(error)
            logging.getLogger(__name__).warning("%s: still", self.name, exc_info=True)
            return None
        if taken is None or frame_problem(taken):
            return None
        return taken.turned_back(self.mirrored)

    def close(self) -> None:
        """Close the source; one that cannot be closed is abandoned."""
        source = self.source
        if source is None:
            return
        closing = threading.Thread(target=closed, args=(source,), name="closing", daemon=True)
        self._closing = [one for one in self._closing if one.is_alive()] + [closing]
        closing.start()
        closing.join(CLOSE_S)

    def _hangs(self) -> bool:
        """Whether the device hung so often when it was closed that opening it again is useless."""
        return sum(one.is_alive() for one in self._closing) >= MOST_CLOSING

    def _ends(self) -> bool:
        """Whether no more pictures are an end, as of a film, and not a fault, as of a camera."""
        return self._reopen is None or isinstance(self.source, VideoFile | Photos)

    def _failed(self, why: str, last: CameraFrame | None = None, named: bool = False) -> Gap:
        """Note the fault; a source that can be opened again is closed first."""
        name, self._last = self.name, last
        self._fault = why if named or why.startswith(name) else f"{name}: {why}"
        now = self._clock()
        if self._reopen is not None:
            self.close()
            self.source = None
            self._retry_at_s = now + RETRY_S
        return Gap(now, self._fault)

    @property
    def _patience_s(self) -> float:
        """How long its picture may stand still."""
        return NETWORK_S if "://" in self.name else FROZEN_S

    def _frozen(self, frame: CameraFrame) -> str:
        """Whether the picture has stood still for too long; a recording may."""
        last, self._last = self._last, frame
        now = self._clock()
        recorded = last is not None and last.time_s < frame.time_s < self._same_since_s
        if last is None or recorded or not same_picture(last.picture, frame.picture):
            self._same_since_s = now
            return ""
        same_s = now - self._same_since_s
        return (
            f"the picture has been frozen for {same_s:.0f} s" if same_s >= self._patience_s else ""
        )


def closed(source: Source) -> None:
    """Close a source, whatever it raises."""
    try:
        source.close()
    except BaseException:
        logging.getLogger(__name__).warning("%s: close", source.name, exc_info=True)


def refuse_interrupt(error: BaseException) -> None:
    """Raise a player's Ctrl-C again, which only the main thread hears; all else is the camera's."""
    if isinstance(error, KeyboardInterrupt) and (
        threading.current_thread() is threading.main_thread()
    ):
        raise error


def frame_problem(frame: object) -> str:
    """Why something cannot be looked at as a frame; empty if it can."""
    picture = getattr(frame, "picture", None)
    if not isinstance(frame, CameraFrame) or not isinstance(picture, np.ndarray):
        return "gives something that is not a picture"
    if picture.size == 0:
        return "gives an empty picture"
    shape = " x ".join(map(str, picture.shape))
    flat = picture.ndim == 2 or (picture.ndim == 3 and picture.shape[2] in (3, 4))
    if picture.dtype != np.uint8 or not flat:
        return f"gives a picture of an unknown kind ({shape}, {picture.dtype})"
    if min(picture.shape[:2]) < LEAST_PX:
        return f"gives a picture too small to see anything ({shape})"
    if problem := side_problem(picture.shape[1], picture.shape[0]):
        return f"gives a picture that {problem}"
    if not isinstance(frame.time_s, int | float) or not math.isfinite(frame.time_s):
        return "gives a picture without a time"
    return ""


def same_picture(one: Picture, other: Picture) -> bool:
    """Whether two pictures are equal to the last bit; a few pixels tell most of them apart."""
    if one.shape != other.shape:
        return False
    return np.array_equal(one[::16, ::16], other[::16, ::16]) and np.array_equal(one, other)

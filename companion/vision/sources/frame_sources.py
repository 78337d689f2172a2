"""Where frames come from: photos, folders, videos, cameras, network streams, a practice table.

Everything that looks at a table reads from one small interface, so that a tablet's own camera
is one more class with `read`, `still` and `close`.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from companion.vision.sources.frame import (
    VIDEO_PIXELS,
    CameraFrame,
    Gap,
    Picture,
    load_photo,
    photos_in,
    side_problem,
)
from companion.vision.sources.live_capture import LiveCapture, grabbed
from companion.vision.sources.memory_limit import OPENING_BYTES, memory_limit
from companion.vision.sources.stream_address import (
    LOGIN,
    NoCamera,
    ffmpeg_options,
    masked,
    redirected,
)
from models.message import STARS, BadInput, cause, joined, say

VIDEO_SUFFIXES = frozenset({".mp4", ".mov", ".avi", ".mkv", ".m4v", ".webm", ".mpg", ".mpeg"})
RETRY_S = 1.0
"""How long to wait before a camera that went away is asked for again."""
FROZEN_FRAMES = 15
"""A living camera has noise: so many equal frames mean that it hangs."""


NETWORK_LIMITS = (
    *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000),
    *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000),
)
"""How long a camera in the network may take to answer, before it is given up and asked anew."""
ONE_THREAD = (cv2.CAP_PROP_N_THREADS, 1)
"""Each thread of a decoder keeps frames of its own."""


class Source(Protocol):
    """Frames one after the other."""

    @property
    def name(self) -> str:
        """What to call it in messages."""

    def read(self) -> CameraFrame | Gap | None:
        """The next frame; a Gap while there is none; None when there will be no more."""

    def still(self) -> CameraFrame | None:
        """A picture of higher resolution of this moment, where the source can take one.

        It may be asked from another thread than `read`.
        """

    def close(self) -> None:
        """Close the device or file."""


@dataclass(eq=False)
class Photos:
    """Pictures from files, one after the other, a second apart."""

    paths: tuple[Path, ...]
    period_s: float = 1.0
    _next: int = 0

    @property
    def name(self) -> str:
        """The first file, and how many follow."""
        more = f" and {len(self.paths) - 1} more" if len(self.paths) > 1 else ""
        return f"{self.paths[0]}{more}" if self.paths else "no pictures"

    def read(self) -> CameraFrame | Gap | None:
        """The next picture; a broken one is refused by name."""
        if self._next >= len(self.paths):
            return None
        number, path = self._next, self.paths[self._next]
        self._next += 1
        return CameraFrame(load_photo(path), number * self.period_s, number, str(path))

    def still(self) -> CameraFrame | None:
        """None: a photo has no better version."""
        return None

    def close(self) -> None:
        """Nothing is held open."""


@dataclass(eq=False)
class VideoFile:
    """A recorded video, upright as its rotation flag says."""

    path: Path
    problem: str = ""
    """What went wrong while reading, once it did."""
    _capture: cv2.VideoCapture | None = field(default=None, init=False)
    _number: int = field(default=0, init=False)
    _size: tuple[int, int] = field(default=(0, 0), init=False)

    @property
    def name(self) -> str:
        return str(self.path)

    def __post_init__(self) -> None:
        if not self.path.is_file():
            raise BadInput(str(self.path), "", "cannot be read: no such file")
        self._capture = opened(str(self.path))
        if self._capture is None:
            raise BadInput(str(self.path), "", f"is not a video that can be read{self._looks()}")

    def _looks(self) -> str:
        """What the file is instead, if it is a picture."""
        try:
            load_photo(self.path)
        except BadInput as error:
            return f": it {error.problem}" if "pixels" in error.problem else ""
        return ": it is a picture"

    def read(self) -> CameraFrame | Gap | None:
        """The next frame; after the last one, or where the file breaks off, None."""
        if self._capture is None:
            return None
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        period = 1.0 / fps if 1.0 <= fps <= 1000.0 else 1.0 / 30
        try:
            picture = grabbed(self._capture)
        except Exception as error:  # decoders raise nearly anything
            self.close()
            raise BadInput(str(self.path), f"frame {self._number}", cause(error)) from None
        if picture is None:
            promised = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
            if self._number == 0:
                self.close()
                raise BadInput(str(self.path), "", "holds no frame that can be read")
            if promised > self._number + 1:
                self.problem = f"breaks off after {self._number} of {promised} frames"
            self.close()
            return None
        size = (picture.shape[1], picture.shape[0])
        trouble = size_trouble(self._size, size)
        self._size = size
        frame = CameraFrame(
            picture, self._number * period, self._number, f"{self.path}#{self._number}", trouble
        )
        self._number += 1
        return frame

    def still(self) -> CameraFrame | None:
        """None: a recording has no better version."""
        return None

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
        self._capture = None


@dataclass(eq=False)
class Camera:
    """A USB camera (its number) or a network stream (its address), opened again when it goes.

    `clock`, `sleep` and `open_device` can be replaced to try it without a camera.
    """

    device: int | str
    size: tuple[int, int] | None = None
    clock: Callable[[], float] = time.monotonic
    open_device: Callable[[int | str], LiveCapture | None] = field(
        default_factory=lambda: opened_live
    )
    _capture: LiveCapture | None = field(default=None, init=False)
    _number: int = field(default=0, init=False)
    _lost_at: float | None = field(default=None, init=False)
    _tried_at: float = field(default=-1e9, init=False)
    _last: Picture | None = field(default=None, init=False)
    _last_s: float = field(default=0.0, init=False)
    _period_s: float = field(default=0.0, init=False)
    _same: int = field(default=0, init=False)

    @property
    def name(self) -> str:
        """The device as people call it."""
        return f"camera {self.device}" if isinstance(self.device, int) else masked(self.device)

    def __post_init__(self) -> None:
        if not self._open():
            raise NoCamera(f"{self.name}: cannot be opened")

    def read(self) -> CameraFrame | Gap | None:
        """The newest frame; a Gap while the camera is away."""
        now = self.clock()
        if self._capture is None and not self._reopen(now):
            since = now - (self._lost_at if self._lost_at is not None else now)
            return Gap(
                now,
                say(
                    "{camera}: unplugged or out of reach for {seconds:.0f} s",
                    camera=self.name,
                    seconds=since,
                ),
            )
        why = "gives no more frames"
        try:
            picture = grabbed(self._capture, False) if self._capture is not None else None
        except Exception as error:  # drivers raise nearly anything
            picture, why = None, cause(error)
        if picture is None:
            self.close()
            self._lost_at, self._tried_at = now, now
            return Gap(now, f"{self.name}: {why}")
        trouble = self._troubles(picture, now)
        frame = CameraFrame(picture, now, self._number, self.name, trouble)
        self._number += 1
        return frame

    def still(self) -> CameraFrame | None:
        """A capture device streams at one size only."""
        return None

    def close(self) -> None:
        """Close the device."""
        capture, self._capture = self._capture, None
        if capture is not None:
            with suppress(Exception):  # a device that is gone cannot always be released
                capture.release()

    def _open(self) -> bool:
        self._capture = self.open_device(self.device)
        if self._capture is not None and self.size is not None:
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, self.size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self.size[1])
        return self._capture is not None

    def _reopen(self, now: float) -> bool:
        if now - self._tried_at < RETRY_S:
            return False
        self._tried_at = now
        return self._open()

    def _troubles(self, picture: Picture, now: float) -> str:
        """What is odd about this frame after the last one."""
        troubles = []
        if self._lost_at is not None:
            troubles.append(f"back after {now - self._lost_at:.1f} s")
            self._lost_at = None
        last, self._last = self._last, picture
        pause, self._last_s = now - self._last_s, now
        if last is not None and not troubles:
            size = size_trouble(
                (last.shape[1], last.shape[0]), (picture.shape[1], picture.shape[0])
            )
            if size:
                troubles.append(size)
            elif np.array_equal(last[::16, ::16], picture[::16, ::16]):
                self._same += 1
                if self._same >= FROZEN_FRAMES:
                    troubles.append(f"frozen for {self._same} frames")
            else:
                self._same = 0
            if self._period_s and pause > 2.5 * self._period_s and pause > 0.1:
                troubles.append(f"{round(pause / self._period_s) - 1} frames dropped")
            self._period_s = pause if not self._period_s else 0.9 * self._period_s + 0.1 * pause
        return ", ".join(troubles)


def streams(place: str) -> bool:
    """Whether a word means something that moves: a camera's number, an address, a video."""
    return bool(
        re.fullmatch(r"\d{1,2}", place)
        or re.match(r"[a-z][a-z0-9+.-]*://", place, re.IGNORECASE)
        or (Path(place).suffix.lower() in VIDEO_SUFFIXES and not Path(place).is_dir())
    )


def open_source(place: str) -> Source:
    """The source that a word means: a file, a folder, a camera's number, or an address."""
    if not streams(place):
        path = Path(place)
        if LOGIN.fullmatch(place) and not os.path.lexists(path):
            told = say("An address begins with http:// or rtsp://")
            raise NoCamera(joined((masked(place), told), ": "))
        return Photos(photos_in(path) if path.is_dir() else (path,))
    if place.isdecimal():
        return Camera(int(place))
    if "://" in place:
        return Camera(place)
    return VideoFile(Path(place))


def opened_live(device: int | str) -> LiveCapture | None:
    """A camera that is open and gives its newest picture, or None."""
    capture = opened(device)
    return LiveCapture(capture, isinstance(device, str)) if capture is not None else None


def opened(device: int | str) -> cv2.VideoCapture | None:
    """An open capture, or None; quietly, since a missing camera is an answer and not an alarm.

    A video or stream whose frames are too large is closed again, and so is what is none: pictures
    and playlists under other names.
    """
    quiet()
    if isinstance(device, str) and "://" in device and STARS in device:
        raise NoCamera(
            say(
                "{camera}: a backup holds no passwords; enter the address again with its password",
                camera=masked(device),
            )
        )
    try:
        capture = opened_safely(device) if isinstance(device, str) else cv2.VideoCapture(device)
    except NoCamera:
        raise
    except Exception:  # drivers raise nearly anything
        return None
    size = capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
    if not capture.isOpened():
        return None
    if problem := side_problem(*size, VIDEO_PIXELS):
        capture.release()
        if isinstance(device, str):
            raise BadInput(masked(device), "", f"{problem}: too large for a video")
        return None
    return capture


def opened_safely(place: str) -> cv2.VideoCapture:
    """A file or stream opened by FFmpeg alone, which can be told what to accept."""
    if cv2.CAP_FFMPEG not in cv2.videoio_registry.getBackends():
        return cv2.VideoCapture(place)
    capture = opened_once(place)
    if capture.isOpened() or not place.lower().startswith("http://"):
        return capture
    another = redirected(place)
    return opened_once(another) if another else capture


def opened_once(place: str) -> cv2.VideoCapture:
    """A file or stream opened at exactly this place."""
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = ffmpeg_options(place)
    limits = (*NETWORK_LIMITS, *ONE_THREAD) if "://" in place else ONE_THREAD
    with memory_limit(OPENING_BYTES):
        return cv2.VideoCapture(place, cv2.CAP_FFMPEG, limits)


def quiet() -> None:
    """Keep OpenCV and FFmpeg from printing to the terminal."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    set_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    set_level(0)


def size_trouble(before: tuple[int, int], now: tuple[int, int]) -> str:
    """A change of size in words, empty when there is none."""
    if before in ((0, 0), now):
        return ""
    return f"size changed from {before[0]} x {before[1]} to {now[0]} x {now[1]}"

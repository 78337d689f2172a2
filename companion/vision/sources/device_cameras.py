"""The cameras of this machine: their list, and a tablet's own camera over the bridge in
android/src (CameraX).
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from gettext import gettext as _
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from companion.vision.sources.frame import CameraFrame, Gap
from companion.vision.sources.frame_sources import opened
from companion.vision.sources.stream_address import NoCamera

WANTED = (1920, 1080)
"""More pixels make smaller tags readable; the camera gives the nearest size it has."""
BACK, FRONT = 0, 1
WAIT_S = 0.25
POLL_S = 0.004
BRIDGE = "org.tablecompanion.Frames"


class Bridge(Protocol):
    """The methods of Frames.java."""

    def open(self) -> None:
        """Start the camera."""

    def newest(self) -> bytes | None:
        """The newest frame as RGBA, once."""

    def width(self) -> int:
        """Of that frame."""

    def height(self) -> int:
        """Of that frame."""

    def trouble(self) -> str:
        """What went wrong last."""

    def close(self) -> None:
        """Close the camera."""


def on_tablet() -> bool:
    """Whether this runs on Android."""
    return "ANDROID_PRIVATE" in os.environ


def tablet_bridge(number: int) -> Bridge:
    """The camera at the back (0) or at the front (1)."""
    try:
        from jnius import autoclass
    except ImportError:
        raise NoCamera("a tablet's camera needs Android") from None
    activity = autoclass("org.kivy.android.PythonActivity").mActivity
    return autoclass(BRIDGE)(activity, *WANTED, number == BACK)


@dataclass(eq=False)
class TabletCamera:
    """Reads the newest frame; a Gap while none comes."""

    number: int = BACK
    make: Callable[[int], Bridge] = tablet_bridge
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], object] = time.sleep
    _bridge: Bridge | None = field(default=None, init=False)
    _count: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._bridge = self.make(self.number)
        self._bridge.open()

    @property
    def name(self) -> str:
        """What to call it in messages."""
        return "the tablet's camera" if self.number == BACK else "the tablet's front camera"

    def read(self) -> CameraFrame | Gap | None:
        """The next frame, waited for a moment."""
        bridge = self._bridge
        if bridge is None:
            return None
        end = self.clock() + WAIT_S
        while (data := bridge.newest()) is None:
            if self.clock() >= end:
                return Gap(self.clock(), f"{self.name}: {bridge.trouble() or 'gives no frames'}")
            self.sleep(POLL_S)
        wide, high = bridge.width(), bridge.height()
        pixels = np.frombuffer(data, dtype=np.uint8)
        if pixels.size != wide * high * 4:
            return Gap(self.clock(), f"{self.name}: {pixels.size} bytes are no {wide} x {high}")
        picture = cv2.cvtColor(pixels.reshape(high, wide, 4), cv2.COLOR_RGBA2BGR)
        self._count += 1
        return CameraFrame(
            np.asarray(picture, dtype=np.uint8), self.clock(), self._count, self.name
        )

    def still(self) -> CameraFrame | None:
        """None: the stream already has the largest size."""
        return None

    def close(self) -> None:
        if self._bridge is not None:
            self._bridge.close()
        self._bridge = None


SYSTEM = Path("/sys/class/video4linux")
MOST = 6
"""Where numbers must be tried one after the other, trying more would take too long."""


@dataclass(frozen=True, slots=True)
class FoundCamera:
    """A camera's number, and what its maker calls it (empty where nobody knows)."""

    number: int
    title: str = ""


def cameras(
    system: Path = SYSTEM, step: Callable[[float], object] = lambda share: None
) -> tuple[FoundCamera, ...]:
    """Every camera; Linux lists them, elsewhere each number is tried, which takes a while."""
    if on_tablet():
        return (FoundCamera(BACK, _("at the back")), FoundCamera(FRONT, _("at the front")))
    if sys.platform.startswith("linux") and system.is_dir():
        return listed(system)
    found = []
    for number in range(MOST if not sys.platform.startswith("linux") else 0):
        step(number / MOST)
        capture = opened(number)
        if capture is not None:
            capture.release()
            found.append(FoundCamera(number))
    return tuple(found)


def listed(system: Path) -> tuple[FoundCamera, ...]:
    """What the system lists; a camera's second device, which gives no pictures, is left out."""
    found: dict[int, str] = {}
    for device in system.glob("video*"):
        number = re.fullmatch(r"video(\d{1,2})", device.name)
        if number is None:
            continue
        try:
            title = (device / "name").read_text(encoding="utf-8", errors="replace").strip()
            place = (device / "index").read_text(encoding="utf-8").strip()
        except OSError:
            title, place = "", "0"
        if place == "0":
            found[int(number[1])] = title
    return tuple(FoundCamera(number, found[number]) for number in sorted(found))

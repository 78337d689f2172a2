"""Which cameras this machine has, by the numbers under which `open_source` opens them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from gettext import gettext as _
from pathlib import Path

from companion.vision.sources.frame_sources import opened
from companion.vision.sources.tablet_camera import BACK, FRONT, on_tablet

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

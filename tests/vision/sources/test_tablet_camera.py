"""The tablet's camera behind the same seam as every other: frames, gaps, and the end."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from companion.vision.sources.device_cameras import FRONT, TabletCamera, cameras, tablet_bridge
from companion.vision.sources.frame import CameraFrame, Gap
from companion.vision.sources.stream_address import NoCamera


@dataclass(eq=False)
class FakeBridge:
    """What Frames.java does, without Android."""

    frames: list[bytes | None] = field(default_factory=list)
    size: tuple[int, int] = (4, 2)
    why: str = ""
    calls: list[str] = field(default_factory=list)

    def open(self) -> None:
        self.calls.append("open")

    def newest(self) -> bytes | None:
        return self.frames.pop(0) if self.frames else None

    def width(self) -> int:
        return self.size[0]

    def height(self) -> int:
        return self.size[1]

    def trouble(self) -> str:
        return self.why

    def close(self) -> None:
        self.calls.append("close")


def camera(bridge: FakeBridge, number: int = 0) -> TabletCamera:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    return TabletCamera(number, lambda _: bridge, lambda: now[0], sleep)


def test_frames_are_blue_green_red() -> None:
    red = np.tile(np.array([255, 10, 20, 255], dtype=np.uint8), 8).tobytes()
    bridge = FakeBridge([None, None, red, red])
    source = camera(bridge)
    first, second = source.read(), source.read()
    assert isinstance(first, CameraFrame)
    assert isinstance(second, CameraFrame)
    assert first.size == (4, 2)
    assert first.picture[0, 0].tolist() == [20, 10, 255]
    assert (first.number, second.number) == (1, 2)
    assert bridge.calls == ["open"]


@pytest.mark.parametrize(
    ("bridge", "told"),
    [
        (FakeBridge(), "gives no frames"),
        (FakeBridge(why="Permission denied"), "Permission denied"),
        (FakeBridge([b"\0" * 7]), "7 bytes are no 4 x 2"),
    ],
)
def test_a_gap_says_why(bridge: FakeBridge, told: str) -> None:
    gap = camera(bridge, FRONT).read()
    assert isinstance(gap, Gap)
    assert told in gap.why
    assert gap.why.startswith("the tablet's front camera")


def test_a_closed_camera_has_ended() -> None:
    bridge = FakeBridge([b"\0" * 32])
    source = camera(bridge)
    source.close()
    source.close()
    assert source.read() is None
    assert bridge.calls == ["open", "close"]
    assert source.still() is None


def test_elsewhere_there_is_no_such_camera() -> None:
    with pytest.raises(NoCamera, match="Android"):
        tablet_bridge(0)


def test_a_tablet_lists_its_two_cameras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_PRIVATE", "/data/app")
    assert [(one.number, one.title) for one in cameras()] == [
        (0, "at the back"),
        (1, "at the front"),
    ]

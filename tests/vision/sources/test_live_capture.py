"""A camera gives its newest picture, however slowly it is asked; little waits on the way."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import cv2
import numpy as np
import pytest

from companion.engine.camera.practice_source import PracticeSource
from companion.practice.random_table import standard_scene
from companion.practice.stream import Broadcast, serve
from companion.vision.sources.frame import CameraFrame
from companion.vision.sources.frame_sources import open_source, opened
from companion.vision.sources.live_capture import LiveCapture

HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
WIDTH, LEVEL = 400, 10
TABLE = standard_scene(seed=1, trays=1, size=(128, 72), terrain=False).table


def numbered(number: int) -> bytes:
    """A picture that shows its number in bits: bright columns."""
    picture = np.zeros((320, WIDTH, 3), np.uint8)
    for bit in range(LEVEL):
        picture[:, bit * 40 : bit * 40 + 40] = 255 * (number >> bit & 1)
    noise = np.random.default_rng(number).integers(0, 60, picture.shape, np.uint8)
    return cv2.imencode(".jpg", np.where(picture > 0, 255 - noise, noise))[1].tobytes()


def number_of(picture: np.ndarray) -> int:
    return sum(int(picture[:, bit * 40 + 20].mean() > 128) << bit for bit in range(LEVEL))


@dataclass
class HurriedCamera:
    """A network camera that drops nothing: who is slow gets every picture, later and later."""

    period_s: float = 0.02
    sent: int = 0
    listening: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}/a.mjpg"

    def run(self) -> None:
        try:
            link = self.listening.accept()[0]
            link.recv(4096)
            link.sendall(HEAD)
            for number in range(1, 1 << LEVEL):
                jpeg = numbered(number)
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                link.sendall(head.encode() + jpeg + b"\r\n")
                self.sent = number
                time.sleep(self.period_s)
        except OSError:
            pass


@pytest.fixture
def hurried() -> Iterator[HurriedCamera]:
    camera = HurriedCamera()
    threading.Thread(target=camera.run, daemon=True).start()
    yield camera
    camera.listening.close()


def test_who_reads_slowly_sees_the_newest_picture_of_a_stream(hurried: HurriedCamera) -> None:
    camera = open_source(hurried.address)
    camera.read()
    behind = []
    for _ in range(4):
        time.sleep(0.4)
        frame, sent = camera.read(), hurried.sent
        assert isinstance(frame, CameraFrame)
        behind.append(sent - number_of(frame.picture))
    camera.close()
    assert hurried.sent > 30
    assert behind[-1] < 8, behind


def test_little_waits_on_the_way_to_who_reads_nothing() -> None:
    broadcast = Broadcast()
    server = serve(broadcast, 0)
    capture = None
    try:
        picture = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
        broadcast.show(picture, TABLE)
        address = f"http://127.0.0.1:{server.server_port}/stream.mjpg"
        found: list[cv2.VideoCapture | None] = []
        opening = threading.Thread(target=lambda: found.append(opened(address)))
        opening.start()
        for _ in range(60):
            broadcast.show(picture, TABLE)
            time.sleep(0.01)
        opening.join(10)
        capture = found[0]
        assert capture is not None
    finally:
        broadcast.end()
        server.shutdown()
        server.server_close()
    waiting = 0
    while capture.grab():
        waiting += 1
    assert waiting < 10


class Device:
    """A capture that gives pictures until it fails."""

    def __init__(self, pictures: int, error: Exception) -> None:
        self.pictures, self.error, self.released = pictures, error, False

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.pictures:
            self.pictures -= 1
            return True, np.full((20, 20, 3), self.pictures, np.uint8)
        raise self.error

    def release(self) -> None:
        self.released = True


def test_the_last_picture_comes_before_the_fault() -> None:
    device = Device(3, OSError("unplugged"))
    capture = LiveCapture(device, foreign=False)  # type: ignore[arg-type]
    pictures: list[np.ndarray | None] = []
    with pytest.raises(OSError, match="unplugged"):
        pictures.extend(capture.read()[1] for _ in range(5))
    assert pictures[-1] is not None
    assert not pictures[-1].any()
    capture.release()
    assert device.released


@pytest.mark.parametrize("taken", [2, 3, 6])
def test_the_practice_camera_never_looks_frozen_to_who_sees_few_pictures(taken: int) -> None:
    scene = standard_scene(seed=1, trays=1, size=(128, 72), terrain=False)
    source = PracticeSource(scene.table, scene.setup, 10_000, 10_000)
    frames = [source.read() for _ in range(40 * taken)][taken::taken]
    pictures = [one.picture for one in frames if isinstance(one, CameraFrame)]
    different = [np.any(one != other) for one, other in pairwise(pictures)]
    assert all(any(different[start : start + 20]) for start in range(len(different) - 20))

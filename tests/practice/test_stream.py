"""The live stream: pictures over the network, as a camera would send them."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
import urllib.request

import cv2
import numpy as np
import pytest

from companion.practice import stream
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import standard_scene
from companion.practice.stream import Broadcast, NoStream, paced, serve


def test_pictures_and_truth_are_served() -> None:
    scene = standard_scene(seed=1, trays=3, size=(640, 360), terrain=False)
    frame, truth = PracticeCamera(scene.setup, scene.view).frame(scene.table)
    broadcast = Broadcast()
    broadcast.show(frame, truth.table)
    server = serve(broadcast, 0)
    base = f"http://127.0.0.1:{server.server_port}"
    try:
        with urllib.request.urlopen(f"{base}/frame.jpg", timeout=5) as answer:
            data = np.frombuffer(answer.read(), dtype=np.uint8)
        seen = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert seen is not None
        assert np.abs(seen.astype(int) - frame).mean() < 6
        with urllib.request.urlopen(f"{base}/table.json", timeout=5) as answer:
            assert len(json.load(answer)["units"]) == 3
        with urllib.request.urlopen(f"{base}/", timeout=5) as answer:
            assert b"stream.mjpg" in answer.read()
        stream = urllib.request.urlopen(f"{base}/stream.mjpg", timeout=5)
        head = b"".join(stream.readline() for _ in range(4))
        assert b"image/jpeg" in head
        length = int(head.split(b"Content-Length: ")[1].split()[0])
        first = stream.read(length)
        assert first[:2] == b"\xff\xd8"
        broadcast.show(frame[::-1].copy(), truth.table)
        rest = stream.read(40)
        assert b"--frame" in rest
        broadcast.end()
        stream.close()
    finally:
        server.shutdown()
        server.server_close()


def test_a_taken_port_is_refused_in_one_line() -> None:
    server = serve(Broadcast(), 0)
    try:
        with pytest.raises(NoStream, match="cannot be opened"):
            serve(Broadcast(), server.server_port)
        with pytest.raises(NoStream, match="cannot be opened"):
            serve(Broadcast(), 99999)
    finally:
        server.shutdown()
        server.server_close()


def test_readers_that_go_away_are_not_told_of(capfd: pytest.CaptureFixture[str]) -> None:
    scene = standard_scene(seed=1, trays=1, size=(128, 72), terrain=False)
    broadcast = Broadcast()
    server = serve(broadcast, 0)
    place = ("127.0.0.1", server.server_port)
    asked = (
        b"",
        b"GET /stream.mjpg HTTP/1.0\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"GET " + b"/x" * 40_000,
        b"GET /frame.jpg HTTP/9\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 500 + b"\r\n",
    )
    try:
        for data in asked:
            with socket.create_connection(place, timeout=5) as reader:
                # Closed with a reset: the next write of the server fails.
                reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                with contextlib.suppress(OSError):
                    reader.sendall(data)
                time.sleep(0.05)
            broadcast.show(np.zeros((64, 64, 3), np.uint8), scene.table)
        time.sleep(0.2)
    finally:
        broadcast.end()
        server.shutdown()
        server.server_close()
    assert capfd.readouterr() == ("", "")


def test_silent_readers_take_no_more_threads_than_there_are_and_are_sent_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "PATIENCE_S", 0.5)
    before = threading.active_count()
    server = serve(Broadcast(), 0)
    place = ("127.0.0.1", server.server_port)
    readers = [socket.create_connection(place, timeout=5) for _ in range(60)]
    try:
        time.sleep(0.2)
        assert threading.active_count() - before <= stream.MOST_READERS + 1
        end = time.monotonic() + 5
        while threading.active_count() - before > 1:
            assert time.monotonic() < end, "silent readers stay"
            time.sleep(0.05)
        address = f"http://127.0.0.1:{server.server_port}/"
        with urllib.request.urlopen(address, timeout=5) as answer:
            assert b"stream.mjpg" in answer.read()
    finally:
        for reader in readers:
            reader.close()
        server.shutdown()
        server.server_close()


def test_late_frames_are_skipped() -> None:
    times = paced(0.01)
    first, second = next(times), next(times)
    assert first < 0.01
    assert second >= 0.01

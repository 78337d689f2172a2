"""The live stream: pictures over the network, as a camera would send them."""

from __future__ import annotations

import json
import urllib.request

import cv2
import numpy as np
import pytest

from companion.practice.camera import PracticeCamera
from companion.practice.scene import standard_scene
from companion.practice.stream import Broadcast, NoStream, paced, serve


def test_pictures_and_truth_are_served() -> None:
    scene = standard_scene(seed=1, trays=3, size=(640, 360), terrain=False)
    frame, truth = PracticeCamera(scene.setup, scene.view).frame(scene.table)
    broadcast = Broadcast()
    broadcast.show(frame, truth)
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
        broadcast.show(frame[::-1].copy(), truth)
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


def test_late_frames_are_skipped() -> None:
    times = paced(0.01)
    first, second = next(times), next(times)
    assert first < 0.01
    assert second >= 0.01

"""The app ends cleanly, whatever its threads are doing."""

from __future__ import annotations

import subprocess
import sys
import threading

from companion.engine.threads import AppThread, end_threads

BUSY = """
import threading, time
import cv2, numpy as np
from companion.engine.camera.camera_worker import CalibrationWorker
from companion.vision.sources.frame import CameraFrame

class Busy:
    name = "busy camera"
    began = threading.Event()
    def read(self):
        picture, end = np.zeros((200, 200, 3), np.uint8), time.monotonic() + 1.0
        while time.monotonic() < end:
            self.began.set()
            cv2.blur(picture, (31, 31))
        return CameraFrame(picture, end, 1, self.name)
    def still(self): ...
    def close(self): ...

worker = CalibrationWorker(Busy)
worker.start()
Busy.began.wait()
worker.close()
print("closed", flush=True)
"""


def test_a_camera_that_is_in_opencv_at_the_end_takes_nothing_down() -> None:
    """Closing waits less long than this camera takes for a picture."""
    done = subprocess.run(
        [sys.executable, "-c", BUSY], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "closed\n", "")


def test_a_thread_that_hangs_is_not_waited_for_forever() -> None:
    gate = threading.Event()
    asked: list[str] = []
    hanging = AppThread(gate.wait, "hanging", lambda: asked.append("hanging"))
    hanging.start()
    try:
        end_threads(0.01)
        assert asked == ["hanging"]
        assert hanging.is_alive()
    finally:
        gate.set()
        hanging.join()

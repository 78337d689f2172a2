"""Listing cameras, and tags that nobody has told about yet."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.references.table_pose import TablePose
from companion.engine.camera.practice_source import PracticeCalibrationSource
from companion.practice.workbench import workbench_setup
from companion.vision.sources import device_cameras as module
from companion.vision.sources.device_cameras import FoundCamera, cameras
from companion.vision.sources.frame import CameraFrame
from companion.vision.unknown_trays import newcomers


def device(system: Path, number: int, title: str, index: str = "0") -> None:
    folder = system / f"video{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(title + "\n")
    (folder / "index").write_text(index + "\n")


def test_the_system_lists_its_cameras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    device(tmp_path, 10, "Phone")
    device(tmp_path, 0, "Webcam")
    device(tmp_path, 1, "Webcam", index="1")  # its second device gives no pictures
    (tmp_path / "v4l-subdev0").mkdir()
    assert cameras(tmp_path) == (FoundCamera(0, "Webcam"), FoundCamera(10, "Phone"))


def test_no_cameras_is_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert cameras(tmp_path / "none") == ()


def test_elsewhere_numbers_are_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Capture:
        released = 0

        def release(self) -> None:
            Capture.released += 1

    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(module, "opened", lambda number: Capture() if number == 1 else None)
    shares: list[float] = []
    assert cameras(step=shares.append) == (FoundCamera(1),)
    assert (Capture.released, len(shares)) == (1, module.MOST)


def test_new_tags_are_noticed_then_measured() -> None:
    bench = PracticeCalibrationSource(shown="table")
    frame = bench.read()
    assert isinstance(frame, CameraFrame)
    bare = replace(workbench_setup(), trays=())
    first = newcomers(frame, bare)
    assert first.free == ()
    assert first.noticed == {10, 11, 12, 13, 14}
    second = newcomers(frame, bare, first.noticed)
    assert second.free == (10, 11, 12, 13, 14)
    assert isinstance(second.sight.camera, TablePose)
    assert second.seen_mm((10,), 45 / 25.4) == pytest.approx(25.0, abs=0.4)
    assert second.seen_mm((44,)) is None
    known = newcomers(frame, workbench_setup(), second.noticed)
    assert known.free == ()
    assert {tray.unit for tray in known.sight.trays} == {"b1", "b2", "r1", "r2"}

"""The set-up file with its notes, and the thread that looks through a camera meanwhile."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from calibration.setup import Setup
from companion.engine.camera.camera_profile import (
    CalibrationNotes,
    CameraProfile,
    camera_profiles,
    chosen,
    fresh,
    load,
    notes_path,
    read_notes,
)
from companion.engine.camera.camera_worker import CalibrationFrame, CalibrationWorker
from companion.practice.workbench import workbench_setup
from companion.vision.sources.frame import CameraFrame, Gap
from companion.vision.sources.stream_address import NoCamera
from models import BadInput, CompanionError


def test_a_profile_is_kept_whole(tmp_path: Path) -> None:
    made = fresh(tmp_path / "setups", "My table").saved(
        workbench_setup(), source="rtsp://x", printed=("tags",), check_in=0.02
    )
    assert load(made.path) == made
    assert Setup.load(made.path) == workbench_setup()
    assert camera_profiles(tmp_path / "setups") == (made.path,)
    assert made.name == "My table"


def test_a_new_name_is_always_free(tmp_path: Path) -> None:
    first = fresh(tmp_path, "a/b: c?").saved()
    second = fresh(tmp_path, "a/b: c?").saved()
    assert first.path.parent == second.path.parent == tmp_path
    assert first.name != second.name
    assert fresh(tmp_path, " ../ ").name == "table"


def test_broken_notes_are_forgotten_and_a_broken_setup_is_named(tmp_path: Path) -> None:
    made = fresh(tmp_path, "t").saved(workbench_setup(), lens_views=12)
    notes_path(made.path).write_text('{"lens_views": "many", "table_px": 1, "odd": 3}')
    assert load(made.path).notes == replace(CalibrationNotes(), table_px=1.0)
    notes_path(made.path).write_text("[")
    assert read_notes(notes_path(made.path)) == CalibrationNotes()
    notes_path(made.path).write_text("[" * 100_000)
    assert read_notes(notes_path(made.path)) == CalibrationNotes()
    for value in ("9" * 4000, "9" * 40_000, "-" + "9" * 300, "1e999"):
        notes_path(made.path).write_text(f'{{"lens_views": {value}, "table_px": {value}}}')
        assert read_notes(notes_path(made.path)) == CalibrationNotes()
    made.path.write_text("format = 7")
    with pytest.raises(BadInput, match=r"t\.setup\.toml"):
        load(made.path)


def test_steps_stand_as_the_file_and_the_notes_say(tmp_path: Path) -> None:
    made = fresh(tmp_path, "t")
    assert made.next_step == "print"
    made = made.saved(printed=("tags",))
    assert made.next_step == "lens"
    assert made.saved(lens_skipped=True).next_step == "table"
    made = made.saved(replace(workbench_setup(), trays=()), table_px=0.1)
    assert made.next_step == "trays"
    made = made.saved(workbench_setup())
    assert made.next_step == "check"
    assert made.saved(check_unit="b1", check_in=2.0).next_step == "check"
    assert made.saved(check_unit="b1", check_in=0.02, check_good=True).next_step is None


def test_the_only_setup_is_the_chosen_one(tmp_path: Path) -> None:
    assert chosen(tmp_path, "") is None
    one = fresh(tmp_path, "one").saved()
    assert chosen(tmp_path, "gone") == one
    two = fresh(tmp_path, "two").saved()
    assert chosen(tmp_path, "two") == two
    assert chosen(tmp_path, "gone") is None
    assert isinstance(two, CameraProfile)


@dataclass(eq=False)
class Reel:
    """A gap among a few frames, then the end."""

    name: str = "reel"
    opened: list[int] = field(default_factory=list)
    closed: int = 0
    number: int = 0
    last: int = 4

    def read(self) -> CameraFrame | Gap | None:
        self.number += 1
        if self.number == 2:
            return Gap(0.0, "a gap")
        if self.number > self.last:
            return None
        picture = np.zeros((40, 60, 3), dtype=np.uint8)
        return CameraFrame(picture, self.number * 0.001, self.number, self.name)

    def still(self) -> CameraFrame | None:
        return None

    def close(self) -> None:
        self.closed += 1


def wait(good: object, timeout_s: float = 10.0) -> None:
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        if good():  # type: ignore[operator]
            return
        time.sleep(0.005)
    raise AssertionError("did not come")


def test_a_film_begins_anew_and_is_closed_every_time() -> None:
    reels: list[Reel] = []

    def open_it() -> Reel:
        reels.append(Reel())
        return reels[-1]

    worker = CalibrationWorker(open_it)
    worker.watch(lambda frame: frame.number)
    worker.start()
    wait(lambda: len(reels) >= 3)
    worker.close()
    assert all(reel.closed == 1 for reel in reels)
    assert worker.latest.picture is not None


def test_a_camera_that_cannot_be_opened_is_a_sentence() -> None:
    def open_it() -> Reel:
        raise NoCamera("camera 7: cannot be opened")

    worker = CalibrationWorker(open_it)
    worker.start()
    wait(lambda: worker.latest.trouble)
    assert worker.latest.trouble == "camera 7: cannot be opened"
    worker.close()


def test_a_watch_that_fails_does_not_end_the_looking() -> None:
    calls = threading.Event()

    def watch(frame: CameraFrame) -> str:
        if frame.number == 1:
            raise CompanionError("the wrong size")
        calls.set()
        return "seen"

    worker = CalibrationWorker(lambda: Reel(last=1000))
    worker.watch(watch)
    worker.start()
    assert calls.wait(10)
    wait(lambda: worker.latest.found == "seen")
    worker.close()


def test_another_watch_forgets_what_the_old_one_found() -> None:
    worker = CalibrationWorker(Reel)
    worker._latest = CalibrationFrame(3, None, "old")
    worker.watch(lambda frame: "new")
    assert worker.latest.found is None

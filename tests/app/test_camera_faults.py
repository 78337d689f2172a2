"""Whatever a camera does wrong is shown as lost within two seconds, with its cause, and retried."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from calibration.references.table_lost import TableLost
from calibration.setup import Setup
from calibration.tags.tray_pose import TrayFit
from companion.app.camera_setup.setup_step import SetupStep
from companion.engine.app_service import AppService
from companion.engine.camera import camera_worker as calibration_worker
from companion.engine.camera import camera_worker as module
from companion.engine.camera.camera_profile import CalibrationNotes, CameraProfile
from companion.engine.camera.camera_worker import CalibrationWorker, CameraWorker
from companion.vision.sources import safe_source
from companion.vision.sources.frame import CameraFrame, Gap
from companion.vision.sources.frame_sources import Photos
from companion.vision.sources.safe_source import SafeSource
from companion.vision.sources.stream_address import NoCamera
from companion.vision.track.table_tracker import (
    Condition,
    TrackedTray,
    TrackedView,
    TrackerEvents,
    TrayMoved,
)
from models import Pose, Table
from models.message import BadInput
from tests.app.bare import no_triangles

LOST_S = 2.0
BACK_S = 4.0
RETRY_S = 0.1
SILENT_S = 0.8
"""A camera is silent or frozen so soon here; in the app after 1.5 s, which is tested first."""
SHIPPED_S = (module.SILENT_S, safe_source.FROZEN_S)
Read = Callable[[int], Any]


def picture(number: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((48, 64, 3), number % 250, np.uint8)


def good(number: int) -> CameraFrame:
    return CameraFrame(picture(number), time.monotonic(), number, "fake camera")


class FakeCamera:
    """A camera of 50 frames a second whose fault can be switched on and off."""

    name = "fake camera"

    def __init__(self, fault: Read, when: threading.Event, closes: Read | None = None) -> None:
        self.fault, self.when, self.closes = fault, when, closes
        self.number = 0
        self.closed = 0

    def read(self) -> Any:
        time.sleep(0.02)
        self.number += 1
        return self.fault(self.number) if self.when.is_set() else good(self.number)

    def still(self) -> CameraFrame | None:
        return None

    def close(self) -> None:
        self.closed += 1
        if self.closes is not None:
            self.closes(self.number)


def raising(error: BaseException) -> Read:
    def read(number: int) -> Any:
        raise error

    return read


def giving(taken: Any) -> Read:
    return lambda number: taken


def frame_of(picture: Any) -> Read:
    return lambda number: CameraFrame(picture, time.monotonic(), number, "fake camera")


def driver_error() -> BaseException:
    """What OpenCV itself raises for an empty picture."""
    try:
        cv2.cvtColor(np.zeros((0, 0, 3), np.uint8), cv2.COLOR_BGR2GRAY)
    except cv2.error as error:
        return error
    raise AssertionError


FAULTS: dict[str, tuple[Read, str]] = {
    "OSError": (raising(OSError(19, "No such device")), "No such device"),
    "RuntimeError": (raising(RuntimeError("the driver broke")), "the driver broke"),
    "MemoryError": (raising(MemoryError()), "MemoryError"),
    "cv2.error": (raising(driver_error()), "error"),
    "our own error": (raising(NoCamera("camera 7: unplugged")), "unplugged"),
    "several lines": (raising(ValueError("one\ntwo")), "one two"),
    "exit": (raising(SystemExit(3)), "3"),
    "interrupt": (raising(KeyboardInterrupt()), "KeyboardInterrupt"),
    "end of a generator": (raising(GeneratorExit()), "GeneratorExit"),
    "no more items": (raising(StopIteration()), "StopIteration"),
    "gap": (lambda number: Gap(time.monotonic(), "unplugged"), "unplugged"),
    "none": (giving(None), ""),
    "a text": (giving("frame"), "not a picture"),
    "frame without a picture": (frame_of(None), "not a picture"),
    "empty frame": (frame_of(np.zeros((0, 0, 3), np.uint8)), "empty picture"),
    "one column too few": (frame_of(np.zeros((48, 0, 3), np.uint8)), "empty picture"),
    "two channels": (frame_of(np.zeros((48, 64, 2), np.uint8)), "unknown kind"),
    "a line": (frame_of(np.zeros(64, np.uint8)), "unknown kind"),
    "four dimensions": (frame_of(np.zeros((2, 48, 64, 3), np.uint8)), "unknown kind"),
    "one channel": (frame_of(np.zeros((48, 64, 1), np.uint8)), "unknown kind"),
    "one pixel": (frame_of(np.zeros((1, 1, 3), np.uint8)), "too small"),
    "one row": (frame_of(np.zeros((1, 5000, 3), np.uint8)), "too small"),
    "no time": (lambda number: CameraFrame(picture(number), None, number, "cam"), "a time"),  # type: ignore[arg-type]
    "time that is no number": (
        lambda number: CameraFrame(picture(number), math.nan, number, "cam"),
        "without a time",
    ),
    "no numbers": (frame_of(np.full((48, 64, 3), np.nan)), "unknown kind"),
    "floats": (frame_of(np.zeros((48, 64, 3), np.float64)), "unknown kind"),
    "texts": (frame_of(np.full((48, 64, 3), "x")), "unknown kind"),
    "frozen": (lambda number: CameraFrame(picture(7), time.monotonic(), number, "cam"), "frozen"),
    "frozen without a time": (lambda number: CameraFrame(picture(7)), "frozen"),
}


class GoodFollower:
    """Sees a table in every picture."""

    fails = threading.Event()

    def __init__(self, *_: object) -> None:
        pass

    def see(self, seen: CameraFrame) -> TrackedView:
        if self.fails.is_set():
            raise ZeroDivisionError
        return TrackedView(seen.name, seen.time_s, TableLost("not asked"), (), (), (), ())


@pytest.fixture(autouse=True)
def follower(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[GoodFollower]]:
    monkeypatch.setattr(module, "TableTracker", GoodFollower)
    monkeypatch.setattr(safe_source, "RETRY_S", RETRY_S)
    monkeypatch.setattr(safe_source, "FROZEN_S", SILENT_S)
    for worker in (module, calibration_worker):
        monkeypatch.setattr(worker, "SILENT_S", SILENT_S)
    GoodFollower.fails.clear()
    yield GoodFollower
    GoodFollower.fails.clear()


def until(camera_worker: CameraWorker, sight: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while camera_worker.live.sight != sight:
        assert time.monotonic() < end, (
            f"{camera_worker.live.sight} ({camera_worker.live.why}), not {sight}"
        )
        time.sleep(0.01)


def test_two_seconds_are_enough_for_a_player_to_hear_of_it() -> None:
    assert max(SHIPPED_S) + module.PAUSE_S < LOST_S


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_while_looking_is_lost_and_comes_back(name: str) -> None:
    fault, word = FAULTS[name]
    when = threading.Event()
    opened: list[FakeCamera] = []

    def open_it() -> FakeCamera:
        opened.append(FakeCamera(fault, when))
        return opened[-1]

    camera_worker = CameraWorker(None, Setup(), print, open_it)
    camera_worker.open()
    try:
        until(camera_worker, "live", LOST_S)
        when.set()
        until(camera_worker, "lost", LOST_S)
        assert word in camera_worker.live.why
        assert "\n" not in camera_worker.live.why
        for _ in range(4):  # it does not look alive now and then while it is not
            assert camera_worker.live.sight == "lost"
            time.sleep(0.05)
        when.clear()
        until(camera_worker, "live", BACK_S)
    finally:
        camera_worker.close()
    assert all(one.closed for one in opened)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_first_picture_is_lost(name: str) -> None:
    fault, word = FAULTS[name]
    when = threading.Event()
    when.set()
    camera_worker = CameraWorker(FakeCamera(fault, when), Setup(), print)
    camera_worker.open()
    until(camera_worker, "lost", LOST_S)
    assert word in camera_worker.live.why
    camera_worker.close()


@pytest.mark.parametrize(
    "error", [OSError(5, "Input/output error"), RuntimeError("no"), MemoryError(), NoCamera("no")]
)
def test_a_camera_that_cannot_be_opened_is_lost_and_asked_again(error: Exception) -> None:
    asked: list[float] = []

    def open_it() -> FakeCamera:
        asked.append(time.monotonic())
        if len(asked) < 3:
            raise error
        return FakeCamera(good, threading.Event())

    camera_worker = CameraWorker(None, Setup(), print, open_it)
    camera_worker.open()
    until(camera_worker, "lost", LOST_S)
    until(camera_worker, "live", BACK_S)
    camera_worker.close()
    assert asked[1] - asked[0] >= RETRY_S, "a device that is not there is not asked all the time"


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), MemoryError(), SystemError()])
def test_a_camera_that_fails_when_it_is_closed_is_opened_again(error: Exception) -> None:
    when = threading.Event()

    def open_it() -> FakeCamera:
        return FakeCamera(raising(OSError(19, "No such device")), when, raising(error))

    camera_worker = CameraWorker(None, Setup(), print, open_it)
    camera_worker.open()
    until(camera_worker, "live", LOST_S)
    when.set()
    until(camera_worker, "lost", LOST_S)
    when.clear()
    until(camera_worker, "live", BACK_S)
    camera_worker.close()


def test_a_camera_that_hangs_when_it_is_closed_is_opened_again_but_not_for_ever() -> None:
    free, when = threading.Event(), threading.Event()
    opened: list[FakeCamera] = []

    def hang(number: int) -> None:
        free.wait(30)

    def open_it() -> FakeCamera:
        opened.append(FakeCamera(raising(OSError(19, "No such device")), when, hang))
        return opened[-1]

    source = safe_source.SafeSource(reopen=open_it)
    assert isinstance(source.read(), CameraFrame)
    when.set()
    end = time.monotonic() + 20
    while len(opened) < safe_source.MOST_CLOSING:
        assert time.monotonic() < end
        time.sleep(0.01)
        gap = source.read()
        assert isinstance(gap, Gap)
        assert gap.why == "fake camera: No such device"
    when.clear()
    for _ in range(3):
        time.sleep(RETRY_S)
        assert isinstance(source.read(), Gap)
    assert len(opened) == safe_source.MOST_CLOSING, "each of them keeps a thread"
    free.set()
    while not isinstance(source.read(), CameraFrame):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("at", ["open", "first picture", "later"])
def test_a_camera_that_does_not_answer_is_lost_and_holds_nobody_up(at: str) -> None:
    free = threading.Event()
    when = threading.Event()

    def hang(number: int) -> Any:
        free.wait(30)
        return good(number)

    def open_it() -> FakeCamera:
        if at == "open":
            free.wait(30)
        return FakeCamera(hang, when)

    if at == "first picture":
        when.set()
    camera_worker = CameraWorker(None, Setup(), print, open_it)
    camera_worker.open()
    if at == "later":
        until(camera_worker, "live", LOST_S)
        when.set()
    until(camera_worker, "lost", LOST_S)
    assert "does not answer" in camera_worker.live.why
    began = time.monotonic()
    camera_worker.close()
    assert time.monotonic() - began < 1.0
    free.set()


def test_a_picture_that_cannot_be_worked_out_is_lost_and_the_next_one_is_not(
    follower: type[GoodFollower],
) -> None:
    camera_worker = CameraWorker(FakeCamera(good, threading.Event()), Setup(), print)
    camera_worker.open()
    until(camera_worker, "live", LOST_S)
    follower.fails.set()
    until(camera_worker, "lost", LOST_S)
    assert camera_worker.live.why == "ZeroDivisionError"
    follower.fails.clear()
    until(camera_worker, "live", LOST_S)
    camera_worker.close()


def test_a_search_that_hangs_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()
    seen: list[int] = []

    def see(self: GoodFollower, frame: CameraFrame) -> TrackedView:
        seen.append(frame.number)
        if len(seen) == 3:
            free.wait(30)
        return TrackedView(frame.name, frame.time_s, TableLost("not asked"), (), (), (), ())

    monkeypatch.setattr(GoodFollower, "see", see)
    monkeypatch.setattr(module, "FOLLOW_S", 0.5)
    camera_worker = CameraWorker(FakeCamera(good, threading.Event()), Setup(), print)
    camera_worker.open()
    until(camera_worker, "live", LOST_S)
    until(camera_worker, "lost", LOST_S)
    assert "too long" in camera_worker.live.why
    free.set()
    until(camera_worker, "live", LOST_S)
    camera_worker.close()


def test_who_hears_of_a_move_may_fail_without_ending_the_camera(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[TrayMoved] = []

    def see(self: GoodFollower, frame: CameraFrame) -> TrackedView:
        moved = TrayMoved("b1", Pose(1, 1, 0), Pose(2, 2, 0), 0.0, frame.time_s)
        return TrackedView(frame.name, frame.time_s, TableLost("not asked"), (), (), (), (moved,))

    def hear(event: TrayMoved) -> None:
        heard.append(event)
        raise RuntimeError("no room")

    monkeypatch.setattr(GoodFollower, "see", see)
    camera_worker = CameraWorker(FakeCamera(good, threading.Event()), Setup(), hear)
    camera_worker.open()
    until(camera_worker, "lost", LOST_S)
    end = time.monotonic() + 5
    while len(heard) < 3:
        assert time.monotonic() < end
        time.sleep(0.01)
    camera_worker.close()


def test_a_piece_that_is_first_seen_after_its_move_is_told_once_it_rests() -> None:
    heard: list[TrayMoved] = []
    worker = CameraWorker(FakeCamera(good, threading.Event()), Setup(), heard.append)
    fit = TrayFit("b1", Pose(2, 2, 0), np.eye(3), (10,), (), 0.1)

    def tell(at_s: float, condition: Condition, *events: TrackerEvents) -> int:
        standing = TrackedTray("b1", condition, 1.0, fit, at_s)
        lost = TableLost("not asked")
        worker._tell(TrackedView("", at_s, lost, (standing,), (), (), events), 1)
        return len(heard)

    assert tell(1.0, "settled", TrackerEvents("appeared", 1.0, "b1")) == 0
    assert tell(1.2, "moving") == 0
    assert tell(1.6, "moving") == 0, "still in the hand"
    assert tell(1.8, "settled") == 1
    assert (heard[0].unit, heard[0].end) == ("b1", Pose(2, 2, 0))
    assert tell(2.8, "settled") == 1


@pytest.mark.parametrize(("name", "frozen"), [("http://cam/video", False), ("camera 0", True)])
def test_a_short_stall_of_a_network_is_no_frozen_camera(name: str, frozen: bool) -> None:
    now = 1000.0
    stalled = SimpleNamespace(name=name, still=lambda: None, close=lambda: None)
    stalled.read = lambda: CameraFrame(picture(1), now, 1, name)
    source = SafeSource(stalled, clock=lambda: now)
    assert isinstance(source.read(), CameraFrame)
    now += 2.5
    assert isinstance(source.read(), Gap) == frozen
    now += 2.5
    taken = source.read()
    assert isinstance(taken, Gap)
    assert "frozen" in taken.why


def test_a_film_of_one_still_picture_is_not_frozen() -> None:
    class Film:
        name = "film"
        number = 0

        def read(self) -> CameraFrame:
            self.number += 1
            return CameraFrame(picture(1), self.number / 30, self.number, "film")

        still = close = lambda self: None

    now = 1000.0

    def clock() -> float:
        nonlocal now
        now += 0.1
        return now

    source = SafeSource(Film(), clock=clock)
    assert all(isinstance(source.read(), CameraFrame) for _ in range(100))


# -- the game -----------------------------------------------------------------------------------


@pytest.fixture
def service(tmp_path: Path) -> Iterator[AppService]:
    made = AppService(tmp_path, no_triangles)
    yield made
    made.close()


def wait(good: Callable[[], object], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not good():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_positions_are_not_taken_from_a_dead_camera(
    service: AppService, monkeypatch: pytest.MonkeyPatch
) -> None:
    when = threading.Event()
    taken: list[Table | None] = []

    def seen_table(fits: object, setup: Setup, like: Table | None) -> Table:
        taken.append(like)
        return Table("tmg-2021")

    monkeypatch.setattr("companion.engine.camera.camera_session.seen_table", seen_table)
    service.open_camera(lambda: FakeCamera(raising(OSError(19, "gone")), when), Setup())
    wait(lambda: service.live.sight == "live", LOST_S)
    service.adopt()
    assert service.settle()
    assert len(taken) == 1
    when.set()
    wait(lambda: service.live.sight == "lost", LOST_S)
    service.adopt()
    assert service.settle()
    assert len(taken) == 1
    assert service.snapshot.message.refused
    assert service.snapshot.message.text == "the camera does not see the table now"


def test_a_silent_camera_does_not_hold_the_game_up(service: AppService) -> None:
    free = threading.Event()

    def open_it() -> FakeCamera:
        free.wait(30)
        raise NoCamera("rtsp://nobody: cannot be opened")

    service.open_camera(open_it, Setup())
    began = time.monotonic()
    answered = threading.Event()
    service.ask(answered.set)
    assert answered.wait(1.0)
    service.close_camera()
    service.ask(lambda: None)
    assert service.settle(2.0)
    assert time.monotonic() - began < 2.0
    free.set()


# -- the set-up ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTS)
def test_the_set_up_says_what_is_wrong_and_goes_on(name: str) -> None:
    fault, word = FAULTS[name]
    when = threading.Event()
    when.set()
    worker = CalibrationWorker(
        lambda: FakeCamera(fault, when, raising(OSError(5, "closing failed")))
    )
    worker.start()
    wait(lambda: bool(worker.latest.trouble) and word in worker.latest.trouble, LOST_S)
    assert worker.latest.found is None
    when.clear()
    wait(lambda: worker.latest.picture is not None and not worker.latest.trouble, BACK_S)
    worker.close()


def test_a_picture_of_another_resolution_is_not_called_a_missing_camera() -> None:
    worker = CalibrationWorker(lambda: FakeCamera(good, threading.Event()))

    def refuses(frame: CameraFrame) -> None:
        raise BadInput("lens", "size", "1920 x 1080, the picture has 640 x 480")

    worker.watch(refuses)
    worker._see(good(1))
    profile = CameraProfile(Path("a.setup.toml"), notes=CalibrationNotes(source="0"))
    step = SimpleNamespace(
        wizard=SimpleNamespace(worker=worker),
        status=Mock(),
        camera_profile=profile,
        in_trouble=Mock(),
    )
    SetupStep.tell_trouble(step, worker.latest.trouble)  # type: ignore[arg-type]
    said = " ".join(step.status.say.call_args.args)
    assert "640 x 480" in said
    assert "plugged in" not in said
    worker._trouble("the camera is gone")
    SetupStep.tell_trouble(step, worker.latest.trouble)  # type: ignore[arg-type]
    assert "plugged in" in step.status.say.call_args.args[2]


def test_the_set_up_says_that_its_camera_is_silent() -> None:
    free, when = threading.Event(), threading.Event()

    def hangs(number: int) -> CameraFrame:
        free.wait(30)
        return good(number)

    worker = CalibrationWorker(lambda: FakeCamera(hangs, when))
    worker.start()
    wait(lambda: worker.latest.picture is not None, BACK_S)
    when.set()
    wait(lambda: "does not answer" in worker.latest.trouble, LOST_S)
    free.set()
    wait(lambda: not worker.latest.trouble, BACK_S)
    worker.close()


def test_a_folder_with_one_photo_is_shown_again_and_again(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((480, 640, 3), 7, np.uint8))
    numbers: list[int] = []
    worker = CalibrationWorker(lambda: Photos((tmp_path / "a.png",)))
    worker.watch(lambda frame: numbers.append(frame.number))
    worker.start()
    began = time.monotonic()
    wait(lambda: len(numbers) > 5 and time.monotonic() - began > SILENT_S + 0.2, 10.0)
    assert not worker.latest.trouble
    worker.close()

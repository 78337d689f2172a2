"""The camera worker: a picture never waits for what is read off it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from calibration.references.table_lost import TableLost
from calibration.setup import Setup
from companion.engine.camera import camera_worker as module
from companion.engine.camera.camera_worker import CameraWorker, FrameRate
from companion.engine.camera.practice_source import (
    STILLS,
    PracticeSource,
    practice_setup,
)
from companion.games.tmg.play import practice_game
from companion.vision.sources.frame import CameraFrame, Gap
from companion.vision.track.table_tracker import TrackedView
from models import Table


class Film:
    """A source that gives what it is told, one after the other, each when it is let."""

    name = "film"

    def __init__(self, frames: Iterator[CameraFrame | Gap | None]) -> None:
        self.frames, self.closed = frames, False

    def read(self) -> CameraFrame | Gap | None:
        return next(self.frames)

    def still(self) -> CameraFrame | None:
        return None

    def close(self) -> None:
        self.closed = True


def frame(number: int) -> CameraFrame:
    return CameraFrame(np.full((40, 60, 3), number, np.uint8), time.monotonic(), number, "film")


class SlowFollower:
    """Looks at a frame until it is told to go on."""

    def __init__(self, *_: object) -> None:
        self.looked: list[int] = []
        self.on = threading.Event()

    def see(self, seen: CameraFrame) -> TrackedView:
        self.looked.append(seen.number)
        assert self.on.wait(10)
        return TrackedView(seen.name, seen.time_s, TableLost("no references"), (), (), (), ())


def until(good: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not good():
        assert time.monotonic() < end, "not within ten seconds"
        time.sleep(0.002)


def shows(camera_worker: CameraWorker, number: int) -> bool:
    picture = camera_worker.live.picture
    return (
        camera_worker.live.number == number and picture is not None and picture[0, 0, 0] == number
    )


@pytest.fixture
def follower(monkeypatch: pytest.MonkeyPatch) -> SlowFollower:
    slow = SlowFollower()
    monkeypatch.setattr(module, "TableTracker", lambda *_: slow)
    return slow


def test_frames_are_shown_while_one_is_still_being_read(follower: SlowFollower) -> None:
    given = threading.Semaphore(0)

    def frames() -> Iterator[CameraFrame | Gap | None]:
        for number in range(1, 6):
            assert given.acquire(timeout=10)
            yield frame(number)
        yield None

    film = Film(frames())
    camera_worker = CameraWorker(film, Setup(), print)
    camera_worker.open()
    given.release()
    until(lambda: follower.looked == [1])
    for number in (2, 3, 4, 5):
        given.release()
        until(partial(shows, camera_worker, number))
    assert follower.looked == [1]
    assert camera_worker.live.sight in ("starting", "lost")
    follower.on.set()
    camera_worker.close()
    assert film.closed


def test_what_was_seen_before_the_camera_was_lost_does_not_bring_it_back(
    follower: SlowFollower,
) -> None:
    lost = threading.Event()

    def frames() -> Iterator[CameraFrame | Gap | None]:
        yield frame(1)
        until(lambda: follower.looked)
        yield Gap(0.0, "unplugged")
        lost.set()
        while True:
            yield Gap(0.0, "unplugged")

    camera_worker = CameraWorker(Film(frames()), Setup(), print)
    camera_worker.open()
    assert lost.wait(10)
    follower.on.set()
    time.sleep(0.05)
    assert (camera_worker.live.sight, camera_worker.live.why) == ("lost", "unplugged")
    camera_worker.close()


def test_only_the_newest_frame_is_read_after_a_long_look(follower: SlowFollower) -> None:
    given = threading.Semaphore(0)

    def frames() -> Iterator[CameraFrame | Gap | None]:
        for number in range(1, 9):
            assert given.acquire(timeout=10)
            yield frame(number)
        assert given.acquire(timeout=10)
        yield None

    camera_worker = CameraWorker(Film(frames()), Setup(), print)
    camera_worker.open()
    given.release()
    until(lambda: follower.looked == [1])
    for _ in range(7):
        given.release()
    until(lambda: camera_worker.live.number == 8)
    follower.on.set()
    until(lambda: follower.looked == [1, 8])
    given.release()
    camera_worker.close()


def test_a_film_is_shown_as_fast_as_it_was_taken_and_a_camera_at_once() -> None:
    film = FrameRate()
    assert film.early_s(CameraFrame(np.zeros((1, 1), np.uint8), 0.0)) == 0.0
    assert film.early_s(CameraFrame(np.zeros((1, 1), np.uint8), 0.5)) == pytest.approx(0.5, abs=0.2)
    camera = FrameRate()
    for _ in range(2):
        assert camera.early_s(CameraFrame(np.zeros((1, 1), np.uint8), time.monotonic())) < 1e-3


@pytest.mark.parametrize("known", [False, True])
def test_the_practice_table_is_never_silent_however_long_its_picture_takes(
    follower: SlowFollower, known: bool
) -> None:
    table = Table.load(practice_game.TABLE)
    rendered = CameraWorker(PracticeSource(table, practice_setup(table)), Setup(), print)
    film = CameraWorker(Film(iter(())), Setup(), print)
    for camera_worker in (rendered, film):
        if known:
            camera_worker._live = replace(camera_worker._live, sight="live")
        camera_worker._reading_since_s = camera_worker._following_since_s = 0.0
    assert rendered.live.sight == ("live" if known else "starting")
    assert film.live.sight == "lost"
    assert "does not answer" in film.live.why


@pytest.mark.parametrize("earlier", [0, 1, 2])
def test_a_practice_table_at_rest_never_shows_the_same_picture_twice(earlier: int) -> None:
    """However slow the device is, it does not look as if the camera were frozen."""
    table = Table.load(practice_game.TABLE)
    source = PracticeSource(table, practice_setup(table, (320, 180)), 1000.0, 1000.0)
    source._number = earlier
    frames = [source.read() for _ in range(7)]
    pictures = [one.picture for one in frames if isinstance(one, CameraFrame)]
    assert len(pictures) == 7
    for last, now in pairwise(pictures):
        assert not np.array_equal(last, now)


def test_a_practice_table_at_rest_gives_fewer_pictures_until_a_tray_moves() -> None:
    table = Table.load(practice_game.TABLE)
    source = PracticeSource(table, practice_setup(table, (320, 180)))
    assert source.pace() == source.fps
    for _ in range(STILLS):
        source.read()
    assert source.pace() == source.resting_fps < source.fps
    unit = table.units[0]
    source.move(unit.id, replace(unit.pose, x=unit.pose.x + 1.0))
    assert source.pace() == source.fps

"""The real app in a real window, off screen, driven by touch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partialmethod
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.app.device import runtime_tuning
from companion.app.play import make_app
from companion.app.scripted.driver import Driver
from companion.engine.app_words import set_language, set_units
from companion.engine.camera.game_source import BoardSource
from companion.engine.camera.practice_source import PracticeSource

FRAME_S = 1 / 60
FPS = 15.0
"""The practice camera's pictures are a good part of all the work; half as many are seen as well."""


def opened(folder: Path, size: tuple[int, int] = (1024, 600)) -> Driver:
    """An app that was just started, its data in that folder."""
    from kivy.core.window import Window

    Window.size = size
    driver = Driver(make_app(folder))
    driver.start()
    return driver


@pytest.fixture(scope="module", autouse=True)
def _as_before() -> Iterator[None]:
    """Whoever comes after these tests hears English and reads inches."""
    yield
    set_units("in")
    set_language("en")


def _next_frame() -> float:
    """Kivy's clock goes on by a frame and waits for none."""
    from kivy.clock import Clock

    Clock._dt = FRAME_S
    Clock._last_tick += FRAME_S
    return float(Clock._last_tick)


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_frames() -> Iterator[None]:
    """Nor for a garbage collection among all that the tests hold, 0.3 s at the start of an app."""
    from kivy.clock import Clock

    with patch.object(Clock, "idle", _next_frame), patch.object(runtime_tuning, "settle"):
        yield


@pytest.fixture(scope="module", autouse=True)
def _fewer_pictures() -> Iterator[None]:
    with ExitStack() as patches:
        for camera in (PracticeSource, BoardSource):
            fewer = partialmethod(camera.__init__, fps=FPS)
            patches.enter_context(patch.object(camera, "__init__", fewer))
        yield


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    """A fresh app at its first screen."""
    made = opened(tmp_path)
    yield made
    made.stop()
    set_language("en")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """One game on the practice table, seen live; the tests of a module play it on."""
    made = opened(tmp_path_factory.mktemp("game"))
    made.press("practice")
    service = made.app.service
    made.until(lambda: service.live.sight == "live", 60)
    made.until(lambda: service.snapshot.picture is not None, 60)
    made.rest()
    yield made
    made.stop()
    set_language("en")

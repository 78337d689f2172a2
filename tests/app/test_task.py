"""Long tasks: they never block the screen, show how far they are, and can be stopped."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from companion.app.scripted.driver import Driver
from companion.engine.threads import BackgroundTask, Running, TaskStep
from models import CompanionError


def ended(task: BackgroundTask) -> Running:
    running = Running(task)
    running.start()
    running.join(10)
    return running


def test_a_result_is_handed_on_once_and_by_the_caller() -> None:
    got: list[Any] = []
    running = ended(BackgroundTask("t", lambda step: threading.get_ident(), got.append))
    assert got == []
    assert running.finish()
    assert got[0] != threading.get_ident()


def test_progress_never_runs_back_and_keeps_its_word() -> None:
    seen = []

    def work(step: TaskStep) -> None:
        for share, word in ((0.5, "half"), (0.2, ""), (7.0, "much")):
            step(share, word)
            seen.append((running.progress.share, running.progress.word))

    running = Running(BackgroundTask("t", work))
    running.start()
    running.join(10)
    assert seen == [(0.5, "half"), (0.5, "half"), (1.0, "much")]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (CompanionError("no\n such  thing"), "no such thing"),
        (OSError(28, "disk full", "a.zip"), "a.zip: disk full"),
        (ValueError("odd"), "ValueError: odd"),
    ],
)
def test_a_failure_is_one_line(error: Exception, why: str) -> None:
    def work(step: TaskStep) -> None:
        raise error

    running = ended(BackgroundTask("t", work, lambda result: pytest.fail("there is no result")))
    assert (running.progress.state, running.progress.why) == ("failed", why)
    assert not running.finish()


def test_the_screen_goes_on_and_the_button_stops_the_work(driver: Driver) -> None:
    cleaned = threading.Event()

    def work(step: TaskStep) -> None:
        try:
            while True:
                step(0.4, "page 4")
                threading.Event().wait(0.005)
        finally:
            cleaned.set()

    driver.app.wait_for(BackgroundTask("Printing", work))
    sheet = driver.app.waiting
    assert sheet is not None
    driver.until(lambda: sheet.gauge.share == 0.4)
    driver.until(lambda: sheet.word.text == "page 4 · 40\N{NO-BREAK SPACE}%")
    driver.touch(20, 20)  # nothing underneath hears it
    assert driver.app.place == "home"
    driver.press("task-cancel")
    driver.until(lambda: driver.app.waiting is None)
    assert cleaned.is_set()


def test_a_failed_task_says_why(driver: Driver) -> None:
    def work(step: TaskStep) -> None:
        raise CompanionError("sheet.pdf: cannot be written")

    driver.app.wait_for(BackgroundTask("Printing", work))
    driver.until(lambda: driver.app.waiting is None)
    told = [one.text for one in driver.widgets(driver.app.toasts) if hasattr(one, "text")]
    assert "sheet.pdf: cannot be written" in told

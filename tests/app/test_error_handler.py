"""A button that fails costs neither the game nor the app."""

from __future__ import annotations

import pytest
from kivy.base import ExceptionManager

from companion.app.scripted.driver import Driver
from companion.app.widgets.toasts import MOST, ErrorHandler
from models import BadInput


@pytest.mark.slow
def test_a_piece_of_a_game_that_was_left_is_not_corrected(driver: Driver) -> None:
    driver.press("practice")
    driver.until(lambda: driver.app.service.snapshot.playing, 60)
    driver.rest()
    driver.app.correct_piece("b1")
    assert driver.app.sheet is not None
    driver.app.close_sheet()
    driver.app.service.leave()
    driver.until(lambda: not driver.app.service.snapshot.playing, 60)
    driver.app.correct_piece("b1")
    assert driver.app.sheet is None


def test_one_mishap_is_said_and_forgotten(driver: Driver) -> None:
    # As kivy's own loop does with whatever is raised in a frame.
    assert ExceptionManager.handle_exception(KeyError("players")) == ExceptionManager.PASS
    told = [one.text for one in driver.widgets(driver.app.toasts) if hasattr(one, "text")]
    assert any("The game is kept" in str(text) for text in told)


def test_what_a_file_does_wrong_is_said_with_its_name() -> None:
    """A full disk was called "Something went wrong", with a traceback in the log."""
    said: list[str] = []
    mishaps = ErrorHandler(said.append)
    full = OSError(28, "No space left on device", "/data/draft.json")
    for error in (full, BadInput("/data/lists", "", "cannot be read: Permission denied")):
        assert mishaps.handle_exception(error) == ExceptionManager.PASS
    assert said == [
        "/data/draft.json: No space left on device",
        "/data/lists: cannot be read: Permission denied",
    ]


def test_the_app_may_be_ended_and_a_mishap_in_every_frame_ends_it() -> None:
    said: list[str] = []
    mishaps = ErrorHandler(said.append)
    assert mishaps.handle_exception(KeyboardInterrupt()) == ExceptionManager.RAISE
    for _ in range(MOST):
        assert mishaps.handle_exception(ValueError("again")) == ExceptionManager.PASS
    assert mishaps.handle_exception(ValueError("again")) == ExceptionManager.RAISE
    assert len(said) == MOST

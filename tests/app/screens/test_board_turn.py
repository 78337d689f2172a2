"""A practice board lies in the same way wherever it is seen, and after coming back to a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.scripted.driver import Driver
from tests.app.conftest import opened


def turn(driver: Driver) -> float:
    """How the board lies on the table that is shown."""
    driver.rest()
    driver.steps(12)
    board = driver.app.service.snapshot.gridded
    assert board is not None
    return board.board.turn


@pytest.mark.slow
def test_a_board_is_not_turned_by_coming_back(tmp_path: Path) -> None:
    """On the picture it lay a quarter turned until somebody had looked at the map, and again after
    the app was left."""
    driver = opened(tmp_path, (1280, 800))
    driver.press("practice:tactics")
    driver.app.screen.show_as("picture")
    first = turn(driver)
    driver.app.screen.show_as("map")
    assert turn(driver) == first
    driver.app.screen.show_as("picture")
    driver.app.go("home")
    driver.rest()
    driver.press("resume")
    assert turn(driver) == first
    driver.stop()
    again = opened(tmp_path, (1280, 800))
    again.press("resume")
    assert turn(again) == first
    again.stop()

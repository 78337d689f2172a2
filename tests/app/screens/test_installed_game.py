"""A game that lives outside, in the app: found on the home screen, played by touch."""

from __future__ import annotations

from pathlib import Path

from companion import games
from tests.app.conftest import opened
from tests.app.fits import faults
from tests.app.screens.test_any_game import result, words
from tests.app.screens.test_from_home import begin, named
from tests.games.test_installed_games import beside, broken, fox  # noqa: F401


def test_an_installed_game_from_the_home_screen(fox: Path, tmp_path: Path) -> None:  # noqa: F811
    broken(fox, "sunk", play="import there_is_none")
    driver = opened(tmp_path / "data")
    try:
        assert "sunk does not work and is left out" in words(driver)
        driver.press("new:foxhunt")
        named(driver, fox="Anna", hounds="Ben")
        driver.press("next")
        begin(driver)
        assert games.BROKEN.keys() == {"sunk"}
        assert "Slip past the hounds." in words(driver)
        driver.tap_unit("fox")
        driver.tap_cell((2, 6))
        driver.press("place")
        assert "Fox steps to 2,6" in result(driver)
        assert "Hold the fox." in words(driver)
        assert faults(driver) == []
    finally:
        driver.app.service.leave()
        driver.rest()
        driver.stop()

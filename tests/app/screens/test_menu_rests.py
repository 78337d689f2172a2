"""The menu of a game: its rows stay where they are."""

from __future__ import annotations

from pathlib import Path

from companion.app.scripted.driver import Driver
from tests.app.moving.test_due_moves import begun_on_map, melee


def test_the_rows_of_the_menu_stay_after_an_undo(tmp_path: Path) -> None:
    driver = begun_on_map(tmp_path, melee())
    try:
        before = rows(driver)
        assert "redo" in before
        driver.app.service.do({"do": "activate", "unit": "b2"})
        driver.press("undo")
        assert rows(driver) == before
        driver.press("menu")
        driver.press("redo")
        acting = driver.app.service.snapshot.piece("b2")
        assert acting is not None
        assert acting.state == "acting"
    finally:
        driver.stop()


def rows(driver: Driver) -> dict[str, tuple[float, float]]:
    """Where each row of the menu lies."""
    driver.press("menu")
    found = {
        one.name: driver.place(one)
        for one in driver.widgets(driver.top)
        if isinstance(getattr(one, "name", None), str) and one.name
    }
    driver.app.close_sheet()
    driver.rest()
    return found

"""Boards on an upright screen: a readable map over whole rows, one row of tools and pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from kivy.core.window import Window

from companion.app.screens.table_stage import map_room
from companion.app.scripted.driver import Driver
from companion.engine.app_words import set_language
from companion.overlay.footprints import fitted
from tests.app.conftest import opened
from tests.app.fits import faults

ROWS = ("best:", "offer:", "choice:", "unit:", "ways:", "why-not", "die:")
"""How the rows and keys that a card offers are called."""
LEAST = 3
"""So many of them are wholly in sight."""
SIZES = [
    ((600, 1024), "de"),
    pytest.param(((600, 1024), "en"), marks=pytest.mark.slow),
    pytest.param(((800, 1280), "de"), marks=pytest.mark.slow),
    pytest.param(((800, 1280), "en"), marks=pytest.mark.slow),
]


@pytest.fixture(params=SIZES, ids=str)
def upright(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Driver]:
    """The app in an upright window; German words are the longer ones."""
    size, language = request.param
    driver = opened(tmp_path, size)
    driver.app.prefer(replace(driver.app.service.preferences, language=language))
    yield driver
    driver.app.service.leave()
    driver.rest()
    driver.stop()
    set_language("en")


def begun(driver: Driver, game: str) -> None:
    """The practice game on the map."""
    driver.app.service.start_practice(game)
    driver.app.go("table")
    driver.rest()
    driver.app.screen.show_as("map")
    driver.rest()
    driver.steps(8)


def whole_rows(driver: Driver) -> list[str]:
    """The rows and keys of the card that no edge cuts."""
    driver.steps(8)
    panel = driver.app.screen.panel
    low = panel.rows.to_window(*panel.rows.pos)[1]
    high = panel.rows.to_window(panel.rows.x, panel.rows.top)[1]
    found = []
    for one in panel.rows.walk():
        name = str(getattr(one, "name", ""))
        if name.startswith(ROWS):
            foot, top = (one.to_window(one.x, y)[1] for y in (one.y, one.top))
            if low - 1 <= foot and top <= high + 1:
                found.append(name)
    return found


def map_place(driver: Driver) -> tuple[float, ...]:
    """Where the map lies, and how large it is; the tools lie below the card."""
    screen = driver.app.screen
    views, tools = screen.stage.views, screen.stage.tools
    if tools.parent is not None:
        assert tools.parent is screen.foot
        assert tools.to_window(tools.x, tools.top)[1] <= screen.panel.y + 1
    assert sum(one.height for one in screen.children) == pytest.approx(screen.height, abs=1)
    return (*views.to_window(*views.pos), *views.size)


def test_tactics_has_three_whole_rows_at_every_step(upright: Driver) -> None:
    begun(upright, "tactics")
    screen = upright.app.screen
    assert len(whole_rows(upright)) >= LEAST
    assert faults(upright) == []
    board = upright.app.service.snapshot.gridded
    assert board is not None
    told = fitted(board, map_room(*Window.size)).board
    assert told.turn == board.board.turn, "a report calls places as the map shows them"
    place = map_place(upright)
    assert place[2] == pytest.approx(screen.width, abs=1), "the map is as wide as the screen"
    upright.app.service.do({"do": "activate", "figure": "b1"})
    upright.rest()
    upright.until(lambda: screen.panel.view.picked is not None, 30)
    assert len(whole_rows(upright)) >= LEAST
    assert faults(upright) == []
    assert map_place(upright) == pytest.approx(place)
    upright.tap_cell((3, 4))
    assert upright.find("place") is not None
    assert upright.find("tool:more") is not None, "the map is zoomed while a figure is placed, too"
    assert map_place(upright) == pytest.approx(place)
    upright.press("put-back")
    upright.app.service.do({"do": "place", "figure": "r1", "to": "3,2"})
    upright.app.service.do({"do": "activate", "figure": "b1"})
    upright.app.service.do({"do": "attack", "target": "r1", "attack": "Every Blow Costs"})
    upright.rest()
    assert upright.find("count:1") is not None
    assert faults(upright) == []
    assert map_place(upright) == pytest.approx(place)


def test_westeros_has_three_whole_rows_at_every_step(upright: Driver) -> None:
    """Of the choices of a turn not one was wholly in sight."""
    begun(upright, "westeros")
    place = map_place(upright)
    upright.press("choice:begin")
    for _house in range(2):
        assert len(whole_rows(upright)) >= LEAST
        assert map_place(upright) == pytest.approx(place)
        for face in "7188":
            upright.press(f"die:{face}")
    upright.until(lambda: upright.app.announcer.banner is None, 10)
    assert upright.app.service.snapshot.prompts[0].id == "turn"
    assert len(whole_rows(upright)) >= LEAST
    assert faults(upright) == []
    assert map_place(upright) == pytest.approx(place)
    upright.tap_unit("l1")
    assert len(whole_rows(upright)) >= LEAST
    assert faults(upright) == []
    upright.press("do-offer")
    assert upright.app.service.snapshot.prompts[0].id == "act"
    assert len(whole_rows(upright)) >= LEAST
    assert map_place(upright) == pytest.approx(place)


def test_on_a_low_wide_screen_a_turn_shows_its_choices_before_what_is_known(
    tmp_path: Path,
) -> None:
    """The guide and the tokens filled the card: to pass a player had to scroll."""
    driver = opened(tmp_path, (1024, 600))
    driver.app.prefer(replace(driver.app.service.preferences, language="de"))
    try:
        begun(driver, "westeros")
        driver.press("choice:begin")
        for _house in range(2):
            for face in "7188":
                driver.press(f"die:{face}")
        driver.until(lambda: driver.app.announcer.banner is None, 10)
        assert driver.app.service.snapshot.prompts[0].id == "turn"
        assert whole_rows(driver)
        assert faults(driver) == []
    finally:
        driver.app.service.leave()
        driver.rest()
        driver.stop()
        set_language("en")

"""The table at the largest text size, in three languages: no word is broken or cut."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from kivy.core.window import Window

from companion.app.render.theme import fitting_size, line_width, widest_word
from companion.app.scripted.driver import Driver
from tests.app.conftest import opened
from tests.app.fits import cut, faults
from tests.trials import trials

pytestmark = pytest.mark.slow

LARGEST = 1.4
"""The largest of the preferences."""


NARROW, WIDE, UPRIGHT = (1024, 600), (1280, 800), (800, 1280)
LAYOUTS = [
    (NARROW, "de"),
    (NARROW, "ru"),
    (UPRIGHT, "de"),
    (UPRIGHT, "ru"),
    *((WIDE, language) for language in ("en", "de", "ru")),
    (NARROW, "en"),
    (UPRIGHT, "en"),
][: trials(1, 9)]
"""The longest words on the narrowest screens; every size in every language in `make soak`."""


@pytest.mark.parametrize(("size", "language"), LAYOUTS)
def test_the_table_at_the_largest_text(game: Driver, size: tuple[int, int], language: str) -> None:
    app = game.app
    before = app.service.preferences
    Window.size = size
    try:
        app.prefer(replace(before, text=LARGEST, language=language))
        game.rest()
        game.steps(6)
        assert [*faults(game), *cut(game)] == []
        game.tap_unit("b6")
        game.steps(6)
        assert [*faults(game), *cut(game)] == []
        app.go("page:board")
        game.steps(6)
        assert [*faults(game), *cut(game)] == []
        app.go("table")
    finally:
        Window.size = (1024, 600)
        app.prefer(before)
        app.screen.choose(None)
        game.rest()


@pytest.mark.parametrize(("played", "page"), [("thrones", "piles"), ("westeros", "morale")])
def test_a_page_upright_breaks_no_word(tmp_path: Path, played: str, page: str) -> None:
    """Many boxes beside each other on a narrow screen: fewer stand in a row."""
    driver = opened(tmp_path, UPRIGHT)
    try:
        driver.app.prefer(replace(driver.app.service.preferences, language="de"))
        driver.rest()
        driver.press(f"practice:{played}")
        driver.app.go(f"page:{page}")
        driver.rest()
        driver.steps(6)
        assert faults(driver) == []
    finally:
        driver.stop()
        Window.size = NARROW


def test_letters_shrink_until_the_longest_word_fits() -> None:
    look = ("Roboto", True)
    text = "Geschwindigkeitsbegrenzung am Moor"
    wide = widest_word(text, 40.0, *look)
    assert fitting_size(text, 40.0, *look, wide * 2, 0, 15.0) == 40.0
    smaller = fitting_size(text, 40.0, *look, wide / 1.6, 0, 15.0)
    assert 15.0 < smaller < 40.0
    assert widest_word(text, smaller, *look) <= wide / 1.6
    assert fitting_size(text, 40.0, *look, 10.0, 0, 15.0) == 15.0
    one_line = fitting_size(text, 40.0, *look, wide, 1, 15.0)
    assert line_width(text, one_line, *look) <= wide
    for width in range(60, 160):  # letters are drawn at whole sizes, which do not grow evenly
        assert (
            widest_word("Reichtum", fitting_size("Reichtum", 40.0, *look, width, 0, 9.0), *look)
            <= width
        )

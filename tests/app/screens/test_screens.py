"""Every screen opens, fits from seven inches to ten, upright too, in three languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from kivy.core.window import Window
from PIL import Image

from companion.app.screen_registry import SCREENS
from companion.app.scripted.driver import Driver, NotThere
from companion.app.widgets.layouts import TextEntry
from companion.engine.app_words import _
from tests.app.conftest import opened
from tests.app.fits import faults
from tests.app.monkey import Monkey
from tests.trials import trials

SIZES = {"7 inches": (1024, 600), "10 inches": (1280, 800), "upright": (800, 1280)}
BEFORE = ("home", "new", "past", "replay", "report", "settings", "camera", "print")


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(SIZES)[: trials(1, 3)])
def test_nothing_is_cut_off(tmp_path: Path, kind: str) -> None:
    driver = opened(tmp_path, SIZES[kind])
    try:
        for language in ("en", "de", "ru") if kind == "7 inches" else ("ru",):
            driver.app.prefer(replace(driver.app.service.preferences, language=language))
            for place in BEFORE:
                driver.app.go(place)
                driver.steps(6)
                assert faults(driver) == [], (place, language)
    finally:
        driver.stop()


def test_letters_may_be_very_large(driver: Driver) -> None:
    driver.app.prefer(replace(driver.app.service.preferences, text=1.4, language="ru"))
    for place in BEFORE:
        driver.app.go(place)
        driver.steps(6)
        assert faults(driver) == [], place


@pytest.mark.long
def test_every_screen_can_be_left(driver: Driver) -> None:
    for place in SCREENS:
        driver.app.go(place)
        driver.steps(4)
        if place not in ("home", "table"):
            driver.press("back")
            assert driver.app.place == "home"
        if place == "table":
            driver.press("menu")
            driver.press("leave")
            assert driver.app.place == "home"


@pytest.mark.slow
def test_screens_are_drawn(driver: Driver, tmp_path: Path) -> None:
    pictures = []
    for place in BEFORE:
        driver.app.go(place)
        picture = Image.open(driver.shot(tmp_path / f"{place}.png"))
        assert picture.size == (1024, 600)
        colours = picture.getcolors(maxcolors=1 << 20)
        assert colours is not None
        assert len(colours) > 50, place
        pictures.append(picture.tobytes())
    assert len(set(pictures)) == len(pictures)


@pytest.mark.slow
@pytest.mark.parametrize("palette", ["light", "contrast"])
def test_colours_change_at_once(driver: Driver, tmp_path: Path, palette: str) -> None:
    dark = Image.open(driver.shot(tmp_path / "dark.png")).getpixel((1020, 590))
    driver.press("settings")
    driver.press(f"choice:{palette}")
    driver.press("back")
    assert Image.open(driver.shot(tmp_path / "other.png")).getpixel((1020, 590)) != dark


def test_the_language_is_switched_by_touch(driver: Driver) -> None:
    driver.press("settings")
    assert driver.app.screen.title.text == "Settings"
    driver.press("choice:de")
    assert driver.app.screen.title.text == "Einstellungen"
    driver.press("choice:ru")
    assert driver.app.screen.title.text == "Настройки"
    assert _("Back") == "Назад"


def test_choices_outlive_the_app(tmp_path: Path) -> None:
    driver = opened(tmp_path)
    driver.press("settings")
    driver.press("choice:cm")
    driver.stop()
    driver = opened(tmp_path)
    assert driver.app.service.preferences.units == "cm"
    driver.stop()


def test_a_sentence_on_a_page_covers_no_button(driver: Driver) -> None:
    driver.press("settings")
    driver.app.toast("One sentence of a usual length, as the game tells it.")
    driver.steps(4)
    (card,) = driver.app.toasts.children
    assert not card.collide_widget(driver.app.screen.rows)
    assert not card.collide_widget(driver.app.screen.back)
    driver.press("back")
    assert driver.app.place == "home"


def test_sheets_are_printed(driver: Driver) -> None:
    driver.press("print")
    driver.press("sheet:tags")
    driver.press("sheet:lens-board")
    driver.press("print-go")
    driver.until(lambda: driver.app.waiting is None)
    written = driver.app.service.folder / "print"
    assert [path.name for path in written.iterdir()] == ["references.pdf"]
    assert (written / "references.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_a_finger_may_be_quicker_than_the_letters(driver: Driver) -> None:
    """A field laid out this very moment has no line yet to put the cursor into."""
    entry = TextEntry("", "name")
    Window.add_widget(entry)
    entry._lines = []  # as a touch between two frames finds it
    driver.touch(*entry.center)
    assert not entry.focus
    entry.text = "Robb"
    driver.steps(3)
    driver.touch(*entry.center)
    assert entry.focus
    Window.remove_widget(entry)


def test_a_button_that_is_not_there_is_missed(driver: Driver) -> None:
    with pytest.raises(NotThere, match="practice"):
        driver.press("no such button")


@pytest.mark.long
def test_a_monkey_breaks_nothing(driver: Driver, tmp_path: Path) -> None:
    monkey = Monkey(driver, tmp_path, seed=5, look_every=40)
    monkey.run(80)
    assert monkey.looks == 2
    assert {"table", "table sheet"} <= monkey.seen.keys()


@pytest.mark.slow
def test_a_monkey_sees_what_is_wrong(driver: Driver, tmp_path: Path) -> None:
    monkey = Monkey(driver, tmp_path)
    monkey.play()
    driver.rest()
    monkey.raised.append("ZeroDivisionError")
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        monkey.look(1)
    monkey.raised.clear()
    service = driver.app.service
    service.controller.game.publish(state={**service.snapshot.state, "round": 99})
    with pytest.raises(AssertionError, match="round is 1 on disk, 99 shown"):
        monkey.look(2)
    driver.app.sheet = driver.app.screen  # a screen without a way out
    with pytest.raises(AssertionError, match="no way home"):
        monkey.go_home("here")
    driver.app.sheet = None

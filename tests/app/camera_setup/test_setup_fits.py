"""Set-up and settings can be read and touched: every step, every section, from 7 inches on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from kivy.core.text.markup import MarkupLabel
from kivy.metrics import Metrics

from companion.app.camera_setup.trays_step import unplaced
from companion.app.scripted.driver import Driver
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.layouts import row
from companion.engine.app_words import LOCALE, set_language
from companion.engine.camera.camera_profile import STEPS, fresh
from companion.practice.workbench import workbench_setup
from companion.text.translation import read_po
from models.message import word
from tests.app.conftest import opened
from tests.app.fits import SLACK, faults, seen

SECTIONS = ("general", "trays", "readings", "data")
DEVICES = {
    "7 inches, Russian": ((1024, 600), 1.0, "ru"),
    "13 inches upright, German": ((1600, 2560), 2.0, "de"),
}


@pytest.fixture
def density() -> Iterator[None]:
    yield
    Metrics.density = 1.0
    set_language("en")


def camera_profile(folder: Path) -> None:
    """A set-up that has everything to show."""
    fresh(folder / "setups", "My table").saved(
        workbench_setup(),
        source="http://127.0.0.1:1/nothing",
        printed=("tags", "references", "lens-board"),
        lens_px=0.21,
        lens_views=14,
        table_px=0.31,
        table_in=0.012,
        check_unit="b1",
        check_in=0.021,
        check_good=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize("device", DEVICES.values(), ids=list(DEVICES))
def test_nothing_is_cut_off_or_too_small(
    tmp_path: Path, density: None, device: tuple[tuple[int, int], float, str]
) -> None:
    size, dots, language = device
    Metrics.density = dots
    camera_profile(tmp_path)
    driver = opened(tmp_path, size)
    try:
        driver.app.prefer(replace(driver.app.service.preferences, language=language))
        driver.app.go("camera")
        check(driver, "camera")
        driver.app.choose_camera_profile(None)
        driver.app.go("camera")
        check(driver, "camera, nothing set up")
        driver.app.find_camera_profile()
        for step in STEPS:
            driver.app.set_up(step)
            check(driver, step)
            if step == "trays":
                driver.press("tray:b2")
                check(driver, "one tray")
        driver.app.go("settings")
        for section in SECTIONS:
            driver.app.section = section
            driver.app.show_screen()
            check(driver, section)
    finally:
        driver.stop()


def check(driver: Driver, place: str) -> None:
    driver.steps(4)
    assert [*faults(driver), *clipped(driver)] == [], place


def clipped(driver: Driver) -> Iterator[str]:
    """Lines of fixed height cut their words off in silence: what would they need?"""
    for one in seen(driver):
        if isinstance(one, Text) and not one.grow and one.text and not one.shorten:
            free = MarkupLabel(
                text=one.text, font_size=one.font_size, bold=one.bold, text_size=(one.width, None)
            )
            free.refresh()
            if free.texture.height > one.height + SLACK:
                yield f"{one.text!r} needs {free.texture.height}, has {one.height:.0f}"


def test_a_label_that_does_not_fit_would_be_seen(driver: Driver) -> None:
    line = Text("far too long a line " * 9, grow=False, size_hint_x=None)
    line.size_hint_y = None
    line.size = (60, 20)
    driver.app.toasts.add_widget(line)
    small = TouchButton("x", lambda: None, size_hint=(None, None))
    small.size = (20, 20)
    driver.app.frame.add_widget(small)
    driver.steps(4)
    found = [*faults(driver), *clipped(driver)]
    assert any("far too long" in one for one in found)
    assert any(one.startswith("x is 20x") for one in found)


def test_buttons_in_a_row_are_equally_high_and_no_higher_than_needed(driver: Driver) -> None:
    short, long = (
        TouchButton("one", name="short"),
        TouchButton("many words " * 4, under="and more " * 6),
    )
    line = row(short, long)
    driver.app.frame.add_widget(line)
    line.size_hint_x = None
    for width in (180, 900, 300, 1000):
        line.width = width
        driver.steps(6)
        assert short.height == long.height == line.height == long.needed
    assert line.height < 80


@pytest.mark.parametrize("language", ["de", "ru"])
def test_words_that_come_as_data_are_translated(language: str) -> None:
    """Mounts, trays and sheets reach the screen by name, not as sentences of the app's code."""
    from calibration.setup import known_trays
    from calibration.tags.mounts import MOUNTS
    from companion.engine.files.exports import SHEETS

    known = read_po(LOCALE / f"{language}.po")
    trays = {word("tray", name).one for name in known_trays()}
    words = {*MOUNTS, *(one.words for one in MOUNTS.values()), *trays}
    words |= {text for one in SHEETS.values() for text in (one.title, one.what)}
    assert words - known.keys() == set()


def test_a_check_without_trays_leads_to_them(driver: Driver) -> None:
    driver.app.choose_camera_profile(
        fresh(driver.app.setups, "My table").saved(None, source="practice")
    )
    driver.app.set_up("check")
    driver.until(lambda: driver.app.screen._seen > 0, 60)  # the first picture moves the panel
    driver.press("to-trays")
    assert driver.app.screen.step.key == "trays"


@pytest.mark.parametrize(
    ("seen_mm", "tone", "told"),
    [(25.2, "line", "next picture"), (31.0, "warn", "31.0 mm"), (None, "warn", "covered")],
)
def test_a_new_tag_that_looks_right_is_not_said_to_look_wrong(
    seen_mm: float | None, tone: str, told: str
) -> None:
    found = unplaced(seen_mm, 25.0)
    assert found[0] == tone
    assert told in found[2]

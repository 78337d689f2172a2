"""What the set-up promises and what its sheets say, by touch: the words agree."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from pathlib import Path

from kivy.uix.label import Label

from companion.app.camera_setup.camera_screen import MEASURED_IN
from companion.app.scripted.driver import Driver
from companion.engine.app_words import _, ruler
from companion.engine.files.exports import SHEETS

FOR_PROGRAMS = ("size_mm", "setup.toml", "--", "companion ", ".json")
"""What only those who read files or type commands understand."""


def texts(driver: Driver) -> str:
    return "\n".join(one.text for one in driver.widgets() if isinstance(one, Label) and one.text)


def printed(path: Path) -> list[str]:
    """The lines of text on the pages of a PDF file."""
    streams = re.findall(rb"stream\n(.*?)\nendstream", path.read_bytes(), re.DOTALL)
    pages = (zlib.decompress(one).decode("cp1252") for one in streams)
    return [line for page in pages for line in re.findall(r"\((.*?)(?<!\\)\) Tj", page)]


def test_home_and_the_set_up_promise_the_same_time_and_what_the_check_allows(
    driver: Driver,
) -> None:
    assert "about twenty minutes" in texts(driver)
    driver.press("step-camera")
    told = texts(driver)
    assert "about twenty minutes" in told
    assert "ten minutes" not in told
    assert f"to about {ruler().fine(MEASURED_IN)}" in told
    assert "0.010" not in told


def test_a_check_that_was_left_out_is_not_told_as_measured(driver: Driver) -> None:
    driver.press("camera-setup")
    driver.press("setup-practice")
    driver.app.go("camera")
    profile = driver.app.camera_profile
    assert profile is not None
    for off, told in ((0.03, True), (22.2, False)):
        notes = replace(profile.notes, check_unit="b1", check_in=off)
        line = driver.app.screen.state("check", replace(profile, notes=notes))
        assert ("off by" in line) is told


def test_the_sheets_speak_to_players_and_end_where_they_can_be_sent(driver: Driver) -> None:
    driver.press("print")
    usual = {name for name, sheet in SHEETS.items() if sheet.usual}
    for name in SHEETS:
        if name not in usual:
            driver.press(f"sheet:{name}")
    driver.press("print-go")
    driver.until(lambda: driver.app.waiting is None, 60)
    written = sorted((driver.app.service.folder / "print").glob("*.pdf"))
    assert len(written) == len(SHEETS)
    for path in written:
        lines = printed(path)
        assert lines, f"{path.name} says what it is"
        for word in FOR_PROGRAMS:
            assert not [line for line in lines if word in line], f"{path.name}: {word}"
    assert any(name.startswith("share:") for name in driver.names()), "not a toast alone"


def test_the_sheets_call_ways_to_fix_a_tag_as_the_app_does_and_say_where_references_go(
    driver: Driver,
) -> None:
    driver.press("print")
    driver.press("sheet:figures")
    driver.press("print-go")
    driver.until(lambda: driver.app.waiting is None, 60)
    folder = driver.app.service.folder / "print"
    tags = " ".join(printed(folder / "tags.pdf"))
    for name in ("stand", "corner-pair", "rear-tab", "side-pair", "standard"):
        assert _(name) in tags, name
    for sheet in ("references.pdf", "figures.pdf"):
        lines = printed(folder / sheet)
        assert [line for line in lines if "reference" in line and "board" in line], sheet

"""The set-up keeps its work: what is complete is kept by Next, what is not is asked about, and what
depends on another camera or size is asked again, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.setup import Setup
from companion.app.scripted.driver import Driver
from companion.app.widgets.controls import Text, TouchButton
from companion.engine.app_words import set_language
from companion.engine.camera.camera_profile import PRACTICE, CameraProfile, fresh
from companion.engine.camera.practice_source import PracticeCalibrationSource
from companion.practice.workbench import workbench_setup
from companion.vision.sources.frame import Gap
from tests.app.conftest import opened
from tests.app.fits import faults

TRUE = workbench_setup()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """A device with a set-up that lacks only its trays."""
    slow = partial(PracticeCalibrationSource, fps=4.0, held_s=0.0)
    monkeypatch.setattr("companion.app.camera_setup.camera_choice.PracticeCalibrationSource", slow)
    profile = CameraProfile(tmp_path / "setups" / "Bench.setup.toml")
    profile.saved(
        replace(TRUE, trays=()),
        source=PRACTICE,
        printed=("references",),
        planned="48 x 48",
        lens_views=12,
        table_px=0.1,
    )
    driver = opened(tmp_path)
    driver.press("camera-setup")
    yield driver
    driver.stop()
    set_language("en")


def step_of(driver: Driver) -> Any:
    return driver.app.screen.step


def kept(driver: Driver) -> Setup:
    return Setup.load(driver.app.service.folder / "setups" / "Bench.setup.toml")


def words(driver: Driver) -> str:
    return " | ".join(str(one.text) for one in driver.widgets(driver.top) if isinstance(one, Text))


def toasts(driver: Driver) -> str:
    found = driver.widgets(driver.app.toasts)
    return " | ".join(str(one.text) for one in found if isinstance(one, Text))


def golden(driver: Driver) -> list[str]:
    found = (one for one in driver.widgets(driver.top) if isinstance(one, TouchButton))
    return [one.name for one in found if one.look == "primary"]


def begin_tray(driver: Driver, tag: int) -> Any:
    driver.press("step:trays")
    step = step_of(driver)
    driver.until(lambda: driver.find(f"tag:{tag}"), 60)
    assert len(golden(driver)) == 1
    driver.press(f"tag:{tag}")
    assert golden(driver) == ["tray-next"]
    return step


@pytest.mark.slow
def test_back_from_a_tag_tapped_by_mistake_keeps_nothing(bench: Driver) -> None:
    step = begin_tray(bench, 11)
    bench.press("back")
    assert step.draft is None
    assert step_of(bench) is step, "the list of tags, not the way out"
    assert kept(bench).trays == ()


def on_screen(bench: Driver, name: str) -> tuple[float, float]:
    """Where a button lies in the window."""
    found = bench.find(name)
    assert found is not None
    x, y = found.to_window(found.x, found.y)
    return round(x), round(y)


@pytest.mark.slow
def test_trays_are_told_one_after_the_other_by_one_tap_each(bench: Driver) -> None:
    step = begin_tray(bench, 10)
    bench.press("choice:standard")
    bench.press("name:r1")
    box, save = bench.app.screen, bench.find("tray-next")
    assert save is not None
    assert save.to_window(save.x, save.y)[1] > box.y, "above the edge"
    bench.until(lambda: "Seen" in step.status.head.text, 60)
    high = step.status.height
    following = step.following(step.draft)
    bench.press("tray-next")
    assert (step.draft.ids, step.draft.unit) == ((following,), "r2"), "of the same side"
    assert (step.draft.mount, step.draft.tray) == ("standard", "infantry")
    # Its kind is assumed, and that is said beside the button that keeps it, which does not move.
    assert f"Tag {following} · infantry" in words(bench)
    assert "infantry, like the tray before" in words(bench)
    bench.rest()
    place = on_screen(bench, "tray-next")
    bench.press("choice:cavalry")
    bench.rest()
    assert on_screen(bench, "tray-next") == place
    assert f"Tag {following} · cavalry" in words(bench)
    assert "like the tray before" not in words(bench)
    bench.press("tray-next")
    assert "cavalry, like the tray before" in words(bench)
    assert [one.unit for one in kept(bench).trays] == ["r1", "r2"]
    bench.press("tray-cancel")
    bench.rest()
    assert step.status.height >= high, "the picture does not jump under the finger"
    # A known tray opens by a tap on the picture, too.
    bench.until(lambda: step.seen is not None and step.seen.sight.tray("r1") is not None, 60)
    fit = step.seen.sight.tray("r1")
    pixel = step.seen.sight.camera.pixels(np.array([[fit.pose.x, fit.pose.y, 0.0]]))[0]
    step.tapped((float(pixel[0]), float(pixel[1])))
    assert step.draft.before == "r1"


@pytest.mark.slow
def test_next_keeps_the_tray_in_the_form(bench: Driver) -> None:
    begin_tray(bench, 10)
    bench.press("choice:standard")
    bench.press("next")
    assert [tray.unit for tray in kept(bench).trays] == ["b1"]
    assert step_of(bench).key == "check"


@pytest.mark.slow
def test_next_asks_about_a_tray_that_is_not_complete(bench: Driver) -> None:
    step = begin_tray(bench, 11)
    bench.press("choice:standard-pair")
    bench.press("next")
    assert "not complete" in words(bench)
    bench.press("stay")
    assert step.draft is not None
    assert step_of(bench) is step
    bench.press("back")
    bench.press("go-on")
    assert bench.app.place == "camera"
    assert kept(bench).trays == ()


@pytest.mark.slow
def test_a_set_up_from_a_board_games_wizard_speaks_of_figures(bench: Driver) -> None:
    bench.press("back")
    bench.press("new")
    bench.press("choice:tactics")
    bench.app.go("camera")
    bench.press("step:print")
    assert step_of(bench).sheets.wanted == {"references", "figures", "lens-board"}
    bench.press("back")
    bench.press("step:trays")
    bench.until(lambda: any(name.startswith("tag:") for name in bench.names()), 30)
    gold = [one.name for one in bench.widgets(bench.top) if getattr(one, "look", "") == "primary"]
    assert gold == ["board-only"]


@pytest.mark.slow
def test_on_a_table_for_armies_the_next_tag_is_gold(bench: Driver) -> None:
    """A board game that was drafted some other day says nothing about this set-up."""
    drafting = bench.app.service.drafting
    drafting.plan(replace(drafting.draft, game="tactics"))
    bench.press("step:trays")
    bench.until(lambda: any(name.startswith("tag:") for name in bench.names()), 30)
    assert [name.partition(":")[0] for name in golden(bench)] == ["tag"]


@pytest.mark.slow
def test_references_of_another_table_are_told_where_its_size_is_chosen(bench: Driver) -> None:
    """The practice references lie for 48 x 48; they were called bent before."""
    bench.press("step:table")
    step = step_of(bench)
    bench.until(lambda: step.fitness is not None, 60)
    bench.press("choice:(36.0, 36.0)")
    assert "Your printed plan is for a table of 48 × 48" in words(bench)
    shown = [getattr(one, "name", "") or getattr(one, "text", "") for one in bench.widgets()]
    size = shown.index("choice:(72.0, 48.0)")
    assert any("Your printed plan" in one for one in shown[size : size + 20]), "beside the sizes"
    bench.until(lambda: bench.find("meant-table"), 60)
    assert "These reference tags lie for another table: 48″ × 48″?" in words(bench)
    assert golden(bench) == ["meant-table"]
    bench.press("meant-table")
    bench.until(lambda: "8 of 8" in step.status.head.text, 60)
    assert (kept(bench).table_width, kept(bench).table_depth) == (48.0, 48.0)
    assert bench.find("meant-table") is None
    assert "Your printed plan" not in words(bench)


@pytest.mark.slow
def test_a_set_up_for_a_board_is_finished_without_trays(bench: Driver) -> None:
    bench.press("step:check")
    assert "needs a tray" in words(bench)
    bench.press("board-only")
    assert bench.app.place == "camera"
    assert "Everything is set up" in words(bench)
    bench.press("step:check")
    assert "measured when its grid is laid" in words(bench)
    bench.press("next")
    assert (bench.app.place, kept(bench).trays) == ("camera", ())
    bench.press("back")
    assert bench.app.place == "home"
    bench.press("camera-setup")
    begin_tray(bench, 10)  # a tray after all is checked like any other
    bench.press("choice:standard")
    bench.press("next")
    profile = bench.app.camera_profile
    assert profile is not None
    assert not profile.done("check")


@pytest.mark.slow
def test_a_second_tag_is_shown_changed_and_cannot_be_anothers(bench: Driver) -> None:
    step = begin_tray(bench, 11)
    bench.press("choice:cavalry")
    bench.press("choice:standard-pair")
    for _again in range(3):
        bench.until(lambda: bench.find("second:13"), 60)
        bench.press("second:13")  # it sits on another tray, a foot away
        if step.draft.ids == (11, 13):
            break
    bench.until(lambda: "do not fit" in step.status.head.text or "cannot" in step.status.head.text)
    bench.until(lambda: step.seen is not None and 13 in step.seen.sight.tags, 60)
    bench.press("tray-save")
    assert "do not sit on one tray" in toasts(bench)
    for leave in ("next", "back"):  # nobody is held in the form
        bench.press(leave)
        assert "do not sit on one tray" in words(bench)
        assert bench.find("go-on") is not None
        bench.press("stay")
    assert re.search(r"\d\.\d\d″", toasts(bench)), "no more than is measured"
    assert kept(bench).trays == ()
    bench.press("second-tag")
    assert step.draft.ids == (11,)
    for _again in range(3):
        bench.until(lambda: bench.find("second:12"), 60)
        bench.press("second:12")
        if step.draft.ids == (11, 12):
            break
    bench.until(lambda: "Seen" in step.status.head.text, 60)
    bench.press("tray-save")
    bench.until(lambda: step.draft is None)
    assert [tag.id for tag in kept(bench).trays[0].tags] == [11, 12]
    # Another tray may have neither its tag nor its name.
    bench.until(lambda: bench.find("tag:10"), 60)
    bench.press("tag:10")
    step.change_draft(unit=kept(bench).trays[0].unit, mount="standard")
    bench.press("tray-save")
    assert "called b1 already" in toasts(bench)
    step.change_draft(unit="r1", mount="standard-pair", ids=(10, 12))
    bench.press("tray-save")
    assert "Tag 12 sits on tray b1 already" in toasts(bench)
    assert len(kept(bench).trays) == 1


@pytest.mark.slow
def test_next_measures_a_lens_that_has_enough_pictures(
    bench: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = bench.app.camera_profile
    assert profile is not None
    bench.app.camera_profile = profile.saved(profile.setup.with_lens(None), lens_views=0)
    bench.app.go("home")
    bench.app.go("camera")
    bench.press("step:lens")
    step = step_of(bench)
    assert TRUE.lens is not None
    result = SimpleNamespace(lens=TRUE.lens, misfit_px=0.2, used=tuple(range(12)))
    monkeypatch.setattr("companion.app.camera_setup.lens_step.lens_from", lambda views: result)

    def pictures(count: int, enough: bool) -> Any:
        wish = SimpleNamespace(kind="enough" if enough else "more", zone=None, count=3)
        made = SimpleNamespace(
            views=(None,) * count,
            enough=enough,
            possible=True,
            score=1.0 if enough else 0.5,
            covered=(),
            wish=wish,
            result=None,
        )
        made.seen = lambda view: made
        return made

    step.coverage = pictures(5, False)
    bench.press("next")
    assert "The pictures of the board are not measured yet." in words(bench)
    bench.press("stay")
    step.coverage = pictures(12, True)
    bench.app.screen.rebuild()
    assert golden(bench) == ["lens-measure"]
    bench.press("next")
    bench.until(lambda: bench.app.waiting is None and step_of(bench).key == "table", 30)
    assert kept(bench).lens is not None


def test_another_camera_asks_again_for_what_depends_on_it(bench: Driver) -> None:
    bench.press("setup-camera")
    bench.until(lambda: bench.app.waiting is None, 60)
    profile = bench.app.camera_profile
    assert profile is not None
    entry = next(one for one in bench.widgets(bench.app.sheet) if hasattr(one, "hint_text"))
    entry.text = "http://127.0.0.1:9/video"
    bench.press("source:address")
    bench.until(lambda: bench.app.waiting is None and bench.find("address-use"), 60)
    assert "No picture comes from http://127.0.0.1:9/video" in words(bench)
    assert "same network" in words(bench)
    bench.press("address-use")
    assert "another lens" in words(bench)
    bench.press("camera-keep")
    assert bench.app.camera_profile is profile
    bench.press("setup-camera")
    bench.until(lambda: bench.app.waiting is None, 60)
    entry = next(one for one in bench.widgets(bench.app.sheet) if hasattr(one, "hint_text"))
    entry.text = "127.0.0.1:9/video"  # completed as a browser does
    bench.press("source:address")
    bench.until(lambda: bench.app.waiting is None and bench.find("address-use"), 60)
    assert "No picture comes from http://127.0.0.1:9/video" in words(bench)
    bench.press("address-use")
    bench.press("camera-sure")
    assert "Everything is set up" not in words(bench)
    assert words(bench).count("because this is another camera") == 3
    now = kept(bench)
    assert now.lens is None
    assert now.references == TRUE.references
    # Its steps speak of the network, and another camera is one tap away.
    bench.press("step:table")
    bench.until(lambda: bench.find("other-camera"), 60)
    bench.rest()
    (other,) = (one for one in bench.widgets() if getattr(one, "name", "") == "other-camera")
    assert other.right <= bench.app.screen.panel.x  # no row slides away
    assert "same network" in words(bench)
    assert "plugged in" not in words(bench)
    bench.press("next")
    assert "does not find the table" in words(bench)
    bench.press("stay")
    assert faults(bench) == []


def test_what_was_to_be_done_again_is_still_explained_after_another_camera(tmp_path: Path) -> None:
    setup = replace(TRUE, lens=None)
    profile = fresh(tmp_path, "table").saved(setup, again="size")
    assert not profile.measured
    assert profile.through("http://127.0.0.1:9/video").notes.again == "size"


@pytest.mark.slow
def test_what_is_printed_follows_the_tables_size(bench: Driver) -> None:
    bench.press("step:print")
    assert golden(bench) == ["next"]
    bench.press("choice:(42.0, 30.0)")
    assert "print the reference tags again for 42 × 30" in words(bench)
    assert golden(bench) == ["print-go"]
    bench.press("back")
    assert "again, because the table has another size" in words(bench)
    assert "Your printed plan is for a table of 48 × 48" in words(bench)
    bench.press("step:table")
    bench.press("to-print")
    for name in ("tags", "lens-board"):
        bench.press(f"sheet:{name}")
    bench.press("print-go")
    bench.until(lambda: bench.app.waiting is None, 60)
    assert "print the reference tags again" not in words(bench)
    assert golden(bench) == ["next"]
    assert bench.app.camera_profile is not None
    assert bench.app.camera_profile.notes.planned == "42 x 30"
    assert (kept(bench).table_width, kept(bench).references[2].x) == (42.0, 40.6)


def test_pictures_of_another_size_say_what_to_do(bench: Driver) -> None:
    profile = bench.app.camera_profile
    assert profile is not None
    assert TRUE.lens is not None
    lens = workbench_setup((1920, 1080)).lens
    bench.app.camera_profile = profile.saved(profile.setup.with_lens(lens))
    bench.press("step:trays")
    bench.until(lambda: bench.find("to-lens"), 60)
    assert "back to 1920 × 1080" in words(bench)
    assert golden(bench) == ["to-lens"]
    bench.press("to-lens")
    assert step_of(bench).key == "lens"


def test_a_source_without_pictures_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.app.camera_setup import camera_choice

    closed = []
    source = SimpleNamespace(read=lambda: Gap(0.0, "gone"), close=lambda: closed.append(True))
    monkeypatch.setattr(camera_choice, "source_of", lambda word: source)
    assert camera_choice.silence("http://x/") == "it sends no picture"
    assert closed == [True]


def test_home_says_what_the_set_up_still_lacks(bench: Driver) -> None:
    bench.press("back")
    assert bench.app.place == "home"
    step: Any = bench.find("step-camera")
    under = [line.text.replace("\u200a", "") for line in step.lines]
    assert "Go on: Trays" in under


def test_who_goes_on_without_a_lens_has_skipped_it(bench: Driver) -> None:
    """The overview went on asking for it."""
    profile = bench.app.camera_profile
    assert profile is not None
    bench.app.camera_profile = profile.saved(profile.setup.with_lens(None))
    assert not bench.app.camera_profile.done("lens")
    bench.app.go("camera")
    bench.press("step:lens")
    bench.until(lambda: bench.app.screen.viewer.size_px == (1280, 720), 60)
    bench.press("next")
    bench.press("go-on")
    assert step_of(bench).key == "table"
    assert bench.app.camera_profile.notes.lens_skipped
    assert bench.app.camera_profile.done("lens")

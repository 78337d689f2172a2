"""Setting up a camera by touch, on the practice camera: from an empty device to a checked table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from calibration.references.tapped_corners import table_corners
from calibration.setup import Setup
from companion.app.render.theme import THEME
from companion.app.scripted.driver import Driver
from companion.engine.app_words import set_language
from companion.engine.camera.practice_source import PracticeCalibrationSource
from companion.practice.workbench import workbench_setup
from models.pose import Pose
from tests.app.conftest import opened
from tests.app.fits import faults

pytestmark = pytest.mark.slow

TRUE = workbench_setup()
SEEN: dict[str, Any] = {}
"""A picture that a later test looks at again."""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """One device; the tests of this module set it up step by step, with a camera in less hurry."""
    with pytest.MonkeyPatch.context() as patch:
        slow = partial(PracticeCalibrationSource, fps=4.0, held_s=0.0)
        patch.setattr("companion.app.camera_setup.camera_choice.PracticeCalibrationSource", slow)
        made = opened(tmp_path_factory.mktemp("bench"))
        yield made
        made.stop()
    set_language("en")


def step_of(driver: Driver) -> Any:
    return driver.app.screen.step


def written(driver: Driver) -> Setup:
    return Setup.load(driver.app.service.folder / "setups" / "Practice.setup.toml")


def source(driver: Driver) -> PracticeCalibrationSource:
    found = driver.app.screen.worker.source
    assert isinstance(found, PracticeCalibrationSource)
    return found


def waited(driver: Driver) -> None:
    driver.until(lambda: driver.app.waiting is None, 60)


def test_1_print(bench: Driver) -> None:
    bench.press("camera-setup")
    bench.press("setup-practice")
    assert step_of(bench).key == "print"
    bench.press("choice:letter")
    bench.press("sheet:tags")  # not this one
    bench.press("print-go")
    waited(bench)
    folder = bench.app.service.folder / "print"
    assert sorted(path.name for path in folder.iterdir()) == ["lens-board.pdf", "references.pdf"]
    assert b"612" in (folder / "references.pdf").read_bytes()  # a letter page is 612 points wide
    assert faults(bench) == []


def test_2_lens(bench: Driver) -> None:
    bench.press("next")
    step = step_of(bench)
    assert step.key == "lens"
    bench.press("lens-measure")  # too early: it says so and stays
    assert bench.app.waiting is None
    bench.until(lambda: 0.3 < step.coverage.score < 1.0, 60)
    assert step.status.head.text == "Show the board" or step.coverage.wish.kind != "show"
    bench.until(lambda: step.coverage.enough, 120)
    bench.until(lambda: "Enough" in step.status.head.text)
    assert faults(bench) == []
    bench.press("lens-measure")
    waited(bench)
    bench.until(lambda: step_of(bench).key == "table")
    lens, true = written(bench).lens, TRUE.lens
    assert lens is not None
    assert true is not None
    assert lens.matrix[0] == pytest.approx(true.matrix[0], rel=2e-3)
    assert lens.distortion[0] == pytest.approx(true.distortion[0], abs=0.01)


def test_3_table(bench: Driver, tmp_path: Path) -> None:
    step = step_of(bench)
    bench.press("choice:(36.0, 36.0)")  # a wrong size does not fit, and that is said
    bench.until(lambda: "another table: 48″ × 48″?" in step.status.head.text, 30)
    bench.press("table-measure")
    waited(bench)
    assert faults(bench) == []
    bench.press("size-wrong")
    assert written(bench).references[0].size_mm == 40.0, "no printer makes tags for another table"
    bench.press("choice:(48.0, 48.0)")
    bench.until(lambda: step.fitness is not None and "8 of 8" in step.status.head.text, 60)
    assert step.fitness.error_px < 0.2
    assert faults(bench) == []
    SEEN["table"] = bench.app.screen.worker.latest.picture
    grid_lies_on_the_table(bench, tmp_path)
    bench.press("reference-mm-")
    assert written(bench).references[0].size_mm == 39.9
    bench.press("reference-mm+")
    bench.press("table-measure")
    waited(bench)
    for tag, true in zip(written(bench).references, TRUE.references, strict=True):
        assert np.hypot(tag.x - true.x, tag.y - true.y) < 0.03
    bench.until(lambda: step.fitness is not None)
    bench.press("next")
    assert bench.app.camera_profile is not None
    assert bench.app.camera_profile.done("table")


def grid_lies_on_the_table(bench: Driver, tmp_path: Path) -> None:
    """The drawn edge is green where the true edge of the table is, to within 3 pixels."""
    viewer = bench.app.screen.viewer
    picture = Image.open(bench.shot(tmp_path / "grid.png")).convert("RGB")
    lens, high = TRUE.lens, picture.height
    assert lens is not None
    from companion.practice.random_table import standard_view

    line = np.array(THEME.colour("good")[:3]) * 255
    for x in (6.0, 18.0, 30.0, 42.0):
        px, py = standard_view().project(np.array([[x, 0.0, 0.0]]), lens)[0]
        sx, sy = viewer.to_window(*viewer.on_screen((float(px), float(py))))
        near = [
            picture.getpixel((round(sx) + dx, round(high - sy) + dy))
            for dx in (0, 1)
            for dy in range(-3, 4)
        ]
        off = np.abs(np.array(near) - line).max(axis=1)
        assert off.min() < 30, (x, near)


def test_4_trays(bench: Driver) -> None:
    step = step_of(bench)
    bench.until(lambda: step._free == (10, 11, 12, 13, 14), 60)
    tell(bench, 10, "infantry", "standard", "b1")
    # The pair: a tap on its first tag in the picture, then its second by name.
    bench.until(lambda: step.seen is not None and 11 in step.seen.sight.tags, 30)
    viewer = bench.app.screen.viewer
    spot = viewer.on_screen(tuple(step.seen.sight.tags[11].centre_px))
    bench.touch(*viewer.to_window(*spot))
    bench.until(lambda: step.draft is not None)
    bench.press("choice:cavalry")
    bench.press("choice:standard-pair")
    for _again in range(3):  # a new picture may move the list of tags just before the finger comes
        bench.until(lambda: bench.find("second:12"))
        bench.press("second:12")
        if step.draft.ids == (11, 12):
            break
    assert step.draft.ids == (11, 12)
    bench.press("name:b2")
    bench.until(lambda: "Seen" in step.status.head.text, 30)
    assert faults(bench) == []
    bench.press("tray-save")
    tell(bench, 13, "infantry", "standard", "r1")
    assert [tray.unit for tray in written(bench).trays] == ["b1", "b2", "r1"]
    true = {tray.unit: tray for tray in TRUE.trays}
    assert all(tray == true[tray.unit] for tray in written(bench).trays)


def tell(bench: Driver, tag: int, kind: str, mount: str, name: str) -> None:
    bench.until(lambda: bench.find(f"tag:{tag}"), 30)
    bench.press(f"tag:{tag}")
    bench.press(f"choice:{kind}")
    bench.press(f"choice:{mount}")
    bench.press(f"name:{name}")
    bench.press("tray-save")
    bench.until(lambda: step_of(bench).draft is None)


def test_4_corners_are_tapped_instead(bench: Driver) -> None:
    step, viewer = step_of(bench), bench.app.screen.viewer
    bench.until(lambda: bench.find("tag:14"), 30)
    bench.press("tag:14")
    bench.press("choice:solo")
    bench.press("choice:standard")  # its height is known
    bench.press("corners")
    truth = source(bench).table.unit("r2")
    lens = TRUE.lens
    assert lens is not None
    from companion.practice.random_table import standard_view

    side = truth.tray.depth / 2
    for ahead, left in ((side, side), (side, -side), (-side, -side), (-side, side)):
        corner = truth.pose.ahead(ahead, left)
        pixel = standard_view().project(np.array([[*corner, 0.0]]), lens)[0]
        bench.until(lambda: step.seen is not None and 14 in step.seen.sight.tags, 30)
        bench.touch(*viewer.to_window(*viewer.on_screen((float(pixel[0]), float(pixel[1])))))
    assert step.draft.mount == "tapped"
    bench.press("name:r2")
    bench.press("tray-save")
    bench.until(lambda: step.draft is None)
    seat, true = written(bench).trays[-1].tags[0], TRUE.trays[-1].tags[0]
    assert np.hypot(seat.forward - true.forward, seat.left - true.left) < 0.15
    assert seat.turn == pytest.approx(true.turn, abs=3.0)


def test_4_a_tray_is_told_anew_and_removed(bench: Driver) -> None:
    step = step_of(bench)
    bench.press("tray:r2")
    assert step.draft.before == "r2"
    bench.press("tray-cancel")
    bench.press("tray:r1")
    assert (step.draft.mount, step.draft.tray) == ("standard", "infantry")
    bench.press("tag-up+")
    bench.press("tray-save")
    assert written(bench).tray_of(13)[1].up == pytest.approx(45.5 / 25.4, abs=1e-3)  # type: ignore[index]
    bench.press("tray:r1")
    bench.press("tray-remove")
    assert "r1" not in [tray.unit for tray in written(bench).trays]


def doubt_in(bench: Driver) -> float:
    """How wrong a distance may be, as the step tells it."""
    (told,) = [
        str(one.text)
        for one in bench.widgets()
        if str(getattr(one, "text", "")).startswith("Now a distance between two trays")
    ]
    return float(re.findall(r"by ([0-9.]+)″", told)[0])


def test_4_the_mounts_are_measured(bench: Driver) -> None:
    before = written(bench).trays
    step = step_of(bench)
    newest = step.wizard.number()  # the tag of the tray just removed is new in the next picture
    bench.until(lambda: step.wizard._seen > newest, 60)
    step.wizard.rebuild()
    usual_in = doubt_in(bench)
    assert 0.1 < usual_in < 0.5
    for number in (1, 2, 3):
        assert len(step.views) == number - 1
        bench.until(lambda: step.seen is not None and not step.seen.sight.missing, 60)
        bench.press("mounts-picture")
    assert step.views == []
    after = written(bench).trays
    assert [tray.unit for tray in after] == [tray.unit for tray in before]
    for tray, old in zip(after, before, strict=True):
        assert tray.tags[0].up_sigma_mm is not None
        assert tray.tags[0].up == pytest.approx(old.tags[0].up, abs=0.1)
    assert doubt_in(bench) <= usual_in
    assert faults(bench) == []


def test_5_check(bench: Driver) -> None:
    bench.press("next")
    step = step_of(bench)
    bench.until(lambda: step.check is not None, 60)
    assert not step.check.good
    bench.press("practice-hand")
    bench.until(lambda: step.check is not None and step.check.good, 60)
    assert step.check.off_in < 0.06
    bench.press("explain")  # what the camera sees, each tag by itself
    bench.until(lambda: bool(step.told) and step.marks(None), 60)
    assert {one.tag for one in step.told if one.found} >= {tag.id for tag in step.tray.tags}
    bench.press("explain")
    assert not step.marks(None)
    assert "off by 0.0" in step.status.head.text
    # Put a quarter of an inch aside: it is noticed, and what to look at is said.
    spot = step.marked.pose
    source(bench).place("b1", Pose(spot.x + 0.25, spot.y, 90.0))
    bench.until(lambda: step.check is not None and 0.2 < step.check.off_in < 0.3, 60)
    bench.until(lambda: "mount" in step.status.more.text)
    assert "too far right" in step.status.more.text
    assert faults(bench) == []
    bench.press("practice-hand")
    bench.until(lambda: step.check is not None and step.check.good, 60)
    # Put back to its place, it does not undo what was checked.
    source(bench).place("b1", Pose(spot.x + 12, spot.y + 8, 90.0))
    bench.until(lambda: step.check is not None and step.check.off_in > 10, 60)
    assert "Not at the spot yet" in step.status.more.text
    bench.press("next")
    assert bench.app.place == "camera"
    assert bench.app.camera_profile is not None
    assert bench.app.camera_profile.done("check")
    assert bench.app.camera_profile.next_step is None
    assert faults(bench) == []


def test_6_a_lost_camera_says_what_to_do_and_returns(bench: Driver) -> None:
    bench.press("step:check")
    step = step_of(bench)
    bench.until(lambda: step.check is not None, 60)
    source(bench).cover(True)
    bench.until(lambda: "No picture" in step.status.head.text, 30)
    assert "plugged in" in step.status.more.text
    source(bench).cover(False)
    bench.until(lambda: "off by" in step.status.head.text, 60)
    bench.press("back")
    assert bench.app.place == "camera"


def test_7_a_step_is_redone_alone_and_the_lens_may_be_skipped(bench: Driver) -> None:
    before = written(bench)
    bench.press("step:lens")
    bench.until(lambda: bench.app.screen.viewer.size_px == (1280, 720), 60)
    bench.press("lens-skip")
    assert step_of(bench).key == "table"
    assert written(bench) == before.with_lens(None)
    step = step_of(bench)
    bench.until(lambda: step.fitness is not None, 60)
    assert "estimated" in step.status.more.text
    bench.press("back")
    assert bench.app.place == "camera"


def test_8_the_camera_is_chosen(bench: Driver, tmp_path: Path) -> None:
    bench.press("setup-camera")
    waited(bench)
    choice = [name for name in bench.names() if name.startswith("source:")]
    assert "source:practice" in choice
    bench.press("source:address")  # nothing was typed: refused with a sentence
    assert bench.app.sheet is not None
    bench.press("source:file")
    photo = tmp_path / "photo.png"
    Image.new("RGB", (640, 480)).save(photo)
    files = next(one for one in bench.widgets(bench.app.sheet) if hasattr(one, "endings"))
    files.enter(tmp_path)
    bench.press("file:photo.png")
    bench.press("camera-sure")
    assert bench.app.camera_profile is not None
    assert bench.app.camera_profile.notes.source == str(tmp_path)
    bench.press("step:table")
    step = step_of(bench)
    bench.until(lambda: "The picture shows nothing" in step.status.head.text, 60)
    assert "covered" in step.status.more.text
    # A mirrored picture is said, turned back by a tap, and remembered.
    Image.fromarray(SEEN["table"][:, ::-1, ::-1]).save(photo)
    bench.until(lambda: "The picture is mirrored" in step.status.head.text, 60)
    bench.press("turn-back")
    bench.until(lambda: "8 of 8" in step.status.head.text, 60)
    assert written(bench).mirrored
    # Taps on the table's corners tell the lens.
    camera = step.sight.camera
    bench.press("table-corners")
    for x, y in table_corners(step.setup):
        (pixel,) = camera.pixels(np.array([(x, y, 0.0)]))
        bench.app.screen.tapped((float(pixel[0]), float(pixel[1])))
    lens, true = written(bench).lens, TRUE.lens
    assert lens is not None
    assert true is not None
    assert abs(lens.matrix[0] - true.matrix[0]) < 4 * lens.sigma[0]
    bench.press("back")


def test_9_setups_are_made_and_deleted(bench: Driver) -> None:
    bench.press("setup-others")
    bench.press("setup-create")
    waited(bench)
    bench.press("close")
    assert bench.app.camera_profile is not None
    assert bench.app.camera_profile.name == "My table"
    assert bench.app.service.preferences.setup == "My table"
    bench.press("setup-others")
    bench.press("setup-delete")
    bench.press("delete-sure")
    assert bench.app.camera_profile is None
    bench.press("setup-others")
    bench.press("setup:Practice")
    assert bench.app.camera_profile is not None
    assert bench.app.camera_profile.name == "Practice"


def test_a_broken_setup_is_named_on_its_page(tmp_path: Path) -> None:
    folder = tmp_path / "setups"
    folder.mkdir()
    (folder / "odd.setup.toml").write_text('format = "table-companion/setup/1"\ncolour = 1')
    driver = opened(tmp_path)
    try:
        driver.press("camera-setup")
        told = [one.text for one in driver.widgets() if hasattr(one, "text")]
        assert any("odd.setup.toml" in str(text) and "colour" in str(text) for text in told)
        assert faults(driver) == []
    finally:
        driver.stop()

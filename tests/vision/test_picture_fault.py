"""What is wrong with a picture is said before "no tag": mirrored, dark, blank, moved, blurred."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.references.table_lost import TableLost
from calibration.references.table_pose import TablePose
from calibration.setup import Setup, with_mirror
from companion.vision.look import look
from companion.vision.picture_fault import FAULTS, fault_words, moved_straight, picture_fault
from companion.vision.sources.frame import CameraFrame, Gap, Picture
from companion.vision.sources.safe_source import SafeSource
from companion.vision.track.table_tracker import TableTracker
from tests.vision.conftest import Shot

SMALL = (960, 540)


@pytest.fixture(scope="module")
def small(standard: Shot) -> Picture:
    """The standard picture at a quarter of its pixels, which is quick to look at."""
    return np.asarray(cv2.resize(standard.picture, SMALL, interpolation=cv2.INTER_AREA), np.uint8)


def grey(picture: Picture) -> Picture:
    return CameraFrame(picture).grey()


def moved(picture: Picture, length: int) -> Picture:
    """The picture of a camera that moved so many pixels to the right."""
    return np.asarray(cv2.blur(picture, (length, 1)), np.uint8)


def test_each_fault_is_named_and_a_good_picture_has_none(standard: Shot, small: Picture) -> None:
    nobody = Setup()
    assert picture_fault(grey(small), nobody, 0) == ""
    for length in (15, 31):
        assert picture_fault(grey(moved(small, length)), nobody, 0) == "moved"
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 5), np.uint8)
    assert picture_fault(grey(soft), nobody, 0) == "soft"
    assert picture_fault(grey((small * 0.15).astype(np.uint8)), nobody, 0) == "dark"
    assert picture_fault(np.full((200, 300), 90, np.uint8), nobody, 0) == "blank"
    burnt = np.clip(small.astype(np.int32) * 6, 0, 255).astype(np.uint8)
    assert picture_fault(grey(burnt), nobody, 0) == "glaring"
    assert len({str(fault_words(fault)) for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize(
    ("widths", "moved"),
    [
        # As a photograph of framed pictures measures that was moved along the wall.
        ([15.9, 0.0, 0.0, 3.6, 3.6, 4.0, 0.0, 0.0], True),
        # Edges of the next direction are sharp: one alone is an odd thing, like a soft shadow.
        ([15.9, 3.4, 0.0, 3.6, 3.6, 4.0, 0.0, 0.0], False),
        ([8.0, 0.0, 0.0, 3.6, 3.6, 4.0, 0.0, 0.0], False),
        # Out of focus every direction is wide.
        ([15.9, 0.0, 0.0, 12.0, 11.0, 12.0, 0.0, 0.0], False),
    ],
)
def test_a_movement_across_what_stands_square_to_it(widths: list[float], moved: bool) -> None:
    assert moved_straight(widths) == moved


def test_a_picture_whose_tags_are_read_is_not_too_bright() -> None:
    paper = np.full((600, 800), 255, np.uint8)
    paper[100:300, 100:300] = 20
    assert picture_fault(paper, Setup(), 0) == "glaring"
    assert picture_fault(paper, Setup(), 1) == ""


def test_tags_that_lie_twice_tell_the_mirror_too(standard: Shot, small: Picture) -> None:
    setup = standard.scene.setup.with_lens(None)
    twice = np.ascontiguousarray(np.vstack([small, small])[:, ::-1])
    sight = look(CameraFrame(twice), setup)
    assert isinstance(sight.camera, TableLost)
    assert sight.camera.fault == "mirrored"


def test_white_paper_is_no_reason_for_a_blurred_picture(small: Picture) -> None:
    paper = np.clip(small.astype(np.int32) * 6, 0, 255).astype(np.uint8)
    assert picture_fault(grey(moved(paper, 31)), Setup(), 0) == "moved"


def test_a_mirrored_picture_is_said_and_turned_back(standard: Shot, small: Picture) -> None:
    setup = standard.scene.setup.with_lens(None)
    flipped = CameraFrame(small).turned_back()
    sight = look(flipped, setup)
    assert isinstance(sight.camera, TableLost)
    assert sight.camera.fault == "mirrored"
    assert "mirrored" in sight.problems[-1]
    assert isinstance(look(flipped.turned_back(), setup).camera, TablePose)


def test_a_stream_says_it_too(standard: Shot, small: Picture) -> None:
    flipped = CameraFrame(small, time_s=1.0).turned_back()
    view = TableTracker(standard.scene.setup.with_lens(None)).see(flipped)
    assert isinstance(view.camera, TableLost)
    assert view.camera.fault == "mirrored"
    assert any("mirrored" in problem for problem in view.problems)


def test_the_set_up_remembers_it_and_keeps_what_was_written() -> None:
    text = '# mine\nformat = "table-companion/setup/1"\n\n[table] # oak\nwidth = 36\ndepth = 36\n'
    assert not Setup.parse(text).mirrored
    new = with_mirror(text, True)
    assert "# mine" in new
    assert "# oak" in new
    again = Setup.parse(new)
    assert again.mirrored
    assert again.table_width == 36
    assert not Setup.parse(with_mirror(new, False)).mirrored
    assert Setup.parse(replace(again, mirrored=True).text()) == again


class OnePicture:
    """A camera that shows one picture."""

    name = "camera"

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def read(self) -> CameraFrame | Gap | None:
        return CameraFrame(self.picture)

    def still(self) -> CameraFrame | None:
        return CameraFrame(self.picture)

    def close(self) -> None:
        """Nothing is open."""


def test_a_mirroring_camera_is_turned_back_where_it_is_read(small: Picture) -> None:
    source = SafeSource(OnePicture(small), mirrored=True)
    for frame in (source.read(), source.still()):
        assert isinstance(frame, CameraFrame)
        assert (frame.picture == small[:, ::-1]).all()


def test_the_command_line_says_it_in_one_line_and_turns_it_back(
    tmp_path: Path, standard: Shot, small: Picture, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.cli.program import main

    photo, file = tmp_path / "a.png", tmp_path / "t.setup.toml"
    cv2.imwrite(str(photo), np.ascontiguousarray(small[:, ::-1]))
    replace(standard.scene.setup, lens=None, trays=()).save(file)
    words = ["look", str(photo), "--setup", str(file)]
    assert main(words) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1
    assert "the picture is mirrored" in told[0]
    assert "--mirrored" in told[0]
    assert main([*words, "--mirrored"]) == 0
    assert "references" in capsys.readouterr().out
    assert main(["calibrate", "table", str(photo), "--setup", str(file), "--mirrored"]) == 0
    assert Setup.load(file).mirrored
    assert main(words) == 0
    dark = (small * 0.02).astype(np.uint8)
    cv2.imwrite(str(photo), dark)
    assert main(words) == 2
    assert "is the lens covered, or the light off?" in capsys.readouterr().err

"""The lens board: a known lens comes back from photos of it, with honest doubts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.lens import Lens
from calibration.lens_board import (
    BoardView,
    NoLensFound,
    Unused,
    board_points,
    board_view,
    lens_from,
)
from calibration.setup import Setup, with_camera
from companion.practice.board_photo import board_photo, board_views
from companion.practice.look import STANDARD

LENS = Lens.ideal((1280, 720), 68.0, (-0.08, 0.03, 0.0005, -0.0004, 0.0))


@pytest.fixture(scope="module")
def views() -> list[BoardView]:
    found = []
    for number, view in enumerate(board_views(LENS, 8, seed=2)):
        photo = board_photo(LENS, view, STANDARD, number)
        seen = board_view(photo, f"{number}.jpg")
        assert isinstance(seen, BoardView), seen
        away = seen.corners_px - view.project(board_points()[seen.ids], LENS)
        assert np.abs(away.mean(axis=0)).max() < 0.03
        assert away.std() < 0.06
        found.append(seen)
    return found


def test_the_lens_comes_back(views: list[BoardView]) -> None:
    result = lens_from(views)
    found, true = result.lens.parameters, LENS.parameters
    assert result.misfit_px < 0.08
    assert np.abs(found[:2] / true[:2] - 1).max() < 0.001
    assert np.abs(found[2:4] - true[2:4]).max() < 1.5
    sigma = np.array(result.lens.sigma[:8])
    assert (np.abs(found - true)[:8] < 5 * sigma).all()
    assert any("more photos (now 8)" in wish for wish in result.wishes)


def test_a_spoilt_photo_is_left_out_and_named(views: list[BoardView]) -> None:
    rng = np.random.default_rng(1)
    spoilt = replace(
        views[3], corners_px=views[3].corners_px + rng.normal(0, 2.0, views[3].corners_px.shape)
    )
    result = lens_from([*views[:3], spoilt, *views[4:], Unused("x.jpg", "0 board corners found")])
    assert {one.source for one in result.unused} == {"3.jpg", "x.jpg"}
    assert "misses by" in next(one.reason for one in result.unused if one.source == "3.jpg")


def test_a_single_stray_corner_is_left_out(views: list[BoardView]) -> None:
    corners = views[0].corners_px.copy()
    corners[5] += (1.5, -1.0)
    result = lens_from([replace(views[0], corners_px=corners), *views[1:]])
    assert result.corners < sum(len(view.ids) for view in views)
    assert "0.jpg" in result.used


def test_too_few_and_other_sizes_are_refused(views: list[BoardView]) -> None:
    with pytest.raises(NoLensFound, match="5 usable photos"):
        lens_from(views[:5])
    other = replace(views[5], size=(640, 360))
    with pytest.raises(NoLensFound, match="is 640 x 360, the first photo is 1280 x 720"):
        lens_from([*views[:5], other])


def test_a_picture_without_a_board_is_not_used() -> None:
    answer = board_view(np.full((480, 640, 3), 120, dtype=np.uint8), "wall.jpg")
    assert answer == Unused("wall.jpg", "0 board corners found")


def test_photos_all_alike_are_told_what_is_missing(views: list[BoardView]) -> None:
    small = [replace(view, corners_px=view.corners_px * 0.4 + (20.0, 20.0)) for view in views]
    result = lens_from([replace(view, source=f"s{n}") for n, view in enumerate(small)])
    assert any("bottom right" in wish for wish in result.wishes)


HAND_WRITTEN = """# my table
format = "table-companion/setup/1"

[table]  # measured
width = 36.0
{camera}
# the references
[[reference]]
id = 3
x = 1.0
y = 1.0
heading = 90.0
size_mm = 40.2  # with a calliper
"""


@pytest.mark.parametrize(
    "camera",
    ["", "[camera] # old\nsize = [640, 480]\nmatrix = [500, 0, 320, 0, 500, 240, 0, 0, 1]\n"],
)
def test_a_new_lens_leaves_the_rest_of_the_file_as_written(camera: str) -> None:
    text = with_camera(HAND_WRITTEN.format(camera=camera), LENS)
    setup = Setup.parse(text)
    assert setup.lens == LENS
    assert setup.table_width == 36.0
    for words in ("# my table", "# measured", "# the references", "# with a calliper"):
        assert words in text
    assert "640" not in text

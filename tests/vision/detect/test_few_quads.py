"""What need not be read is not read: inner outlines, black squares; tags of all sizes at once."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.detect.bits import codes_of
from companion.vision.detect.pixels import Grey
from companion.vision.detect.quads import find_quads
from companion.vision.detect.tag_detector import find_tags
from companion.vision.detect.tag_reading import lettered
from companion.vision.detect.template import fit_templates, grid, steps_of
from tests.vision.drawn import drawn_tag, turned_square

SIDE = codes_of("DICT_4X4_50").side


def charuco_board() -> tuple[Grey, list[int]]:
    """A board of chess squares, a little apart, and tags, 40 px a square, and its ids."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    board = cv2.aruco.CharucoBoard((8, 8), 1.0, 0.75, dictionary)
    picture = np.asarray(board.generateImage((360, 360), marginSize=20), dtype=np.float32)
    for line in range(20, 360, 40):
        picture[line - 2 : line + 2] = picture[:, line - 2 : line + 2] = 255
    soft = cv2.GaussianBlur(picture * 0.7 + 30, (0, 0), 0.8)
    return np.asarray(soft, dtype=np.uint8), [int(one) for one in np.ravel(board.getIds())]


def test_a_black_frame_is_one_quadrangle() -> None:
    quads = find_quads(drawn_tag(7, turned_square(50, 12)), window=13)
    beside = np.abs(np.sort(quads, axis=1) - np.sort(turned_square(50, 12), axis=0)).max(
        axis=(1, 2)
    )
    assert (beside < 10).sum() == 1, "not its inner outline, too"
    assert beside.min() < 2.5


def test_black_squares_are_not_read_and_tags_are() -> None:
    picture, ids = charuco_board()
    quads = find_quads(picture, window=13)
    assert len(quads) >= 60
    assert lettered(picture, quads, SIDE).sum() == len(ids)
    assert set(find_tags(picture, expected=ids).tags) == set(ids)


@pytest.mark.parametrize("tag_id", [0, 17, 34, 37, 49])
@pytest.mark.parametrize("blur", [0.7, 1.4])
def test_a_small_tag_is_lettered_though_its_corners_are_a_pixel_off(
    tag_id: int, blur: float
) -> None:
    corners = turned_square(15, 20)
    picture = drawn_tag(tag_id, corners, blur=blur)
    for off in ([1, 0], [0, 1], [-1, 0], [0, -1]):
        assert lettered(picture, corners[None] + off, SIDE)[0]


def test_no_quadrangle_is_lettered() -> None:
    assert lettered(np.zeros((20, 20), np.uint8), np.zeros((0, 4, 2)), SIDE).shape == (0,)
    assert find_quads(np.zeros((50, 50), np.uint8)).shape == (0, 4, 2)


def test_points_lie_close_to_the_lines_of_large_cells_and_evenly_in_small_ones() -> None:
    steps = steps_of(SIDE, np.array([2.0, 20.0]))
    assert np.allclose(np.diff(steps[0]), 0.25)
    lines = np.arange(SIDE + 1)
    assert np.abs(steps[1].reshape(-1, 4) - lines[:, None]).max() * 20 == pytest.approx(1.2)
    points = grid(steps)
    assert points.shape == (2, 28 * 28 // 2, 2)
    assert len(np.unique(points[0].round(6), axis=0)) == points.shape[1]
    every = np.stack(np.meshgrid(steps[1], steps[1]), axis=-1).reshape(-1, 2).round(6)
    assert set(map(tuple, points[1].round(6))) < set(map(tuple, every))


def test_tags_of_all_sizes_are_fitted_together() -> None:
    sides = (16.0, 24.0, 40.0, 70.0)
    pictures = [drawn_tag(21, turned_square(side, 9)) for side in sides]
    width = pictures[0].shape[1]
    true = np.array(
        [turned_square(side, 9) + np.array([n * width, 0]) for n, side in enumerate(sides)]
    )
    sheets = codes_of("DICT_4X4_50").sheets[[21] * len(sides)]
    fitted = fit_templates(np.hstack(pictures), true + 0.2, sheets)
    assert np.abs(fitted.corners - true).max(axis=(1, 2)) == pytest.approx(0.0, abs=0.06)
    assert (fitted.misfit < 0.05).all()

"""Boards that people have and hold: of another maker, bent, hardly tilted; what is told of them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera.charuco_board import CHESS, OWN_BOARD, BoardSpec, BoardView, mirrored_board
from calibration.camera.lens import Lens
from calibration.camera.lens_calibration import lens_from
from calibration.camera.other_board import SeenMarkers, recognised
from companion.vision.sources.frame import Picture
from tests.calibration.test_lens_board import LENS, drawn_grid, flat_views, on_a_desk

CHESSBOARD = replace(OWN_BOARD, squares=(9, 7), dictionary=CHESS)


def tag_grid(dictionary: str) -> Picture:
    """A grid of tags with small black squares where their corners meet, as robots use."""
    sheet = drawn_grid(5, 4, 0, dictionary=dictionary)
    high, wide = sheet.shape
    for y in range(0, high, 80):
        for x in range(0, wide, 80):
            sheet[y : y + 20, x : x + 20] = 0
    return np.pad(sheet, 40, constant_values=255)


@pytest.mark.slow
def test_tags_with_squares_between_them_are_a_grid_and_no_chessboard() -> None:
    found = recognised(on_a_desk(tag_grid("DICT_APRILTAG_36h10")))
    assert isinstance(found, BoardSpec)
    assert found.grid
    assert found.dictionary == "DICT_APRILTAG_36h10"
    unknown = recognised(on_a_desk(tag_grid("DICT_APRILTAG_16h5")))
    assert unknown is None or isinstance(unknown, SeenMarkers)


def test_a_chessboard_is_never_mirrored() -> None:
    cells = np.indices((7, 9)).sum(axis=0) % 2
    sheet = np.pad(np.kron(cells, np.ones((60, 60))) * 255, 60, constant_values=255)
    assert not mirrored_board(sheet.astype(np.uint8), CHESSBOARD)


def bent(views: list[BoardView], mm: float) -> list[BoardView]:
    """Each picture's corners as a sheet shows them that bends in its own way."""
    rng = np.random.default_rng(5)
    shown = []
    for view in views:
        points = view.board.points[view.ids][:, :2]
        way = rng.normal(0, 1, 2)
        across = (points - points.mean(axis=0)) @ (way / np.linalg.norm(way))
        off = mm * np.sin(across / 60)[:, None] * rng.normal(0, 1, 2)
        shown.append(replace(view, corners_px=view.corners_px + off))
    return shown


def test_a_board_that_bends_is_told() -> None:
    views = flat_views((35.0, 35.0, 8.0, 40.0, 30.0, 38.0, 32.0, 9.0))
    assert not lens_from(views).remarks
    told = lens_from(bent(views, 9.0)).remarks
    assert any("glue it to something stiff" in remark for remark in told)
    few = lens_from(bent(views, 9.0)[:3]).remarks
    assert any("glue it to something stiff" in remark for remark in few)


def test_a_focal_length_that_is_known_is_not_called_vague() -> None:
    few = lens_from(flat_views((35.0, 40.0, 38.0, 30.0, 32.0)))
    assert few.lens.sigma[0] < 0.01 * LENS.matrix[0]
    assert not few.remarks
    level = lens_from(flat_views((2.0, 5.0, 3.0)))
    assert any("is known to" in remark for remark in level.remarks)
    assert not any("known to 0 %" in remark for remark in level.remarks)


WIDE = Lens.of((640, 480), (533.0, 533.0), (342.0, 234.0), (-0.29, 0.1, 0.0, 0.0, 0.0))


def right_half(seed: int) -> list[BoardView]:
    """Two pictures of a tilted board that never show the left of what a wide lens sees."""
    rng = np.random.default_rng(seed)
    points = OWN_BOARD.points - OWN_BOARD.points.mean(axis=0)
    shown = []
    for tilt in (25.0, 20.0):
        way = rng.normal(0, 1, 2)
        turn = np.array([*np.radians(tilt) * way / np.linalg.norm(way), rng.normal(0, 0.5)])
        shift = np.array([rng.uniform(20, 90), rng.uniform(-20, 20), rng.uniform(330, 430)])
        pixels, _ = cv2.projectPoints(points, turn, shift, WIDE.k, WIDE.d)
        corners = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        corners += rng.normal(0, 0.15, corners.shape)
        ids = np.arange(len(points), dtype=np.int32)
        shown.append(BoardView(f"{tilt:g}.jpg", ids, corners, WIDE.size))
    return shown


@pytest.mark.parametrize("seed", [2, 5])
def test_a_wide_lens_is_told_from_half_of_its_picture(seed: int) -> None:
    lens = lens_from(right_half(seed)).lens
    assert abs(lens.matrix[0] - 533.0) < 2 * lens.sigma[0]
    assert lens.sigma[0] < 0.05 * lens.matrix[0]

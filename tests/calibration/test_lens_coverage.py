"""What a live camera has seen of the lens board: what counts as new, what is wished for, when."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from calibration.camera.charuco_board import OWN_BOARD, BoardView
from calibration.camera.lens import Lens
from calibration.camera.lens_calibration import ZONES
from calibration.camera.lens_coverage import Coverage, board_tilt, differs
from calibration.camera.viewpoint import Viewpoint
from companion.practice.workbench import board_walk

SIZE = (1280, 720)
LENS = Lens.ideal(SIZE, 70.0, (-0.09, 0.03, 0.0, 0.0, 0.0))


def seen_from(view: Viewpoint, number: int, noise: float = 0.03) -> BoardView:
    """The board as an ideal finder would see it: the corners inside the picture."""
    points = OWN_BOARD.points
    pixels = view.project(points, LENS)
    pixels += np.random.default_rng(number).normal(0, noise, pixels.shape)
    inside = ((pixels > 3) & (pixels < np.array(SIZE) - 3)).all(axis=1)
    ids = np.flatnonzero(inside).astype(np.int32)
    return BoardView(f"view {number}", ids, pixels[inside], SIZE)


@lru_cache
def walk() -> tuple[BoardView, ...]:
    return tuple(seen_from(view, number) for number, view in enumerate(board_walk(LENS)))


def test_nothing_seen_asks_for_the_board() -> None:
    assert Coverage().wish.kind == "show"
    assert (Coverage().score, Coverage().enough, Coverage().possible) == (0.0, False, False)


def test_the_same_view_twice_counts_once() -> None:
    once = Coverage().seen(walk()[0])
    assert once.seen(walk()[0]) is once
    assert not differs(walk()[0], walk()[0])
    assert len(once.seen(walk()[5]).views) == 2


def test_the_score_grows_to_one_and_the_lens_is_right() -> None:
    here, scores = Coverage(), []
    for view in walk():
        here = here.seen(view)
        scores.append(here.score)
    assert scores == sorted(scores)
    assert (here.enough, scores[-1]) == (True, 1.0)
    assert here.result is not None
    assert here.result.lens.matrix[0] == pytest.approx(LENS.matrix[0], rel=0.002)
    assert here.result.misfit_px < 0.1


def test_corners_are_wished_for_before_anything_else() -> None:
    here = Coverage().seen(walk()[5])
    assert here.wish.kind == "zone"
    row, column = here.wish.zone or (-1, -1)
    assert row in (0, ZONES[1] - 1)
    assert column in (0, ZONES[0] - 1)
    assert not here.covered[row][column]


def test_level_boards_alone_are_not_enough() -> None:
    """Everywhere in the picture, but never tilted: the focal length would stay vague."""
    here = Coverage()
    for shift_x in (-260, -120, 0, 120, 260):
        for shift_y in (-110, 0, 110):
            place = (87.5 + shift_x, 125.0 + shift_y, -420.0)
            level = Viewpoint.looking(place, (place[0], place[1], 0.0))
            view = seen_from(level, len(here.views))
            if len(view.ids) >= 12:
                here = here.seen(view)
    assert here.steep == 0
    assert here.ways == ()
    assert not here.enough
    assert here.wish.kind in ("tilt", "zone")


def test_tilt_is_told_without_knowing_the_lens() -> None:
    for tilt in (5.0, 20.0, 40.0):
        far = 520.0
        aim = (87.5, 125.0, 0.0)
        place = (87.5 + far * np.sin(np.radians(tilt)), 125.0, -far * np.cos(np.radians(tilt)))
        view = seen_from(Viewpoint.looking(place, aim), 1)
        angle, way = board_tilt(view)
        assert angle == pytest.approx(tilt, abs=4.0)
        # The half of the board that looks smaller leans away.
        axis = 0 if way in ("left", "right") else 1
        first = view.corners_px[:, axis] < view.corners_px[:, axis].mean()
        near, far = (np.ptp(view.corners_px[half, 1 - axis]) for half in (first, ~first))
        assert (way in ("left", "top")) == (near < far)


def test_another_picture_size_begins_anew() -> None:
    here = Coverage().seen(walk()[0]).seen(walk()[5])
    other = walk()[2]
    smaller = BoardView(other.source, other.ids, other.corners_px / 2, (640, 360))
    assert [view.size for view in here.seen(smaller).views] == [(640, 360)]

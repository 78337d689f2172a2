"""Slopes of the projection against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import CAMERA_SIZE, Viewpoint, changed, projection

LENS = Lens.ideal((1920, 1080), 70.0, (-0.09, 0.02, 0.001, -0.0005, 0.01))
VIEW = Viewpoint.looking((20.0, -14.0, 35.0), (24.0, 18.0, 0.0), 7.0)
POINTS = np.random.default_rng(1).uniform((0, 0, 0), (48, 48, 2), (9, 3))
STEP = 1e-5


@pytest.mark.parametrize("place", range(CAMERA_SIZE))
def test_slopes_by_camera(place: int) -> None:
    change = np.zeros(CAMERA_SIZE)
    change[place] = STEP
    after = projection(POINTS, *changed(VIEW, LENS, change)).pixels
    before = projection(POINTS, *changed(VIEW, LENS, -change)).pixels
    slope = projection(POINTS, VIEW, LENS).by_camera[:, :, place]
    assert np.abs((after - before) / (2 * STEP) - slope).max() < 1e-5 * np.abs(slope).max()


@pytest.mark.parametrize("axis", range(3))
def test_slopes_by_point(axis: int) -> None:
    step = np.eye(3)[axis] * STEP
    after, before = (projection(POINTS + way, VIEW, LENS).pixels for way in (step, -step))
    slope = projection(POINTS, VIEW, LENS).by_point[:, :, axis]
    assert np.abs((after - before) / (2 * STEP) - slope).max() < 1e-5 * np.abs(slope).max()

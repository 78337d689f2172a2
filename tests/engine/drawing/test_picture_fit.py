"""The straightened picture: the table fills the pane, whatever the camera."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera.viewpoint import Viewpoint
from calibration.references.table_pose import TablePose
from companion.engine.drawing.picture_fit import fit_picture, projected
from companion.overlay.footprints import ShownArea
from companion.practice.random_table import standard_lens

FRAME, TABLE = (1280.0, 720.0), ShownArea(24.0, 24.0, 48.0, 48.0)
CORNERS = [(0.0, 0.0), (48.0, 0.0), (48.0, 48.0), (0.0, 48.0)]


def seen_from(x: float, y: float, up: float) -> TablePose:
    view = Viewpoint.looking((x, y, up), (24.0, 24.0, 0.0))
    return TablePose(view, standard_lens((1280, 720)), np.zeros((6, 6)), (), (), 0.1)


@pytest.mark.parametrize("pane", [(888.0, 648.0), (708.0, 470.0), (800.0, 585.0), (640.0, 900.0)])
@pytest.mark.parametrize("place", [(24.0, -20.0), (70.0, 24.0), (24.0, 68.0), (-20.0, 30.0)])
def test_the_table_fills_the_pane_from_every_side(
    pane: tuple[float, float], place: tuple[float, float]
) -> None:
    camera = seen_from(*place, 55.0)
    fit = fit_picture(camera, FRAME, TABLE, pane)
    spots = np.array(projected(camera, fit, CORNERS))
    assert (spots >= 0).all()
    assert (spots <= np.array(pane)).all()
    assert np.ptp(spots[:, 0]) > 0.75 * min(pane)
    # Not mirrored, and back again to the same pixels.
    back = fit.to_frame(spots)
    assert fit.to_pane(back) == pytest.approx(spots)


def test_a_camera_that_was_pushed_leaves_the_table_where_it_was() -> None:
    pane = (888.0, 648.0)
    one, other = seen_from(24.0, -20.0, 55.0), seen_from(25.5, -19.0, 54.0)
    spots = [
        projected(camera, fit_picture(camera, FRAME, TABLE, pane), CORNERS)
        for camera in (one, other)
    ]
    assert np.abs(np.array(spots[0]) - np.array(spots[1])).max() < 12.0


def test_without_a_pose_the_frame_covers_the_pane() -> None:
    for pane in ((888.0, 648.0), (300.0, 900.0)):
        fit = fit_picture(None, FRAME, TABLE, pane)
        corners = np.array([(0.0, 0.0), (pane[0], 0.0), pane, (0.0, pane[1])])
        frame = fit.to_frame(corners)
        assert (frame >= -1e-6).all()
        assert (frame <= np.array(FRAME) + 1e-6).all()


def test_a_texture_is_found_where_the_pixel_is() -> None:
    camera, pane = seen_from(24.0, -20.0, 55.0), (888.0, 648.0)
    fit = fit_picture(camera, FRAME, TABLE, pane)
    rows = np.array(fit.texture_rows())
    x, y = 300.0, 200.0  # from the lower left, as the shader has it
    found = rows @ (x, y, 1.0)
    pixel = fit.to_frame(np.array([(x, pane[1] - y)]))[0]
    assert found[:2] / found[2] == pytest.approx(pixel / np.array(FRAME))

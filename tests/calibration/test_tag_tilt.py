"""A tilted tab is told as tilted, a tag of another size is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.references.table_pose import TablePose, table_pose
from calibration.tags.tag import Sighting, placed_corners
from calibration.tags.tag_tilt import tilt_deg
from companion.practice.random_table import standard_scene
from models.pose import Pose
from tests.calibration.seen import sightings

SCENE = standard_scene(seed=1, trays=0, terrain=False)
SIZE = (1920, 1080)


def camera() -> TablePose:
    pose = table_pose(sightings(SCENE), SCENE.setup, SIZE)
    assert isinstance(pose, TablePose)
    return pose


TRAY = standard_scene(seed=1, trays=1, terrain=False).setup.trays[0]


@pytest.mark.parametrize("axis", [(1.0, 0.0), (0.0, 1.0), (0.7, -0.7)])
@pytest.mark.parametrize("tilt", [15.0, -25.0])
@pytest.mark.parametrize("place", [(12.0, 10.0), (30.0, 26.0)])
def test_a_tilted_tag_is_told_with_its_angle(
    axis: tuple[float, float], tilt: float, place: tuple[float, float]
) -> None:
    tag = TRAY.tags[0]
    corners = placed_corners(replace(tag, forward=0.0), Pose(*place, 70.0))
    middle = corners.mean(axis=0)
    turn = np.radians(tilt)
    around = np.array([*axis, 0.0])
    arms = corners - middle
    turned = (
        arms * np.cos(turn)
        + np.cross(around, arms) * np.sin(turn)
        + np.outer(arms @ around, around) * (1 - np.cos(turn))
    )
    lens = SCENE.setup.lens
    assert lens is not None
    rng = np.random.default_rng(3)
    pixels = SCENE.view.project(middle + turned, lens) + rng.normal(0, 0.05, (4, 2))
    angle = tilt_deg(Sighting(tag.id, pixels, 0.05), camera(), tag)
    assert angle is not None
    assert angle == pytest.approx(abs(tilt), abs=6.0)


@pytest.mark.parametrize("share", [0.85, 1.0, 1.12, 1.2])
def test_a_level_tag_of_another_size_is_not_tilted(share: float) -> None:
    tag = TRAY.tags[0]
    lens = SCENE.setup.lens
    assert lens is not None
    rng = np.random.default_rng(4)
    for place in ((12.0, 10.0), (30.0, 26.0), (24.0, 40.0)):
        real = replace(tag, size_mm=tag.size_mm * share)
        pixels = SCENE.view.project(placed_corners(real, Pose(*place, 40.0)), lens)
        pixels = pixels + rng.normal(0, 0.05, (4, 2))
        assert tilt_deg(Sighting(tag.id, pixels, 0.05), camera(), tag) is None

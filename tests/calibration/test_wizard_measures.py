"""What the set-up wizard shows besides poses: grids, fitness, seats of tags, marked spots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.references.rim_layout import rim_references
from calibration.references.table_check import (
    checked,
    fitness,
    grid_px,
    line_px,
    spots,
    tray_px,
)
from calibration.references.table_pose import TablePose, table_pose
from calibration.setup import Setup, TrayTag, known_trays
from calibration.tags.mount_fit import FarTag, height_mm, raised, seated
from calibration.tags.tag import Sighting, placed_corners, reference_corners
from companion.practice.random_table import standard_lens, standard_view
from models.pose import Pose, Sigma

SIZE = (1280, 720)
LENS, VIEW = standard_lens(SIZE), standard_view()


def pose_of(setup: Setup, noise: float = 0.0) -> TablePose:
    chance = np.random.default_rng(3)
    seen = [
        Sighting(
            tag.id, VIEW.project(reference_corners(tag), LENS) + chance.normal(0, noise, (4, 2))
        )
        for tag in setup.references
    ]
    found = table_pose(seen, setup, SIZE)
    assert isinstance(found, TablePose)
    return found


SETUP = Setup(LENS, references=rim_references(48.0, 48.0, 40.0))


def test_references_lie_where_the_printed_plan_puts_them() -> None:
    from companion.practice.random_table import references

    assert rim_references(48.0, 48.0, 40.0) == references(48.0, 48.0, 40.0)
    wide = rim_references(72.0, 48.0, 50.0)
    assert (wide[4].x, wide[4].y, wide[4].size_mm) == (72.0 - 1.4, 48.0 - 1.4, 50.0)


def test_the_grid_ends_at_the_corners_of_the_table() -> None:
    camera = pose_of(SETUP)
    lines = grid_px(camera, 48.0, 48.0)
    assert len(lines) == 2 + 2 + 7 + 7
    true = VIEW.project(np.array([[0.0, 0, 0], [48.0, 0, 0]]), LENS)
    assert np.abs(lines[0][[0, -1]] - true).max() < 0.1


def test_lines_bend_with_the_lens() -> None:
    camera = pose_of(SETUP)
    line = line_px(camera, [(0.0, 0.0), (48.0, 0.0)])
    middle = line[len(line) // 2]
    straight = (line[0] + line[-1]) / 2
    assert np.hypot(*(middle - straight)) > 2.0


def test_fitness_in_inches_is_what_a_ruler_would_show() -> None:
    quiet, loud = pose_of(SETUP), pose_of(SETUP, 0.12)
    assert fitness(quiet, SETUP).error_px < 0.01
    told = fitness(loud, SETUP)
    # An inch is 14 to 25 pixels wide in this view.
    assert 14 < told.error_px / told.error_in < 25
    assert 0 < told.worst_in < 0.1


@pytest.mark.parametrize("pose", [Pose(20.0, 15.0, 90.0), Pose(30.0, 25.0, 213.0)])
@pytest.mark.parametrize(
    "tag",
    [
        TrayTag(10, 25.0, forward=-2.9),
        TrayTag(10, 25.0, forward=-1.2, left=1.7, up=1.7717, turn=90.0),
        TrayTag(10, 30.0, left=-3.1, turn=-45.0),
    ],
)
def test_a_tag_is_found_where_it_sits(pose: Pose, tag: TrayTag) -> None:
    camera = pose_of(SETUP)
    sighting = Sighting(10, VIEW.project(placed_corners(tag, pose), LENS))
    found = seated(sighting, camera, pose, tag.size_mm, tag.up)
    assert found.forward == pytest.approx(tag.forward, abs=0.005)
    assert found.left == pytest.approx(tag.left, abs=0.005)
    assert found.turn == pytest.approx(tag.turn, abs=0.1)
    assert (found.up, found.size_mm) == (tag.up, tag.size_mm)


def test_a_tag_of_another_tray_is_refused() -> None:
    camera = pose_of(SETUP)
    far = placed_corners(TrayTag(10, 25.0), Pose(40.0, 30.0, 0.0))
    with pytest.raises(FarTag, match="tag 10 lies"):
        seated(Sighting(10, VIEW.project(far, LENS)), camera, Pose(10.0, 10.0, 90.0), 25.0)


def test_heights_are_told_in_millimetres() -> None:
    tags = raised((TrayTag(10, 25.0), TrayTag(11, 25.0)), 45.5)
    assert height_mm(tags) == 45.5
    assert {tag.up for tag in tags} == {round(45.5 / 25.4, 4)}
    assert height_mm(()) == 0.0


@pytest.mark.parametrize("kind", ["infantry", "solo"])
def test_spots_can_be_found_with_a_ruler(kind: str) -> None:
    tray = known_trays()[kind]
    left, right, middle = spots(tray, 48.0, 36.0)
    assert left.pose.x - tray.width / 2 == 0.0
    assert right.pose.x + tray.width / 2 == 48.0
    assert left.pose.y - tray.depth / 2 == left.ruler_in == 12.0
    assert middle.pose.ahead(tray.depth / 2, 0.0) == pytest.approx((24.0, 18.0))


@pytest.mark.parametrize(
    ("measured", "good"),
    [
        (Pose(2.77, 14.4, 90.2), True),
        (Pose(2.9, 14.4, 90.0), False),
        (Pose(2.75, 14.4, 93.0), False),
        # Off by more than usual, but no more than this measurement can tell.
        (Pose(2.9, 14.4, 90.0, Sigma(0.06, 0.5)), True),
    ],
)
def test_a_check_says_how_far_off(measured: Pose, good: bool) -> None:
    spot = spots(known_trays()["infantry"], 48.0, 48.0)[0]
    told = checked(measured, spot)
    assert told.good is good
    assert told.off_in == pytest.approx(np.hypot(measured.x - 2.75, measured.y - 14.4))


def test_the_outline_of_a_tray_lies_on_its_corners() -> None:
    camera, tray, pose = pose_of(SETUP), known_trays()["cavalry"], Pose(20.0, 20.0, 60.0)
    rim, arrow = tray_px(camera, tray, pose)
    corner = pose.ahead(tray.depth / 2, tray.width / 2)
    true = VIEW.project(np.array([[*corner, 0.0]]), LENS)[0]
    assert np.abs(rim[0] - true).max() < 0.1
    assert np.abs(rim[0] - rim[-1]).max() < 1e-9
    assert len(arrow) > 1


def test_a_table_behind_the_camera_is_not_drawn() -> None:
    camera = pose_of(SETUP)
    low = replace(camera, view=standard_view(tilt_deg=20.0))
    assert all(np.isfinite(line).all() for line in grid_px(low, 48.0, 144.0))
    assert len(line_px(low, [(24.0, -200.0), (24.0, -150.0)])) == 0

"""Mounts measured from three photos: heights by parallax, places and turns along an edge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.references.table_pose import TablePose, table_pose
from calibration.tags.mount_fit import NoMounts, Photo, measured_mounts, with_mounts
from calibration.tags.tray_pose import TrayFit, fit_trays
from companion.practice.random_table import PracticeTable, standard_scene
from models.pose import Pose
from models.table import Table
from tests.calibration.seen import mounted_by_hand, sightings
from tests.calibration.test_layout import VIEWS
from tests.trials import trials

SIZE = (1920, 1080)


def photos(real: PracticeTable, written: PracticeTable) -> list[Photo]:
    taken: list[Photo] = []
    for number, view in enumerate(VIEWS):
        found = sightings(replace(real, view=view), seed=number)
        camera = table_pose(found, written.setup, SIZE)
        assert isinstance(camera, TablePose)
        taken.append(({one.id: one for one in found}, camera))
    return taken


def in_a_row(scene: PracticeTable) -> PracticeTable:
    """The trays lined up along player 1's edge."""
    units = tuple(
        replace(unit, pose=Pose(4.0 + 6.5 * number, unit.tray.depth / 2, 90.0))
        for number, unit in enumerate(scene.table.units)
    )
    table = Table(scene.table.game, units=units)
    return replace(scene, table=table)


@pytest.mark.parametrize("tags", [1, 2])
@pytest.mark.parametrize("seed", range(1, 1 + trials(1, 9)))
def test_heights_come_from_parallax(seed: int, tags: int) -> None:
    written = standard_scene(seed, trays=14, tags=tags, up=45 / 25.4, terrain=False)
    real = mounted_by_hand(written, seed)
    mounts = measured_mounts(photos(real, written), written.setup)
    assert all(not one.problem and one.photos == 3 for one in mounts)
    away = []
    for mount, true in zip(mounts, real.setup.trays, strict=True):
        for found, tag in zip(mount.after.tags, true.tags, strict=True):
            assert found.up_sigma_mm is not None
            assert found.up_sigma_mm < 0.6
            # Nothing tells a tag glued off from a tray that stands elsewhere.
            assert found.glue_sigma_in > 0.6 * 0.5 / 25.4
            away.append((found.up - tag.up) * 25.4 / found.up_sigma_mm)
    assert np.mean(np.abs(away) < 1) > 0.5
    assert max(np.abs(away)) < 4


@pytest.mark.parametrize("seed", [1, 2])
def test_lined_up_trays_tell_how_their_tags_are_glued(seed: int) -> None:
    written = in_a_row(standard_scene(seed, trays=7, terrain=False))
    real = mounted_by_hand(written, seed)
    mounts = measured_mounts(photos(real, written), written.setup, lined_up=True)
    for mount, true in zip(mounts, real.setup.trays, strict=True):
        found, tag = mount.after.tags[0], true.tags[0]
        assert found.turn_sigma_deg is not None
        assert found.turn_sigma_deg < 0.4
        assert abs(found.turn - tag.turn) < 4 * found.turn_sigma_deg
        assert abs(found.forward - tag.forward) < 4 * found.glue_sigma_in


def test_measured_mounts_make_surer_trays_and_stay_honest() -> None:
    written = in_a_row(standard_scene(5, trays=7, up=45 / 25.4, terrain=False))
    real = mounted_by_hand(written, 5)
    better = with_mounts(
        written.setup, measured_mounts(photos(real, written), written.setup, lined_up=True)
    )
    playing = standard_scene(6, trays=7, up=45 / 25.4, terrain=False)
    kinds = {unit.id: unit for unit in written.table.units}
    units = tuple(
        replace(kinds[one.unit], pose=unit.pose)
        for one, unit in zip(written.setup.trays, playing.table.units, strict=True)
    )
    game = replace(real, table=Table(written.table.game, units=units))
    found = sightings(game, seed=4)
    sigmas = []
    for setup in (written.setup, better):
        camera = table_pose(found, setup, SIZE)
        assert isinstance(camera, TablePose)
        claimed = []
        for fit in fit_trays(setup.trays, found, camera):
            assert isinstance(fit, TrayFit)
            claimed.append(fit.pose.sigma.xy_in)
            true = game.table.unit(fit.unit).pose
            assert np.hypot(fit.pose.x - true.x, fit.pose.y - true.y) < 4 * fit.pose.sigma.xy_in
        sigmas.append(np.median(claimed))
    assert sigmas[1] < 0.75 * sigmas[0]


def test_a_tray_that_moved_or_hid_is_left_as_it_was() -> None:
    written = standard_scene(2, trays=6, terrain=False)
    taken = photos(written, written)
    first, second = (tray.tags[0].id for tray in written.setup.trays[:2])
    strayed = sightings(replace(written, view=VIEWS[1]), seed=1, moved={first: (0.8, 0.0)})
    taken[1] = ({one.id: one for one in strayed}, taken[1][1])
    alone = [
        ({n: one for n, one in found.items() if n != second or place == 0}, camera)
        for place, (found, camera) in enumerate(taken)
    ]
    mounts = measured_mounts(alone, written.setup)
    assert mounts[0].problem == "moved between the photos"
    assert mounts[1].problem == "seen in 1 photos"
    assert mounts[0].after == mounts[0].before
    with pytest.raises(NoMounts, match="at least 2"):
        measured_mounts(taken[:1], written.setup)

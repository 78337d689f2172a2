"""Mounts: where presets put tags, and that a tray is measured the same through each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.references.table_pose import TablePose, table_pose
from calibration.setup import TaggedTray, known_trays
from calibration.tags.mounts import MOUNTS, BadMount, mount
from calibration.tags.tray_pose import TrayFit, fit_tray
from companion.practice.random_table import PracticeTable, standard_scene
from models.message import UnknownName
from tests.calibration.seen import sightings


@pytest.mark.parametrize("name", sorted(MOUNTS))
@pytest.mark.parametrize("tray", ["infantry", "cavalry", "solo", "warmachine"])
def test_every_preset_measures_every_tray(name: str, tray: str) -> None:
    base = standard_scene(seed=1, trays=1, terrain=False)
    shape = known_trays()[tray]
    tags = mount(name, shape, (20, 21)[: MOUNTS[name].tags], 25.0)
    unit = replace(base.table.units[0], tray=shape)
    setup = replace(base.setup, trays=(TaggedTray(unit.id, shape, tags),))
    scene = PracticeTable(replace(base.table, units=(unit,)), setup, base.view)
    found = sightings(scene, noise_px=1e-4)
    table = table_pose(found, setup, (1920, 1080))
    assert isinstance(table, TablePose)
    fit = fit_tray(setup.trays[0], found, table)
    assert isinstance(fit, TrayFit)
    assert (fit.pose.x, fit.pose.y) == pytest.approx((unit.pose.x, unit.pose.y), abs=0.01)
    assert fit.pose.heading == pytest.approx(unit.pose.heading, abs=0.05)


def test_pairs_are_ninety_millimetres_apart_where_there_is_room() -> None:
    wide = mount("corner-pair", known_trays()["infantry"], (10, 11), 25.0)
    narrow = mount("corner-pair", known_trays()["solo"], (10, 11), 25.0)
    assert (wide[0].left - wide[1].left) * 25.4 == pytest.approx(90)
    assert 40 <= (narrow[0].left - narrow[1].left) * 25.4 < 60


def test_flat_tags_lie_clear_of_the_tray_and_standards_above_it() -> None:
    tray = known_trays()["infantry"]
    (tab,) = mount("rear-tab", tray, (10,), 25.0)
    assert tab.forward + tab.size_in / 2 < -tray.depth / 2
    assert tab.up == 0.0
    (pole,) = mount("standard", tray, (10,), 25.0)
    assert pole.up > 1.5


def test_refusals() -> None:
    tray = known_trays()["solo"]
    with pytest.raises(UnknownName, match="'hat'"):
        mount("hat", tray, (10,), 25.0)
    with pytest.raises(BadMount, match="takes 2 tags, not 1"):
        mount("corner-pair", tray, (10,), 25.0)

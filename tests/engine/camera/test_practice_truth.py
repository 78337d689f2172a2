"""The practice camera knows its table as well as it sees it: no hand has glued a tag there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.engine.camera.practice_source import practice_setup
from companion.games.tmg.play import practice_game
from companion.games.tmg.rules.survey import surveyed
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import standard_view
from companion.practice.sensor import STANDARD, expose
from companion.vision.look import look, seen_table
from companion.vision.sources.frame import CameraFrame
from models import Table

TRUE = Table.load(practice_game.TABLE)
SURE = 3.0


@pytest.fixture(scope="module")
def seen() -> Table:
    """The table as one picture shows it."""
    setup = practice_setup(TRUE)
    camera = PracticeCamera(setup, standard_view(TRUE.width), replace(STANDARD, jpeg=0))
    light, _ = camera.light(TRUE)
    sight = look(CameraFrame(expose(light, camera.look, 1), name="practice"), setup)
    assert not sight.missing
    return seen_table(sight.trays, setup, TRUE)


def test_no_tray_is_farther_from_the_truth_than_is_told(seen: Table) -> None:
    for unit in seen.units:
        pose, true = unit.pose, TRUE.unit(unit.id).pose
        turn = (pose.heading - true.heading + 180) % 360 - 180
        assert abs(pose.x - true.x) <= SURE * pose.sigma.xy_in
        assert abs(pose.y - true.y) <= SURE * pose.sigma.xy_in
        assert abs(turn) <= SURE * pose.sigma.heading_deg


def test_the_doubt_about_a_charge_is_as_small_as_its_error(seen: Table) -> None:
    told, truly = surveyed(seen).report.units, surveyed(TRUE).report.units
    compared = 0
    for unit, answers in told.items():
        for target, charge in answers.charges.items():
            distance_in = truly[unit].charges[target].distance_in
            if charge.distance_in is None or distance_in is None:
                continue
            compared += 1
            assert SURE * charge.sigma_in <= 0.1
            assert abs(charge.distance_in - distance_in) <= SURE * charge.sigma_in
    assert compared

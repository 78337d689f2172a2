from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.references.table_pose import TablePose
from companion.vision.look import look
from companion.vision.unknown_trays import NotOnTable, tap, tapped_tray
from models.message import CompanionError
from models.unit import Unit, corners
from tests.vision.conftest import Shot


@pytest.fixture(scope="module")
def camera(standard: Shot) -> TablePose:
    found = look(standard.frame, standard.scene.setup).camera
    assert isinstance(found, TablePose)
    return found


def pixels(
    camera: TablePose, points: list[tuple[float, float]], up: float = 0.0
) -> list[tuple[float, float]]:
    seen = camera.pixels(np.array([(x, y, up) for x, y in points]))
    return [(float(x), float(y)) for x, y in seen]


@pytest.mark.parametrize("place", [(3.0, 3.0), (24.0, 24.0), (44.0, 45.0)])
@pytest.mark.parametrize("up", [0.0, 1.5])
def test_a_tap_is_a_place(camera: TablePose, place: tuple[float, float], up: float) -> None:
    (pixel,) = pixels(camera, [place], up)
    spot = tap(camera, pixel, up)
    assert (spot.x, spot.y) == pytest.approx(place, abs=1e-6)
    assert 0.05 < spot.sigma_in < 0.6


def test_far_taps_are_less_sure_and_so_are_thick_fingers(camera: TablePose) -> None:
    near, far = pixels(camera, [(24, 4), (24, 44)])
    assert tap(camera, far).sigma_in > 1.5 * tap(camera, near).sigma_in
    assert tap(camera, near, finger_px=9).sigma_in > 2.5 * tap(camera, near).sigma_in


def test_sigma_matches_scattered_taps(camera: TablePose) -> None:
    (pixel,) = pixels(camera, [(30, 30)])
    rng = np.random.default_rng(1)
    spots = [tap(camera, (pixel[0] + dx, pixel[1] + dy)) for dx, dy in rng.normal(0, 3, (400, 2))]
    spread = np.cov(np.array([(spot.x, spot.y) for spot in spots]).T)
    told = tap(camera, pixel).covariance
    assert np.sqrt(np.diag(spread)) == pytest.approx(np.sqrt(np.diag(told)), rel=0.2)


@pytest.mark.parametrize("pixel", [(960.0, -4000.0), (math.nan, 3.0)])
def test_taps_beside_the_table_are_refused(camera: TablePose, pixel: tuple[float, float]) -> None:
    with pytest.raises(NotOnTable):
        tap(camera, pixel)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_an_untagged_tray_from_its_corners(camera: TablePose, standard: Shot, count: int) -> None:
    unit: Unit = standard.scene.table.units[0]
    fl, rl, rr, fr = corners(unit)
    taps = pixels(camera, [fl, fr, rr, rl][:count])
    pose = tapped_tray(camera, taps, unit.tray)
    assert (pose.x, pose.y) == pytest.approx((unit.pose.x, unit.pose.y), abs=1e-4)
    assert pose.heading == pytest.approx(unit.pose.heading, abs=1e-3)
    assert pose.sigma.xy_in > 0.03
    with pytest.raises(CompanionError, match="2 to 4 corners"):
        tapped_tray(camera, taps[:1], unit.tray)


def test_taps_that_do_not_fit_the_tray_make_it_unsure(camera: TablePose, standard: Shot) -> None:
    unit = standard.scene.table.units[0]
    fl, rl, rr, fr = corners(unit)
    good = tapped_tray(camera, pixels(camera, [fl, fr, rr, rl]), unit.tray)
    wild = [(fl[0] + 1.5, fl[1]), fr, rr, (rl[0], rl[1] - 1.5)]
    bad = tapped_tray(camera, pixels(camera, wild), unit.tray)
    assert bad.sigma.xy_in > 2 * good.sigma.xy_in

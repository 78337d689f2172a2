"""Boundaries between pivots: met as the arrays tell, and found where a scan finds them."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from companion.geometry.plane.motion import obstacles as surroundings
from companion.geometry.plane.motion.pivot_search import Boundary, meeting
from companion.geometry.plane.sight.scalar_shapes import OrientedRect, Spot

DEEP, WIDE = 1.5, 2.0
TRAY = OrientedRect(0.0, 0.0, 1.0, 0.0, DEEP, WIDE)


def polygon(dice: random.Random, corners: int) -> list[Spot]:
    """A convex polygon about the tray, its last corner repeated as in padded rows."""
    x, y, size = dice.uniform(-8, 8), dice.uniform(-8, 8), dice.uniform(0.5, 3)
    angles = sorted(dice.uniform(0, math.tau) for _ in range(corners))
    spots = [(x + size * math.cos(angle), y + size * math.sin(angle)) for angle in angles]
    return [*spots, spots[-1]]


@pytest.mark.parametrize("corners", [3, 4, 7])
def test_a_meeting_is_the_same_in_plain_numbers_and_in_arrays(corners: int) -> None:
    dice = random.Random(corners)
    ahead = under = 0
    for _ in range(300):
        spots, heading = polygon(dice, corners), dice.uniform(0, math.tau)
        cos, sin = math.cos(heading), math.sin(heading)
        travel, on = meeting(spots, TRAY.turned(heading))
        told, lies = surroundings.meeting(
            np.array(spots).T[..., None],
            np.array([cos]),
            np.array([sin]),
            np.array([[DEEP], [WIDE]]),
        )
        assert travel == pytest.approx(float(told[0]), abs=1e-9)
        assert on == bool(lies[0])
        ahead, under = ahead + (travel < math.inf), under + on
    assert ahead > 30 < under


def test_a_side_along_the_edge_of_the_strip_is_not_met() -> None:
    beside = [(4.0, 2.0), (6.0, 2.0), (6.0, 4.0), (4.0, 4.0)]
    assert meeting(beside, TRAY) == (math.inf, False)
    within = [(x, y - 0.1) for x, y in beside]
    travel, on = meeting(within, TRAY)
    assert travel == pytest.approx(2.5)
    assert not on


def test_a_boundary_is_where_a_scan_finds_it() -> None:
    """A tray beside the target that is reached sooner from some pivots only."""
    target = OrientedRect(9.0, 0.0, 1.0, 0.0, 1.0, 3.0).corners()
    other = OrientedRect(7.6, 5.0, math.cos(0.6), math.sin(0.6), 1.0, 1.0).corners()
    boundary = Boundary(DEEP, WIDE, target, [], [other])
    free, shut = 0.3, 0.58  # it lies in the tray's way all along
    assert not boundary.met(free)
    assert boundary.met(shut)
    scan = [heading for heading in np.linspace(free, shut, 2001) if boundary.met(heading)]
    found = boundary.between(free, shut)
    assert found == pytest.approx(scan[0], abs=3e-4)
    assert not boundary.met(found)
    assert boundary.met(found + 1e-6)


def test_what_begins_right_at_a_pivot_has_its_boundary_there() -> None:
    """The pivot at which a corner of the other lies on the edge of the tray's way."""
    target = OrientedRect(9.0, 0.0, 1.0, 0.0, 1.0, 3.0).corners()
    other = OrientedRect(5.0, 4.0, 1.0, 0.0, 0.5, 0.5).corners()
    corner = max(other, key=lambda spot: spot[0] - spot[1])
    free = math.atan2(corner[1], corner[0]) - math.asin(WIDE / math.hypot(*corner))
    assert Boundary(DEEP, WIDE, target, [], [other]).between(free, free + 0.1) == free
    assert Boundary(DEEP, WIDE, target, [], [other]).between(free - 0.1, free + 0.1) == (
        pytest.approx(free, abs=1e-6)
    )

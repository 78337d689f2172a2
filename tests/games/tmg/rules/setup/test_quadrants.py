"""Quadrants: the larger part of a tray, and the opponent's choice of equal ones."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tmg.rules.setup.quadrants import QUADRANTS, quadrant, shares
from models import Pose, Sigma, Table, Tray, Unit
from tests.games.tmg.pieces import bare, block, tray

GAME = "tmg-2021"
TABLE = bare(GAME)
WIDE = bare(GAME, width=72)


@pytest.mark.rule("TMG-MODE-HWS-3")
@pytest.mark.parametrize(("table", "middle"), [(TABLE, 24.0), (WIDE, 36.0)])
def test_the_centre_lines_divide_four_equal_quadrants(table: Table, middle: float) -> None:
    for away in (0.1, 2.5, 10.0, 21.0):
        names = [
            quadrant(table, block("b1", middle + x * away, 24 + y * away)).name
            for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1))
        ]
        assert names == list(QUADRANTS)
    across = quadrant(table, block("b1", middle, 24.0))
    assert across.shares == pytest.approx((0.25, 0.25, 0.25, 0.25))


@pytest.mark.rule("TMG-MODE-HWS-4")
def test_the_larger_part_decides_ex_g18() -> None:
    found = quadrant(TABLE, block("b1", 24.5, 20))
    assert found.name == "lower-right"
    assert found.shares == pytest.approx((0.375, 0.625, 0, 0))
    assert found.margin_in == pytest.approx(0.5, abs=1e-6)
    assert found.choices == ()
    assert found.to_json()["shares"]["lower-right"] == 0.625


@pytest.mark.rule("TMG-MODE-HWS-5")
def test_of_equal_parts_the_opponent_chooses_ex_g19() -> None:
    found = quadrant(TABLE, block("b1", 24, 20))
    assert found.name == "unsure"
    assert found.choices == ("lower-left", "lower-right")
    assert found.opponent_chooses
    assert found.to_json()["why"] == ["TMG-MODE-HWS-5"]


@pytest.mark.rule("TMG-MODE-HWS-5")
def test_a_tray_on_the_very_centre_may_be_in_any() -> None:
    assert quadrant(WIDE, block("b1", 36, 24)).choices == QUADRANTS


@pytest.mark.rule("TMG-MODE-HWS-4")
@pytest.mark.parametrize(
    ("unit", "name"),
    [
        (block("b1", 23, 24.2), "upper-left"),
        (block("b1", 30, 23.9), "lower-right"),
        (block("b1", 25.0, 25.0, 45), "upper-right"),
        (tray("warmachine", "b1", 10, 40), "upper-left"),
        (block("b1", 47, 47), "upper-right"),  # hangs over the table's edge
    ],
)
def test_quadrants_of_units(unit: Unit, name: str) -> None:
    assert quadrant(TABLE, unit).name == name


@pytest.mark.rule("TMG-MODE-HWS-3")
def test_a_long_tray_askew_may_be_elsewhere_than_its_centre() -> None:
    long = Unit("b1", "blue", "b1", Tray("", 12.0, 1.0), Pose(24.2, 24.2, 45))
    assert quadrant(TABLE, long).choices == ("lower-right", "upper-left")


@pytest.mark.rule("TMG-MODE-HWS-4")
def test_a_measured_tray_near_the_line_is_unsure() -> None:
    near = quadrant(TABLE, block("b1", 24.05, 10, sigma=Sigma(0.03, 0.4)))
    assert (near.name, near.choices) == ("unsure", ("lower-left", "lower-right"))
    assert not near.opponent_chooses
    assert near.to_json()["why"] == ["TMG-MODE-HWS-4"]
    assert quadrant(TABLE, block("b1", 24.15, 10, sigma=Sigma(0.03, 0.4))).name == "lower-right"


@pytest.mark.rule("TMG-MODE-HWS-3")
@given(st.floats(18, 30), st.floats(18, 30), st.floats(0, 360))
def test_shares_add_up_and_mirror(x: float, y: float, heading: float) -> None:
    here = shares(TABLE, block("b1", x, y, heading))
    assert sum(here) == pytest.approx(1)
    mirrored = shares(TABLE, block("b1", 48 - x, y, 180 - heading))
    assert mirrored == pytest.approx((here[1], here[0], here[3], here[2]), abs=1e-9)


@pytest.mark.rule("TMG-MODE-HWS-3")
def test_shares_agree_with_counting_points() -> None:
    unit = block("b1", 23.3, 24.4, 33)
    steps = 200
    counts = [0, 0, 0, 0]
    for i in range(steps):
        for j in range(steps):
            x, y = unit.pose.ahead(3 * ((i + 0.5) / steps - 0.5), 4 * ((j + 0.5) / steps - 0.5))
            counts[(1 if x > 24 else 0) + (2 if y > 24 else 0)] += 1
    exact = shares(TABLE, unit)
    assert all(
        math.isclose(count / steps**2, share, abs_tol=0.003)
        for count, share in zip(counts, exact, strict=True)
    )

"""What the check of a move allows, a table accepts: one tolerance for trays that touch."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tmg.rules.movement.move_check import check
from models import BadInput, Pose, Sigma, Table, Unit, catalogue
from tests.games.tmg.sample_units import NEW, field, fighter

TRAY = catalogue("tmg-2021").trays["infantry"]
HALF_DIAGONAL_IN = (TRAY.width**2 + TRAY.depth**2) ** 0.5 / 2


def table(pose: Pose) -> Table:
    """b1 there, its friend b2 in the middle, an enemy far away."""
    friend = Unit("b2", "blue", "B", TRAY, Pose(24, 24, 90))
    enemy = Unit("r1", "red", "C", TRAY, Pose(24, 44, 270))
    return Table("tmg-2021", units=(Unit("b1", "blue", "A", TRAY, pose, speed=6), friend, enemy))


def accepted(after: Table) -> bool:
    try:
        Table.parse(after.text())
    except BadInput:
        return False
    return True


@pytest.mark.rule("TMG-MOV-9")
@pytest.mark.parametrize(("into", "legal"), [(0.04, True), (0.06, False), (0.07, False)])
def test_a_corner_in_a_friend(into: float, legal: bool) -> None:
    """With a corner ahead, as much as with an edge."""
    turn = 90.0 - 48.9
    reach = Pose(0, 0, turn).ahead(TRAY.depth / 2, TRAY.width / 2)
    y = 24 - TRAY.depth / 2 - reach[1] + into
    before, after = table(Pose(24 - reach[0], y - 4, 90)), table(Pose(24 - reach[0], y, turn))
    maneuver = check(before, after, "b1")["maneuver"].answer
    assert (maneuver.verdict == "yes") is legal
    assert ("TMG-MOV-9" in maneuver.why) is not legal
    assert accepted(after) is legal


@pytest.mark.rule("TMG-MOV-9")
@settings(max_examples=80, deadline=None)
@given(
    x=st.floats(18, 30),
    y=st.floats(16, 21),
    heading=st.floats(0, 359),
    sigma=st.sampled_from((0.0, 0.01, 0.03)),
)
def test_where_a_move_may_end_a_table_shows_it(
    x: float, y: float, heading: float, sigma: float
) -> None:
    pose = Pose(x, y, heading, Sigma(sigma, 0.0))
    after = table(pose)
    found = check(table(Pose(x, 10, 90)), after, "b1")["maneuver"].answer
    assert accepted(after) is ("TMG-MOV-9" not in found.why or found.verdict == "unsure")


@pytest.mark.rule("TMG-TER-17", "TMG-MAN-3")
def test_rough_ground_is_a_reason_only_where_there_is_some() -> None:
    """A measured move of exactly its Speed is too close to call, and open ground costs nothing."""
    before = field(NEW, fighter("b1", 24, 10, 90, sigma=Sigma(0.03))).table
    after = before.moved("b1", replace(before.unit("b1").pose, y=10 + before.unit("b1").speed))
    answer = check(before, after, "b1")["maneuver"].answer
    assert (answer.verdict, answer.why) == ("unsure", ("TMG-MAN-3",))

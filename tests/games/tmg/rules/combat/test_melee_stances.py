"""Where a unit may stand to attack: as it stands, aligned, or turned nearest to where it stood."""

from __future__ import annotations

import pytest

from companion.games.tmg.rules.combat.melee import melee
from companion.games.tmg.rules.setup.quadrants import QUADRANTS, quadrant
from tests.games.tmg.sample_units import BOTH, NEW, field, fighter


@pytest.mark.rule("TMG-MEL-3", "TMG-MEL-5", "OR-20")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("heading", "deep"), [(90.0, 1.5), (0.0, 2.0), (180.0, 2.0), (270.0, 1.5)])
def test_a_unit_that_keeps_its_facing_is_only_shifted(
    game: str, heading: float, deep: float
) -> None:
    """An enemy stands north of it, at another edge for each facing."""
    ground = field(game, fighter("b1", 24, 24, heading), fighter("r1", 24.7, 25.5 + deep, 270))
    stances = melee(ground, 0).stances
    kept = [one for one in stances if not one.turned]
    assert kept
    assert {round(one.placement.pose.heading, 6) % 360 for one in kept} == {heading}
    turned = [one for one in stances if one.turned]
    assert bool(turned) is (heading != 90.0)
    assert {round(one.placement.pose.heading, 6) % 360 for one in turned} <= {90.0}


@pytest.mark.rule("TMG-MEL-3", "TMG-MEL-5")
@pytest.mark.parametrize(
    ("aside", "shares"), [(0.7, [1.0, 0.5, 0.5, None]), (0.0, [1.0, 0.5, 0.5])]
)
def test_turned_it_may_stay_where_it_stood(aside: float, shares: list[float | None]) -> None:
    ground = field(NEW, fighter("b1", 24, 24, 0), fighter("r1", 24 + aside, 27.5, 270))
    turned = [one for one in melee(ground, 0).stances if one.turned]
    assert [one.share for one in turned] == shares
    if None in shares:
        assert turned[-1].placement.pose.x == pytest.approx(24.0)


@pytest.mark.rule("TMG-MODE-HWS-5")
def test_in_the_middle_the_opponent_chooses_among_all_four() -> None:
    table = field(NEW, fighter("b1", 24, 24)).table
    found = quadrant(table, table.units[0])
    assert (found.name, found.choices, found.opponent_chooses) == ("unsure", QUADRANTS, True)
    aside = field(NEW, fighter("b1", 25, 24)).table
    two = quadrant(aside, aside.units[0])
    assert (two.choices, two.opponent_chooses) == (("lower-right", "upper-right"), True)
    alone = field(NEW, fighter("b1", 25, 25)).table
    assert quadrant(alone, alone.units[0]).name == "upper-right"

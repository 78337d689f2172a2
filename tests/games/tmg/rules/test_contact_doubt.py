"""How likely it is who touches whom, at which edge, who sees past whom, and what hangs on it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.combat.melee import melee
from companion.games.tmg.rules.movement.move_end import pivot_over
from companion.games.tmg.rules.movement.moves import forward_retreat
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.rulebook import CONTACT_IN
from companion.games.tmg.rules.survey import Survey
from companion.games.tmg.rules.tray_contact import edge_in, edge_open
from companion.geometry.plane.answer import Answer, count_chances, normal
from models import EXACT, Sigma
from tests.games.tmg.sample_units import NEW, OLD, SQUARE, field, fighter, patch

SIGMA = Sigma(0.04)
TOLD = 0.12
"""A doubt is told by moving everything at once: so near it comes to moving each by itself."""
B1 = fighter("b1", 24, 24)
AT_LEFT = fighter("r1", 20.5, 24, 0)


def measured(ground: Battlefield, *names: str) -> Battlefield:
    """The same table with these units measured so well."""
    units = tuple(unit.at(replace(unit.pose, sigma=SIGMA if unit.id in names else EXACT))
                  for unit in ground.units)  # fmt: skip
    return Battlefield(replace(ground.table, units=units), ground.readings)


def share(ground: Battlefield, *names: str, asked: Callable[[Battlefield], bool]) -> float:
    """In how many tables something holds on which these units stand as they may."""
    dice, yes, times = random.Random(5), 0, 300
    for _ in range(times):
        units = tuple(
            unit.at(replace(unit.pose, x=unit.pose.x + dice.gauss(0, SIGMA.xy_in),
                            y=unit.pose.y + dice.gauss(0, SIGMA.xy_in)))
            if unit.id in names else unit
            for unit in ground.units
        )  # fmt: skip
        yes += asked(Battlefield(replace(ground.table, units=units), ground.readings))
    return yes / times


def chance_of(answer: Answer, *why: str) -> float:
    """The chance of a doubtful answer."""
    assert answer.verdict == "unsure"
    assert set(why) <= set(answer.why)
    return answer.chance


@pytest.mark.rule("TMG-CHG-17")
@pytest.mark.parametrize("chances", [(), (0.3,), (0.3, 1.0), (0.2, 0.5, 0.9)])
def test_so_many_hold_together_as_each_does_by_itself(chances: tuple[float, ...]) -> None:
    counts = count_chances(chances)
    assert sum(counts) == pytest.approx(1)
    assert sum(n * part for n, part in enumerate(counts)) == pytest.approx(sum(chances))


@pytest.mark.rule("TMG-LOS-5")
@pytest.mark.parametrize("peeps", [-0.06, -0.02, 0.03, 0.07])
def test_who_is_seen_past_another_is_as_likely_as_it_peeps_out(peeps: float) -> None:
    """A line from the left end to the target's far corner passes the hider's at 21.45."""
    wide = fighter("r2", 33.45 + peeps, 30, 270, replace(SQUARE, width=24.0, depth=1.0))
    ground = field(NEW, fighter("b1", 23, 20), fighter("r1", 24, 40, 270), wide)

    def sees(table: Battlefield) -> bool:
        return bool(Survey.of(table.table).report.units["b1"].sees["r1"])

    found = Survey.of(measured(ground, "r2").table).report.units["b1"].sees["r1"]
    assert chance_of(found, "TMG-LOS-5") == pytest.approx(share(ground, "r2", asked=sees), abs=TOLD)


@pytest.mark.rule("TMG-TER-16", edition="2018")
@pytest.mark.parametrize("off", [0.46, 0.5, 0.54])
def test_a_swing_past_a_wall_is_as_likely_as_there_is_room(off: float) -> None:
    """A corner swings half an inch beyond the tray's side: a wall stands about there."""
    wall = patch("impassable", 26 + off, 20, 28, 28)
    ground = field(OLD, B1, wall)

    def turns(table: Battlefield) -> bool:
        return bool(pivot_over(table, 0, 180.0))

    chance = chance_of(pivot_over(measured(ground, "b1"), 0, 180.0), "TMG-TER-16")
    assert chance == pytest.approx(share(ground, "b1", asked=turns), abs=TOLD)


@pytest.mark.rule("TMG-MEL-4")
@pytest.mark.parametrize("gap", [0.04, 0.07, 0.1])
def test_turning_is_as_likely_as_a_second_enemy_does_not_touch(gap: float) -> None:
    ground = measured(field(NEW, B1, AT_LEFT, fighter("r2", 27.5 + gap, 24, 180)), "r2")
    away = 1 - normal(CONTACT_IN - gap, SIGMA.xy_in)
    found = melee(ground, 0)
    if gap < CONTACT_IN + SIGMA.xy_in:  # within one sigma it touches
        assert found.turn.why == ("TMG-MEL-4",)
        return
    assert chance_of(found.turn, "TMG-MEL-4") == pytest.approx(away, abs=0.001)
    turned = [stance.answer.chance for stance in found.stances if stance.turned]
    assert turned
    assert turned == pytest.approx([away] * len(turned), abs=0.001)


@pytest.mark.rule("TMG-RET-4", "OR-22", edition="2021")
@pytest.mark.parametrize("reading", ["any", "all"])
def test_a_retreat_ahead_is_as_likely_as_its_contact(reading: str) -> None:
    """One enemy stands at the flank for sure, a second may touch the front; or only one may."""
    readings, gap = Readings(retreat_forward=reading), 0.09
    near = normal(CONTACT_IN - gap, SIGMA.xy_in)
    ahead = fighter("r2", 24, 27 + gap, 270)
    both_there = measured(field(NEW, B1, AT_LEFT, ahead, readings=readings), "r2")
    found = forward_retreat(both_there, 0)
    if reading == "any":
        assert found
    else:
        assert chance_of(found, "TMG-RET-4") == pytest.approx(1 - near, abs=0.001)
    beside = fighter("r2", 20.5 - gap, 24, 0)
    alone = measured(field(NEW, B1, fighter("r1", 24, 27, 270), beside, readings=readings), "r2")
    found = forward_retreat(alone, 0)
    if reading == "any":
        assert chance_of(found, "TMG-RET-4") == pytest.approx(near, abs=0.001)
    else:
        assert found.verdict == "no"


@pytest.mark.rule("TMG-CHG-3", edition="2018")
@pytest.mark.parametrize("gap", [0.07, 0.1])
def test_an_edge_is_as_likely_open_as_a_second_enemy_does_not_touch_it(gap: float) -> None:
    """One stands at a half of the edge, another may or may not touch the other half."""
    goal, first = fighter("r1", 24, 24), fighter("b2", 26, 27, 270)
    second = fighter("b3", 22, 27 + gap, 270)
    ground = measured(field(OLD, fighter("b1", 24, 34, 270), goal, first, second), "b3")
    found = edge_open(ground, edge_in(ground, 0, 1, "front"), 0, 1)
    near = normal(CONTACT_IN - gap, SIGMA.xy_in)
    assert chance_of(found, "TMG-CHG-3") == pytest.approx(1 - near, abs=0.002)

"""The pivot of a charge: what it must leave possible (TMG-CHG-9, -10), and what `check` says."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_move import ChargeMove, charge_move, stays
from companion.games.tmg.rules.charge.charge_route import ChargeRoute
from companion.games.tmg.rules.movement.move_check import MoveCheck, check
from companion.games.tmg.rules.survey import Survey
from models import Pose, Sigma, Tray, Unit
from tests.games.tmg.sample_units import BOTH, NEW, OLD, field, fighter, patch, spot

B1 = fighter("b1", 24, 10)  # front edge at y = 11.5
ASIDE = fighter("r1", 21, 21, 270)  # straight ahead b1 would meet it after 8 inches
BEFORE = fighter("r2", 26.5, 19, 270)  # but this one after 6


def checked(ground: Battlefield, end: Pose) -> MoveCheck:
    """What `check` says of b1's charge to there."""
    return check(ground.table, ground.table.moved("b1", end), "b1", ground.readings)["charge"]


def rolled(ground: Battlefield, die: int, heading: float = 90.0) -> ChargeMove:
    return charge_move(ground, "b1", "r1", heading, (die,))


@pytest.mark.rule("TMG-CHG-10", "TMG-CHG-13", edition="2021")
def test_on_a_line_that_another_enemy_closes_nobody_may_charge_in_2021() -> None:
    ground = field(NEW, B1, ASIDE, BEFORE)
    move = rolled(ground, 6)
    assert (move.allowed.verdict, move.allowed.why) == ("no", ("TMG-CHG-10",))
    found = checked(ground, Pose(24, 15, 90))
    assert (found.answer.verdict, found.answer.why) == ("no", ("TMG-CHG-10",))
    free = rolled(ground, 6, 110)  # the charge itself is allowed: past that one on the left
    assert free.allowed
    assert free.success


@pytest.mark.rule("TMG-CHG-9", "TMG-CHG-13", edition="2018")
@pytest.mark.parametrize("speed", [5, 8])  # with 8 every roll would have reached the target
def test_in_2018_sight_is_enough_and_it_stops_an_inch_before_the_other(speed: int) -> None:
    ground = field(OLD, replace(B1, speed=speed), ASIDE, BEFORE)
    move = rolled(ground, 6)
    assert move.allowed
    assert (move.success.verdict, move.stopper) == ("no", "r2")
    assert spot(move.end) == (24.0, 15.0, 90.0)
    assert checked(ground, move.end).answer
    assert not checked(ground, Pose(24, 15.2, 90)).answer


@pytest.mark.rule("TMG-CHG-9", "TMG-CHG-10", "TMG-CHG-15")
@pytest.mark.parametrize(("game", "answer"), [(NEW, "no"), (OLD, "yes")])
def test_a_charge_led_past_its_target_is_one_in_2018_only(game: str, answer: str) -> None:
    ground = field(game, B1, fighter("r1", 24, 20, 270))
    move = rolled(ground, 2, heading=140.0)  # r1 is in the front arc, and beside the way
    assert move.allowed.verdict == answer
    found = checked(ground, move.end)
    assert found.answer.verdict == answer
    assert found.answer.why == (() if answer == "yes" else ("TMG-CHG-10",))
    assert checked(ground, B1.pose.turned(270.0).shifted(6)).answer.why[0] == "TMG-CHG-9"


@pytest.mark.rule("TMG-CHG-9")
@pytest.mark.parametrize("game", BOTH)
def test_a_friend_hides_the_target_after_the_pivot(game: str) -> None:
    """The move passes friends, the eye does not."""
    slim = fighter("r1", 30, 19, 270, Tray("", 0.1, 0.1))
    friend = fighter("b2", 27.7, 15, 90, Tray("", 3.0, 0.4))
    ground = field(game, B1, slim, friend)
    move = rolled(ground, 6, 30.0)
    assert (move.success.verdict, move.stopped) == ("no", ())
    assert "TMG-CHG-9" in move.allowed.why
    assert checked(ground, move.end).answer.why == move.allowed.why
    assert "TMG-CHG-9" not in rolled(field(game, B1, slim), 6, 30.0).allowed.why


@pytest.mark.rule("TMG-CHG-10", "TMG-CHG-13", edition="2021")
@pytest.mark.parametrize(
    ("beside", "answer"), [(0.3, "yes"), (0.04, "unsure"), (-0.04, "unsure"), (-0.3, "no")]
)
def test_who_may_just_stand_in_the_way_leaves_the_pivot_in_doubt(
    beside: float, answer: str
) -> None:
    sigma = Sigma(0.03, 0.0)
    units = B1, ASIDE, fighter("r2", 28 + beside, 17, 270)
    ground = field(NEW, *(one.at(replace(one.pose, sigma=sigma)) for one in units))
    move = rolled(ground, 1)
    assert move.allowed.verdict == answer
    if answer != "no":
        gone = Pose(24, 16, 90, sigma)
        found = checked(ground, gone)
        assert found.answer.verdict == answer
        assert found.answer.chance == pytest.approx(move.allowed.chance, abs=1e-6)


def scattered(dice: random.Random, game: str) -> Battlefield:
    """b1, a target before it, another enemy, a friend and a wall, somewhere about its way."""
    units: list[Unit] = [B1]
    for name, low, high in (("r1", 15, 22), ("r2", 14, 21), ("b2", 14, 20)):
        for _ in range(50):
            one = fighter(name, dice.uniform(17, 31), dice.uniform(low, high), dice.uniform(0, 360))
            far = (math.dist((one.pose.x, one.pose.y), (two.pose.x, two.pose.y)) for two in units)
            if min(far) > 5.1:
                units.append(one)
                break
    x = dice.uniform(16, 32)
    return field(game, *units, patch("impassable", x, 13.2, x + 0.5, 13.7))


@pytest.mark.slow
@pytest.mark.rule("TMG-CHG-9", "TMG-CHG-10", "TMG-CHG-12", "TMG-CHG-13", "TMG-CHG-15")
@pytest.mark.parametrize("game", BOTH)
def test_check_and_the_move_agree_on_every_pivot(game: str) -> None:
    """`check` explains a failed charge if, and only if, some target and roll allow it."""
    dice, told = random.Random(10), {"yes": 0, "no": 0}
    while min(told.values()) < 5:
        ground = scattered(dice, game)
        heading, ends = dice.uniform(40, 140), dict[tuple[float, float, float], bool]()
        for name, charge in Survey.of(ground.table).report.units["b1"].charges.items():
            way = ChargeRoute.of(ground, 0, ground.index[name], heading)
            legal = bool(charge.answer) and bool(way.allowed())
            for reach in (6, 8, 11):
                if way.reaches(reach).verdict != "no":
                    break
                end = spot(way.start.shifted(stays(way, reach).travel_in))
                ends[end] = ends.get(end, False) or legal
        for end in dice.sample(sorted(ends), min(len(ends), 2)):
            found = checked(ground, Pose(*end))
            assert bool(found.answer) == ends[end], (found, heading, ground.table)
            told[found.answer.verdict] += 1

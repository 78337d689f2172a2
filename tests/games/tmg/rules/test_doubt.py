"""How likely an unsure answer is: shifts, ways, room and lines that measuring leaves open."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.tmg.rules.charge.charge_route import ChargeRoute
from companion.games.tmg.rules.movement.move_check import check
from companion.games.tmg.rules.report import UnitReport
from companion.games.tmg.rules.survey import Survey
from companion.geometry.plane.answer import Answer, eased_chance, normal
from models import Pose, Sigma, Table, Tray, Unit
from tests.games.tmg.sample_units import BOTH, BOW, NEW, OLD, SWORD, field, fighter, patch

SIGMA = Sigma(0.05, 0.0)
BOTH_SIGMA_IN = 0.05 * 2**0.5
NEAR_HALF = 0.06
"""The chance is told to within a tenth of a sigma."""


def seen(game: str, *units: Unit) -> UnitReport:
    """What b1 may do, everybody measured alike."""
    measured = tuple(unit.at(replace(unit.pose, sigma=SIGMA)) for unit in units)
    return Survey.of(Table(game, 48, 48, measured)).report.units["b1"]


def chance_of(answer: Answer) -> float:
    """The chance of a doubtful answer."""
    assert answer.verdict == "unsure"
    return answer.chance


@pytest.mark.rule("TMG-CHG-3")
@pytest.mark.parametrize("begins", [-2.5, -0.7, 0.0, 1.2])
def test_what_begins_to_hold_at_some_sigmas_is_as_likely_as_the_rest(begins: float) -> None:
    chance = eased_chance(lambda sigmas: sigmas >= begins)
    assert chance == pytest.approx(normal(-begins, 1.0), abs=0.04)


@pytest.mark.rule("TMG-RNG-5", "TMG-RNG-6", "TMG-RNG-10")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("over", [-0.15, -0.05, 0.0, 0.05, 0.15])
def test_a_shift_to_the_edge_of_range_is_as_likely_as_the_distance(game: str, over: float) -> None:
    """Twelve inches and the two of the shift, and a little more or less."""
    archer = fighter("b1", 24, 10, attacks=(SWORD, BOW))
    shot = seen(game, archer, fighter("r1", 24, 11.5 + 14 + over + 1.5, 270)).shots["r1"]
    assert shot.answer.why == ("TMG-RNG-6",)
    assert chance_of(shot.answer) == pytest.approx(normal(-over, BOTH_SIGMA_IN), abs=NEAR_HALF)
    exact = fighter("r1", 24, 11.5 + 14 + over + 1.5, 270)
    alone = Survey.of(Table(game, 48, 48, (archer, exact))).report.units["b1"].shots["r1"].answer
    assert alone.verdict == ("yes" if over <= 0 else "no")


@pytest.mark.rule("TMG-RNG-5", "TMG-RNG-6")
def test_standing_is_a_shift_of_nothing_and_no_less_likely() -> None:
    """A wall of friends leaves a chink that may be just closed, and shifting does not help."""
    archer = fighter("b1", 24, 10, attacks=(SWORD, BOW))
    chances = []
    for chink in (-0.1, 0.0, 0.1):
        friends = [
            fighter(name, x, 13.2, 90, Tray("", 20.0, 0.2))
            for name, x in (("b2", 14 - chink / 2), ("b3", 34 + chink / 2))
        ]
        report = seen(NEW, archer, *friends, fighter("r1", 24, 20, 270))
        chances.append(chance_of(report.shots["r1"].answer))
    assert chances == sorted(chances)
    assert chances[0] < 0.4
    assert chances[2] > 0.6


@pytest.mark.rule("TMG-CHG-10", "TMG-CHG-13", "OR-11")
def test_a_gap_is_as_likely_wide_enough_as_it_is_wide() -> None:
    """Two enemies leave a lane of the tray's width and a little more or less: no way round."""
    chances = []
    for slack in (-0.2, -0.1, 0.0, 0.1, 0.2):
        off = 2 + slack / 2 + 10  # their trays are 20 wide
        walls = [fighter(name, x, 16, 270, Tray("", 20.0, 1.0)) for name, x in
                 (("r2", 24 - off), ("r3", 24 + off))]  # fmt: skip
        charge = seen(NEW, fighter("b1", 24, 10), fighter("r1", 24, 20.5, 270), *walls)
        chances.append(chance_of(charge.charges["r1"].answer))
    assert chances == sorted(chances)
    assert chances[0] < 0.2
    assert chances[1] < 0.4 < chances[2] + 0.2
    assert chances[4] > 0.7


@pytest.mark.rule("TMG-CHG-3")
def test_room_is_as_likely_as_it_is_wide() -> None:
    """Two others beside the target's front leave half of the charger's, or not quite."""
    chances = []
    for slack in (-0.1, 0.0, 0.1):
        off = 2.0 + slack / 2 + 1.5
        beside = [fighter(name, 24 + sign * off, 17.9, 270, Tray("", 3.0, 3.0)) for name, sign in
                  (("r2", 1), ("r3", -1))]  # fmt: skip
        charge = seen(NEW, fighter("b1", 24, 10), fighter("r1", 24, 21, 270), *beside)
        answer = charge.charges["r1"].answer
        assert "TMG-CHG-3" in answer.why
        chances.append(chance_of(answer))
    assert chances == sorted(chances)
    assert chances[0] < 0.4 < chances[2]


@pytest.mark.rule("TMG-MOV-3", "TMG-MOV-4", edition="2018")
def test_a_friend_under_the_pivot_is_in_doubt_like_any_other() -> None:
    """In 2018 a charge's pivot ends over nobody: a friend at its corner may be just in the way."""
    charger, goal = fighter("b1", 14.09, 20.04, 0), fighter("r1", 24, 12)
    chances = []
    for off in (0.0, 0.03, 0.06, 0.5):
        friend = fighter("b2", 17.61 + off, 22.87, 270)
        charge = seen(OLD, charger, goal, friend).charges["r1"]
        assert charge.heading == pytest.approx(309.17, abs=0.5)  # turned with a corner beside b2
        chances.append(charge.answer.chance)
        assert charge.answer.verdict == ("yes" if off == 0.5 else "unsure")
    assert chances == sorted(set(chances))
    assert seen(NEW, charger, goal, fighter("b2", 17.61, 22.87, 270)).charges["r1"].answer


@pytest.mark.rule("TMG-CHG-13")
@pytest.mark.parametrize("beside", [-0.1, 0.0, 0.1])
def test_who_may_just_stand_in_the_way_is_as_likely_as_near(beside: float) -> None:
    """Both were measured: the doubt is that of both."""
    units = fighter("b1", 24, 10), fighter("r1", 24, 20, 270), fighter("r2", 28 + beside, 15.5, 270)
    ground = field(NEW, *(unit.at(replace(unit.pose, sigma=SIGMA)) for unit in units))
    first = ChargeRoute.of(ground, 0, 1, 90.0).first()
    assert chance_of(first) == pytest.approx(normal(beside, BOTH_SIGMA_IN), abs=NEAR_HALF)


@pytest.mark.rule("TMG-MOV-10")
def test_a_march_close_to_an_enemy_is_the_likelier_the_farther_off() -> None:
    chances = []
    for beside in (-0.15, -0.05, 0.1):
        units = fighter("b1", 24, 10), fighter("r1", 28 + beside, 15, 270)
        table = Table(NEW, 48, 48, tuple(u.at(replace(u.pose, sigma=SIGMA)) for u in units))
        end = Pose(24, 19.9, 90, SIGMA)
        chances.append(chance_of(check(table, table.moved("b1", end), "b1")["march"].answer))
    assert chances == sorted(set(chances))


# -- what was done rightly is not called wrong because it was measured --------------------------


def noisy(dice: random.Random, pose: Pose, sigma: Sigma) -> Pose:
    """A pose as it would be measured; who is unlucky beyond that is told "no"."""

    def off(by: float) -> float:
        return by * min(max(dice.gauss(0, 1), -2.5), 2.5)

    x, y = pose.x + off(sigma.xy_in), pose.y + off(sigma.xy_in)
    return Pose(x, y, pose.heading + off(sigma.heading_deg), sigma)


def verdicts(table: Table, end: Pose, sigma: Sigma, times: int = 12) -> set[str]:
    """What `check` says of b1's charge to there, everything measured so well, again and again."""
    dice, found = random.Random(3), set[str]()
    assert check(table, table.moved("b1", end), "b1")["charge"].answer
    for _ in range(times):
        units = (unit.at(noisy(dice, unit.pose, sigma)) for unit in table.units)
        seen_so = replace(table, units=tuple(units))
        after = seen_so.moved("b1", noisy(dice, end, sigma))
        found.add(check(seen_so, after, "b1")["charge"].answer.verdict)
    return found


@pytest.mark.rule("TMG-CHG-17", "TMG-CHG-3")
@pytest.mark.parametrize("game", BOTH)
def test_a_tray_aligned_beside_another_enemy_is_never_called_askew(game: str) -> None:
    """r2 stands in one line with the target: whoever lies at 100 % touches neither's ground."""
    beside = fighter("r2", 28, 20, 270), fighter("r3", 21, 17, 0, Tray("", 3.0, 2.0))
    table = Table(game, 48, 48, (fighter("b1", 24, 10), fighter("r1", 24, 20, 270), *beside))
    assert verdicts(table, Pose(24, 17, 90), Sigma(0.03, 0.3)) <= {"yes", "unsure"}


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-15")
@pytest.mark.parametrize("game", BOTH)
def test_a_failed_charge_is_never_called_crooked(game: str) -> None:
    """Of six inches the direction is known no better than their ends were measured."""
    table = Table(game, 48, 48, (fighter("b1", 24, 10), fighter("r1", 24, 22, 270)))
    assert "no" not in verdicts(table, Pose(24, 16, 90), Sigma(0.05, 0.1))


@pytest.mark.rule("TMG-CHG-10", "TMG-CHG-14", edition="2021")
def test_a_target_brushed_from_afar_is_in_doubt_as_the_heading_is() -> None:
    """Eight inches off a heading of half a degree is worth 0.07 inches."""
    goal = fighter("r1", 27.95, 20.5, 270)  # a hair of it lies in the way
    table = Table(NEW, 48, 48, (fighter("b1", 24, 10), goal))
    assert verdicts(table, Pose(24, 16, 90), Sigma(0.02, 0.5)) <= {"yes", "unsure"}


@pytest.mark.rule("TMG-CHG-13", "TMG-TER-15")
@pytest.mark.parametrize("game", BOTH)
def test_a_wall_behind_the_charger_does_not_hold_it_back(game: str) -> None:
    """Its back stands at the wall; measured, it may seem to stand a hair in it."""
    wall = patch("impassable", 20, 7.5, 28, 8.5)
    table = Table(game, 48, 48, (fighter("b1", 24, 10), fighter("r1", 24, 22, 270)), (wall,))
    assert "no" not in verdicts(table, Pose(24, 16, 90), Sigma(0.04, 0.2))

"""Limits and signs in the rules of positions that a wrong sign or a dropped guard would turn."""

from __future__ import annotations

import math

import pytest

from companion.games.tmg.play.state.contacts import stood_still
from companion.games.tmg.report_text import reasons_text
from companion.games.tmg.rules.combat.shots import ShotPosition, arc_planes, shortest_shift
from companion.games.tmg.rules.margins import spread
from companion.games.tmg.rules.movement.move_costs import ChargePath, along, move_costs, path
from companion.games.tmg.rules.movement.moves import gaps
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.setup.placement import tokens_apart_in
from companion.games.tmg.rules.sight_rules import swollen
from companion.games.tmg.rules.terrain_crossing import TerrainCrossing, new_dangers, old_dangers
from companion.geometry.plane.answer import Answer
from companion.geometry.plane.sight.scalar_shapes import ViewEdge
from models import Pose, Sigma, TableToken
from tests.games.tmg.sample_units import BOW, NEW, OLD, SQUARE, field, fighter, patch

FOE = fighter("r1", 24, 40, 270)


@pytest.mark.rule("TMG-CHG-4", "TMG-RNG-10")
@pytest.mark.parametrize(
    ("rules", "over", "words"),
    [
        (("TMG-CHG-4",), 0.5, "the target is farther than its longest charge, by 0.5″ (TMG-CHG-4)"),
        (("TMG-CHG-4",), 0.0, "the target is farther than its longest charge (TMG-CHG-4)"),
        (
            ("TMG-RNG-10", "TMG-CHG-1", "TMG-RNG-10"),
            0.25,
            "the target is out of range (TMG-RNG-10), it is engaged, by 0.2″ (TMG-CHG-1)",
        ),
        (("TMG-XXX-1",), 0.0, "TMG-XXX-1"),
    ],
)
def test_a_reason_says_by_how_much(rules: tuple[str, ...], over: float, words: str) -> None:
    assert reasons_text(rules, over) == words


@pytest.mark.rule("TMG-BON-3", "TMG-BON-4")
@pytest.mark.parametrize(
    ("dx", "turn", "sigma", "still"),
    [
        (0.0, 0.0, 0.0, True),
        (0.019, 0.24, 0.0, True),
        (0.03, 0.0, 0.0, False),
        (0.0, 0.3, 0.0, False),
        (0.0, -0.3, 0.0, False),
        (0.2, 1.0, 0.1, True),  # within the errors of both
        (0.2, 8.0, 0.1, False),
        (2.0, 0.0, 0.1, False),
    ],
)
@pytest.mark.parametrize("heading", [90.0, 359.9])
def test_a_tray_has_not_moved_within_the_errors_of_two_measurements(
    dx: float, turn: float, sigma: float, still: bool, heading: float
) -> None:
    error = Sigma(sigma, 5 * sigma)
    before = field(NEW, fighter("b1", 10, 10, heading, sigma=error), FOE).table
    pose = Pose(10 + dx, 10, (heading + turn) % 360, error)
    assert stood_still(before, before.moved("b1", pose), "b1") is still
    assert stood_still(None, before, "b1")
    assert stood_still(before, before, "b9")


@pytest.mark.rule("TMG-LOS-8")
def test_a_tray_swells_on_all_sides() -> None:
    turn = math.radians(30)
    c, s = math.cos(turn), math.sin(turn)

    def rectangle(wide: float, deep: float) -> list[tuple[float, float]]:
        spots = ((-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep))
        return [(5 + x * c - y * s, 7 + x * s + y * c) for x, y in spots]

    grown = swollen(rectangle(2.0, 1.5), 0.25)
    assert [*sum(grown, ())] == pytest.approx([*sum(rectangle(2.25, 1.75), ())])


# -- what ground costs --------------------------------------------------------------------------


def crossing(piece: str, chance: float, started: bool, ended: bool) -> TerrainCrossing:
    answer = Answer("yes" if chance == 1 else "unsure", (), None, chance)
    return TerrainCrossing(piece, frozenset({"dangerous"}), answer, started, ended)


@pytest.mark.rule("TMG-TER-9", "TMG-TER-10", "TMG-TER-11")
def test_a_charge_is_wounded_once_by_what_it_most_likely_meets() -> None:
    pieces = [
        crossing("left", 0.3, True, False),
        crossing("met", 0.9, False, True),
        crossing("doubtful", 0.5, False, False),
    ]
    (one,) = new_dangers(pieces, charge=True, action=True)
    assert (one.piece, one.rule) == ("met", "TMG-TER-10")
    every = new_dangers(pieces, charge=False, action=True)
    assert [(one.piece, one.rule[-2:]) for one in every] == [
        ("left", "-9"),
        ("met", "10"),
        ("doubtful", "10"),
    ]
    assert [one.piece for one in new_dangers(pieces, False, False)] == ["met", "doubtful"]
    assert new_dangers([], charge=True, action=True) == ()
    assert [one.piece for one in old_dangers(pieces, True, True)] == ["met", "doubtful"]


@pytest.mark.rule("TMG-TER-9", "TMG-TER-10", "TMG-TER-19")
def test_a_unit_that_stays_pays_for_acting_only() -> None:
    stakes = patch("dangerous destructible", 23, 9, 25, 11)
    for game, rules in ((NEW, ["TMG-TER-9"]), (OLD, [])):
        ground = field(game, fighter("b1", 24, 10), FOE, stakes)
        start = ground.units[0].pose
        still = move_costs(ground, "b1", start, "maneuver")
        assert [one.rule for one in still.dangers] == rules
        assert still.crushed == {}
        assert move_costs(ground, "b1", start, "pivot").dangers == ()
        gone = move_costs(ground, "b1", Pose(24, 15, 90), "maneuver")
        assert [one.rule for one in gone.dangers] == rules
        back = move_costs(ground, "b1", Pose(24, 11, 90), "maneuver")
        assert list(back.crushed) == (["t1"] if game == OLD else [])


@pytest.mark.rule("TMG-MOV-1", "TMG-MOV-5", "TMG-CHG-12")
def test_the_straight_parts_of_a_move() -> None:
    ground = field(NEW, fighter("b1", 24, 10), FOE)
    start = ground.units[0].pose

    def ways(x: float, y: float, heading: float, action: str) -> list[tuple[float, ...]]:
        parts = path(ground, 0, start, Pose(x, y, heading), action)
        return [
            (round(one.start.heading), *one.axis, round(one.travel_in, 3)) for one in parts[:-1]
        ]

    assert path(ground, 0, start, start, "maneuver") == ()
    assert path(ground, 0, start, Pose(24.015, 10, 90.2), "maneuver") == ()
    assert len(path(ground, 0, start, Pose(24, 10, 95), "pivot")) == 1
    assert len(path(ground, 0, start, Pose(24, 10, 85), "maneuver")) == 2
    assert ways(24, 14, 90, "march") == [(90, 1.0, 0.0, 4.0)]
    assert ways(21, 10.5, 90, "march") == [(90, 1.0, 0.0, 0.5)]
    assert ways(24, 8, 90, "march") == [(90, 1.0, 0.0, 0.0)]
    assert ways(24, 8, 90, "retreat") == [(90, -1.0, 0.0, 2.0)]
    assert ways(22, 10, 90, "shift") == [(90, 0.0, 1.0, 2.0)]
    assert ways(26, 10.1, 90, "shift") == [(90, 0.0, -1.0, 2.0)]
    assert ways(27, 14, 0, "maneuver") == [(53, 1.0, 0.0, 5.0)]
    assert ways(27, 14, 30, "charge") == [(30, 1.0, 0.0, 5.0)]
    to_foe = path(ground, 0, start, Pose(24, 37, 90), "charge", ChargePath("r1", 90.0))
    assert to_foe[0].travel_in == pytest.approx(27.0)
    assert len(path(ground, 0, start, Pose(24, 20, 90), "charge", ChargePath("r9", 90.0))) == 2
    assert along(start, Pose(24, 8, 90), ((1.0, 0.0),)).travel_in == 0.0


@pytest.mark.rule("TMG-MOV-5")
@pytest.mark.parametrize(
    ("cuts", "left"),
    [
        ([], [(1.0, 5.0)]),
        ([(2.0, 3.0)], [(1.0, 2.0), (3.0, 5.0)]),
        ([(0.0, 2.0)], [(2.0, 5.0)]),
        ([(4.0, 9.0)], [(1.0, 4.0)]),
        ([(0.0, 9.0)], []),
        ([(6.0, 7.0), (-3.0, 0.5)], [(1.0, 5.0)]),
        ([(3.0, 4.0), (2.0, 3.5)], [(1.0, 2.0), (4.0, 5.0)]),
        ([(1.0, 5.0)], [(1.0, 1.0), (5.0, 5.0)]),
    ],
)
def test_what_obstacles_leave_of_a_path(
    cuts: list[tuple[float, float]], left: list[tuple[float, float]]
) -> None:
    assert gaps(1.0, 5.0, cuts) == left


# -- shots --------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-LOS-4", "TMG-RNG-5")
@pytest.mark.parametrize(
    ("x", "y", "inside"),
    [
        (1.0, 0.0, True),
        (-0.1, 0.0, False),
        (1.0, 2.9, True),
        (1.0, 3.1, False),
        (1.0, -2.9, True),
        (1.0, -3.1, False),
        (5.0, -6.9, True),
        (5.0, 7.1, False),
    ],
)
def test_the_half_planes_of_a_front_arc(x: float, y: float, inside: bool) -> None:
    eye = ViewEdge(0.0, 0.0, 1.0, 0.0, 2.0, 1.0)
    sides = [nx * x + ny * y + edge * eye.wide for nx, ny, edge in arc_planes(eye)]
    assert (min(sides) >= 0) is inside


@pytest.mark.rule("TMG-RNG-5", "TMG-RNG-6", "TMG-RNG-9")
@pytest.mark.parametrize("mirror", [1, -1])
def test_the_shift_that_brings_a_target_into_arc_and_range(mirror: int) -> None:
    def least(far: float, left: float) -> tuple[float, float] | None:
        target = fighter("r1", 24 - mirror * left, 24 + far, 270, SQUARE)
        ground = field(NEW, fighter("b1", 24, 24, attacks=(BOW,)), target)
        found = shortest_shift(ground, 0, 1, 2.0)
        return None if found is None else (round(found[0], 2), round(mirror * found[1], 2))

    assert least(10.0, 0.0) == (0.0, 0.0)
    assert least(15.5, 0.0) == (0.5, 0.0)  # its front is 1.5 + 12 + 1.5 inches away at most
    assert least(18.0, 0.0) is None
    assert least(0.5, 5.0) == (-1.0, 0.0)
    assert least(3.0, 7.0) == (-0.5, 0.0)
    assert least(0.5, 8.0) is None
    post = ShotPosition.of(
        field(NEW, fighter("b1", 24, 24, attacks=(BOW,)), fighter("r1", 24, 14, 270, SQUARE)),
        0,
        1,
        2.0,
    )
    assert post.in_arc_from((1.0, 0.0)) == math.inf
    assert post.in_arc_from((0.0, 1.0)) == math.inf
    assert post.in_arc_from((-1.0, 0.0)) == pytest.approx(10.0)


@pytest.mark.rule("TMG-OBJ-5", "OR-36")
@pytest.mark.parametrize(("reading", "apart"), [("centre", 10.0), ("rim", 8.8)])
def test_tokens_are_measured_between_centres_or_rims(reading: str, apart: float) -> None:
    one, two = TableToken("o1", 4.0, 4.0, 0.5), TableToken("o2", 14.0, 4.0, 0.7)
    readings = Readings(token_from=reading)
    assert tokens_apart_in(one, two, readings) == pytest.approx(apart)
    assert tokens_apart_in(two, one, readings) == pytest.approx(apart)


@pytest.mark.rule("TMG-OBJ-4", "TMG-LOS-8")
@pytest.mark.parametrize("sign", [1, -1])
def test_an_error_to_either_side_counts(sign: int) -> None:
    """A measure that changes to one side only is still uncertain by one sigma."""
    pose = Pose(5.0, 7.0, 90.0, Sigma(0.1, 2.0))
    assert spread(lambda one: max(0.0, sign * (one.x - 5.0)), pose) == pytest.approx(0.1)
    assert spread(lambda one: max(0.0, sign * (one.y - 7.0)), pose) == pytest.approx(0.1)
    assert spread(lambda one: max(0.0, sign * (one.heading - 90.0)), pose) == pytest.approx(2.0)


@pytest.mark.rule("TMG-GLO-12", "TMG-MAR-1")
def test_a_friend_that_may_touch_engages_nobody() -> None:
    error = Sigma(0.05, 0.0)
    unit, friend = fighter("b1", 24, 10, sigma=error), fighter("b2", 28.1, 10, sigma=error)
    ground = field(NEW, unit, friend, FOE)
    assert [one.verdict for one in ground.unengaged] == ["yes", "yes", "yes"]

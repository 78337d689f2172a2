"""Charges, shots and moves as shapes: every shape lies where the answer says."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString

from companion.games.tmg.figures.area_figure import (
    ReachArea,
    arcs,
    ends,
    footprints,
    free_line,
    front_arc,
    ranges,
    rim,
    shot_line,
    shot_words,
)
from companion.games.tmg.figures.charge_figure import arrow, ground, short_text, travel_in, words
from companion.games.tmg.rules.report import Charge, Shot, Zone
from companion.geometry.plane.answer import YES, Answer
from companion.overlay.shapes import Label, Point, Polyline
from models import Pose, Table, Tray
from models.unit import corners
from tests.games.tmg.sample_units import BOW, fighter, patch

UNSURE = Answer("unsure", (), 0.0, 0.5)
ARCS = {"front": 0, "left": 1, "right": 2, "rear": 3}


def charge(arc: str = "front", answer: Answer = YES) -> Charge:
    shares = [0.0] * 4
    shares[ARCS[arc]] = 1.0
    zone = Zone(arc, (shares[0], shares[1], shares[2], shares[3]))
    return Charge(answer, zone, 7.0, 3, 0.67, 90.0)


def on_line(label: Label, line: Polyline) -> bool:
    """Whether all places for the words lie on the line, off its ends."""
    way = LineString(line.points)
    shares = [way.project(shapely.Point(spot)) / way.length for spot in label.spots]
    near = all(way.distance(shapely.Point(spot)) < 1e-6 for spot in label.spots)
    return near and all(0.1 <= share <= 0.9 for share in shares)


@pytest.mark.rule("TMG-CHG-12")
@pytest.mark.parametrize("heading", [90.0, 60.0])
def test_a_charge_is_drawn_from_the_tray_to_the_target_and_its_words_at_it(heading: float) -> None:
    unit, target = fighter("b1", 20, 10, heading), fighter("r1", 20, 22, 270)
    way = arrow(unit, target, charge())
    start, end = way.points[0], way.points[-1]
    assert ground(unit).exterior.distance(shapely.Point(start)) == pytest.approx(0, abs=1e-9)
    assert end == pytest.approx((20.0, 20.5))
    loud, low = words(way, "3+ 67%"), words(way, "r1: 3+ 67%", loud=False)
    assert on_line(loud, way)
    assert loud.z > low.z > way.z


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-14")
@pytest.mark.parametrize(
    ("x", "inches"), [(20.0, 9.0), (23.9, 9.0), (16.1, 9.0), (24.5, math.hypot(0.5, 9.0))]
)
def test_the_way_to_first_contact_is_as_wide_as_the_front(x: float, inches: float) -> None:
    """A front of 4 inches meets a tray of 4 that is less than 4 aside; others are beside it."""
    unit, target = fighter("b1", 20, 10, 90), fighter("r1", x, 22, 270)
    assert travel_in(unit, unit.pose, target) == pytest.approx(inches)
    near = fighter("r1", 20, 12, 270)
    assert travel_in(unit, unit.pose, near) == 0.0


@pytest.mark.rule("TMG-CHG-6")
def test_the_words_of_a_charge_name_its_arc_and_its_doubt() -> None:
    assert short_text(charge("front")) == "3+ 67%"
    assert short_text(charge("left")) == "3+ 67% flank"
    assert short_text(charge("right")) == "3+ 67% flank"
    assert short_text(charge("rear")) == "3+ 67% rear"
    assert short_text(charge("rear", UNSURE)) == "3+ 67% rear ?"


@pytest.mark.rule("TMG-RNG-5", "TMG-RNG-9")
@pytest.mark.parametrize(
    ("shift", "told"),
    [
        ((0.0, 0.0), ""),
        ((1.0, 0.0), '\nshift 1.0" forward'),
        ((-1.0, 0.0), '\nshift 1.0" back'),
        ((0.0, 1.5), '\nshift 1.5" left'),
        ((0.0, -1.5), '\nshift 1.5" right'),
        ((0.0, 0.04), ""),
    ],
)
def test_a_shot_is_drawn_from_the_arrow_after_its_shift(
    shift: tuple[float, float], told: str
) -> None:
    unit, target = fighter("b1", 20, 10, 90, attacks=(BOW,)), fighter("r1", 20, 23, 270)
    for answer, doubt in ((YES, ""), (UNSURE, " ?")):
        shot = Shot(answer, charge().zone, attack="Bow", shift=shift)
        line = shot_line(unit, target, shot)
        forward, left = shift
        assert line.points[0] == pytest.approx((20 - left, 11.5 + forward))
        assert line.points[1] == pytest.approx((20 - left, 21.5))
        text = shot_words(line, shot)
        far = 10 - forward
        assert text.text.replace("″", '"') == f'Bow {far:.1f}"{doubt}{told}'
        assert on_line(text, line)
        assert text.z > line.z


@pytest.mark.rule("TMG-LOS-1", "TMG-RNG-8", "TMG-RNG-9")
@pytest.mark.parametrize("heading", [0.0, 90.0, 200.0])
def test_arcs_and_ranges_lie_before_the_front(heading: float) -> None:
    unit = fighter("b1", 24, 24, heading, attacks=(BOW,))
    table = Table("tmg-2021", 48, 48, (unit,))
    lines = [one for one in arcs(table, unit) if isinstance(one, Polyline)]
    assert len(lines) == 4
    for line, corner in zip(lines, corners(unit), strict=True):
        assert line.points[0] == pytest.approx(corner)
        x, y = line.points[-1]
        assert min(x, y, 48 - x, 48 - y) == pytest.approx(0, abs=1e-6)
        assert math.dist((24, 24), (x, y)) > math.dist((24, 24), corner)
    (border,) = [one for one in ranges(table, unit) if isinstance(one, Polyline)]
    front = unit.pose.ahead(1.5)
    for x, y in border.points:
        assert math.dist(front, (x, y)) == pytest.approx(12.0, abs=0.02)
        assert front_arc(unit).buffer(1e-6).covers(shapely.Point(x, y))


@pytest.mark.rule("TMG-LOS-2", "TMG-LOS-5")
def test_a_line_of_sight_is_drawn_past_what_stands_in_the_way() -> None:
    unit, target = fighter("b1", 20, 10, 90), fighter("r1", 20, 22, 270)
    seen = ground(target)
    for x in (17.0, 18.2, 20.0, 21.8, 23.0):
        block = shapely.box(x - 1.4, 15, x + 1.4, 17)
        start, end = free_line(unit, seen, [block])
        assert not LineString([start, end]).intersects(block), x
        assert -2 <= start[0] - 20 <= 2
        assert start[1] == pytest.approx(11.5)
        assert seen.buffer(1e-6).covers(shapely.Point(end))
    start, _ = free_line(unit, seen, [])
    assert start == pytest.approx((20.0, 11.5))


@pytest.mark.rule("TMG-MAN-3")
def test_the_trays_of_a_reach_are_the_tray_moved_straight_ahead() -> None:
    unit = fighter("b1", 20, 10, 30)
    headings, steps = np.radians([30.0, 90.0, 250.0]), np.array([0.0, 2.5, 5.0])
    found = footprints(unit.tray, unit.pose, headings, steps)
    assert found.shape == (3, 3)
    for row, heading in enumerate((30.0, 90.0, 250.0)):
        for column, step in enumerate(steps):
            there = unit.at(Pose(20, 10, heading).shifted(float(step)))
            assert found[row, column].symmetric_difference(ground(there)).area < 1e-9


def reached(*things: object, most: float = 5.0, depth: float = 48.0) -> shapely.Geometry:
    """Where b1's tray may stand after a straight move ahead."""
    unit = fighter("b1", 20, 10, 90)
    units = (unit, *(one for one in things if hasattr(one, "tray")))
    terrain = tuple(one for one in things if not hasattr(one, "tray"))
    table = Table("tmg-2021", 48, depth, units, terrain)  # type: ignore[arg-type]
    return ends(ReachArea.of(table, unit, most), unit.tray, unit.pose, (90.0,), most)


def top(ground: shapely.Geometry) -> float:
    return float(ground.bounds[3])


@pytest.mark.rule("TMG-MOV-7", "TMG-MOV-8", "TMG-MOV-9", "TMG-TER-15", "TMG-TER-17", "OR-18")
def test_a_reach_ends_where_the_rules_end_the_move() -> None:
    assert reached().bounds == pytest.approx((18, 8.5, 22, 16.5), abs=0.03)
    low = Tray("", 4.0, 1.0)
    # an inch from an enemy, in steps of a quarter
    assert top(reached(fighter("r1", 20, 16, 270, tray=low))) == pytest.approx(14.5, abs=0.03)
    # through a friend but not onto it
    friend = fighter("b2", 20, 14, 90, tray=Tray("", 4.0, 0.4))
    assert top(reached(friend, most=8.0)) == pytest.approx(19.5, abs=0.03)
    assert top(reached(fighter("b2", 20, 16.5, 90))) == pytest.approx(15.0, abs=0.03)
    assert top(reached(patch("impassable", 18, 14, 22, 15))) == pytest.approx(14.0, abs=0.03)
    assert top(reached(patch("rough", 18, 14, 22, 15))) == pytest.approx(15.5, abs=0.03)
    assert top(reached(patch("cover", 18, 14, 22, 15))) == pytest.approx(16.5, abs=0.03)
    assert top(reached(depth=15.0)) == pytest.approx(15.0, abs=0.03)


@pytest.mark.rule("TMG-MAN-3")
def test_the_words_of_a_reach_stand_at_its_border_far_ahead_or_behind() -> None:
    unit = fighter("b1", 20, 10, 90)
    stood = shapely.box(18, 8.5, 22, 16.5)

    def highest(spots: tuple[Point, ...]) -> float:
        assert all(stood.exterior.distance(shapely.Point(spot)) < 1e-9 for spot in spots)
        return float(spots[0][1])

    assert highest(rim(stood, unit, 1)) == pytest.approx(16.5)
    assert highest(rim(stood, unit, -1)) == pytest.approx(8.5)
    assert len(rim(stood, unit, 1)) == 13  # every other of 25 corners an inch apart


@pytest.mark.rule("TMG-CHG-9")
def test_the_arrow_of_a_charge_due_east_runs_due_east() -> None:
    """A heading of 0 degrees is a heading like any other."""
    unit, target = fighter("b1", 10, 24, 0.0), fighter("r1", 20, 24, 180.0)
    (_, _), (x, y) = arrow(unit, target, replace(charge(), heading=0.0)).points
    assert (x, y) == pytest.approx((18.5, 24.0))

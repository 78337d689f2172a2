"""The report as shapes: what is drawn, where it lies, what is written at it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
import shapely
from shapely.geometry import LineString, Point
from shapely.geometry import Polygon as Area

from companion.games.tmg.figures.area_figure import free_line, front_arc
from companion.games.tmg.figures.charge_figure import ground, long_text, short_text, travel_in
from companion.games.tmg.figures.report_figure import scene, shapes, threats_about
from companion.games.tmg.game import GAME
from companion.games.tmg.rules.modes import modes
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import (
    Charge,
    MiniaturesReport,
    Placement,
    Shot,
    UnitReport,
    Zone,
)
from companion.games.tmg.rules.threat import Threat
from companion.geometry.plane.answer import YES, Answer, no
from companion.overlay.labels import lay_out
from companion.overlay.picture import SIZE_PX, sheet_for
from companion.overlay.shapes import Circle, Label, Polygon, Polyline, Shape, Style, TableScene
from models import Attack, Pose, Table, TableToken, Terrain, Unit, UnknownName, catalogue
from models.catalogue import DATA
from models.unit import corners

FRONT = Zone("front", (1.0, 0.0, 0.0, 0.0))
FLANK = Zone("left", (0.1, 0.9, 0.0, 0.0))
BOW = Attack("Bow", "long", 4, (7, 5, 4))


def unit(unit_id: str, x: float, y: float, heading: float, side: str = "", **more: object) -> Unit:
    tray = catalogue("tmg-2021").trays["infantry"]
    side = side or ("blue" if unit_id.startswith("b") else "red")
    made = Unit(unit_id, side, f"Men of {unit_id}", tray, Pose(x, y, heading), models=12)
    return replace(made, **more)  # type: ignore[arg-type]


def unit_report(**answers: Any) -> UnitReport:
    """A report of a unit that says no more than this."""
    return UnitReport((), {}, {}, {}, {}, {}, {}, {})._replace(**answers)


def two(**answers: UnitReport) -> MiniaturesReport:
    """b1 faces r1 straight on, their fronts 7.2 inches apart."""
    units = (unit("b1", 20, 10, 90), unit("r1", 21, 22, 270))
    table = Table("tmg-2021", 48, 48, units)
    return MiniaturesReport(table, {"b1": unit_report(), "r1": unit_report(), **answers})


STRAIGHT = Charge(
    YES,
    FRONT,
    distance_in=7.2,
    needs=3,
    chance=2 / 3,
    heading=90.0,
    align=(Placement(0.5, Pose(18.25, 17.2, 90)), Placement(1.0, Pose(21, 17.2, 90))),
)


def of_role(found: tuple[Shape, ...], role: str) -> list[Shape]:
    return [shape for shape in found if shape.style.role == role]


def lines(found: tuple[Shape, ...], role: str) -> list[Polyline]:
    return [shape for shape in of_role(found, role) if isinstance(shape, Polyline)]


def polygons(found: tuple[Shape, ...], role: str) -> list[Polygon]:
    return [shape for shape in of_role(found, role) if isinstance(shape, Polygon)]


def texts(found: tuple[Shape, ...], role: str) -> list[str]:
    return [shape.text for shape in of_role(found, role) if isinstance(shape, Label)]


# -- charges ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-12")
def test_a_charge_is_an_arrow_to_where_the_front_comes_to_lie() -> None:
    found = shapes(two(b1=unit_report(charges={"r1": STRAIGHT})))
    (way,) = lines(found, "attack-path")
    assert way.about == ("b1", "r1")
    assert way.arrow
    assert way.points[-1] == pytest.approx((21, 19.6))
    assert Point(way.points[0]).distance(ground(unit("b1", 20, 10, 90))) < 1e-9
    assert texts(found, "attack-area") == ["3+ 67%"]
    assert not polygons(found, "attack-area")


@pytest.mark.rule("TMG-CHG-9", "TMG-CHG-12")
def test_a_corridor_starts_at_the_turned_front_and_ends_at_the_target() -> None:
    report = two(b1=unit_report(charges={"r1": STRAIGHT}))
    found = shapes(report, "b1")
    (corridor,) = polygons(found, "attack-area")
    swept, target = Area(corridor.outline), ground(report.table.unit("r1"))
    assert swept.distance(target) < 1e-9
    assert swept.intersection(target).area < 1e-9
    assert swept.area == pytest.approx(5.5 * 7.2)
    assert swept.bounds == pytest.approx((17.25, 12.4, 22.75, 19.6))
    (end,) = polygons(found, "attack-end")
    assert Area(end.outline).equals_exact(ground(unit("b1", 21, 17.2, 90)), 1e-9)
    assert texts(found, "attack-area") == ["7.2″ needs 3+ 67%\nfront"]


@pytest.mark.rule("TMG-CHG-14")
@pytest.mark.parametrize("heading", [62.0, 75.5, 90.0, 104.0])
def test_travel_ends_in_contact(heading: float) -> None:
    mover, target = unit("b1", 20, 10, 90), unit("r1", 21, 24, 256)
    pose = mover.pose.turned(heading)
    travel = travel_in(mover, pose, target)
    assert ground(mover.at(pose.shifted(travel))).distance(ground(target)) < 1e-9
    assert ground(mover.at(pose.shifted(travel - 0.01))).distance(ground(target)) > 0.001


@pytest.mark.rule("TMG-CHG-11")
@pytest.mark.parametrize(
    ("charge", "short", "long"),
    [
        (STRAIGHT, "3+ 67%", "7.2″ needs 3+ 67%\nfront"),
        (
            replace(STRAIGHT, zone=FLANK, needs=1, chance=1.0, effects=("hindering", "rough")),
            "100% flank",
            "7.2″ any roll 100%\nleft flank · hindering · rough",
        ),
        (
            replace(STRAIGHT, zone=replace(FRONT, arc="rear"), answer=Answer("unsure")),
            "3+ 67% rear ?",
            "7.2″ needs 3+ 67% ?\nrear",
        ),
        (
            replace(STRAIGHT, zone=replace(FRONT, arc="unsure"), needs=6, chance=1 / 6),
            "6+ 17%",
            "7.2″ needs 6+ 17%\narc too close to call",
        ),
    ],
)
def test_what_is_written_at_a_charge(charge: Charge, short: str, long: str) -> None:
    assert short_text(charge) == short
    assert long_text(charge) == long


@pytest.mark.rule("TMG-CHG-4")
def test_a_doubtful_charge_is_not_sure_and_a_forbidden_one_not_drawn() -> None:
    unsure = replace(STRAIGHT, answer=Answer("unsure", ("TMG-CHG-4",), 0.01, 0.6))
    found = shapes(two(b1=unit_report(charges={"r1": unsure})), "b1")
    assert not polygons(found, "attack-area")[0].style.sure
    assert not lines(found, "attack-path")[0].style.sure
    refused = replace(STRAIGHT, answer=no("TMG-CHG-2"))
    for unit_id in (None, "b1"):
        found = shapes(two(b1=unit_report(charges={"r1": refused})), unit_id)
        assert not of_role(found, "attack-path")
        assert not of_role(found, "attack-area")


@pytest.mark.rule("TMG-CHG-12")
def test_two_that_may_charge_one_another_get_lines_side_by_side() -> None:
    back = replace(STRAIGHT, heading=270.0, align=(Placement(1.0, Pose(20, 14.8, 270)),))
    report = two(b1=unit_report(charges={"r1": STRAIGHT}), r1=unit_report(charges={"b1": back}))
    for unit_id in (None, "b1"):
        there, again = lines(shapes(report, unit_id), "attack-path")
        assert LineString(there.points).distance(LineString(again.points)) > 0.2


@pytest.mark.rule("TMG-CHG-2")
def test_a_unit_sees_who_may_charge_it() -> None:
    back = replace(STRAIGHT, heading=270.0, align=(Placement(1.0, Pose(20, 14.8, 270)),))
    found = shapes(two(r1=unit_report(charges={"b1": back})), "b1")
    assert texts(found, "attack-minor") == ["r1: 3+ 67%"]
    assert lines(found, "attack-path")[0].style.side == "red"


# -- sight, arcs, shots -------------------------------------------------------------------------


@pytest.mark.rule("TMG-LOS-1")
def test_four_arc_lines_leave_the_corners() -> None:
    report = two()
    found = shapes(report, "b1")
    rays = lines(found, "arc-line")
    assert len(rays) == 4
    for ray, corner in zip(rays, corners(report.table.unit("b1")), strict=True):
        assert ray.points[0] == pytest.approx(corner)
        assert 0 <= ray.points[1][0] <= 48
        assert 0 <= ray.points[1][1] <= 48
    angle = math.degrees(
        math.atan2(
            rays[3].points[1][1] - rays[3].points[0][1],
            rays[3].points[1][0] - rays[3].points[0][0],
        )
    )
    assert angle == pytest.approx(90 - 48.9)
    (front,) = polygons(found, "arc-front")
    assert Area(front.outline).intersection(ground(report.table.unit("b1"))).area < 1e-9


@pytest.mark.rule("TMG-LOS-1")
def test_arc_lines_follow_the_players_reading() -> None:
    found = shapes(two(), "b1", Readings(arc_lines="45"))
    ray = lines(found, "arc-line")[0]
    (x0, y0), (x1, y1) = ray.points
    assert x0 - x1 == pytest.approx(y1 - y0)


@pytest.mark.rule("TMG-LOS-5")
def test_a_seen_enemy_gets_a_free_line_and_a_hidden_one_a_stopped_line() -> None:
    # b2 hides the middle of r1 but not its right end; r2 stands wholly behind b3.
    units = (
        unit("b1", 24, 8, 90),
        unit("b2", 22.5, 14, 90),
        unit("r1", 25, 22, 270),
        unit("b3", 34, 15, 135),
        unit("r2", 39, 20, 270),
    )
    table = Table("tmg-2021", 48, 48, units)
    report = MiniaturesReport(
        table,
        {
            **{one.id: unit_report() for one in units},
            "b1": unit_report(sees={"r1": YES, "r2": no("TMG-LOS-5")}),
        },
    )
    found = shapes(report, "b1")
    (free,) = lines(found, "sight")
    line = LineString(free.points)
    for other in ("b2", "b3", "r2"):
        assert line.intersection(ground(table.unit(other)).buffer(-1e-6)).is_empty
    assert line.distance(ground(table.unit("r1"))) == 0
    (stopped,) = lines(found, "sight-blocked")
    assert Point(stopped.points[-1]).distance(ground(table.unit("b3"))) < 1e-6
    assert [
        mark.centre for mark in of_role(found, "sight-blocked") if isinstance(mark, Circle)
    ] == [stopped.points[-1]]


@pytest.mark.rule("TMG-LOS-5")
def test_where_every_line_is_crossed_the_least_crossed_is_drawn() -> None:
    looking, target = unit("b1", 24, 8, 90), unit("r1", 24, 24, 270)
    wedge = Area([(0, 16), (48, 16.5), (48, 15.5)])  # thinnest at its left end
    start, end = free_line(looking, ground(target), [wedge])
    assert start == pytest.approx(corners(looking)[0])
    assert end[0] == pytest.approx(min(x for x, _ in corners(target)))


@pytest.mark.rule("TMG-LOS-6")
def test_terrain_that_hides_stops_the_line() -> None:
    wall = Terrain(
        "t1", ((14, 16), (28, 16), (28, 17), (14, 17)), frozenset({"blocks-line-of-sight"})
    )
    report = two(b1=unit_report(sees={"r1": no("TMG-LOS-6")}))
    report = replace(report, table=replace(report.table, terrain=(wall,)))
    (stopped,) = lines(shapes(report, "b1"), "sight-blocked")
    assert stopped.points[-1][1] == pytest.approx(16)


@pytest.mark.rule("TMG-LOS-4")
def test_an_enemy_outside_the_front_arc_gets_no_line() -> None:
    report = two(r1=unit_report(), b1=unit_report(sees={"r1": no("TMG-LOS-4")}))
    report = replace(report, table=report.table.moved("r1", Pose(20, 3, 270)))
    found = shapes(report, "b1")
    assert not of_role(found, "sight")
    assert not of_role(found, "sight-blocked")


@pytest.mark.rule("TMG-RNG-9")
def test_a_shot_runs_from_the_arrow_after_its_shift_to_the_nearest_point() -> None:
    shot = Shot(YES, FRONT, "Bow", shift=(1.5, 0.0))
    report = two(b1=unit_report(shots={"r1": shot}))
    (line,) = lines(shapes(report), "shot")
    assert line.points[0] == pytest.approx((20, 13.9))
    assert line.points[1] == pytest.approx((20, 19.6))
    assert texts(shapes(report, "b1"), "shot") == ["Bow 5.7″\nshift 1.5″ forward"]


@pytest.mark.rule("TMG-SET-5", "TMG-MODE-GOT-1")
def test_zones_are_drawn_before_anybody_stands_there() -> None:
    table = Table("tmg-2021", 48, 48, mode="GOT")
    found = shapes(GAME.report(table))
    zones = [Area(one.outline) for one in polygons(found, "deployment")]
    assert [zone.bounds for zone in zones] == [(0, 0, 48, 10), (0, 38, 48, 48)]
    assert texts(found, "deployment") == ["deployment of player 1", "deployment of player 2"]


@pytest.mark.rule("TMG-SET-5", "TMG-MODE-GOT-1")
@pytest.mark.parametrize("order", [1, -1])
def test_a_zone_is_that_of_the_side_that_stands_there(order: int) -> None:
    """In whatever order units are listed: a camera may see the far ones first."""
    units = (unit("b1", 20, 6, 90), unit("b2", 30, 25, 90), unit("r1", 20, 42, 270))
    table = Table("tmg-2021", 48, 48, units[::order], mode="GOT")
    zones = polygons(shapes(GAME.report(table)), "deployment")
    assert [(one.style.side, min(y for _, y in one.outline)) for one in zones] == [
        ("blue", 0),
        ("red", 38),
    ]


def test_an_id_is_written_whole_on_a_large_table() -> None:
    units = tuple(unit(f"b1{place}", 8 + 8 * place, 10, 90) for place in range(3))
    table = Table("tmg-2021", 96, 96, units)
    what = scene(GAME.report(table))
    words = lay_out(sheet_for(what, SIZE_PX), what)
    assert {"b10", "b11", "b12"} <= {line.text for one in words for line in one.lines}


@pytest.mark.rule("TMG-RNG-8")
@pytest.mark.parametrize(("kind", "reach"), [("short", 6.0), ("long", 12.0)])
def test_the_ring_of_a_shooter_lies_at_its_range_within_the_front_arc(
    kind: str, reach: float
) -> None:
    report = two()
    shooter = replace(report.table.unit("b1"), attacks=(replace(BOW, kind=kind),))
    table = replace(report.table, units=(shooter, report.table.unit("r1")))
    found = shapes(replace(report, table=table), "b1")
    (ring,) = lines(found, "range")
    for point in ring.points:
        assert math.dist(point, (20, 12.4)) == pytest.approx(reach, abs=0.01)
        assert front_arc(shooter).distance(Point(point)) < 1e-6
    assert texts(found, "range") == [f"{reach:.0f}″"]
    assert not of_role(shapes(report, "b1"), "range")


# -- reach --------------------------------------------------------------------------------------

FREE = {"maneuver": YES, "march": YES, "retreat": no("TMG-RET-1")}


def reached(report: MiniaturesReport, unit_id: str) -> list[Area]:
    """What a March and what a Maneuver may cover."""
    answers = {**report.units, unit_id: report.units[unit_id]._replace(moves=FREE)}
    found = shapes(replace(report, units=answers), unit_id)
    return [Area(area.outline) for area in polygons(found, "reach")]


@pytest.mark.rule("TMG-MAN-2", "TMG-MAN-3", "TMG-MAR-2", "TMG-MAR-3")
def test_reach_on_open_ground() -> None:
    report = two()
    report = replace(report, table=report.table.moved("r1", Pose(44, 44, 270)))
    march, maneuver = reached(report, "b1")
    assert march.bounds == pytest.approx((17.25, 7.6, 22.75, 22.4), abs=0.1)
    assert maneuver.bounds == pytest.approx((12.1, 2.1, 27.9, 17.9), abs=0.1)


@pytest.mark.rule("TMG-MOV-7", "TMG-MOV-9", "TMG-MOV-10")
def test_reach_keeps_clear_of_others() -> None:
    report = two()
    friend = unit("b2", 27, 8, 90)
    table = replace(report.table, units=(*report.table.units, friend))
    report = replace(report, table=table, units={**report.units, "b2": unit_report()})
    march, maneuver = reached(report, "b1")
    assert march.bounds[3] == pytest.approx(18.6, abs=0.3)
    foe = ground(table.unit("r1"))
    assert march.distance(foe) >= 1 - 0.05
    assert maneuver.intersection(ground(friend)).area < 0.5


@pytest.mark.rule("TMG-TER-15", "TMG-TER-17")
@pytest.mark.parametrize(
    ("keyword", "far"), [("impassable", 16.0), ("rough", 21.4), ("cover", 22.4)]
)
def test_reach_over_terrain(keyword: str, far: float) -> None:
    report = two()
    piece = Terrain("t1", ((14, 16), (28, 16), (28, 17), (14, 17)), frozenset({keyword}))
    table = replace(report.table.moved("r1", Pose(44, 44, 270)), terrain=(piece,))
    march, _ = reached(replace(report, table=table), "b1")
    assert march.bounds[3] == pytest.approx(far, abs=0.3)


@pytest.mark.rule("TMG-MAN-1", "TMG-MAR-1")
def test_who_may_not_move_has_no_reach() -> None:
    moves = {"maneuver": no("TMG-MAN-1"), "march": no("TMG-MAR-1"), "retreat": YES}
    found = shapes(two(b1=unit_report(moves=moves)), "b1")
    assert not of_role(found, "reach")


# -- threat -------------------------------------------------------------------------------------


def threat(unit_id: str, needs: int, reach: float) -> Threat:
    return Threat(unit_id, "charge", shapely.box(0, 0, reach, 10), (7 - needs) / 6, needs)


@pytest.mark.rule("TMG-CHG-4")
def test_threats_of_a_side_are_drawn_together_in_two_bands() -> None:
    threats = [threat("r1", needs, 4.0 + needs) for needs in range(1, 7)]
    threats.append(Threat("b1", "shot", shapely.box(30, 0, 42, 12), 1.0, None, "Bow"))
    threats.append(Threat("b1", "shot", shapely.box(36, 6, 48, 18), 1.0, None, "Sling"))
    found = shapes(two(), None, threats=threats)
    (near,), (far,) = polygons(found, "threat"), polygons(found, "threat-far")
    assert Area(near.outline).bounds == (0, 0, 7, 10)
    assert Area(far.outline).bounds == (0, 0, 10, 10)
    assert near.style.side == "red"
    (shot,) = polygons(found, "threat-shot")
    assert Area(shot.outline).area == pytest.approx(2 * 144 - 36)
    assert shot.style.side == "blue"


@pytest.mark.rule("TMG-CHG-4")
def test_a_unit_is_shown_its_enemies_threats_only() -> None:
    table = two().table
    assert {one.unit for one in threats_about(table, "b1")} == {"r1"}
    assert {one.unit for one in threats_about(table)} == {"b1", "r1"}
    roles = {shape.style.role for shape in scene(two(), "b1").shapes if shape.style.side == "red"}
    assert "threat" in roles
    assert not [s for s in scene(two(), "b1").shapes if s.style == Style("threat", "blue")]


# -- the table ----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-GLO-11")
def test_enemies_in_contact_are_joined_by_a_line() -> None:
    units = (unit("b1", 20, 10, 90), unit("r1", 22, 14.8, 270))
    report = MiniaturesReport(
        Table("tmg-2021", 48, 48, units),
        {"b1": unit_report(engaged=("r1",)), "r1": unit_report(engaged=("b1",))},
    )
    (line,) = lines(shapes(report), "engaged")
    assert line.length_in == pytest.approx(3.5, abs=0.2)
    assert all(y == pytest.approx(12.4, abs=0.1) for _, y in line.points)


@pytest.mark.rule("TMG-SET-5")
@pytest.mark.parametrize("game", ["tmg-2018", "tmg-2021"])
def test_every_mode_can_be_drawn(game: str) -> None:
    units = (unit("b1", 20, 5, 90), unit("r1", 20, 43, 270))
    for mode in modes(game):
        table = Table(game, 48, 48, units, mode=mode.key)
        found = shapes(MiniaturesReport(table, {"b1": unit_report(), "r1": unit_report()}))
        zones = polygons(found, "deployment")
        assert {zone.style.side for zone in zones} == {"blue", "red"}, mode.key
        blue = shapely.union_all([Area(z.outline) for z in zones if z.style.side == "blue"])
        red = shapely.union_all([Area(z.outline) for z in zones if z.style.side == "red"])
        assert blue.intersection(red).area < 1e-9


@pytest.mark.rule("TMG-MODE-GOT-1", "TMG-MODE-GOT-2", "TMG-MODE-GOT-3", edition=2021)
def test_the_mode_brings_its_zones_and_tokens() -> None:
    table = replace(two().table, mode="GOT")
    found = shapes(MiniaturesReport(table, {"b1": unit_report(), "r1": unit_report()}))
    assert [Area(zone.outline).bounds for zone in polygons(found, "deployment")] == [
        (0, 0, 48, 10),
        (0, 38, 48, 48),
    ]
    tokens = [shape for shape in of_role(found, "token") if isinstance(shape, Circle)]
    assert len(tokens) == 5
    own = replace(table, tokens=(TableToken("o1", 24, 24),))
    found = shapes(MiniaturesReport(own, {"b1": unit_report(), "r1": unit_report()}))
    assert len(of_role(found, "token-ring")) == 1


@pytest.mark.rule("TMG-MODE-SOS-3", "TMG-MODE-HAR-3", "TMG-MODE-FFC-21")
@pytest.mark.parametrize(
    ("key", "piece", "count"),
    [
        ("SOS", "castle-wall", 3),
        ("HAR", "castle-wall", 2),
        ("FFC", "corpse-pile", 2),
        ("GOT", "castle-wall", 0),
    ],
)
def test_the_mode_brings_its_walls_and_piles(key: str, piece: str, count: int) -> None:
    table = replace(two().table, mode=key)
    assert drawn(table, piece) == count
    words = catalogue("tmg-2021").pieces[piece]
    own = Terrain("own", ((10, 20), (14, 20), (14, 22), (10, 22)), words, piece)
    assert drawn(replace(table, terrain=(own,)), piece) == 1  # it replaces the mode's own


def drawn(table: Table, piece: str) -> int:
    """How many walls or piles are drawn."""
    role = {"castle-wall": "terrain-wall", "corpse-pile": "terrain-bones"}[piece]
    found = shapes(MiniaturesReport(table, {"b1": unit_report(), "r1": unit_report()}))
    return len(polygons(found, role))


def test_an_unknown_mode_is_named() -> None:
    table = replace(two().table, mode="XYZ")
    with pytest.raises(UnknownName, match="XYZ"):
        shapes(MiniaturesReport(table, {"b1": unit_report(), "r1": unit_report()}))


@pytest.mark.rule("TMG-TER-1")
@pytest.mark.parametrize(
    ("piece", "keywords", "role"),
    [
        ("forest", {"cover"}, "terrain-wood"),
        ("palisade", {"impassable"}, "terrain-palisade"),
        ("", {"rough", "dangerous"}, "terrain-spikes"),
        ("", {"elevated"}, "terrain-plain"),
    ],
)
def test_terrain_is_drawn_by_its_kind(piece: str, keywords: set[str], role: str) -> None:
    terrain = Terrain("t1", ((1, 20), (6, 20), (6, 24)), frozenset(keywords), piece)
    report = two()
    found = shapes(replace(report, table=replace(report.table, terrain=(terrain,))))
    assert [shape.about for shape in of_role(found, role)] == [("t1",)]


def test_an_unknown_unit_is_named() -> None:
    with pytest.raises(UnknownName, match="b9"):
        shapes(two(), "b9")


# -- the practice table -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def practice() -> MiniaturesReport:
    return GAME.report(Table.load(DATA / "practice.table.json"))


def test_the_practice_table_is_worth_looking_at(practice: MiniaturesReport) -> None:
    table = practice.table
    cards = catalogue(table.game).profiles
    for one in table.units:
        card = cards[one.name.casefold()]
        assert (one.speed, one.defense, one.morale) == (card.speed, card.defense, card.morale)
        assert [replace(attack, abilities=()) for attack in card.attacks] == list(one.attacks)
    for side in table.sides():
        own = [one for one in table.units if one.side == side]
        assert len(own) >= 6
        assert {"infantry", "cavalry", "solo"} <= {one.tray.name for one in own}
        assert any(one.ranged for one in own)
    assert len({piece.piece for piece in table.terrain}) >= 5
    open_charges = [
        charge
        for one in practice.units.values()
        for charge in one.charges.values()
        if charge.answer
    ]
    assert {"front", "left", "right"} <= {charge.zone.arc for charge in open_charges}
    assert {charge.needs for charge in open_charges} >= {1, 2, 3, 5}
    assert {"hindering", "rough", "fortified"} <= {e for c in open_charges for e in c.effects}
    assert sum(len(one.engaged) for one in practice.units.values()) == 2
    assert any(shot.panics for one in practice.units.values() for shot in one.shots.values())


@pytest.fixture(scope="module")
def pictures(practice: MiniaturesReport) -> dict[str | None, TableScene]:
    chosen = (None, "b2", "b3", "b4", "b5", "b6", "r4", "r6")
    return {unit_id: scene(practice, unit_id) for unit_id in chosen}


def test_every_picture_of_the_practice_table_keeps_its_words_apart(
    pictures: dict[str | None, TableScene],
) -> None:
    for unit_id, what in pictures.items():
        words = lay_out(sheet_for(what, SIZE_PX), what)
        free = [one for one in words if one.label.room_in is None]
        names = [one for one in words if one.label.style.role == "tray"]
        assert len(names) == 14
        for number, one in enumerate(free):
            assert 0 <= one.box.left < one.box.right <= SIZE_PX[0]
            assert 0 <= one.box.top < one.box.bottom <= SIZE_PX[1]
            for other in (*free[:number], *names):
                assert not one.box.overlaps(other.box), (unit_id, one.label.text, other.label.text)


@pytest.mark.rule("TMG-CHG-14")
def test_corridors_of_the_practice_table_end_at_their_targets(
    practice: MiniaturesReport, pictures: dict[str | None, TableScene]
) -> None:
    corridors = [way for what in pictures.values() for way in polygons(what.shapes, "attack-area")]
    assert len(corridors) >= 10
    for corridor in corridors:
        target = ground(practice.table.unit(corridor.about[1]))
        assert Area(corridor.outline).distance(target) < 1e-6


def test_the_title_names_unit_and_mode(pictures: dict[str | None, TableScene]) -> None:
    assert pictures["b2"].title == "b2 · Stark Bowmen"
    assert "A Game of Thrones" in pictures[None].subtitle
    assert pictures[None].sides == ("blue", "red")


@pytest.mark.rule("TMG-TER-9", "TMG-TER-12", "TMG-TER-19", edition="2021")
def test_at_the_pieces_it_is_written_what_they_mean_for_the_unit() -> None:
    def piece(name: str, kind: str, low: float, high: float) -> Terrain:
        outline = ((18.0, low), (22.0, low), (22.0, high), (18.0, high))
        return Terrain(name, outline, catalogue("tmg-2021").pieces[kind], kind)

    table = Table(
        "tmg-2021",
        48,
        48,
        (
            unit("b1", 20, 10, 90, attacks=(Attack("Axe", "melee", 3, (6, 5, 4)),)),
            unit("r1", 40, 40, 270),
        ),
        (piece("s", "stakes", 11, 13), piece("w", "weirwood", 17, 18), piece("h", "hedge", 30, 31)),
    )
    found = [one for one in scene(GAME.report(table), "b1").shapes if isinstance(one, Label)]
    told = {
        one.about: one.text for one in found if one.about[:1] == ("b1",) and len(one.about) == 2
    }
    assert told["b1", "s"] == "D3+1 wounds\nmay be attacked"
    assert told["b1", "w"] == "+1 morale"
    assert ("b1", "h") not in told


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13")
def test_the_odds_of_a_charge_count_the_ground_about_its_target() -> None:
    axe = (Attack("Axe", "melee", 3, (6, 5, 4)),)
    units = (unit("b1", 20, 10, 90, attacks=axe), unit("r1", 20, 22, 270, defense=4, morale=6))
    means = {}
    for kind in ("", "weirwood", "corpse-pile"):
        outline = ((18.0, 28.0), (22.0, 28.0), (22.0, 29.0), (18.0, 29.0))
        pieces = (Terrain("t", outline, catalogue("tmg-2021").pieces[kind], kind),) if kind else ()
        report = GAME.report(Table("tmg-2021", 48, 48, units, pieces))
        odds = GAME.attack_odds(report, "charges", "b1", "r1")
        assert odds is not None
        means[kind] = odds.mean
    assert means["weirwood"] < means[""] < means["corpse-pile"]

"""Properties that geometry keeps whatever the table: turned, mirrored, moved, or measured anew."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.geometry.plane.arcs import Shares, area, shares
from companion.geometry.plane.motion.advance import free_advance
from companion.geometry.plane.motion.obstacles import swing
from companion.geometry.plane.motion.shift import AXES, Axis, ShiftTrack, gap_to, range_span
from companion.geometry.plane.sight.los_query import LosObstacles
from companion.geometry.plane.sight.scalar_shapes import OrientedRect, ViewEdge, plain_boxes
from companion.geometry.plane.solids import Solids, Walls, convex_parts, is_convex
from companion.geometry.plane.trays import Floats, Trays, into_frame, measure
from models import Pose, Tray, Unit

places = st.floats(-20, 20)
headings = st.floats(0, 360)
sizes = st.floats(0.5, 6)
trays = st.builds(lambda w, d, a: Tray("", w, d, a), sizes, sizes, st.floats(20, 70))
poses = st.builds(Pose, places, places, headings)
units = st.builds(lambda tray, pose: Unit("u", "s", "u", tray, pose), trays, poses)


def seen(table: list[Unit], viewer: int = 0, target: int = 1) -> bool:
    return sees(Trays.of(table), viewer, target)


def sees(table: Trays, viewer: int, target: int) -> bool:
    ground = LosObstacles.of(table, [], False)
    x, y, cos, sin, deep, wide = ground.boxes[viewer]
    slope = float(table.tan_arc[viewer])
    edge = ViewEdge(x + deep * cos, y + deep * sin, cos, sin, wide, slope)
    return ground.watch(viewer, target).look(edge, ()).seen


def transformed(unit: Unit, angle_deg: float, dx: float, dy: float, mirror: bool) -> Unit:
    """The unit on a table turned, moved and perhaps seen in a mirror."""
    pose = unit.pose
    x, heading = (-pose.x, 180 - pose.heading) if mirror else (pose.x, pose.heading)
    angle = math.radians(angle_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    return unit.at(
        Pose(x * cos - pose.y * sin + dx, x * sin + pose.y * cos + dy, heading + angle_deg)
    )


@given(units, units, headings, places, places, st.booleans())
def test_gap_range_and_shares_do_not_care_where_the_table_stands(
    one: Unit, two: Unit, angle: float, dx: float, dy: float, mirror: bool
) -> None:
    before = measure(Trays.of([one, two]))
    after_trays = Trays.of([transformed(unit, angle, dx, dy, mirror) for unit in (one, two)])
    after = measure(after_trays)
    assert after.gap == pytest.approx(before.gap, abs=1e-9)
    assert after.range == pytest.approx(before.range, abs=1e-9)
    first = Trays.of([one, two])
    old, _ = arc_shares(first, before.corners[0, 1])
    new, _ = arc_shares(first, after.corners[0, 1])
    order = [0, 2, 1, 3] if mirror else [0, 1, 2, 3]
    assert new == pytest.approx([old[arc] for arc in order], abs=1e-7)


@given(units, units)
def test_shares_fill_the_plane_outside_the_tray(one: Unit, two: Unit) -> None:
    pairs = measure(Trays.of([one, two]))
    assume(not pairs.overlap[0, 1])
    table = Trays.of([one, two])
    share, margin = arc_shares(table, pairs.corners[0, 1])
    assert sum(share) == pytest.approx(1, abs=1e-9)
    assert min(share) >= 0
    assert margin >= 0


def arc_shares(trays: Trays, corners: Floats) -> tuple[Shares, float]:
    """The shares of the second tray in the arcs of the first."""
    deep, wide = trays.half[0].tolist()
    return shares(corners.tolist(), deep, wide, float(trays.tan_arc[0]))


@given(units, units)
def test_gap_is_symmetric_and_agrees_with_the_sliding_gap(one: Unit, two: Unit) -> None:
    table = Trays.of([one, two])
    gap = measure(table).gap
    assert gap[0, 1] == gap[1, 0]
    slid = gap_to(table.centre[[0]], table.forward[0], table.half[0], table.corners[[1]])[0]
    assert slid == pytest.approx(gap[0, 1], abs=1e-9)


@given(units, units, units, headings, places, places, st.booleans())
def test_sight_does_not_care_where_the_table_stands(
    viewer: Unit, target: Unit, blocker: Unit, angle: float, dx: float, dy: float, mirror: bool
) -> None:
    table = [viewer, target, blocker]
    assume(not measure(Trays.of(table)).overlap[~np.eye(3, dtype=bool)].any())
    turned = [transformed(unit, angle, dx, dy, mirror) for unit in table]
    now, then = seen(table), seen(turned)
    if now != then:  # only a line that grazes may fall either way
        arrays = Trays.of(table)
        smaller, larger = (sees(widened(arrays, by), 0, 1) for by in (-1e-6, 1e-6))
        assert smaller != larger


def widened(table: Trays, by: float) -> Trays:
    """The same trays, all but the first two a little larger."""
    half = table.half.copy()
    half[2:] += by
    return Trays.placed(
        table.centre,
        np.arctan2(table.forward[:, 1], table.forward[:, 0]),
        half,
        table.tan_arc,
        np.zeros(len(table)),
        np.zeros(len(table)),
    )


@given(units, units, st.lists(units, max_size=4))
def test_more_blockers_never_show_more(viewer: Unit, target: Unit, crowd: list[Unit]) -> None:
    open_field = seen([viewer, target])
    crowded = seen([viewer, target, *crowd])
    assert open_field or not crowded


@given(units, units, st.lists(units, max_size=3), st.integers(0, 40), st.integers(0, 40))
def test_any_free_line_means_seen(
    viewer: Unit, target: Unit, crowd: list[Unit], along: int, at: int
) -> None:
    """An independent witness: sample one line; if it is free by shapely, the answer is yes."""
    table = Trays.of([viewer, target, *crowd])
    left, right = table.corners[0, 0], table.corners[0, 3]
    start = left + (right - left) * along / 40
    edge = shapely.Polygon(table.corners[1]).exterior
    stop = edge.interpolate(at / 40, normalized=True)
    u, v = into_frame(table.centre[0], table.forward[0], np.array([[stop.x, stop.y]]))[0]
    depth, width = table.half[0]
    inside_arc = u > depth + 1e-8 and abs(v) <= width + (u - depth) * table.tan_arc[0] - 1e-9
    line = shapely.LineString([start, (stop.x, stop.y)])
    hit = any(
        line.intersection(shapely.Polygon(corners)).length > 0 for corners in table.corners[2:]
    )
    target_ground = shapely.Polygon(table.corners[1])
    crossing = line.intersection(target_ground).length > 1e-9
    if inside_arc and not hit and not crossing:
        assert seen([viewer, target, *crowd])


@given(units, units)
def test_the_free_advance_touches_and_no_pivot_does_better(one: Unit, two: Unit) -> None:
    """The closed form against a thousand pivots, each swept straight ahead."""
    table = Trays.of([one, two])
    found = free_advance(*plain_boxes(table))
    travel = found.travel
    assume(travel > 0.01)
    best = math.inf
    for step in range(0, 3600, 31):
        angle = math.radians(step / 10)
        forward = np.array([math.cos(angle), math.sin(angle)])
        left = np.array([-forward[1], forward[0]])
        local = (table.corners[1] - table.centre[0]) @ np.stack([forward, left], axis=1)
        width = float(table.half[0, 1])
        strip = shapely.box(-100, -width, 100, width)
        piece = shapely.Polygon(local).intersection(strip)
        if piece.is_empty or piece.bounds[2] < 0:
            continue
        best = min(best, float(piece.bounds[0] - table.half[0, 0]))
    assert best >= travel - 1e-6
    for heading in found.heading:
        forward = np.array([math.cos(heading), math.sin(heading)])
        spot = table.centre[[0]] + travel * forward
        assert gap_to(spot, forward, table.half[0], table.corners[[1]])[0] < 1e-6


@given(units, st.floats(-math.pi, math.pi), poses, st.floats(0.5, 14))
def test_the_range_span_is_where_the_point_is_in_range(
    one: Unit, direction: float, arrow: Pose, reach: float
) -> None:
    table = Trays.of([one])
    step = (math.cos(direction), math.sin(direction))
    deep, wide = table.half[0].tolist()
    low, high = range_span((arrow.x, arrow.y), step, (deep, wide), reach)
    for distance in np.linspace(-40, 40, 81):
        point = np.array([arrow.x, arrow.y]) + distance * np.array(step)
        over = np.maximum(np.abs(point) - table.half[0], 0)
        inside = math.hypot(*over) <= reach
        if abs(distance - low) > 1e-6 and abs(distance - high) > 1e-6:
            assert inside == bool(low < distance < high)


corners = st.lists(st.tuples(places, places), min_size=3, max_size=9, unique=True)


@given(corners)
def test_convex_parts_cover_the_outline_exactly(points: list[tuple[float, float]]) -> None:
    """Any simple polygon: walk the points by angle around their middle."""
    cx = sum(x for x, _ in points) / len(points)
    cy = sum(y for _, y in points) / len(points)
    outline = sorted(points, key=lambda p: math.atan2(p[1] - cy, p[0] - cx))
    shape = shapely.Polygon(outline)
    assume(shape.is_valid and shape.area > 0.1)
    assume(shapely.is_ccw(shape.exterior))
    parts = convex_parts(outline)
    total = sum(map(area, parts))
    assert total == pytest.approx(shape.area, rel=1e-6)
    assert all(is_convex(part) for part in parts)


@pytest.mark.slow
@given(sizes, sizes, headings, st.floats(0, 5), headings, st.floats(0.2, 3), headings)
def test_a_tray_swings_until_it_touches(
    deep: float, wide: float, facing: float, away: float, where: float, size: float, turn: float
) -> None:
    """What bars a swing is met just beyond it and nowhere before, tried by small steps."""
    x, y = away * math.cos(math.radians(where)), away * math.sin(math.radians(where))
    outline = [(x + size * u, y + size * v) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    box = shapely.affinity.rotate(shapely.Polygon(outline), turn)
    ring = list(box.exterior.coords)[:-1]
    wall = Solids.of(Trays.of([]), Walls.of([ring]))
    half = np.array([deep, wide]) / 2
    found = swing(np.zeros(2), math.radians(facing), half, wall)

    def deep_at(heading: float) -> float:
        tray = shapely.box(-half[0], -half[1], half[0], half[1])
        return float(shapely.affinity.rotate(tray, heading, origin=(0, 0)).intersection(box).area)

    steps = np.arange(0.5, 360.0, 0.5)
    for sign, limit in ((1, found.left), (-1, found.right)):
        before = steps[np.radians(steps) < limit]
        assert max((deep_at(facing + sign * step) for step in before), default=0.0) < 1e-6
        if math.isfinite(limit):
            beyond = np.degrees(limit) + np.array([0.05, 0.5, 1.0])
            assert max(deep_at(facing + sign * step) for step in beyond) > 0
    assert math.isfinite(found.left) == math.isfinite(found.right)
    assert not found.bars(np.radians([facing]))[0]


around = st.tuples(st.floats(2, 9), st.floats(-40, 40), st.floats(0.5, 4), headings)


@given(
    st.floats(0.5, 3),
    st.floats(0.5, 3),
    headings,
    st.sampled_from(AXES),
    around,
    st.sampled_from([0.0, 0.4, 1.0]),
)
def test_a_sliding_tray_is_near_from_the_first_contact_to_the_last(
    deep: float,
    wide: float,
    heading: float,
    axis: Axis,
    stone: tuple[float, float, float, float],
    clearance: float,
) -> None:
    """Between the two it is nearer than that, or overlaps; before and behind them it is not."""
    tray, corners = (
        OrientedRect(0.0, 0.0, 1.0, 0.0, deep, wide).turned(math.radians(heading)),
        square(*stone),
    )
    track = ShiftTrack.of(tray, axis)
    step, forward = np.array([track.ahead, track.aside]), np.array([tray.cos, tray.sin])
    for (start, stop), near in (
        (track.span(corners.tolist()), 0.0),
        (track.near_span(corners.tolist(), clearance), clearance),
    ):
        tried = np.linspace(-16.0, 16.0, 65)
        if start < stop:
            tried = np.array(
                [start - 0.01, start + 0.01, (start + stop) / 2, stop - 0.01, stop + 0.01]
            )
        gaps = gap_to(tried[:, None] * step, forward, np.array([deep, wide]), corners[None])
        inside = (start < tried) & (tried < stop)
        assert (gaps[inside] <= near + 1e-9).all()
        assert (gaps[~inside] >= near - 1e-9).all()


def square(away: float, aside_deg: float, size: float, turn_deg: float) -> Floats:
    """The corners of a square about a spot seen from the origin."""
    spot = away * np.array([math.cos(math.radians(aside_deg)), math.sin(math.radians(aside_deg))])
    angle = math.radians(turn_deg)
    x = np.array([math.cos(angle), math.sin(angle)])
    y = np.array([-x[1], x[0]])
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([spot + (u * x + v * y) * size / 2 for u, v in signs])

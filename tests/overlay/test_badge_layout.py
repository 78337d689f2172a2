"""Badges: beside their tray, never on each other, steady from one picture to the next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from shapely import LineString, Polygon, box

from companion.overlay.badge import (
    BadgeSize,
    PlacedBadge,
    TrayBadge,
    badge_names,
    bounds_of,
)
from companion.overlay.badge_layout import GAP, Ground, lay_out_badges
from companion.overlay.badge_places import rows
from companion.overlay.view_frame import BoundingBox
from models import Pose, Unit
from models.unit import Tray, corners

PANE = BoundingBox(2.0, 2.0, 706.0, 468.0)
"""The pane of the table at 1024 × 600."""
TRAY = Tray("infantry", 5.5, 4.8, 12, 3)
LONG_NAMES = (
    "Sworn Swords",
    "Halberdiers",
    "Mountain’s Men",
    "Berserkers",
    "Bowmen 2",
    "Outriders",
    "Greataxes",
    "Cave Dweller Savages",
    "Cavaliers",
    "Guardsmen 1",
)
NAMES = ("Sworn Swords", "Outriders", "Greataxes", "Berserkers", "Bowmen 2", "Cavaliers")


def tray(
    x: float, y: float, wide: float = 74.0, high: float = 48.0
) -> tuple[tuple[float, float], ...]:
    return (
        (x - wide / 2, y - high / 2),
        (x + wide / 2, y - high / 2),
        (x + wide / 2, y + high / 2),
        (x - wide / 2, y + high / 2),
    )


def armies(shift: float = 0.0, step: float = 116.0) -> list[TrayBadge]:
    """Two armies of ten units, each in two ranks, as they stand at the beginning of a game."""
    found = []
    for number in range(20):
        side, place = divmod(number, 10)
        rank, file = divmod(place, 5)
        x = 354.0 + (file - 2) * step + shift
        y = (118.0 + rank * 78.0) if side else (304.0 + rank * 86.0)
        found.append(
            TrayBadge(
                f"{side}-{place}",
                NAMES[number % len(NAMES)],
                "12",
                side,
                tray(x, y),
                (3, 3),
                leader=place == 0,
                engaged=place == 3,
                tokens=("bolt",) if place == 4 else (),
                below=side == 0,
                rank=2.0 - side,
                focus=number in (2, 12),
            )
        )
    return found


def overlaps(placed: tuple[PlacedBadge, ...]) -> list[tuple[str, str]]:
    return [
        (one.badge.id, other.badge.id)
        for one, other in combinations(placed, 2)
        if one.box.overlaps(other.box)
    ]


@pytest.mark.parametrize("text", [15.0, 16.0, 20.0])
@pytest.mark.parametrize("step", [116.0, 90.0, 70.0])
def test_twice_ten_units_at_seven_inches_do_not_overlap(text: float, step: float) -> None:
    badges = armies(step=step)
    rail = BoundingBox(0.0, 0.0, 64.0, 290.0)
    placed = lay_out_badges(badges, PANE, BadgeSize(text), [rail])
    assert {one.badge.id for one in placed} == {badge.id for badge in badges}
    assert not overlaps(placed)
    for one in placed:
        assert not one.box.overlaps(rail)
        assert one.box.left >= PANE.left - 1e-6
        assert one.box.right <= PANE.right + 1e-6
        assert one.box.top >= PANE.top - 1e-6
        assert one.box.bottom <= PANE.bottom + 1e-6
    focus = [bounds_of(badge.outline) for badge in badges if badge.focus]
    for one in placed:
        assert not any(
            one.box.overlaps(box) for box in focus if box != bounds_of(one.badge.outline)
        )


def test_badges_stay_where_they_are_when_the_trays_tremble() -> None:
    size = BadgeSize(15.0)
    first = lay_out_badges(armies(), PANE, size)
    before = {one.badge.id: one for one in first}
    second = lay_out_badges(armies(1.5), PANE, size, (), before)
    for one in second:
        last = before[one.badge.id]
        assert one.box.centre == pytest.approx(last.box.centre, abs=1.6)


def test_a_tray_outside_the_picture_has_no_badge() -> None:
    badge = TrayBadge("a", "Bowmen", "12", 0, tray(-200.0, 100.0))
    assert lay_out_badges([badge], PANE, BadgeSize(15.0)) == ()


def test_a_badge_alone_lies_on_its_owners_side() -> None:
    for below in (True, False):
        badge = TrayBadge("a", "Bowmen", "12", 0, tray(300.0, 200.0), below=below)
        (placed,) = lay_out_badges([badge], PANE, BadgeSize(15.0))
        assert (placed.box.top > 200.0) == below


@pytest.mark.parametrize("gap", [34.0, 40.0, 52.0])
def test_badges_of_a_crowded_board_leave_the_figures_beside_them_visible(gap: float) -> None:
    spots = [(column * gap, row * gap) for column in range(6) for row in range(2)]
    figures = [
        TrayBadge(f"{n}", "Archer", "2", 0, tray(250.0 + x, 200.0 + y, 30.0, 30.0), rank=float(n))
        for n, (x, y) in enumerate(spots)
    ]
    placed = lay_out_badges(figures, PANE, BadgeSize(15.0))
    assert len(placed) >= 10
    for one in placed:
        for other in figures:
            if other.id != one.badge.id:
                assert shared(one.box, bounds_of(other.outline)) <= 0.21, (one, other)


def crossed_badges(placed: Sequence[PlacedBadge]) -> list[tuple[str, str]]:
    """Whose line runs across whose badge."""
    return [
        (one.badge.id, other.badge.id)
        for one in placed
        for other in placed
        if one.line and other is not one and LineString(one.line).intersects(box(*other.box))
    ]


def shared(box: BoundingBox, tray: BoundingBox) -> float:
    """How much of a tray a box covers, from 0 to 1."""
    wide = min(box.right, tray.right) - max(box.left, tray.left)
    high = min(box.bottom, tray.bottom) - max(box.top, tray.top)
    area = (tray.right - tray.left) * (tray.bottom - tray.top)
    return max(0.0, wide) * max(0.0, high) / area


CROWDS = {
    "deployed": [(6.0 + 9.0 * n, 4.5 + 6.5 * r, 90.0) for r in range(2) for n in range(5)],
    "in touch": [(6.0 + 6.0 * n, 4.5 + 5.2 * r, 90.0) for r in range(2) for n in range(5)],
    "turned": [
        (7.0 + 8.2 * n, 9.0 + 9.5 * r + n % 2, 90.0 + 35 * (n + r))
        for r in range(2)
        for n in range(5)
    ],
}
"""Ten trays of one side: where they stand and which way they look, in inches and degrees."""


def crowd(name: str, pane: BoundingBox) -> list[TrayBadge]:
    """Two armies of ten units on a table of 48″ that fills the pane's height."""
    scale = (pane.bottom + 2.0) / 48.0
    left = (pane.right + 2.0 - 48.0 * scale) / 2
    found = []
    for number, (x, y, heading) in enumerate(CROWDS[name] * 2):
        side = number // 10
        pose = Pose(x, 48.0 - y, heading + 180.0) if side else Pose(x, y, heading)
        unit = Unit(f"{number}", "blue", "", TRAY, pose)
        outline = [(left + px * scale, (48.0 - py) * scale) for px, py in corners(unit)]
        badge = TrayBadge(
            f"{side}-{number % 10}", LONG_NAMES[number % 10], "12", side, tuple(outline)
        )
        found.append(replace(badge, below=not side, rank=2.0 - side, leader=number % 10 == 0))
    return found


@pytest.mark.parametrize(("width", "high", "text"), [(882, 624, 16), (704, 416, 15)])
@pytest.mark.parametrize("name", list(CROWDS))
def test_badges_of_twice_ten_trays_belong_to_their_trays(
    name: str, width: int, high: int, text: int
) -> None:
    """No badge lies over another's tray; it touches its own or a line leads to it across nobody."""
    pane, size = BoundingBox(2.0, 2.0, 2.0 + width, 2.0 + high), BadgeSize(float(text))
    short = badge_names(LONG_NAMES * 2, size, width * high)
    trays = [replace(one, shorter=short.get(one.name, ())) for one in crowd(name, pane)]
    placed = lay_out_badges(trays, pane, size, [BoundingBox(0.0, 0.0, 68.0, 330.0)])
    assert len(placed) == 20
    assert overlaps(placed) == []
    poor = len(crossed_badges(placed))
    for one in placed:
        near = one.box.gap(bounds_of(one.badge.outline)) <= text / 2
        assert near or one.line is not None, one.badge.id
        poor += one.box.gap(bounds_of(one.badge.outline)) > 5 * text
        for other in trays:
            if other.id != one.badge.id:
                tray = Polygon(other.outline)
                poor += tray.intersection(box(*one.box)).area > 0.06 * tray.area
                poor += one.line is not None and tray.intersects(LineString(one.line))
    full = name == "in touch"  # and at the edge of the pane, with names that are wider than trays
    assert poor <= 8 * full


UNITS = (
    "Sworn Swords",
    "Sworn Brothers",
    "Guardsmen 1",
    "Guardsmen 2",
    "Halberdiers",
    "Mountain’s Men",
    "Berserkers",
    "Bowmen 1",
    "Bowmen 2",
    "Outriders",
    "Guardsmen (Ben)",
    "War Host 1",
    "War Host 2",
    "War Host 3",
    "Heavy Infantry 1",
    "Heavy Infantry 2",
    "Kennelmasters",
    "Cave Dweller Savages",
    "Cavaliers",
    "Kevan",
)


def named_crowd(name: str, pane: BoundingBox, size: BadgeSize) -> list[TrayBadge]:
    """A crowd with the names of a game, as an app has them in this pane."""
    short = badge_names(UNITS, size, (pane.right - pane.left) * (pane.bottom - pane.top))
    return [
        replace(one, name=UNITS[n], shorter=short.get(UNITS[n], ()))
        for n, one in enumerate(crowd(name, pane))
    ]


@pytest.mark.parametrize("name", list(CROWDS))
@pytest.mark.parametrize(
    ("width", "high", "text", "most"),
    [(882, 624, 16, 0), (704, 416, 15, 5), (596, 458, 15, 3), (516, 245, 13, 9)],
    ids=["1280x800", "1024x600", "600x1024", "520x800"],
)
def test_every_badge_of_a_crowd_has_a_name_of_its_own_and_rests(
    name: str, width: int, high: int, text: int, most: int
) -> None:
    """Bare numbers, "WH 4" beside "War Host 2 4", badges nearer to a neighbour's tray."""
    pane, size = BoundingBox(2.0, 2.0, 2.0 + width, 2.0 + high), BadgeSize(float(text))
    trays = named_crowd(name, pane, size)
    placed = lay_out_badges(trays, pane, size)
    assert len(placed) == 20
    assert overlaps(placed) == []
    assert len({one.badge.name for one in placed}) == 20
    nearer = [
        one.badge.id
        for one in placed
        if any(
            one.box.gap(bounds_of(other.outline)) < one.box.gap(bounds_of(one.badge.outline)) - 2.5
            for other in trays
            if other.id != one.badge.id
        )
    ]
    assert len(nearer) <= most
    again = lay_out_badges(trays, pane, size, (), {one.badge.id: one for one in placed})
    for one, two in zip(placed, again, strict=True):
        assert two.box.centre == pytest.approx(one.box.centre, abs=1.0)
        assert two.badge.name == one.badge.name


@pytest.mark.parametrize(
    ("name", "width", "high", "text", "most"),
    [
        ("deployed", 882, 624, 16, 0),
        ("turned", 882, 624, 16, 0),
        ("deployed", 704, 416, 15, 3),
        ("turned", 704, 416, 15, 3),
        ("turned", 882, 624, 20, 0),
        ("in touch", 882, 624, 20, 6),
    ],
)
def test_names_are_whole_where_there_is_room_and_badges_beside_their_trays(
    name: str, width: int, high: int, text: int, most: int
) -> None:
    """Every long name of a full table was cut, and badges lay up to 109 px away."""
    pane, size = BoundingBox(2.0, 2.0, 2.0 + width, 2.0 + high), BadgeSize(float(text))
    placed = lay_out_badges(named_crowd(name, pane, size), pane, size)
    cut = [one.badge.name for one in placed if one.badge.name not in UNITS]
    assert len(cut) <= most, cut
    away = {one.badge.name: one.box.gap(bounds_of(one.badge.outline)) for one in placed}
    assert max(away.values()) <= text / 2, away


@pytest.mark.parametrize("before", [12.0, 13.0, 15.0])
def test_every_badge_of_a_row_finds_a_place_when_its_letters_grow(before: float) -> None:
    """The first picture of a team game had a unit without a badge: at rest its place was taken by a
    neighbour's larger badge, and it looked for no other."""
    names = ("Spearwives", "Mountain’s Men", "Guardsmen", "Halberdiers", "Trappers", "Savages")
    badges = [
        TrayBadge(str(n), f"{name} (Red {1 + n % 2})", "12", 1, tray(290.0 + 77.0 * n, 97.0))
        for n, name in enumerate(names)
    ]
    pane = BoundingBox(2.0, 2.0, 886.0, 624.0)
    first = {one.badge.id: one for one in lay_out_badges(badges, pane, BadgeSize(before))}
    placed = lay_out_badges(badges, pane, BadgeSize(16.0), (), first)
    assert len(placed) == len(badges)
    assert overlaps(placed) == []


def test_a_tray_that_moves_to_free_ground_has_its_whole_name_again() -> None:
    size = BadgeSize(15.0)
    badges = [
        TrayBadge(
            str(n), f"Mountain’s Men {n}", "12", 0, tray(160.0 + 78.0 * n, 200.0),
            shorter=(f"Mount. {n}",),
        )
        for n in range(5)
    ]  # fmt: skip
    walls = [
        BoundingBox(0.0, 0.0, 520.0, 173.0),
        BoundingBox(0.0, 268.0, 520.0, 600.0),
        BoundingBox(0.0, 0.0, 120.0, 600.0),
        BoundingBox(512.0, 0.0, 520.0, 600.0),
    ]
    first = {one.badge.id: one for one in lay_out_badges(badges, PANE, size, walls)}
    assert first["0"].badge.name == "Mount. 0"
    assert max(one.box.gap(bounds_of(one.badge.outline)) for one in first.values()) <= 3
    there = [replace(badges[0], outline=tray(620.0, 350.0)), *badges[1:]]
    then = {one.badge.id: one for one in lay_out_badges(there, PANE, size, walls, first)}
    assert then["0"].badge.name == "Mountain’s Men 0"
    assert [one.badge.name for one in then.values()][1:] == [
        one.badge.name for one in first.values()
    ][1:], "the others rest"


def test_a_unit_that_has_moved_leaves_the_objective_beside_it_in_sight() -> None:
    """A badge kept its place beside its tray, upon the flag there."""
    badge = TrayBadge("a", "Bowmen", "12", 0, tray(300.0, 200.0))
    other = TrayBadge("b", "Outriders", "12", 0, tray(100.0, 100.0))
    usual, there = lay_out_badges([badge, other], PANE, BadgeSize(15.0))
    after = replace(badge, outline=tray(400.0, 300.0))
    x, y = usual.box.centre
    flag = BoundingBox.around((x + 100.0, y + 100.0), 26.0, 26.0)
    before = {"a": usual, "b": there}
    placed, stays = lay_out_badges([after, other], PANE, BadgeSize(15.0), (), before, signs=[flag])
    assert stays == there
    assert not placed.box.overlaps(flag)


def test_badges_at_rest_leave_a_flag_that_is_put_beneath_one_and_rest_again() -> None:
    """The objective in the middle was laid while no tray moved: a badge lay on it all game."""
    badges, size = [replace(one, rank=0.0) for one in armies()], BadgeSize(15.0)
    rest = {one.badge.id: one for one in lay_out_badges(badges, PANE, size)}
    for name in ("0-6", "1-8"):
        flag = BoundingBox.around(rest[name].box.centre, 18.0, 18.0)
        found = lay_out_badges(badges, PANE, size, (), rest, signs=[flag])
        after = {one.badge.id: one for one in found}
        assert len(after) == len(rest)
        assert not any(one.box.overlaps(flag) for one in found)
        moved = [key for key in rest if after[key].box != pytest.approx(rest[key].box, abs=0.1)]
        assert moved == [name]
        again = lay_out_badges(badges, PANE, size, (), after, signs=[flag])
        for one in again:
            assert one.box.centre == pytest.approx(after[one.badge.id].box.centre, abs=1.0)


def test_a_badge_level_with_anothers_figure_has_a_line_to_its_own() -> None:
    """The Reaver's name stood right of the Captain's disc: he seemed to hold the objective."""
    own, other = tray(300.0, 200.0, 30.0, 30.0), tray(238.0, 170.0, 30.0, 30.0)
    reaver = TrayBadge("a", "Reaver", "3", 0, own, below=False)
    size = BadgeSize(15.0)
    wide, high = size.whole(reaver)
    figures = [reaver, replace(reaver, id="b", outline=other)]
    ground = Ground(PANE, figures, size, rows([]), rows([]), (), rows([]))
    there = BoundingBox(255.0, 185.0 - 2 - high, 255.0 + wide, 183.0)
    boxes = rows([there])
    found = ground.lines(np.zeros(1, dtype=int), boxes, np.maximum(-ground.depth(boxes), 0.0))
    assert not np.isnan(found).any()


def test_a_badge_leaves_marked_ground_where_there_is_open_ground() -> None:
    badge = TrayBadge("a", "Bowmen", "12", 0, tray(300.0, 200.0))
    (usual,) = lay_out_badges([badge], PANE, BadgeSize(15.0))
    mark = BoundingBox.around(usual.box.centre, 40.0, 40.0)
    (placed,) = lay_out_badges([badge], PANE, BadgeSize(15.0), marks=[(mark, 60.0)])
    assert not placed.box.overlaps(mark)
    assert placed.box.gap(bounds_of(badge.outline)) <= 8.0


def test_badges_of_deployed_armies_touch_their_trays_and_lie_beside_them() -> None:
    pane = BoundingBox(2.0, 2.0, 884.0, 626.0)
    placed = lay_out_badges(crowd("deployed", pane), pane, BadgeSize(16.0))
    for one in placed:
        assert one.box.gap(bounds_of(one.badge.outline)) <= 8.0, one.badge.id
    own = [shared(one.box, bounds_of(one.badge.outline)) > 0.2 for one in placed]
    assert sum(own) <= 2, "badges lie beside their trays, but for those at the edge of the pane"


def hexes(focus: str = "") -> list[TrayBadge]:
    """Two armies of nine units on neighbouring hexes, as they stand at the start of a battle."""
    found = []
    for number in range(18):
        side, place = divmod(number, 9)
        x, y = 250.0 + (place % 5) * 42.0, 150.0 + 260.0 * (1 - side) + (place // 5) * 44.0
        name = f"{NAMES[number % len(NAMES)]} {place}"
        outline = tray(x, y, 30.0, 34.0)
        badge = TrayBadge(f"{side}-{place}", name, "4", side, outline, tokens=("triangle", "star"))
        found.append(replace(badge, below=side == 0, focus=badge.id == focus))
    return found


HEX_PANE = BoundingBox(90.0, 2.0, 886.0, 628.0)


def test_badges_of_neighbouring_hexes_touch_them_or_have_a_line() -> None:
    size = BadgeSize(16.0)
    placed = lay_out_badges(hexes(), HEX_PANE, size)
    assert len(placed) == 18
    for one, two in combinations(placed, 2):
        assert not one.box.overlaps(two.box)
    for one in placed:
        outline, line = bounds_of(one.badge.outline), one.line
        if line is not None:
            assert outline.gap(BoundingBox(*line[0], *line[0])) == 0, "it ends on the tray"
            assert math.dist(line[0], outline.centre) > 5, "and not across it"
            assert one.box.distance(line[1]) == 0
        else:
            assert one.box.gap(outline) <= size.text / 2, one.badge.id
    assert crossed_badges(placed) == []


def test_badges_of_a_crowd_rest_while_nothing_moves() -> None:
    size = BadgeSize(16.0)
    placed = {one.badge.id: one for one in lay_out_badges(hexes(), HEX_PANE, size)}
    again = {one.badge.id: one for one in lay_out_badges(hexes(), HEX_PANE, size, (), placed)}
    for key, one in again.items():
        assert one.box.centre == pytest.approx(placed[key].box.centre)
    chosen = lay_out_badges(hexes("0-3"), HEX_PANE, size, (), placed)
    places = {one.badge.id: one.box.centre for one in chosen}
    moved = [key for key, at in places.items() if at != pytest.approx(placed[key].box.centre)]
    assert moved == []


def test_a_badge_leaves_its_place_for_a_unit_that_comes_to_stand_there() -> None:
    """Every other badge stays; the one in the way and that of the unit find a new place."""
    size, standing = BadgeSize(16.0), hexes()
    before = {one.badge.id: one for one in lay_out_badges(standing, HEX_PANE, size)}
    x, y = before["0-7"].box.centre
    moved = [
        replace(one, outline=tray(x, y, 30.0, 34.0)) if one.id == "1-0" else one for one in standing
    ]
    after = {one.badge.id: one for one in lay_out_badges(moved, HEX_PANE, size, (), before)}
    there = bounds_of(tray(x, y, 30.0, 34.0))
    assert not [key for key, one in after.items() if key != "1-0" and shared(one.box, there) > 0.21]
    changed = {
        key for key, one in after.items() if one.box.centre != pytest.approx(before[key].box.centre)
    }
    assert {key for key in changed if before[key].line is None} <= {"0-7", "1-0"}
    assert len(changed) <= 4, "those with a line may come nearer"


def test_three_neighbours_in_a_row_have_their_names_in_the_same_order() -> None:
    """Whoever stands on the left has the name on the left; no line runs across a neighbour."""
    row = [
        TrayBadge(f"{n}", f"Guards {n}", "4", 0, tray(300.0 + 36.0 * n, 200.0, 30.0, 34.0))
        for n in range(3)
    ]
    placed = {one.badge.id: one for one in lay_out_badges(row, PANE, BadgeSize(16.0))}
    middles = [placed[f"{n}"].box.centre[0] for n in range(3)]
    assert middles == sorted(middles)
    touches = [one.box.gap(bounds_of(one.badge.outline)) <= GAP + 0.1 for one in placed.values()]
    assert touches == [True] * 3
    assert [one.line is None for one in placed.values()] == [True, False, True]


def test_a_badge_touches_its_unit_at_any_size_of_the_picture() -> None:
    size = BadgeSize(16.0)
    small = lay_out_badges(hexes(), HEX_PANE, size)
    large = [
        replace(one, outline=tuple((x * 1.2, y * 1.2) for x, y in one.outline)) for one in hexes()
    ]
    pane = BoundingBox(90.0, 2.0, 1100.0, 780.0)
    grown = {
        one.badge.id: one
        for one in lay_out_badges(large, pane, size, (), {one.badge.id: one for one in small})
    }
    for one in small:
        if one.line is None:
            assert grown[one.badge.id].line is None


def test_a_pane_that_becomes_lower_moves_no_badge_to_another_side() -> None:
    """A longer line under the picture takes some of its height: no tray was moved."""
    size, pane = BadgeSize(16.0), BoundingBox(2.0, 2.0, 884.0, 626.0)
    standing = crowd("turned", pane)
    before = {one.badge.id: one for one in lay_out_badges(standing, pane, size)}
    gone = [one for one in standing if one.id != "1-3"]
    before = {one.badge.id: one for one in lay_out_badges(gone, pane, size, (), before)}
    lower = BoundingBox(2.0, 2.0, 884.0, 618.0)
    shrunk = [
        replace(one, outline=tuple((440 + (x - 440) * 0.987, y * 0.987) for x, y in one.outline))
        for one in gone
    ]
    after = {one.badge.id: one for one in lay_out_badges(shrunk, lower, size, (), before)}
    for key, one in after.items():
        assert one.away == pytest.approx(before[key].away, abs=0.06), key


def test_a_badge_over_spaces_to_tap_becomes_its_name_beside_their_signs() -> None:
    """A badge hides a space by more than a quarter of it; one that hides none stays whole."""
    size = BadgeSize(13.0)
    badge = TrayBadge("k", "Kevan", "4", 0, tray(150.0, 190.0, 28.0, 28.0))
    wide, high = size.whole(badge)
    placed = PlacedBadge(badge, BoundingBox.around((150.0, 150.0), wide, high))
    _left, top, right, low = placed.box
    beside = BoundingBox(right + 2, top, right + 27, low)
    edge = BoundingBox(right - 5, top, right + 20, low)
    assert placed.lightened([beside, edge], size) == placed
    above = BoundingBox.around((150.0, top + 6), 25.0, 25.0)
    below = BoundingBox.around((150.0, low - 6), 25.0, 25.0)
    for space in (above, below):
        name = placed.lightened([space], size)
        assert name.light
        assert name.box.bottom - name.box.top == pytest.approx(size.head)
        assert name.box.distance(space.centre) > 0, "its sign shows"

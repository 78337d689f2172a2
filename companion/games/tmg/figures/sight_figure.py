"""Arcs, lines of sight, ranges and shots as shapes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeGuard

import numpy as np
import shapely
from shapely.geometry import LineString, Point
from shapely.geometry import Polygon as Area
from shapely.ops import nearest_points

from companion.games.tmg.figures.charge_figure import FAR_IN, ground
from companion.games.tmg.rules.distances import RANGES_IN
from companion.games.tmg.rules.report import MiniaturesReport, Shot
from companion.games.tmg.rules.terrain_keywords import HIDES
from companion.overlay import shapes
from companion.overlay.shapes import Circle, Label, Polygon, Polyline, Shape, Style
from companion.text.translation import _, ruler
from models import Table, Unit
from models.footprint import corners

GRAZE_IN = 1e-6
TOLD_IN = 0.05
"""Shorter shifts are not mentioned."""
ARC_Z, LINE_Z, MARK_Z, WORDS_Z = 25, 45, 70, 80


def areas(ground: object, style: Style, z: int, about: tuple[str, ...]) -> Iterator[Polygon]:
    """Any shapely geometry as polygons."""
    for part in shapely.get_parts(ground):
        if isinstance(part, Area) and not part.is_empty:
            holes = tuple(ring(inner) for inner in part.interiors)
            yield Polygon(ring(part.exterior), style, z, about, holes)


def ring(line: LineString) -> tuple[shapes.Point, ...]:
    """The corners of a closed line, each once."""
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(line)[:-1])


# -- arcs ---------------------------------------------------------------------------------------


def far_ends(unit: Unit) -> tuple[shapes.Point, ...]:
    """The ends of the four arc lines, far off the table."""
    arc = unit.tray.arc_deg
    ends = []
    for corner, turn in zip(corners(unit), (arc, 180 - arc, 180 + arc, -arc), strict=True):
        angle = math.radians(unit.pose.heading + turn)
        ends.append((corner[0] + FAR_IN * math.cos(angle), corner[1] + FAR_IN * math.sin(angle)))
    return tuple(ends)


@lru_cache(maxsize=64)
def front_arc(unit: Unit) -> Area:
    """The area before the front edge between the front arc lines (TMG-LOS-1)."""
    left, right = corners(unit)[0], corners(unit)[3]
    far_left, far_right = far_ends(unit)[0], far_ends(unit)[3]
    return Area([left, right, far_right, unit.pose.ahead(2 * FAR_IN), far_left])


def arcs(table: Table, unit: Unit) -> Iterator[Shape]:
    """The four arc lines, and the front arc shaded."""
    board = shapely.box(0, 0, table.width, table.depth)
    about = (unit.id,)
    yield from areas(
        front_arc(unit).intersection(board), Style("arc-front", unit.side), ARC_Z, about
    )
    for corner, far in zip(corners(unit), far_ends(unit), strict=True):
        line = LineString([corner, far]).intersection(board)
        if isinstance(line, LineString) and line.length > 0:
            points = tuple(line.coords)
            yield Polyline(points, Style("arc-line", unit.side), ARC_Z + 1, about)


# -- sight --------------------------------------------------------------------------------------


def sight(report: MiniaturesReport, unit: Unit, other: Unit) -> Iterator[Shape]:
    """An unblocked line of sight to a visible target; else a broken one to the blocker."""
    answer = report.units[unit.id].sees.get(other.id)
    seen = ground(other).intersection(front_arc(unit))
    if answer is None or seen.is_empty:
        return
    about = (unit.id, other.id)
    blocking = blockers(report.table, unit, other)
    arrow = unit.pose.ahead(unit.tray.depth / 2)
    if answer.verdict != "no":
        line = free_line(unit, seen, blocking)
        yield Polyline(line, Style("sight", unit.side, answer.verdict == "yes"), LINE_Z, about)
        return
    middle = seen.representative_point()
    line = LineString([arrow, (middle.x, middle.y)])
    hits = [hit for blocker in blocking if not (hit := line.intersection(blocker)).is_empty]
    if hits:
        stop = nearest_points(Point(arrow), shapely.union_all(hits))[1]
        end = (float(stop.x), float(stop.y))
        yield Polyline((arrow, end), Style("sight-blocked", unit.side), LINE_Z, about)
        yield Circle(end, 0.25, Style("sight-blocked", unit.side), MARK_Z, about)


def blockers(table: Table, unit: Unit, other: Unit) -> list[Area]:
    """What may block line of sight: other trays, and terrain (TMG-LOS-5, -6)."""
    found = [ground(third) for third in table.units if third.id not in (unit.id, other.id)]
    for piece in table.terrain:
        outline = Area(piece.outline)
        hides = piece.keywords & HIDES
        # A unit on a piece sees out of it and is seen on it (OR-25).
        if hides and not any(outline.intersects(ground(end)) for end in (unit, other)):
            found.append(outline)
    return found


def free_line(
    unit: Unit, seen: Area, blocking: Sequence[Area]
) -> tuple[shapes.Point, shapes.Point]:
    """A line of sight to draw: the unblocked one nearest to the middle.

    Visibility itself is decided exactly by the rules; where only a grazing line is free, this picks
    the one that is blocked least.
    """
    ahead, aside = unit.tray.depth / 2, unit.tray.width / 2
    starts = [
        unit.pose.ahead(ahead, share * aside)
        for share in (0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1, -1)
    ]
    middle = seen.representative_point()
    inner = [
        (middle.x + share * (x - middle.x), middle.y + share * (y - middle.y))
        for share in (0.0, 0.5, 1.0)
        for x, y in shapely.get_coordinates(seen)[:-1]
    ]
    pairs = [(start, end) for end in inner for start in starts]
    lines = shapely.linestrings(pairs)
    hull = shapely.convex_hull(shapely.MultiPoint([*starts, *inner]))
    near = [blocker.buffer(-GRAZE_IN) for blocker in blocking if blocker.intersects(hull)]
    covered = np.zeros(len(pairs))
    for blocker in near:
        shapely.prepare(blocker)
        covered += shapely.intersects(lines, blocker)
    if covered.all():
        covered = np.sum(
            [shapely.length(shapely.intersection(lines, blocker)) for blocker in near], axis=0
        )
    start, end = pairs[int(np.argmin(covered.round(6)))]
    return start, (float(end[0]), float(end[1]))


# -- shots --------------------------------------------------------------------------------------


def shot_open(shot: Shot | None) -> TypeGuard[Shot]:
    """Whether a shot is allowed, or unsure."""
    return shot is not None and shot.answer.verdict != "no"


def shot_line(unit: Unit, target: Unit, shot: Shot) -> Polyline:
    """A line from the front arrow, after the shift, to the target's nearest point (TMG-RNG-9)."""
    start = unit.pose.shifted(*shot.shift).ahead(unit.tray.depth / 2)
    near = nearest_points(ground(target), Point(start))[0]
    style = Style("shot", unit.side, shot.answer.verdict == "yes")
    end = (float(near.x), float(near.y))
    return Polyline((start, end), style, LINE_Z, (unit.id, target.id), arrow=True)


def shot_words(line: Polyline, shot: Shot) -> Label:
    """The label of a shot: attack, range, and the shift it takes."""
    text = f"{shot.attack or ''} {ruler().length(line.length_in, 1)}".strip()
    if shot.answer.verdict == "unsure":
        text += " ?"
    forward, left = shot.shift
    ways = (forward, _("forward"), _("back")), (left, _("left"), _("right"))
    for inches, ahead, back in ways:
        if abs(inches) >= TOLD_IN:
            way = ahead if inches > 0 else back
            far = ruler().length(abs(inches), 1)
            text += "\n" + _("shift {length} {way}").format(length=far, way=way)
    spots = tuple(line.at(share) for share in (0.6, 0.5, 0.7, 0.4, 0.8))
    return Label(text, spots, Style("shot", line.style.side, line.style.sure), WORDS_Z, line.about)


def ranges(table: Table, unit: Unit) -> Iterator[Shape]:
    """The range of each kind of shot within the front arc, from the front arrow."""
    board = shapely.box(0, 0, table.width, table.depth)
    arrow = Point(unit.pose.ahead(unit.tray.depth / 2))
    for kind in sorted({attack.kind for attack in unit.ranged}):
        reach = RANGES_IN[kind]
        arc = arrow.buffer(reach, quad_segs=32).exterior.intersection(front_arc(unit))
        line = shapely.line_merge(arc.intersection(board))
        for part in shapely.get_parts(line):
            points = tuple((float(x), float(y)) for x, y in shapely.get_coordinates(part))
            if len(points) > 1:
                border = Polyline(points, Style("range", unit.side), LINE_Z, (unit.id,))
                yield border
                spots = tuple(border.at(share) for share in (0.5, 0.35, 0.65, 0.2, 0.8))
                yield Label(ruler().limit(reach), spots, Style("range", unit.side), WORDS_Z - 30)

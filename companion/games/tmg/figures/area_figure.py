"""Areas as shapes: arcs, sight, ranges, what a unit can shoot at, reach and threaten."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeGuard

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Point
from shapely.geometry import Polygon as Area
from shapely.ops import nearest_points

from companion.games.tmg.figures.charge_figure import FAR_IN, ground
from companion.games.tmg.rules.report import MiniaturesReport, Shot
from companion.games.tmg.rules.rulebook import (
    CLEAR_IN,
    CONTACT_IN,
    HIDES,
    RANGES_IN,
    ROUGH_IN,
    SLOWS,
    STOPS,
)
from companion.games.tmg.rules.threat import Threat
from companion.overlay import shapes
from companion.overlay.shapes import Circle, Label, Polygon, Polyline, Shape, Style
from models import Pose, Table, Tray, Unit
from models.message import joined, say, word
from models.unit import corners

GRAZE_IN = 1e-6
TOLD_IN = 0.05
"""Shorter shifts are not mentioned."""
ARC_Z, LINE_Z, MARK_Z, SIGHT_WORDS_Z = 25, 45, 70, 80


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
    doubt = "?" if shot.answer.verdict == "unsure" else ""
    length = say("{far:.1f}″", far=line.length_in)
    lines = [joined(filter(None, (shot.attack, length, doubt)), " ")]
    forward, left = shot.shift
    ways = (forward, say("forward"), say("back")), (left, word("way", "left"), word("way", "right"))
    for inches, ahead, back in ways:
        if abs(inches) >= TOLD_IN:
            way = ahead if inches > 0 else back
            lines.append(say("shift {far:.1f}″ {way}", far=abs(inches), way=way))
    spots = tuple(line.at(share) for share in (0.6, 0.5, 0.7, 0.4, 0.8))
    return Label(
        joined(lines, "\n"),
        spots,
        Style("shot", line.style.side, line.style.sure),
        SIGHT_WORDS_Z,
        line.about,
    )


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
                yield Label(
                    say("{reach:g}″", reach=reach),
                    spots,
                    Style("range", unit.side),
                    SIGHT_WORDS_Z - 30,
                )


TURN_DEG = 4.0
STEP_IN = 0.25
SMOOTH_IN = 0.4
"""Notches between two evaluated headings that are narrower than this are closed."""
REACH_Z, REACH_WORDS_Z = 22, 70


def reach(report: MiniaturesReport, unit: Unit) -> Iterator[Shape]:
    """The area its tray may cover at the end of a Maneuver, and of a March."""
    moves = report.units[unit.id].moves
    about, far = (unit.id,), float(unit.speed)
    for name, text, headings, most, side in (
        ("march", say("march {length:g}″", length=2 * far), (unit.pose.heading,), 2 * far, 1),
        ("maneuver", say("maneuver {length:g}″", length=far), all_round(unit), far, -1),
    ):
        answer = moves.get(name)
        if answer is None or answer.verdict == "no":
            continue
        around = ReachArea.of(report.table, unit, most)
        stood = ends(around, unit.tray, unit.pose, headings, most)
        if stood.is_empty:
            continue
        style = Style("reach", unit.side, answer.verdict == "yes", 1.0, name)
        yield from areas(stood, style, REACH_Z, about)
        spots = rim(stood, unit, side)
        yield Label(text, spots, Style("reach", move=name), REACH_WORDS_Z)


def all_round(unit: Unit) -> tuple[float, ...]:
    """Headings to evaluate, the current one first (TMG-MAN-2)."""
    return tuple(unit.pose.heading + turn for turn in np.arange(0.0, 360.0, TURN_DEG).tolist())


def diagonal(unit: Unit) -> float:
    """The diagonal of its tray."""
    return math.hypot(unit.tray.width, unit.tray.depth)


Outline = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class ReachArea:
    """The obstacles near enough to a unit to limit a move; the key of the cache of `ends`."""

    foes: tuple[Outline, ...]
    friends: tuple[Outline, ...]
    solid: tuple[Outline, ...]
    rough: tuple[Outline, ...]
    size_in: tuple[float, float]

    @classmethod
    def of(cls, table: Table, unit: Unit, most_in: float) -> ReachArea:
        """Everything within reach of a move of that length."""
        far = most_in + diagonal(unit) / 2 + CLEAR_IN
        spot = shapely.Point(unit.pose.x, unit.pose.y)

        def near(outlines: Iterable[Outline]) -> tuple[Outline, ...]:
            return tuple(
                outline for outline in outlines if shapely.Polygon(outline).distance(spot) <= far
            )

        others = [other for other in table.units if other.id != unit.id]
        pieces = table.terrain
        return cls(
            near(corners(other) for other in others if other.side != unit.side),
            near(corners(other) for other in others if other.side == unit.side),
            near(piece.outline for piece in pieces if piece.keywords & STOPS),
            near(piece.outline for piece in pieces if piece.keywords & SLOWS),
            (table.width, table.depth),
        )


@lru_cache(maxsize=64)
def ends(
    around: ReachArea, tray: Tray, pose: Pose, headings: tuple[float, ...], most_in: float
) -> shapely.Geometry:
    """The area the tray covers at the ends of all legal straight moves with these headings."""
    steps = np.unique(np.append(np.arange(0.0, most_in, STEP_IN), [most_in - ROUGH_IN, most_in]))
    steps = steps[steps >= 0]
    trays = footprints(tray, pose, np.radians(headings), steps)
    shrunk = shapely.buffer(trays, -CONTACT_IN, join_style="mitre")
    foes, friends = merged_outlines(around.foes), merged_outlines(around.friends)
    solid, rough = merged_outlines(around.solid), merged_outlines(around.rough)
    # The path: through no enemy (TMG-MOV-10) and no impassable piece (TMG-TER-15).
    stopped = shapely.intersects(shrunk, foes) | shapely.intersects(shrunk, solid)
    slowed = np.logical_or.accumulate(shapely.intersects(shrunk, rough), axis=1)
    legal = ~np.logical_or.accumulate(stopped, axis=1)
    legal &= steps[None, :] <= most_in - ROUGH_IN * slowed + 1e-9
    # The end: clear of enemies, on no friend (TMG-MOV-9), wholly on the table (OR-18).
    legal &= shapely.distance(trays, foes) >= CLEAR_IN if not foes.is_empty else True
    legal &= ~shapely.intersects(shrunk, friends)
    legal &= shapely.covers(shapely.box(0, 0, *around.size_in), shrunk)
    stood = shapely.union_all(lanes(trays, legal), grid_size=0.01)
    return stood.buffer(SMOOTH_IN).buffer(-SMOOTH_IN).simplify(0.02)


def lanes(trays: NDArray[np.object_], legal: NDArray[np.bool_]) -> list[shapely.Geometry]:
    """The area covered by each unbroken run of legal ends."""
    edges = np.diff(np.pad(legal.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    first, last = np.argwhere(edges == 1), np.argwhere(edges == -1)
    pairs = np.stack([trays[*first.T], trays[*(last - [0, 1]).T]], axis=1)
    return list(shapely.convex_hull(shapely.multipolygons(pairs)))


def merged_outlines(outlines: Iterable[Outline]) -> shapely.Geometry:
    """The union of these outlines, prepared for many queries."""
    whole = shapely.union_all([shapely.Polygon(outline) for outline in outlines])
    shapely.prepare(whole)
    return whole


def footprints(
    tray: Tray, pose: Pose, headings: NDArray[np.float64], steps: NDArray[np.float64]
) -> NDArray[np.object_]:
    """The tray after each travel (columns) with each heading (rows)."""
    forward = np.stack([np.cos(headings), np.sin(headings)], axis=-1)[:, None, None, :]
    left = np.stack([-np.sin(headings), np.cos(headings)], axis=-1)[:, None, None, :]
    ahead, aside = tray.depth / 2, tray.width / 2
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    centre = np.array([pose.x, pose.y]) + forward * steps[None, :, None, None]
    corners = (
        centre
        + forward * (signs[:, :1] * ahead)[None, None]
        + left * (signs[:, 1:] * aside)[None, None]
    )
    found: NDArray[np.object_] = shapely.polygons(corners)
    return found


def rim(stood: shapely.Geometry, unit: Unit, side: int) -> tuple[tuple[float, float], ...]:
    """Positions for the label along the border, first those far ahead (with -1, far behind).

    Of equally far ones the middle comes first; lengths are rounded, as a whole front edge is equal.
    """
    points = shapely.get_coordinates(shapely.get_parts(stood)[0].exterior.segmentize(1 + 1e-6))
    centre = np.array([unit.pose.x, unit.pose.y])
    x, y = np.array(unit.pose.ahead(float(side))) - centre
    ahead, aside = ((points - centre) @ np.array([[x, -y], [y, x]])).round(6).T
    order = np.lexsort((aside, np.abs(aside), -ahead))
    return tuple((float(x), float(y)) for x, y in points[order][::2][:24])


BANDS = ((6, "threat-far"), (3, "threat"))
"""The area within reach of any roll, and the area within reach of a roll of 3."""

THREAT_Z = 16
SMALLEST_IN2 = 0.5
"""Smaller slivers between two shadows are not drawn."""


def threat_shapes(table: Table, threats: Sequence[Threat]) -> Iterator[Polygon]:
    """For each side the area its units threaten together: charges in two bands, then shots."""
    for side in table.sides():
        own = [threat for threat in threats if table.unit(threat.unit).side == side]
        for most, role in BANDS:
            band = [one.area for one in own if one.kind == "charge" and (one.needs or 0) <= most]
            yield from merged_threats(tuple(band), Style(role, side))
        shots = [one.area for one in own if one.kind == "shot"]
        yield from merged_threats(tuple(shots), Style("threat-shot", side))


@lru_cache(maxsize=16)
def merged_threats(pieces: tuple[shapely.Geometry, ...], style: Style) -> tuple[Polygon, ...]:
    """The union of these areas without slivers; cached, as all units of a side share it."""
    whole = shapely.union_all(list(pieces), grid_size=0.01)
    large = [part for part in shapely.get_parts(whole) if part.area > SMALLEST_IN2]
    return tuple(areas(shapely.GeometryCollection(large), style, THREAT_Z, ()))

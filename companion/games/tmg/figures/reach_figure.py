"""The area a unit can reach with a Maneuver or a March, as shapes, without its last pivot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from companion.games.tmg.figures.sight_figure import areas
from companion.games.tmg.rules.distances import CLEAR_IN, CONTACT_IN, ROUGH_IN
from companion.games.tmg.rules.report import MiniaturesReport
from companion.games.tmg.rules.terrain_keywords import SLOWS, STOPS
from companion.overlay.shapes import Label, Shape, Style
from companion.text.translation import _, ruler
from models import Pose, Table, Tray, Unit
from models.footprint import corners

TURN_DEG = 4.0
STEP_IN = 0.25
SMOOTH_IN = 0.4
"""Notches between two evaluated headings that are narrower than this are closed."""
REACH_Z, WORDS_Z = 22, 70


def reach(report: MiniaturesReport, unit: Unit) -> Iterator[Shape]:
    """The area its tray may cover at the end of a Maneuver, and of a March."""
    moves = report.units[unit.id].moves
    about = (unit.id,)
    for name, text, headings, most, side in (
        ("march", _("march {length}"), (unit.pose.heading,), 2.0 * unit.speed, 1),
        ("maneuver", _("maneuver {length}"), all_round(unit), float(unit.speed), -1),
    ):
        answer = moves.get(name)
        if answer is None or answer.verdict == "no":
            continue
        around = ReachArea.of(report.table, unit, most)
        stood = ends(around, unit.tray, unit.pose, headings, most)
        if stood.is_empty:
            continue
        style = Style("reach", unit.side, answer.verdict == "yes", 1.0)
        yield from areas(stood, style, REACH_Z, about)
        spots = rim(stood, unit, side)
        yield Label(text.format(length=ruler().limit(most)), spots, Style("reach"), WORDS_Z)


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
    foes, friends = merged(around.foes), merged(around.friends)
    solid, rough = merged(around.solid), merged(around.rough)
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


def merged(outlines: Iterable[Outline]) -> shapely.Geometry:
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

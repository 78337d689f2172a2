"""Shapes on the table, and the same shapes a little larger or smaller.

Whatever an answer leans on is tried twice: with every obstacle grown by `EPS_IN` and with every
obstacle shrunk by it. Where both say the same the answer is sure; elsewhere it is near a limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from models import Pose, Table, Terrain, Unit

EPS_IN = 0.01
"""An answer that turns when shapes grow or shrink by this much is near its limit."""

CONTACT_IN = 0.02
"""Trays no farther apart than this touch."""

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Sure = bool | None
"""Yes, no, or None: too near a limit to be held against anyone."""


@lru_cache(maxsize=4096)
def tray_ring(unit: Unit, grow: float = 0.0) -> Array:
    """The four corners of a tray, grown by so much on every side, counter-clockwise."""
    length, width = unit.tray.depth / 2 + grow, unit.tray.width / 2 + grow
    angle = math.radians(unit.pose.heading)
    ahead = np.array([math.cos(angle), math.sin(angle)])
    left = np.array([-math.sin(angle), math.cos(angle)])
    centre = np.array([unit.pose.x, unit.pose.y])
    return np.array(
        [
            centre + f * length * ahead + s * width * left
            for f, s in ((1, 1), (-1, 1), (-1, -1), (1, -1))
        ]
    )


@lru_cache(maxsize=4096)
def tray_shape(unit: Unit, grow: float = 0.0) -> Polygon:
    """The tray as a polygon."""
    return Polygon(tray_ring(unit, grow))


@lru_cache(maxsize=4096)
def piece_rings(piece: Terrain, grow: float = 0.0) -> list[Array]:
    """The outlines of a piece, grown or shrunk; shrinking may tear it apart or use it up."""
    shape = Polygon(piece.outline)
    if grow:
        shape = shape.buffer(grow, join_style="mitre", mitre_limit=3.0)
    parts = [part for part in getattr(shape, "geoms", [shape]) if not part.is_empty]
    return [np.array(part.exterior.coords)[:-1] for part in parts]


@lru_cache(maxsize=4096)
def piece_shape(piece: Terrain, grow: float = 0.0) -> shapely.Geometry:
    """The piece as a polygon, or several after shrinking."""
    return shapely.union_all([Polygon(ring) for ring in piece_rings(piece, grow)])


def overlap(unit: Unit, piece: Terrain, slack: float = 0.0) -> Sure:
    """Whether a tray lies on a piece (OR-24): any overlap; not sure if `slack` could change it."""
    if not tray_shape(unit, slack).intersects(piece_shape(piece, EPS_IN)):
        return False
    if not slack and tray_shape(unit).intersects(piece_shape(piece, -EPS_IN)):
        return True
    return None


def gap(unit: Unit, other: Unit) -> float:
    """Shortest distance tray to tray."""
    return float(tray_shape(unit).distance(tray_shape(other)))


def touching(unit: Unit, other: Unit) -> Sure:
    """Whether two trays are in contact."""
    return below(gap(unit, other), CONTACT_IN)


def below(value: float, limit: float, eps: float = EPS_IN) -> Sure:
    """value <= limit, as far as it can be told."""
    if value <= limit - eps:
        return True
    return None if value <= limit + eps else False


def every(answers: Iterable[Sure]) -> Sure:
    """Yes if all are, no if one is not."""
    found = list(answers)
    if any(answer is False for answer in found):
        return False
    return None if any(answer is None for answer in found) else True


def some(answers: Iterable[Sure]) -> Sure:
    """Yes if one is, no if none is."""
    found = list(answers)
    if any(answer is True for answer in found):
        return True
    return None if any(answer is None for answer in found) else False


def engaged(table: Table, unit: Unit) -> dict[str, Sure]:
    """Which enemies a unit is in contact with (TMG-GLO-11)."""
    return {enemy.id: touching(unit, enemy) for enemy in table.enemies(unit)}


def arrow_range(unit: Unit, target: Unit) -> float:
    """From the middle of the front edge to the nearest point of the other tray (TMG-RNG-9)."""
    ring = tray_ring(unit)
    arrow = shapely.Point((ring[0] + ring[3]) / 2)
    return float(arrow.distance(tray_shape(target)))


def turned(unit: Unit, heading: float) -> Unit:
    """The unit after a pivot around its centre (TMG-MOV-1)."""
    return unit.at(Pose(unit.pose.x, unit.pose.y, heading))


def inside_table(table: Table, shapes: NDArray[np.object_], slack: float) -> Flags:
    """Which shapes lie on the battlefield (OR-18), give or take the slack."""
    bounds = shapely.bounds(shapes)
    flags: Flags = (
        (bounds[:, 0] >= -slack)
        & (bounds[:, 1] >= -slack)
        & (bounds[:, 2] <= table.width + slack)
        & (bounds[:, 3] <= table.depth + slack)
    )
    return flags


# -- straight lines against slabs and rings ---------------------------------------------------


def within_slab(
    start: Array, step: Array, low: Array | float, high: Array | float
) -> tuple[Array, Array]:
    """For which t the value start + t * step lies in [low, high]: from, to (from > to: never)."""
    flat = np.abs(step) < 1e-15
    safe = np.where(flat, 1.0, step)
    one, two = (low - start) / safe, (high - start) / safe
    never = flat & ((start < low) | (start > high))
    first = np.where(flat, np.where(never, np.inf, -np.inf), np.minimum(one, two))
    last = np.where(flat, np.where(never, -np.inf, np.inf), np.maximum(one, two))
    return first, last


@dataclass(frozen=True, slots=True)
class Corridors:
    """Half strips that start at the back edge of a tray and run forward, one per heading."""

    centre: tuple[float, float]
    headings: Array
    width: float
    depth: float

    def nearest(self, rings: list[Array]) -> Array:
        """Smallest forward coordinate at which each corridor meets a shape, from the centre.

        Less than half the depth: the shape lies on the tray itself. Infinity: out of the way.
        """
        angles = np.radians(self.headings)
        cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
        best = np.full(len(self.headings), np.inf)
        for ring in rings:
            dx, dy = ring[:, 0] - self.centre[0], ring[:, 1] - self.centre[1]
            ahead, left = dx * cos + dy * sin, dy * cos - dx * sin
            run, rise = np.roll(ahead, -1, 1) - ahead, np.roll(left, -1, 1) - left
            from_side, to_side = within_slab(left, rise, -self.width / 2, self.width / 2)
            from_back, to_back = within_slab(ahead, run, -self.depth / 2, 1e6)
            first = np.maximum(np.maximum(from_side, from_back), 0.0)
            last = np.minimum(np.minimum(to_side, to_back), 1.0)
            hit = first <= last
            first, last = np.where(hit, first, 0.0), np.where(hit, last, 0.0)
            met = np.minimum(ahead + first * run, ahead + last * run)
            best = np.minimum(best, np.where(hit, met, np.inf).min(axis=1))
            if Polygon(ring).contains(shapely.Point(self.centre)):
                best[:] = -self.depth / 2
        return best

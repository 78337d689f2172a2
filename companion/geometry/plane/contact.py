"""Contact and alignment: where a tray can lie flush against an edge of another.

The coordinate s runs along the target's edge, 0 at its middle; a placement is the offset s of the
moving tray's centre. At s = 0 the centres are aligned (100 %); the contact shrinks as |s| grows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.geometry.plane.arcs import FRONT, LEFT, REAR
from companion.geometry.plane.sight.los_query import Other
from companion.geometry.plane.sight.scalar_shapes import ConvexPart, OrientedRect, Spot

SPARE_IN = 0.005
"""Neighbours may overlap by this much: positions are entered with two decimals."""
BEYOND_IN = 1.0
"""Obstacles more than this beyond any possible contact take no room on the edge."""
Span = tuple[float, float]


def edge_of(tray: OrientedRect, arc: int) -> tuple[float, float, float, float]:
    """The tray's edge in that arc: outward normal (x, y), distance from the centre, half length."""
    _, _, cos, sin, deep, wide = tray
    if arc in (FRONT, REAR):
        return (cos, sin, deep, wide) if arc == FRONT else (-cos, -sin, deep, wide)
    return (-sin, cos, wide, deep) if arc == LEFT else (sin, -cos, wide, deep)


class TrayEdge(NamedTuple):
    """The edge of a target that a mover would lie against, and the size of the mover."""

    x: float  # the centre of the target tray
    y: float
    out_x: float  # the edge's outward normal
    out_y: float
    level: float  # distance of the edge from the target's centre
    length: float
    depth: float  # of the moving tray
    width: float

    @classmethod
    def of(cls, mover: OrientedRect, target: OrientedRect, arc: int) -> TrayEdge:
        """The target's edge in that arc, for a mover that touches it with its front."""
        out_x, out_y, level, half = edge_of(target, arc)
        return cls(
            target.x, target.y, out_x, out_y, level, 2 * half, 2 * mover.deep, 2 * mover.wide
        )

    @property
    def along(self) -> Spot:
        """The unit vector along the edge: the outward normal rotated left."""
        return -self.out_y, self.out_x

    @property
    def half_offset(self) -> float:
        """The offset at which the contact is half of the shorter of front and edge (OR-8)."""
        return max(self.width, self.length) / 2

    def inside(self, spot: Spot) -> Spot:
        """A point relative to the target's centre: the distance outward and along the edge."""
        x, y = spot[0] - self.x, spot[1] - self.y
        return x * self.out_x + y * self.out_y, y * self.out_x - x * self.out_y

    def tray(self, offset: float) -> OrientedRect:
        """The mover's rectangle at that offset."""
        x, y, out_x, out_y, level, _, depth, width = self
        away = level + depth / 2
        x, y = x + out_x * away - out_y * offset, y + out_y * away + out_x * offset
        return OrientedRect(x, y, -out_x, -out_y, depth / 2, width / 2)

    def contact(self, offset: float) -> float:
        """The share of the shorter of front and edge that touches at that offset (OR-8)."""
        short = min(self.width, self.length)
        return min(max((self.width + self.length) / 2 - abs(offset), 0.0), short) / short

    def near(self, trays: Iterable[Other], ignored: Collection[int]) -> Iterator[list[Spot]]:
        """The corners, in the edge's frame, of trays that overlap where the mover may lie."""
        x, y, out_x, out_y, level, length, depth, width = self
        far = width + length / 2 + BEYOND_IN
        for (tray_x, tray_y, cos, sin, deep, wide), radius, place in trays:
            dx, dy = tray_x - x, tray_y - y
            away = dx * out_x + dy * out_y
            if not -radius < away - level < depth + radius or place in ignored:
                continue  # broad phase: its bounding circle lies outside
            along = dy * out_x - dx * out_y
            c, s = cos * out_x + sin * out_y, sin * out_x - cos * out_y
            deep, wide = max(deep, 1e-6), max(wide, 1e-6)
            reach = abs(c) * deep + abs(s) * wide
            if -reach < away - level < depth + reach and -far - radius < along < far + radius:
                yield OrientedRect(away, along, c, s, deep, wide).corners()

    def may_touch(self, part: ConvexPart) -> bool:
        """Whether the bounding circle of a terrain part overlaps where the mover may lie."""
        dx, dy = part.x - self.x, part.y - self.y
        away, along = dx * self.out_x + dy * self.out_y, dy * self.out_x - dx * self.out_y
        far = self.width + self.length / 2 + BEYOND_IN + part.radius
        return -part.radius < away - self.level < self.depth + part.radius and abs(along) < far

    def taken_by(self, corners: Sequence[Spot]) -> Span | None:
        """The open interval of offsets at which the mover's tray overlaps a polygon, or None.

        The corners are in the edge's frame (see `inside`); overlaps up to `SPARE_IN` do not count.
        """
        low, high = self.level + SPARE_IN, self.level + self.depth - SPARE_IN
        least, most = math.inf, -math.inf
        from_away, from_along = corners[-1]
        for away, along in corners:
            step = away - from_away
            if step:
                one, two = (low - from_away) / step, (high - from_away) / step
                enter, leave = (one, two) if one < two else (two, one)
                if enter < 1.0 and leave > 0.0:
                    way = along - from_along
                    one = from_along + enter * way if enter > 0.0 else from_along
                    two = from_along + leave * way if leave < 1.0 else along
                    least, most = min(least, one, two), max(most, one, two)
            elif low < away < high:
                least, most = min(least, from_along, along), max(most, from_along, along)
            from_away, from_along = away, along
        half = self.width / 2
        return None if least > most else (least - half, most + half)


@dataclass(frozen=True, slots=True, eq=False)
class EdgeRoom:
    """The blocked offsets along an edge: open intervals, and the limits set by the table."""

    taken: list[Span]
    table: Span  # offsets that keep the tray on the table

    def eased(self, aside: float) -> EdgeRoom:
        """The same with every obstacle moved away by this much, or closer where negative."""
        spans = [(low + aside, high - aside) for low, high in self.taken]
        return EdgeRoom(spans, (self.table[0] - aside, self.table[1] + aside))

    def free(self, offset: float) -> bool:
        first, last = self.table
        return first - SPARE_IN <= offset <= last + SPARE_IN and not any(
            low + SPARE_IN < offset < high - SPARE_IN for low, high in self.taken
        )

    def nearest(self, wish: float, most: float) -> float | None:
        """The free offset nearest to `wish` with |offset| <= most, or None."""
        return self.near_wishes([wish], most)[0]

    def near_wishes(self, wishes: Sequence[float], most: float) -> list[float | None]:
        """`nearest` for several wishes."""
        if most < 0:
            return [None] * len(wishes)
        first, last = self.table
        least, greatest = max(-most, first) - SPARE_IN, min(most, last) + SPARE_IN
        taken = [
            (low, high)
            for low, high in self.taken
            if low < high and low <= greatest and high >= least
        ]

        def is_free(end: float) -> bool:
            return least <= end <= greatest and not any(
                low + SPARE_IN < end < high - SPARE_IN for low, high in taken
            )

        ends = [*(low for low, _ in taken), *(high for _, high in taken), first, last, most, -most]
        free = [end for end in ends if is_free(end)]

        def nearest_to(wish: float) -> float | None:
            if is_free(wish):
                return wish
            return min(free, key=lambda end: round(abs(end - wish), 6), default=None)

        return list(map(nearest_to, wishes))


def room(edge: TrayEdge, things: Iterable[Sequence[Spot]], size: Span | None) -> EdgeRoom:
    """The offsets blocked by polygons in the edge's frame; without `size` the table is endless."""
    taken = map(edge.taken_by, things)
    limits = (-math.inf, math.inf) if size is None else table_limits(edge, size)
    return EdgeRoom([span for span in taken if span is not None], limits)


def table_limits(edge: TrayEdge, size: Span) -> Span:
    """The least and greatest offset at which the placed tray is on the table."""
    away, low, high = edge.level + edge.depth / 2, -math.inf, math.inf
    far = edge.level + edge.depth + edge.width + edge.length  # no tray in contact reaches farther
    if far < edge.x < size[0] - far and far < edge.y < size[1] - far:
        return low, high
    for start, out, along, end in zip(edge[:2], edge[2:4], edge.along, size, strict=True):
        base = start + out * away
        extent = abs(out) * edge.depth / 2 + abs(along) * edge.width / 2
        if abs(along) < 1e-9:
            if base < extent - SPARE_IN or base > end - extent + SPARE_IN:
                low = math.inf
        else:
            one, two = (extent - base) / along, (end - extent - base) / along
            low, high = max(low, min(one, two)), min(high, max(one, two))
    return low, high


def touch_share(corners: Iterable[Spot], edge: TrayEdge, within_in: float) -> float:
    """The contact of a tray with these corners, as a share of the shorter of its side and the edge.

    0 where it does not lie flush.
    """
    spots = [edge.inside(spot) for spot in corners]
    near = [along for away, along in spots if abs(away - edge.level) <= within_in]
    if len(near) < 2:
        return 0.0
    low, high, half = min(near), max(near), edge.length / 2
    touch = max(0.0, min(high, half) - max(low, -half))
    return touch / max(min(high - low, 2 * half), 1e-9)

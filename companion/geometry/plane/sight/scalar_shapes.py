"""Front edges, trays and terrain parts as scalar shapes, for single line-of-sight queries.

The frame of a front edge: x runs straight ahead of the edge, y to its left; the edge is where x = 0
and |y| <= wide, and the front arc where x >= 0 and |y| <= wide + slope · x. A line of sight starts
on the edge at height a and has the slope m: y = a + m · x.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.geometry.plane.solids import TOUCH_IN, Walls
from companion.geometry.plane.trays import Trays

Spot = tuple[float, float]
NEVER = (math.inf, -math.inf)
GRAZE_IN = 1e-9
"""A line may enter a blocker by this much: the rounding error of a grazing contact."""
ON_LINE_IN = 1e-9
"""A point outside an arc line by no more than this is on it."""
NEAR_IN = 1e-6
"""Corners outside the region between by no more than this count as inside."""


class ViewEdge(NamedTuple):
    """A front edge: its midpoint, facing, half length, and the tangent of the arc lines."""

    x: float
    y: float
    cos: float
    sin: float
    wide: float
    slope: float

    def slid(self, ahead: float, aside: float) -> ViewEdge:
        """The same edge moved forward and to its left."""
        x, y, cos, sin, wide, slope = self
        return ViewEdge(*slid(x, y, cos, sin, ahead, aside), cos, sin, wide, slope)

    def eased(self, spread: float, turn: float) -> ViewEdge:
        """A longer edge (shorter where negative) with its arc widened by `turn` radians."""
        angle = min(max(math.atan(self.slope) + turn, 1e-3), math.pi / 2 - 1e-3)
        return self._replace(wide=max(self.wide + spread, 1e-6), slope=math.tan(angle))

    def inside(self, spot: Spot) -> Spot:
        """A point of the table in the edge's frame."""
        x, y = spot[0] - self.x, spot[1] - self.y
        return x * self.cos + y * self.sin, y * self.cos - x * self.sin


class OrientedRect(NamedTuple):
    """A tray as an oriented rectangle: centre, facing, half depth and half width."""

    x: float
    y: float
    cos: float
    sin: float
    deep: float
    wide: float

    def seen_by(self, eye: ViewEdge) -> OrientedRect:
        """The rectangle in the frame of a viewer's front edge."""
        x, y, cos, sin, deep, wide = self
        dx, dy, c, s = x - eye.x, y - eye.y, eye.cos, eye.sin
        return OrientedRect(
            dx * c + dy * s,
            dy * c - dx * s,
            cos * c + sin * s,
            sin * c - cos * s,
            deep,
            wide,
        )

    def grown(self, by: float) -> OrientedRect:
        """The same rectangle, larger on every side."""
        x, y, cos, sin, deep, wide = self
        return OrientedRect(x, y, cos, sin, deep + by, wide + by)

    def slid(self, ahead: float, aside: float) -> OrientedRect:
        """The same tray moved forward and to its left."""
        x, y, cos, sin, deep, wide = self
        return OrientedRect(*slid(x, y, cos, sin, ahead, aside), cos, sin, deep, wide)

    def turned(self, heading_rad: float) -> OrientedRect:
        """The same tray with another heading."""
        x, y, _, _, deep, wide = self
        return OrientedRect(x, y, math.cos(heading_rad), math.sin(heading_rad), deep, wide)

    def swept(self, travel: float) -> OrientedRect:
        """The area the tray covers when it moves straight forward."""
        x, y, cos, sin, deep, wide = self
        half = travel / 2
        return OrientedRect(x + half * cos, y + half * sin, cos, sin, deep + half, wide)

    def inside(self, spot: Spot) -> Spot:
        """A point of the table in the tray's frame."""
        x, y = spot[0] - self.x, spot[1] - self.y
        return x * self.cos + y * self.sin, y * self.cos - x * self.sin

    def meets(self, other: OrientedRect) -> bool:
        """Whether the interiors of two rectangles overlap (separating axes)."""
        x, y, c, s, deep, wide = self
        to_x, to_y, cos, sin, length, width = other
        dx, dy = to_x - x, to_y - y
        along, across = abs(c * cos + s * sin), abs(c * sin - s * cos)
        return (
            abs(dx * c + dy * s) < deep + along * length + across * width
            and abs(dy * c - dx * s) < wide + across * length + along * width
            and abs(dx * cos + dy * sin) < length + along * deep + across * wide
            and abs(dy * cos - dx * sin) < width + across * deep + along * wide
        )

    @property
    def heading(self) -> float:
        """The heading in degrees."""
        return math.degrees(math.atan2(self.sin, self.cos)) % 360

    @property
    def front(self) -> Spot:
        """The middle of the front edge."""
        return self.x + self.deep * self.cos, self.y + self.deep * self.sin

    def corners(self) -> list[Spot]:
        """The corners, counter-clockwise."""
        x, y, cos, sin, deep, wide = self
        ahead, up = deep * cos, deep * sin
        aside, over = -wide * sin, wide * cos
        return [
            (x + ahead + aside, y + up + over),
            (x - ahead + aside, y - up + over),
            (x - ahead - aside, y - up - over),
            (x + ahead - aside, y + up - over),
        ]

    def times(self, a: float, dx: float, dy: float) -> tuple[float, float]:
        """The parameters at which a line from (0, a) enters and leaves; enter > leave if never."""
        x, y, c, s, deep, wide = self
        y = a - y
        u, v = y * s - x * c, y * c + x * s
        du, dv = dx * c + dy * s, dy * c - dx * s
        if abs(u * dv - v * du) >= abs(dv) * deep + abs(du) * wide:
            return NEVER
        if not du:
            return -v / dv - wide / abs(dv), -v / dv + wide / abs(dv)
        middle, half = -u / du, deep / abs(du)
        enter, leave = middle - half, middle + half
        if dv:
            middle, half = -v / dv, wide / abs(dv)
            enter, leave = max(enter, middle - half), min(leave, middle + half)
        return enter, leave


class ConvexPart(NamedTuple):
    """A convex part of a terrain piece: inside is nx · x + ny · y >= offset for every plane.

    Its bounding circle has the centre (x, y).
    """

    piece: int
    corners: Sequence[Spot]
    planes: Sequence[tuple[float, float, float]]
    x: float
    y: float
    radius: float

    @classmethod
    def of(
        cls,
        piece: int,
        corners: list[list[float]],
        normal: list[list[float]],
        offset: list[float],
    ) -> ConvexPart:
        """A part from its rows in the arrays, without the padding."""
        planes = [(nx, ny, away) for (nx, ny), away in zip(normal, offset, strict=True)]
        spots = list(dict.fromkeys((x, y) for x, y in corners))
        x, y = (sum(way) / len(spots) for way in zip(*spots, strict=True))
        radius = max(math.hypot(px - x, py - y) for px, py in spots)
        return cls(piece, spots, list(dict.fromkeys(planes)), x, y, radius)

    def seen_by(self, eye: ViewEdge) -> ConvexPart:
        """The part in the frame of a viewer's front edge."""
        c, s = eye.cos, eye.sin
        planes = [
            (nx * c + ny * s, ny * c - nx * s, offset - nx * eye.x - ny * eye.y)
            for nx, ny, offset in self.planes
        ]
        corners = [eye.inside(spot) for spot in self.corners]
        return ConvexPart(self.piece, corners, planes, *eye.inside((self.x, self.y)), self.radius)

    def times(self, a: float, dx: float, dy: float) -> tuple[float, float] | None:
        """The parameters at which the segment from (0, a) enters and leaves, or None."""
        aside = self.x * dy - (self.y - a) * dx
        if aside * aside > self.radius * self.radius * (dx * dx + dy * dy):
            return None  # broad phase: the line passes its bounding circle
        enter, leave = -math.inf, math.inf
        for nx, ny, offset in self.planes:
            depth, change = ny * a - offset - GRAZE_IN, nx * dx + ny * dy
            if change > 0:
                enter = max(enter, -depth / change)
            elif change < 0:
                leave = min(leave, -depth / change)
            elif depth < 0:
                return None
        return (enter, leave) if enter < leave and leave > 0 and enter < 1 else None

    def lies_under(self, box: OrientedRect) -> bool:
        """Whether the interiors of part and tray overlap."""
        x, y, c, s, deep, wide = box
        dx, dy, radius = self.x - x, self.y - y, self.radius
        if abs(dx * c + dy * s) > deep + radius or abs(dy * c - dx * s) > wide + radius:
            return False  # broad phase: its bounding circle lies beyond a side of the tray
        for nx, ny, offset in self.planes:
            ahead, aside = nx * c + ny * s, ny * c - nx * s
            if nx * x + ny * y + abs(ahead) * deep + abs(aside) * wide <= offset + TOUCH_IN:
                return False
        ahead_of = [(px - x) * c + (py - y) * s for px, py in self.corners]
        if min(ahead_of) >= deep - TOUCH_IN or max(ahead_of) <= TOUCH_IN - deep:
            return False
        left_of = [(py - y) * c - (px - x) * s for px, py in self.corners]
        return min(left_of) < wide - TOUCH_IN and max(left_of) > TOUCH_IN - wide

    def gap_to(self, box: OrientedRect) -> float:
        """The distance between the part and a tray; 0 where they overlap."""
        if self.lies_under(box):
            return 0.0
        x, y, c, s, deep, wide = box
        gap, corners = math.inf, box.corners()
        from_x, from_y = self.corners[-1]
        for px, py in self.corners:
            dx, dy = px - x, py - y
            over = abs(dx * c + dy * s) - deep, abs(dy * c - dx * s) - wide
            gap = min(gap, math.hypot(max(over[0], 0.0), max(over[1], 0.0)))
            side_x, side_y = px - from_x, py - from_y
            length2 = max(side_x * side_x + side_y * side_y, 1e-18)
            for spot_x, spot_y in corners:
                way_x, way_y = spot_x - from_x, spot_y - from_y
                part = min(max((way_x * side_x + way_y * side_y) / length2, 0.0), 1.0)
                gap = min(gap, math.hypot(way_x - part * side_x, way_y - part * side_y))
            from_x, from_y = px, py
        return gap

    def may_hold(self, spots: Sequence[Spot]) -> bool:
        """Whether no side of the part separates it from these points."""
        return not any(
            all(nx * x + ny * y - offset < -1e-5 for x, y in spots)
            for nx, ny, offset in self.planes
        )


def plain_boxes(trays: Trays) -> list[OrientedRect]:
    """Trays as scalar rectangles."""
    rows = (trays.centre.tolist(), trays.forward.tolist(), trays.half.tolist())
    return [
        OrientedRect(x, y, c, s, deep, wide)
        for (x, y), (c, s), (deep, wide) in zip(*rows, strict=True)
    ]


def plain_parts(walls: Walls) -> list[ConvexPart]:
    """Terrain parts as scalar shapes."""
    rows = (walls.piece, walls.corners, walls.normal, walls.offset)
    return [ConvexPart.of(*row) for row in zip(*(column.tolist() for column in rows), strict=True)]


def slid(
    x: float, y: float, cos: float, sin: float, ahead: float, aside: float
) -> tuple[float, float]:
    """A point moved forward and left relative to the facing (cos, sin)."""
    return x + ahead * cos - aside * sin, y + ahead * sin + aside * cos


def in_arc(corners: list[Spot], eye: ViewEdge) -> list[Spot]:
    """A polygon clipped to the front arc; empty if it lies outside."""
    wide, slope = eye.wide + ON_LINE_IN, eye.slope
    for x, y in corners:
        if x < 0 or not -wide - slope * x <= y <= wide + slope * x:
            break
    else:
        return corners
    if max(corners)[0] < ON_LINE_IN:
        return []
    for nx, ny, offset in ((1.0, 0.0, 0.0), (slope, -1.0, -wide), (slope, 1.0, -wide)):
        depths = [nx * x + ny * y - offset for x, y in corners]
        if min(depths) < 0:
            if max(depths) < 0:
                return []
            corners = cut(corners, depths)
    return corners


def cut(corners: list[Spot], depths: list[float]) -> list[Spot]:
    """A polygon clipped to where `depths` is not negative."""
    kept = []
    (from_x, from_y), before = corners[-1], depths[-1]
    for (x, y), depth in zip(corners, depths, strict=True):
        if depth >= 0:
            if before < 0:
                part = before / (before - depth)
                kept.append((from_x + part * (x - from_x), from_y + part * (y - from_y)))
            kept.append((x, y))
        elif before >= 0:
            part = before / (before - depth)
            kept.append((from_x + part * (x - from_x), from_y + part * (y - from_y)))
        from_x, from_y, before = x, y, depth
    return kept


def crossings(first: Sequence[Spot], second: Sequence[Spot]) -> Iterator[Spot]:
    """The intersections of the sides of two polygons."""
    for number, (bx, by) in enumerate(first):
        ax, ay = first[number - 1]
        rx, ry = bx - ax, by - ay
        for other, (dx, dy) in enumerate(second):
            cx, cy = second[other - 1]
            sx, sy = dx - cx, dy - cy
            across = rx * sy - ry * sx
            if across:
                t = ((cx - ax) * sy - (cy - ay) * sx) / across
                u = ((cx - ax) * ry - (cy - ay) * rx) / across
                if 0 <= t <= 1 and 0 <= u <= 1:
                    yield ax + t * rx, ay + t * ry

"""The four arcs of a tray: front, left, right, rear.

Arc lines start at the tray's corners and run outward at the tray's own angle, so the four arcs
partition the plane outside the tray. Each arc is convex: the intersection of three half-planes.
"""

from __future__ import annotations

import math
from functools import lru_cache

from companion.geometry.plane.sight.scalar_shapes import Spot, cut

FRONT, LEFT, RIGHT, REAR = range(4)

Plane = tuple[float, float, float]
"""A half-plane (nx, ny, offset): a point is inside where nx · x + ny · y >= offset."""
Shares = tuple[float, float, float, float]
WHOLE: tuple[Shares, ...] = (
    (1.0, 0.0, 0.0, 0.0),
    (0.0, 1.0, 0.0, 0.0),
    (0.0, 0.0, 1.0, 0.0),
    (0.0, 0.0, 0.0, 1.0),
)


@lru_cache(maxsize=256)
def arc_planes(deep: float, wide: float, tan_arc: float) -> tuple[tuple[Plane, ...], ...]:
    """The half-planes of all arcs in the frame of a tray with these half sizes.

    The first half-plane of an arc is bounded by the tray's edge, the other two by the arc lines.
    """
    length = math.hypot(1.0, tan_arc)
    slope, one = tan_arc / length, 1.0 / length
    ahead = slope * deep - one * wide
    return (
        ((1.0, 0.0, deep), (slope, -one, ahead), (slope, one, ahead)),
        ((0.0, 1.0, wide), (-slope, one, -ahead), (slope, one, -ahead)),
        ((0.0, -1.0, wide), (-slope, -one, -ahead), (slope, -one, -ahead)),
        ((-1.0, 0.0, deep), (-slope, -one, ahead), (-slope, one, ahead)),
    )


def leverage(corners: list[Spot]) -> float:
    """How far a quadrilateral wholly in one arc must move at least until half of it has left.

    This is the margin of `shares` at depth 0.
    """
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    wide = max(ax, bx, cx, dx) - min(ax, bx, cx, dx)
    high = max(ay, by, cy, dy) - min(ay, by, cy, dy)
    return abs((cx - ax) * (dy - by) - (cy - ay) * (dx - bx)) / 2 / 2 / math.hypot(wide, high)


def shares(corners: list[Spot], deep: float, wide: float, tan_arc: float) -> tuple[Shares, float]:
    """The share of a quadrilateral's area in each arc, and a lower bound on the margin.

    The corners are in the tray's frame. The margin is how far the quadrilateral must move until its
    two largest shares are equal. Moving by d across an arc line transfers at most the longest chord
    times d, and the chord is at most the diagonal of the bounding box: the margin is never
    overestimated.
    """
    arcs = arc_planes(deep, wide, tan_arc)
    slope, one, ahead = arcs[FRONT][2]
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    low_x, high_x = min(ax, bx, cx, dx), max(ax, bx, cx, dx)
    low_y, high_y = min(ay, by, cy, dy), max(ay, by, cy, dy)
    full = abs((cx - ax) * (dy - by) - (cy - ay) * (dx - bx)) / 2
    span = math.hypot(high_x - low_x, high_y - low_y)
    # projections on the normals of the falling and the rising arc lines
    spots = (
        slope * ax - one * ay,
        slope * bx - one * by,
        slope * cx - one * cy,
        slope * dx - one * dy,
    )
    low_f, high_f = min(spots), max(spots)
    spots = (
        slope * ax + one * ay,
        slope * bx + one * by,
        slope * cx + one * cy,
        slope * dx + one * dy,
    )
    low_r, high_r = min(spots), max(spots)
    # the depth of the shallowest corner inside each half-plane of each arc
    depths = (
        (low_x - deep, low_f - ahead, low_r - ahead),
        (low_y - wide, ahead - high_f, ahead + low_r),
        (-high_y - wide, ahead - high_r, ahead + low_f),
        (-high_x - deep, -high_r - ahead, -high_f - ahead),
    )
    inside = tuple(map(min, depths))
    deepest = max(inside)
    if deepest >= 0:
        return WHOLE[inside.index(deepest)], full / 2 / span + deepest
    meets = (
        high_x > deep and high_f > ahead and high_r > ahead,
        high_y > wide and low_f < ahead and high_r > -ahead,
        low_y < -wide and low_r < ahead and high_f > -ahead,
        low_x < -deep and low_r < -ahead and low_f < -ahead,
    )
    front, left, right, rear = (
        area(part_in(corners, planes, least)) / full if met else 0.0
        for planes, least, met in zip(arcs, depths, meets, strict=True)
    )
    _, _, second, first = sorted((front, left, right, rear))
    return (front, left, right, rear), (first - second) * full / 2 / span


def part_in(corners: list[Spot], planes: tuple[Plane, ...], least: tuple[float, ...]) -> list[Spot]:
    """A polygon clipped to half-planes; `least` is the depth of its shallowest corner in each."""
    for (nx, ny, offset), depth in zip(planes, least, strict=True):
        if depth < 0:
            depths = [nx * x + ny * y - offset for x, y in corners]
            if min(depths, default=0.0) < 0:
                corners = cut(corners, depths)
    return corners


def area(corners: list[Spot]) -> float:
    """The area of a polygon; 0 without corners."""
    if not corners:
        return 0.0
    twice, (before_x, before_y) = 0.0, corners[-1]
    for x, y in corners:
        twice += before_x * y - x * before_y
        before_x, before_y = x, y
    return abs(twice) / 2

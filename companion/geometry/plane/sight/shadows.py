"""Shadows: what trays and terrain hide from one end of a front edge, as intervals of slopes.

A shadow is the open interval of slopes at which lines of sight from that end cross a convex
obstacle; lines that only touch it are not blocked. The frame is that of the edge: see
`scalar_shapes`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.geometry.plane.sight.scalar_shapes import GRAZE_IN, NEAR_IN, OrientedRect, Spot

Shadow = tuple[float, float]
"""The least and greatest slope, both excluded."""


def of_tray(box: OrientedRect, wide: float) -> tuple[Shadow, Shadow]:
    """A tray's shadows from the left and the right end of the edge."""
    x, y, c, s, deep, broad = box
    ahead, up, aside, over = deep * c, deep * s, -broad * s, broad * c
    if x - abs(ahead) - abs(aside) < NEAR_IN:
        corners = box.corners()
        return of_corners(corners, wide, 0.0), of_corners(corners, -wide, 0.0)
    one, two = 1 / (x + ahead + aside), 1 / (x - ahead - aside)
    three, four = 1 / (x + ahead - aside), 1 / (x - ahead + aside)
    first, second = (y + up + over) * one, (y - up - over) * two
    third, fourth = (y + up - over) * three, (y - up + over) * four
    one, two, three, four = wide * one, wide * two, wide * three, wide * four
    left = first - one, second - two, third - three, fourth - four
    right = first + one, second + two, third + three, fourth + four
    return (min(left), max(left)), (min(right), max(right))


def of_corners(corners: Sequence[Spot], a: float, graze: float = GRAZE_IN) -> Shadow:
    """The shadow, from (0, a), of the part of a polygon ahead; `graze` is the allowed depth."""
    low, high = math.inf, -math.inf
    from_x, from_y = corners[-1]
    for x, y in corners:
        if x > GRAZE_IN:
            low, high = min(low, (y - a + graze) / x), max(high, (y - a - graze) / x)
        if (x > GRAZE_IN) != (from_x > GRAZE_IN):
            # the polygon lies beside the end of the edge: all lines steep enough cross it
            across = from_y + (GRAZE_IN - from_x) * (y - from_y) / (x - from_x) - a
            if across > graze:
                high = math.inf
            elif across < -graze:
                low = -math.inf
        from_x, from_y = x, y
    return low, high


def lit(shadows: Sequence[Shadow], low: float, high: float, hiders: list[int]) -> float | None:
    """The least slope from low to high in no shadow; if there is none, the obstacles that hide them
    all are added to `hiders`.
    """
    slope = low
    while slope <= high:
        reach, hider = slope, -1
        for number, (start, stop) in enumerate(shadows):
            if start < slope and stop > reach:
                reach, hider = stop, number
        if hider < 0:
            return slope
        slope = reach
        hiders.append(hider)
    return None


def holder(shadows: Sequence[Shadow], slope: float) -> int | None:
    """The index of the first shadow that contains a slope, or None."""
    for number, (start, stop) in enumerate(shadows):
        if start < slope < stop:
            return number
    return None

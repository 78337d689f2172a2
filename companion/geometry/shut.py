"""Ways that are shut: what stands before a target from end to end needs no search for a gap."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.geometry.plain import Box, Spot

HAIR_IN = 1e-6


def shut(mover: Box, target: Box, stops: Iterable[Sequence[Spot]]) -> bool:
    """Whether a tray meets one of its stops before its target, whatever the pivot.

    It is quick and says no where it cannot tell: of a stop counts what is nearer than all of
    the target.
    """
    x, y, wide = mover.x, mover.y, mover.wide
    nearest = target.away_from((x, y))
    if nearest <= wide:
        return False
    first = math.sqrt(nearest**2 - wide**2) - HAIR_IN
    base = math.atan2(target.y - y, target.x - x)
    pivots = covered(x, y, wide, base, target.corners(), math.inf)  # that reach the target
    if pivots is None:
        return False
    shadows = sorted(
        shadow
        for corners in stops
        if (shadow := covered(x, y, wide - HAIR_IN, base, corners, first)) is not None
    )
    open_, last = pivots  # all before this is shut
    for low, high in shadows:
        if low > open_ or open_ >= last:
            break
        open_ = max(open_, high)
    return open_ >= last


def covered(
    x: float, y: float, wide: float, base: float, corners: Sequence[Spot], within: float
) -> tuple[float, float] | None:
    """Between which headings off the base a strip so wide meets what of a polygon is near.

    That is at least what lies between those of its corners that are.
    """
    low, high = math.inf, -math.inf
    for px, py in corners:
        dx, dy = px - x, py - y
        distance = math.hypot(dx, dy)
        if distance <= wide:
            return None
        if distance < within:
            angle, off = turned(math.atan2(dy, dx) - base), math.asin(wide / distance)
            low, high = min(low, angle - off), max(high, angle + off)
    return (low, high) if 0 < high - low < math.pi else None


def turned(angle: float) -> float:
    """The same angle within π of 0."""
    return (angle + math.pi) % math.tau - math.pi

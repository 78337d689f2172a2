"""Ways that are shut: what stands before a target from end to end needs no search for a gap."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from companion.geometry.plane.sight.scalar_shapes import OrientedRect, Spot

HAIR_IN = 1e-6


def shut(mover: OrientedRect, target: OrientedRect, stops: Iterable[Sequence[Spot]]) -> bool:
    """Whether a tray meets one of its stops before its target, whatever the pivot.

    It is quick and says no where it cannot tell: of a stop counts what is nearer than all of
    the target.
    """
    x, y, wide = mover.x, mover.y, mover.wide
    nearest = target.away_from((x, y))
    if nearest <= wide:
        return False
    first = math.sqrt(nearest**2 - wide**2) - HAIR_IN
    base, eased = math.atan2(target.y - y, target.x - x), mover.grown(-HAIR_IN)
    pivots = list(covered(mover, base, target.corners(), math.inf))  # that reach the target
    if len(pivots) != 1:
        return False
    shadows = sorted(shadow for corners in stops for shadow in covered(eased, base, corners, first))
    open_, last = pivots[0]  # all before this is shut
    for low, high in shadows:
        if low > open_ or open_ >= last:
            break
        open_ = max(open_, high)
    return open_ >= last


def covered(
    mover: OrientedRect, base: float, corners: Sequence[Spot], within: float
) -> Iterator[tuple[float, float]]:
    """Between which headings off the base a tray meets what of a polygon is near.

    That is at least what lies between those of its corners that are. One that is nearer than the
    tray is wide lies in its way or under it unless it comes to lie behind it.
    """
    x, y, _, _, deep, wide = mover
    low, high = math.inf, -math.inf
    for px, py in corners:
        dx, dy = px - x, py - y
        distance = math.hypot(dx, dy)
        if distance >= within:
            continue
        angle = turned(math.atan2(dy, dx) - base)
        if distance > wide:
            off = math.asin(wide / distance)
            low, high = min(low, angle - off), max(high, angle + off)
        else:
            off = math.acos(-min(deep / max(distance, HAIR_IN), 1.0))
            for turn in (-math.tau, 0.0, math.tau):  # so wide it may reach round
                yield angle - off + turn, angle + off + turn
    if 0 < high - low < math.pi:
        yield low, high


def turned(angle: float) -> float:
    """The same angle within π of 0."""
    return (angle + math.pi) % math.tau - math.pi

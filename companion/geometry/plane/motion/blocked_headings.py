"""A quick sufficient test that obstacles block every heading from a mover to its target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from companion.geometry.plane.sight.scalar_shapes import OrientedRect, Spot

HAIR_IN = 1e-6


def shut(mover: OrientedRect, target: OrientedRect, stops: Iterable[Sequence[Spot]]) -> bool:
    """Whether a tray certainly meets an obstacle before its target, at every pivot.

    Conservative: False where it cannot decide. Of an obstacle, only the corners nearer than every
    point of the target count.
    """
    x, y, wide = mover.x, mover.y, mover.wide
    nearest = target.away_from((x, y))
    if nearest <= wide:
        return False
    first = math.sqrt(nearest**2 - wide**2) - HAIR_IN
    base, eased = math.atan2(target.y - y, target.x - x), mover.grown(-HAIR_IN)
    pivots = list(covered(mover, base, target.corners(), math.inf))  # that reach it
    if len(pivots) != 1:
        return False
    shadows = sorted(shadow for corners in stops for shadow in covered(eased, base, corners, first))
    open_, last = pivots[0]  # every heading before `open_` is blocked
    for low, high in shadows:
        if low > open_ or open_ >= last:
            break
        open_ = max(open_, high)
    return open_ >= last


def covered(
    mover: OrientedRect, base: float, corners: Sequence[Spot], within: float
) -> Iterator[tuple[float, float]]:
    """Intervals of headings, relative to the base, at which a tray certainly meets a polygon.

    Only corners nearer than `within` count: the tray meets at least what lies between them. A
    corner nearer than the tray's half width is in its way or under it, unless it ends up behind the
    tray.
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
            for turn in (-math.tau, 0.0, math.tau):  # the interval may wrap around
                yield angle - off + turn, angle + off + turn
    if 0 < high - low < math.pi:
        yield low, high


def turned(angle: float) -> float:
    """The same angle normalised to within π of 0."""
    return (angle + math.pi) % math.tau - math.pi

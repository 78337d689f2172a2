"""The shortest advance without obstacles, in closed form.

After travel t a front corner is sqrt((half depth + t)² + half width²) from the tray's centre, and
no other point of the front edge is farther; so the first contact is a front corner on the target's
point nearest to the centre.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from companion.geometry.plane.sight.scalar_shapes import OrientedRect


class FreeAdvance(NamedTuple):
    """The travel until a tray touches another, and the two pivots that achieve it."""

    travel: float  # negative where the target lies within the corners' turning circle
    heading: tuple[float, float]  # radians: left corner first, right corner first
    toward: float  # the heading of the target's nearest point
    away: float  # its distance from the tray's centre


def free_advance(mover: OrientedRect, target: OrientedRect) -> FreeAdvance:
    """The closed form for this mover and target."""
    x, y, _, _, length, width = mover
    to_x, to_y, cos, sin, deep, wide = target
    x, y = x - to_x, y - to_y
    ahead, aside = x * cos + y * sin, y * cos - x * sin
    way_x = min(max(ahead, -deep), deep) - ahead
    way_y = min(max(aside, -wide), wide) - aside
    away = math.hypot(way_x, way_y)
    toward = math.atan2(way_x * sin + way_y * cos, way_x * cos - way_y * sin)
    if away > width:
        travel, off = math.sqrt(away * away - width * width) - length, math.asin(width / away)
    else:
        travel, off = -length, math.pi / 2
    return FreeAdvance(travel, (toward - off, toward + off), toward, away)

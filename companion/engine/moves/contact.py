"""Where a dragged tray snaps into contact with an enemy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from models import Pose, Table
from models.unit import Point, corners

NEAR_IN, NEAR_DEG = 0.7, 22.0
"""A front this close to an edge, and turned this little from it, snaps onto it."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A pose in contact with another tray, and the shared part of the edge."""

    pose: Pose
    unit: str
    edge: tuple[Point, Point]


def snapped(table: Table, unit: str, pose: Pose) -> Contact | None:
    """The nearest pose in which the front of the unit lies flat on an edge of an enemy tray."""
    own = table.unit(unit)
    tray = own.tray
    best: tuple[float, Contact] | None = None
    for other in table.units:
        if other.side == own.side:
            continue
        ring = corners(other)
        for start, end in pairwise((*ring, ring[0])):
            found = laid(pose, tray.width, tray.depth, start, end)
            if found is None:
                continue
            away, flat, shared = found
            if best is None or away < best[0]:
                best = away, Contact(flat, other.id, shared)
    return best[1] if best is not None else None


def laid(
    pose: Pose, width: float, depth: float, start: Point, end: Point
) -> tuple[float, Pose, tuple[Point, Point]] | None:
    """The pose with its front on an edge (counter-clockwise around its tray), if that is near.

    Also how far the front is moved, and the shared part of the edge.
    """
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    nx, ny = uy, -ux  # outwards
    heading = math.degrees(math.atan2(-ny, -nx))
    turned = (heading - pose.heading + 180) % 360 - 180
    if abs(turned) > NEAR_DEG:
        return None
    front = pose.ahead(depth / 2)
    away = (front[0] - start[0]) * nx + (front[1] - start[1]) * ny
    along = (front[0] - start[0]) * ux + (front[1] - start[1]) * uy
    low, high = max(0.0, along - width / 2), min(length, along + width / 2)
    if abs(away) > NEAR_IN or high - low < 0.2:
        return None
    x = start[0] + ux * along + nx * depth / 2
    y = start[1] + uy * along + ny * depth / 2
    shared = (
        (start[0] + ux * low, start[1] + uy * low),
        (start[0] + ux * high, start[1] + uy * high),
    )
    return abs(away), Pose(x, y, heading, pose.sigma), shared

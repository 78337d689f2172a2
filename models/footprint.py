"""The area a tray covers: its four corners, and the overlap of two trays."""

from __future__ import annotations

import math

from models.unit import Unit

Point = tuple[float, float]


def corners(unit: Unit) -> tuple[Point, Point, Point, Point]:
    """Front left, rear left, rear right, front right: counter-clockwise."""
    forward, left = unit.tray.depth / 2, unit.tray.width / 2
    pose = unit.pose
    return (
        pose.ahead(forward, left),
        pose.ahead(-forward, left),
        pose.ahead(-forward, -left),
        pose.ahead(forward, -left),
    )


def overlap_depth(unit: Unit, other: Unit) -> float:
    """The penetration depth of two trays (separating axes); 0 if they do not overlap."""
    reach = math.hypot(unit.tray.width, unit.tray.depth) + math.hypot(
        other.tray.width, other.tray.depth
    )
    if math.hypot(unit.pose.x - other.pose.x, unit.pose.y - other.pose.y) * 2 >= reach:
        return 0.0
    if unit.tray.round and other.tray.round:
        apart = math.hypot(unit.pose.x - other.pose.x, unit.pose.y - other.pose.y)
        return max((unit.tray.width + other.tray.width) / 2 - apart, 0.0)
    depth = math.inf
    mine, theirs = corners(unit), corners(other)
    for heading in (unit.pose.heading, other.pose.heading):
        for angle in (math.radians(heading), math.radians(heading + 90)):
            cos, sin = math.cos(angle), math.sin(angle)
            a = [x * cos + y * sin for x, y in mine]
            b = [x * cos + y * sin for x, y in theirs]
            depth = min(depth, max(a) - min(b), max(b) - min(a))
    return max(depth, 0.0)

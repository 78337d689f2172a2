"""The four arcs of a tray: front, left, right, rear.

Arc lines start at the tray's corners and run outward at the tray's own angle, so the four
share the plane outside the tray without gap or overlap. Each is convex: three half-planes.
"""

from __future__ import annotations

import numpy as np

from companion.geometry.convex import area, clip
from companion.geometry.trays import Bools, Floats

FRONT, LEFT, RIGHT, REAR = range(4)
ARC_NAMES = ("front", "left", "right", "rear")
_AHEAD = np.array([1.0, 0.0, 0.0, -1.0])
_ASIDE = np.array([0.0, 1.0, -1.0, 0.0])


def arc_planes(half: Floats, tan_arc: Floats) -> tuple[Floats, Floats]:
    """Normals (m, 4, 3, 2) and offsets (m, 4, 3) of all arcs in the trays' frames.

    Inside is normal · p >= offset. The first plane of an arc is its edge's own, the other two
    are the arc lines at the edge's ends.
    """
    count = len(half)
    length = np.hypot(1.0, tan_arc)
    slope, one = tan_arc / length, 1.0 / length
    normals = np.zeros((count, 4, 3, 2))
    normals[:, :, 0, 0] = _AHEAD
    normals[:, :, 0, 1] = _ASIDE
    for arc, sign in ((FRONT, 1.0), (REAR, -1.0)):
        normals[:, arc, 1:, 0] = (sign * slope)[:, None]
        normals[:, arc, 1, 1], normals[:, arc, 2, 1] = -one, one
    for arc, sign in ((LEFT, 1.0), (RIGHT, -1.0)):
        normals[:, arc, 1:, 1] = (sign * one)[:, None]
        normals[:, arc, 1, 0], normals[:, arc, 2, 0] = -slope, slope
    offsets = np.empty((count, 4, 3))
    offsets[:, (FRONT, REAR), 0] = half[:, :1]
    offsets[:, (LEFT, RIGHT), 0] = half[:, 1:]
    ahead = (slope * half[:, 0] - one * half[:, 1])[:, None, None]
    offsets[:, (FRONT, REAR), 1:] = ahead
    offsets[:, (LEFT, RIGHT), 1:] = -ahead
    return normals, offsets


def plane_depths(points: Floats, normals: Floats, offsets: Floats) -> Floats:
    """How deep points (m, k, 2) lie behind planes (m, …, 2): (m, …, k), negative outside."""
    x, y = points[..., 0], points[..., 1]
    for _ in range(offsets.ndim - 1):
        x, y = x[:, None], y[:, None]
    return normals[..., :1] * x + normals[..., 1:] * y - offsets[..., None]


def arc_depths(points: Floats, half: Floats, tan_arc: Floats) -> Floats:
    """How deep frame points (m, k, 2) lie in each arc (m, 4, k), inches; negative outside."""
    return plane_depths(points, *arc_planes(half, tan_arc)).min(axis=2)


def cut(polygons: Floats, normals: Floats, offsets: Floats) -> Floats:
    """The parts of polygons (m, k, 2) behind three planes each, as (m, k + 3, 2)."""
    for plane in range(3):
        polygons = clip(polygons, normals[:, plane], offsets[:, plane])
    return polygons


def shares(corners: Floats, half: Floats, tan_arc: Floats) -> tuple[Floats, Floats]:
    """Shares (m, 4) of quadrilaterals' area (frame corners (m, 4, 2)) in a tray's arcs.

    And how far (m,) each would have to move for its two largest shares to be equal: moving
    across an arc line by d carries the chord it cuts times d from one arc to the other; the
    chord is at most the longest the quadrilateral has, so this never overstates.
    """
    normals, offsets = arc_planes(half, tan_arc)
    depths = plane_depths(corners, normals, offsets)
    inside = depths.min(axis=(2, 3))
    share = np.where(inside >= 0, 1.0, 0.0)
    share[share.sum(axis=1) > 1] = (1.0, 0.0, 0.0, 0.0)
    full = area(corners)
    beside: Bools = np.any(np.all(depths < 0, axis=3), axis=2)
    row, arc = np.nonzero(~beside & np.all(inside < 0, axis=1)[:, None])
    if len(row):
        parts = cut(corners[row], normals[row, arc], offsets[row, arc])
        share[row, arc] = area(parts) / full[row]
    ranked = np.sort(share, axis=1)
    span = corners.max(axis=1) - corners.min(axis=1)
    tie = (ranked[:, 3] - ranked[:, 2]) * full / 2 / np.hypot(span[:, 0], span[:, 1])
    return share, tie + np.maximum(inside.max(axis=1), 0.0)

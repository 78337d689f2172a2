"""The four arcs of a tray: front, left, right, rear.

Arc lines start at the tray's corners and run outward at the tray's own angle, so the four
share the plane outside the tray without gap or overlap. Each is convex: three half-planes.
"""

from __future__ import annotations

import numpy as np

from companion.geometry.convex import area, clip
from companion.geometry.trays import Floats, Ints, Trays

FRONT, LEFT, RIGHT, REAR = range(4)
ARC_NAMES = ("front", "left", "right", "rear")


def arc_planes(half: Floats, tan_arc: Floats, arc: int) -> tuple[Floats, Floats]:
    """Normals (m, 3, 2) and offsets (m, 3) in the tray's frame; inside is normal · p >= offset.

    The first plane is the edge's own, the other two are the arc lines at its ends.
    """
    depth, width = half[:, 0], half[:, 1]
    length = np.hypot(1.0, tan_arc)
    slope, one = tan_arc / length, 1.0 / length
    zero, unit = np.zeros_like(depth), np.ones_like(depth)
    ahead = slope * depth - one * width
    aside = one * width - slope * depth
    if arc in (FRONT, REAR):
        sign = 1.0 if arc == FRONT else -1.0
        normals = [(sign * unit, zero), (sign * slope, -one), (sign * slope, one)]
        offsets = [depth, ahead, ahead]
    else:
        sign = 1.0 if arc == LEFT else -1.0
        normals = [(zero, sign * unit), (-slope, sign * one), (slope, sign * one)]
        offsets = [width, aside, aside]
    return (
        np.stack([np.stack(normal, axis=-1) for normal in normals], axis=1),
        np.stack(offsets, axis=1),
    )


def cut_to_arc(polygons: Floats, half: Floats, tan_arc: Floats, arc: int) -> Floats:
    """The parts of frame polygons (m, k, 2) that lie in an arc, as (m, k + 3, 2)."""
    normals, offsets = arc_planes(half, tan_arc, arc)
    for plane in range(3):
        polygons = clip(polygons, normals[:, plane], offsets[:, plane])
    return polygons


def arc_depths(points: Floats, half: Floats, tan_arc: Floats) -> Floats:
    """How deep frame points (m, k, 2) lie in each arc (m, 4, k), inches; negative outside."""
    depths = []
    for arc in range(4):
        normals, offsets = arc_planes(half, tan_arc, arc)
        depths.append((np.einsum("mkd,mpd->mpk", points, normals) - offsets[..., None]).min(axis=1))
    return np.stack(depths, axis=1)


def shares(corners: Floats, half: Floats, tan_arc: Floats) -> Floats:
    """Shares (m, 4) of quadrilaterals' area (frame corners (m, 4, 2)) in a tray's arcs."""
    result = np.zeros((len(corners), 4))
    if not len(corners):
        return result
    whole = arc_depths(corners, half, tan_arc).min(axis=2) >= 0
    result[whole] = 1.0
    split = np.flatnonzero(~whole.any(axis=1))
    if len(split):
        some, sizes, tans = corners[split], half[split], tan_arc[split]
        full = area(some)
        for arc in range(4):
            result[split, arc] = area(cut_to_arc(some, sizes, tans, arc)) / full
    return result


def tie_distance(corners: Floats, half: Floats, tan_arc: Floats, share: Floats) -> Floats:
    """How far (m,) each quadrilateral would have to move for its two largest shares to be equal.

    Moving across an arc line by d carries the chord it cuts times d from one arc to the
    other; the chord is at most the longest the quadrilateral has, so this never overstates.
    """
    ranked = np.sort(share, axis=1)
    spare = (ranked[:, 3] - ranked[:, 2]) * area(corners) / 2
    span = corners.max(axis=1) - corners.min(axis=1)
    diagonal = np.hypot(span[:, 0], span[:, 1])
    outside = arc_depths(corners, half, tan_arc).min(axis=2).max(axis=1)
    return np.where(outside > 0, outside, 0.0) + spare / diagonal


def front_part(trays: Trays, viewer: Ints, corners: Floats, tan_arc: Floats) -> Floats:
    """Targets' parts (m, 7, 2) in the viewers' front arcs, from frame corners (m, 4, 2)."""
    return cut_to_arc(corners, trays.half[viewer], tan_arc, FRONT)

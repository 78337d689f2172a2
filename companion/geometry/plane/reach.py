"""Areas: the ground a tray can come to, see, or be hidden on, as shapely polygons.

These are for the eye, and for asking "could it stand there?"; single pairs are answered
exactly by `sight` and `advance`.
"""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry

from companion.geometry.plane.trays import Floats, Trays

FAR_IN = 400.0
ROUND = 24
"""Segments to a quarter circle."""


def arc_area(trays: Trays, place: int) -> Polygon:
    """The front arc of a tray, as far as any table goes."""
    depth, width = trays.half[place]
    far = width + FAR_IN * trays.tan_arc[place]
    frame = np.array(
        [[depth, width], [depth, -width], [depth + FAR_IN, -far], [depth + FAR_IN, far]]
    )
    return Polygon(placed(trays, place, frame))


def placed(trays: Trays, place: int, frame: Floats) -> Floats:
    """Points of a tray's frame on the table."""
    forward, left = trays.forward[place], trays.left[place]
    return trays.centre[place] + frame[:, :1] * forward + frame[:, 1:] * left


def charge_disc(trays: Trays, place: int, travel_in: float) -> BaseGeometry:
    """All ground a pivot and so much travel forward can bring the front edge to."""
    depth, width = trays.half[place]
    radius = float(np.hypot(depth + travel_in, width))
    return Point(trays.centre[place]).buffer(radius, quad_segs=ROUND)


def shadows(corners: Floats, eyes: Floats) -> BaseGeometry:
    """All ground that one of these convex polygons (q, e, 2) hides from every eye (k, 2).

    The polygons themselves may be looked at.
    """
    if not len(corners):
        return Polygon()
    away = corners[:, None] - eyes[:, None]
    length = np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-9)
    far = eyes[:, None] + away / length[..., None] * FAR_IN * 2
    near = np.broadcast_to(corners[:, None], far.shape)
    spots = shapely.points(np.concatenate([near, far], axis=2))
    dark = shapely.convex_hull(shapely.multipoints(spots))
    hidden = dark[:, 0]
    for eye in range(1, len(eyes)):
        hidden = shapely.intersection(hidden, dark[:, eye])
    return shapely.union_all(shapely.difference(hidden, shapely.polygons(corners)))


def slid(area: BaseGeometry, steps: Floats) -> BaseGeometry:
    """What a convex area covers when it may slide along any one of these vectors (k, 2)."""
    parts = [
        area.union(shapely.affinity.translate(area, float(x), float(y))).convex_hull
        for x, y in steps
    ]
    return shapely.union_all(parts)

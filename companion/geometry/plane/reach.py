"""Areas a tray can reach, see, or not see, as shapely polygons.

These are for drawing and for "could it stand there?"; single pairs are answered exactly by `sight`
and `motion.advance`.
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
    """The front arc of a tray, extended beyond any table."""
    depth, width = trays.half[place]
    far = width + FAR_IN * trays.tan_arc[place]
    frame = np.array(
        [[depth, width], [depth, -width], [depth + FAR_IN, -far], [depth + FAR_IN, far]]
    )
    return Polygon(placed(trays, place, frame))


def placed(trays: Trays, place: int, frame: Floats) -> Floats:
    """Points of a tray's frame in table coordinates."""
    forward, left = trays.forward[place], trays.left[place]
    return trays.centre[place] + frame[:, :1] * forward + frame[:, 1:] * left


def charge_disc(trays: Trays, place: int, travel_in: float) -> BaseGeometry:
    """The area a pivot and this much forward travel can bring the front edge to."""
    depth, width = trays.half[place]
    radius = float(np.hypot(depth + travel_in, width))
    return Point(trays.centre[place]).buffer(radius, quad_segs=ROUND)


def shadows(corners: Floats, eyes: Floats) -> BaseGeometry:
    """The area that one of these convex polygons (q, e, 2) hides from every viewpoint (k, 2).

    The polygons themselves are visible.
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
    """The area a convex area covers when it slides along any one of these vectors (k, 2)."""
    parts = [
        area.union(shapely.affinity.translate(area, float(x), float(y))).convex_hull
        for x, y in steps
    ]
    return shapely.union_all(parts)

"""Terrain outlines as convex parts in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.geometry.plane.convex import Point, convex_parts
from companion.geometry.plane.trays import Floats, Ints, joined

SEAM_IN = 1e-7
"""Parts of one piece overlap by this along their seams, so that no line passes between them."""

MANY_CORNERS = 24
THIN_IN = 0.002
"""Outlines of many corners are simplified to this tolerance: the cost grows with their square."""


def thinned(outline: Sequence[Point]) -> Sequence[Point]:
    """The outline, simplified if it has many corners."""
    if len(outline) <= MANY_CORNERS:
        return outline
    import shapely  # slow to import, and few outlines need it

    ring = shapely.get_coordinates(shapely.Polygon(outline).simplify(THIN_IN))
    return [(float(x), float(y)) for x, y in ring[:-1]]


@dataclass(frozen=True, slots=True, eq=False)
class Walls:
    """p convex parts of pieces; parts with fewer corners repeat their last corner and plane."""

    corners: Floats  # (p, e, 2)
    normal: Floats  # (p, e, 2) inward
    offset: Floats  # (p, e): inside is normal · x >= offset
    piece: Ints  # (p,) which piece the part belongs to
    pieces: int

    @classmethod
    def of(cls, outlines: Sequence[Sequence[Point]]) -> Walls:
        """The convex parts of these counter-clockwise outlines."""
        parts: list[list[Point]] = []
        owner: list[int] = []
        for number, outline in enumerate(outlines):
            for part in convex_parts(thinned(outline)):
                parts.append(part)
                owner.append(number)
        most = max((len(part) for part in parts), default=3)
        corners = np.array(
            [part + [part[-1]] * (most - len(part)) for part in parts], dtype=float
        ).reshape(len(parts), most, 2)
        ends = np.array(
            [part[1:] + [part[0]] * (most - len(part) + 1) for part in parts], dtype=float
        ).reshape(corners.shape)
        along = ends - corners
        along /= np.hypot(along[..., 0], along[..., 1])[..., None]
        normal = joined(-along[..., 1], along[..., 0])
        offset = (normal[..., None, :] @ corners[..., None])[..., 0, 0]
        outer = np.ones(offset.shape, dtype=bool)
        for p, part in enumerate(parts):
            others = [other for q, other in enumerate(parts) if q != p and owner[q] == owner[p]]
            seams = [side for other in others for side in sides(other)]
            if seams:
                inner = [side in seams for side in sides(part)]
                outer[p] = ~np.array(inner + inner[-1:] * (most - len(part)))
        offset[~outer] -= SEAM_IN
        return cls(corners, normal, offset, np.array(owner, dtype=np.intp), len(outlines))

    def __len__(self) -> int:
        return len(self.corners)


def sides(part: Sequence[Point]) -> list[set[Point]]:
    """The sides of a polygon, regardless of direction."""
    return [{corner, part[(number + 1) % len(part)]} for number, corner in enumerate(part)]

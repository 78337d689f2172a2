"""Terrain outlines as convex parts in arrays: what can be stood on, crossed or seen through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.geometry.convex import Point, convex_parts
from companion.geometry.trays import Bools, Floats, Ints

SEAM_IN = 1e-7
"""Parts of one piece overlap by this along their seams, so that nothing slips between them."""

MANY_CORNERS = 24
THIN_IN = 0.002
"""An outline of many corners is taken to within this: answers cost the square of them."""


def thinned(outline: Sequence[Point]) -> Sequence[Point]:
    """The outline, without corners that hardly stand out where it has many."""
    if len(outline) <= MANY_CORNERS:
        return outline
    import shapely  # slow to load, and few outlines have so many

    ring = shapely.get_coordinates(shapely.Polygon(outline).simplify(THIN_IN))
    return [(float(x), float(y)) for x, y in ring[:-1]]


@dataclass(frozen=True, slots=True, eq=False)
class Walls:
    """p convex parts of pieces; short parts repeat their last corner and plane."""

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
        normal = np.zeros_like(corners)
        offset = np.zeros(corners.shape[:2])
        outer = np.ones(corners.shape[:2], dtype=bool)
        for p, part in enumerate(parts):
            sides = [{part[i], part[(i + 1) % len(part)]} for i in range(len(part))]
            seams = [
                {other[i], other[(i + 1) % len(other)]}
                for q, other in enumerate(parts)
                if q != p and owner[q] == owner[p]
                for i in range(len(other))
            ]
            for e in range(most):
                i = min(e, len(part) - 1)
                a, b = np.array(part[i]), np.array(part[(i + 1) % len(part)])
                along = (b - a) / np.hypot(*(b - a))
                normal[p, e] = (-along[1], along[0])
                offset[p, e] = normal[p, e] @ a
                outer[p, e] = sides[i] not in seams
        offset[~outer] -= SEAM_IN
        return cls(corners, normal, offset, np.array(owner, dtype=np.intp), len(outlines))

    def __len__(self) -> int:
        return len(self.corners)

    def only(self, wanted: Bools) -> Walls:
        """The parts of those pieces (by piece number)."""
        keep = wanted[self.piece] if len(self) else np.zeros(0, dtype=bool)
        return Walls(
            self.corners[keep],
            self.normal[keep],
            self.offset[keep],
            self.piece[keep],
            self.pieces,
        )

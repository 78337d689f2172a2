"""Everything a moving tray can run into, as convex polygons: trays, and terrain outlines cut
into convex parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.geometry.plane.trays import Bools, Floats, Ints, Trays, corners_at, joined

Point = tuple[float, float]


def cross(o: Point, a: Point, b: Point) -> float:
    """The cross product of oa and ob: positive where o, a, b turn left."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def is_convex(outline: Sequence[Point]) -> bool:
    """Whether a counter-clockwise outline never turns right."""
    count = len(outline)
    return all(
        cross(outline[i - 1], outline[i], outline[(i + 1) % count]) >= 0 for i in range(count)
    )


def convex_parts(outline: Sequence[Point]) -> list[list[Point]]:
    """A decomposition of a simple counter-clockwise outline into convex polygons.

    Ear clipping, then neighbours are merged as long as the union stays convex.
    """
    if is_convex(outline):
        return [list(outline)]
    rest = list(outline)
    parts: list[list[Point]] = []
    while len(rest) > 3:
        ear = next((i for i in range(len(rest)) if is_ear(rest, i)), None)
        if ear is None:  # only collinear slivers are left
            break
        parts.append([rest[ear - 1], rest[ear], rest[(ear + 1) % len(rest)]])
        del rest[ear]
    parts.append(rest)
    return join_convex(parts)


def is_ear(outline: list[Point], i: int) -> bool:
    """Whether corner i can be cut off without touching another corner."""
    a, b, c = outline[i - 1], outline[i], outline[(i + 1) % len(outline)]
    if cross(a, b, c) <= 0:
        return False
    others = [p for p in outline if p not in (a, b, c)]
    return not any(
        cross(a, b, p) >= 0 and cross(b, c, p) >= 0 and cross(c, a, p) >= 0 for p in others
    )


def join_convex(parts: list[list[Point]]) -> list[list[Point]]:
    """Merge parts that share a side wherever the union stays convex."""
    joined = True
    while joined:
        joined = False
        for i in range(len(parts)):
            for j in range(i + 1, len(parts)):
                union = join(parts[i], parts[j])
                if union is not None and is_convex(union):
                    parts[i] = union
                    del parts[j]
                    joined = True
                    break
            if joined:
                break
    return parts


def join(first: list[Point], second: list[Point]) -> list[Point] | None:
    """The union of two polygons along a common side, or None."""
    for i in range(len(first)):
        a, b = first[i], first[(i + 1) % len(first)]
        for j in range(len(second)):
            if second[j] == b and second[(j + 1) % len(second)] == a:
                ahead = [first[(i + 1 + k) % len(first)] for k in range(len(first))]
                there = [second[(j + 2 + k) % len(second)] for k in range(len(second) - 2)]
                return ahead + there
    return None


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


TOUCH_IN = 1e-9
"""Solids that only touch do not overlap; this is the tolerance for rounding errors."""


@dataclass(frozen=True, slots=True, eq=False)
class Solids:
    """The n trays of a table first, then the p terrain parts; corners run counter-clockwise."""

    corners: Floats  # (q, e, 2)
    normal: Floats  # (q, e, 2) inward
    offset: Floats  # (q, e)
    trays: int

    @classmethod
    def of(cls, trays: Trays, walls: Walls, ease: Floats | float = 0.0) -> Solids:
        """All solids, each tray shrunk by its `ease` (grown where negative)."""
        half = np.maximum(trays.half - np.reshape(ease, (-1, 1)), 1e-6)
        corners, inward, offset = tray_sides(trays, half)
        sides = max(4, walls.corners.shape[1] if len(walls) else 4)
        return cls(
            np.concatenate([padded(corners, sides), padded(walls.corners, sides)]),
            np.concatenate([padded(inward, sides), padded(walls.normal, sides)]),
            np.concatenate([padded(offset, sides), padded(walls.offset, sides)]),
            len(trays),
        )

    def __len__(self) -> int:
        return len(self.corners)

    @property
    def parts(self) -> Solids:
        """The terrain parts alone."""
        some = slice(self.trays, None)
        return Solids(self.corners[some], self.normal[some], self.offset[some], 0)

    def meet(self, centre: Floats, forward: Floats, half: Floats) -> Bools:
        """Whether the interiors of m rectangles overlap each solid: (m, q)."""
        if not len(centre) or not len(self):
            return np.zeros((len(centre), len(self)), dtype=bool)
        shape = (len(centre), self.offset.shape[1], len(self))  # corners before solids
        left = joined(-forward[:, 1], forward[:, 0])
        corners = self.corners.transpose(2, 1, 0).reshape(2, -1)
        normals = self.normal.transpose(2, 1, 0).reshape(2, -1)
        apart = np.zeros((len(centre), len(self)), dtype=bool)
        reach = centre @ normals - self.offset.T.reshape(-1)
        for axis, size in ((forward, half[:, :1]), (left, half[:, 1:])):
            along = (axis @ corners - (axis * centre).sum(axis=1)[:, None]).reshape(shape)
            limit = size - TOUCH_IN
            apart |= (along.min(axis=1) >= limit) | (along.max(axis=1) <= -limit)
            reach += np.abs(axis @ normals) * size
        return ~(apart | (reach.reshape(shape).min(axis=1) <= TOUCH_IN))


def tray_sides(trays: Trays, half: Floats) -> tuple[Floats, Floats, Floats]:
    """Corners, inward normals and offsets of the sides of trays of these half sizes."""
    inward = np.empty((len(trays), 4, 2))
    inward[:, 1], inward[:, 3] = trays.forward, trays.left
    inward[:, (0, 2)] = -inward[:, (1, 3)]
    offset = (inward * trays.centre[:, None]).sum(axis=2) - half.repeat(2, axis=1)
    return corners_at(trays.centre, trays.forward, half), inward, offset


def padded(rows: Floats, sides: int) -> Floats:
    """Rows (q, k, …) with their last entry repeated up to `sides`."""
    lack = sides - rows.shape[1]
    if lack <= 0 or not len(rows):
        return rows if len(rows) else np.zeros((0, sides, *rows.shape[2:]))
    return np.concatenate([rows, np.repeat(rows[:, -1:], lack, axis=1)], axis=1)


def strip_span(along: Floats, across: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The extent of polygons along a strip, from their corners (e, …) along it and across it.

    Returns the least and greatest coordinate along of the part where low < across < high; (inf,
    -inf) where nothing lies inside.
    """
    step_along, step = np.empty_like(along), np.empty_like(across)
    np.subtract(along[1:], along[:-1], out=step_along[:-1])
    np.subtract(along[0], along[-1], out=step_along[-1])
    np.subtract(across[1:], across[:-1], out=step[:-1])
    np.subtract(across[0], across[-1], out=step[-1])
    with np.errstate(divide="ignore", invalid="ignore"):
        first = (low - across) / step
        second = (high - across) / step
        enter = np.maximum(np.minimum(first, second), 0.0)
        leave = np.minimum(np.maximum(first, second), 1.0)
        # NaN where a side is parallel to the strip and on its border: its neighbours decide
        outside = ~(enter < leave)
        one, two = along + enter * step_along, along + leave * step_along
    least, most = np.minimum(one, two), np.maximum(one, two)
    np.copyto(least, np.inf, where=outside)
    np.copyto(most, -np.inf, where=outside)
    return np.minimum.reduce(least), np.maximum.reduce(most)

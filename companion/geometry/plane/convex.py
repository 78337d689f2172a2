"""Convex polygons in bulk: clipping, and the decomposition of an outline into convex parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.geometry.plane.trays import Floats, following

Point = tuple[float, float]


def clip(polygons: Floats, normal: Floats, offset: Floats) -> Floats:
    """Polygons (m, k, 2) clipped to normal · p >= offset, as (m, k + 1, 2).

    Polygons with fewer corners repeat the last one, so no corner counts are needed; one that is
    clipped away entirely becomes NaN.
    """
    depth = polygons[..., 0] * normal[:, :1] + polygons[..., 1] * normal[:, 1:] - offset[:, None]
    inside = depth >= 0
    if inside.all():
        return np.concatenate([polygons, polygons[:, -1:]], axis=1)
    after = np.concatenate([depth[:, 1:], depth[:, :1]], axis=1)
    crosses = inside != (after >= 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(crosses, depth / (depth - after), 0.0)
    cut = polygons + part[..., None] * (following(polygons) - polygons)
    count, corners = depth.shape
    both = np.stack([polygons, cut], axis=2).reshape(count, corners * 2, 2)
    repeated = (polygons[:, 1:, 0] == polygons[:, :-1, 0]) & (
        polygons[:, 1:, 1] == polygons[:, :-1, 1]
    )
    inside[:, 1:] &= ~repeated
    keep = np.stack([inside, crosses], axis=2).reshape(count, corners * 2)
    order = np.argsort(~keep, axis=1, kind="stable")[:, : corners + 1]
    kept = np.minimum(np.arange(corners + 1), keep.sum(axis=1, keepdims=True) - 1)
    chosen = np.take_along_axis(order, np.maximum(kept, 0), axis=1)
    result = np.take_along_axis(both, chosen[..., None], axis=1)
    result[~keep.any(axis=1)] = np.nan
    return result


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

"""The decomposition of an outline into convex parts."""

from __future__ import annotations

from collections.abc import Sequence

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

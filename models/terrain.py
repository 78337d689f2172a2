"""A terrain piece: an outline on the table and the keywords that determine its rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.field import Field, shown
from models.pose import FAR_IN

KEYWORDS = frozenset(
    "blocks-line-of-sight cover dangerous destructible elevated fortified hindering horrific "
    "impassable inspiring rough".split()
)
ALIASES = {
    "blocks-los": "blocks-line-of-sight",
    "blocks-sight": "blocks-line-of-sight",
    "blocking": "blocks-line-of-sight",
}
MIN_AREA_IN2 = 1e-4
MOST_CORNERS = 60
"""Of one outline; lines of sight are drawn through pairs of corners."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Terrain:
    """One piece on the table; its outline is counter-clockwise."""

    id: str
    outline: tuple[Point, ...]
    keywords: frozenset[str]
    piece: str = ""

    @classmethod
    def read(cls, field: Field, pieces: Mapping[str, frozenset[str]]) -> Terrain:
        """Read a terrain object of a table file: a catalogue piece, or keywords of its own."""
        raw = field.keys({"id", "piece", "keywords", "outline"}, {"id", "outline"})
        if ("piece" in raw) == ("keywords" in raw):
            field.fail("needs either 'piece' or 'keywords'")
        piece, words = "", frozenset[str]()
        if "piece" in raw:
            piece = field.member("piece").choice(pieces)
            words = pieces[piece]
        else:
            words = frozenset(read_keyword(word) for word in field.member("keywords").items(20))
        return cls(field.member("id").text(60), read_outline(field.member("outline")), words, piece)

    def to_json(self) -> dict[str, Any]:
        """The piece as a JSON object."""
        kind: dict[str, Any] = (
            {"piece": self.piece} if self.piece else {"keywords": sorted(self.keywords)}
        )
        return {"id": self.id, **kind, "outline": [list(point) for point in self.outline]}


def read_keyword(field: Field) -> str:
    """Read a keyword; case, spaces and underscores do not matter."""
    word = field.text().strip().lower().replace(" ", "-").replace("_", "-")
    word = ALIASES.get(word, word)
    if word not in KEYWORDS:
        field.fail(f"{shown(field.raw)} is unknown; known: {', '.join(sorted(KEYWORDS))}")
    return word


def read_outline(field: Field) -> tuple[Point, ...]:
    """Read a simple polygon of at least three corners, returned counter-clockwise."""
    points: list[Point] = []
    for item in field.items(MOST_CORNERS, 3):
        x, y = (number.number(-FAR_IN, FAR_IN) for number in item.items(2, 2))
        if not points or math.dist(points[-1], (x, y)) > 1e-9:
            points.append((x, y))
    if len(points) > 1 and math.dist(points[0], points[-1]) <= 1e-9:
        points.pop()
    if len(points) < 3:
        field.fail("has fewer than three different corners")
    crossing = self_crossing(points)
    if crossing is not None:
        field.fail(f"crosses itself: its sides {crossing[0]} and {crossing[1]} meet")
    area = signed_area(points)
    if abs(area) < MIN_AREA_IN2:
        field.fail("encloses no area")
    return tuple(points if area > 0 else reversed(points))


def signed_area(points: list[Point]) -> float:
    """The area enclosed by the corners, positive counter-clockwise."""
    following = points[1:] + points[:1]
    return 0.5 * sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(points, following, strict=True))


def self_crossing(points: list[Point]) -> tuple[int, int] | None:
    """The first two sides that touch without being neighbours, or that fold back."""
    count = len(points)
    ends = [(points[i], points[(i + 1) % count]) for i in range(count)]
    low = [min(a[0], b[0]) for a, b in ends]
    high = [max(a[0], b[0]) for a, b in ends]
    found = [(i, (i + 1) % count) for i in range(count) if folds(*ends[i], points[(i + 2) % count])]
    # Sweep from left to right: a side is compared only with those that begin before it ends.
    order = sorted(range(count), key=low.__getitem__)
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            if low[j] > high[i]:
                break
            apart = (j - i) % count
            if apart not in (1, count - 1) and meet(*ends[i], *ends[j]):
                found.append((min(i, j), max(i, j)))
    return min(found, default=None)


def side(p: Point, q: Point, r: Point) -> float:
    """Positive if r lies left of the line from p to q, 0 if on it."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def folds(a: Point, b: Point, c: Point) -> bool:
    """Whether the path from a over b to c turns back on itself."""
    ahead = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1])
    return ahead < 0 and side(a, b, c) == 0


def meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the segments ab and cd have a point in common."""
    if max(c[1], d[1]) < min(a[1], b[1]) or max(a[1], b[1]) < min(c[1], d[1]):
        return False
    s1, s2, s3, s4 = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
    return (
        (s1 * s2 < 0 and s3 * s4 < 0)
        or (s1 == 0 and between(a, b, c))
        or (s2 == 0 and between(a, b, d))
        or (s3 == 0 and between(c, d, a))
        or (s4 == 0 and between(c, d, b))
    )


def between(p: Point, q: Point, r: Point) -> bool:
    """Whether r, known to lie on the line through p and q, lies between them."""
    return min(p[0], q[0]) <= r[0] <= max(p[0], q[0]) and min(p[1], q[1]) <= r[1] <= max(p[1], q[1])

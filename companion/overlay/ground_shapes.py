"""Terrain, tokens and zones as shapes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from companion.overlay.shapes import Circle, Label, Point, Polygon, Shape, Style
from companion.text.translation import _
from models import Objective, Terrain

ZONE_Z, TERRAIN_Z, TOKEN_Z, RING_Z, WORDS_Z = 0, 10, 12, 64, 20


def terrain_shapes(piece: Terrain, look: str) -> Iterator[Shape]:
    """A piece with its pattern (the theme's `terrain-…`), its kind and its keywords."""
    about = (piece.id,)
    yield Polygon(piece.outline, Style(f"terrain-{look}"), TERRAIN_Z, about)
    kind = _((piece.piece or piece.id).replace("-", " "))
    words = [_(word.replace("-", " ")) for word in sorted(piece.keywords)]
    text = "\n".join([kind[:1].upper() + kind[1:], *wrapped_words(words)])
    yield Label(text, around(piece.outline), Style("terrain"), WORDS_Z, about)


def wrapped_words(words: Sequence[str], longest: int = 22) -> list[str]:
    """Words joined by dots into lines of about that many letters."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 3 <= longest:
            lines[-1] += f" · {word}"
        else:
            lines.append(word)
    return lines


def around(outline: Sequence[Point]) -> tuple[Point, ...]:
    """Positions for a name: inside, then around the outline, below and above before beside."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    wide, high = (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2
    return (
        *((x, y + part * high) for part in (0.0, -0.5, 0.5)),
        *((x + part * wide, y - high - 1.0) for part in (0.0, -0.5, 0.5)),
        *((x + part * wide, y + high + 1.0) for part in (0.0, -0.5, 0.5)),
        *((x + wide + 2.4, y + part * high) for part in (0.0, -0.6, 0.6)),
        *((x - wide - 2.4, y + part * high) for part in (0.0, -0.6, 0.6)),
        *((x + part * wide, y + sign * (high + 1.9)) for sign in (-1, 1) for part in (-1, 0, 1)),
    )


def token_shapes(token: Objective) -> Iterator[Shape]:
    """A token with its id; its ring is also drawn over a tray that stands on it."""
    about = (token.id,)
    x, y, r = token.x, token.y, token.radius
    yield Circle((x, y), r, Style("token"), TOKEN_Z, about)
    yield Circle((x, y), r, Style("token-ring"), RING_Z, about)
    spots = ((x, y), *ring_spots((x, y), r + 0.45), *ring_spots((x, y), r + 1.1))
    yield Label(token.id, spots, Style("token"), WORDS_Z + 70, about)


def ring_spots(centre: Point, radius_in: float) -> Iterator[Point]:
    """Eight positions around a centre: below, above and beside it before the corners."""
    for number in (6, 2, 0, 4, 7, 5, 1, 3):
        turn = math.radians(45 * number)
        yield centre[0] + radius_in * math.cos(turn), centre[1] + radius_in * math.sin(turn)


def zone_shapes(
    outline: Sequence[Point], side: str, text: str, inward: Point, emphasis: float = 1.0
) -> Iterator[Shape]:
    """A side's zone, labelled at the edge that is farther from the point `inward`."""
    yield Polygon(tuple(outline), Style("deployment", side, emphasis=emphasis), ZONE_Z)
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    rows = sorted((min(ys) + 0.7, max(ys) - 0.7), key=lambda y: -abs(y - inward[1]))
    spots = tuple(
        (min(xs) + share * (max(xs) - min(xs)), y)
        for y in rows
        for share in (0.5, 0.3, 0.7, 0.08, 0.92)
    )
    yield Label(text, spots, Style("deployment", side), WORDS_Z - 5)

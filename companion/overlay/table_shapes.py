"""An open table as shapes: terrain, tokens, zones, and units' trays with front bar, models,
name, id.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from companion.overlay.shapes import Circle, Label, Point, Polygon, Shape, Style
from models import Pose, TableToken, Terrain, Tray, Unit
from models.message import Name, joined, say
from models.unit import corners

ZONE_Z, TERRAIN_Z, TOKEN_Z, RING_Z, GROUND_WORDS_Z = 0, 10, 12, 64, 20


def terrain_shapes(piece: Terrain, look: str) -> Iterator[Shape]:
    """A piece with its pattern (the theme's `terrain-…`), its kind and its keywords."""
    about = (piece.id,)
    yield Polygon(piece.outline, Style(f"terrain-{look}"), TERRAIN_Z, about)
    kind = say((piece.piece or piece.id).replace("-", " "))
    words = [say(word.replace("-", " ")) for word in sorted(piece.keywords)]
    text = joined([kind, *wrapped_words(words)], "\n")
    yield Label(text, around(piece.outline), Style("terrain"), GROUND_WORDS_Z, about)


def wrapped_words(words: Sequence[str], longest: int = 22) -> list[str]:
    """Words joined by dots into lines of about that many letters."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 3 <= longest:
            lines[-1] = joined((lines[-1], word), " · ")
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


def token_shapes(token: TableToken) -> Iterator[Shape]:
    """A token with its id; its ring is also drawn over a tray that stands on it."""
    about = (token.id,)
    x, y, r = token.x, token.y, token.radius
    yield Circle((x, y), r, Style("token"), TOKEN_Z, about)
    yield Circle((x, y), r, Style("token-ring"), RING_Z, about)
    spots = ((x, y), *ring_spots((x, y), r + 0.45), *ring_spots((x, y), r + 1.1))
    yield Label(token.id, spots, Style("token"), GROUND_WORDS_Z + 70, about)


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
    yield Label(text, spots, Style("deployment", side), GROUND_WORDS_Z - 5)


BAR_IN = 0.36
ARROW_IN = 0.62

GROUND_Z, MODELS_Z, FRONT_Z, TRAY_WORDS_Z = 60, 61, 62, 100


@lru_cache(maxsize=128)
def tray_shapes(unit: Unit, chosen: bool = False) -> tuple[Shape, ...]:
    """Everything by which a player recognises a unit; cached, as it is in every picture."""
    return tuple(parts(unit, chosen))


def parts(unit: Unit, chosen: bool) -> Iterator[Shape]:
    """Area, models, front and labels of a tray."""
    tray, pose, about = unit.tray, unit.pose, (unit.id,)
    role = "tray-chosen" if chosen else "tray"
    yield Polygon(corners(unit), Style(role, unit.side), GROUND_Z, about)
    yield from model_marks(unit)
    ahead, aside = tray.depth / 2, tray.width / 2
    bar = ((ahead, aside), (ahead, -aside), (ahead - BAR_IN, -aside), (ahead - BAR_IN, aside))
    style = Style("front", unit.side)
    yield Polygon(tuple(pose.ahead(*corner) for corner in bar), style, FRONT_Z, about)
    yield Polygon(facing(tray, pose), Style("facing", unit.side), FRONT_Z, about)
    yield name_label(unit)
    yield Label(
        unit.id,
        (pose.ahead(-ahead + 0.15, aside - 0.3),),
        Style("id", unit.side),
        TRAY_WORDS_Z + 1,
        about,
        room_in=(tray.width, 0.7),
    )


def facing(tray: Tray, pose: Pose) -> tuple[Point, ...]:
    """The arrow head at the middle of the front edge."""
    ahead = tray.depth / 2
    size = min(ARROW_IN, tray.width / 4)
    return (
        pose.ahead(ahead + size * 0.9),
        pose.ahead(ahead, size),
        pose.ahead(ahead, -size),
    )


def model_marks(unit: Unit) -> Iterator[Circle]:
    """One mark per model, front rank first and from the left; removed models are hollow."""
    tray = unit.tray
    ranks = max(1, tray.ranks)
    files = max(1, math.ceil(tray.models / ranks))
    length, width = tray.depth - BAR_IN - 0.25, tray.width - 0.3
    radius = 0.40 * min(length / ranks, width / files)
    for number in range(tray.models):
        rank, place = divmod(number, files)
        forward = tray.depth / 2 - BAR_IN - 0.1 - (rank + 0.5) * length / ranks
        left = width / 2 - (place + 0.5) * width / files
        role = "model" if number < unit.models else "model-lost"
        style = Style(role, unit.side)
        yield Circle(unit.pose.ahead(forward, left), radius, style, MODELS_Z, (unit.id,))


def name_label(unit: Unit) -> Label:
    """The name inside the tray, parallel to whichever of its edges is closer to horizontal."""
    turns = round(unit.pose.heading / 90)
    tilt = unit.pose.heading - 90 * turns
    along_front = turns % 2 == 1
    width, height = unit.tray.width, unit.tray.depth
    if not along_front:
        width, height = height, width
    return Label(
        Name.of(unit.name),
        (unit.pose.ahead(-BAR_IN / 2),),
        Style("tray", unit.side),
        TRAY_WORDS_Z,
        (unit.id,),
        room_in=(width - 0.35, height - 0.9),
        tilt_deg=tilt,
    )

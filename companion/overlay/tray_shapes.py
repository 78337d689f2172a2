"""A unit's tray as shapes: area, front bar, facing arrow, models in their ranks, name, id."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from companion.overlay.shapes import Circle, Label, Point, Polygon, Shape, Style
from models import Pose, Tray, Unit
from models.footprint import corners

BAR_IN = 0.36
ARROW_IN = 0.62

GROUND_Z, MODELS_Z, FRONT_Z, WORDS_Z = 60, 61, 62, 100


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
        WORDS_Z + 1,
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
        unit.name,
        (unit.pose.ahead(-BAR_IN / 2),),
        Style("tray", unit.side),
        WORDS_Z,
        (unit.id,),
        room_in=(width - 0.35, height - 0.9),
        tilt_deg=tilt,
    )

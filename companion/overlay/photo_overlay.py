"""Answers drawn onto a photo of the table: the map's shapes projected into the camera's view; or
what was found on a photo, what was expected and not found, and what is unread.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from PIL import Image, ImageDraw

from companion.overlay.canvas import FINE, Canvas, font
from companion.overlay.labels import draw_label, draw_plate, lay_out
from companion.overlay.map_theme import CREAM, FIGURES, NIGHT, MapTheme, RoleStyle, side_looks
from companion.overlay.paint_figures import PaintLayer, draw
from companion.overlay.shapes import (
    Circle,
    Label,
    Point,
    Polygon,
    Polyline,
    Shape,
    ShapeCache,
    TableScene,
    drawing_order,
)
from companion.overlay.view_frame import BoundingBox, PointPx, ToPixels, ViewFrame

LARGEST_PX = 2400
"""Larger photos are reduced: no screen shows more."""
STEP_IN = 1.0
"""Straight lines are subdivided into steps this long, since lens distortion bends them."""
Outline = tuple[list[Point], str, str]
"""Corners in pixels, a role (found, missing or unread), and the words beside them."""
COLOURS = {"found": (60, 190, 90), "missing": (235, 70, 60), "unread": (240, 170, 40)}
UNSEEN = ("model", "terrain", "deployment", "ground")
"""Roles that the photo itself shows: models, terrain, the ground."""


def onto_photo(photo: Image.Image, scene: TableScene, to_pixels: ToPixels) -> Image.Image:
    """The scene drawn over the photo; `to_pixels` maps table inches to the photo's pixels."""
    scale = min(1.0, LARGEST_PX / max(photo.size))
    size = (round(photo.width * scale), round(photo.height * scale))

    def scaled(points: Sequence[Point]) -> list[PointPx]:
        return [((x + 0.5) * scale, (y + 0.5) * scale) for x, y in to_pixels(points)]

    canvas = Canvas(*size, photo_theme().paper)
    canvas.image = (
        photo.convert("RGB")
        .resize(size, Image.Resampling.LANCZOS)
        .resize((size[0] * FINE, size[1] * FINE), Image.Resampling.NEAREST)
    )
    draw_photo(canvas, scene, (float(size[0]), float(size[1])), scaled)
    return canvas.image


def draw_photo(
    canvas: Canvas,
    scene: TableScene,
    size: tuple[float, float],
    to_pixels: ToPixels,
    unit_px: float = 0.0,
    book: ShapeCache | None = None,
) -> None:
    """Draw what the photo does not show itself, on a canvas of the photo's size.

    `book` is a cache of shapes drawn earlier for the same camera view.
    """
    book = book or ShapeCache()
    shapes = tuple(bent(book, shape) for shape in scene.shapes if not hidden(shape))
    x, y = scene.width_in / 2, scene.depth_in / 2
    level = ((x - 1, y), (x + 1, y))
    new = [shape for shape in shapes if shape not in book.figures or shape not in book.stamps]
    points = [point for shape in new for point in points_of(shape)]
    points = list(dict.fromkeys((*points, *level)))
    found = [(float(x), float(y)) for x, y in to_pixels(points)]
    spots = dict(zip(points, found, strict=True))
    frame = ViewFrame(
        (math.ceil(size[0]), math.ceil(size[1])),
        0.0,
        0.0,
        math.dist(*(spots[point] for point in level)) / 2,
        scene.depth_in,
        BoundingBox(0.0, 0.0, *size),
        unit_px,
        to_pixels,
        spots,
    )
    sheet = PaintLayer(canvas, frame, photo_theme(), side_looks(scene.sides), book)
    for shape in drawing_order(shapes):
        draw(sheet, shape)
    words = lay_out(sheet, replace(scene, shapes=shapes))
    for label in words:
        draw_plate(sheet, label)
    canvas.reduce()
    for label in words:
        draw_label(sheet, label)


def points_of(shape: Shape) -> Sequence[Point]:
    """Every point of a shape that must be projected into the photo."""
    match shape:
        case Polygon():
            return [*shape.outline, *(point for hole in shape.holes for point in hole)]
        case Polyline():
            return shape.points
        case Circle():
            return (shape.centre,)
        case Label():
            return shape.spots


@lru_cache(maxsize=1)
def photo_theme() -> MapTheme:
    """The map's theme in its bright colours, without fills that would cover the photo."""
    figures: dict[str, RoleStyle] = {}
    for role, look in FIGURES.items():
        clear = replace(look, cover=0.0, line=look.line * 1.4, fill=min(look.fill, 0.28))
        if role in ("tray", "tray-chosen"):
            clear = replace(clear, fill=0.0, casing=1.0, line=look.line * 1.6)
        if role in ("remembered", "astray", "moved"):
            clear = replace(clear, fill=0.0)
        if role in ("front", "facing"):
            clear = replace(clear, fill=look.fill)
        if role == "token":
            # The token itself is in the photo: a ring around it shows that it was recognised.
            clear = replace(clear, fill=0.0, line=3.0)
        figures[role] = clear
    return MapTheme(figures=figures, dark=True, cover=NIGHT, ink=CREAM)


def hidden(shape: Shape) -> bool:
    """Whether the photo already shows what the shape stands for; fires come and go in play."""
    role = shape.style.role
    return role.startswith(UNSEEN) and role != "ground-flame"


def bent(book: ShapeCache, shape: Shape) -> Shape:
    """The shape subdivided for lens distortion; cached."""
    found = book.followed.get(shape)
    if found is None:
        found = followed(shape)
        if book.again(shape):
            book.followed[shape] = found
    return found


def followed(shape: Shape) -> Shape:
    """The shape with enough corners to follow a bent line; circles become polygons."""
    match shape:
        case Polygon():
            holes = tuple(tuple(stepped(hole, closed=True)) for hole in shape.holes)
            # A front bar's stripes are aligned with its first two corners: they must stay the
            # first.
            if shape.style.role == "front":
                return shape
            return replace(shape, outline=tuple(stepped(shape.outline, closed=True)), holes=holes)
        case Polyline():
            return replace(shape, points=tuple(stepped(shape.points)))
        case Circle():
            turns = [2 * math.pi * number / 36 for number in range(36)]
            rim = tuple(
                (
                    shape.centre[0] + shape.radius_in * math.cos(turn),
                    shape.centre[1] + shape.radius_in * math.sin(turn),
                )
                for turn in turns
            )
            return Polygon(rim, shape.style, shape.z, shape.about)
        case Label():
            # Labels are upright on a photo and need no room measured in inches.
            return replace(shape, room_in=None, tilt_deg=0.0)


def stepped(points: Sequence[Point], closed: bool = False) -> list[Point]:
    """The same line with a corner every inch."""
    ring = [*points, points[0]] if closed and points else list(points)
    found: list[Point] = list(ring[:1])
    for p, q in pairwise(ring):
        count = max(1, math.ceil(math.dist(p, q) / STEP_IN))
        found += [
            (p[0] + (q[0] - p[0]) * n / count, p[1] + (q[1] - p[1]) * n / count)
            for n in range(1, count + 1)
        ]
    return found[:-1] if closed and points else found


def draw_explained(photo: Image.Image, outlines: Iterable[Outline]) -> Image.Image:
    """The photo with an outline and words for each place."""
    scale = min(1.0, LARGEST_PX / max(photo.size))
    drawn = photo.convert("RGB").resize((round(photo.width * scale), round(photo.height * scale)))
    pen = ImageDraw.Draw(drawn)
    letters = max(12, drawn.width // 90)
    face, line = font(letters, True), max(2, drawn.width // 500)
    for corners, role, words in outlines:
        rim = [((x + 0.5) * scale, (y + 0.5) * scale) for x, y in corners]
        pen.line([*rim, rim[0]], fill=COLOURS[role], width=line, joint="curve")
        left, low = min(x for x, _ in rim), max(y for _, y in rim) + line
        wide = pen.textlength(words, font=face)
        left = max(0.0, min(left, drawn.width - wide - letters / 2))
        low = min(low, drawn.height - 1.4 * letters)
        pen.rectangle(
            (left, low, left + wide + letters / 2, low + 1.3 * letters), fill=(20, 20, 24)
        )
        pen.text((left + letters / 4, low), words, font=face, fill=COLOURS[role])
    return drawn

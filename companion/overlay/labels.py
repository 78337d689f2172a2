"""The labels of a scene: sized, wrapped, placed and drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from companion.overlay.canvas import TextLine, block_size, cut, fitted, font, rounded
from companion.overlay.label_placement import CELL_PX, LabelRequest, LabelSpace, place
from companion.overlay.map_theme import WHITE, Colour, Lettering, mixed
from companion.overlay.paint_figures import PaintLayer
from companion.overlay.shapes import (
    Circle,
    Label,
    Point,
    Polygon,
    Polyline,
    Shape,
    Stamp,
    TableScene,
)
from companion.overlay.view_frame import BoundingBox, PointPx

SMALLEST = 9.5
"""The smallest text size, per mille."""

WIDEST = 260.0
"""The longest line of a label, per mille."""

PADDING = {"plate": (5.5, 2.8), "badge": (5.0, 2.0), "halo": (1.5, 0.7)}

HEAD, HEAD_WEIGHT = 4, 12
"""An arrow's head: its radius in cells, and how much more it costs than its line."""

BUSY = {
    "tray": 12.0,
    "tray-chosen": 12.0,
    "front": 20.0,
    "facing": 20.0,
    "engaged": 20.0,
    "engagement": 20.0,
    "token": 1.0,
    "terrain": 0.15,
    "attack-end": 0.05,
    "attack-path": 0.25,
    "shot": 0.25,
    "sight": 0.1,
}
"""The cost, per cell, of writing over a figure of that role."""


@dataclass(frozen=True, slots=True)
class LabelLayout:
    """A label with its lines, its box and the spot it belongs to."""

    label: Label
    lines: list[TextLine]
    letters: Lettering
    box: BoundingBox
    spot: PointPx


def lay_out(sheet: PaintLayer, scene: TableScene) -> list[LabelLayout]:
    """Fixed labels first, then the others where they cover least, in order of importance."""
    frame = sheet.frame
    room = LabelSpace(frame.bounds)
    room.add(busy(sheet, scene, room))
    picture = BoundingBox(0.0, 0.0, float(frame.size_px[0]), float(frame.size_px[1]))
    labels = [shape for shape in scene.shapes if isinstance(shape, Label)]
    fixed: list[LabelLayout] = []
    free: list[tuple[Label, list[TextLine], Lettering]] = []
    wanted: list[LabelRequest] = []
    for label in sorted(labels, key=lambda label: -label.z):
        letters = sheet.theme.letters(label.style.role)
        lines = set_lines(sheet, label, letters)
        width, height = padded(sheet, lines, letters)
        spots = tuple(frame.px(spot) for spot in label.spots)
        if label.room_in is not None:
            box = BoundingBox.around(spots[0], *turned_size(width, height, label.tilt_deg))
            fixed.append(LabelLayout(label, lines, letters, box.within(picture), spots[0]))
            room.take(fixed[-1].box)
        else:
            free.append((label, lines, letters))
            wanted.append(LabelRequest(width, height, spots, stays=letters.ground != "plate"))
    placed = place(room, wanted)
    return fixed + [
        LabelLayout(*words, found.box, found.spot)
        for words, found in zip(free, placed, strict=True)
    ]


def set_lines(sheet: PaintLayer, label: Label, letters: Lettering) -> list[TextLine]:
    """The label's lines with their text sizes."""
    u = sheet.unit
    size = round(letters.size * u)
    if label.room_in is not None:
        width, height = (length * sheet.frame.scale for length in label.room_in)
        return fitted(label.text, width, height, size, round(SMALLEST * u), letters.bold)
    small, widest = round(letters.size * letters.tail * u), WIDEST * u
    first, *rest = label.text.split("\n")
    return [
        TextLine(cut(first, font(size, letters.bold), widest), size, letters.bold),
        *(TextLine(cut(text, font(small, bold=False), widest), small) for text in rest),
    ]


def padded(sheet: PaintLayer, lines: list[TextLine], letters: Lettering) -> tuple[float, float]:
    """The size of the lines with their padding."""
    width, height = block_size(lines)
    aside, above = PADDING[letters.ground]
    return width + 2 * aside * sheet.unit, height + 2 * above * sheet.unit


def busy(sheet: PaintLayer, scene: TableScene, room: LabelSpace) -> NDArray[np.float64]:
    """The cost of each cell, from the figures that cover it."""
    rows, columns = room.weights.shape
    weights, stamps = np.zeros((rows, columns)), sheet.book.stamps

    def cell(point: Point) -> PointPx:
        x, y = sheet.frame.px(point)
        return (x - room.bounds.left) / CELL_PX, (y - room.bounds.top) / CELL_PX

    for shape in scene.shapes:
        role = shape.style.role
        weight = BUSY.get("terrain" if role.startswith("terrain-") else role, 0.0)
        if weight:
            if shape in stamps:
                found = stamps[shape]
            else:
                found = stamp((rows, columns), shape, cell, sheet.frame.scale / CELL_PX)
                if shape in sheet.book.figures:
                    stamps[shape] = found
            if found is not None:
                weights[found[0], found[1]] += weight * found[2]
    return weights


def stamp(
    size: tuple[int, int],
    shape: Shape,
    cell: Callable[[Point], PointPx],
    scale: float,
) -> Stamp | None:
    """The cells under a figure, rasterised within its bounding box only."""
    match shape:
        case Polygon():
            spots, margin = [cell(point) for point in shape.outline], 1.0
        case Polyline():
            spots, margin = [cell(point) for point in shape.points], HEAD + 1.0
        case Circle():
            spots, margin = [cell(shape.centre)], shape.radius_in * scale + 1.0
        case _:
            return None
    rows, columns = size
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    left, top = max(math.floor(min(xs) - margin), 0), max(math.floor(min(ys) - margin), 0)
    right = min(math.ceil(max(xs) + margin) + 1, columns)
    bottom = min(math.ceil(max(ys) + margin) + 1, rows)
    if left >= right or top >= bottom:
        return None
    layer = Image.new("L", (right - left, bottom - top))
    pen = ImageDraw.Draw(layer)
    own = [(x - left, y - top) for x, y in spots]
    x, y = own[-1]
    match shape:
        case Polygon():
            pen.polygon(own, fill=1)
        case Polyline():
            pen.line(own, fill=1, width=2)
            if shape.arrow:
                pen.ellipse((x - HEAD, y - HEAD, x + HEAD, y + HEAD), fill=HEAD_WEIGHT)
        case Circle():
            r = shape.radius_in * scale
            pen.ellipse((x - r, y - r, x + r, y + r), fill=1)
    return slice(top, bottom), slice(left, right), np.array(layer)


def draw_leader(sheet: PaintLayer, words: LabelLayout) -> None:
    """A leader line from a label that was moved aside to the spot it belongs to."""
    u, box, canvas = sheet.unit, words.box, sheet.canvas
    if words.label.room_in is None and box.distance(words.spot) > 6 * u:
        colour = letters_colour(sheet, words)
        canvas.line([box.centre, words.spot], sheet.theme.cover, 2.6 * u, 0.8)
        canvas.line([box.centre, words.spot], colour, 1.0 * u)
        canvas.disc(words.spot, 2.2 * u, colour)


def draw_plate(sheet: PaintLayer, words: LabelLayout) -> None:
    """The background of a label: a plate or a badge."""
    u, box, canvas = sheet.unit, words.box, sheet.canvas
    side = sheet.side(words.label.style)
    if words.letters.ground == "plate":
        outer = rounded(box.left, box.top, box.right, box.bottom, 5 * u)
        canvas.fill(outer, sheet.theme.cover, 0.94)
        dash = None if words.label.style.sure else (3 * u, 2 * u)
        canvas.line([*outer, outer[0]], letters_colour(sheet, words), 1.2 * u, 0.9, dash)
    elif words.letters.ground == "badge":
        radius = (99.0 if side.mark == "round" else 1.5) * u
        outer = rounded(box.left, box.top, box.right, box.bottom, radius)
        canvas.fill(outer, side.fill if sheet.theme.dark else side.colour)
        canvas.line([*outer, outer[0]], WHITE, 1.1 * u)


def letters_colour(sheet: PaintLayer, words: LabelLayout) -> Colour:
    """The colour of a label's lines: its own, or its side's."""
    own = words.letters.colour
    return sheet.theme.own(own) if own else sheet.theme.lines_of(sheet.side(words.label.style))


def draw_label(sheet: PaintLayer, words: LabelLayout) -> None:
    """Draw the text, after the figures are finished."""
    halo: tuple[Colour, float] | None = None
    colour = letters_colour(sheet, words)
    if words.letters.colour is None:
        colour = mixed(colour, sheet.theme.ink, 0.78)
    if words.letters.ground == "badge":
        colour = WHITE
    elif words.letters.ground == "halo":
        halo = (sheet.theme.cover, 2.0 * sheet.unit)
    sheet.canvas.draw_text(words.box.centre, words.lines, colour, halo, words.label.tilt_deg)


def turned_size(width: float, height: float, tilt_deg: float) -> tuple[float, float]:
    """Width and height of the bounding box of a rotated rectangle."""
    cos, sin = abs(math.cos(math.radians(tilt_deg))), abs(math.sin(math.radians(tilt_deg)))
    return width * cos + height * sin, width * sin + height * cos

"""The map: a scene seen from straight above, painted to a PNG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from companion.overlay.canvas import (
    Canvas,
    Line,
    PointPx,
    block_size,
    circle,
    fitted,
    rounded,
)
from companion.overlay.placing import CELL_PX, TAKEN, Box, Placed, Room, Wanted, place
from companion.overlay.shape import (
    Circle,
    Key,
    Label,
    Point,
    Polygon,
    Polyline,
    Scene,
    Style,
    drawing_order,
)
from companion.overlay.texture import TEXTURES
from companion.overlay.theme import (
    INK,
    LIGHT,
    SOFT_INK,
    WHITE,
    Colour,
    Lettering,
    SideLook,
    Theme,
    mixed,
    side_looks,
)

SIZE_PX = (1600, 1600)
GRID_IN = 1
RULER_IN = 6
BAR, ROW = 38, 25
"""Height of the title bar and of a row of the legend, per mille."""

BUSY = {
    "tray": 6.0,
    "tray-chosen": 6.0,
    "front": 20.0,
    "facing": 20.0,
    "objective": 1.0,
    "engaged": 20.0,
    "charge-way": 0.25,
    "shot": 0.25,
    "sight": 0.1,
    "charge-end": 0.4,
    "terrain": 0.5,
}
"""What it costs, per cell, to write over a figure of that role."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the ground lies in the picture: its upper left corner, its scale, the unit of sizes."""

    left: float
    top: float
    scale: float
    depth_in: float
    unit: float
    bounds: Box

    def px(self, point: Point) -> PointPx:
        """A point of the table as a point of the picture."""
        return self.left + point[0] * self.scale, self.top + (self.depth_in - point[1]) * self.scale


@dataclass(frozen=True, slots=True)
class Words:
    """A label ready to be set: its lines and the room they need."""

    label: Label
    lines: list[Line]
    letters: Lettering
    width: float
    height: float


def paint(
    scene: Scene, path: Path | str, size_px: tuple[int, int] = SIZE_PX, theme: Theme = LIGHT
) -> None:
    """Write the scene as a PNG."""
    Painter(scene, size_px, theme).picture().save(path, "PNG", optimize=True)


class Painter:
    """One picture in the making."""

    def __init__(
        self, scene: Scene, size_px: tuple[int, int] = SIZE_PX, theme: Theme = LIGHT
    ) -> None:
        self.scene, self.theme = scene, theme
        self.width, self.height = size_px
        self.unit = min(size_px) / 1000
        self.sides = side_looks(scene.sides)
        self.sheet = Canvas(self.width, self.height, theme.paper)
        self.rows = self.legend_rows()
        self.frame = self.framed()
        self.placed: list[tuple[Words, Placed]] = []

    def picture(self) -> Image.Image:
        """The finished picture."""
        self.ground()
        for shape in drawing_order(self.scene.shapes):
            match shape:
                case Polygon():
                    self.polygon(shape)
                case Polyline():
                    self.polyline(shape)
                case Circle():
                    self.circle(shape)
                case Label():
                    pass
        self.placed = self.lay_out()
        for words, placed in self.placed:
            self.plate(words, placed)
        self.bars()
        self.sheet.reduce()
        self.letter()
        return self.sheet.image

    # -- frame ------------------------------------------------------------------------------

    def framed(self) -> Frame:
        """Fit the ground between title, legend and rulers."""
        u, scene = self.unit, self.scene
        top = (BAR * u if scene.title else 0) + 9 * u
        bottom = self.height - (len(self.rows) * ROW + (8 if self.rows else 2)) * u - 20 * u
        left, right = 30 * u, self.width - 10 * u
        scale = min((right - left) / scene.width_in, (bottom - top) / scene.depth_in)
        wide, high = scale * scene.width_in, scale * scene.depth_in
        x = left + (right - left - wide) / 2
        y = top + (bottom - top - high) / 2
        return Frame(x, y, scale, scene.depth_in, u, Box(x + 2, y + 2, x + wide - 2, y + high - 2))

    def ground(self) -> None:
        """The table with its inch grid and, every six inches, a ruler mark."""
        u, frame, scene, theme = self.unit, self.frame, self.scene, self.theme
        w, d = scene.width_in, scene.depth_in
        corners = [frame.px(p) for p in ((0.0, 0.0), (w, 0.0), (w, d), (0.0, d))]
        self.sheet.fill(corners, theme.ground)
        for step, colour, weight in (
            (GRID_IN, theme.grid, 0.5),
            (RULER_IN, theme.ruler, 0.7),
            (2 * RULER_IN, theme.ruler, 1.1),
        ):
            for x in range(step, math.ceil(w), step):
                self.sheet.line([frame.px((x, 0)), frame.px((x, d))], colour, weight * u)
            for y in range(step, math.ceil(d), step):
                self.sheet.line([frame.px((0, y)), frame.px((w, y))], colour, weight * u)
        self.sheet.line([*corners, corners[0]], SOFT_INK, 1.8 * u)
        tick = 5 * u / frame.scale
        for x in range(0, math.floor(w) + 1, RULER_IN):
            self.sheet.line([frame.px((x, 0)), frame.px((x, -tick))], SOFT_INK, 1.2 * u)
        for y in range(0, math.floor(d) + 1, RULER_IN):
            self.sheet.line([frame.px((0, y)), frame.px((-tick, y))], SOFT_INK, 1.2 * u)

    # -- figures ----------------------------------------------------------------------------

    def colour(self, style: Style) -> Colour:
        """The role's own colour, else the side's."""
        return self.theme.figure(style.role).colour or self.side(style).colour

    def side(self, style: Style) -> SideLook:
        """How this shape's side is marked."""
        return self.sides.get(style.side, self.sides[""])

    def polygon(self, shape: Polygon) -> None:
        """Fill, texture, hatch, border."""
        style, u = shape.style, self.unit
        look, side, colour = self.theme.figure(style.role), self.side(style), self.colour(style)
        outline = [self.frame.px(point) for point in shape.outline]
        holes = [[self.frame.px(point) for point in hole] for hole in shape.holes]
        loud = 0.35 + 0.65 * style.emphasis
        if style.role == "front":
            self.front_bar(outline, side)
            return
        if style.role.startswith("tray"):
            self.sheet.fill(outline, WHITE, 1.0)
        self.sheet.fill(outline, colour, look.fill * loud, holes)
        if look.texture in TEXTURES:
            texture = TEXTURES[look.texture]
            gap = texture.gap[0] * u / 1.6, texture.gap[1] * u / 1.6
            self.sheet.scatter(outline, colour, 0.6, texture.sign, gap, texture.width)
        if look.texture == "hatch" or not style.sure:
            gap, weight = (13 * u, 0.6 * u) if style.sure else (6 * u, 1.1 * u)
            opacity = 0.35 * loud if style.sure else 0.8
            self.sheet.hatch(outline, colour, opacity, side.hatch_deg, gap, weight, holes)
        if look.line:
            dash = look.dash if style.sure else (3.0, 3.0)
            for ring in (outline, *holes):
                self.sheet.line(
                    [*ring, ring[0]],
                    colour,
                    look.line * u,
                    look.line_opacity * loud,
                    (dash[0] * u, dash[1] * u) if dash else None,
                )

    def front_bar(self, outline: list[PointPx], side: SideLook) -> None:
        """The bar along a front edge: solid for one side, striped for another."""
        u = self.unit
        if side.bar == "solid":
            self.sheet.fill(outline, side.colour)
            return
        self.sheet.fill(outline, WHITE)
        (ax, ay), (bx, by) = outline[0], outline[1]
        tilt = math.degrees(math.atan2(-(by - ay), bx - ax))
        turn = {"striped": 60.0, "dotted": 90.0, "double": 0.0}.get(side.bar, 60.0)
        self.sheet.hatch(outline, side.colour, 1.0, tilt + turn, 6.2 * u, 3.6 * u)
        self.sheet.line([*outline, outline[0]], side.colour, 1.5 * u)

    def polyline(self, shape: Polyline) -> None:
        """A line, cased in white where it crosses others, with a head if it is an arrow."""
        style, u = shape.style, self.unit
        look, colour = self.theme.figure(style.role), self.colour(style)
        points = [self.frame.px(point) for point in shape.points]
        loud = 0.45 + 0.55 * style.emphasis
        weight = max(0.8, look.line * loud) * u
        head: list[PointPx] = []
        if shape.arrow and len(points) > 1:
            points, head = arrow(points, 4.2 * weight + 4 * u)
        dash = look.dash if style.sure else (4.0, 3.0)
        scaled = (dash[0] * u, dash[1] * u) if dash else None
        if look.casing:
            edge = weight + 2 * look.casing * u
            self.sheet.line(points, WHITE, edge, 0.75)
            if head:
                self.sheet.line([*head, head[0], head[1]], WHITE, 2 * look.casing * u, 0.75)
        self.sheet.line(points, colour, weight, look.line_opacity, scaled)
        if head:
            self.sheet.fill(head, colour, look.line_opacity)

    def circle(self, shape: Circle) -> None:
        """A disc, or for a model the mark of its side."""
        style, u = shape.style, self.unit
        look, side, colour = self.theme.figure(style.role), self.side(style), self.colour(style)
        centre, radius = self.frame.px(shape.centre), shape.radius_in * self.frame.scale
        outline = circle(centre, radius)
        if style.role.startswith("model"):
            outline = mark(centre, radius, side.mark)
        self.sheet.fill(outline, colour, look.fill)
        if not style.sure:
            self.sheet.hatch(outline, colour, 0.8, side.hatch_deg, 5 * u, u)
        if look.line:
            edge = INK if style.role == "objective" else colour
            if style.role == "objective-ring":
                self.sheet.line([*outline, outline[0]], INK, (look.line + 1.4) * u)
            self.sheet.line([*outline, outline[0]], edge, look.line * u, look.line_opacity)

    # -- words ------------------------------------------------------------------------------

    def words(self, label: Label) -> Words:
        """Choose size and lines for a label."""
        u, letters = self.unit, self.theme.letters(label.style.role)
        size = round(letters.size * u)
        if label.room_in is not None:
            width, height = (length * self.frame.scale for length in label.room_in)
            lines = fitted(label.text, width, height, size, round(9.5 * u), letters.bold)
        else:
            first, *rest = label.text.split("\n")
            small = round(letters.size * letters.tail * u)
            lines = [Line(first, size, letters.bold), *(Line(text, small) for text in rest)]
        width, height = block_size(lines)
        aside, above = {"plate": (5.5, 2.8), "badge": (5, 2)}.get(letters.ground, (1.5, 0.7))
        return Words(label, lines, letters, width + 2 * aside * u, height + 2 * above * u)

    def lay_out(self) -> list[tuple[Words, Placed]]:
        """Fixed words first, then the others where they cover least, the important first."""
        room = Room(self.frame.bounds)
        room.add(self.busy(room))
        fixed: list[tuple[Words, Placed]] = []
        free: list[Words] = []
        for label in sorted(
            (shape for shape in self.scene.shapes if isinstance(shape, Label)),
            key=lambda label: -label.z,
        ):
            words = self.words(label)
            if label.room_in is None:
                free.append(words)
                continue
            spot = self.frame.px(label.spots[0])
            box = Box.around(spot, *turned_size(words.width, words.height, label.tilt_deg))
            fixed.append((words, Placed(box, spot)))
            room.take(box)
        wanted = [
            Wanted(
                w.width,
                w.height,
                tuple(self.frame.px(spot) for spot in w.label.spots),
                stays=w.letters.ground != "plate",
            )
            for w in free
        ]
        return fixed + list(zip(free, place(room, wanted), strict=True))

    def busy(self, room: Room) -> np.ndarray:
        """How dear each cell is, from the figures that lie there."""
        rows, columns = room.weights.shape
        weights = np.zeros((rows, columns))
        left, top = room.bounds.left, room.bounds.top

        def cell(point: Point) -> PointPx:
            x, y = self.frame.px(point)
            return (x - left) / CELL_PX, (y - top) / CELL_PX

        for shape in self.scene.shapes:
            role = shape.style.role
            weight = BUSY.get("terrain" if role.startswith("terrain-") else role, 0.0)
            if not weight or isinstance(shape, Label):
                continue
            layer = Image.new("L", (columns, rows))
            draw = ImageDraw.Draw(layer)
            match shape:
                case Polygon():
                    draw.polygon([cell(point) for point in shape.outline], fill=1)
                case Polyline():
                    draw.line([cell(point) for point in shape.points], fill=1, width=2)
                case Circle():
                    x, y = cell(shape.centre)
                    r = shape.radius_in * self.frame.scale / CELL_PX
                    draw.ellipse((x - r, y - r, x + r, y + r), fill=1)
            weights += weight * np.asarray(layer)
        return np.minimum(weights, TAKEN / 2)

    def plate(self, words: Words, placed: Placed) -> None:
        """What lies under words: a plate or badge, and a leader where they had to step aside."""
        u, letters, box = self.unit, words.letters, placed.box
        side = self.side(words.label.style)
        colour = letters.colour or side.colour
        if letters.ground == "plate" and box.distance(placed.spot) > 6 * u:
            self.sheet.line([box.centre, placed.spot], WHITE, 2.6 * u, 0.8)
            self.sheet.line([box.centre, placed.spot], colour, 1.0 * u)
            self.sheet.disc(placed.spot, 2.2 * u, colour)
        if letters.ground == "plate":
            outer = rounded(box.left, box.top, box.right, box.bottom, 5 * u)
            self.sheet.fill(outer, WHITE, 0.94)
            self.sheet.line(
                [*outer, outer[0]],
                colour,
                1.2 * u,
                0.9,
                None if words.label.style.sure else (3 * u, 2 * u),
            )
        elif letters.ground == "badge":
            radius = {"round": 99.0, "square": 0.0}.get(side.mark, 1.5) * u
            outer = rounded(box.left, box.top, box.right, box.bottom, radius)
            self.sheet.fill(outer, side.colour)
            self.sheet.line([*outer, outer[0]], WHITE, 1.1 * u)

    def letter(self) -> None:
        """Write every word of the picture."""
        u = self.unit
        for words, placed in self.placed:
            letters = words.letters
            colour = letters.colour or mixed(self.side(words.label.style).colour, INK, 0.78)
            halo = None
            if letters.ground == "badge":
                colour = WHITE
            elif letters.ground == "halo":
                halo = (WHITE, 2.0 * u)
            tilt = words.label.tilt_deg
            self.sheet.write(placed.box.centre, words.lines, colour, halo, tilt)
        self.ruler_words()
        self.bar_words()

    def ruler_words(self) -> None:
        """Inches along two edges."""
        u, frame, scene = self.unit, self.frame, self.scene
        size = round(10.5 * u)
        for x in range(0, math.floor(scene.width_in) + 1, RULER_IN):
            px, py = frame.px((x, 0))
            self.sheet.write((px, py + 12 * u), [Line(f"{x}″", size)], SOFT_INK)
        for y in range(RULER_IN, math.floor(scene.depth_in) + 1, RULER_IN):
            px, py = frame.px((0, y))
            self.sheet.write((px - 16 * u, py), [Line(f"{y}″", size)], SOFT_INK)

    # -- title and legend -------------------------------------------------------------------

    def legend_rows(self) -> list[list[tuple[Key, float, float]]]:
        """Legend entries with their left edge and width, broken into rows."""
        u = self.unit
        rows: list[list[tuple[Key, float, float]]] = []
        x = math.inf
        for key in self.scene.legend:
            width = 38 * u + Line(key.text, round(13 * u)).width
            if x + width > self.width - 14 * u:
                rows.append([])
                x = 16 * u
            rows[-1].append((key, x, width))
            x += width + 20 * u
        return rows

    def row_y(self, number: int) -> float:
        """The middle of a legend row."""
        return self.height - (len(self.rows) - number - 0.5) * ROW * self.unit - 4 * self.unit

    def bars(self) -> None:
        """The title's bar and the legend's samples."""
        u = self.unit
        if self.scene.title:
            foot = [(self.width, BAR * u), (0, BAR * u)]
            self.sheet.fill([(0, 0), (self.width, 0), *foot], self.theme.bar)
        for number, row in enumerate(self.rows):
            for key, x, _ in row:
                self.sample(key.style, Box.around((x + 14 * u, self.row_y(number)), 28 * u, 17 * u))

    def sample(self, style: Style, box: Box) -> None:
        """A small piece of what a legend line speaks of."""
        u, look, colour = self.unit, self.theme.figure(style.role), self.colour(style)
        corners = [
            (box.left, box.top), (box.right, box.top),
            (box.right, box.bottom), (box.left, box.bottom),
        ]  # fmt: skip
        inches = [self.inches(point) for point in corners]
        if style.role == "tray":
            self.polygon(Polygon(tuple(inches), style))
            strip = [*corners[:2], (box.right, box.top + 5 * u), (box.left, box.top + 5 * u)]
            self.front_bar(strip, self.side(style))
            for share in (0.3, 0.7):
                x = box.left + share * (box.right - box.left)
                spot = mark((x, box.top + 11 * u), 3.4 * u, self.side(style).mark)
                self.sheet.fill(spot, colour, 0.6)
        elif style.role == "objective":
            self.circle(Circle(self.inches(box.centre), 8 * u / self.frame.scale, style))
        elif look.fill or look.texture:
            self.polygon(Polygon(tuple(inches), style))
        else:
            y = box.centre[1]
            ends = self.inches((box.left, y)), self.inches((box.right, y))
            self.polyline(Polyline(ends, style, arrow=style.role in {"charge-way", "shot"}))

    def inches(self, point: PointPx) -> Point:
        """A point of the picture as a point of the table."""
        frame = self.frame
        return (
            (point[0] - frame.left) / frame.scale,
            frame.depth_in - (point[1] - frame.top) / frame.scale,
        )

    def bar_words(self) -> None:
        """Title, subtitle and the legend's words."""
        u, scene, light = self.unit, self.scene, self.theme.bar_text
        if scene.title:
            line = Line(scene.title, round(19 * u), bold=True)
            self.sheet.write((14 * u + line.width / 2, BAR * u / 2), [line], light)
        if scene.subtitle:
            line = Line(scene.subtitle, round(14 * u))
            self.sheet.write((self.width - 14 * u - line.width / 2, BAR * u / 2), [line], light)
        for number, row in enumerate(self.rows):
            for key, x, width in row:
                middle = x + 36 * u + (width - 38 * u) / 2
                line = Line(key.text, round(13 * u))
                self.sheet.write((middle, self.row_y(number)), [line], INK)


def mark(centre: PointPx, radius: float, kind: str) -> list[PointPx]:
    """The sign of a side's models."""
    corners = {"diamond": (4, 0.0), "square": (4, 45.0), "triangle": (3, -90.0)}.get(kind)
    if corners is None:
        return circle(centre, radius * 0.92, 28)
    count, start = corners
    return [
        (
            centre[0] + radius * math.cos(math.radians(start + 360 * number / count)),
            centre[1] + radius * math.sin(math.radians(start + 360 * number / count)),
        )
        for number in range(count)
    ]


def arrow(points: list[PointPx], size: float) -> tuple[list[PointPx], list[PointPx]]:
    """A line cut back to make room for its head, and the head's three corners."""
    length = sum(math.dist(p, q) for p, q in pairwise(points))
    size = min(size, 0.6 * length)
    (px, py), (qx, qy) = points[-2], points[-1]
    step = math.dist((px, py), (qx, qy)) or 1.0
    dx, dy = (qx - px) / step, (qy - py) / step
    neck = qx - dx * size, qy - dy * size
    wing = 0.42 * size
    head = [
        (qx, qy),
        (neck[0] - dy * wing, neck[1] + dx * wing),
        (neck[0] + dy * wing, neck[1] - dx * wing),
    ]
    inside = (qx - dx * size * 0.9, qy - dy * size * 0.9)
    return [*points[:-1], inside], head


def turned_size(width: float, height: float, tilt_deg: float) -> tuple[float, float]:
    """Width and height of a turned rectangle's upright box."""
    cos, sin = abs(math.cos(math.radians(tilt_deg))), abs(math.sin(math.radians(tilt_deg)))
    return width * cos + height * sin, width * sin + height * cos

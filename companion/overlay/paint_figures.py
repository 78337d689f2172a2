"""Painting the figures of a scene: ground, polygons, lines and discs in their role's style."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

from companion.overlay.canvas import Canvas, circle
from companion.overlay.icons import TEXTURES
from companion.overlay.map_theme import INK, Colour, MapTheme, SideStyle
from companion.overlay.shapes import (
    Circle,
    Label,
    Polygon,
    Polyline,
    Shape,
    ShapeCache,
    Style,
    TableScene,
)
from companion.overlay.view_frame import GroundFrame, PointPx

GRID_IN = 1
RULER_IN = 6

BARS = {
    "striped": (60.0, 6.2, 3.6),
    "dotted": (90.0, 4.4, 2.6),
    "double": (0.0, 4.0, 1.8),
    "leaning": (120.0, 6.2, 3.6),
    "sparse": (90.0, 9.0, 3.0),
}
"""The stripes of a front bar: direction relative to the bar, gap and weight."""


@dataclass(frozen=True)
class PaintLayer:
    """A canvas with everything needed to draw a shape on it."""

    canvas: Canvas
    frame: GroundFrame
    theme: MapTheme
    sides: dict[str, SideStyle]
    book: ShapeCache = field(default_factory=ShapeCache)

    @property
    def unit(self) -> float:
        """The unit of weights and sizes in pixels."""
        return self.frame.unit

    def side(self, style: Style) -> SideStyle:
        """The style of a shape's side."""
        return self.sides.get(style.side, self.sides[""])

    def colour(self, style: Style) -> Colour:
        """The role's own colour, else the side's."""
        named = self.theme.figure(style.role).colour
        return self.theme.own(named) if named else self.theme.lines_of(self.side(style))


def draw_ground(sheet: PaintLayer, scene: TableScene) -> None:
    """The table with its inch grid and a ruler mark every six inches; a board has neither."""
    u, px, theme, canvas = sheet.unit, sheet.frame.px, sheet.theme, sheet.canvas
    w, d = scene.width_in, scene.depth_in
    corners = [px(corner) for corner in ((0.0, 0.0), (w, 0.0), (w, d), (0.0, d))]
    canvas.fill(corners, theme.ground)
    if not scene.measured:
        return
    for step, colour, weight in (
        (GRID_IN, theme.grid, 0.5),
        (RULER_IN, theme.ruler, 0.7),
        (2 * RULER_IN, theme.ruler, 1.1),
    ):
        for x in range(step, math.ceil(w), step):
            canvas.line([px((x, 0)), px((x, d))], colour, weight * u)
        for y in range(step, math.ceil(d), step):
            canvas.line([px((0, y)), px((w, y))], colour, weight * u)
    canvas.line([*corners, corners[0]], theme.soft_ink, 1.8 * u)
    tick = 5 * u / sheet.frame.scale
    for x in range(0, math.floor(w) + 1, RULER_IN):
        canvas.line([px((x, 0)), px((x, -tick))], theme.soft_ink, 1.2 * u)
    for y in range(0, math.floor(d) + 1, RULER_IN):
        canvas.line([px((0, y)), px((-tick, y))], theme.soft_ink, 1.2 * u)


def draw(sheet: PaintLayer, shape: Shape) -> None:
    """Draw one figure; labels are drawn elsewhere."""
    if not isinstance(shape, Label):
        sheet.canvas.figure(shape, lambda: paint(sheet, shape))


def paint(sheet: PaintLayer, shape: Shape) -> None:
    """Paint one figure on the canvas."""
    match shape:
        case Polygon(style=Style(role="front")):
            outline = [sheet.frame.px(point) for point in shape.outline]
            draw_bar(sheet, outline, sheet.side(shape.style))
        case Polygon():
            draw_polygon(sheet, shape)
        case Polyline():
            draw_line(sheet, shape)
        case Circle():
            draw_disc(sheet, shape)
        case Label():
            pass


def draw_polygon(sheet: PaintLayer, shape: Polygon) -> None:
    """Fill, texture, hatching, border."""
    style, u, canvas = shape.style, sheet.unit, sheet.canvas
    look, side, colour = sheet.theme.figure(style.role), sheet.side(style), sheet.colour(style)
    outline = [sheet.frame.px(point) for point in shape.outline]
    holes = [[sheet.frame.px(point) for point in hole] for hole in shape.holes]
    loud = 0.35 + 0.65 * style.emphasis
    if look.cover:
        canvas.fill(outline, sheet.theme.cover, look.cover, holes)
    canvas.fill(outline, side.fill if look.deep else colour, look.fill * loud, holes)
    if look.texture in TEXTURES:
        canvas.scatter(outline, colour, 0.6, TEXTURES[look.texture], u)
    if not style.sure:
        canvas.hatch(outline, colour, 0.8, side.hatch_deg, 6 * u, 1.1 * u, holes)
    elif look.texture == "hatch":
        canvas.hatch(outline, colour, 0.3 * loud, side.hatch_deg, 19 * u, 0.6 * u, holes)
    if look.line:
        dash = look.dash if style.sure else (3.0, 3.0)
        for ring in (outline, *holes):
            canvas.line(
                [*ring, ring[0]],
                colour,
                look.line * u,
                look.line_opacity * loud,
                (dash[0] * u, dash[1] * u) if dash else None,
            )


def draw_bar(sheet: PaintLayer, outline: list[PointPx], side: SideStyle) -> None:
    """The bar along a front edge (its first two corners): solid or striped."""
    u, canvas = sheet.unit, sheet.canvas
    colour = sheet.theme.lines_of(side)
    if side.bar not in BARS:
        canvas.fill(outline, colour)
        return
    (ax, ay), (bx, by) = outline[0], outline[1]
    along = math.degrees(math.atan2(ay - by, bx - ax))
    turn, gap, weight = BARS[side.bar]
    canvas.fill(outline, sheet.theme.cover)
    canvas.hatch(outline, colour, 1.0, along + turn, gap * u, weight * u)
    canvas.line([*outline, outline[0]], colour, 1.5 * u)


def draw_line(sheet: PaintLayer, shape: Polyline) -> None:
    """A line, with a casing where its style has one, and a head if it is an arrow."""
    style, u, canvas = shape.style, sheet.unit, sheet.canvas
    look, colour = sheet.theme.figure(style.role), sheet.colour(style)
    points = [sheet.frame.px(point) for point in shape.points]
    weight = max(0.8, look.line * (0.45 + 0.55 * style.emphasis)) * u
    head: list[PointPx] = []
    if shape.arrow and len(points) > 1:
        points, head = arrow_head(points, 4.2 * weight + 4 * u)
    dash = look.dash if style.sure else (4.0, 3.0)
    if look.casing:
        cover = sheet.theme.cover
        canvas.line(points, cover, weight + 2 * look.casing * u, 0.75)
        if head:
            canvas.line([*head, head[0], head[1]], cover, 2 * look.casing * u, 0.75)
    dashing = (dash[0] * u, dash[1] * u) if dash else None
    canvas.line(points, colour, weight, look.line_opacity, dashing)
    if head:
        canvas.fill(head, colour, look.line_opacity)


def draw_disc(sheet: PaintLayer, shape: Circle) -> None:
    """A disc, or for a model the mark of its side."""
    style, u, canvas = shape.style, sheet.unit, sheet.canvas
    look, side, colour = sheet.theme.figure(style.role), sheet.side(style), sheet.colour(style)
    centre, radius = sheet.frame.px(shape.centre), shape.radius_in * sheet.frame.scale
    kind = side.mark if style.role.startswith("model") else "disc"
    outline = mark(centre, radius, kind)
    if look.cover:
        canvas.fill(outline, sheet.theme.cover, look.cover)
    canvas.fill(outline, colour, look.fill)
    if not style.sure:
        canvas.hatch(outline, colour, 0.8, side.hatch_deg, 5 * u, u)
    border = [*outline, outline[0], outline[1]]
    if look.edge:
        canvas.line(border, INK, (look.line + 2 * look.edge) * u)
    if look.line:
        canvas.line(border, colour, look.line * u, look.line_opacity)


MARKS = {
    "diamond": (4, 0.0),
    "square": (4, 45.0),
    "pentagon": (5, -90.0),
    "hexagon": (6, 0.0),
    "shield": (3, 90.0),
}
"""The number of corners of a side's mark and the angle of the first; others are round."""


def mark(centre: PointPx, radius: float, kind: str) -> list[PointPx]:
    """The mark of a side's models; a round one is scaled to look as large as a pointed one."""
    if kind not in MARKS:
        return circle(centre, radius if kind == "disc" else radius * 0.92)
    count, start = MARKS[kind]
    turns = [math.radians(start + 360 * number / count) for number in range(count)]
    return [
        (centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)) for turn in turns
    ]


def arrow_head(points: list[PointPx], size: float) -> tuple[list[PointPx], list[PointPx]]:
    """A line shortened to make room for its arrow head, and the head's three corners."""
    length = sum(math.dist(p, q) for p, q in pairwise(points))
    size = min(size, 0.6 * length)
    qx, qy = points[-1]
    # A line that follows lens distortion has many points: remove those under the head.
    way = [point for point in points[:-1] if math.dist(point, points[-1]) > size] or points[:1]
    px, py = way[-1]
    step = math.dist((px, py), (qx, qy)) or 1.0
    dx, dy = (qx - px) / step, (qy - py) / step
    wing, neck = 0.42 * size, (qx - dx * size, qy - dy * size)
    head = [
        (qx, qy),
        (neck[0] - dy * wing, neck[1] + dx * wing),
        (neck[0] + dy * wing, neck[1] - dx * wing),
    ]
    return [*way, (qx - dx * size * 0.9, qy - dy * size * 0.9)], head

"""The map of a table for a browser: its picture as SVG, which a browser can enlarge, and where the
pieces on it are tapped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from companion import games
from companion.overlay.board_shapes import extent_in, piece_middle
from companion.overlay.canvas import Canvas, TextLine, block_size
from companion.overlay.icons import Texture
from companion.overlay.labels import draw_label
from companion.overlay.map_theme import DARK, LIGHT, Colour, side_looks
from companion.overlay.paint_figures import PaintLayer
from companion.overlay.picture import draw_map
from companion.overlay.shapes import (
    GROUND_WORDS,
    Label,
    ShapeCache,
    TableScene,
    in_colours,
    in_words,
    uncluttered,
)
from companion.overlay.view_frame import BoundingBox, PointPx, ViewFrame
from models import Table
from models.board import parse_cell
from models.board_table import BoardTable
from models.table import AnyTable
from models.unit import corners


class SvgCanvas(Canvas):
    """Collects the elements of a picture; hatchings and textures are patterns."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._elements: list[str] = []
        self._patterns: dict[tuple[object, ...], str] = {}

    def fill(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float = 1.0,
        holes: Sequence[Sequence[PointPx]] = (),
    ) -> None:
        """Fill a polygon."""
        self._pour_svg(outline, holes, css(colour), opacity)

    def line(
        self,
        points: Sequence[PointPx],
        colour: Colour,
        width: float,
        opacity: float = 1.0,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw a line, dashed if `dash` is given."""
        if opacity <= 0 or len(points) < 2:
            return
        dashed = f' stroke-dasharray="{dash[0]:.3g} {dash[1]:.3g}"' if dash else ""
        self._elements.append(
            f'<path d="{path(points)}" fill="none" stroke="{css(colour)}"'
            f' stroke-width="{width:.3g}"{see_through("stroke-opacity", opacity)}{dashed}/>'
        )

    def hatch(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float,
        angle_deg: float,
        gap: float,
        width: float,
        holes: Sequence[Sequence[PointPx]] = (),
    ) -> None:
        """Fill a polygon with parallel strokes."""
        key = ("hatch", colour, round(angle_deg), round(gap, 1), round(width, 1))
        name = self._pattern(
            key,
            (gap, gap),
            f'<path d="M0 {gap / 2:.3g}H{gap:.3g}" stroke="{css(colour)}"'
            f' stroke-width="{width:.3g}"/>',
            f' patternTransform="rotate({-angle_deg:.0f})"',
        )
        self._pour_svg(outline, holes, f"url(#{name})", opacity)

    def scatter(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float,
        texture: Texture,
        unit: float,
    ) -> None:
        """Fill a polygon with small symbols in staggered rows."""
        wide, high = texture.gap[0] * unit, 2 * texture.gap[1] * unit
        spots = [(x, y) for x in (0.0, wide) for y in (0.0, high)] + [(wide / 2, high / 2)]
        strokes = (
            path([(x + dx * unit, y + dy * unit) for dx, dy in stroke])
            for x, y in spots
            for stroke in texture.strokes
        )
        drawing = (
            f'<path d="{"".join(strokes)}" fill="none" stroke="{css(colour)}"'
            f' stroke-width="{texture.weight * unit:.3g}"/>'
        )
        name = self._pattern(("scatter", id(texture), colour, unit), (wide, high), drawing)
        self._pour_svg(outline, (), f"url(#{name})", opacity)

    def reduce(self) -> None:
        """Nothing to do: a browser draws it in any size."""

    def draw_text(
        self,
        centre: PointPx,
        lines: Sequence[TextLine],
        colour: Colour,
        halo: tuple[Colour, float] | None = None,
        tilt_deg: float = 0.0,
    ) -> None:
        """Write lines of text around a point."""
        total, y = block_size(lines)[1], centre[1]
        y -= total / 2
        edge = (
            f' stroke="{css(halo[0])}" stroke-width="{2 * halo[1]:.3g}" paint-order="stroke"'
            if halo is not None
            else ""
        )
        turn = f' transform="rotate({-tilt_deg:.1f} {point(centre)})"' if tilt_deg else ""
        for line in lines:
            high = total * line.size / sum(one.size for one in lines)
            y += high / 2
            bold = ' font-weight="700"' if line.bold else ""
            self._elements.append(
                f'<text x="{centre[0]:.1f}" y="{y:.1f}" font-size="{line.size}"{bold}'
                f' fill="{css(colour)}"{edge}{turn}>{escape(line.text)}</text>'
            )
            y += high / 2

    def _pattern(
        self, key: tuple[object, ...], size: tuple[float, float], drawing: str, more: str = ""
    ) -> str:
        name = f"p{len(self._patterns)}"
        if key not in self._patterns:
            self._patterns[key] = (
                f'<pattern id="{name}" width="{size[0]:.4g}" height="{size[1]:.4g}"'
                f' patternUnits="userSpaceOnUse"{more}>{drawing}</pattern>'
            )
        return f"p{list(self._patterns).index(key)}"

    def _pour_svg(
        self,
        outline: Sequence[PointPx],
        holes: Sequence[Sequence[PointPx]],
        paint: str,
        opacity: float,
    ) -> None:
        if opacity <= 0 or len(outline) < 3:
            return
        rings = "".join(f"{path(ring)}Z" for ring in (outline, *holes) if len(ring) > 2)
        rule = ' fill-rule="evenodd"' if holes else ""
        seen = see_through("fill-opacity", opacity)
        self._elements.append(f'<path d="{rings}" fill="{paint}"{seen}{rule}/>')

    def svg(self) -> str:
        """The whole picture."""
        return (
            '<svg xmlns="http://www.w3.org/2000/svg"'
            f' viewBox="0 0 {self.width} {self.height}" width="{self.width}"'
            f' height="{self.height}" text-anchor="middle" dominant-baseline="central"'
            ' font-family="PT Sans,system-ui,sans-serif" stroke-linejoin="round">'
            f"<defs>{''.join(self._patterns.values())}</defs>{''.join(self._elements)}</svg>"
        )


def css(colour: Colour) -> str:
    """A colour as CSS writes it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def see_through(name: str, opacity: float) -> str:
    """The attribute of an opacity; nothing where all is opaque."""
    return f' {name}="{opacity:.2g}"' if opacity < 1 else ""


def point(place: PointPx) -> str:
    """A place as SVG writes it."""
    return f"{place[0]:.1f} {place[1]:.1f}"


def path(points: Sequence[PointPx]) -> str:
    """A line through points, in whole steps and tenths of a pixel."""
    return "M" + "L".join(map(point, points))


SCALE = 20.0
"""Units of the picture per inch."""


def map_svg(
    table: AnyTable,
    piece: str | None,
    words: Callable[[str], str],
    dark: bool,
    colours: Mapping[str, int],
) -> str:
    """The table from above, with what a piece may reach; badges of the page name the pieces."""
    game = games.find(table.game)
    if piece is not None and piece in table:
        scene = uncluttered(in_words(game.scene(table, piece, None, False), words), tokens=True)
    else:
        scene = nameless(in_words(game.board(table), words))
    scene = in_colours(scene, colours)
    size = (math.ceil(scene.width_in * SCALE), math.ceil(scene.depth_in * SCALE))
    bounds = BoundingBox(1.0, 1.0, size[0] - 1.0, size[1] - 1.0)
    frame = ViewFrame(size, 0.0, 0.0, SCALE, scene.depth_in, bounds, 1.0)
    canvas = SvgCanvas(*size)
    layer = PaintLayer(
        canvas, frame, DARK if dark else LIGHT, side_looks(scene.sides), ShapeCache()
    )
    for label in draw_map(layer, scene):
        draw_label(layer, label)
    return canvas.svg()


def nameless(scene: TableScene) -> TableScene:
    """The scene without names of pieces and tokens."""
    shapes = (
        shape
        for shape in scene.shapes
        if not isinstance(shape, Label) or shape.style.role in GROUND_WORDS
    )
    return replace(scene, shapes=tuple(shapes))


def map_places(table: AnyTable, cells: set[str]) -> dict[str, Any]:
    """The size of the map, the outlines of its pieces and the middles of cells, y downwards."""
    if isinstance(table, Table):
        width, depth = table.width, table.depth
        pieces = {unit.id: flipped(corners(unit), depth) for unit in table.units}
        return {"width": width, "depth": depth, "pieces": pieces}
    return {"width": extent_in(table.board)[0], **board_places(table, cells)}


def board_places(table: BoardTable, cells: set[str]) -> dict[str, Any]:
    """The pieces of a board as discs, and the outline of a cell around its middle.

    A disc tells its middle and radius, and how far a large one lies right of its cell and above.
    """
    board, depth = table.board, extent_in(table.board)[1]
    discs = {}
    for piece in table.pieces:
        middle = piece_middle(board, piece)
        if middle is not None:
            radius = piece.size * board.cell_in * 0.45
            off = (piece.size - 1) / 2 * board.cell_in
            discs[piece.id] = [*flipped((middle,), depth)[0], round(radius, 2), round(off, 2)]
    middles = {name: flipped((board.middle(parse_cell(name)),), depth)[0] for name in sorted(cells)}
    origin = board.middle((0, 0))
    around = [(x - origin[0], y - origin[1]) for x, y in board.outline((0, 0))]
    return {
        "depth": depth,
        "discs": discs,
        "cells": middles,
        "cell": flipped(around, 0.0),
    }


def flipped(points: Any, depth: float) -> list[list[float]]:
    """Points as a screen counts them, from the far edge down."""
    return [[round(x, 2), round(depth - y, 2)] for x, y in points]

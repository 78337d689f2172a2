"""The map of a table for a browser: its picture as SVG, and where the pieces on it are tapped."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion import games
from companion.overlay.board_shapes import extent_in, piece_middle
from companion.overlay.labels import draw_label
from companion.overlay.map_theme import DARK, LIGHT, side_looks
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
from companion.overlay.view_frame import BoundingBox, ViewFrame
from companion.web.svg_canvas import SvgCanvas
from models import Table
from models.board import parse_cell
from models.board_table import BoardTable
from models.table import AnyTable
from models.unit import corners

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

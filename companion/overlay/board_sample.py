"""A sample of what is drawn on a board, for the words that explain it."""

from __future__ import annotations

from PIL import Image

from companion.overlay.board_shapes import board_scene
from companion.overlay.canvas import Canvas
from companion.overlay.map_theme import MapTheme, side_looks
from companion.overlay.paint_figures import PaintLayer
from companion.overlay.picture import draw_map
from companion.overlay.view_frame import BoundingBox, ViewFrame
from models.board import Board, Border
from models.board_table import BoardTable

OPEN = "-open"
UNIT = 48.0
"""A sample so many pixels high is drawn with weights of one pixel."""


def sample_board(drawn: str) -> Board:
    """A board with nothing but that: "ground-forest", "mark-purse", "edge-door", "edge-door-open".

    >>> sample_board("mark-purse").marks
    {(0, 0): ('purse',)}
    >>> sample_board("edge-door-open").borders[0].open
    True
    """
    kind, _, word = drawn.partition("-")
    if kind == "edge":
        plain = word.removesuffix(OPEN)
        border = Border(((0, 0), (1, 0)), plain, plain != word)
        return Board("square", 2, 1, 1.0, borders=(border,))
    here = {(0, 0): (word,)}
    if kind == "ground":
        return Board("square", 1, 1, 1.0, ground=here)
    return Board("square", 1, 1, 1.0, marks=here)


def sample_picture(drawn: str, high: int, theme: MapTheme) -> Image.Image:
    """The sample, so many pixels high."""
    board = sample_board(drawn)
    size = board.columns * high, high
    bounds = BoundingBox(0, 0, *size)
    scene = board_scene(BoardTable("", board))
    frame = ViewFrame(size, 0, 0, float(high), 1.0, bounds, high / UNIT)
    sheet = PaintLayer(Canvas(*size, theme.paper), frame, theme, side_looks(scene.sides))
    draw_map(sheet, scene)
    sheet.canvas.reduce()
    return sheet.canvas.image

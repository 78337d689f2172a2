"""A board of squares or hexes and the pieces on it as shapes: cells, ground, marks, borders."""

from __future__ import annotations

import math
from collections.abc import Iterator

from companion.geometry.grid.placing import cell_middle, likely_cells
from companion.overlay.hex_ground import fires, half_hexes, tracks
from companion.overlay.shapes import (
    Circle,
    Label,
    Point,
    Polygon,
    Polyline,
    Shape,
    Style,
    TableScene,
)
from models.board import Board, Border
from models.board_table import BoardPiece, BoardTable
from models.cell import Cell, cell_text
from models.identity_cache import IdentityCache

CELL_Z, BORDER_Z, MARK_Z, PIECE_Z, WORDS_Z = 0, 20, 12, 60, 100
PIECE_SHARE = 0.38
"""A piece's radius as a share of the width of the cells it covers."""


def board_scene(table: BoardTable, *more: Shape) -> TableScene:
    """The board, its pieces, and further shapes."""
    width, depth = extent_in(table.board)
    shapes = (*board_shapes(table.board), *piece_shapes(table), *more)
    return TableScene(width, depth, table.sides(), shapes=shapes, measured=False)


def _extent_in(board: Board) -> tuple[float, float]:
    """Width and depth of the picture: the board, and as much table beyond it as before it."""
    corners = [point for cell in board_cells(board) for point in cell_outline(board, cell)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return max(xs) + max(0.0, min(xs)), max(ys) + max(0.0, min(ys))


extent_in = IdentityCache(_extent_in)


def board_cells(board: Board) -> Iterator[Cell]:
    """Every cell of the board, row by row."""
    cells = ((column, row) for row in range(board.rows) for column in range(board.columns))
    return (cell for cell in cells if cell in board)


def cell_outline(board: Board, cell: Cell) -> tuple[Point, ...]:
    """The corners of a cell on the table, counter-clockwise."""
    return board.outline(cell)


def block_outline(board: Board, cell: Cell, size: int = 1) -> tuple[Point, ...]:
    """The outline of what a piece covers: a cell, or a block of squares of which it is the first.

    On hexes a piece covers one cell.
    """
    if size < 2 or board.space != "square":
        return cell_outline(board, cell)
    far = (cell[0] + size - 1, cell[1] + size - 1)
    spots = ((far[0], far[1]), (cell[0], far[1]), cell, (far[0], cell[1]))
    return tuple(cell_outline(board, spot)[number] for number, spot in enumerate(spots))


def board_shapes(board: Board) -> Iterator[Shape]:
    """Cells with their ground, marks and borders; each is `about` its cell's text."""
    yield from half_hexes(board)
    for cell in board_cells(board):
        about = (cell_text(cell),)
        outline = cell_outline(board, cell)
        yield Polygon(outline, Style("cell"), CELL_Z, about)
        for word in board.ground.get(cell, ()):
            yield Polygon(outline, Style(f"ground-{word}"), CELL_Z + 1, about)
        for word in board.marks.get(cell, ()):
            centre = cell_middle(board, cell)
            yield Circle(centre, board.cell_in * 0.2, Style(f"mark-{word}"), MARK_Z, about)
    yield from tracks(board)
    yield from fires(board)
    for border in board.borders:
        yield border_shape(board, border)


def border_shape(board: Board, border: Border) -> Polyline:
    """The line between two cells: the corners that both have."""
    one, two = (cell_outline(board, cell) for cell in border.edge)
    shared = [p for p in one if any(math.dist(p, q) < board.cell_in / 100 for q in two)]
    role = f"edge-{border.kind}" + ("-open" if border.open else "")
    about = tuple(cell_text(cell) for cell in border.edge)
    return Polyline(tuple(shared), Style(role), BORDER_Z, about)


def piece_shapes(table: BoardTable) -> Iterator[Shape]:
    """Every piece on its likeliest cell; one that may stand on another is drawn as unsure."""
    for piece in table.pieces:
        middle = piece_middle(table.board, piece)
        if middle is None:
            continue
        radius = piece.size * table.board.cell_in * PIECE_SHARE
        sure = len(likely_cells(table.board, piece)) < 2
        about, style = (piece.id,), Style("piece", piece.side, sure)
        yield Circle(middle, radius, style, PIECE_Z, about)
        room = (2 * radius, radius)
        yield Label(piece.name or piece.id, (middle,), style, WORDS_Z, about, room_in=room)


def piece_middle(board: Board, piece: BoardPiece) -> Point | None:
    """Where a piece's centre is drawn; None if it is not on the table."""
    if piece.cell is not None:
        return cell_middle(board, piece.cell, piece.size)
    return None if piece.measured is None else (piece.measured.x, piece.measured.y)

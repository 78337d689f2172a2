"""Conversion between measured positions on the table and cells of a board, with probabilities."""

from __future__ import annotations

import math

from companion.geometry.grid.chances import hex_chances, holding_hexes, square_chances
from models.board import Board
from models.board_table import BoardPiece
from models.cell import Cell


def on_board(board: Board, x: float, y: float) -> tuple[float, float]:
    """A position on the table, in cell units from the outer corner of column 0 and row 0."""
    at_x, at_y = board.at or (0.0, 0.0)
    angle = math.radians(board.turn)
    cos, sin = math.cos(angle), math.sin(angle)
    dx, dy = x - at_x, y - at_y
    return (dx * cos + dy * sin) / board.cell_in, (dy * cos - dx * sin) / board.cell_in


def cell_middle(board: Board, cell: Cell, size: int = 1) -> tuple[float, float]:
    """The position on the table of the centre of a piece that stands on a cell."""
    column, row = cell
    if board.space == "square":
        u, v = column + size / 2, row + size / 2
    else:
        u, v = column + 0.5 + row % 2 / 2, (1 + 1.5 * row) / math.sqrt(3)
    angle = math.radians(board.turn)
    cos, sin = math.cos(angle), math.sin(angle)
    at_x, at_y = board.at or (0.0, 0.0)
    u, v = u * board.cell_in, v * board.cell_in
    return at_x + u * cos - v * sin, at_y + u * sin + v * cos


def cell_at(board: Board, x: float, y: float) -> Cell | None:
    """The cell at a position on the table; None beside the board."""
    u, v = on_board(board, x, y)
    if board.space == "hex":
        cell = next(holding_hexes(u, v))
    else:
        cell = math.floor(u), math.floor(v)
    return cell if cell in board else None


def cells_of(board: Board, piece: BoardPiece) -> dict[Cell, float]:
    """The cells a piece may stand on (its lower left one) with probabilities, most probable first.

    Cells outside the board keep their probability: a piece measured there is off the board.
    """
    if piece.cell is not None or piece.measured is None:
        return {} if piece.cell is None else {piece.cell: 1.0}
    u, v = on_board(board, piece.measured.x, piece.measured.y)
    sigma = piece.measured.sigma_in / board.cell_in
    if board.space == "hex":
        return hex_chances(u, v, sigma)
    shift = (piece.size - 1) / 2  # from the centre of its lower left cell to its own centre
    return square_chances(u - shift, v - shift, sigma)

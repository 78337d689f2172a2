"""Conversion between measured positions on the table and cells of a board, with probabilities."""

from __future__ import annotations

import math

from companion.geometry.grid.chances import hex_chances, holding_hexes, square_chances
from companion.geometry.grid.square import SquareGrid
from models.board import Board
from models.board_table import BoardPiece, BoardTable
from models.cell import Cell

BLOCK = SquareGrid(1, 1).block
LEAST_CHANCE = 0.003
"""Cells with a lower probability (three standard deviations) are not considered."""


def on_board(board: Board, x: float, y: float) -> tuple[float, float]:
    """A position on the table, in cell units from the outer corner of column 0 and row 0."""
    at_x, at_y = board.at or (0.0, 0.0)
    angle = math.radians(board.turn)
    cos, sin = math.cos(angle), math.sin(angle)
    dx, dy = x - at_x, y - at_y
    return (dx * cos + dy * sin) / board.cell_in, (dy * cos - dx * sin) / board.cell_in


def cell_middle(board: Board, cell: Cell, size: int = 1) -> tuple[float, float]:
    """The position on the table of the centre of a piece that stands on a cell."""
    return board.middle(cell, size)


def cell_at(board: Board, x: float, y: float) -> Cell | None:
    """The cell at a position on the table; None beside the board."""
    u, v = on_board(board, x, y)
    if board.space == "hex":
        cell = next(holding_hexes(u, v))
    else:
        cell = math.floor(u), math.floor(v)
    return cell if cell in board else None


def nearest_edge(board: Board, x: float, y: float) -> tuple[Cell, Cell] | None:
    """The two cells whose common edge is nearest to a position on the board; None beside it."""
    cell = cell_at(board, x, y)
    if cell is None:
        return None
    column, row = cell
    around = [(column + c, row + r) for c in (-1, 0, 1) for r in (-1, 0, 1)]
    beside = [one for one in around if one in board and board.next_to(cell, one)]
    if not beside:
        return None
    return cell, min(beside, key=lambda one: math.dist(board.middle(one), (x, y)))


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


def likely_cells(board: Board, piece: BoardPiece) -> dict[Cell, float]:
    """The cells of the board that a piece may stand on with probabilities that matter."""
    cells = cells_of(board, piece)
    standing = {
        cell: chance
        for cell, chance in cells.items()
        if chance >= LEAST_CHANCE and all(one in board for one in BLOCK(cell, piece.size))
    }
    whole = sum(standing.values())
    return {cell: chance / whole for cell, chance in standing.items()}


def settled(table: BoardTable) -> BoardTable:
    """The table with each measured piece on its most probable cell."""
    for piece in table.pieces:
        if piece.cell is None and (cells := likely_cells(table.board, piece)):
            table = table.moved(piece.id, max(cells, key=lambda cell: cells[cell]))
    return table

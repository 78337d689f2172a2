"""Conversion between measured positions on the table and cells of a board, with the probability
that a piece stands on each cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from companion.geometry.grid.grids import SquareGrid
from models.board import Board, Cell
from models.board_table import BoardPiece, BoardTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST = 1e-6
"""Cells with a lower probability than this are left out."""
EQUAL_DIGITS = 9
FAR_SIGMAS = 5.0
ROW = math.sqrt(3) / 2
"""The distance between two rows of hexes."""
SIDE = 1 / math.sqrt(3)
"""The side of a hex, which equals the distance from its centre to a corner."""
FINE, COARSE = 24, 8
"""The nodes by which the chance of a hex is integrated."""
SMOOTH = 0.5
"""From this standard deviation on, in cells, few nodes are as exact as many."""


def square_chances(x: float, y: float, sigma: float) -> dict[Cell, float]:
    """The probability of each square; a position exactly on a border counts for both sides."""
    if sigma <= 0:
        return shared([(c, r) for c in holding(x) for r in holding(y)])
    wide, high = spread(x, sigma), spread(y, sigma)
    return probable_cells({(c, r): p * q for c, p in wide.items() for r, q in high.items()})


@lru_cache(maxsize=1024)
def hex_chances(x: float, y: float, sigma: float) -> dict[Cell, float]:
    if sigma <= 0:
        return shared(list(holding_hexes(x, y)))
    reach = FAR_SIGMAS * sigma + SIDE
    low, high = (math.floor((y + way * reach - SIDE) / ROW) for way in (-1, 1))
    found: dict[Cell, float] = {}
    for row in range(low, high + 2):
        shift = 0.5 * (row & 1)
        away = y - SIDE - ROW * row
        tall = below(SIDE - away, sigma) - below(-SIDE - away, sigma)
        columns = range(math.floor(x - reach - shift) - 1, math.floor(x + reach - shift) + 2)
        for column in columns:
            beside = x - column - 0.5 - shift
            wide = below(0.5 - beside, sigma) - below(-0.5 - beside, sigma)
            if tall * wide > LEAST:  # the chance of the rectangle around the hex
                found[column, row] = hex_chance(beside, away, sigma)
    return probable_cells(found)


@cache
def legendre(nodes: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The nodes of Gauss and Legendre with their weights."""
    from numpy.polynomial.legendre import leggauss  # slow to import; exact boards do not need it

    return leggauss(nodes)


def hex_chance(x: float, y: float, sigma: float) -> float:
    """The probability that a measured position, relative to a hex's centre, lies in that hex.

    Between its two corners to either side a hex is a rectangle; the caps above and below are
    integrated.
    """
    import numpy as np

    wide = below(0.5 - x, sigma) - below(-0.5 - x, sigma)
    total = wide * (below(SIDE / 2 - y, sigma) - below(-SIDE / 2 - y, sigma))
    nodes, weights = legendre(FINE if sigma < SMOOTH else COARSE)
    erf, scale = math.erf, 1 / (sigma * math.sqrt(2))
    for low, high in ((-SIDE, -SIDE / 2), (SIDE / 2, SIDE)):
        low, high = max(low, y - 7 * sigma), min(high, y + 7 * sigma)
        if low >= high:
            continue
        v = low + (high - low) * (nodes + 1) / 2
        half = (SIDE - np.abs(v)) * math.sqrt(3)
        density = np.exp(-0.5 * ((v - y) / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))
        inside = [erf((h - x) * scale) + erf((h + x) * scale) for h in half.tolist()]
        total += float(np.dot(weights, density * inside)) * (high - low) / 4
    return total


def spread(at: float, sigma: float) -> dict[int, float]:
    """The probability of each strip of width 1 along one axis."""
    low, high = math.floor(at - FAR_SIGMAS * sigma), math.floor(at + FAR_SIGMAS * sigma)
    return {
        number: below(number + 1 - at, sigma) - below(number - at, sigma)
        for number in range(low, high + 1)
    }


def below(distance: float, sigma: float) -> float:
    """The probability that a normally distributed error is less than a distance."""
    return 0.5 * (1 + math.erf(distance / (sigma * math.sqrt(2))))


def holding(at: float) -> list[int]:
    """The strip that contains an exact coordinate, or the two strips on whose border it lies."""
    whole = math.floor(at)
    return [whole - 1, whole] if at == whole else [whole]


def holding_hexes(x: float, y: float) -> Iterator[Cell]:
    """The nearest hex, and on a border every hex that is equally near."""
    low = math.floor((y - SIDE) / ROW) - 1
    near: list[tuple[float, Cell]] = []
    for row in range(low, low + 4):
        shift = 0.5 * (row & 1)
        column = math.floor(x - shift)
        for one in (column - 1, column, column + 1):
            away = math.hypot(x - one - 0.5 - shift, y - SIDE - ROW * row)
            near.append((away, (one, row)))
    least = min(near)[0]
    return (cell for away, cell in near if away <= least + 1e-12)


def shared(cells: list[Cell]) -> dict[Cell, float]:
    """The same probability for each of these cells."""
    return {cell: 1 / len(cells) for cell in cells}


def probable_cells(chances: dict[Cell, float]) -> dict[Cell, float]:
    """The cells above the least probability, most probable first, normalised to a sum of 1.

    Cells that are equally probable but for rounding stand in the order of their columns.
    """
    kept = {cell: chance for cell, chance in chances.items() if chance > LEAST}
    whole = sum(kept.values())
    ordered = sorted(kept.items(), key=lambda one: (-round(one[1], EQUAL_DIGITS), one[0]))
    return {cell: chance / whole for cell, chance in ordered}


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


def cell_at(board: Board, x: float, y: float, size: int = 1) -> Cell | None:
    """The cell at a position on the table, of a large piece its lower left one; None beside it."""
    u, v = on_board(board, x, y)
    u, v = u - (size - 1) / 2, v - (size - 1) / 2
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

"""The cells, edges and corners that a straight line from centre to centre meets.

All is decided in integers. A cell counts where the line has a stretch inside it; neither end
counts. Sets of cells are integers with a bit for each cell (bitboards): whether anything blocks a
line is one operation, however long the line is, and all equal steps share one line.

>>> line = square_line((1, 1), (3, 2))
>>> squares_of(line.between)
((2, 1), (2, 2))
>>> line = hex_line((3, 2), (6, 2))
>>> hexes_of(line.between & hex_bits([(4, 2), (4, 3)]))
((4, 2),)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import gcd

from companion.geometry.grid.grids import axial
from models.board import Cell

BITS_A_ROW = 100
"""More than a row of the largest board, its rims, and what rows of hexes lean to the left."""
FIRST_BIT = 135
"""The bit of column 0 of row 0, above a row of half hexes."""


def cell_bit(column: int, row: int) -> int:
    """The number of a cell's bit; an equal step is as many bits anywhere.

    Columns of hexes are axial: they run up to the right.
    """
    return FIRST_BIT + row * BITS_A_ROW + column


def square_bits(cells: Iterable[Cell]) -> int:
    """A set of squares as one integer."""
    bits = 0
    for column, row in cells:
        bits |= 1 << cell_bit(column, row)
    return bits


def hex_bits(cells: Iterable[Cell]) -> int:
    """A set of hexes as one integer."""
    return square_bits(map(axial, cells))


def squares_of(bits: int) -> tuple[Cell, ...]:
    """The squares of a set, in the order of their columns."""
    cells = []
    while bits:
        last = bits.bit_length() - 1
        row = last // BITS_A_ROW - FIRST_BIT // BITS_A_ROW
        cells.append((last - cell_bit(0, row), row))
        bits ^= 1 << last
    return tuple(sorted(cells))


def hexes_of(bits: int) -> tuple[Cell, ...]:
    """The hexes of a set, in the order of their columns."""
    return tuple(sorted((q + (row >> 1), row) for q, row in squares_of(bits)))


def up_or_right(one: Cell, two: Cell) -> tuple[int, int, int]:
    """The columns and rows from the lower of two cells to the other one, in the same row from the
    left one, and by how many bits it is away from column 0 of row 0."""
    (column, row), (across, up) = (one, two) if one[1] <= two[1] else (two, one)
    if row == up and across < column:
        column, across = across, column
    return across - column, up - row, row * BITS_A_ROW + column


def cells_between(columns: int, rows: int, nearer: int, rightwards: bool) -> int:
    """The cells inside the line from column 0 of row 0 to a cell farther up or to the right.

    `columns * row - rows * column` tells how far from the line a cell is: at most `nearer`. Neither
    the ends nor what lies behind them counts.
    """
    if not rows:
        return run_of_bits(0, 1, columns - 1)
    bits = 0
    for row in range(rows + 1):
        middle = columns * row
        first, last = -((nearer - middle) // rows), (nearer + middle) // rows
        if row == 0:
            first, last = (1, last) if rightwards else (first, -1)
        elif row == rows:
            first, last = (first, columns - 1) if rightwards else (columns + 1, last)
        bits |= run_of_bits(row, first, last)
    return bits


def run_of_bits(row: int, first: int, last: int) -> int:
    """The cells of a row from one column to another, none if that lies before it."""
    return (1 << max(0, last - first + 1)) - 1 << cell_bit(first, row)


@dataclass(frozen=True, slots=True)
class SquareLine:
    """What a line across squares meets, going up or to the right."""

    between: int
    crossed: int
    """The squares whose right edges it crosses between their end points."""
    crossed_up: int
    """The squares whose upper edges it crosses so."""
    corners: int
    """The squares before each corner on it."""
    flanks: int
    """The two squares beside each corner."""
    right: int
    """Whether a step across goes to the right, or -1 to the left."""


def square_line(one: Cell, two: Cell) -> SquareLine:
    """The line between two squares, from the lower one."""
    columns, rows, more = up_or_right(one, two)
    line = square_line_up(columns, rows)
    return SquareLine(
        line.between << more,
        line.crossed << more,
        line.crossed_up << more,
        line.corners << more,
        line.flanks << more,
        line.right,
    )


@cache
def square_line_up(columns: int, rows: int) -> SquareLine:
    """The line from column 0 of row 0 to a square farther up or to the right.

    A centre whose square has a corner on the line is `(abs(columns) + rows) / 2` away from it. From
    one square to the next it crosses an edge, or the corner where they meet.
    """
    right = 1 if columns > 0 else -1
    between = cells_between(columns, rows, (abs(columns) + rows - 1) // 2, columns > 0)
    cells = between | 1 << cell_bit(0, 0) | 1 << cell_bit(columns, rows)
    crossed, crossed_up = cells & cells >> 1, cells & cells >> BITS_A_ROW
    beside = cells >> 1 if right > 0 else cells << 1
    corners = cells & cells >> BITS_A_ROW + right & ~beside & ~crossed_up
    flanks = (corners << 1 if right > 0 else corners >> 1) | corners << BITS_A_ROW
    return SquareLine(between, crossed, crossed_up, corners, flanks, right)


@dataclass(frozen=True, slots=True)
class HexLine:
    """The hexes inside a line, and those to the left and right of the edges that it runs along."""

    between: int
    left: int = 0
    right: int = 0


def hex_line(one: Cell, two: Cell) -> HexLine:
    """The line between two hexes, from the lower one."""
    columns, rows, more = up_or_right(axial(one), axial(two))
    line = hex_line_up(columns, rows)
    return HexLine(line.between << more, line.left << more, line.right << more)


BESIDE = {(1, 1): ((0, 1), (1, 0)), (-1, 2): ((-1, 1), (0, 1)), (-2, 1): ((-1, 0), (-1, 1))}
"""The axial steps upwards that run along one edge, with those to the hexes left and right of it."""


@cache
def hex_line_up(q: int, rows: int) -> HexLine:
    """The line from column 0 of row 0 by an axial step, upwards or to the right.

    A third of the greatest of these numbers is how far a centre is whose hex has a corner on it.
    """
    corners = abs(2 * q + rows), abs(q - rows), abs(q + 2 * rows)
    between = cells_between(q, rows, (max(corners) - 1) // 3, 2 * q + rows > 0)
    edges = gcd(q, rows) or 1
    step = (q // edges, rows // edges)
    sides = [
        sum(1 << cell_bit(step[0] * n + a, step[1] * n + b) for n in range(edges))
        for a, b in BESIDE.get(step, ())
    ]
    return HexLine(between, *sides)

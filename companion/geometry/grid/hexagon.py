"""A hex grid in rows parallel to player 1's edge, odd rows shifted half a cell to the right.

Its integer coordinates are scaled differently along x and y, which preserves collinearity and
sides: x counts half widths of a hex, y quarters of its height.

>>> grid = HexGrid(11, 15)
>>> grid.distance((0, 0), (2, 4))
4
>>> sorted(grid.neighbours((0, 0)))
[(0, 1), (1, 0)]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from companion.geometry.grid.line import CellLine, trace
from models.cell import Cell, Point

SHAPE = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))
"""Offsets from a hex's centre to its corners, counter-clockwise."""
SCALE = (3, 1)
"""The squared lengths of one unit of x and one unit of y are in the ratio 3 to 1."""


@dataclass(frozen=True, slots=True)
class HexGrid:
    """A hex grid of `columns` times `rows` cells."""

    columns: int
    rows: int

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    def cells(self) -> Iterator[Cell]:
        """Every cell, row by row."""
        return ((column, row) for row in range(self.rows) for column in range(self.columns))

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells that share an edge."""
        return (one for one in around(cell) if one in self)

    def distance(self, one: Cell, two: Cell) -> int:
        """The number of steps between two cells."""
        (a, b), (c, d) = axial(one), axial(two)
        return max(abs(a - c), abs(b - d), abs((a + b) - (c + d)))

    def centre(self, cell: Cell) -> Point:
        """The centre of a cell in integer coordinates."""
        return centre(cell)

    def line(self, one: Cell, two: Cell) -> CellLine:
        """The straight line from centre to centre."""
        if one == two:
            return CellLine((one,))
        odd = one[1] & 1
        found = line_from_row(odd, two[0] - one[0], two[1] - one[1])
        return found.translated(one[0], one[1] - odd)


def around(cell: Cell) -> tuple[Cell, ...]:
    """The six neighbours of a cell, on the board or not, counter-clockwise from the right."""
    column, row = cell
    right = column + (row & 1)
    return (
        (column + 1, row),
        (right, row + 1),
        (right - 1, row + 1),
        (column - 1, row),
        (right - 1, row - 1),
        (right, row - 1),
    )


def axial(cell: Cell) -> tuple[int, int]:
    """The axial coordinates of a cell: two axes 60° apart."""
    column, row = cell
    return column - (row - (row & 1)) // 2, row


def centre(cell: Cell) -> Point:
    """The centre of a cell in integer coordinates, on the board or not."""
    column, row = cell
    return 2 * column + (row & 1) + 1, 3 * row + 2


@cache
def line_from_row(odd: int, columns: int, rows: int) -> CellLine:
    """The line from column 0 of row 0 or 1 (`odd`) to a cell so many columns and rows away."""
    start, end = (0, odd), (columns, odd + rows)
    wide = range(min(0, columns) - 1, max(0, columns) + 2)
    high = range(min(odd, odd + rows) - 1, max(odd, odd + rows) + 2)
    cells = (((column, row), centre((column, row))) for row in high for column in wide)
    return trace(centre(start), centre(end), cells, SHAPE, SCALE)

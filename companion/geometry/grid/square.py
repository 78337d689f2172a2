"""A square grid.

In its integer coordinates, cell (c, r) covers 2c..2c+2 by 2r..2r+2: centres are odd, corners even.

>>> grid = SquareGrid(7, 7)
>>> grid.distance((0, 0), (3, 1))
3
>>> sorted(grid.neighbours((0, 0)))
[(0, 1), (1, 0), (1, 1)]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from companion.geometry.grid.line import CellLine, trace
from models.cell import Cell, Point

STEPS = tuple((dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr)
SHAPE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""Offsets from a square's centre to its corners, counter-clockwise."""


@dataclass(frozen=True, slots=True)
class SquareGrid:
    """A grid of `columns` times `rows` squares; cells that share a corner are neighbours."""

    columns: int
    rows: int

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    def cells(self) -> Iterator[Cell]:
        """Every cell, row by row."""
        return ((column, row) for row in range(self.rows) for column in range(self.columns))

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells that share an edge or a corner."""
        around = ((cell[0] + dc, cell[1] + dr) for dc, dr in STEPS)
        return (one for one in around if one in self)

    def distance(self, one: Cell, two: Cell) -> int:
        """The number of steps between two cells; a diagonal step counts 1."""
        return max(abs(one[0] - two[0]), abs(one[1] - two[1]))

    def block(self, cell: Cell, size: int) -> tuple[Cell, ...]:
        """The cells of a piece of size × size cells, its lower left one first."""
        column, row = cell
        return tuple((column + dc, row + dr) for dr in range(size) for dc in range(size))

    def block_distance(self, one: Cell, size: int, two: Cell, other: int) -> int:
        """The distance between the nearest cells of two square pieces."""
        (column, row), (their_column, their_row) = one, two
        mine, theirs = size - 1, other - 1
        return max(
            their_column - column - mine,
            column - their_column - theirs,
            their_row - row - mine,
            row - their_row - theirs,
            0,
        )

    def centre(self, cell: Cell) -> Point:
        """The centre of a cell in integer coordinates."""
        return centre(cell)

    def line(self, one: Cell, two: Cell) -> CellLine:
        """The straight line from centre to centre."""
        if one == two:
            return CellLine((one,))
        found = line_from_origin(two[0] - one[0], two[1] - one[1])
        return found.translated(*one)


@cache
def line_from_origin(columns: int, rows: int) -> CellLine:
    """The line from cell (0, 0) to a cell so many columns and rows away."""
    wide, high = (range(min(0, far) - 1, max(0, far) + 2) for far in (columns, rows))
    cells = (((column, row), centre((column, row))) for row in high for column in wide)
    return trace(centre((0, 0)), centre((columns, rows)), cells, SHAPE)


def centre(cell: Cell) -> Point:
    """The centre of a cell in integer coordinates, on the board or not."""
    return 2 * cell[0] + 1, 2 * cell[1] + 1

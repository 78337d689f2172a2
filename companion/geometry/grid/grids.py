"""Square and hex grids: neighbours, distances, and cheapest paths (Dijkstra).

A square grid.

In its integer coordinates, cell (c, r) covers 2c..2c+2 by 2r..2r+2: centres are odd, corners even.

>>> grid = SquareGrid(7, 7)
>>> grid.distance((0, 0), (3, 1))
3
>>> sorted(grid.neighbours((0, 0)))
[(0, 1), (1, 0), (1, 1)]

A hex grid in rows parallel to player 1's edge, odd rows shifted half a cell to the right.

In its integer coordinates x counts half widths of a hex, y quarters of its height.

>>> grid = HexGrid(11, 15)
>>> grid.distance((0, 0), (2, 4))
4
>>> sorted(grid.neighbours((0, 0)))
[(0, 1), (1, 0)]
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from models.board import Cell, Point

STEPS = tuple((dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr)


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

    @staticmethod
    def distance(one: Cell, two: Cell) -> int:
        """The number of steps between two cells; a diagonal step counts 1."""
        return max(abs(one[0] - two[0]), abs(one[1] - two[1]))

    def block(self, cell: Cell, size: int) -> tuple[Cell, ...]:
        """The cells of a piece of size × size cells, its lower left one first."""
        column, row = cell
        return tuple((column + dc, row + dr) for dr in range(size) for dc in range(size))

    @staticmethod
    def block_distance(one: Cell, size: int, two: Cell, other: int) -> int:
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

    @staticmethod
    def block_distances(cells: Iterable[Cell], size: int, two: Cell, other: int) -> dict[Cell, int]:
        """The same from each of these cells."""
        (left, low), mine = two, size - 1
        right, high = left + other - 1, low + other - 1
        left, low = left - mine, low - mine
        return {
            cell: max(left - cell[0], cell[0] - right, low - cell[1], cell[1] - high, 0)
            for cell in cells
        }

    def centre(self, cell: Cell) -> Point:
        """The centre of a cell in integer coordinates."""
        return square_centre(cell)


def square_centre(cell: Cell) -> Point:
    """The centre of a cell in integer coordinates, on the board or not."""
    return 2 * cell[0] + 1, 2 * cell[1] + 1


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

    @staticmethod
    @lru_cache(maxsize=1 << 16)
    def distance(one: Cell, two: Cell) -> int:
        """The number of steps between two cells."""
        down = two[1] - one[1]
        across = two[0] - (two[1] >> 1) - one[0] + (one[1] >> 1)
        return max(abs(across), abs(down), abs(across + down))

    def centre(self, cell: Cell) -> Point:
        """The centre of a cell in integer coordinates."""
        return hex_centre(cell)


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
    return column - (row >> 1), row


def hex_centre(cell: Cell) -> Point:
    """The centre of a cell in integer coordinates, on the board or not."""
    column, row = cell
    return 2 * column + (row & 1) + 1, 3 * row + 2


Place = TypeVar("Place")
"""A cell, or a cell with whatever else a game tracks along the path (a facing, a road bonus)."""
Steps = Callable[[Place], Iterable[tuple[Place, int]]]
"""The neighbours of a place, each with the cost of the step."""


@dataclass(frozen=True, slots=True)
class Reach(Generic[Place]):
    """Every reachable place, its cost, and its predecessor on the cheapest path."""

    cost: dict[Place, int]
    entered_from: dict[Place, Place]

    def way(self, place: Place) -> list[Place]:
        """The places of the cheapest path, beginning with the start."""
        found = [place]
        while found[-1] in self.entered_from:
            found.append(self.entered_from[found[-1]])
        return found[::-1]


def reach(start: Place, most: int, steps: Steps[Place], least: int = 0) -> Reach[Place]:
    """Every place within a cost; ties between equally cheap paths follow the order of `steps`.

    `least` is the lowest price of a step that leaves a place other than the start.
    """
    cost: dict[Place, int] = {start: 0}
    entered_from: dict[Place, Place] = {}
    queue: list[tuple[int, int, Place]] = [(0, 0, start)]
    pushed = 0
    while queue:
        spent, _, here = heapq.heappop(queue)
        if spent > cost[here] or spent + least > most:
            continue
        for there, price in steps(here):
            total = spent + price
            if total <= most and total < cost.get(there, most + 1):
                pushed += 1
                cost[there], entered_from[there] = total, here
                heapq.heappush(queue, (total, pushed, there))
    return Reach(cost, entered_from)

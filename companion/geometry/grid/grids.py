"""Square and hex grids: neighbours, distances, straight lines across convex cells decided in
integers, and cheapest paths (Dijkstra).

>>> from companion.geometry.grid.grids import SquareGrid
>>> found = SquareGrid(5, 5).line((0, 0), (2, 1))
>>> found.cells
((0, 0), (1, 0), (1, 1), (2, 1))
>>> [edge for edge in found.crossed]
[((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (2, 1))]

A square grid.

In its integer coordinates, cell (c, r) covers 2c..2c+2 by 2r..2r+2: centres are odd, corners even.

>>> grid = SquareGrid(7, 7)
>>> grid.distance((0, 0), (3, 1))
3
>>> sorted(grid.neighbours((0, 0)))
[(0, 1), (1, 0), (1, 1)]

A hex grid in rows parallel to player 1's edge, odd rows shifted half a cell to the right.

Its integer coordinates are scaled differently along x and y, which preserves collinearity and
sides: x counts half widths of a hex, y quarters of its height.

>>> grid = HexGrid(11, 15)
>>> grid.distance((0, 0), (2, 4))
4
>>> sorted(grid.neighbours((0, 0)))
[(0, 1), (1, 0)]
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Generic, TypeVar

from models.board import Cell, Edge, Point, edge


@dataclass(frozen=True, slots=True)
class CellLine:
    """The cells, edges and corners that a segment meets, each in the order along the segment.

    A cell counts where the segment passes through its interior; a segment that runs along the
    border of two cells passes through neither.
    """

    cells: tuple[Cell, ...]
    crossed: tuple[Edge, ...] = ()  # edges it crosses between their end points
    along: tuple[Edge, ...] = ()  # edges it runs along
    corners: tuple[tuple[Cell, ...], ...] = ()  # the cells around each corner on it
    ends: tuple[Edge, ...] = ()  # edges it touches only at an end point

    def translated(self, columns: int, rows: int) -> CellLine:
        """The same line translated on the grid."""

        return self.mapped(lambda one: (one[0] + columns, one[1] + rows))

    def mapped(self, cell: Callable[[Cell], Cell]) -> CellLine:
        """The same line translated, turned or mirrored: where `cell` puts each cell."""

        def edges(some: tuple[Edge, ...]) -> tuple[Edge, ...]:
            return tuple(edge(cell(one), cell(two)) for one, two in some)

        return CellLine(
            tuple(map(cell, self.cells)),
            edges(self.crossed),
            edges(self.along),
            tuple(tuple(sorted(map(cell, around))) for around in self.corners),
            edges(self.ends),
        )


def trace(
    start: Point,
    end: Point,
    cells: Iterable[tuple[Cell, Point]],
    shape: Sequence[Point],
    scale: Point = (1, 1),
) -> CellLine:
    """The cells, edges and corners that the segment meets among cells with these centres.

    All cells have the same shape: the offsets from the centre to each corner, counter-clockwise.
    `scale` weighs x and y so that distances are Euclidean. Each cell is the set of points nearest
    to its centre (a Voronoi cell), so the order of the centres along the segment is the order of
    the cells.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    touched = max(abs(dx * y - dy * x) for x, y in shape)  # farther centres cannot touch the line
    inside: list[tuple[int, Cell]] = []
    borders: dict[frozenset[Point], list[Cell]] = {}
    corners: dict[Point, list[Cell]] = {}
    for cell, centre in cells:
        if abs(side(start, end, centre)) > touched:
            continue
        polygon = [(centre[0] + x, centre[1] + y) for x, y in shape]
        sides = [side(start, end, corner) for corner in polygon]
        if passes_inside(start, end, polygon, sides):
            inside.append((progress(start, end, centre, scale), cell))
        for number, corner in enumerate(polygon):
            borders.setdefault(frozenset((polygon[number - 1], corner)), []).append(cell)
            if not sides[number] and on_segment(start, end, corner):
                corners.setdefault(corner, []).append(cell)
    crossed: list[tuple[int, Edge]] = []
    along: list[tuple[int, Edge]] = []
    ends: list[tuple[int, Edge]] = []
    for points, owners in borders.items():
        if len(owners) != 2:
            continue  # the rim of the grid, or a cell that was not passed in
        one, two = points
        where = progress(start, end, one, scale) + progress(start, end, two, scale)
        first, second = side(start, end, one), side(start, end, two)
        border = edge(*owners)
        if not first and not second:
            if overlaps(start, end, one, two):
                along.append((where, border))
        elif one in corners or two in corners:
            ends.append((where, border))
        elif first * second < 0 and side(one, two, start) * side(one, two, end) < 0:
            crossed.append((where, border))
    around = (
        (progress(start, end, corner), tuple(sorted(some))) for corner, some in corners.items()
    )
    return CellLine(
        tuple(cell for _, cell in sorted(inside)),
        tuple(border for _, border in sorted(crossed)),
        tuple(border for _, border in sorted(along)),
        tuple(some for _, some in sorted(around)),
        tuple(border for _, border in sorted(ends)),
    )


def cells_near(
    start: Point,
    end: Point,
    columns: range,
    rows: range,
    centre_of: Callable[[Cell], Point],
    shape: Sequence[Point],
) -> Iterator[tuple[Cell, Point]]:
    """The cells that may touch the line, with their centres, which lie 2 apart in every row."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    touched = max(abs(dx * y - dy * x) for x, y in shape)
    for row in rows:
        x, y = centre_of((columns.start, row))
        away = dx * (y - start[1]) - dy * (x - start[0])  # less by 2 dy with each column
        if dy:
            away, slope = (away, 2 * dy) if dy > 0 else (-away, -2 * dy)
            first = max(0, -((touched - away) // slope))
            last = min(len(columns), (away + touched) // slope + 1)
        elif abs(away) <= touched:
            first, last = 0, len(columns)
        else:
            continue
        for number in range(first, last):
            yield (columns.start + number, row), (x + 2 * number, y)


def side(start: Point, end: Point, point: Point) -> int:
    """The side of the line on which a point lies: positive is left, 0 is on the line."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def progress(start: Point, end: Point, point: Point, scale: Point = (1, 1)) -> int:
    """How far along the segment a point lies, in scaled units."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return scale[0] * dx * (point[0] - start[0]) + scale[1] * dy * (point[1] - start[1])


def on_segment(start: Point, end: Point, point: Point) -> bool:
    """Whether a point that is known to lie on the line lies on the segment."""
    return 0 <= progress(start, end, point) <= progress(start, end, end)


def overlaps(start: Point, end: Point, one: Point, two: Point) -> bool:
    """Whether two collinear segments share more than a point."""
    low, high = sorted((progress(start, end, one), progress(start, end, two)))
    return low < progress(start, end, end) and high > 0


def passes_inside(start: Point, end: Point, polygon: Sequence[Point], sides: Sequence[int]) -> bool:
    """Whether the segment has a point strictly inside a convex polygon.

    Separating axes: two convex sets are disjoint exactly if a line along an edge of one of them
    separates them.
    """
    if max(sides) <= 0 or min(sides) >= 0:
        return False
    return not any(
        side(polygon[number - 1], corner, start) <= 0
        and side(polygon[number - 1], corner, end) <= 0
        for number, corner in enumerate(polygon)
    )


STEPS = tuple((dc, dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1) if dc or dr)
SQUARE_SHAPE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
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

    def line(self, one: Cell, two: Cell) -> CellLine:
        """The straight line from centre to centre."""
        if one == two:
            return CellLine((one,))
        found = line_from_origin(two[0] - one[0], two[1] - one[1])
        return found.translated(*one)


@cache
def line_from_origin(columns: int, rows: int) -> CellLine:
    """The line from cell (0, 0) to a cell so many columns and rows away.

    Lines are the same in each eighth of the plane, so few of them are traced.
    """
    if columns < 0:
        return line_from_origin(-columns, rows).mapped(lambda one: (-one[0], one[1]))
    if rows < 0:
        return line_from_origin(columns, -rows).mapped(lambda one: (one[0], -one[1]))
    if rows > columns:
        return line_from_origin(rows, columns).mapped(lambda one: (one[1], one[0]))
    wide, high = (range(min(0, far) - 1, max(0, far) + 2) for far in (columns, rows))
    start, end = square_centre((0, 0)), square_centre((columns, rows))
    cells = cells_near(start, end, wide, high, square_centre, SQUARE_SHAPE)
    return trace(start, end, cells, SQUARE_SHAPE)


def square_centre(cell: Cell) -> Point:
    """The centre of a cell in integer coordinates, on the board or not."""
    return 2 * cell[0] + 1, 2 * cell[1] + 1


HEX_SHAPE = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))
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
    return column - (row >> 1), row


def hex_centre(cell: Cell) -> Point:
    """The centre of a cell in integer coordinates, on the board or not."""
    column, row = cell
    return 2 * column + (row & 1) + 1, 3 * row + 2


@cache
def line_from_row(odd: int, columns: int, rows: int) -> CellLine:
    """The line from column 0 of row 0 or 1 (`odd`) to a cell so many columns and rows away."""
    start, end = (0, odd), (columns, odd + rows)
    wide = range(min(0, columns) - 1, max(0, columns) + 2)
    high = range(min(odd, odd + rows) - 1, max(odd, odd + rows) + 2)
    ends = hex_centre(start), hex_centre(end)
    cells = cells_near(*ends, wide, high, hex_centre, HEX_SHAPE)
    return trace(*ends, cells, HEX_SHAPE, SCALE)


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

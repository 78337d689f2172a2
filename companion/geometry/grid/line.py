"""A straight line across a grid of convex cells, decided in integers.

>>> from companion.geometry.grid.square import SquareGrid
>>> found = SquareGrid(5, 5).line((0, 0), (2, 1))
>>> found.cells
((0, 0), (1, 0), (1, 1), (2, 1))
>>> [edge for edge in found.crossed]
[((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (2, 1))]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.cell import Cell, Edge, Point, edge


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

        def cell(one: Cell) -> Cell:
            return one[0] + columns, one[1] + rows

        def edges(some: tuple[Edge, ...]) -> tuple[Edge, ...]:
            return tuple((cell(one), cell(two)) for one, two in some)

        return CellLine(
            tuple(map(cell, self.cells)),
            edges(self.crossed),
            edges(self.along),
            tuple(tuple(map(cell, around)) for around in self.corners),
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

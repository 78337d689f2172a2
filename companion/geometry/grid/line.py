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
    """What a segment meets, each in the order in which it is met.

    A cell counts where the segment passes through its inside; a segment that runs along the border
    of two cells passes through neither.
    """

    cells: tuple[Cell, ...]
    crossed: tuple[Edge, ...] = ()  # borders it crosses between their ends
    along: tuple[Edge, ...] = ()  # borders it runs along
    corners: tuple[tuple[Cell, ...], ...] = ()  # the cells about each corner on it
    ends: tuple[Edge, ...] = ()  # borders it touches at one of their ends only

    def moved(self, columns: int, rows: int) -> CellLine:
        """The same line elsewhere on the grid."""

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
    """What the segment meets among cells with these centres.

    All have the same shape: the way from the centre to each corner, counter-clockwise. `scale`
    weighs x and y so that distances are true: nearest centres make the cells, and so the order of
    centres along the segment is the order in which cells are met.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    touched = max(abs(dx * y - dy * x) for x, y in shape)  # a centre so far off: its cell touches
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
            continue  # the rim of the grid, or a cell nobody asked about
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
    """On which side of the line a point lies: positive is left, 0 is on it."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def progress(start: Point, end: Point, point: Point, scale: Point = (1, 1)) -> int:
    """How far along the segment a point lies."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return scale[0] * dx * (point[0] - start[0]) + scale[1] * dy * (point[1] - start[1])


def on_segment(start: Point, end: Point, point: Point) -> bool:
    """Whether a point of the line lies on the segment."""
    return 0 <= progress(start, end, point) <= progress(start, end, end)


def overlaps(start: Point, end: Point, one: Point, two: Point) -> bool:
    """Whether two segments of one line have more than a point in common."""
    low, high = sorted((progress(start, end, one), progress(start, end, two)))
    return low < progress(start, end, end) and high > 0


def passes_inside(start: Point, end: Point, polygon: Sequence[Point], sides: Sequence[int]) -> bool:
    """Whether the segment has a point strictly inside a convex polygon.

    Two convex sets are apart exactly if a line along an edge of one of them parts them.
    """
    if max(sides) <= 0 or min(sides) >= 0:
        return False
    return not any(
        side(polygon[number - 1], corner, start) <= 0
        and side(polygon[number - 1], corner, end) <= 0
        for number, corner in enumerate(polygon)
    )

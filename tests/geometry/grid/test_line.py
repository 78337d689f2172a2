"""Lines across grids against an independent reference: fractions along the segment."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from companion.geometry.grid import grids
from companion.geometry.grid.grids import HexGrid, SquareGrid
from models.board import Cell

Spot = tuple[Fraction, Fraction]
HEXES, SQUARES = HexGrid(8, 7), SquareGrid(8, 7)


def polygon(grid: HexGrid | SquareGrid, cell: Cell) -> list[Spot]:
    """The corners of a cell, told independently of the grid's own shape."""
    column, row = cell
    if isinstance(grid, SquareGrid):
        ring = [(0, 0), (2, 0), (2, 2), (0, 2)]
        return [(Fraction(2 * column + x), Fraction(2 * row + y)) for x, y in ring]
    x, y = 2 * column + row % 2 + 1, 3 * row + 2
    ring = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    return [(Fraction(x + dx), Fraction(y + dy)) for dx, dy in ring]


def inside(spot: Spot, ring: list[Spot]) -> bool:
    """Whether a spot lies strictly inside a convex ring that runs counter-clockwise."""
    return all(
        (b[0] - a[0]) * (spot[1] - a[1]) - (b[1] - a[1]) * (spot[0] - a[0]) > 0
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True)
    )


def cut_at(start: Spot, end: Spot, ring: list[Spot]) -> list[Fraction]:
    """Where on the segment the lines through the sides of a ring cut it."""
    found = []
    dx, dy = end[0] - start[0], end[1] - start[1]
    for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
        ex, ey = b[0] - a[0], b[1] - a[1]
        across = dx * ey - dy * ex
        if across:
            found.append(((a[0] - start[0]) * ey - (a[1] - start[1]) * ex) / across)
    return found


def passed(grid: HexGrid | SquareGrid, one: Cell, two: Cell) -> list[Cell]:
    """The cells a line passes through, by walking from cut to cut."""
    spots = [tuple(map(Fraction, grid.centre(cell))) for cell in (one, two)]
    start, end = ((x, y) for x, y in spots)
    rings = {cell: polygon(grid, cell) for cell in grid.cells()}
    cuts = {Fraction(0), Fraction(1)}
    for ring in rings.values():
        cuts.update(cut for cut in cut_at(start, end, ring) if 0 < cut < 1)
    found: list[Cell] = []
    for low, high in pairwise(sorted(cuts)):
        at = (low + high) / 2
        spot = start[0] + at * (end[0] - start[0]), start[1] + at * (end[1] - start[1])
        here = [cell for cell, ring in rings.items() if inside(spot, ring)]
        if here and here[0] not in found:
            found.append(here[0])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("grid", [SQUARES, HEXES], ids=["squares", "hexes"])
def test_a_line_passes_the_cells_the_reference_passes(grid: HexGrid | SquareGrid) -> None:
    dice = random.Random(5)
    cells = list(grid.cells())
    for _ in range(60):
        one, two = dice.sample(cells, 2)
        assert [c for c in grid.line(one, two).cells if c in grid] == passed(grid, one, two)


@pytest.mark.parametrize("grid", [SQUARES, HEXES], ids=["squares", "hexes"])
def test_a_line_is_the_same_from_either_end(grid: HexGrid | SquareGrid) -> None:
    dice = random.Random(6)
    for _ in range(100):
        one, two = dice.sample(list(grid.cells()), 2)
        there, back = grid.line(one, two), grid.line(two, one)
        assert set(there.cells) == set(back.cells)
        assert set(there.crossed) == set(back.crossed)
        assert set(there.along) == set(back.along)
        assert set(there.corners) == set(back.corners)
        assert set(there.ends) == set(back.ends)


@pytest.mark.parametrize("grid", [SQUARES, HEXES], ids=["squares", "hexes"])
def test_between_two_cells_lies_a_border_or_a_corner(grid: HexGrid | SquareGrid) -> None:
    """From cell to cell a line crosses their border, or passes a corner or border between."""
    dice = random.Random(7)
    for _ in range(150):
        found = grid.line(*dice.sample(list(grid.cells()), 2))
        for here, there in pairwise(found.cells):
            border = (min(here, there), max(here, there))
            around = any(here in corner and there in corner for corner in found.corners)
            assert border in found.crossed or around or found.along


def test_a_diagonal_of_squares_passes_corners_only() -> None:
    found = SQUARES.line((1, 1), (3, 3))
    assert found.cells == ((1, 1), (2, 2), (3, 3))
    assert found.crossed == ()
    assert found.corners[0] == ((1, 1), (1, 2), (2, 1), (2, 2))
    assert ((1, 1), (1, 2)) in found.ends


def test_a_straight_line_of_hexes_may_run_along_borders() -> None:
    found = HEXES.line((2, 2), (2, 4))
    assert found.cells == ((2, 2), (2, 4))
    assert found.along == (((1, 3), (2, 3)),)


def test_a_line_to_the_same_cell_passes_that_cell_alone() -> None:
    for grid in (SQUARES, HEXES):
        found = grid.line((3, 3), (3, 3))
        assert (found.crossed, found.along, found.corners) == ((), (), ())


def test_shapes_run_counter_clockwise() -> None:
    for shape in (grids.SQUARE_SHAPE, grids.HEX_SHAPE):
        turns = [
            a[0] * b[1] - a[1] * b[0] for a, b in zip(shape, shape[1:] + shape[:1], strict=True)
        ]
        assert min(turns) > 0

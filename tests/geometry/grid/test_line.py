"""Lines across grids against an independent reference: fractions along the segment."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, pairwise

import pytest

from companion.geometry.grid.grids import HexGrid, SquareGrid
from companion.geometry.grid.lines import (
    hex_bits,
    hex_line,
    hexes_of,
    square_bits,
    square_line,
    squares_of,
)
from models.board import Cell, Edge, edge

Spot = tuple[Fraction, Fraction]
HEXES, SQUARES = HexGrid(8, 7), SquareGrid(8, 7)


def polygon(grid: HexGrid | SquareGrid, cell: Cell) -> list[Spot]:
    """The corners of a cell, counter-clockwise, told independently of the grid."""
    column, row = cell
    if isinstance(grid, SquareGrid):
        ring = [(0, 0), (2, 0), (2, 2), (0, 2)]
        return [(Fraction(2 * column + x), Fraction(2 * row + y)) for x, y in ring]
    x, y = 2 * column + row % 2 + 1, 3 * row + 2
    ring = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    return [(Fraction(x + dx), Fraction(y + dy)) for dx, dy in ring]


def side(start: Spot, end: Spot, spot: Spot) -> Fraction:
    """On which side of a line a spot lies: positive is left."""
    (x, y), (u, v), (s, t) = start, end, spot
    return (u - x) * (t - y) - (v - y) * (s - x)


def inside(spot: Spot, ring: list[Spot]) -> bool:
    """Whether a spot lies strictly inside a convex ring that runs counter-clockwise."""
    return all(side(a, b, spot) > 0 for a, b in zip(ring, ring[1:] + ring[:1], strict=True))


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


def ends_of(grid: HexGrid | SquareGrid, one: Cell, two: Cell) -> tuple[Spot, Spot]:
    (x, y), (u, v) = (map(Fraction, grid.centre(cell)) for cell in (one, two))
    return (x, y), (u, v)


def passed(grid: HexGrid | SquareGrid, one: Cell, two: Cell) -> list[Cell]:
    """The cells a line passes through, by walking from cut to cut."""
    start, end = ends_of(grid, one, two)
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


def two_cells(dice: random.Random, grid: HexGrid | SquareGrid) -> tuple[Cell, Cell]:
    one, two = dice.sample(list(grid.cells()), 2)
    return one, two


@pytest.mark.slow
def test_a_line_across_squares_meets_what_the_reference_meets() -> None:
    dice = random.Random(5)
    for _ in range(80):
        one, two = two_cells(dice, SQUARES)
        cells, line = passed(SQUARES, one, two), square_line(one, two)
        assert set(squares_of(line.between)) == set(cells) - {one, two}
        diagonal = [{a, b} for a, b in pairwise(cells) if a[0] != b[0] and a[1] != b[1]]
        crossed = {edge(a, b) for a, b in pairwise(cells) if {a, b} not in diagonal}
        assert {*right_edges(line.crossed), *upper_edges(line.crossed_up)} == crossed
        corners = [(cell, (cell[0] + line.right, cell[1] + 1)) for cell in squares_of(line.corners)]
        assert sorted(map(sorted, corners)) == sorted(map(sorted, diagonal))
        beside = {cell for (a, b), (c, d) in corners for cell in ((a, d), (c, b))}
        assert set(squares_of(line.flanks)) == beside


def right_edges(bits: int) -> list[Edge]:
    return [((column, row), (column + 1, row)) for column, row in squares_of(bits)]


def upper_edges(bits: int) -> list[Edge]:
    return [((column, row), (column, row + 1)) for column, row in squares_of(bits)]


@pytest.mark.slow
def test_a_line_across_hexes_meets_what_the_reference_meets() -> None:
    dice = random.Random(6)
    for _ in range(60):
        one, two = two_cells(dice, HEXES)
        line = hex_line(one, two)
        between = {cell for cell in hexes_of(line.between) if cell in HEXES}
        assert between == set(passed(HEXES, one, two)) - {one, two}


def test_a_line_along_edges_has_their_hexes_on_its_sides() -> None:
    dice = random.Random(7)
    rings = {cell: {*polygon(HEXES, cell)} for cell in HEXES.cells()}
    shared = [(one, two, rings[one] & rings[two]) for one, two in combinations(rings, 2)]
    borders = [border for border in shared if len(border[2]) == 2]
    ways = 0
    for _ in range(120):
        lower, upper = sorted(two_cells(dice, HEXES), key=lambda cell: (cell[1], cell[0]))
        start, end = ends_of(HEXES, lower, upper)
        line, left, right = hex_line(upper, lower), set[Cell](), set[Cell]()
        for one, two, common in borders:
            if all(not side(start, end, spot) and start[1] <= spot[1] <= end[1] for spot in common):
                spots = {one: ends_of(HEXES, one, one)[0], two: ends_of(HEXES, two, two)[0]}
                left |= {cell for cell, spot in spots.items() if side(start, end, spot) > 0}
                right |= {cell for cell, spot in spots.items() if side(start, end, spot) < 0}
        ways += bool(left)
        on_board = hex_bits(HEXES.cells())
        assert set(hexes_of(line.left & on_board)) >= left
        assert set(hexes_of(line.right & on_board)) >= right
        assert bool(line.left) == bool(line.right) == bool(left or right)
    assert ways > 3


def test_a_diagonal_of_squares_passes_corners_only() -> None:
    line = square_line((1, 1), (3, 3))
    assert (squares_of(line.between), line.crossed, line.crossed_up) == (((2, 2),), 0, 0)
    assert squares_of(line.corners) == ((1, 1), (2, 2))
    assert squares_of(line.flanks) == ((1, 2), (2, 1), (2, 3), (3, 2))


def test_a_straight_line_of_hexes_may_run_along_borders() -> None:
    line = hex_line((2, 2), (2, 4))
    assert (line.between, hexes_of(line.left), hexes_of(line.right)) == (0, ((1, 3),), ((2, 3),))


def test_a_line_at_the_rim_has_half_hexes_beside_it() -> None:
    line = hex_line((0, 56), (0, 58))
    assert (hexes_of(line.left), hexes_of(line.right)) == (((-1, 57),), ((0, 57),))


def test_a_line_is_the_same_from_either_end() -> None:
    dice = random.Random(8)
    for _ in range(100):
        one, two = two_cells(dice, SQUARES)
        assert square_line(one, two) == square_line(two, one)
        assert hex_line(one, two) == hex_line(two, one)


def test_a_line_to_the_same_cell_meets_nothing() -> None:
    assert hex_line((3, 3), (3, 3)).between == 0
    assert square_line((3, 3), (3, 3)).between == 0


def test_the_cells_of_the_largest_board_are_told_apart() -> None:
    cells = [(column, row) for column in range(-1, 61) for row in range(-1, 61)]
    assert hexes_of(hex_bits(cells)) == tuple(sorted(cells))
    assert squares_of(square_bits(cells)) == tuple(sorted(cells))

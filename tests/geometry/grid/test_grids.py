"""Neighbours, distances, blocks and reach on squares and hexes."""

from __future__ import annotations

from collections import deque

import pytest

from companion.geometry.grid.grids import HexGrid, SquareGrid, reach
from models.board import Cell, cell_text, edge, parse_cell
from models.message import CompanionError

GRIDS = [SquareGrid(6, 5), HexGrid(6, 5)]


def steps_to(grid: SquareGrid | HexGrid, start: Cell) -> dict[Cell, int]:
    """How many steps every cell is away, by flooding."""
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in grid.neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


@pytest.mark.parametrize("grid", GRIDS, ids=["squares", "hexes"])
def test_distance_is_the_number_of_steps(grid: SquareGrid | HexGrid) -> None:
    for start in grid.cells():
        for cell, count in steps_to(grid, start).items():
            assert grid.distance(start, cell) == count


@pytest.mark.parametrize("grid", GRIDS, ids=["squares", "hexes"])
def test_neighbours_are_mutual(grid: SquareGrid | HexGrid) -> None:
    for cell in grid.cells():
        for other in grid.neighbours(cell):
            assert cell in set(grid.neighbours(other))
            assert grid.distance(cell, other) == 1


def test_odd_rows_of_hexes_are_shifted_to_the_right() -> None:
    grid = HexGrid(5, 5)
    assert set(grid.neighbours((2, 1))) == {(1, 1), (3, 1), (2, 0), (3, 0), (2, 2), (3, 2)}
    assert set(grid.neighbours((2, 2))) == {(1, 2), (3, 2), (1, 1), (2, 1), (1, 3), (2, 3)}
    assert grid.centre((0, 1))[0] - grid.centre((0, 0))[0] == 1  # half a width


def test_blocks_measure_from_their_nearest_cells() -> None:
    grid = SquareGrid(9, 9)
    assert grid.block((2, 3), 2) == ((2, 3), (3, 3), (2, 4), (3, 4))
    for one in ((0, 0), (4, 4), (2, 5)):
        for two in ((4, 4), (7, 0), (3, 3)):
            for sizes in ((1, 1), (2, 1), (1, 2), (2, 2)):
                nearest = min(
                    grid.distance(a, b)
                    for a in grid.block(one, sizes[0])
                    for b in grid.block(two, sizes[1])
                )
                assert grid.block_distance(one, sizes[0], two, sizes[1]) == nearest


def test_reach_takes_the_cheapest_way() -> None:
    grid = SquareGrid(5, 3)
    slow = {(2, 0), (2, 1)}
    found = reach(
        (0, 0), 6, lambda cell: ((one, 3 if one in slow else 1) for one in grid.neighbours(cell))
    )
    assert found.cost[4, 0] == 4  # over the free cell 2,2
    assert found.way((4, 0))[2] == (2, 2)
    assert found.cost[2, 0] == 4
    near = reach((0, 0), 1, lambda cell: ((one, 1) for one in grid.neighbours(cell)))
    assert set(near.cost) == {(0, 0), (1, 0), (0, 1), (1, 1)}


@pytest.mark.parametrize("text", ["", "3", "3;2", "-1,2", "03,2", "3, 2", "3,2,1", "a,b"])
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(CompanionError, match="no cell"):
        parse_cell(text)


def test_a_cell_and_its_text() -> None:
    assert cell_text(parse_cell("12,0")) == "12,0"
    assert edge((3, 1), (2, 1)) == ((2, 1), (3, 1))

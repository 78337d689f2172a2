"""A cell of a board: its column and row, both from 0, written in files as "3,2".

>>> parse_cell("3,2")
(3, 2)
>>> cell_text((3, 2))
'3,2'
"""

from __future__ import annotations

import re

from models.errors import CompanionError

Cell = tuple[int, int]
"""Column from player 1's left, row from player 1's edge."""
Edge = tuple[Cell, Cell]
"""The edge between two neighbouring cells, the smaller one first."""
Point = tuple[int, int]
"""A point in a grid's integer coordinates; each grid defines its units."""

WRITTEN = re.compile(r"(0|[1-9]\d{0,3}),(0|[1-9]\d{0,3})")


def parse_cell(text: str) -> Cell:
    """A cell from its text."""
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise CompanionError(f"{text!r} is no cell; a cell is written column,row, as in '3,2'")
    return int(found[1]), int(found[2])


def cell_text(cell: Cell) -> str:
    """A cell as written in files."""
    return f"{cell[0]},{cell[1]}"


def edge(one: Cell, two: Cell) -> Edge:
    """The edge between two cells, in either order."""
    return (one, two) if one <= two else (two, one)

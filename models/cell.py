"""A cell of a board: its column and its row, both from 0, as files write them: "3,2".

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
"""The border between two neighbouring cells, the smaller one first."""
Point = tuple[int, int]
"""A point of a grid's integer plane; each grid says what its units are."""

WRITTEN = re.compile(r"(0|[1-9]\d{0,3}),(0|[1-9]\d{0,3})")


def parse_cell(text: str) -> Cell:
    """A cell from its text."""
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise CompanionError(f"{text!r} is no cell; a cell is written column,row, as in '3,2'")
    return int(found[1]), int(found[2])


def cell_text(cell: Cell) -> str:
    """A cell as files write it."""
    return f"{cell[0]},{cell[1]}"


def edge(one: Cell, two: Cell) -> Edge:
    """The border between two cells, whichever is named first."""
    return (one, two) if one <= two else (two, one)

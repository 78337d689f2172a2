"""Pieces measured so badly that not all their cells could be tried, and what they put in doubt."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from models.board import Board, Cell

BESIDE_LINE = 1.2
"""A piece whose middle is nearer to a line than so many cells may touch it."""


@dataclass(frozen=True, slots=True)
class CellBox:
    """The rectangle of columns and rows that holds some cells."""

    left: int
    low: int
    right: int
    high: int

    @classmethod
    def around(cls, cells: Iterable[Cell], size: int = 1) -> CellBox:
        columns, rows = zip(*cells, strict=True)
        more = size - 1
        return cls(min(columns), min(rows), max(columns) + more, max(rows) + more)

    def apart(self, other: CellBox) -> int:
        """The fewest steps that a cell of one may be away from a cell of the other."""
        across = max(other.left - self.right, self.left - other.right, 0)
        return max(across, other.low - self.high, self.low - other.high)

    def joined(self, other: CellBox) -> CellBox:
        return CellBox(
            min(self.left, other.left),
            min(self.low, other.low),
            max(self.right, other.right),
            max(self.high, other.high),
        )


@dataclass(frozen=True)
class VaguePieces:
    """The vague pieces of a board among all others, with the cells that each may stand on."""

    board: Board
    ids: frozenset[str]
    cells: Mapping[str, Mapping[Cell, float]]
    sizes: Mapping[str, int]

    @cached_property
    def boxes(self) -> Mapping[str, CellBox]:
        return {one: CellBox.around(at, self.sizes[one]) for one, at in self.cells.items()}

    def apart(self, one: str, two: str) -> int:
        """The fewest steps between two pieces."""
        return self.boxes[one].apart(self.boxes[two])

    def beside(self, piece: str, steps: int) -> bool:
        """Whether another piece that is vague may stand so near to this one."""
        return any(self.apart(piece, one) <= steps for one in self.ids - {piece})

    def between(self, piece: str, end: str | Cell) -> bool:
        """Whether a vague piece may touch the line from a piece to another one or to a cell."""
        there = self.boxes[end] if isinstance(end, str) else CellBox.around((end,))
        box = self.boxes[piece].joined(there)
        return any(
            self.touches(one, piece, end)
            for one in self.ids - {piece, end}
            if box.apart(self.boxes[one]) <= 1
        )

    def touches(self, vague: str, piece: str, end: str | Cell) -> bool:
        """Whether one of its cells lies beside the line between the likeliest cells."""
        start, stop = self.middle(piece), self.middle(end)
        wide = max(self.sizes[vague], self.sizes[piece], self.sizes.get(str(end), 1))
        within = (BESIDE_LINE + wide - 1) * self.board.cell_in
        return any(
            from_line(self.board.middle(cell, self.sizes[vague]), start, stop) <= within
            for cell in self.cells[vague]
        )

    def middle(self, end: str | Cell) -> tuple[float, float]:
        if not isinstance(end, str):
            return self.board.middle(end)
        return self.board.middle(next(iter(self.cells[end])), self.sizes[end])


Point = tuple[float, float]


def from_line(at: Point, start: Point, end: Point) -> float:
    """The distance of a point from the line between two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = ((at[0] - start[0]) * dx + (at[1] - start[1]) * dy) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return math.hypot(at[0] - start[0] - along * dx, at[1] - start[1] - along * dy)

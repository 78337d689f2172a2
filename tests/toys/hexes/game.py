"""What the rules of the toy on hexes say of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.api import rules as api
from companion.geometry.grid.grids import HexGrid, around, reach
from companion.geometry.grid.placing import settled
from companion.overlay.board_shapes import board_scene, cell_outline
from companion.overlay.shapes import Polygon, Style, TableScene
from models.board import Cell, cell_text
from models.board_table import BoardTable


def reached(table: BoardTable, piece_id: str) -> dict[Cell, int]:
    """HEX-1: the free cells at most two steps away, never through another piece."""
    piece, board = table.piece(piece_id), table.board
    grid, taken = HexGrid(board.columns, board.rows), {other.cell for other in table.pieces}

    def steps(cell: Cell) -> list[tuple[Cell, int]]:
        return [(c, 1) for c in grid.neighbours(cell) if c in board and c not in taken]

    cost = reach(piece.cell, 2, steps).cost if piece.cell else {}
    return {cell: steps for cell, steps in cost.items() if steps}


def beside(table: BoardTable, piece_id: str) -> list[str]:
    """HEX-2: the enemies on neighbouring cells."""
    me = table.piece(piece_id)
    near = set(around(me.cell)) if me.cell else set()
    return [one.id for one in table.pieces if one.side != me.side and one.cell in near]


@dataclass(frozen=True)
class HexReport:
    table: BoardTable

    @property
    def units(self) -> dict[str, Any]:
        return {one.id: self.answers(one.id) for one in self.table.pieces}

    def answers(self, piece_id: str) -> dict[str, Any]:
        cells = reached(self.table, piece_id).items()
        attacks = {foe: {"answer": "yes"} for foe in beside(self.table, piece_id)}
        return {"reach": {cell_text(c): {"cost": n} for c, n in cells}, "attacks": attacks}

    def to_json(self, name: str, whole: bool = True) -> dict[str, Any]:
        return {"table": name, "game": self.table.game, "pieces": self.units}


class Hexes(api.GameRules):
    games = ("hexes",)

    def report(self, table: BoardTable, settings: Any = None) -> HexReport:
        return HexReport(settled(table))

    def scene(
        self, table: BoardTable, unit_id: Any = None, settings: Any = None, whole: bool = True
    ) -> TableScene:
        cells = reached(settled(table), unit_id) if unit_id else {}
        found = (Polygon(cell_outline(table.board, one), Style("reach"), 5) for one in cells)
        return board_scene(table, *found)

    def board(self, table: BoardTable) -> TableScene:
        return board_scene(table)


GAME = Hexes()

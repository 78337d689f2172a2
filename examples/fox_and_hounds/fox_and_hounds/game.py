"""The rules: where each piece of a table may go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.api.rules import GameRules
from companion.geometry.grid.placing import settled
from companion.overlay.board_shapes import board_scene, cell_outline
from companion.overlay.shapes import Polygon, Style, TableScene
from models.board import Board, Cell, cell_text
from models.board_table import BoardPiece, BoardTable

SIZE = 8
LIGHT = [(c, r) for c in range(SIZE) for r in range(SIZE) if (c + r) % 2]
BOARD = Board("square", SIZE, SIZE, 2.0, ground=dict.fromkeys(LIGHT, ("none",)))
HOUNDS = tuple(
    BoardPiece(f"h{n + 1}", "hounds", f"Hound {n + 1}", cell=(2 * n, 0)) for n in range(4)
)
START = BoardTable("foxhunt", BOARD, (BoardPiece("fox", "fox", "Fox", cell=(3, 7)), *HOUNDS))


@dataclass(frozen=True)
class FoxReport:
    """What the rules say about a table."""

    game: str
    units: dict[str, Any]

    def to_json(self, name: str, whole: bool = True) -> dict[str, Any]:
        return {"table": name, "game": self.game, "pieces": self.units}


class FoxRules(GameRules):
    games = ("foxhunt",)

    def steps(self, table: BoardTable, piece_id: str) -> list[Cell]:
        """The squares a piece may step to: a hound forwards (FOX-1), the fox anywhere (FOX-2)."""
        piece, taken = table.piece(piece_id), {one.cell for one in table.pieces}
        if piece.cell is None:
            return []
        column, row = piece.cell
        ahead = (1,) if piece.side == "hounds" else (1, -1)
        near = [(column + side, row + up) for up in ahead for side in (-1, 1)]
        return [cell for cell in near if cell in table.board and cell not in taken]

    def report(self, table: BoardTable, settings: Any = None) -> FoxReport:
        table = settled(table)
        reach = {one.id: self.steps(table, one.id) for one in table.pieces}
        units = {
            name: {"reach": {cell_text(cell): {"cost": 1} for cell in cells}}
            for name, cells in reach.items()
        }
        return FoxReport(table.game, units)

    def scene(
        self, table: BoardTable, unit_id: Any = None, settings: Any = None, whole: bool = True
    ) -> TableScene:
        cells = self.steps(settled(table), unit_id) if unit_id else []
        shown = (Polygon(cell_outline(table.board, one), Style("reach"), 5) for one in cells)
        return board_scene(table, *shown)

    def board(self, table: BoardTable) -> TableScene:
        return board_scene(table)


GAME = FoxRules()

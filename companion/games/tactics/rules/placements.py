"""The placements that a table allows: a measured figure may stand on one of several spaces."""

from __future__ import annotations

from companion.games.shared.likely_positions import (
    LikelyPosition,
    candidate_cells,
    likely_positions,
)
from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.board_figure import figure_of
from companion.games.tactics.rules.position import BattlePosition, crosses_wall, standing_problem
from companion.geometry.grid.square import SquareGrid
from models.board_table import BoardPiece, BoardTable
from models.cell import Cell


def placements(table: BoardTable, field: SquareField) -> list[LikelyPosition[BattlePosition]]:
    """Every way the figures may stand, the most probable first."""
    figures = [
        [(figure_of(piece, cell), chance) for cell, chance in candidates(field, piece)]
        for piece in table.pieces
    ]
    return likely_positions(figures, lambda chosen: BattlePosition(field, chosen), standing_problem)


def candidates(field: SquareField, piece: BoardPiece) -> list[tuple[Cell, float]]:
    """The spaces a piece may stand on; BLOCKED ones only if there is no other."""
    grid = SquareGrid(field.board.columns, field.board.rows)

    def is_free(cell: Cell) -> bool:
        cells = grid.block(cell, piece.size)
        return all(one in field.open for one in cells) and not crosses_wall(field, cells)

    return candidate_cells(field.board, piece, is_free)

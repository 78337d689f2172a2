"""The placements that a table allows: a measured unit may stand on one of several hexes."""

from __future__ import annotations

from companion.games.shared.likely_positions import (
    LikelyPosition,
    candidate_cells,
    likely_positions,
)
from companion.games.westeros.cards.catalogue import CardCollection
from companion.games.westeros.rules.board_unit import house_edges, unit_of
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.position import HexPosition, standing_problem
from models.board_table import BoardPiece, BoardTable
from models.cell import Cell


def placements(
    table: BoardTable, field: HexField, cards: CardCollection
) -> list[LikelyPosition[HexPosition]]:
    """Every way the units may stand, the most probable first.

    Two units never share a hex, and engaged units are adjacent: what contradicts that is left out.
    """
    edges = house_edges(table.pieces)
    units = [
        [(unit_of(piece, cell, cards), chance) for cell, chance in candidates(field, piece)]
        for piece in table.pieces
    ]
    return likely_positions(
        units, lambda chosen: HexPosition(field, chosen, edges), standing_problem
    )


def candidates(field: HexField, piece: BoardPiece) -> list[tuple[Cell, float]]:
    """The hexes a piece may stand on; impassable or incomplete ones only if there is no other."""
    return candidate_cells(
        field.board, piece, lambda cell: cell in field.cells and not field.at(cell).impassable
    )

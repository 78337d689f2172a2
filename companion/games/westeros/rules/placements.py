"""The placements that a table allows: a measured unit may stand on one of several hexes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod

from companion.games.westeros.cards.catalogue import CardCollection
from companion.games.westeros.rules.board_unit import BoardUnit, house_edges, unit_of
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.position import HexPosition, standing_problem
from companion.geometry.grid.placing import cells_of
from models.board_table import BoardPiece, BoardTable
from models.cell import Cell
from models.errors import CompanionError

LEAST_CHANCE = 0.003
"""Hexes with a lower probability (three standard deviations) are not considered."""
MOST_PLACEMENTS = 32


@dataclass(frozen=True, slots=True)
class UnitPlacement:
    """One way the units may stand, and its probability."""

    position: HexPosition
    chance: float


def placements(table: BoardTable, field: HexField, cards: CardCollection) -> list[UnitPlacement]:
    """Every way the units may stand, the most probable first.

    Two units never share a hex, and engaged units are adjacent: what contradicts that is left out.
    """
    edges = house_edges(table.pieces)
    choices = [
        [(unit_of(piece, cell, cards), chance) for cell, chance in candidates(field, piece)]
        for piece in table.pieces
    ]
    likeliest = HexPosition(field, tuple(one[0][0] for one in choices), edges)
    if all(len(one) == 1 for one in choices):
        refuse_impossible(likeliest)
        return [UnitPlacement(likeliest, 1.0)]
    found = []
    for chosen in product(*likely(choices)):
        position = HexPosition(field, tuple(one for one, _ in chosen), edges)
        if not standing_problem(position):
            found.append(UnitPlacement(position, prod(chance for _, chance in chosen)))
    if not found:
        refuse_impossible(likeliest)
        found = [UnitPlacement(likeliest, 1.0)]
    whole = sum(one.chance for one in found)
    found.sort(key=lambda one: -one.chance)
    return [UnitPlacement(one.position, one.chance / whole) for one in found]


def refuse_impossible(position: HexPosition) -> None:
    """Refuse units off the field, two on one hex, or engaged from afar."""
    if problem := standing_problem(position):
        raise CompanionError(problem)


def candidates(field: HexField, piece: BoardPiece) -> list[tuple[Cell, float]]:
    """The hexes a piece may stand on; impassable or incomplete ones only if there is no other."""
    cells = list(cells_of(field.board, piece).items())
    if not cells:
        raise CompanionError(f"pieces: {piece.id}: has neither a cell nor a position")
    if piece.cell is not None:
        return cells
    near = [(cell, chance) for cell, chance in cells if chance >= LEAST_CHANCE] or cells[:1]
    standing = [
        (cell, chance)
        for cell, chance in near
        if cell in field.cells and not field.at(cell).impassable
    ]
    return standing or near[:1]


def likely(choices: list[list[tuple[BoardUnit, float]]]) -> list[list[tuple[BoardUnit, float]]]:
    """At most as many placements as can be worked out: the least probable hexes go first."""
    kept = [sorted(one, key=lambda choice: -choice[1]) for one in choices]
    while prod(len(one) for one in kept) > MOST_PLACEMENTS:
        min((one for one in kept if len(one) > 1), key=lambda one: one[-1][1]).pop()
    return kept

"""Contact and engagement (TAC-CON): adjacent spaces with sight and no wall between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.position import BattlePosition
from companion.games.tactics.rules.sight import corner_blockers
from companion.geometry.grid.square import STEPS
from models.cell import Cell, edge


def touches(
    field: SquareField, occupied: Collection[Cell], one: Cell, two: Cell, own: Collection[Cell]
) -> bool:
    """Whether figures on two adjacent spaces are in contact across this pair (TAC-CON-1, -4)."""
    if one[0] == two[0] or one[1] == two[1]:
        return edge(one, two) not in field.walls
    flanks = ((two[0], one[1]), (one[0], two[1]))
    if corner_blockers(field, occupied, one, two, flanks, own):
        return False
    return not all(
        edge(one, flank) in field.walls or edge(flank, two) in field.walls for flank in flanks
    )


def in_contact(
    position: BattlePosition,
    cells: Iterable[Cell],
    sought: Mapping[Cell, BoardFigure],
    others: Mapping[Cell, BoardFigure],
) -> list[BoardFigure]:
    """Those of the figures sought that are in contact with a figure on these spaces.

    `others` are all figures but that one, wherever it stands now.
    """
    field, found = position.field, dict[str, BoardFigure]()
    mine = tuple(cells)
    for cell in mine:
        column, row = cell
        for dc, dr in STEPS:
            there = (column + dc, row + dr)
            if there not in sought:
                continue
            other = sought[there]
            if other.id in found:
                continue
            if touches(field, others, cell, there, (*mine, *other.cells)):
                found[other.id] = other
    return list(found.values())


def contacts(position: BattlePosition, figure: BoardFigure) -> list[BoardFigure]:
    """Everybody in contact with a figure where it stands."""
    others = position.without(figure)
    return in_contact(position, figure.cells, others, others)


def engaged_with(position: BattlePosition, figure: BoardFigure) -> list[BoardFigure]:
    """The enemies in contact: the figure is engaged with them (TAC-CON-2, -3, -5)."""
    found = position.engagements.get(figure.id)
    if found is None:
        found = [one for one in contacts(position, figure) if position.hostile(figure, one)]
        position.engagements[figure.id] = found
    return found


def reaches_element(position: BattlePosition, figure: BoardFigure, cell: Cell) -> bool:
    """Whether a figure is in contact with a marker or terrain on a space (TAC-OR-26).

    It stands on the space, or on an adjacent one with sight to it.
    """
    if cell in figure.cells:
        return True
    others = position.without(figure)
    return any(
        max(abs(one[0] - cell[0]), abs(one[1] - cell[1])) == 1
        and touches(position.field, others, one, cell, (*figure.cells, cell))
        for one in figure.cells
    )

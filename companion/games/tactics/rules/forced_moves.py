"""Moves that an ability or a result forces or grants: away, towards, surge, dismounting."""

from __future__ import annotations

from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.charge import gap, gap_from
from companion.games.tactics.rules.contact import engaged_with, in_contact
from companion.games.tactics.rules.movement import MoveOptions, MoveTarget, move_ends
from companion.games.tactics.rules.position import BattlePosition
from models.cell import Cell


def pushed_away(
    position: BattlePosition, figure: BoardFigure, cause: BoardFigure, spaces: int
) -> dict[Cell, MoveTarget]:
    """Where a figure forced away may end: as far from the cause as possible (TAC-ABL-17).

    Empty if no OPEN space lies farther away than its own: it is not moved (TAC-ABL-18).
    """
    ends = move_ends(position, figure, MoveOptions(spaces, forced=True))
    farthest = max((gap_from(figure, cell, cause) for cell in ends), default=0)
    if farthest <= gap(figure, cause):
        return {}
    return {cell: end for cell, end in ends.items() if gap_from(figure, cell, cause) == farthest}


def pulled_towards(
    position: BattlePosition, figure: BoardFigure, cause: BoardFigure, spaces: int
) -> dict[Cell, MoveTarget]:
    """Where a figure forced towards another may end (TAC-ABL-19).

    The shortest path that brings it into contact, as far along it as the spaces allow.
    """
    if any(one.id == cause.id for one in contacts_of(position, figure)):
        return {}
    longest = len(position.field.open)
    whole = move_ends(position, figure, MoveOptions(longest, forced=True))
    touching = {
        cell: end
        for cell, end in whole.items()
        if any(one.id == cause.id for one in contacts_of(position, figure, cell))
    }
    if not touching:
        return {}
    least = min(end.cost for end in touching.values())
    if least <= spaces:
        return {cell: end for cell, end in touching.items() if end.cost == least}
    # Too far: every space so many steps along one of the shortest paths.
    within = move_ends(position, figure, MoveOptions(spaces, forced=True))
    found: dict[Cell, MoveTarget] = {}
    for cell, end in within.items():
        if end.cost == spaces:
            moved = BattlePosition(
                position.field,
                tuple(one.at(cell) if one.id == figure.id else one for one in position.figures),
                position.teams,
            )
            rest = move_ends(moved, figure.at(cell), MoveOptions(least - spaces, forced=True))
            if any(there in rest for there in touching):
                found[cell] = end
    return found


def contacts_of(
    position: BattlePosition, figure: BoardFigure, cell: Cell | None = None
) -> list[BoardFigure]:
    """Everybody in contact with a figure, as if it stood on another space."""
    cells = figure.cells if cell is None else figure.cells_at(cell)
    others = position.without(figure)
    return in_contact(position, cells, others, others)


def surge_ends(
    position: BattlePosition, figure: BoardFigure, victim: tuple[Cell, ...]
) -> dict[Cell, MoveTarget]:
    """Where an attacker may surge after a kill: onto a space of the victim (TAC-ATK-16, -17).

    `position` is without the victim. The attacker must not be engaged any more. A large figure
    leads with one of its spaces and may turn; its block then contains that space (TAC-OR-40).
    """
    if engaged_with(position, figure):
        return {}
    ends = move_ends(position, figure, MoveOptions(1, forced=True))
    return {
        cell: end
        for cell, end in ends.items()
        if any(one in victim for one in figure.cells_at(cell))
        and (not figure.large or end.path[-1] in victim or leads_to(position, figure, cell, victim))
    }


def leads_to(
    position: BattlePosition, figure: BoardFigure, cell: Cell, victim: tuple[Cell, ...]
) -> bool:
    """Whether some leading space steps onto the victim's space within this final block."""
    block = figure.cells_at(cell)
    return any(
        there in victim and there in block
        for one in figure.cells
        for there, _ in position.field.steps.get(one, ())
    )


def dismount_cells(position: BattlePosition, figure: BoardFigure) -> tuple[Cell, ...]:
    """Where the foot version may stand: one of the 4 spaces of the mounted one (TAC-FIG-9)."""
    return figure.cells if figure.large else ()

"""Charges (TAC-CHG): a Move towards an enemy in sight, then a melee attack against it."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.contact import engaged_with
from companion.games.tactics.rules.movement import PLAIN_MOVE, MoveOptions, MoveTarget, move_ends
from companion.games.tactics.rules.position import BattlePosition
from companion.games.tactics.rules.visibility import sees
from companion.geometry.grid.square import SquareGrid
from models.cell import Cell

BLOCK_DISTANCE = SquareGrid(1, 1).block_distance


@dataclass(frozen=True, slots=True)
class ChargeAnswer:
    """Whether a charge may be declared, whether it reaches, and where its move may end.

    `why` are the rules that forbid it, or the rule by which it ends short of its target.
    """

    declare: bool
    reaches: bool
    why: tuple[str, ...] = ()
    ends: dict[Cell, MoveTarget] = field(default_factory=dict)


def charge_answer(
    position: BattlePosition,
    figure: BoardFigure,
    target: BoardFigure,
    ends: dict[Cell, MoveTarget] | None = None,
    options: MoveOptions = PLAIN_MOVE,
) -> ChargeAnswer:
    """The answer for one enemy; `ends` are the figure's plain moves, if they are known already."""
    why = charge_refusals(position, figure, target)
    if why:
        return ChargeAnswer(False, False, why)
    ends = move_ends(position, figure, options) if ends is None else ends
    arriving = {cell: end for cell, end in ends.items() if target.id in end.engages}
    if arriving:
        return ChargeAnswer(True, True, (), shortest(position, arriving))
    # It stops short: as near to the target as it can come (TAC-OR-31).
    away = {cell: gap_from(figure, cell, target) for cell in ends}
    least = min(away.values(), default=gap(figure, target))
    near = {cell: ends[cell] for cell, far in away.items() if far == least}
    if least >= gap(figure, target):
        near = {}
    return ChargeAnswer(True, False, ("TAC-CHG-5",), near)


def charge_refusals(
    position: BattlePosition, figure: BoardFigure, target: BoardFigure
) -> tuple[str, ...]:
    """The rules that forbid to declare a charge."""
    found = []
    if engaged_with(position, figure):
        found.append("TAC-CHG-2")
    if not sees(position, figure, target).clear:  # at declaration: TAC-OR-32
        found.append("TAC-LOS-8")
    if figure.melee is None:
        found.append("TAC-ATK-1")
    return tuple(found)


def shortest(position: BattlePosition, ends: dict[Cell, MoveTarget]) -> dict[Cell, MoveTarget]:
    """Only the nearest of these ends: a charge moves towards its target (TAC-CHG-4)."""
    if position.field.readings.charge_path == "any":  # TAC-OR-31
        return ends
    least = min(end.cost for end in ends.values())
    return {cell: end for cell, end in ends.items() if end.cost == least}


def gap(one: BoardFigure, two: BoardFigure) -> int:
    """The spaces between two figures, diagonals as 1, from their nearest spaces (TAC-OR-13)."""
    return gap_from(one, one.cell, two)


def gap_from(one: BoardFigure, cell: Cell, two: BoardFigure) -> int:
    """The same, as if the first figure stood on another space."""
    return BLOCK_DISTANCE(cell, one.size, two.cell, two.size)

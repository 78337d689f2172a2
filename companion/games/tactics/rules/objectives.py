"""Objectives and loot on the board: who controls and who may take them (TAC-OBJ, TAC-LOT)."""

from __future__ import annotations

from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.contact import reaches_element
from companion.games.tactics.rules.position import BattlePosition
from models.cell import Cell, cell_text

OBJECTIVE = "objective"
LOOT_MARKS = ("loot", "purse", "letter")
SHORT_RANGE = 3
"""The spaces of short range (TAC-GRD-5)."""


def marked(field: SquareField, *words: str) -> tuple[Cell, ...]:
    """The spaces with one of these marks, in order."""
    return tuple(
        sorted(cell for cell, marks in field.board.marks.items() if set(words) & set(marks))
    )


def controlled(position: BattlePosition, figure: BoardFigure) -> tuple[Cell, ...]:
    """The objectives that a figure stands on: it controls them (TAC-OBJ-3, TAC-OR-27)."""
    return tuple(cell for cell in marked(position.field, OBJECTIVE) if cell in figure.cells)


def takeable(position: BattlePosition, figure: BoardFigure) -> tuple[Cell, ...]:
    """The loot that a figure is in contact with (TAC-LOT-2)."""
    loot = marked(position.field, *LOOT_MARKS)
    return tuple(cell for cell in loot if reaches_loot(position, figure, cell))


def reaches_loot(position: BattlePosition, figure: BoardFigure, cell: Cell) -> bool:
    """Whether a figure is in contact with a loot token on a space (TAC-LOT-2, TAC-OR-26)."""
    if position.field.readings.loot_contact == "on":
        return cell in figure.cells
    return reaches_element(position, figure, cell)


def board_problems(field: SquareField) -> list[tuple[str, str]]:
    """What is wrong with a board, as a rule and the space: objectives lie on OPEN-O (TAC-OBJ-2)."""
    return [
        ("TAC-OBJ-2", cell_text(cell))
        for cell in marked(field, OBJECTIVE)
        if cell not in field.open or cell in field.crosses
    ]

"""What is wrong with a table of squares: the answers take it as the faults say."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.shared.table_fault import TableFault, unknown_marks
from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.readings import reason
from companion.games.tactics.rules.space_effects import (
    EFFECTS,
    LOOT_MARKS,
    OBJECTIVE,
    marked,
)
from models.board import Board, cell_text
from models.message import joined, say

ZONES = ("zone-gold", "zone-silver")
MARKS = (*EFFECTS, *LOOT_MARKS, OBJECTIVE, *ZONES)
SIGNS = "!?"
"""How the marks begin that a figure interacts with."""
EDGES = ("wall", "door", "locked-door", "window")
KINDS_OF_SPACE = ("open-o", "open-x", "blocked-o", "blocked-x")


def table_faults(position: BattlePosition) -> Iterator[TableFault]:
    """Everything that the rules do not know or allow."""
    yield from board_faults(position.field)
    for figure in position.figures:
        yield from wound_faults(figure)


def board_faults(field: SquareField) -> Iterator[TableFault]:
    """The same of the battlefield itself."""
    yield from ground_faults(field.board)
    yield from unknown_marks(field.board, MARKS, SIGNS)
    for cell in marked(field, OBJECTIVE):
        if cell not in field.open or cell in field.sight_crosses:
            place = f"board: marks: {cell_text(cell)}"
            yield TableFault(place, reason("TAC-OBJ-2"), "TAC-OBJ-2", cell)
    yield from edge_faults(field.board)


def ground_faults(board: Board) -> Iterator[TableFault]:
    """Spaces that are of two kinds at once (TAC-SPC-1)."""
    for cell, words in board.ground.items():
        kinds = [word for word in dict.fromkeys(words) if word in KINDS_OF_SPACE]
        if len(kinds) > 1:
            text = say("one space is of several kinds: {words}", words=joined(kinds))
            yield TableFault(f"board: ground: {cell_text(cell)}", text, "TAC-SPC-1", cell)


def edge_faults(board: Board) -> Iterator[TableFault]:
    """Edges of a kind that the rules do not know."""
    for one in board.borders:
        if one.kind not in EDGES:
            told = (
                say("the rules know no edge {word!r}: it counts as a gap", word=one.kind)
                if one.open
                else say("the rules know no edge {word!r}: it counts as a wall", word=one.kind)
            )
            yield TableFault(f"board: edges: {'/'.join(map(cell_text, one.edge))}", told)


def wound_faults(figure: BoardFigure) -> Iterator[TableFault]:
    """Figures on the board whose wounds have killed them."""
    if figure.health is not None and figure.wounds >= figure.health:
        text = say(
            "{figure} is dead: wounds {wounds}, Health {health}",
            figure=figure.name,
            wounds=figure.wounds,
            health=figure.health,
        )
        yield TableFault(f"pieces: {figure.id}: wounds", text, "TAC-STA-6")

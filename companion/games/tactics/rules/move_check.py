"""Which actions explain that a figure stands somewhere else than before: `companion check`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.shared.board_report import merged_checks
from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.contact import engaged_with
from companion.games.tactics.rules.movement import (
    MoveOptions,
    charge_answer,
    gap,
    move_ends,
    move_spaces,
)
from companion.games.tactics.rules.position import (
    BattlePosition,
    BoardFigure,
    candidates,
    placements,
)
from companion.games.tactics.rules.readings import TacticsReadings
from models.board import Cell
from models.board_table import BoardTable


@dataclass(frozen=True, slots=True)
class CheckedAction:
    """Whether an action explains a move: the rules against it, and the spaces too many."""

    why: tuple[str, ...] = ()
    cost: int | None = None
    over: int = 0
    target: str = ""

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {"answer": "no" if self.why else "yes", "why": list(self.why)}
        for key in ("cost", "target"):
            if value := getattr(self, key):
                text[key] = value
        return {**text, "over": self.over} if self.over else text


def check_move(
    before: BoardTable, after: BoardTable, figure_id: str, readings: TacticsReadings
) -> dict[str, dict[str, Any]]:
    """The answer for each action; `unsure` where the spaces the figure may stand on disagree."""
    starts = placements(before, SquareField.of(before.board, readings))
    ends = candidates(SquareField.of(after.board, readings), after.piece(figure_id))
    return merged_checks(
        (start.chance * chance, checked_actions(start.position, figure_id, cell))
        for start in starts
        for cell, chance in ends
    )


def checked_actions(
    position: BattlePosition, figure_id: str, cell: Cell
) -> dict[str, dict[str, Any]]:
    """Every action that moves a figure, asked whether it ends on this space."""
    figure = position.by_id[figure_id]
    return {
        "move": checked_move(position, figure, cell).to_json(),
        "double_move": checked_double(position, figure, cell).to_json(),
        "charge": checked_charge(position, figure, cell).to_json(),
    }


def checked_move(position: BattlePosition, figure: BoardFigure, cell: Cell) -> CheckedAction:
    """A `MOVE 1`."""
    if cell == figure.cell:
        return CheckedAction(("TAC-MOV-1",))
    ends = move_ends(position, figure)
    if cell in ends:
        return CheckedAction(cost=ends[cell].cost)
    if barred := position.fits(figure, cell):
        return CheckedAction((barred,))
    spaces = move_spaces(position, figure, MoveOptions())
    free = move_ends(position, figure, MoveOptions(len(position.field.open), unstoppable=True))
    wide = {**free}
    if engaged_with(position, figure):
        forced = MoveOptions(len(position.field.open), forced=True)
        wide = move_ends(position, figure, forced)
    if cell not in wide:
        return CheckedAction(("TAC-MOV-2",))
    over = wide[cell].cost - spaces
    if over > 0:
        rule = "TAC-MOV-7" if engaged_with(position, figure) else "TAC-MOV-1"
        far = wide[cell].cost  # a wall lies between, or a figure
        return CheckedAction((rule,), far if far > apart(figure.cell, cell) else None, over)
    return CheckedAction(("TAC-MOV-6",))


def apart(one: Cell, other: Cell) -> int:
    """How many steps two spaces are apart where nothing lies between."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def checked_double(position: BattlePosition, figure: BoardFigure, cell: Cell) -> CheckedAction:
    """Two Moves of one activation: after the first, the normal rules hold again (TAC-MOV-8)."""
    first = move_ends(position, figure)
    best: int | None = None
    for between, end in first.items():
        moved = BattlePosition(
            position.field,
            tuple(one.at(between) if one.id == figure.id else one for one in position.figures),
            position.teams,
        )
        second = move_ends(moved, figure.at(between))
        if cell in second:
            total = end.cost + second[cell].cost
            best = total if best is None else min(best, total)
    if best is not None:
        return CheckedAction(cost=best)
    most = move_spaces(position, figure, MoveOptions()) + figure.spaces
    free = move_ends(position, figure, MoveOptions(len(position.field.open), forced=True))
    far = free[cell].cost if cell in free and cell != figure.cell else 0
    return CheckedAction(("TAC-MOV-1",), over=max(0, far - most))


def checked_charge(position: BattlePosition, figure: BoardFigure, cell: Cell) -> CheckedAction:
    """A charge against any enemy."""
    enemies = sorted(position.enemies(figure), key=lambda one: gap(figure.at(cell), one))
    reasons: tuple[str, ...] = ()
    for enemy in enemies:
        answer = charge_answer(position, figure, enemy)
        if cell in answer.ends:
            return CheckedAction(cost=answer.ends[cell].cost, target=enemy.id)
        reasons = reasons or (("TAC-CHG-4",) if answer.declare else answer.why)
    return CheckedAction(reasons or ("TAC-CHG-3",))

"""Which moves explain that a unit stands somewhere else than before: `companion check`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.shared.board_report import merged_checks
from companion.games.westeros.cards.catalogue import every_card
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.movement import (
    entry_refusal,
    follow_ends,
    follow_hexes,
    free_steps,
    move_ends,
    ordered_ends,
    straight_ends,
)
from companion.games.westeros.rules.position import BoardUnit, HexPosition, candidates, placements
from companion.games.westeros.rules.readings import WesterosReadings
from models.board import Cell
from models.board_table import BoardTable

MOST_OVER = 6
"""So many hexes too many are told exactly; beyond them the distance alone."""


@dataclass(frozen=True, slots=True)
class CheckedHexMove:
    """Whether a kind of move explains the new hex: the rules against it, and the hexes too many."""

    why: tuple[str, ...] = ()
    cost: int = 0
    over: int = 0
    disengages: bool = False

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {"answer": "no" if self.why else "yes", "why": list(self.why)}
        for key in ("cost", "over", "disengages"):
            if value := getattr(self, key):
                text[key] = value
        return text


def check_move(
    before: BoardTable, after: BoardTable, unit_id: str, readings: WesterosReadings
) -> dict[str, dict[str, Any]]:
    """The answer for each kind of move; `unsure` where the possible hexes disagree."""
    starts = placements(before, HexField.of(before.board, readings), every_card())
    before.piece(unit_id)
    ends = candidates(HexField.of(after.board, readings), after.piece(unit_id))
    return merged_checks(
        (start.chance * chance, checked_moves(start.position, unit_id, cell))
        for start in starts
        for cell, chance in ends
    )


def checked_moves(position: HexPosition, unit_id: str, cell: Cell) -> dict[str, dict[str, Any]]:
    """Every kind of move, asked whether it ends on this hex."""
    unit = position.by_id[unit_id]
    return {
        "move": checked_order(position, unit, cell).to_json(),
        "retreat": checked_retreat(position, unit, cell).to_json(),
        "follow": checked_follow(position, unit, cell).to_json(),
    }


def checked_order(position: HexPosition, unit: BoardUnit, cell: Cell) -> CheckedHexMove:
    """An ordered move (BOW-MOV-1, BOW-MOV-2); an engaged unit disengages by it (BOW-MOV-7)."""
    if cell == unit.cell:
        return CheckedHexMove(("BOW-MOV-1",))
    ends = ordered_ends(position, unit)
    engaged = position.opponent(unit) is not None
    if cell in ends:
        return CheckedHexMove(cost=ends[cell].cost, disengages=engaged)
    if unit.cell in position.field.fire:
        return CheckedHexMove(("BOW-FIR-12",))
    if barred := entry_refusal(position, cell):
        return CheckedHexMove((barred,))
    for more in range(1, MOST_OVER + 1):
        if cell in move_ends(position, unit, unit.row.longest + more):
            return CheckedHexMove(("BOW-MOV-2",), over=more)
    over = position.field.distance(unit.cell, cell) - unit.row.longest
    return CheckedHexMove(("BOW-MOV-2",), over=over) if over > 0 else CheckedHexMove(("BOW-TER-6",))


def checked_retreat(position: HexPosition, unit: BoardUnit, cell: Cell) -> CheckedHexMove:
    """A retreat of any number of hexes (BOW-RET-2)."""
    if position.field.readings.retreat_path == "straight":  # BOW-OR-11
        for steps, end in straight_ends(position, unit):
            if cell == end:
                return CheckedHexMove(cost=steps)
        return CheckedHexMove(("BOW-RET-2",))
    ends, steps = {unit.cell}, 0
    while ends:
        ends = {there for here in ends for there in free_steps(position, unit, here)}
        steps += 1
        if cell in ends:
            return CheckedHexMove(cost=steps)
    return CheckedHexMove(("BOW-RET-2",))


def checked_follow(position: HexPosition, unit: BoardUnit, cell: Cell) -> CheckedHexMove:
    """Advance or Pursue after an adjacent enemy has left its hex (BOW-KEY-1, BOW-KEY-12)."""
    if not follow_hexes(unit):
        return CheckedHexMove(("BOW-KEY-1",))
    for enemy in position.enemies(unit):
        if position.field.distance(unit.cell, enemy.cell) == 1:
            ends = follow_ends(position.without(enemy.id), unit, enemy.cell)
            if cell in ends:
                return CheckedHexMove(cost=ends[cell].cost)
    return CheckedHexMove(("BOW-KEY-1",))

"""Advance and Pursue: the attacker follows onto the hex that its target left (BOW-KEY)."""

from __future__ import annotations

from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.movement import (
    HexMoveEnd,
    after_entering,
    entry_refusal,
    move_ends,
)
from companion.games.westeros.rules.position import HexPosition
from models.cell import Cell

ADVANCE = 1
"""Advance reaches the target's former hex (BOW-KEY-1)."""
ROAD_HEX = 1
"""What roads add to Advance and Pursue (BOW-TER-19)."""


def follow_hexes(unit: BoardUnit) -> int:
    """How far a unit may follow: Pursue X, Advance, or not at all (BOW-KEY-1, BOW-KEY-12)."""
    if unit.has("pursue"):
        return unit.keywords["pursue"]
    return ADVANCE if unit.has("advance") else 0


def follow_refusal(position: HexPosition, unit: BoardUnit, former: Cell) -> str:
    """The rule by which a unit may not follow onto the target's former hex; "" if it may."""
    field = position.field
    if not follow_hexes(unit):
        return "BOW-KEY-1"
    if former in position.occupied:  # the target is still there (BOW-OR-20)
        return "BOW-KEY-1"
    if unit.cell in field.fire:
        return "BOW-FIR-12"
    if field.at(former).bridge:
        return "BOW-TER-21"
    if field.readings.pursuit_bridge == "neither" and field.at(unit.cell).bridge:  # BOW-OR-42
        return "BOW-TER-21"
    return entry_refusal(position, former)


def follow_ends(position: HexPosition, unit: BoardUnit, former: Cell) -> dict[Cell, HexMoveEnd]:
    """Where Advance or Pursue may end: the former hex first, then by the rules of movement.

    Bridges are never entered (BOW-TER-21); terrain stops it, unless read otherwise (BOW-OR-21); on
    roads alone it goes 1 hex further (BOW-TER-19).
    """
    if follow_refusal(position, unit, former):
        return {}
    field, hexes = position.field, follow_hexes(unit)
    ends = {former: HexMoveEnd(1, (unit.cell, former))}

    def bridge(cell: Cell) -> bool:
        return field.at(cell).bridge

    def off_road(cell: Cell) -> bool:
        return bridge(cell) or not field.at(cell).road

    slowed = field.readings.pursuit_terrain == "stops"
    left = after_entering(position, unit, former, hexes) if slowed else hexes - 1
    plain = move_ends(position, unit, left, False, former, bridge, slowed)
    by_road = {}
    if field.at(former).road and not field.at(former).stops:
        by_road = move_ends(position, unit, left + ROAD_HEX, False, former, off_road, slowed)
    for found in (plain, by_road):
        for cell, end in found.items():
            if cell != unit.cell and cell not in ends:
                ends[cell] = HexMoveEnd(end.cost + 1, (unit.cell, *end.way))
    return ends

"""Retreats: step by step towards the owner's board edge (BOW-RET)."""

from __future__ import annotations

from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.movement import entry_refusal
from companion.games.westeros.rules.position import HexPosition
from companion.geometry.grid.hexagon import around
from models.cell import Cell

DIRECTIONS = 6


def free_steps(position: HexPosition, unit: BoardUnit, cell: Cell) -> tuple[Cell, ...]:
    """The hexes that one step of a retreat from a hex may enter (BOW-RET-2 to BOW-RET-5).

    Terrain is ignored unless it is impassable; nobody enters or leaves a burning hex (BOW-OR-27),
    and the board may not be left. The unit itself does not stand in its own way.
    """
    field = position.field
    if cell in field.fire:
        return ()
    others = position.without(unit.id)
    facing = field.towards(position.edge(unit.side), cell)
    return tuple(one for one in facing if not entry_refusal(others, one))


def retreat_room(position: HexPosition, unit: BoardUnit, steps: int, at: Cell | None = None) -> int:
    """How many of so many hexes a unit can retreat at most (BOW-RET-6)."""
    ends = {unit.cell if at is None else at}
    for done in range(steps):
        ends = {there for here in ends for there in free_steps(position, unit, here)}
        if not ends:
            return done
    return steps


def retreat_cells(position: HexPosition, unit: BoardUnit, steps: int = 1) -> tuple[Cell, ...]:
    """The hexes of the next step of a retreat of so many hexes.

    The owner chooses for every step anew (BOW-OR-11), but the unit retreats as far as it can
    (BOW-RET-6).
    """
    room = retreat_room(position, unit, steps)
    return tuple(
        cell
        for cell in free_steps(position, unit, unit.cell)
        if retreat_room(position, unit, steps - 1, cell) >= room - 1
    )


def directional_cells(
    position: HexPosition, unit: BoardUnit, origin: Cell, attacker: Cell
) -> tuple[Cell, ...]:
    """The next hex of a retreat away from a melee attacker, one direction throughout (BOW-OR-40).

    If the first hex away from the attacker is closed, the retreat goes to the neighbouring one
    that lies nearer to the owner's edge. `origin` is where the unit was attacked.
    """
    field, others = position.field, position.without(unit.id)
    if unit.cell in field.fire:
        return ()
    away = around(attacker).index(origin)
    beside = [(away + turn) % DIRECTIONS for turn in (1, -1)]
    facing = field.towards(position.edge(unit.side), origin)
    nearer = [way for way in beside if around(origin)[way] in facing] or beside
    if unit.cell == origin:
        ways = [away, *nearer]
        way = next((one for one in ways if not entry_refusal(others, around(origin)[one])), away)
    else:
        way = next(one for one in range(DIRECTIONS) if unit.cell in line_from(origin, one, field))
    there = around(unit.cell)[way]
    return () if entry_refusal(others, there) else (there,)


def line_from(origin: Cell, way: int, field: HexField) -> list[Cell]:
    """The hexes of the field in one direction."""
    found, here = [], around(origin)[way]
    while here in field.cells:
        found.append(here)
        here = around(here)[way]
    return found


def directional_room(position: HexPosition, unit: BoardUnit, attacker: Cell, steps: int) -> int:
    """How many of so many hexes a unit can retreat away from a melee attacker."""
    here, origin = unit, unit.cell
    for done in range(steps):
        cells = directional_cells(position.moved(unit, here.cell), here, origin, attacker)
        if not cells:
            return done
        here = here.at(cells[0])
    return steps

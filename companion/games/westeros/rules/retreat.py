"""Retreats: step by step towards the owner's board edge (BOW-RET)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.movement import entry_refusal
from companion.games.westeros.rules.position import HexPosition
from companion.geometry.grid.hexagon import around
from models.cell import Cell

DIRECTIONS = 6
MOST_STEPS = 60
"""More hexes than any board has in a row."""


def free_steps(position: HexPosition, unit: BoardUnit, cell: Cell) -> tuple[Cell, ...]:
    """The hexes that one step of a retreat from a hex may enter (BOW-RET-2 to BOW-RET-5).

    Terrain is ignored unless it is impassable; nobody enters or leaves a burning hex, unless read
    otherwise (BOW-OR-27), and the board may not be left. The unit itself does not stand in its own
    way.
    """
    facing = position.field.towards(position.edge(unit.side), cell)
    return tuple(one for one in facing if open_step(position, unit, cell, one))


def open_step(position: HexPosition, unit: BoardUnit, cell: Cell, there: Cell) -> bool:
    """Whether a retreating unit can go from one hex to the next."""
    why = entry_refusal(position.without(unit.id), there)
    if position.field.readings.fire_retreat == "free":
        return why in ("", "BOW-FIR-11")
    return not why and cell not in position.field.fire


def retreat_room(position: HexPosition, unit: BoardUnit, steps: int, at: Cell | None = None) -> int:
    """How many of so many hexes a unit can retreat at most (BOW-RET-6)."""
    ends = {unit.cell if at is None else at}
    for done in range(steps):
        ends = {there for here in ends for there in free_steps(position, unit, here)}
        if not ends:
            return done
    return steps


def straight_room(position: HexPosition, unit: BoardUnit, way: int, steps: int) -> int:
    """How many of so many hexes a unit can retreat in one direction."""
    here = unit.cell
    for done in range(steps):
        there = around(here)[way]
        if not open_step(position, unit, here, there):
            return done
        here = there
    return steps


def next_straight_hexes(
    position: HexPosition, unit: BoardUnit, steps: int, origin: Cell
) -> tuple[Cell, ...]:
    """The next hexes of a retreat that keeps the direction of its first step (BOW-OR-11)."""
    if unit.cell != origin:
        way = way_from(position.field, origin, unit.cell)
        return (around(unit.cell)[way],) if straight_room(position, unit, way, 1) else ()
    rooms = straight_rooms(position, unit, steps)
    room = max(rooms.values(), default=0)
    return tuple(around(unit.cell)[way] for way, one in rooms.items() if one == room > 0)


def straight_rooms(position: HexPosition, unit: BoardUnit, steps: int) -> dict[int, int]:
    """How far a unit can retreat in each direction that faces its edge."""
    facing = position.field.towards(position.edge(unit.side), unit.cell)
    near = around(unit.cell)
    return {
        near.index(one): straight_room(position, unit, near.index(one), steps) for one in facing
    }


def straight_ends(position: HexPosition, unit: BoardUnit) -> Iterator[tuple[int, Cell]]:
    """Every hex in which a retreat in one direction may end, with its number of hexes."""
    for way, room in straight_rooms(position, unit, MOST_STEPS).items():
        here = unit.cell
        for step in range(1, room + 1):
            here = around(here)[way]
            yield step, here


def best_room(position: HexPosition, unit: BoardUnit, steps: int) -> int:
    """How many of so many hexes a unit can retreat at most, by the reading of its path."""
    if position.field.readings.retreat_path == "straight":
        return max(straight_rooms(position, unit, steps).values(), default=0)
    return retreat_room(position, unit, steps)


def retreat_cells(
    position: HexPosition, unit: BoardUnit, steps: int = 1, origin: Cell | None = None
) -> tuple[Cell, ...]:
    """The hexes of the next step of a retreat of so many hexes.

    The owner chooses for every step anew, or only for the first (BOW-OR-11), but the unit retreats
    as far as it can (BOW-RET-6). `origin` is where the retreat began.
    """
    if position.field.readings.retreat_path == "straight":
        return next_straight_hexes(position, unit, steps, unit.cell if origin is None else origin)
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
    field = position.field
    away = around(attacker).index(origin)
    beside = [(away + turn) % DIRECTIONS for turn in (1, -1)]
    facing = field.towards(position.edge(unit.side), origin)
    nearer = [way for way in beside if around(origin)[way] in facing] or beside
    if unit.cell == origin:
        ways = [away, *nearer]
        way = next((one for one in ways if straight_room(position, unit, one, 1)), away)
    else:
        way = way_from(field, origin, unit.cell)
    return (around(unit.cell)[way],) if straight_room(position, unit, way, 1) else ()


def way_from(field: HexField, origin: Cell, cell: Cell) -> int:
    """The direction in which a hex lies from another on a straight line of hexes."""
    return next(one for one in range(DIRECTIONS) if cell in line_from(origin, one, field))


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

"""How units change hexes: ordered moves, retreats and pursuit (BOW-MOV, BOW-RET, BOW-KEY)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from companion.geometry.grid.grids import around, reach
from models.board import Cell

Stage = tuple[Cell, int, bool]
"""A hex on the way, the hexes that are left of the move, and whether it was all road so far."""


@dataclass(frozen=True, slots=True)
class HexMoveEnd:
    """A hex in which a move may end: what it costs, the way, and whether it may attack then."""

    cost: int
    way: tuple[Cell, ...]
    attack: bool = True


def entry_refusal(position: HexPosition, cell: Cell, unit: str = "") -> str:
    """The rule that forbids a unit to enter a hex; "" if it may. It is not in its own way."""
    if cell in position.enterable:
        return ""
    field = position.field
    if cell not in field.cells:
        return "BOW-MOV-3"  # nor may it leave the field (BOW-MOV-4)
    if cell in position.occupied and position.occupied[cell].id != unit:
        return "BOW-MOV-5"
    if field.at(cell).impassable:
        return "BOW-MOV-6"
    return "BOW-FIR-11" if cell in field.fire else ""


def stops(position: HexPosition, unit: BoardUnit, cell: Cell) -> bool:
    """Whether a unit must stop on entering a hex (BOW-TER-6, BOW-TER-12, BOW-TER-30)."""
    terrain = position.field.at(cell)
    on_foot: tuple[str, ...] = ("foot",)
    if position.field.readings.ranged_ford == "stop":  # BOW-OR-22
        on_foot = ("foot", "ranged")
    return terrain.stops or (terrain.word == "ford" and unit.kind in on_foot)


def after_entering(position: HexPosition, unit: BoardUnit, cell: Cell, left: int) -> int:
    """What is left of a move after entering a hex with so many hexes left.

    A ford takes 1 more of what is left of a cavalry move, never below 0 (BOW-TER-31, BOW-OR-23).
    """
    left = max(0, left - 1)
    if stops(position, unit, cell):
        return 0
    if position.field.at(cell).word == "ford" and unit.kind == "cavalry":
        return max(0, left - 1)
    return left


def ford_too_dear(position: HexPosition, unit: BoardUnit, cell: Cell, left: int) -> bool:
    """Whether a ford costs cavalry 2 hexes that it does not have left, if so read (BOW-OR-23)."""
    slowed = position.field.at(cell).word == "ford" and unit.kind == "cavalry"
    return slowed and left < 2 and position.field.readings.cavalry_ford == "two"


def move_ends(
    position: HexPosition,
    unit: BoardUnit,
    hexes: int,
    bonus: bool = True,
    start: Cell | None = None,
    barred: Callable[[Cell], bool] = lambda cell: False,
    ground: bool = True,
) -> dict[Cell, HexMoveEnd]:
    """Every hex in which a move of so many hexes may end (BOW-MOV-2, BOW-MOV-5, BOW-MOV-6).

    A move that was all on roads may go 1 hex further, onto any ground (BOW-TER-16). Enemies beside
    the way do not matter (BOW-MOV-8). Without `ground` no terrain stops or slows it.
    """
    field = position.field
    begin = unit.cell if start is None else start
    if begin in field.fire or hexes < 1:  # BOW-FIR-12
        return {}

    def steps(stage: Stage) -> list[tuple[Stage, int]]:
        cell, left, road = stage
        extra = left == 0 and road and bonus
        if left < 1 and not extra:
            return []
        found = []
        for there in field.neighbours(cell):
            if there not in position.enterable or barred(there):
                continue
            if ground and ford_too_dear(position, unit, there, left):
                continue
            if extra:
                found.append(((there, -1, False), 1))
                continue
            rest = after_entering(position, unit, there, left) if ground else left - 1
            halted = ground and stops(position, unit, there)
            on_road = road and field.at(there).road and not halted
            found.append(((there, rest, on_road), 1 if halted else left - rest))
        return found

    paths = reach((begin, hexes, True), hexes + 1, steps)
    ends: dict[Cell, HexMoveEnd] = {}
    for stage, cost in sorted(paths.cost.items(), key=lambda one: one[1]):
        if stage[0] != begin and stage[0] not in ends:
            way = tuple(one[0] for one in paths.way(stage))
            ends[stage[0]] = HexMoveEnd(cost, way)
    return ends


def ordered_ends(
    position: HexPosition, unit: BoardUnit, attack: bool = False
) -> dict[Cell, HexMoveEnd]:
    """Where an ordered move may end by the options of the unit's row (BOW-OPT-1).

    If `attack`, only by options after which it may attack. The road bonus counts for every option,
    or for those without an attack only (BOW-OR-24).
    """
    plain_only = position.field.readings.road_bonus == "plain-move"
    found: dict[Cell, HexMoveEnd] = {}
    for option in sorted(unit.row.options, key=lambda one: not one.attack):
        if option.attack or not attack:
            ends = move_ends(position, unit, option.hexes, not (option.attack and plain_only))
            for cell, end in ends.items():
                found.setdefault(cell, HexMoveEnd(end.cost, end.way, option.attack))
    return found


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
    why = entry_refusal(position, there, unit.id)
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
    free = position.without(unit.id)  # it may come back onto its own hex (BOW-KEY-12)
    plain = move_ends(free, unit, left, False, former, bridge, slowed)
    by_road = {}
    if field.at(former).road and not field.at(former).stops:
        by_road = move_ends(free, unit, left + ROAD_HEX, False, former, off_road, slowed)
    for found in (plain, by_road):
        for cell, end in found.items():
            if cell not in ends:
                ends[cell] = HexMoveEnd(end.cost + 1, (unit.cell, *end.way))
    return ends

"""Ordered moves: hex to adjacent hex, with stops, roads and fords (BOW-MOV, BOW-TER)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.position import HexPosition
from companion.geometry.grid.reach import reach
from models.cell import Cell

Stage = tuple[Cell, int, bool]
"""A hex on the way, the hexes that are left of the move, and whether it was all road so far."""


@dataclass(frozen=True, slots=True)
class HexMoveEnd:
    """A hex in which a move may end: what it costs, the way, and whether it may attack then."""

    cost: int
    way: tuple[Cell, ...]
    attack: bool = True


def entry_refusal(position: HexPosition, cell: Cell) -> str:
    """The rule that forbids a unit to enter a hex; "" if it may."""
    field = position.field
    if cell not in field.cells:
        return "BOW-MOV-3"  # nor may it leave the field (BOW-MOV-4)
    if cell in position.occupied:
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
            if entry_refusal(position, there) or barred(there):
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

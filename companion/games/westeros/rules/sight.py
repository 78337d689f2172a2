"""Range and line of sight from hex centre to hex centre, exact (BOW-LOS).

A line that runs along hex edges is shifted to either side as a whole; only if both shifted lines
are blocked is there no line of sight (BOW-LOS-6, BOW-OR-3). A hex blocks only where the line has a
stretch inside it (BOW-OR-7), and neither end blocks (BOW-OR-4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.position import HexPosition
from companion.geometry.grid.hexagon import centre, line_from_row
from companion.geometry.grid.line import side
from models.cell import Cell

BLOCKED, BOTH_SIDES, RIVER = "BOW-LOS-5", "BOW-LOS-6", "BOW-LOS-10"
RIVERS = ("river", "forest-river")


@dataclass(frozen=True, slots=True)
class HexSight:
    """Whether a unit sees a hex; else the rules against it and the hexes that block."""

    rules: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()

    @property
    def clear(self) -> bool:
        return not self.rules


CLEAR = HexSight()


@dataclass(frozen=True, slots=True)
class LineHexes:
    """The hexes of a line relative to its first one: those inside it, and beside its edges."""

    between: tuple[Cell, ...]
    sides: tuple[tuple[Cell, Cell], ...] = ()
    """For each edge that the line runs along: the hex on its left and the hex on its right."""


@cache
def line_hexes(odd: int, columns: int, rows: int) -> LineHexes:
    """The line from row 0 or 1 (`odd`) to a hex so many columns and rows away."""
    line = line_from_row(odd, columns, rows)
    start, end = centre((0, odd)), centre((columns, odd + rows))
    pairs = []
    for one, two in line.along:
        left_first = side(start, end, centre(one)) > 0
        pairs.append((one, two) if left_first else (two, one))
    return LineHexes(line.cells[1:-1], tuple(pairs))


def line_between(start: Cell, end: Cell) -> LineHexes:
    """The line between two hexes of a board."""
    odd = start[1] & 1
    line = line_hexes(odd, end[0] - start[0], end[1] - start[1])
    columns, rows = start[0], start[1] - odd

    def moved(cell: Cell) -> Cell:
        return cell[0] + columns, cell[1] + rows

    between = tuple(map(moved, line.between))
    return LineHexes(between, tuple((moved(a), moved(b)) for a, b in line.sides))


def sight(
    position: HexPosition, unit: BoardUnit, target: BoardUnit, hounds: bool = False
) -> HexSight:
    """Whether a unit has a line of sight to another for an attack or for its war hounds."""
    if position.field.distance(unit.cell, target.cell) <= 1:
        return CLEAR  # BOW-LOS-7
    line = line_between(unit.cell, target.cell)

    def blockers(cells: Iterable[Cell]) -> list[tuple[str, Cell]]:
        found = ((blocks(position, unit, cell, hounds), cell) for cell in cells)
        return [(rule, cell) for rule, cell in found if rule]

    inside = blockers(line.between)
    if inside:
        return blocked_by(inside)
    left = blockers(cell for cell, _ in line.sides)
    right = blockers(cell for _, cell in line.sides)
    if position.field.readings.edge_lines == "either":  # BOW-OR-3
        closed = [
            (rule, cell)
            for pair in line.sides
            if len(both := blockers(pair)) == 2
            for rule, cell in both
        ]
        return blocked_by(closed, BOTH_SIDES) if closed else CLEAR
    if left and right:
        return blocked_by(left + right, BOTH_SIDES)
    return CLEAR


def blocked_by(found: list[tuple[str, Cell]], *more: str) -> HexSight:
    """The answer for a blocked line."""
    rules = sorted({*more, *(rule for rule, _ in found)})
    return HexSight(tuple(rules), tuple(sorted({cell for _, cell in found})))


def blocks(position: HexPosition, unit: BoardUnit, cell: Cell, hounds: bool) -> str:
    """The rule by which a hex blocks a unit's line of sight; "" if it does not.

    Half hexes and everything else beyond the rim hold nothing, unless a line over them is read as
    leaving the field (BOW-OR-5); fire does not block (BOW-FIR-16).
    """
    field = position.field
    if cell not in field.cells:
        leaves = cell not in field.grid and field.readings.rim_lines == "closed"
        return BLOCKED if leaves else ""
    terrain, on_hill = field.at(cell), field.at(unit.cell).word == "hill"
    if hounds and terrain.word in RIVERS:
        return RIVER
    if terrain.blocks_sight:
        over = field.readings.archers_on_hills == "units-and-hills"  # BOW-OR-6
        if not (over and on_hill and unit.ranged and terrain.word == "hill"):
            return BLOCKED
    other = position.occupied.get(cell)
    if other is None or (unit.ranged and on_hill and not hounds):  # BOW-LOS-8
        return ""
    return "" if hounds and other.side == unit.side else BLOCKED  # BOW-LOS-9

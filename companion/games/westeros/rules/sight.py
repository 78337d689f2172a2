"""Range and line of sight from hex centre to hex centre, exact (BOW-LOS).

A line that runs along hex edges is shifted to either side as a whole; only if both shifted lines
are blocked is there no line of sight (BOW-LOS-6, BOW-OR-3). A hex blocks only where the line has a
stretch inside it (BOW-OR-7), and neither end blocks (BOW-OR-4).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from companion.games.westeros.rules.hex_field import CLEAR, HexSight
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from companion.geometry.grid.grids import axial, hex_centre, line_from_row, side
from models.board import Cell

BLOCKED, BOTH_SIDES, RIVER = "BOW-LOS-5", "BOW-LOS-6", "BOW-LOS-10"
RIVERS = ("river", "forest-river")


@dataclass(frozen=True, slots=True)
class LineHexes:
    """The hexes of a line relative to its first one: those inside it, and beside its edges."""

    between: tuple[Cell, ...]
    """In the order of their columns."""
    sides: tuple[tuple[Cell, Cell], ...] = ()
    """For each edge that the line runs along: the hex on its left and the hex on its right."""


Axial = tuple[int, int]
"""A step in axial coordinates: two axes 60° apart."""
SECTOR = 6


@cache
def sector_line(q: int, r: int) -> LineHexes:
    """The line from the origin to an axial step with q ≥ r ≥ 0, in axial steps."""
    end = offset((q, r))
    line = line_from_row(0, end[0], end[1])
    start, far = hex_centre((0, 0)), hex_centre(end)
    pairs = []
    for one, two in line.along:
        left_first = side(start, far, hex_centre(one)) > 0
        ordered = (one, two) if left_first else (two, one)
        pairs.append((axial(ordered[0]), axial(ordered[1])))
    return LineHexes(tuple(map(axial, line.cells[1:-1])), tuple(pairs))


def offset(step: Axial) -> Cell:
    """The cell at an axial step from cell (0, 0)."""
    return step[0] + (step[1] - (step[1] & 1)) // 2, step[1]


def turned(step: Axial, turns: int, mirrored: bool) -> Axial:
    """An axial step turned by 60° so many times, and then mirrored."""
    q, r = step
    for _ in range(turns % SECTOR):
        q, r = -r, q + r
    return (r, q) if mirrored else (q, r)


def turned_back(step: Axial, turns: int, mirrored: bool) -> Axial:
    """The step that `turned` makes into this one."""
    return turned((step[1], step[0]) if mirrored else step, SECTOR - turns, mirrored=False)


@cache
def line_steps(q: int, r: int) -> LineHexes:
    """The line to any axial step: one of a twelfth of the plane, turned and mirrored.

    Lines are the same in each twelfth, so few of them are traced. Mirroring swaps the sides.
    """
    for turns in range(SECTOR):
        for mirrored in (False, True):
            first, second = turned((q, r), turns, mirrored)
            if first >= second >= 0:
                line = sector_line(first, second)
                sides = []
                for left, right in line.sides:
                    one = turned_back(left, turns, mirrored)
                    two = turned_back(right, turns, mirrored)
                    sides.append((two, one) if mirrored else (one, two))
                between = tuple(turned_back(cell, turns, mirrored) for cell in line.between)
                return LineHexes(between, tuple(sides))
    raise ValueError(f"no twelfth of the plane holds {(q, r)}")


@cache
def line_from(odd: int, columns: int, rows: int) -> LineHexes:
    """The line from column 0 of row 0 or 1 (`odd`) to a cell so many columns and rows away."""
    q, r = axial((0, odd))
    u, v = axial((columns, odd + rows))
    line = line_steps(u - q, v - r)

    def cell_of(step: Axial) -> Cell:
        return offset((step[0] + q, step[1] + r))

    between = tuple(sorted(map(cell_of, line.between)))
    return LineHexes(between, tuple((cell_of(a), cell_of(b)) for a, b in line.sides))


def sight(
    position: HexPosition, unit: BoardUnit, target: BoardUnit, hounds: bool = False
) -> HexSight:
    """Whether a unit has a line of sight to another for an attack or for its war hounds."""
    one, two = unit.cell, target.cell
    if hounds or not sees_plainly(position, unit):
        return line_sight(position, one, two, lambda cell: blocks(position, unit, cell, hounds))
    pair = (one, two) if one < two else (two, one)
    found = position.sights.get(pair)
    if found is None:
        found = line_sight(position, *pair, position.sight_blockers.get)
        position.sights[pair] = found
    return found


def line_sight(
    position: HexPosition, one: Cell, two: Cell, blocked: Callable[[Cell], str | None]
) -> HexSight:
    """What blocks the line between two hexes; `blocked` is the rule by which a hex does, if any."""
    if position.field.distance(one, two) <= 1:
        return CLEAR  # BOW-LOS-7
    column, row = one
    odd = row & 1
    line, down = line_from(odd, two[0] - column, two[1] - row), row - odd
    inside, rules = [], set()
    for c, r in line.between:
        cell = (column + c, down + r)
        if rule := blocked(cell):
            inside.append(cell)
            rules.add(rule)
    if inside:
        return HexSight(tuple(sorted(rules)), tuple(inside))
    sides = [((column + a, down + b), (column + c, down + d)) for (a, b), (c, d) in line.sides]
    left, right = (
        {pair[way]: rule for pair in sides if (rule := blocked(pair[way]))} for way in (0, 1)
    )
    closed = {**left, **right} if left and right else {}
    if position.field.readings.edge_lines == "either":  # BOW-OR-3
        both = [pair for pair in sides if pair[0] in left and pair[1] in right]
        closed = {cell: closed[cell] for pair in both for cell in pair}
    if not closed:
        return CLEAR
    return HexSight(tuple(sorted({BOTH_SIDES, *closed.values()})), tuple(sorted(closed)))


def sees_plainly(position: HexPosition, unit: BoardUnit) -> bool:
    """Whether the same hexes block its sight as everybody's: it shoots from no hill (BOW-LOS-8)."""
    from_hill = unit.ranged and position.field.at(unit.cell).word == "hill"
    return not from_hill and position.field.readings.rim_lines != "closed"


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

"""Line of sight from centre to centre, exact (TAC-LOS-1 to -7).

A line that passes exactly through a corner is blocked only if both ways round that corner are
(TAC-OR-5); the end of a wall counts as such a corner (TAC-TER-7).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.position import BattlePosition
from companion.games.tactics.rules.sight_result import CROSS, FIGURE, SEEN, WALL, SightResult
from companion.geometry.grid.lines import square_bits, square_line, squares_of
from models.board import Cell, Edge, edge


class SightBlocker(NamedTuple):
    """What blocks the way round a corner: the rule, and the space or the edge that does it."""

    rule: str
    cell: Cell | None = None
    wall: Edge | None = None


def line_sight(
    position: BattlePosition, one: Cell, two: Cell, own: Collection[Cell] = ()
) -> SightResult:
    """What blocks the line between two spaces; `own` are the spaces of its ends, if they are
    several (TAC-LOS-6, TAC-OR-6)."""
    field, line = position.field, square_line(one, two)
    between = line.between & ~square_bits(own)
    figures = position.standing & between
    crosses = field.crosses & between & ~figures
    walls = list[Edge]()
    if field.sight_walls:
        walls += [((c, r), (c + 1, r)) for c, r in squares_of(line.crossed & field.walls_right)]
        walls += [((c, r), (c, r + 1)) for c, r in squares_of(line.crossed_up & field.walls_above)]
    if line.corners and (field.sight_walls or line.flanks & (position.standing | field.crosses)):
        for column, row in squares_of(line.corners):
            flanks = (column + line.right, row), (column, row + 1)
            ends = (column, row), (flanks[0][0], row + 1)
            for rule, space, wall in corner_blockers(field, position.occupied, *ends, flanks, own):
                if wall:
                    walls.append(wall)
                elif space and rule == FIGURE:
                    figures |= square_bits([space])
                elif space:
                    crosses |= square_bits([space])
    if not (figures or crosses or walls):
        return SEEN
    return SightResult(figures, crosses, tuple(dict.fromkeys(walls)))


def corner_blockers(
    field: SquareField,
    occupied: Collection[Cell],
    before: Cell,
    after: Cell,
    flanks: tuple[Cell, Cell],
    own: Collection[Cell],
) -> list[SightBlocker]:
    """What blocks a line through a corner: nothing while one way round it is free (TAC-OR-5)."""
    if field.readings.squeezed_sight == "clear":  # TAC-OR-36
        occupied = ()
    found = []
    for flank in flanks:
        way = way_blocker(field, occupied, before, flank, after, own)
        if way is not None:
            found.append(way)
        elif field.readings.corners != "either":
            return []
    return found


def way_blocker(
    field: SquareField,
    occupied: Collection[Cell],
    before: Cell,
    flank: Cell,
    after: Cell,
    own: Collection[Cell],
) -> SightBlocker | None:
    """What blocks the way round a corner through one flanking space."""
    if field.sight_walls:
        for border in (edge(before, flank), edge(flank, after)):
            if border in field.sight_walls:
                return SightBlocker(WALL, wall=border)
    if flank in own:  # TAC-LOS-6, TAC-OR-6
        return None
    if flank in occupied:
        return SightBlocker(FIGURE, flank)
    return SightBlocker(CROSS, flank) if flank in field.sight_crosses else None


def sight(position: BattlePosition, one: tuple[Cell, ...], two: tuple[Cell, ...]) -> SightResult:
    """Whether figures on these spaces see each other: any centre to any centre (TAC-OR-6)."""
    if len(one) == len(two) == 1:
        return line_sight(position, one[0], two[0])
    return best_line(position, one, two).found


class SightLine(NamedTuple):
    """The line that decides whether figures of several spaces see each other, and its ends."""

    found: SightResult
    start: Cell
    end: Cell


def best_line(position: BattlePosition, one: tuple[Cell, ...], two: tuple[Cell, ...]) -> SightLine:
    """The nearest clear line from any centre to any centre, else the least obstructed one."""
    own, distance = {*one, *two}, position.field.grid.distance
    least: SightLine | None = None
    for _, a, b in sorted((distance(a, b), a, b) for a in one for b in two):
        found = line_sight(position, a, b, own)
        if found.clear:
            return SightLine(SEEN, a, b)
        if least is None or found.number < least.found.number:
            least = SightLine(found, a, b)
    assert least is not None, "every figure has a space"
    return least

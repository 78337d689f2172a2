"""Line of sight from centre to centre, exact (TAC-LOS-1 to -7).

A line that passes exactly through a corner is blocked only if both ways round that corner are
(TAC-OR-5); the end of a wall counts as such a corner (TAC-TER-7).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from companion.games.tactics.rules.battlefield import SquareField
from companion.geometry.grid.grids import line_from_origin
from models.board import Cell, Edge, cell_text, edge

FIGURE, CROSS, WALL = "TAC-LOS-3", "TAC-LOS-4", "TAC-LOS-5"


class SightBlocker(NamedTuple):
    """What blocks a line: the rule, and the space or the edge that does it."""

    rule: str
    cell: Cell | None = None
    wall: Edge | None = None


@dataclass(frozen=True)
class SightResult:
    """Whether two figures see each other; otherwise what blocks the least obstructed line."""

    blockers: tuple[SightBlocker, ...] = ()

    @property
    def clear(self) -> bool:
        return not self.blockers

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(sorted({one.rule for one in self.blockers}))

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(sorted({one.cell for one in self.blockers if one.cell is not None}))

    @property
    def walls(self) -> tuple[Edge, ...]:
        return tuple(sorted({one.wall for one in self.blockers if one.wall is not None}))

    @cached_property
    def to_json(self) -> dict[str, Any]:
        """The answer as JSON values; both figures have the same."""
        if self.clear:
            return {"answer": "yes", "why": []}
        rules, cells, walls = map(set, zip(*self.blockers, strict=True))
        text: dict[str, Any] = {"answer": "no", "why": sorted(rules)}
        text["blocked_by"] = [cell_text(cell) for cell in sorted(cells - {None})]
        if walls := walls - {None}:
            text["walls"] = [[cell_text(one), cell_text(two)] for one, two in sorted(walls)]
        return text


SEEN = SightResult()
blocker = lru_cache(maxsize=16_384)(SightBlocker)
"""What blocks on a space, made once: a large board has hundreds of thousands."""


@dataclass(frozen=True, slots=True)
class LineSpaces:
    """What a line meets, relative to its first space."""

    between: tuple[Cell, ...]
    crossed: tuple[Edge, ...]
    corners: tuple[tuple[Cell, Cell, Cell, Cell], ...]
    """Each corner on the line: the spaces before and after it, and the two that flank it."""


@cache
def line_spaces(columns: int, rows: int) -> LineSpaces:
    """The line to a space so many columns and rows away."""
    line = line_from_origin(columns, rows)
    corners = []
    for around in line.corners:
        before, after = (cell for cell in line.cells if cell in around)
        one, two = (cell for cell in around if cell not in line.cells)
        corners.append((before, after, one, two))
    return LineSpaces(line.cells[1:-1], line.crossed, tuple(corners))


def line_blockers(
    field: SquareField,
    occupied: Collection[Cell],
    one: Cell,
    two: Cell,
    own: Collection[Cell],
    most: int | None = None,
) -> list[SightBlocker]:
    """What blocks the line between two spaces; `own` are the spaces of its ends.

    With `most`, no more than so many blockers are looked for.
    """
    if one == two:
        return []
    line = line_spaces(two[0] - one[0], two[1] - one[1])
    column, row = one
    crosses = field.crosses
    found = [
        blocker(FIGURE if cell in occupied else CROSS, cell)
        for dc, dr in line.between
        if ((cell := (column + dc, row + dr)) in occupied or cell in crosses) and cell not in own
    ]  # TAC-LOS-6, TAC-OR-6
    if most is not None and len(found) >= most:
        return found[:most]
    if field.sight_walls:
        for near, far in line.crossed:
            border = edge((column + near[0], row + near[1]), (column + far[0], row + far[1]))
            if border in field.sight_walls:
                found.append(SightBlocker(WALL, wall=border))
    for corner in line.corners:
        before, after, left, right = ((column + dc, row + dr) for dc, dr in corner)
        found += corner_blockers(field, occupied, before, after, (left, right), own)
    return found[:most]


def corner_blockers(
    field: SquareField,
    occupied: Collection[Cell],
    before: Cell,
    after: Cell,
    flanks: tuple[Cell, Cell],
    own: Collection[Cell],
) -> tuple[SightBlocker, ...]:
    """What blocks a line through a corner: nothing while one way round it is free (TAC-OR-5)."""
    if field.readings.squeezed_sight == "clear":  # TAC-OR-36
        occupied = ()
    ways = [way_blocker(field, occupied, before, flank, after, own) for flank in flanks]
    found = tuple(one for one in ways if one is not None)
    needed = 1 if field.readings.corners == "either" else len(flanks)
    return found if len(found) >= needed else ()


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
        return blocker(FIGURE, flank)
    return blocker(CROSS, flank) if flank in field.crosses else None


def sight(
    field: SquareField, occupied: Collection[Cell], one: tuple[Cell, ...], two: tuple[Cell, ...]
) -> SightResult:
    """Whether figures on these spaces see each other: any centre to any centre (TAC-OR-6)."""
    if len(one) == len(two) == 1:
        blockers = line_blockers(field, occupied, one[0], two[0], ())
        return SightResult(tuple(blockers)) if blockers else SEEN
    own = {*one, *two}
    least: list[SightBlocker] | None = None
    for _, a, b in sorted((field.grid.distance(a, b), a, b) for a in one for b in two):
        # A line with as many blockers as the best so far is not looked at further.
        most = len(least) if least is not None else None
        found = line_blockers(field, occupied, a, b, own, most)
        if not found:
            return SEEN
        if least is None or len(found) < len(least):
            least = found
    return SightResult(tuple(least or ()))

"""Line of sight from centre to centre, exact (TAC-LOS-1 to -7).

A line that passes exactly through a corner is blocked only if both ways round that corner are
(TAC-OR-5); the end of a wall counts as such a corner (TAC-TER-7).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

from companion.games.tactics.rules.battlefield import SquareField
from companion.geometry.grid.grids import line_from_origin
from models.board import Cell, Edge, cell_text, edge

FIGURE, CROSS, WALL = "TAC-LOS-3", "TAC-LOS-4", "TAC-LOS-5"


class SightBlocker(NamedTuple):
    """What blocks the way round a corner: the rule, and the space or the edge that does it."""

    rule: str
    cell: Cell | None = None
    wall: Edge | None = None


@dataclass(frozen=True)
class SightResult:
    """Whether two figures see each other; otherwise what blocks the least obstructed line."""

    spaces: Mapping[Cell, str] = field(default_factory=dict)
    """The spaces that block, each with its rule."""
    walls: tuple[Edge, ...] = ()

    @property
    def clear(self) -> bool:
        return not self.spaces and not self.walls

    @property
    def number(self) -> int:
        return len(self.spaces) + len(self.walls)

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(sorted({*self.spaces.values(), *([WALL] if self.walls else [])}))

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(sorted(self.spaces))

    @cached_property
    def verdict(self) -> dict[str, Any]:
        """The answer and its rules as JSON values; both figures have the same."""
        rules = frozenset(self.spaces.values())
        return plain_verdict(rules | {WALL} if self.walls else rules)

    @cached_property
    def to_json(self) -> dict[str, Any]:
        """The same with everything that blocks."""
        if self.clear:
            return self.verdict
        text = {**self.verdict, "blocked_by": [CELL_TEXTS[cell] for cell in sorted(self.spaces)]}
        if self.walls:
            text["walls"] = [[cell_text(one), cell_text(two)] for one, two in sorted(self.walls)]
        return text


@cache
def plain_verdict(rules: frozenset[str]) -> dict[str, Any]:
    """A verdict by its rules, shared by all answers alike: a board has tens of thousands."""
    return {"answer": "no" if rules else "yes", "why": sorted(rules)}


class CellTexts(dict[Cell, str]):
    """Cells as written in files, each written once."""

    def __missing__(self, cell: Cell) -> str:
        self[cell] = text = cell_text(cell)
        return text


CELL_TEXTS = CellTexts()
SEEN = SightResult()


@dataclass(frozen=True, slots=True)
class LineSpaces:
    """What a line meets, relative to its first space."""

    between: tuple[Cell, ...]
    crossed: tuple[Edge, ...]
    corners: tuple[tuple[Cell, Cell, Cell, Cell], ...]
    """Each corner on the line: the spaces before and after it, and the two that flank it."""


class FiguresBetween(SightResult):
    """A line with figures on it, on ground that blocks none: which ones is looked up when asked."""

    clear = False
    verdict = plain_verdict(frozenset((FIGURE,)))
    looked: Callable[[], SightResult]

    def __init__(self, looked: Callable[[], SightResult]) -> None:
        object.__setattr__(self, "looked", looked)

    @cached_property
    def spaces(self) -> Mapping[Cell, str]:
        return self.looked().spaces


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


def line_sight(
    field: SquareField,
    occupied: Collection[Cell],
    one: Cell,
    two: Cell,
    own: Collection[Cell],
    most: int | None = None,
) -> SightResult:
    """What blocks the line between two spaces; `own` are the spaces of its ends.

    With `most`, a line with so many blockers is not looked at further.
    """
    if one == two:
        return SEEN
    line = line_spaces(two[0] - one[0], two[1] - one[1])
    column, row = one
    crosses = field.sight_crosses
    if crosses:
        found = {
            cell: FIGURE if cell in occupied else CROSS
            for dc, dr in line.between
            if ((cell := (column + dc, row + dr)) in occupied or cell in crosses)
            and cell not in own
        }  # TAC-LOS-6, TAC-OR-6
    else:
        found = {
            cell: FIGURE
            for dc, dr in line.between
            if (cell := (column + dc, row + dr)) in occupied and cell not in own
        }
    if most is not None and len(found) >= most:
        return SightResult(found)
    walls = set[Edge]()
    if field.sight_walls:
        for near, far in line.crossed:
            border = edge((column + near[0], row + near[1]), (column + far[0], row + far[1]))
            if border in field.sight_walls:
                walls.add(border)
    for (a, b), (c, d), (e, f), (g, h) in line.corners:
        before, after = (column + a, row + b), (column + c, row + d)
        left, right = (column + e, row + f), (column + g, row + h)
        for rule, space, wall in corner_blockers(
            field, occupied, before, after, (left, right), own
        ):
            if space:
                found[space] = rule
            if wall:
                walls.add(wall)
    return SightResult(found, tuple(walls)) if found or walls else SEEN


def space_sight(
    field: SquareField, occupied: Collection[Cell], one: Cell, two: Cell
) -> SightResult:
    """The same between figures of one space; a large board has tens of thousands."""
    whole = partial(line_sight, field, occupied, one, two, ())
    if not field.sight_crosses and not field.sight_walls:
        column, row = one
        for dc, dr in line_spaces(two[0] - column, two[1] - row).between:
            if (column + dc, row + dr) in occupied:
                return FiguresBetween(whole)
    return whole()


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


def sight(
    field: SquareField, occupied: Collection[Cell], one: tuple[Cell, ...], two: tuple[Cell, ...]
) -> SightResult:
    """Whether figures on these spaces see each other: any centre to any centre (TAC-OR-6)."""
    if len(one) == len(two) == 1:
        return space_sight(field, occupied, one[0], two[0])
    return best_line(field, occupied, one, two).found


class SightLine(NamedTuple):
    """The line that decides whether figures of several spaces see each other, and its ends."""

    found: SightResult
    start: Cell
    end: Cell


def best_line(
    field: SquareField, occupied: Collection[Cell], one: tuple[Cell, ...], two: tuple[Cell, ...]
) -> SightLine:
    """The nearest clear line from any centre to any centre, else the least obstructed one."""
    own = {*one, *two}
    least: SightLine | None = None
    for _, a, b in sorted((field.grid.distance(a, b), a, b) for a in one for b in two):
        most = least.found.number if least is not None else None
        found = line_sight(field, occupied, a, b, own, most)
        if found.clear:
            return SightLine(SEEN, a, b)
        if most is None or found.number < most:
            least = SightLine(found, a, b)
    assert least is not None, "every figure has a space"
    return least

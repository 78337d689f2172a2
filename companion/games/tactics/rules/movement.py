"""Where a Move may end (TAC-MOV): three spaces, stops beside enemies, large figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial

from companion.games.tactics.rules.battlefield import ground_steps
from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.contact import engaged_with, in_contact
from companion.games.tactics.rules.position import BattlePosition
from companion.geometry.grid.reach import Reach, reach
from models.cell import Cell

Way = Cell | None
"""A space on the way; None is the start of a large figure: any of its spaces may lead."""


@dataclass(frozen=True, slots=True)
class MoveTarget:
    """A space where a move may end: the spaces moved, who is then engaged, and the way there."""

    cost: int
    engages: tuple[str, ...]
    way: Callable[[], tuple[Cell, ...]]

    @property
    def path(self) -> tuple[Cell, ...]:
        """The spaces of the way, from the (leading) space the figure starts from."""
        return self.way()


@dataclass(frozen=True, slots=True)
class MoveOptions:
    """What changes a Move: other spaces than the figure's own, or an ability.

    `forced` moves follow the ground only: no enemy stops them, and they may begin engaged.
    """

    spaces: int | None = None
    unstoppable: bool = False
    forced: bool = False
    opened: frozenset[Cell] = frozenset()
    """BLOCKED spaces that count as OPEN for this figure (TAC-TER-14)."""


PLAIN_MOVE = MoveOptions()


def move_ends(
    position: BattlePosition, figure: BoardFigure, options: MoveOptions = PLAIN_MOVE
) -> dict[Cell, MoveTarget]:
    """Every space in which a move may end; for a large figure the lower left of its spaces.

    Its own place is not listed: a figure that ends where it began has not moved.
    """
    others = position.without(figure)
    opponents = position.opponents(figure)
    foes = opponents.cells
    spaces = move_spaces(position, figure, options)
    engaging: dict[Cell, tuple[str, ...]] = {}

    def engages(cell: Cell) -> tuple[str, ...]:
        if cell not in engaging:
            cells = figure.cells_at(cell)
            near = (
                ()
                if opponents.beside.isdisjoint(cells)
                else in_contact(position, cells, foes, others)
            )
            engaging[cell] = tuple(sorted(one.id for one in near))
        return engaging[cell]

    free_stop = figure.large or options.unstoppable or options.forced  # TAC-MOV-20
    passable = position.field.readings.friend_in_contact == "passable"

    def steps(here: Way) -> Iterator[tuple[Way, int]]:
        if here is None:
            yield from ((cell, 0) for cell in figure.cells)
            return
        on_friend = passable and here in others  # TAC-OR-9
        if not free_stop and here != figure.cell and not on_friend and engages(here):
            return  # TAC-MOV-6
        for there in open_steps(position, here, foes, options):
            yield there, 1

    start: Way = None if figure.large else figure.cell
    found = reach(start, spaces, steps, least=1)
    ends: dict[Cell, MoveTarget] = {}
    if figure.large:
        for cell, cost, way in leading_ends(figure, found, spaces):
            for corner in ((0, 0), (-1, 0), (0, -1), (-1, -1)):
                block = (cell[0] + corner[0], cell[1] + corner[1])
                better = block not in ends or cost < ends[block].cost
                if block != figure.cell and better and not position.fits(figure, block):
                    ends[block] = MoveTarget(cost, engages(block), way)
        return ends
    for end, cost in found.cost.items():
        if end is None or end == figure.cell or end in others:  # TAC-MOV-5
            continue
        ends[end] = MoveTarget(cost, engages(end), partial(path_to, found, end))
    return ends


def path_to(found: Reach[Way], end: Cell) -> tuple[Cell, ...]:
    """The spaces of the shortest way to a space."""
    return tuple(one for one in found.way(end) if one is not None)


def move_spaces(position: BattlePosition, figure: BoardFigure, options: MoveOptions) -> int:
    """The spaces of a move: an engaged figure moves 1 space in total (TAC-MOV-7, TAC-OR-10)."""
    spaces = figure.spaces if options.spaces is None else options.spaces
    if options.forced or not engaged_with(position, figure):
        return spaces
    if figure.large and position.field.readings.large_engaged == "full":
        return spaces
    return min(spaces, 1)


def open_steps(
    position: BattlePosition, here: Cell, foes: Collection[Cell], options: MoveOptions
) -> Iterator[Cell]:
    """The spaces one step away: no enemy's, and no diagonal between two that block (TAC-OR-8)."""
    field = position.field
    enemies_block = field.readings.diagonal_enemies == "blocked"
    if options.opened:
        around = tuple(ground_steps(here, field.open | options.opened, field.walls))
    else:
        around = field.steps.get(here, ())
    for there, flanks in around:
        if there in foes:  # TAC-MOV-4
            continue
        if flanks and enemies_block and all(one in foes for one in flanks):
            continue
        yield there


def leading_ends(
    figure: BoardFigure, found: Reach[Way], spaces: int
) -> Iterator[tuple[Cell, int, Callable[[], tuple[Cell, ...]]]]:
    """The spaces where a large figure's leading space may end, after at least one step."""
    for cell, cost in found.cost.items():
        if cell is None:
            continue
        if cost == 0:  # one of its own spaces: another one leads there in one step
            if spaces < 1:
                continue
            lead = next(one for one in figure.cells if one != cell)
            yield cell, 1, partial(tuple, (lead, cell))
        else:
            yield cell, cost, partial(path_to, found, cell)

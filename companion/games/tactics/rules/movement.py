"""Where figures may move: Moves, charges, forced and granted moves (TAC-MOV, TAC-CHG)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from companion.games.tactics.rules.battlefield import Step, ground_steps
from companion.games.tactics.rules.contact import engaged_with, in_contact, sees
from companion.games.tactics.rules.position import BattlePosition, BoardFigure, Opponents
from companion.games.tactics.rules.walked_ways import WalkedWays
from companion.geometry.grid.grids import Reach, SquareGrid, reach
from models.board import Cell

Way = Cell | None
"""A space on the way; None is the start of a large figure: any of its spaces may lead."""


@dataclass(frozen=True, slots=True)
class MoveTarget:
    """A space where a move may end: the spaces moved, who is then engaged, and the ways there."""

    cost: int
    engages: tuple[str, ...]
    walked: WalkedWays
    leads: tuple[Cell, ...]
    """Where its way may end: for a large figure its leading space."""
    most: int
    """The longest way that the move may take."""

    @property
    def ways(self) -> tuple[tuple[Cell, ...], ...]:
        """The ways between which its player chooses, from the (leading) space the figure starts
        from; the one that harms least comes first, and it is a shortest one."""
        return self.walked.to(self.leads, self.most)

    @property
    def straight(self) -> MoveTarget:
        """The same end by a shortest way."""
        return replace(self, most=self.cost)


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
        if not figure.large and cell not in opponents.beside:
            return ()
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

    def around(here: Cell) -> Mapping[Cell, int]:
        on_friend = passable and here in others  # TAC-OR-9
        if not free_stop and here != figure.cell and not on_friend and engages(here):
            return {}  # TAC-MOV-6
        return open_steps(position, here, opponents, options)

    def steps(here: Way) -> Iterable[tuple[Way, int]]:
        return [(cell, 0) for cell in figure.cells] if here is None else around(here).items()

    start: Way = None if figure.large else figure.cell
    found = reach(start, spaces, steps, least=1)
    walked = WalkedWays(position, figure, around)
    ends: dict[Cell, MoveTarget] = {}
    if figure.large:
        for cell, cost in leading_ends(found, spaces):
            for corner in ((0, 0), (-1, 0), (0, -1), (-1, -1)):
                block = (cell[0] + corner[0], cell[1] + corner[1])
                better = block not in ends or cost < ends[block].cost
                if block != figure.cell and better and not position.fits(figure, block):
                    leads = figure.cells_at(block)
                    ends[block] = MoveTarget(cost, engages(block), walked, leads, spaces)
        return ends
    for end, cost in found.cost.items():
        if end is None or end == figure.cell or end in others:  # TAC-MOV-5
            continue
        ends[end] = MoveTarget(cost, engages(end), walked, (end,), spaces)
    return ends


def move_spaces(position: BattlePosition, figure: BoardFigure, options: MoveOptions) -> int:
    """The spaces of a move: an engaged figure moves 1 space in total (TAC-MOV-7, TAC-OR-10)."""
    spaces = figure.spaces if options.spaces is None else options.spaces
    if options.forced or not engaged_with(position, figure):
        return spaces
    if figure.large and position.field.readings.large_engaged == "full":
        return spaces
    return min(spaces, 1)


def open_steps(
    position: BattlePosition, here: Cell, foes: Opponents, options: MoveOptions
) -> Mapping[Cell, int]:
    """The spaces one step away: no enemy's, and no diagonal between two that block (TAC-OR-8)."""
    field = position.field
    around: Iterable[Step] = field.steps.get(here, ())
    if options.opened:
        around = ground_steps(here, field.open | options.opened, field.walls)
    elif here not in foes.beside:
        return field.free_steps.get(here, {})
    enemies_block = field.readings.diagonal_enemies == "blocked"
    taken = foes.cells
    return {
        there: 1
        for there, flanks in around
        if there not in taken  # TAC-MOV-4
        and not (flanks and enemies_block and all(one in taken for one in flanks))
    }


def leading_ends(found: Reach[Way], spaces: int) -> Iterator[tuple[Cell, int]]:
    """The spaces where a large figure's leading space may end, after at least one step."""
    for cell, cost in found.cost.items():
        if cell is not None and spaces:
            yield cell, max(cost, 1)  # to one of its own spaces another one leads


@dataclass(frozen=True, slots=True)
class ChargeAnswer:
    """Whether a charge may be declared, whether it reaches, and where its move may end.

    `why` are the rules that forbid it, or the rule by which it ends short of its target.
    """

    declare: bool
    reaches: bool
    why: tuple[str, ...] = ()
    ends: dict[Cell, MoveTarget] = field(default_factory=dict)


@cache
def no_charge(why: tuple[str, ...]) -> ChargeAnswer:
    """A charge that may not be declared; a large board has tens of thousands."""
    return ChargeAnswer(False, False, why)


def charge_answer(
    position: BattlePosition,
    figure: BoardFigure,
    target: BoardFigure,
    ends: dict[Cell, MoveTarget] | None = None,
    options: MoveOptions = PLAIN_MOVE,
) -> ChargeAnswer:
    """The answer for one enemy; `ends` are the figure's plain moves, if they are known already."""
    why = charge_refusals(position, figure, sees(position, figure, target).clear)
    if why:
        return no_charge(why)
    ends = move_ends(position, figure, options) if ends is None else ends
    arriving = {cell: end for cell, end in ends.items() if target.id in end.engages}
    if arriving:
        return ChargeAnswer(True, True, (), shortest(position, arriving))
    # It stops short: as near to the target as it can come (TAC-OR-31).
    away = SquareGrid.block_distances(ends, figure.size, target.cell, target.size)
    least = min(away.values(), default=gap(figure, target))
    near = {cell: ends[cell] for cell, far in away.items() if far == least}
    if least >= gap(figure, target):
        near = {}
    return ChargeAnswer(True, False, ("TAC-CHG-5",), near)


def charge_refusals(position: BattlePosition, figure: BoardFigure, seen: bool) -> tuple[str, ...]:
    """The rules that forbid to declare a charge against an enemy, as it is seen or not."""
    found = []
    if engaged_with(position, figure):
        found.append("TAC-CHG-2")
    if not seen:  # at declaration: TAC-OR-32
        found.append("TAC-LOS-8")
    if figure.charge_attack is None:
        found.append("TAC-CHG-1" if figure.melee else "TAC-ATK-1")
    if figure.frozen:  # 2 action points cannot be paid
        found.append("TAC-STA-3")
    return tuple(found)


def shortest(position: BattlePosition, ends: dict[Cell, MoveTarget]) -> dict[Cell, MoveTarget]:
    """Only the nearest of these ends: a charge moves towards its target (TAC-CHG-4)."""
    if position.field.readings.charge_path == "any":  # TAC-OR-31
        return ends
    least = min(end.cost for end in ends.values())
    return {cell: end.straight for cell, end in ends.items() if end.cost == least}


def gap(one: BoardFigure, two: BoardFigure) -> int:
    """The spaces between two figures, diagonals as 1, from their nearest spaces (TAC-OR-13)."""
    return SquareGrid.block_distance(one.cell, one.size, two.cell, two.size)


def gap_from(one: BoardFigure, cell: Cell, two: BoardFigure) -> int:
    """The same, as if the first figure stood on another space."""
    return SquareGrid.block_distance(cell, one.size, two.cell, two.size)


def pushed_away(
    position: BattlePosition, figure: BoardFigure, cause: BoardFigure, spaces: int
) -> dict[Cell, MoveTarget]:
    """Where a figure forced away may end: as far from the cause as possible (TAC-ABL-17).

    Empty if no OPEN space lies farther away than its own: it is not moved (TAC-ABL-18).
    """
    ends = move_ends(position, figure, MoveOptions(spaces, forced=True))
    farthest = max((gap_from(figure, cell, cause) for cell in ends), default=0)
    if farthest <= gap(figure, cause):
        return {}
    return {cell: end for cell, end in ends.items() if gap_from(figure, cell, cause) == farthest}


def pulled_towards(
    position: BattlePosition, figure: BoardFigure, cause: BoardFigure, spaces: int
) -> dict[Cell, MoveTarget]:
    """Where a figure forced towards another may end (TAC-ABL-19).

    The shortest path that brings it into contact, as far along it as the spaces allow.
    """
    if any(one.id == cause.id for one in contacts_of(position, figure)):
        return {}
    longest = len(position.field.open)
    whole = move_ends(position, figure, MoveOptions(longest, forced=True))
    touching = {
        cell: end
        for cell, end in whole.items()
        if any(one.id == cause.id for one in contacts_of(position, figure, cell))
    }
    if not touching:
        return {}
    least = min(end.cost for end in touching.values())
    if least <= spaces:
        return {cell: end.straight for cell, end in touching.items() if end.cost == least}
    # Too far: every space so many steps along one of the shortest paths.
    within = move_ends(position, figure, MoveOptions(spaces, forced=True))
    found: dict[Cell, MoveTarget] = {}
    for cell, end in within.items():
        if end.cost == spaces:
            moved = BattlePosition(
                position.field,
                tuple(one.at(cell) if one.id == figure.id else one for one in position.figures),
                position.teams,
            )
            rest = move_ends(moved, figure.at(cell), MoveOptions(least - spaces, forced=True))
            if any(there in rest for there in touching):
                found[cell] = end
    return found


def contacts_of(
    position: BattlePosition, figure: BoardFigure, cell: Cell | None = None
) -> list[BoardFigure]:
    """Everybody in contact with a figure, as if it stood on another space."""
    cells = figure.cells if cell is None else figure.cells_at(cell)
    others = position.without(figure)
    return in_contact(position, cells, others, others)


def surge_ends(
    position: BattlePosition, figure: BoardFigure, victim: tuple[Cell, ...]
) -> dict[Cell, MoveTarget]:
    """Where an attacker may surge after a kill: onto a space of the victim (TAC-ATK-16, -17).

    `position` is without the victim. The attacker must not be engaged any more. A large figure
    leads with one of its spaces and may turn; its block then contains that space (TAC-OR-40).
    """
    if engaged_with(position, figure):
        return {}
    ends = move_ends(position, figure, MoveOptions(1, forced=True))
    onto = (
        (cell, replace(end, leads=tuple(one for one in end.leads if one in victim)))
        for cell, end in ends.items()
    )
    return {cell: end for cell, end in onto if end.ways}


def dismount_cells(position: BattlePosition, figure: BoardFigure) -> tuple[Cell, ...]:
    """Where the foot version may stand: one of the 4 spaces of the mounted one (TAC-FIG-9)."""
    return figure.cells if figure.large else ()

"""Between which ways to a space a player chooses: those that do different harm (TAC-MOV-1, -9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from companion.games.tactics.rules.movement import MoveOptions, move_ends, move_spaces, open_steps
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.space_effects import harm, space_effects, step_effects
from models.board import Cell

Suffered = tuple[str, ...]
"""What a way does to the figure, in order of the alphabet."""
MOST_WAYS = 4
"""So many different ways to one space are told."""


def way_choices(
    position: BattlePosition, figure: BoardFigure, options: MoveOptions
) -> dict[Cell, list[tuple[Cell, ...]]]:
    """The spaces to which several ways lead of which none is simply better, with those ways."""
    if figure.large or len(harms_on(position)) < 2:
        return {}
    ends = move_ends(position, figure, options)
    ways: dict[Cell, dict[Suffered, tuple[Cell, ...]]] = {}
    for path in every_way(position, figure, options):
        if path[-1] in ends:
            note(ways.setdefault(path[-1], {}), suffered(position, figure, path), path)
    return {
        cell: [found[key] for key in sorted(found)][:MOST_WAYS]
        for cell, found in ways.items()
        if len(found) > 1
    }


def harms_on(position: BattlePosition) -> set[str]:
    """The kinds of harm that spaces of the board do."""
    board = position.field.board
    spaces = (cell for cell in board.marks if harm(position, cell))
    return {word for cell in spaces for word in space_effects(position, cell) if word[:1] != "?"}


def every_way(
    position: BattlePosition, figure: BoardFigure, options: MoveOptions
) -> Iterator[tuple[Cell, ...]]:
    """The ways from a figure, the shortest first; of those that do the same, one for each space."""
    foes = position.opponents(figure)
    ends = move_ends(position, figure, options)
    layer: list[tuple[Cell, ...]] = [(figure.cell,)]
    for _ in range(move_spaces(position, figure, options)):
        known: dict[Cell, dict[Suffered, tuple[Cell, ...]]] = {}
        for path in layer:
            here = path[-1]
            halted = len(path) > 1 and here in ends and bool(ends[here].engages)
            if halted and not options.unstoppable:  # TAC-MOV-6
                continue
            for there in open_steps(position, here, foes, options):
                way = (*path, there)
                note(known.setdefault(there, {}), suffered(position, figure, way), way)
        layer = [way for found in known.values() for way in found.values()]
        yield from layer


def suffered(position: BattlePosition, figure: BoardFigure, path: Sequence[Cell]) -> Suffered:
    """The harm of a way, by the better flanks."""
    return tuple(
        sorted(
            effect
            for here, there in pairwise(path)
            for _, effect in step_effects(position, figure, here, there)
            if effect[:1] != "?"
        )
    )


def note(found: dict[Suffered, tuple[Cell, ...]], now: Suffered, path: tuple[Cell, ...]) -> None:
    """Keep a way unless another one does no more harm; forget those that do more."""
    mine = Counter(now)
    if any(Counter(one) <= mine for one in found):
        return
    for one in [one for one in found if mine <= Counter(one)]:
        del found[one]
    found[now] = path

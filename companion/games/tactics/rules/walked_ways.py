"""The ways of a move: those between which its player chooses, the least harmful first
(TAC-MOV-1, -9, -12)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise

from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.space_effects import (
    Met,
    better,
    flank_question,
    harms,
    met,
    no_more_harm,
    space_effects,
    step_effects,
)
from models.board import Cell

Path = tuple[Cell, ...]
MOST_WAYS = 8
"""Of more ways to a space only the least harmful are told; a command may name any."""
Steps = Callable[[Cell], Iterable[Cell]]


class WalkedWays:
    """The ways of one move, worked out only where somebody asks for one."""

    def __init__(self, position: BattlePosition, figure: BoardFigure, steps: Steps) -> None:
        self.position, self.figure, self.steps = position, figure, steps
        marks = position.field.board.marks
        self.marked = frozenset(cell for cell in marks if space_effects(position, cell))
        self.layers: list[dict[Cell, dict[Met, Path]]] = [
            {cell: {(): (cell,)} for cell in figure.cells}
        ]
        """After so many steps: the spaces, each with the ways there of which none is better."""

    def to(self, ends: Collection[Cell], most: int) -> tuple[Path, ...]:
        """The ways of at most so many steps to one of these spaces, without those than which
        another one is better; of those that do the same, the shortest."""
        while len(self.layers) <= most:
            self.layers.append(self.next_layer(self.layers[-1]))
        found: dict[Met, Path] = {}
        for layer in self.layers[1 : most + 1]:
            shorter = tuple(found)  # nothing that may be left alone is worth a longer way
            for cell in sorted(layer.keys() & set(ends)):
                for key, way in layer[cell].items():
                    if not any(no_more_harm(one, key) for one in shorter):
                        note(found, key, way)
        return tuple(dict.fromkeys(least_harmful(found).values()))

    def next_layer(self, layer: dict[Cell, dict[Met, Path]]) -> dict[Cell, dict[Met, Path]]:
        """The spaces one step farther."""
        found: dict[Cell, dict[Met, Path]] = {}
        for here, ways in layer.items():
            for there in self.steps(here):
                added = self.step(here, there)
                known = found.setdefault(there, {})
                for key, way in ways.items():
                    for more in added:
                        note(known, tuple(sorted((*key, *more))) if more else key, (*way, there))
        return {cell: least_harmful(ways) for cell, ways in found.items()}

    def step(self, here: Cell, there: Cell) -> list[Met]:
        """What a step does, by each flank between which its player would choose."""
        flanking = (here[0], there[1]), (there[0], here[1])
        if self.marked.isdisjoint((there, *flanking)):
            return [()]
        flanks = flank_question(self.position, self.figure, here, there) or (None,)
        return [
            met(step_effects(self.position, self.figure, here, there, flank)) for flank in flanks
        ]


def least_harmful(found: dict[Met, Path]) -> dict[Met, Path]:
    """These ways, the least harmful first, as many as are told."""
    return {key: found[key] for key in sorted(found, key=harms)[:MOST_WAYS]}


def bends(path: Path) -> tuple[int, int]:
    """How often a way goes diagonally, and how often it turns."""
    steps = [(there[0] - here[0], there[1] - here[1]) for here, there in pairwise(path)]
    diagonal = sum(bool(across and along) for across, along in steps)
    return diagonal, sum(one != two for one, two in pairwise(steps))


def note(found: dict[Met, Path], now: Met, path: Path) -> None:
    """Keep a way unless another one is no worse; forget those that are. Of two that do the same
    the straighter one is kept."""
    same = found.get(now)
    if same is not None and len(same) == len(path) and bends(path) < bends(same):
        found[now] = path
    if any(better(one, now) for one in found):
        return
    for one in [one for one in found if better(now, one)]:
        del found[one]
    found[now] = path

"""The placements that a table allows: a measured figure may stand on one of several spaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.board_figure import BoardFigure, figure_of
from companion.games.tactics.rules.position import (
    BattlePosition,
    crosses_wall,
    refuse_impossible,
    standing_problem,
)
from companion.geometry.grid.placing import LEAST_CHANCE, cells_of
from companion.geometry.grid.square import SquareGrid
from models.board_table import BoardPiece, BoardTable
from models.cell import Cell
from models.errors import CompanionError

MOST_PLACEMENTS = 32
"""More are not combined: beyond them every further space is tried by itself."""

Candidate = tuple[BoardFigure, float]
"""A figure on one of the spaces it may stand on, and the probability of that space."""


@dataclass(frozen=True, slots=True)
class LikelyPosition:
    """One way the figures may stand, and its probability."""

    position: BattlePosition
    chance: float


def placements(table: BoardTable, field: SquareField) -> list[LikelyPosition]:
    """Every way the figures may stand, the most probable first."""
    choices = [candidates(field, piece) for piece in table.pieces]
    figures = [
        [(figure_of(piece, cell), chance) for cell, chance in cells]
        for piece, cells in zip(table.pieces, choices, strict=True)
    ]
    if all(len(one) == 1 for one in figures):
        position = BattlePosition(field, tuple(one[0][0] for one in figures))
        refuse_impossible(position)
        return [LikelyPosition(position, 1.0)]
    found = []
    for chosen in combined(figures):
        chance = 1.0
        for _, one in chosen:
            chance *= one
        position = BattlePosition(field, tuple(one for one, _ in chosen))
        if not standing_problem(position):
            found.append(LikelyPosition(position, chance))
    if not found:
        refuse_impossible(BattlePosition(field, tuple(one[0][0] for one in figures)))
    whole = sum(one.chance for one in found)
    found.sort(key=lambda one: -one.chance)
    return [LikelyPosition(one.position, one.chance / whole) for one in found]


def cell_chances(placed: Iterable[LikelyPosition], figure: str) -> dict[Cell, float]:
    """The spaces of one figure over all placements, the most probable first."""
    found: dict[Cell, float] = {}
    for way in placed:
        cell = way.position.by_id[figure].cell
        found[cell] = found.get(cell, 0.0) + way.chance
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def candidates(field: SquareField, piece: BoardPiece) -> list[tuple[Cell, float]]:
    """The spaces a piece may stand on; BLOCKED ones only if there is no other."""
    cells = list(cells_of(field.board, piece).items())
    if not cells:
        raise CompanionError(f"pieces: {piece.id}: has neither a cell nor a position")
    if piece.cell is not None:
        return cells
    likely = [(cell, chance) for cell, chance in cells if chance >= LEAST_CHANCE] or cells[:1]
    grid = SquareGrid(field.board.columns, field.board.rows)
    standing = [
        (cell, chance)
        for cell, chance in likely
        if all(one in field.open for one in grid.block(cell, piece.size))
        and not crosses_wall(field, grid.block(cell, piece.size))
    ]
    return standing or likely[:1]


def combined(figures: list[list[Candidate]]) -> Iterator[tuple[Candidate, ...]]:
    """The combinations of spaces: all of them, or those of the likeliest spaces.

    Where there are too many, every space that was left out is combined with the others' best, so
    that no figure is taken to be certain that is not.
    """
    kept, left_out = trimmed(figures)
    yield from product(*kept)
    best = [one[0] for one in kept]
    for at, choice in left_out:
        yield (*best[:at], choice, *best[at + 1 :])


def trimmed(
    figures: list[list[Candidate]],
) -> tuple[list[list[Candidate]], list[tuple[int, Candidate]]]:
    """The likeliest spaces, few enough to combine, and what was left out of which figure's."""
    kept = [sorted(one, key=lambda choice: -choice[1]) for one in figures]
    left_out: list[tuple[int, Candidate]] = []
    while prod(len(one) for one in kept) > MOST_PLACEMENTS:
        open_ = [at for at, one in enumerate(kept) if len(one) > 1]
        last = min(open_, key=lambda at: kept[at][-1][1])
        left_out.append((last, kept[last].pop()))
    return kept, left_out

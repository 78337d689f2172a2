"""The battlefield as the rules see it: which spaces and edges stop movement and sight.

Spaces are OPEN or BLOCKED, with a dot (sight passes) or a cross (TAC-SPC-1 to -8); walls lie on
edges (TAC-TER-6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.tactics.rules.readings import TacticsReadings
from companion.geometry.grid.grids import STEPS, SquareGrid
from companion.geometry.grid.lines import square_bits
from models.board import Board, Cell, Edge, edge
from models.frozen_records import IdentityCache
from models.message import CompanionError

DEFAULT_READINGS = TacticsReadings()

Step = tuple[Cell, tuple[Cell, ...]]
"""A step that the ground allows: the space entered and, for a diagonal step, the flanking spaces
that leave a way round."""


@dataclass(frozen=True, slots=True, eq=False)
class SquareField:
    """A board with everything that is asked of it precomputed."""

    board: Board
    readings: TacticsReadings
    grid: SquareGrid
    open: frozenset[Cell]
    sight_crosses: frozenset[Cell]
    high: frozenset[Cell]
    walls: frozenset[Edge]
    """Edges that stop movement and contact."""
    sight_walls: frozenset[Edge]
    crosses: int
    """The spaces that stop sight, as a set of bits; likewise those with a wall on an edge."""
    walls_right: int
    walls_above: int
    steps: Mapping[Cell, tuple[Step, ...]]
    free_steps: Mapping[Cell, Mapping[Cell, int]]
    """The spaces a step leads to where no enemy is near, each with its price."""

    @classmethod
    def of(cls, board: Board, readings: TacticsReadings = DEFAULT_READINGS) -> SquareField:
        """The battlefield of a board of squares."""
        if board.space != "square":
            raise CompanionError(f"board: space: {board.space!r} is not 'square'")
        grid = SquareGrid(board.columns, board.rows)
        open_cells = frozenset(
            cell
            for cell in grid.cells()
            if cell in board and not blocks_movement(board.ground.get(cell, ()))
        )
        # By the glossary only what blocks movement too limits sight (TAC-OR-7).
        blocking = has_cross if readings.open_cross == "blocks" else is_rock
        crosses = frozenset(cell for cell, words in board.ground.items() if blocking(words))
        high = frozenset(cell for cell, words in board.ground.items() if "high" in words)
        # A closed door is a wall, an open one a gap (TAC-OR-25); windows by their reading.
        walls = frozenset(one.edge for one in board.borders if not one.open)
        sight = frozenset(
            one.edge
            for one in board.borders
            if not one.open and not (one.kind == "window" and readings.windows == "sight")
        )
        right, above = (
            square_bits(one for one, two in sight if one[axis] != two[axis]) for axis in (0, 1)
        )
        steps = {cell: tuple(ground_steps(cell, open_cells, walls)) for cell in open_cells}
        free = {cell: {there: 1 for there, _ in around} for cell, around in steps.items()}
        return cls(
            board,
            readings,
            grid,
            open_cells,
            crosses,
            high,
            walls,
            sight,
            square_bits(crosses),
            right,
            above,
            steps,
            free,
        )


square_field = IdentityCache(SquareField.of, 8)
"""The battlefield of a board with readings, worked out once while both are in use."""


def blocks_movement(words: tuple[str, ...]) -> bool:
    """Whether a space is BLOCKED (TAC-SPC-7, TAC-SPC-8)."""
    return "blocked-x" in words or "blocked-o" in words


def has_cross(words: tuple[str, ...]) -> bool:
    """Whether a space has a cross: sight does not pass it (TAC-SPC-4, -6, -7)."""
    return "open-x" in words or "blocked-x" in words


def is_rock(words: tuple[str, ...]) -> bool:
    """Whether a space stops both movement and sight (TAC-SPC-7)."""
    return "blocked-x" in words


def ground_steps(cell: Cell, open_cells: frozenset[Cell], walls: frozenset[Edge]) -> list[Step]:
    """The steps from a space that ground and walls allow (TAC-MOV-2, -10, -11, -14, -15)."""
    found: list[Step] = []
    column, row = cell
    for dc, dr in STEPS:
        there = (column + dc, row + dr)
        if there not in open_cells:
            continue
        if dc and dr:
            ways = tuple(
                flank
                for flank in ((column + dc, row), (column, row + dr))
                if flank in open_cells
                and not (walls and (edge(cell, flank) in walls or edge(flank, there) in walls))
            )
            if ways:
                found.append((there, ways))
        elif not walls or edge(cell, there) not in walls:
            found.append((there, ()))
    return found

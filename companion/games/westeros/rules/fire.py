"""Fire: what may burn, where it spreads, and what a burnt hex becomes (BOW-FIR)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.westeros.rules.hex_field import (
    DEVASTATION,
    FIRES,
    MARKERS,
    MOST_FIRE,
    REMOVED,
    HexField,
    terrain_of,
)
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from companion.geometry.grid.grids import around
from models.board import Board, Cell


def burn_limit(field: HexField, cell: Cell) -> int | None:
    """The highest fire level of a hex; None if it does not burn (BOW-FIR-3, BOW-FIR-4)."""
    return field.at(cell).burn_limit if cell in field.cells else None


def scorch_cells(position: HexPosition, unit: BoardUnit) -> tuple[Cell, ...]:
    """The hexes that Scorched earth may set on fire: adjacent, without a unit (BOW-KEY-16).

    It takes the place of an attack, and nobody attacks from a burning hex (BOW-FIR-13).
    """
    field = position.field
    if unit.cell in field.fire:
        return ()
    return tuple(
        cell
        for cell in field.neighbours(unit.cell)
        if cell not in position.occupied
        and field.fire.get(cell, 0) < (burn_limit(field, cell) or 0)
    )


def fires_beside(position: HexPosition, unit: BoardUnit) -> tuple[Cell, ...]:
    """The adjacent fires that a unit may fight (BOW-FIR-15)."""
    return tuple(c for c in position.field.neighbours(unit.cell) if c in position.field.fire)


def with_level(board: Board, cell: Cell, level: int) -> Board:
    """The board with that fire level on a hex; 0 removes the marker."""
    words = tuple(word for word in board.ground.get(cell, ()) if word not in FIRES)
    return with_words(board, cell, (*words, FIRES[level - 1]) if level else words)


def with_words(board: Board, cell: Cell, words: tuple[str, ...]) -> Board:
    """The board with other terrain and markers on a hex."""
    ground = {one: several for one, several in board.ground.items() if one != cell}
    return replace(board, ground={**ground, cell: words} if words else ground)


def spread_cell(cell: Cell, direction: int) -> Cell:
    """The hex next to a fire in a direction, from 1 to 6 as the scenario's compass counts them.

    1 points to the right, the others follow counter-clockwise.
    """
    return around(cell)[direction - 1]


def spreads_to(field: HexField, cell: Cell) -> bool:
    """Whether a fire that spreads onto a hex raises its level (BOW-FIR-9, BOW-FIR-10).

    Not off the map, nor beyond the limit of its terrain (BOW-OR-29).
    """
    limit = burn_limit(field, cell)
    return limit is not None and field.fire.get(cell, 0) < limit


def spreading(field: HexField) -> tuple[Cell, ...]:
    """The fires of level 4, in the order of the board."""
    return tuple(sorted(cell for cell, level in field.fire.items() if level == MOST_FIRE))


def burnt_out(field: HexField, cell: Cell) -> bool:
    """Whether the terrain of a burning hex is destroyed now: at its limit (BOW-FIR-6)."""
    terrain = field.at(cell)
    return bool(terrain.burnt) and field.fire.get(cell, 0) == terrain.burn_limit


def after_burning(field: HexField, cell: Cell) -> Board:
    """The board after the terrain of a hex was destroyed.

    Forest, buildings and forest roads are devastated; markers are removed (BOW-TER-8, BOW-TER-15,
    BOW-TER-22, BOW-TER-25, BOW-TER-26, BOW-TER-28). The fire goes with them (BOW-OR-26).
    """
    words = field.board.ground.get(cell, ())
    terrain = terrain_of(words)
    keeps_fire = field.readings.burnt_fire == "stays" and not terrain.bridge
    kept = tuple(word for word in words if word not in FIRES or keeps_fire)
    if terrain.burnt == REMOVED:
        left = tuple(word for word in kept if word not in MARKERS)
    else:
        left = (*kept, DEVASTATION)
    return with_words(field.board, cell, left)

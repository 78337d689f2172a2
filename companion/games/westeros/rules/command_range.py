"""Command range: which units stand under which commander (BOW-CDR)."""

from __future__ import annotations

from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.position import HexPosition
from models.cell import Cell

COMMAND_RANGE = 2
"""Every commander of the core set (BOW-CDR-1)."""


def in_command_range(field: HexField, commander: Cell, cell: Cell) -> bool:
    """Whether a hex lies in the command range of a commander; sight does not matter (BOW-CDR-2)."""
    return field.distance(commander, cell) <= COMMAND_RANGE


def commanders_of(position: HexPosition, unit: BoardUnit) -> tuple[BoardUnit, ...]:
    """The own commander units under whose command a unit stands; several may (BOW-CDR-4).

    A commander's own unit is always under its command (BOW-CDR-3).
    """
    return tuple(
        one
        for one in position.units
        if one.commander
        and one.side == unit.side
        and in_command_range(position.field, one.cell, unit.cell)
    )


def under_command(position: HexPosition, commander: BoardUnit) -> tuple[BoardUnit, ...]:
    """The units that a commander may affect with a command card now (BOW-CRD-4, BOW-CRD-17)."""
    return tuple(
        one
        for one in position.units
        if one.side == commander.side and in_command_range(position.field, commander.cell, one.cell)
    )


def ranges_overlap(field: HexField, one: Cell, two: Cell) -> bool:
    """Whether two command ranges share a hex: up to distance 4 (BOW-SKM-12, BOW-OR-30)."""
    return field.distance(one, two) <= 2 * COMMAND_RANGE

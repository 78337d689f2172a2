"""Where units and overlays may be placed in a skirmish (BOW-SKM)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.westeros.rules.command_range import ranges_overlap
from companion.games.westeros.rules.hex_field import HexField
from models.cell import Cell


def within(field: HexField, edge: str, rows: int) -> Iterator[Cell]:
    """The complete hexes of the first rows counted from a board edge.

    The row at the edge is the first of them, or lies before them (BOW-OR-30).
    """
    last = rows + (field.readings.own_edge == "beyond-first")
    return (cell for cell in sorted(field.cells) if field.rows_from(edge, cell) <= last)


def unit_cells(field: HexField, edge: str, rows: int, taken: Iterable[Cell]) -> list[Cell]:
    """Where a unit may be placed: near its edge, on free ground it could enter (BOW-SKM-13)."""
    full = set(taken)
    return [
        cell
        for cell in within(field, edge, rows)
        if cell not in full and not field.at(cell).impassable
    ]


def commander_cells(
    field: HexField, edge: str, rows: int, taken: Iterable[Cell], own: Iterable[Cell]
) -> list[Cell]:
    """Where a commander may be placed: its command range overlaps no other (BOW-SKM-12)."""
    others = tuple(own)
    return [
        cell
        for cell in unit_cells(field, edge, rows, taken)
        if not any(ranges_overlap(field, cell, other) for other in others)
    ]

"""The units on the battlefield at one moment: who stands where, next to whom, engaged with whom."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.hex_field import BOTTOM, HexField
from companion.geometry.grid.hexagon import around
from models.cell import Cell, cell_text

STALWART_FRIENDS = 2
"""So many own units next to a defender make it Stalwart (BOW-KEY-20)."""


@dataclass(frozen=True)
class HexPosition:
    """A battlefield, the units on it, and the board edge of each house (BOW-GEN-7)."""

    field: HexField
    units: tuple[BoardUnit, ...]
    edges: Mapping[str, str] = dataclasses.field(default_factory=dict)

    @cached_property
    def by_id(self) -> dict[str, BoardUnit]:
        return {one.id: one for one in self.units}

    @cached_property
    def occupied(self) -> dict[Cell, BoardUnit]:
        """The unit of each hex: never more than one (BOW-UNT-1, BOW-UNT-2)."""
        return {one.cell: one for one in self.units}

    @cached_property
    def opponents(self) -> dict[str, str]:
        """Who is engaged with whom: one marker says it for both units (BOW-ENG-1)."""
        found: dict[str, str] = {}
        for one in self.units:
            if one.opponent in self.by_id:
                found[one.id] = one.opponent
                found[one.opponent] = one.id
        return found

    def edge(self, side: str) -> str:
        return self.edges.get(side, BOTTOM)

    def opponent(self, unit: BoardUnit) -> BoardUnit | None:
        """The unit it is engaged with."""
        return self.by_id.get(self.opponents.get(unit.id, ""))

    def marker(self, unit: BoardUnit) -> str:
        """The house whose crest its engagement marker shows; "" without a marker."""
        foe = self.opponent(unit)
        if foe is None:
            return ""
        return unit.marker or foe.marker

    def enemies(self, unit: BoardUnit) -> Iterator[BoardUnit]:
        return (one for one in self.units if one.side != unit.side)

    def friends_beside(self, unit: BoardUnit) -> int:
        """The own units on adjacent hexes."""
        near = (self.occupied.get(cell) for cell in around(unit.cell))
        return sum(one is not None and one.side == unit.side for one in near)

    def stalwart(self, unit: BoardUnit) -> bool:
        """By its card, or between two own units (BOW-KEY-18, BOW-KEY-20, BOW-OR-12)."""
        return unit.has("stalwart") or self.friends_beside(unit) >= STALWART_FRIENDS

    def moved(self, unit: BoardUnit, cell: Cell) -> HexPosition:
        """The same position with one unit on another hex."""
        units = tuple(one.at(cell) if one.id == unit.id else one for one in self.units)
        return replace(self, units=units)

    def without(self, unit_id: str) -> HexPosition:
        """The same position after a unit has left the field."""
        return replace(self, units=tuple(one for one in self.units if one.id != unit_id))


def standing_problem(position: HexPosition) -> str:
    """Why the units cannot stand like this, in one line; "" if they can."""
    seen: dict[Cell, str] = {}
    for unit in position.units:
        where = f"pieces: {unit.id}: "
        if unit.cell not in position.field.cells:
            return f"{where}cell: {cell_text(unit.cell)} is no complete hex (BOW-MOV-3)"
        if unit.cell in seen:
            taken = f"{cell_text(unit.cell)} is taken by {seen[unit.cell]}"
            return f"{where}cell: {taken} (BOW-UNT-2)"
        seen[unit.cell] = unit.id
    for unit in position.units:
        if problem := engagement_problem(position, unit):
            return f"pieces: {unit.id}: engaged: {problem}"
    return ""


def engagement_problem(position: HexPosition, unit: BoardUnit) -> str:
    """Why its engagement marker cannot lie where it does (BOW-ENG-1, BOW-ENG-2)."""
    if not unit.opponent:
        return ""
    foe = position.by_id.get(unit.opponent)
    if foe is None:
        return f"no unit {unit.opponent!r} on the board"
    if foe.side == unit.side:
        return f"{foe.id} is no enemy (BOW-ENG-1)"
    if position.field.distance(unit.cell, foe.cell) != 1:
        return f"{foe.id} is not adjacent (BOW-ENG-1)"
    if position.opponents[unit.id] != foe.id or position.opponents[foe.id] != unit.id:
        return "a unit has two engagement markers (BOW-ENG-2)"
    return ""

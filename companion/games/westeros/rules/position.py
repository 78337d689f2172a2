"""The units on the battlefield at one moment: their numbers, places, engagements and commanders."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from companion.games.shared.board_report import LikelyPosition, candidate_cells, likely_positions
from companion.games.westeros.cards.catalogue import CardCollection
from companion.games.westeros.cards.unit_cards import (
    CLASSES,
    RANKS,
    CommanderCard,
    OrderOption,
    OrderRow,
    UnitReference,
    plain_keywords,
    plain_reference,
    read_keywords,
)
from companion.games.westeros.rules.hex_field import HexField, HexSight
from companion.geometry.grid.grids import around
from companion.geometry.grid.lines import hex_bits
from models.board import Cell, cell_text
from models.board_table import BOTTOM, EDGES, TOP, BoardPiece, BoardTable
from models.field import Field
from models.message import CompanionError

FACTS = frozenset(
    ("class", "rank", "strength", "figures", "commander", "capture", "engaged", "marker", "move",
     "range", "dice", "card_dice", "keywords", "moved", "active", "edge")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BoardUnit:
    """A unit: its hex, its class and rank, the row of its card, and its engagement marker.

    `commander` is the name by which its commander is known, "" without one. `opponent` is the unit
    it is engaged with, `marker` the house whose crest that marker shows.
    """

    id: str
    side: str
    name: str
    cell: Cell
    kind: str = "foot"
    rank: str = "green"
    row: OrderRow = field(default_factory=OrderRow)
    strength: int = 4
    figures: int = 4
    keywords: Mapping[str, int] = field(default_factory=dict)
    commander: str = ""
    capture: int | None = None
    opponent: str = ""
    marker: str = ""
    moved: bool = False
    active: bool = True
    card_dice: int = 0
    """Dice that the command card which ordered it adds to its attacks."""

    @property
    def ranged(self) -> bool:
        return self.row.range > 1

    def has(self, keyword: str) -> bool:
        return keyword in self.keywords

    def at(self, cell: Cell) -> BoardUnit:
        """The same unit on another hex."""
        return replace(self, cell=cell)


def unit_of(piece: BoardPiece, cell: Cell, cards: CardCollection) -> BoardUnit:
    """The unit that a table's piece is; what the table does not say comes from its card.

    Without a card of that id or name it is a plain unit of its class.
    """
    place = f"pieces: {piece.id}"
    item = Field(dict(piece.facts), "", place)
    raw = item.keys(FACTS)
    if piece.size != 1:
        raise CompanionError(f"{place}: size: {piece.size} is not 1 (BOW-UNT-1)")
    leader = find_card(cards.commanders, piece)
    found = cards.units.get(leader.unit) if leader else find_card(cards.units, piece)
    usual = found.kind if found else "foot"
    kind = item.member("class").choice(CLASSES) if "class" in raw else usual
    rank = item.member("rank").choice(RANKS) if "rank" in raw else RANKS[0]
    card = found or plain_reference(kind)
    strength = item.member("strength").whole(1, 12) if "strength" in raw else card.strength
    own = {**card.row(rank).keywords, **(leader.keywords if leader else {})}
    commander = leader.id if leader else ""
    if "commander" in raw:
        commander = read_commander(item, commander or piece.id)
    capture = leader.capture if leader else None
    return BoardUnit(
        piece.id,
        piece.side,
        piece.name or piece.id,
        cell,
        kind,
        rank,
        read_row(item, card.row(rank)),
        strength,
        item.member("figures").whole(1, strength) if "figures" in raw else strength,
        read_keywords(item.member("keywords")) if "keywords" in raw else own,
        commander,
        item.member("capture").whole(1, 12) if "capture" in raw else capture,
        read_opponent(item) if "engaged" in raw else "",
        item.member("marker").text(40) if "marker" in raw else "",
        item.member("moved").flag() if "moved" in raw else False,
        item.member("active").flag() if "active" in raw else True,
        item.member("card_dice").whole(-5, 5) if "card_dice" in raw else 0,
    )


C = TypeVar("C", UnitReference, CommanderCard)


def find_card(cards: Mapping[str, C], piece: BoardPiece) -> C | None:
    """The card of a piece: by its `card`, which is an id or a name, else by the piece's name."""
    wanted = piece.card or piece.name
    return cards.get(wanted) or next((c for c in cards.values() if c.name == wanted), None)


def read_row(item: Field, row: OrderRow) -> OrderRow:
    """The row of a unit with what the table says beside its card."""
    if "move" in item.raw:
        hexes = item.member("move").whole(0, 20)
        row = replace(row, options=(OrderOption(hexes, True),))
    if "range" in item.raw:
        row = replace(row, range=item.member("range").whole(1, 20))
    if "dice" in item.raw:
        row = replace(row, dice=item.member("dice").whole(0, 12))
    return row


def read_commander(item: Field, piece: str) -> str:
    """The commander's name; `true` says that there is one without naming it."""
    member = item.member("commander")
    if isinstance(member.raw, bool):
        return piece if member.raw else ""
    return member.text(60)


def read_opponent(item: Field) -> str:
    """The unit on the other side of the engagement marker; never more than one (BOW-ENG-2)."""
    member = item.member("engaged")
    if isinstance(member.raw, list):
        names = [one.text(60) for one in member.items(1)]
        return names[0] if names else ""
    return member.text(60)


def house_edges(table: BoardTable) -> dict[str, str]:
    """The board edge of each house (BOW-GEN-7): as the table or its pieces say, else bottom and
    top.

    Without a word about it a side has the edge opposite to the other's; of two such sides the first
    that the table names has player 1's edge, and blue comes before red.
    """
    found = dict(table.home_edges)
    sides = list(table.sides())
    if set(sides) == {"blue", "red"}:
        sides = ["blue", "red"]
    for piece in table.pieces:
        if "edge" in piece.facts:
            word = Field(piece.facts["edge"], "", f"pieces: {piece.id}: edge").choice(EDGES)
            if found.setdefault(piece.side, word) != word:
                raise CompanionError(f"pieces: {piece.id}: edge: {piece.side} has two edges")
    for side in sides:
        there = next(iter(found.values()), TOP)
        found.setdefault(side, EDGES[EDGES.index(there) ^ 1])
    return found


def unit_facts(unit: BoardUnit) -> dict[str, Any]:
    """The facts of a unit beside its place, as a table file names them."""
    facts: dict[str, Any] = {
        "class": unit.kind,
        "rank": unit.rank,
        "strength": unit.strength,
        "figures": unit.figures,
        "move": unit.row.longest,
        "range": unit.row.range,
        "dice": unit.row.dice,
        "keywords": plain_keywords(unit.keywords),
    }
    more = {
        "commander": unit.commander,
        "capture": unit.capture,
        "engaged": unit.opponent,
        "marker": unit.marker,
        "moved": unit.moved,
        "card_dice": unit.card_dice,
    }
    facts |= {key: value for key, value in more.items() if value}
    return facts if unit.active else {**facts, "active": False}


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
    def enterable(self) -> frozenset[Cell]:
        """The hexes that any unit may move onto (BOW-MOV-3, -5, -6, BOW-FIR-11)."""
        field = self.field
        barred = {cell for cell, one in field.terrain.items() if one.impassable}
        return field.cells - barred - self.occupied.keys() - field.fire.keys()

    @cached_property
    def standing(self) -> dict[str, int]:
        """The hexes of the field with units of each side."""
        found = dict[str, int]()
        for one in self.units:
            if one.cell in self.field.cells:
                found[one.side] = found.get(one.side, 0) | hex_bits([one.cell])
        return found

    @cached_property
    def everybody(self) -> int:
        """The hexes of the field with units."""
        return sum(self.standing.values())

    @cached_property
    def opaque(self) -> int:
        """The hexes that block the sight of units that do not shoot from a hill."""
        return self.field.opaque | self.everybody

    @cached_property
    def sights(self) -> dict[tuple[Cell, Cell], HexSight]:
        """Lines of sight that were looked for, by their hexes: the same is asked often."""
        return {}

    @cached_property
    def opponents(self) -> dict[str, str]:
        """Who is engaged with whom: one marker says it for both units (BOW-ENG-1)."""
        found: dict[str, str] = {}
        for one in self.units:
            if one.opponent in self.by_id:
                found[one.id] = one.opponent
                found[one.opponent] = one.id
        return found

    @cached_property
    def axes(self) -> list[tuple[str, int, int]]:
        """The hexes of the units as steps to the right and up, in lines of the grid."""
        return [(one.id, one.cell[0] - (one.cell[1] >> 1), one.cell[1]) for one in self.units]

    def distances(self, unit: BoardUnit) -> dict[str, int]:
        """How many hexes away every other unit is (BOW-LOS-1)."""
        column, row = unit.cell
        column -= row >> 1
        both = column + row
        far = {
            one: max(abs(right - column), abs(up - row), abs(right + up - both))
            for one, right, up in self.axes
        }
        far.pop(unit.id, None)
        return far

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
        """The same position after a unit has moved to another hex."""
        there = replace(unit, cell=cell, moved=True)
        units = tuple(there if one.id == unit.id else one for one in self.units)
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


def placements(
    table: BoardTable, field: HexField, cards: CardCollection
) -> list[LikelyPosition[HexPosition]]:
    """Every way the units may stand, the most probable first.

    Two units never share a hex, and engaged units are adjacent: what contradicts that is left out.
    """
    edges = house_edges(table)
    units = [
        [(unit_of(piece, cell, cards), chance) for cell, chance in candidates(field, piece)]
        for piece in table.pieces
    ]
    return likely_positions(
        units, lambda chosen: HexPosition(field, chosen, edges), standing_problem
    )


def candidates(field: HexField, piece: BoardPiece) -> list[tuple[Cell, float]]:
    """The hexes a piece may stand on; impassable or incomplete ones only if there is no other."""
    return candidate_cells(
        field.board, piece, lambda cell: cell in field.cells and not field.at(cell).impassable
    )


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

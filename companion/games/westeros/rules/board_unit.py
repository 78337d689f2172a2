"""A unit on the board with the numbers that the rules need, from a table's piece and its card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.westeros.cards.keywords import plain_keywords, read_keywords
from companion.games.westeros.cards.unit_reference import (
    CLASSES,
    RANKS,
    OrderOption,
    OrderRow,
    UnitReference,
    plain_reference,
)
from companion.games.westeros.rules.hex_field import EDGES
from models.board_table import BoardPiece
from models.cell import Cell
from models.errors import CompanionError
from models.field import Field

FACTS = frozenset(
    ("class", "rank", "strength", "figures", "commander", "capture", "engaged", "marker", "move",
     "range", "dice", "keywords", "moved", "active", "edge")
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

    @property
    def ranged(self) -> bool:
        return self.row.range > 1

    def has(self, keyword: str) -> bool:
        return keyword in self.keywords

    def at(self, cell: Cell) -> BoardUnit:
        """The same unit on another hex."""
        return replace(self, cell=cell)


def unit_of(piece: BoardPiece, cell: Cell, cards: Mapping[str, UnitReference]) -> BoardUnit:
    """The unit that a table's piece is; what the table does not say comes from its card."""
    place = f"pieces: {piece.id}"
    item = Field(dict(piece.facts), "", place)
    raw = item.keys(FACTS)
    if piece.size != 1:
        raise CompanionError(f"{place}: size: {piece.size} is not 1 (BOW-UNT-1)")
    card = cards.get(piece.card) if piece.card else None
    if piece.card and card is None:
        raise CompanionError(f"{place}: card: no unit card {piece.card!r}")
    kind = item.member("class").choice(CLASSES) if "class" in raw else card.kind if card else "foot"
    rank = item.member("rank").choice(RANKS) if "rank" in raw else RANKS[0]
    card = card or plain_reference(kind)
    row = card.row(rank)
    if "move" in raw:
        hexes = item.member("move").whole(0, 20)
        row = replace(row, options=(OrderOption(hexes, True),))
    if "range" in raw:
        row = replace(row, range=item.member("range").whole(1, 20))
    if "dice" in raw:
        row = replace(row, dice=item.member("dice").whole(0, 12))
    strength = item.member("strength").whole(1, 12) if "strength" in raw else card.strength
    figures = item.member("figures").whole(1, strength) if "figures" in raw else strength
    own = read_keywords(item.listed("keywords", 12)) if "keywords" in raw else row.keywords
    return BoardUnit(
        piece.id,
        piece.side,
        piece.name or piece.id,
        cell,
        kind,
        rank,
        row,
        strength,
        figures,
        own,
        read_commander(item, piece.id) if "commander" in raw else "",
        item.member("capture").whole(1, 12) if "capture" in raw else None,
        read_opponent(item) if "engaged" in raw else "",
        item.member("marker").text(40) if "marker" in raw else "",
        item.member("moved").flag() if "moved" in raw else False,
        item.member("active").flag() if "active" in raw else True,
    )


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


def house_edges(pieces: tuple[BoardPiece, ...]) -> dict[str, str]:
    """The board edge of each house (BOW-GEN-7): as its pieces say, else bottom and top.

    Without a word about it the first side that the table names has player 1's edge; blue comes
    before red.
    """
    found: dict[str, str] = {}
    sides = list(dict.fromkeys(piece.side for piece in pieces))
    if set(sides) == {"blue", "red"}:
        sides = ["blue", "red"]
    for piece in pieces:
        if "edge" in piece.facts:
            word = Field(piece.facts["edge"], "", f"pieces: {piece.id}: edge").choice(EDGES)
            if found.setdefault(piece.side, word) != word:
                raise CompanionError(f"pieces: {piece.id}: edge: {piece.side} has two edges")
    for at, side in enumerate(sides):
        found.setdefault(side, EDGES[at % 2])
    return found


def unit_facts(unit: BoardUnit, edge: str) -> dict[str, Any]:
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
        "edge": edge,
    }
    more = {
        "commander": unit.commander,
        "capture": unit.capture,
        "engaged": unit.opponent,
        "marker": unit.marker,
        "moved": unit.moved,
    }
    facts |= {key: value for key, value in more.items() if value}
    return facts if unit.active else {**facts, "active": False}

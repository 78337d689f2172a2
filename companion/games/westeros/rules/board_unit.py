"""A unit on the board with the numbers that the rules need, from a table's piece and its card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from companion.games.westeros.cards.catalogue import CardCollection
from companion.games.westeros.cards.commander_card import CommanderCard
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
        read_keywords(item.listed("keywords", 12)) if "keywords" in raw else own,
        commander,
        item.member("capture").whole(1, 12) if "capture" in raw else capture,
        read_opponent(item) if "engaged" in raw else "",
        item.member("marker").text(40) if "marker" in raw else "",
        item.member("moved").flag() if "moved" in raw else False,
        item.member("active").flag() if "active" in raw else True,
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

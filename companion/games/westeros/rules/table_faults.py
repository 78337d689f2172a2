"""What is wrong with a table of hexes: the answers take it as the faults say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.games.shared.table_fault import TableFault, unknown_marks
from companion.games.westeros.cards.catalogue import CardCollection
from companion.games.westeros.rules.hex_field import (
    OVERLAYS,
    PLAINS,
    TERRAIN_WORDS,
    HexField,
    terrain_of,
)
from companion.games.westeros.rules.position import find_card, house_edges
from models.board import Board, cell_text
from models.board_table import BoardPiece, BoardTable
from models.message import joined, say

MARKS = ("objective", "held-1", "held-2")
"""Sites, and the control markers of the houses."""


def table_faults(table: BoardTable, field: HexField, cards: CardCollection) -> Iterator[TableFault]:
    """Everything that the rules do not know or allow."""
    yield from board_faults(field)
    yield from home_edge_faults(table)
    for piece in table.pieces:
        yield from card_faults(piece, cards)


def board_faults(field: HexField) -> Iterator[TableFault]:
    """The same of the board itself."""
    yield from ground_faults(field)
    yield from unknown_marks(field.board, MARKS)
    yield from edge_faults(field.board)


def ground_faults(field: HexField) -> Iterator[TableFault]:
    """Several overlays on one hex, and fire on terrain that does not burn (BOW-FIR-4)."""
    for cell, words in field.board.ground.items():
        place = f"board: ground: {cell_text(cell)}"
        kinds = [word for word in dict.fromkeys(words) if word in OVERLAYS and word != PLAINS.word]
        counts = terrain_of(words)
        if len(kinds) > 1:
            text = say(
                "several kinds of terrain lie there: {words}; {ground} counts",
                words=joined([TERRAIN_WORDS[one] for one in kinds]),
                ground=TERRAIN_WORDS[counts.word],
            )
            yield TableFault(place, text, "BOW-TER-1", cell)
        if cell in field.fire and counts.burn_limit is None:
            text = say("no fire burns there: {ground}", ground=TERRAIN_WORDS[counts.word])
            yield TableFault(place, text, "BOW-FIR-4", cell)


def edge_faults(board: Board) -> Iterator[TableFault]:
    """Whatever stands on the edges of hexes."""
    for one in board.borders:
        text = say("nothing lies on edges of hexes: {word!r} is not counted", word=one.kind)
        yield TableFault(f"board: edges: {'/'.join(map(cell_text, one.edge))}", text)


def home_edge_faults(table: BoardTable) -> Iterator[TableFault]:
    """Houses with one board edge (BOW-GEN-7)."""
    count = Counter(house_edges(table).values())
    for edge in (one for one, number in count.items() if number > 1):
        text = say("several houses have the board edge {edge!r}", edge=edge)
        yield TableFault("home_edges", text, "BOW-GEN-7")


def card_faults(piece: BoardPiece, cards: CardCollection) -> Iterator[TableFault]:
    """A card that nobody has entered."""
    if piece.card and not (find_card(cards.commanders, piece) or find_card(cards.units, piece)):
        text = say("no card {name!r}: a plain unit of its class takes its place", name=piece.card)
        yield TableFault(f"pieces: {piece.id}: card", text)

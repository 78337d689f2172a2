"""A figure on the board with the numbers that the rules need, from a table's piece and its card."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from companion.games.tactics.cards.catalogue import find_card
from companion.games.tactics.cards.equipment import EQUIPMENT
from companion.games.tactics.cards.figure_card import FIGURE_SIZES, CardAttack, FigureCard
from companion.geometry.grid.square import SquareGrid
from models.board_table import BoardPiece
from models.cell import Cell
from models.errors import CompanionError
from models.field import Field

FACTS = frozenset(
    ("kind", "will", "defence", "health", "wounds", "spaces", "attacks", "equipment", "shaken",
     "frozen", "activated")
)  # fmt: skip
PLAIN_ATTACK = CardAttack("Melee attack", "melee", 1, 6)
"""The attack of a figure of which nothing is known."""
BLOCK = lru_cache(maxsize=4096)(SquareGrid(1, 1).block)
"""The spaces of a figure, asked for again and again."""


@dataclass(frozen=True)
class BoardFigure:
    """A figure: the lower left of its spaces, its size, and its card's numbers."""

    id: str
    side: str
    name: str
    cell: Cell
    size: int = 1
    spaces: int = 3
    attacks: tuple[CardAttack, ...] = (PLAIN_ATTACK,)
    kind: str = "soldier"
    will: int | None = None
    defence: int | None = None
    health: int | None = None
    wounds: int = 0
    equipment: str = ""
    shaken: bool = False

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The spaces it occupies: one, or a block of 2 × 2 (TAC-GRD-7, TAC-GRD-8)."""
        return BLOCK(self.cell, self.size)

    @property
    def large(self) -> bool:
        return self.size > 1

    @property
    def sees_everybody(self) -> bool:
        """Whether its equipment gives it sight to all other figures."""
        return self.equipment == "glass-candle"

    @cached_property
    def melee(self) -> CardAttack | None:
        """Its best melee attack: the most hits on average."""
        return best_attack(self.attacks, "melee")

    @cached_property
    def ranged(self) -> CardAttack | None:
        return best_attack(self.attacks, "ranged")

    def cells_at(self, cell: Cell) -> tuple[Cell, ...]:
        """The spaces it would occupy elsewhere."""
        return BLOCK(cell, self.size)

    def at(self, cell: Cell) -> BoardFigure:
        """The same figure on another space."""
        return replace(self, cell=cell)


def best_attack(attacks: tuple[CardAttack, ...], kind: str) -> CardAttack | None:
    """The attack of a kind with the most hits on average; the first of equals."""
    fitting = [one for one in attacks if one.kind == kind]
    return max(fitting, key=lambda one: one.dice * (12 - one.hit), default=None)


def figure_of(piece: BoardPiece, cell: Cell) -> BoardFigure:
    """The figure that a table's piece is; facts beside its card's come from the table."""
    place = f"pieces: {piece.id}"
    field = Field(dict(piece.facts), "", place)
    raw = field.keys(FACTS)
    if piece.size not in FIGURE_SIZES:
        raise CompanionError(f"{place}: size: {piece.size} is neither 1 nor 2")
    card = card_of(piece, place)

    def number(key: str, low: int, high: int) -> int | None:
        own = getattr(card, key, None)
        return field.member(key).whole(low, high) if key in raw else own

    equipment = field.member("equipment").choice(EQUIPMENT) if "equipment" in raw else ""
    spaces = number("spaces", 0, 12) if "spaces" in raw else card.reach_spaces if card else 3
    attacks = card.attacks if card else (PLAIN_ATTACK,)
    if "attacks" in raw:
        attacks = tuple(CardAttack.read(one) for one in field.listed("attacks", 8))
    kinds = {"hero", "veteran", "soldier"}
    known = card.kind if card else "soldier"
    return BoardFigure(
        piece.id,
        piece.side,
        piece.name or (card.name if card else piece.id),
        cell,
        piece.size,
        (spaces or 0) + EQUIPMENT[equipment].spaces if equipment else spaces or 0,
        attacks,
        field.member("kind").choice(kinds) if "kind" in raw else known,
        number("will", 2, 10),
        number("defence", 2, 10),
        number("health", 1, 20),
        number("wounds", 0, 99) or 0,
        equipment,
        field.member("shaken").flag() if "shaken" in raw else False,
    )


def card_of(piece: BoardPiece, place: str) -> FigureCard | None:
    """The card a piece names; a table needs no card, but a named one must exist."""
    if piece.card:
        card = find_card(piece.card)
        if card is None:
            raise CompanionError(f"{place}: card: no card {piece.card!r}")
        return card
    return find_card(piece.name) if piece.name else None

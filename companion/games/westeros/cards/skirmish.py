"""Skirmish reference cards and set-up cards (BOW-SKM)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from companion.games.westeros.cards.battle_plan import (
    MOST_UNITS,
    SIDES,
    BattleSide,
    BattleVictory,
    BoardSide,
    Orders,
    Orientation,
    Rounds,
    Tokens,
)
from companion.games.westeros.cards.unit_cards import CardId, CardName, Rank
from companion.games.westeros.rules.hex_field import OVERLAYS
from models.record_reader import WRITTEN, Between, FileKey, Length, OneOf, Record

MOST_CARDS = 20
Rows = Annotated[int, Between(1, 15)]
Draw = Annotated[int, Between(0, 8)]


@dataclass(frozen=True, slots=True)
class SetupUnit(Record):
    """A unit of a set-up card."""

    card: CardId
    rank: Rank


@dataclass(frozen=True, slots=True)
class SetupCard(Record):
    """A set-up card: a commander with a value, units, and overlays (BOW-SKM-1)."""

    id: CardId
    house: Annotated[str, Length(40)]
    commander: CardId
    units: Annotated[tuple[SetupUnit, ...], Length(MOST_UNITS)]
    """The unit cards and ranks of its middle section."""
    overlays: Annotated[tuple[Annotated[str, OneOf(OVERLAYS)], ...], Length(MOST_CARDS)]
    rank: Annotated[Rank, WRITTEN] = "green"
    """The rank of the commander's unit."""


@dataclass(frozen=True, slots=True)
class SkirmishRules(Record):
    """A skirmish reference card: limits, distances from the own edge, draws, and the numbers."""

    id: CardId
    name: CardName
    side: BoardSide
    commanders: Annotated[int, Between(1, 5)]
    value: Annotated[int, Between(1, 30)]
    overlay_rows: Rows
    commander_rows: Rows
    unit_rows: Rows
    unit_draw: Draw
    terrain_draw: Draw
    rounds: Rounds
    tokens: Tokens
    orders: Orders
    cards: Tokens
    setup_cards: Annotated[tuple[SetupCard, ...], Length(MOST_CARDS), FileKey("setup_card")]
    orientation: Annotated[Orientation, WRITTEN] = "landscape"
    rout: Annotated[bool, WRITTEN] = True
    no_rout: Annotated[tuple[Annotated[str, OneOf(SIDES)], ...], Length(len(SIDES))] = ()
    """The houses whose side of the morale track has no rout field (BOW-SKM-5)."""
    mace: BattleSide = ""
    """The house that has it; drawn if the card names none (BOW-SKM-6, BOW-SKM-14)."""
    victory: Annotated[BattleVictory, WRITTEN] = BattleVictory()

    def routs(self, house: str) -> bool:
        """Whether a house loses by rout."""
        return self.rout and house not in self.no_rout

    def of(self, house: str) -> tuple[SetupCard, ...]:
        """The set-up cards of a house."""
        return tuple(one for one in self.setup_cards if one.house == house)

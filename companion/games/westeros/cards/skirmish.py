"""Skirmish reference cards and set-up cards (BOW-SKM)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.westeros.cards.battle_plan import (
    BOARD_SIDES,
    MOST_UNITS,
    ORIENTATIONS,
    BattleVictory,
)
from companion.games.westeros.cards.unit_cards import RANKS
from companion.games.westeros.rules.hex_field import OVERLAYS
from models.board import Board
from models.field import Field

MOST_CARDS = 20


@dataclass(frozen=True, slots=True)
class SetupCard:
    """A set-up card: a commander with a value, units, and overlays (BOW-SKM-1)."""

    id: str
    house: str
    commander: str
    rank: str
    """The rank of the commander's unit."""
    units: tuple[tuple[str, str], ...]
    """The unit cards and ranks of its middle section."""
    overlays: tuple[str, ...]

    @classmethod
    def read(cls, item: Field) -> SetupCard:
        item.keys(
            {"id", "house", "commander", "rank", "units", "overlays"},
            {"id", "house", "commander", "units", "overlays"},
        )
        units = []
        for one in item.member("units").items(MOST_UNITS):
            one.keys({"card", "rank"}, {"card", "rank"})
            units.append((one.member("card").text(60), one.member("rank").choice(RANKS)))
        return cls(
            item.member("id").text(60),
            item.member("house").text(40),
            item.member("commander").text(60),
            item.member("rank").choice(RANKS) if "rank" in item.raw else RANKS[0],
            tuple(units),
            tuple(one.choice(OVERLAYS) for one in item.member("overlays").items(MOST_CARDS)),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "house": self.house,
            "commander": self.commander,
            "rank": self.rank,
            "units": [{"card": card, "rank": rank} for card, rank in self.units],
            "overlays": list(self.overlays),
        }


@dataclass(frozen=True, slots=True)
class SkirmishRules:
    """A skirmish reference card: limits, distances from the own edge, draws, and the numbers."""

    id: str
    name: str
    side: str
    orientation: str
    commanders: int
    value: int
    overlay_rows: int
    commander_rows: int
    unit_rows: int
    unit_draw: int
    terrain_draw: int
    rounds: int
    tokens: int
    orders: int
    cards: int
    rout: bool
    victory: BattleVictory
    setup_cards: tuple[SetupCard, ...]

    @classmethod
    def read(cls, item: Field, board: Board, sides: list[str]) -> SkirmishRules:
        """Read a reference card with its set-up cards; every error names its place."""
        numbers = {
            "commanders": (1, 5), "value": (1, 30), "overlay_rows": (1, 15),
            "commander_rows": (1, 15), "unit_rows": (1, 15), "unit_draw": (0, 8),
            "terrain_draw": (0, 8), "rounds": (1, 10), "tokens": (0, 10), "orders": (1, 10),
            "cards": (0, 10),
        }  # fmt: skip
        raw = item.keys(
            {"id", "name", "side", "orientation", "rout", "victory", "setup_card", *numbers},
            {"id", "name", "side", "setup_card", *numbers},
        )
        word = "orientation"
        cards = tuple(SetupCard.read(one) for one in item.member("setup_card").items(MOST_CARDS))
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            item.member("side").choice(BOARD_SIDES),
            item.member(word).choice(ORIENTATIONS) if word in raw else ORIENTATIONS[0],
            rout=item.member("rout").flag() if "rout" in raw else True,
            victory=BattleVictory.read(item.member("victory"), board, sides)
            if "victory" in raw
            else BattleVictory(),
            setup_cards=cards,
            **{key: item.member(key).whole(*bounds) for key, bounds in numbers.items()},
        )

    def to_json(self) -> dict[str, Any]:
        keys = (
            "id", "name", "side", "orientation", "commanders", "value", "overlay_rows",
            "commander_rows", "unit_rows", "unit_draw", "terrain_draw", "rounds", "tokens",
            "orders", "cards", "rout",
        )  # fmt: skip
        return {
            **{key: getattr(self, key) for key in keys},
            "victory": self.victory.to_json(),
            "setup_card": [one.to_json() for one in self.setup_cards],
        }

    def of(self, house: str) -> tuple[SetupCard, ...]:
        """The set-up cards of a house."""
        return tuple(one for one in self.setup_cards if one.house == house)

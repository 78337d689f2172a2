"""Coins: gold dragons, silver stags and copper stars (TAC-COI).

>>> Coins(3, 6, 18) - Coins(3, 1)
Coins(gold=0, silver=5, copper=18)
>>> Coins(2).written
'2-0-0'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from models.field import Field
from models.message import joined, say
from models.record_reader import Between, read_record

CoinKind = Literal["gold", "silver", "copper"]
COIN_KINDS: tuple[CoinKind, ...] = ("gold", "silver", "copper")
MOST_COINS = 99
CoinCount = Annotated[int, Between(0, MOST_COINS)]


@dataclass(frozen=True, slots=True)
class Coins:
    """An amount of each kind; kinds cannot be exchanged for one another (TAC-COI-8)."""

    gold: CoinCount = 0
    silver: CoinCount = 0
    copper: CoinCount = 0

    def __add__(self, other: Coins) -> Coins:
        return Coins(self.gold + other.gold, self.silver + other.silver, self.copper + other.copper)

    def __sub__(self, other: Coins) -> Coins:
        return Coins(self.gold - other.gold, self.silver - other.silver, self.copper - other.copper)

    def __bool__(self) -> bool:
        return self != Coins()

    def covers(self, cost: Coins) -> bool:
        """Whether the cost can be paid, kind by kind."""
        return self.gold >= cost.gold and self.silver >= cost.silver and self.copper >= cost.copper

    def of(self, kind: CoinKind) -> int:
        found: int = getattr(self, kind)
        return found

    @property
    def written(self) -> str:
        """Gold, silver and copper as the book writes a stock."""
        return f"{self.gold}-{self.silver}-{self.copper}"

    @classmethod
    def read(cls, field: Field) -> Coins:
        """Coins from `{gold = 2, silver = 1}` or from a list of three numbers."""
        if isinstance(field.raw, list):
            return cls(*(one.whole(0, MOST_COINS) for one in field.items(3, 3)))
        return read_record(cls, field)

    @classmethod
    def of_kind(cls, kind: CoinKind, count: int) -> Coins:
        return cls(**{kind: count})

    def to_json(self) -> list[int]:
        """The coins as JSON: gold, silver, copper."""
        return [self.gold, self.silver, self.copper]

    def say(self) -> str:
        """The coins in words: "2 gold, 1 silver"."""
        parts = []
        if self.gold:
            parts.append(say("{n} gold dragon", "{n} gold dragons", n=self.gold))
        if self.silver:
            parts.append(say("{n} silver stag", "{n} silver stags", n=self.silver))
        if self.copper:
            parts.append(say("{n} copper star", "{n} copper stars", n=self.copper))
        return joined(parts) if parts else say("no coins")

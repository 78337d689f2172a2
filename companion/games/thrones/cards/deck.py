"""A deck: its faction, agendas, plots and draw deck."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from companion.games.thrones.cards.card import DRAW_TYPES, NEUTRAL, CardFacts
from models.field import Field
from models.message import say

FACTION_WORDS = {
    "stark": say("House Stark"),
    "lannister": say("House Lannister"),
    "baratheon": say("House Baratheon"),
    "greyjoy": say("House Greyjoy"),
    "tyrell": say("House Tyrell"),
    "martell": say("House Martell"),
    "targaryen": say("House Targaryen"),
    "nights-watch": say("the Night's Watch"),
    NEUTRAL: say("neutral"),
}


@dataclass(frozen=True, slots=True)
class DeckList:
    """The cards of a player with their numbers; `cards` holds plots, agendas and the draw deck."""

    faction: str
    cards: tuple[tuple[CardFacts, int], ...]
    name: str = ""

    def of_type(self, *types: str) -> tuple[tuple[CardFacts, int], ...]:
        """The cards of these types, with their counts."""
        return tuple((card, n) for card, n in self.cards if card.type in types)

    @property
    def size(self) -> int:
        """The cards of the draw deck (AGOT-DECK-14)."""
        return sum(n for _, n in self.of_type(*DRAW_TYPES))

    @property
    def plots(self) -> tuple[CardFacts, ...]:
        """The plot deck, a doubled plot twice."""
        return tuple(card for card, n in self.of_type("plot") for _ in range(n))

    @property
    def agendas(self) -> tuple[CardFacts, ...]:
        return tuple([card for card, _ in self.cards if card.type == "agenda"])

    def to_json(self) -> dict[str, Any]:
        cards = [
            {"code": card.code, "type": card.type, "count": n, "card": card.to_json()}
            for card, n in self.cards
        ]
        return {"faction": self.faction, "name": self.name, "cards": cards}

    @classmethod
    def read(cls, item: Field) -> DeckList:
        """A deck from such an object."""
        cards = []
        for one in item.listed("cards", 2000):
            code, kind = one.raw["code"], one.raw["type"]
            card = CardFacts.read(code, kind, one.member("card"))
            cards.append((card, int(one.raw["count"])))
        return cls(item.raw["faction"], tuple(cards), item.raw.get("name", ""))


def copies(cards: tuple[tuple[CardFacts, int], ...]) -> Counter[str]:
    """How many cards of each title there are, whatever their version (AGOT-GEN-6)."""
    found: Counter[str] = Counter()
    for card, n in cards:
        found[card.name] += n
    return found

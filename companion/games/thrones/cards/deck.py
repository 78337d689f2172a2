"""A deck: its faction, agendas, plots and draw deck. Ready ones: those that were published, and the
two samples of the core set.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.games.thrones.cards.card import DRAW_TYPES, NEUTRAL, CardFacts
from companion.games.thrones.cards.catalogue import CardCatalogue
from companion.games.thrones.cards.packs import rows
from models.field import Field, decode, read_bytes
from models.message import say

DATA = Path(__file__).parents[1] / "data"
SAMPLES = ("stark", "lannister")
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


@dataclass(frozen=True, slots=True)
class ReadyDeck:
    """A published deck: codes and their numbers."""

    id: str
    name: str
    released: str
    faction: str
    counts: tuple[tuple[str, int], ...]

    def deck(self, cards: CardCatalogue) -> DeckList:
        return DeckList(self.faction, tuple((cards[code], n) for code, n in self.counts), self.name)


@lru_cache(maxsize=1)
def ready_decks() -> tuple[ReadyDeck, ...]:
    """The published decks in the order in which they came."""
    return tuple(
        ReadyDeck(row["id"], row["name"], row["released"], row["faction"], counts(row["cards"]))
        for row in rows("decks.csv")
    )


def counts(text: str) -> tuple[tuple[str, int], ...]:
    """The numbers of the codes in a row: "1x01198 3x01141"."""
    pairs = (part.partition("x") for part in text.split())
    return tuple((code, int(number)) for number, _, code in pairs)


def with_sample(text: str) -> str:
    """A deck list; the words "sample stark" stand for the shipped list of that name."""
    for name in SAMPLES:
        if text.lower().split() == ["sample", name]:
            path = DATA / f"sample-{name}.txt"
            return decode(read_bytes(path), path.name)
    return text

"""Ready decks: the published ones, and the two samples of the core set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.games.thrones.cards.catalogue import CardCatalogue
from companion.games.thrones.cards.deck import DeckList
from companion.games.thrones.cards.packs import rows
from models.field import decode, read_bytes

DATA = Path(__file__).parents[1] / "data"
SAMPLES = ("stark", "lannister")


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

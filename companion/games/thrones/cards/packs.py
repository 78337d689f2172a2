"""What data files of the game say of cards: the packs in which they were published, with dates and
numbers, and the bold words before their abilities.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.cards.catalogue import folded

DATA = Path(__file__).parents[1] / "data"
NEVER = "9999"
"""Packs without a date come after all others."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack; `kind` is "draft" or "variant" for sets that no other game uses.

    The numbers of a cycle's cards run through all its packs.
    """

    code: str
    name: str
    cycle: str
    released: str
    first_code: str
    first_number: int
    kind: str = ""


def rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of a data file that comes with the game."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


@lru_cache(maxsize=1)
def packs() -> dict[str, Pack]:
    """Every pack by its code, in the order in which the cycles came."""
    return {
        row["code"]: Pack(**{**row, "first_number": int(row["first_number"])})  # type: ignore[arg-type]
        for row in rows("packs.csv")
    }


@lru_cache(maxsize=1)
def pack_codes() -> dict[str, str]:
    """The code of each pack by its folded name and code; whole names only."""
    return {folded(text): one.code for one in packs().values() for text in (one.name, one.code)}


def pack_named(text: str) -> Pack | None:
    """The pack with that name or code, whatever its capitals."""
    code = pack_codes().get(folded(text))
    return packs()[code] if code else None


def pack_title(card: CardFacts) -> str:
    """The name of a card's pack; players' own packs have no other name."""
    return packs()[card.pack].name if card.pack in packs() else card.pack


def pack_kind(card: CardFacts) -> str:
    """ "draft" or "variant" for a card of such a set."""
    return packs()[card.pack].kind if card.pack in packs() else ""


def number_of(card: CardFacts) -> int:
    """The number of a card in its cycle; 0 for the players' own."""
    pack = packs().get(card.pack)
    if pack is None or not card.code.isdecimal():
        return 0
    return int(card.code) - int(pack.first_code) + pack.first_number


def earliest(cards: Iterable[CardFacts]) -> CardFacts:
    """The version that was published first: the one that is meant where no pack is named."""
    return min(cards, key=release)


def release(card: CardFacts) -> str:
    """When a card was published; the players' own are meant before all others."""
    pack = packs().get(card.pack)
    return pack.released or NEVER if pack else ""


@lru_cache(maxsize=1)
def octgn_codes() -> dict[str, str]:
    """The code of each card, and the id of each faction, by the id that OCTGN gives it."""
    return {row["id"]: row["code"] for row in rows("octgn.csv")}


@lru_cache(maxsize=1)
def timing_words() -> dict[str, tuple[str, ...]]:
    """The timing words of each card that has any, in printed order: "reaction", "when revealed"."""
    return {
        code: tuple(row["words"].split("; "))
        for row in rows("timing.csv")
        for code in row["cards"].split()
    }

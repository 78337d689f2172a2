"""The cards by code: those that come with the game, read when a type is needed, and the players'
own.

    cards = card_catalogue()
    cards["01001"].name
    [card.pack for card in cards.named("Arya Stark")]
    cards.nearest("Aria Stark")            # ["Arya Stark", ...]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any
from unicodedata import combining, normalize

from companion.games.shared.own_files import broken_own, own_by_id
from companion.games.thrones.cards.card import TYPES, CardFacts
from models.field import Field, load_toml, shown
from models.message import CompanionError

DATA = Path(__file__).parents[1] / "data"
OWN_FOLDER = "thrones-cards"
"""The name of the players' folder, beside their games."""
FORMAT = "table-companion/thrones-cards/1"
LONGEST_CODE = 40
MOST_CARDS = 4000
MOST_NEAR = 3


@lru_cache(maxsize=8192)
def folded(name: str) -> str:
    """A name for comparison: lower case, without accents, quotes and other signs."""
    plain = (sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))
    words = "".join(sign if sign.isalnum() else " " if sign in " -" else "" for sign in plain)
    return " ".join(words.split())


@lru_cache(maxsize=1)
def shipped_entries() -> dict[str, tuple[str, dict[str, Any]]]:
    """The type and the entry of every card that comes with the game, by code."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for kind in TYPES:
        raw = load_toml(DATA / f"{kind}s.toml").raw
        found |= {code: (kind, entry) for code, entry in raw[kind].items()}
    return found


@lru_cache(maxsize=4096)
def shipped_card(code: str) -> CardFacts:
    """A card that comes with the game; most entries are never asked for."""
    kind, entry = shipped_entries()[code]
    return CardFacts.of(code, kind, entry)


@lru_cache(maxsize=1)
def shipped_names() -> dict[str, list[str]]:
    """The codes of the shipped cards by their names, folded for comparison."""
    found: dict[str, list[str]] = {}
    for code, (_, entry) in shipped_entries().items():
        found.setdefault(folded(entry["name"]), []).append(code)
    return found


def read_cards(root: Field) -> dict[str, CardFacts]:
    """The cards of a players' file, by code: a table per type, in it a table per card."""
    root.keys({"format", *TYPES}, {"format"})
    if root.member("format").text() != FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {FORMAT!r}")
    found: dict[str, CardFacts] = {}
    for kind in TYPES:
        if kind not in root.raw:
            continue
        table = root.member(kind)
        if not isinstance(table.raw, dict) or len(table.raw) > MOST_CARDS:
            table.fail(f"is not a table of at most {MOST_CARDS} cards")
        for code in table.raw:
            if code in found:
                table.member(code).fail(f"{shown(code)} stands twice")
            found[Field(code, root.source, kind).text(LONGEST_CODE)] = CardFacts.read(
                code, kind, table.member(code)
            )
    return found


class CardCatalogue:
    """Every card: the players' own replace shipped ones of the same code."""

    def __init__(self, own: dict[str, CardFacts]) -> None:
        self.own = own
        self._by_name: dict[str, list[str]] = {}

    def __contains__(self, code: str) -> bool:
        return code in self.own or code in shipped_entries()

    def __getitem__(self, code: str) -> CardFacts:
        return self.own[code] if code in self.own else shipped_card(code)

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from (code for code in shipped_entries() if code not in self.own)

    def names(self) -> dict[str, list[str]]:
        """The codes of each name, folded for comparison."""
        if not self._by_name:
            found = shipped_names()
            if self.own:
                found = {
                    name: [c for c in codes if c not in self.own] for name, codes in found.items()
                }
                for code, card in self.own.items():
                    found.setdefault(folded(card.name), []).append(code)
                found = {name: codes for name, codes in found.items() if codes}
            self._by_name = found
        return self._by_name

    def named(self, name: str) -> list[CardFacts]:
        """Every version of a card, by its name (AGOT-GEN-6)."""
        return [self[code] for code in sorted(self.names().get(folded(name), ()))]

    def nearest(self, name: str, most: int = MOST_NEAR) -> list[str]:
        """The names that come closest to one that no card has."""
        known = self.names()
        wanted = folded(name)[:80]
        within = (one for one in known if len(wanted) >= 3 and wanted in one)
        found = sorted(within, key=len)[:most]
        if not found and wanted and " " not in wanted:
            words = {word for name in known for word in name.split()}
            close = get_close_matches(wanted, words, 1, 0.75)
            found = sorted((one for one in known if set(close) & set(one.split())), key=len)[:1]
        found += [one for one in get_close_matches(wanted, known, most, 0.6) if one not in found]
        return [self[known[one][0]].name for one in found[:most]]


def search(catalogue: CardCatalogue, text: str, most: int = 20) -> Sequence[CardFacts]:
    """The cards whose name holds every word of the text, those that begin with it first."""
    wanted = folded(text)
    words = wanted.split()
    if not words:
        return ()
    fitting = [name for name in catalogue.names() if all(word in name for word in words)]
    fitting.sort(key=lambda name: (not name.startswith(wanted), len(name), name))
    return [card for name in fitting[:most] for card in catalogue.named(name)][:most]


def card_catalogue(extra: dict[str, CardFacts] | None = None) -> CardCatalogue:
    """The shipped cards, those of the players' folder, and further ones.

    A file that cannot be read is left out.
    """
    return CardCatalogue({**own_by_id(OWN_FOLDER, read_cards), **(extra or {})})


def broken_cards() -> dict[str, CompanionError]:
    """Why files with cards of the players' own cannot be read, by the files' names."""
    return broken_own(OWN_FOLDER, read_cards)

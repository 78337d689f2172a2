"""The figure cards: those of the rulebook, the invented sample set, and the players' own.

The players' own cards are TOML files in a folder of theirs; a card of the same id replaces a
shipped one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from companion.games.shared.own_files import broken_own, read_own
from companion.games.tactics.cards.figure_card import FigureCard
from models.errors import CompanionError
from models.field import Field, load_toml, shown

DATA = Path(__file__).parents[1] / "data"
OWN_FOLDER = "tactics-cards"
"""The name of the players' folder, beside their games."""
SHIPPED = ("trident.toml", "sample.toml")
MOST_CARDS = 400
FORMAT = "table-companion/tactics-cards/1"


@lru_cache(maxsize=1)
def shipped_cards() -> Mapping[str, FigureCard]:
    """The cards that come with the game, by id."""
    found: dict[str, FigureCard] = {}
    for name in SHIPPED:
        found |= read_cards(load_toml(DATA / name))
    return found


def read_cards(root: Field) -> dict[str, FigureCard]:
    """The cards of a file, by id; a card that stands twice is refused."""
    root.keys({"format", "figure"}, {"format"})
    if root.member("format").text() != FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {FORMAT!r}")
    found: dict[str, FigureCard] = {}
    for item in root.listed("figure", MOST_CARDS):
        card = FigureCard.read(item)
        if card.id in found:
            item.member("id").fail(f"{shown(card.id)} stands twice")
        found[card.id] = card
    return found


def every_card() -> dict[str, FigureCard]:
    """The shipped cards and the players' own, which replace shipped ones of the same id."""
    return {**shipped_cards(), **own_cards()}


def own_cards() -> dict[str, FigureCard]:
    """The players' own cards; a card in a file of its own name replaces the same in another.

    A file that cannot be read is left out.
    """
    found: dict[str, FigureCard] = {}
    alone: dict[str, FigureCard] = {}
    for path, cards, _ in read_own(OWN_FOLDER, read_cards):
        found |= cards or {}
        alone |= {name: card for name, card in (cards or {}).items() if path.stem == name}
    return found | alone


def broken_cards() -> dict[str, CompanionError]:
    """Why files with cards of the players' own cannot be read, by the files' names."""
    return broken_own(OWN_FOLDER, read_cards)


def sound_cards() -> dict[str, FigureCard]:
    """Every card, to be played with; a file that cannot be read raises its error.

    It may hold other numbers of a shipped card.
    """
    for error in broken_cards().values():
        raise error
    return every_card()


def find_card(name: str) -> FigureCard | None:
    """The card of that id or name."""
    cards = sound_cards()
    if name in cards:
        return cards[name]
    return next((card for card in cards.values() if card.name == name), None)

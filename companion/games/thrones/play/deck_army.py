"""Decks behind the interface of army lists: read, judged by what was agreed, written again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api.play import Refusal
from companion.games.thrones.cards.catalogue import card_catalogue
from companion.games.thrones.cards.deck import DeckList
from companion.games.thrones.cards.deck_draft import DeckDraft
from companion.games.thrones.cards.deck_reader import read_draft
from companion.games.thrones.cards.deck_rules import FORMATS, DeckRules, deck_problems
from companion.games.thrones.cards.deck_writer import LAYOUTS, thronesdb_faction, write_deck
from companion.games.thrones.cards.restricted import listed_cards
from companion.games.thrones.game import GAME_NAME
from models.message import BadInput, CompanionError, UnknownName, say

AGREED = ("list", "format", "sets")


@dataclass(frozen=True, slots=True)
class DeckArmy:
    """A deck that was read, as far as it could be, and the rules it is judged by."""

    deck: DeckList
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    rules: DeckRules = DeckRules()

    game = GAME_NAME
    points = 0

    @property
    def faction(self) -> str:
        return self.deck.faction

    @property
    def units(self) -> Sequence[object]:
        return self.deck.cards

    def to_json(self) -> dict[str, Any]:
        """The faction as ThronesDB writes it, agendas by code, and every card with its number."""
        cards = [{"code": card.code, "title": card.name, "count": n} for card, n in self.deck.cards]
        found: dict[str, Any] = {
            "faction": thronesdb_faction(self.deck),
            "agendas": [card.code for card in self.deck.agendas],
            "cards": cards,
        }
        return {**found, "unread": list(self.unread)} if self.unread else found


class DeckArmies:
    """The card game as a reader of decks; `games/api/army_building.py` documents the methods."""

    @property
    def army_forms(self) -> tuple[str, ...]:
        return tuple(LAYOUTS)

    def read_army(self, game: str, text: str, points: int | None = None) -> DeckArmy:
        draft = read_draft(text, card_catalogue(), "")
        if not draft.counts and not draft.unread:
            raise BadInput("deck", "", say("holds no card"))
        return deck_army(draft)

    def army_unread(self, army: DeckArmy) -> Sequence[str]:
        return army.unread

    def army_agreed(self, army: DeckArmy, agreed: Mapping[str, str]) -> DeckArmy:
        for name in agreed:
            if name not in AGREED:
                raise UnknownName(f"no rule {name!r}; there are: {', '.join(AGREED)}")
        kind = agreed.get("format", "joust")
        if kind not in FORMATS:
            raise CompanionError(f"no format {kind!r}; there are: {', '.join(FORMATS)}")
        if kept := agreed.get("list", ""):
            listed_cards(kept)  # refuses a list that nobody issued
        rules = DeckRules(kind, kept, tuple(agreed.get("sets", "").split(",")))
        return DeckArmy(army.deck, army.notes, army.unread, rules)

    def army_problems(self, army: DeckArmy, mates: Sequence[DeckArmy] = ()) -> Sequence[Refusal]:
        return tuple(deck_problems(army.deck, army.rules))

    def army_notes(self, army: DeckArmy, text: str) -> Sequence[str]:
        return army.notes

    def write_army(self, army: DeckArmy, form: str) -> str:
        return write_deck(army.deck, form, card_catalogue())


def deck_army(draft: DeckDraft) -> DeckArmy:
    """The deck of a draft with its remarks and unread lines."""
    return DeckArmy(draft.deck(), tuple(draft.notes), tuple(one.text for one in draft.unread))

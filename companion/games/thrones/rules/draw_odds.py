"""The odds of cards: drawing one of several copies by a round, a claim that hits a card in hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from companion.games.api.rules import OddsField
from companion.games.shared.distribution import Distribution, at_least, hypergeometric, mean
from models.field import Field

FIRST_HAND = 7
PER_ROUND = 2
USUAL_DECK = 60
MOST = 300
DRAW_FIELDS = (
    OddsField("copies", "number", "copies of the card in the deck or hand", True, least=1, most=60),
    OddsField("deck", "number", "cards in the draw deck, 60 if left out", least=1, most=MOST),
    OddsField("round", "number", "drawn by the draw phase of this round: 7 and 2 a round"),
    OddsField("draws", "number", "cards drawn, instead of a round", most=MOST),
    OddsField("extra", "number", "further cards drawn until then, set-up included"),
    OddsField("mulligan", "flag", "a first hand without the card is replaced once"),
    OddsField("hand", "number", "cards in hand: the odds of an intrigue claim", least=1, most=MOST),
    OddsField("claim", "number", "cards discarded at random, 1 if left out"),
)


@dataclass(frozen=True, slots=True)
class CardOdds:
    """How many of the wanted cards are among those drawn or discarded."""

    hits: Distribution
    drawn: int
    cards: int

    @property
    def left_known(self) -> bool:
        return False

    @property
    def chance(self) -> Fraction:
        """The chance of at least one."""
        return at_least(self.hits, 1)

    def to_json(self) -> dict[str, Any]:
        return {
            "mean": float(mean(self.hits)),
            "destroys": None,
            "cards": self.cards,
            "drawn": self.drawn,
            "at_least_one": float(self.chance),
            "copies": {str(hits): float(p) for hits, p in self.hits.items()},
        }


def chance_drawn(deck: int, copies: int, draws: int) -> float:
    """The chance of at least one of the copies among the next cards of a deck.

    >>> round(chance_drawn(60, 3, 9), 4)
    0.3914
    """
    draws = min(draws, deck)
    return 1.0 - comb(max(0, deck - copies), draws) / comb(deck, draws) if deck else 0.0


def card_odds(asked: Mapping[str, Any]) -> CardOdds:
    """The odds for plain values; errors name the value."""
    field = Field(dict(asked), "odds")
    raw = field.keys({one.name for one in DRAW_FIELDS}, {"copies"})
    copies = field.member("copies").whole(1, 60)
    if "hand" in raw:
        hand = field.member("hand").whole(1, MOST)
        claim = field.member("claim").whole(0, 20) if "claim" in raw else 1
        if copies > hand:
            field.member("copies").fail(f"{copies} copies do not fit into a hand of {hand}")
        return CardOdds(hypergeometric(hand, copies, min(claim, hand)), min(claim, hand), hand)
    deck = field.member("deck").whole(1, MOST) if "deck" in raw else USUAL_DECK
    if copies > deck:
        field.member("copies").fail(f"{copies} copies do not fit into a deck of {deck}")
    drawn = FIRST_HAND
    if "draws" in raw:
        drawn = field.member("draws").whole(0, MOST)
    elif "round" in raw:
        drawn += PER_ROUND * field.member("round").whole(0, 60)
    if "extra" in raw:
        drawn += field.member("extra").whole(0, 60)
    drawn = min(drawn, deck)
    hits = hypergeometric(deck, copies, drawn)
    if raw.get("mulligan"):
        hits = with_mulligan(hits, deck, copies, drawn)
    return CardOdds(hits, drawn, deck)


def with_mulligan(hits: Distribution, deck: int, copies: int, drawn: int) -> Distribution:
    """The copies among the cards drawn if a first hand without any is replaced once.

    Either the first hand had one, and the draws went on; or it had none, and all began anew.
    """
    first = min(FIRST_HAND, drawn)
    missed = hypergeometric(deck, copies, first).get(0, Fraction(0))
    later = hypergeometric(deck - first, copies, drawn - first) if missed else {}
    return {n: p - missed * later.get(n, Fraction(0)) + missed * p for n, p in hits.items()}


def odds_lines(odds: Mapping[str, Any]) -> list[str]:
    """The odds for people."""
    lines = [f"{odds['drawn']} of {odds['cards']} cards: at least one {odds['at_least_one']:.2%}"]
    return lines + [f"{hits:>4} copies  {p:7.2%}" for hits, p in odds["copies"].items()]

"""A deck: its faction, agenda, plots and draw deck, and what breaks the rules of deck building."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.games.api.play import Refusal
from companion.games.shared.commands import no
from companion.games.thrones.cards.card import DRAW_TYPES, FACTIONS, NEUTRAL, CardFacts
from models.field import Field
from models.message import say

PLOTS = 7
"""The plot deck has exactly 7 cards (AGOT-DECK-3)."""
LEAST_CARDS = 60
"""The draw deck has at least 60 cards (AGOT-DECK-7), and no maximum (AGOT-DECK-8)."""
MOST_COPIES = 3
PLOT_LIMITS = {1: "AGOT-DECK-5", 2: "AGOT-DECK-4"}
"""The rule that a limit of that many copies of a plot comes from; higher ones are AGOT-DECK-6."""
BANNER_CARDS = 12
"""A banner agenda asks for 12 non-loyal cards of its faction (AGOT-DECK-13)."""
BANNERS = {
    "Banner of the Stag": "baratheon",
    "Banner of the Kraken": "greyjoy",
    "Banner of the Lion": "lannister",
    "Banner of the Sun": "martell",
    "Banner of the Watch": "nights-watch",
    "Banner of the Wolf": "stark",
    "Banner of the Dragon": "targaryen",
    "Banner of the Rose": "tyrell",
}
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
        return tuple(card for card, _ in self.of_type("agenda"))

    def to_json(self) -> dict[str, Any]:
        """The deck as a JSON object."""
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


def deck_problems(deck: DeckList, allowed: bool = False) -> Iterator[Refusal]:
    """Everything that breaks a rule of deck building; `allowed` trusts the agenda's own text."""
    if deck.faction not in FACTIONS:
        yield no("AGOT-DECK-1", "the deck names no faction")
    if len(deck.agendas) > 1 and not allowed:
        yield no("AGOT-DECK-2", "{n} agenda, at most 1", "{n} agendas, at most 1",
                 n=sum(n for _, n in deck.of_type("agenda")))  # fmt: skip
    yield from plot_problems(deck)
    if deck.size < LEAST_CARDS:
        yield no(
            "AGOT-DECK-7",
            "the draw deck has {n} card, at least 60 are needed",
            "the draw deck has {n} cards, at least 60 are needed",
            n=deck.size,
        )
    draw = deck.of_type(*DRAW_TYPES)
    limits: dict[str, int] = {}
    for card, _ in draw:
        limits[card.name] = min(card.limit, limits.get(card.name, card.limit))
    for name, n in copies(draw).items():
        if n > limits[name]:
            rule = "AGOT-DECK-9" if limits[name] == MOST_COPIES else "AGOT-DECK-10"
            yield no(rule, "{n} copies of {card}, at most {most}", n=n, card=name,
                     most=limits[name])  # fmt: skip
    yield from faction_problems(deck, allowed)


def plot_problems(deck: DeckList) -> Iterator[Refusal]:
    """What is wrong with the plot deck."""
    plots = deck.of_type("plot")
    if len(deck.plots) != PLOTS:
        yield no(
            "AGOT-DECK-3",
            "the plot deck has {n} card, it must have 7",
            "the plot deck has {n} cards, it must have 7",
            n=len(deck.plots),
        )
    counted = copies(plots)
    limits = {card.name: card.limit for card, _ in plots}
    doubled = [name for name, n in counted.items() if n > 1]
    for name in doubled:
        if counted[name] > limits[name]:
            rule = PLOT_LIMITS.get(limits[name], "AGOT-DECK-6")
            yield no(rule, "{n} copies of {card}, at most {most}", n=counted[name], card=name,
                     most=limits[name])  # fmt: skip
    if len(doubled) > 1:
        yield no(
            "AGOT-DECK-4",
            "only one plot may be there twice, not {cards}",
            cards=", ".join(sorted(doubled)),
        )


def faction_problems(deck: DeckList, allowed: bool) -> Iterator[Refusal]:
    """Cards of other factions: loyal ones never, others only if a banner admits them."""
    banners = [BANNERS[one.name] for one in deck.agendas if one.name in BANNERS]
    foreign = [
        (card, n)
        for card, n in deck.of_type(*DRAW_TYPES, "plot")
        if card.faction not in (NEUTRAL, deck.faction)
    ]
    for card, _ in foreign:
        if card.loyal and not allowed:
            yield no(
                "AGOT-DECK-12",
                "{card} is loyal to {faction}",
                card=card.name,
                faction=FACTION_WORDS[card.faction],
            )
        elif card.faction not in banners and not allowed:
            yield Refusal(
                "AGOT-DECK-11",
                say(
                    "{card} belongs to {faction}; does the agenda allow it?",
                    card=card.name,
                    faction=FACTION_WORDS[card.faction],
                ),
                "allowed",
            )
    for banner in banners:
        n = sum(
            n for card, n in foreign if card.faction == banner and not card.loyal
            and card.type != "plot"
        )  # fmt: skip
        if n < BANNER_CARDS and not allowed:
            yield no(
                "AGOT-DECK-13",
                "the banner asks for 12 cards of {faction} that are not loyal, there are {count}",
                faction=FACTION_WORDS[banner],
                count=n,
            )

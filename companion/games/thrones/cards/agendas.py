"""What agendas change in deck building: data, and the questions that deck rules ask of it.

rule = agenda_rule("09045")
rule.cards, rule.admits.fits(card)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.games.thrones.cards.card import DRAW_TYPES, CardFacts
from models.field import load_toml

DATA = Path(__file__).parents[1] / "data" / "agenda_rules.toml"
PLOTS = 7
"""The plot deck has exactly 7 cards (AGOT-DECK-3)."""
DOUBLED = 1
"""One plot may be there twice (AGOT-DECK-4)."""
LEAST_CARDS = 60
"""The draw deck has at least 60 cards (AGOT-DECK-7), and no maximum (AGOT-DECK-8)."""
DRAFT_PLOTS, DRAFT_CARDS = 5, 40
SETUP_GOLD = 8
"""The set-up cards may cost 8 gold together (AGOT-SET-12)."""


@dataclass(frozen=True, slots=True)
class CardFilter:
    """Which cards an agenda speaks of; an empty member does not matter."""

    type: tuple[str, ...] = ()
    plots: bool = False
    trait: tuple[str, ...] = ()
    without_trait: tuple[str, ...] = ()
    keyword: tuple[str, ...] = ()
    without_keyword: tuple[str, ...] = ()
    or_type: tuple[str, ...] = ()
    faction: tuple[str, ...] = ()
    without_faction: tuple[str, ...] = ()
    loyal: bool = False
    number: int = 0
    titles: bool = False
    each_faction: bool = False
    over_types: bool = False
    but_admitted: bool = False
    named: str = ""

    @classmethod
    def of(cls, raw: dict[str, Any]) -> CardFilter:
        """A filter from the members of an entry."""
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()
        }
        return cls(**values)

    def fits(self, card: CardFacts) -> bool:
        """Whether the agenda speaks of the card; loyalty is asked apart."""
        types = self.type or (*DRAW_TYPES, *(("plot",) if self.plots else ()))
        if card.type in self.or_type:
            return True
        return (
            card.type in types
            and (not self.faction or card.faction in self.faction)
            and card.faction not in self.without_faction
            and (not self.trait or has_trait(card, self.trait))
            and not has_trait(card, self.without_trait)
            and (not self.keyword or bool(set(self.keyword) & set(card.keywords)))
            and not set(self.without_keyword) & set(card.keywords)
        )


def traits_of(card: CardFacts) -> set[str]:
    return {one.strip() for one in card.traits.split(",") if one.strip()}


def has_trait(card: CardFacts, traits: Iterable[str]) -> bool:
    """Whether a card has one of these traits."""
    return bool(traits_of(card) & set(traits))


@dataclass(frozen=True, slots=True)
class AgendaRule:
    """The deck rules with an agenda; without one it has the usual numbers.

    `schemes` plots of the trait Scheme stand beside the others, each once. `setup_gold` is negative
    where no set-up card may be placed. `further` are the agendas that may come with it.
    """

    plots: int = PLOTS
    doubled: int = DOUBLED
    cards: int = LEAST_CARDS
    schemes: int = 0
    setup_gold: int = SETUP_GOLD
    format: str = ""
    admits: CardFilter | None = None
    forbids: CardFilter | None = None
    least: CardFilter | None = None
    most: CardFilter | None = None
    single: CardFilter | None = None
    further: CardFilter | None = None

    @classmethod
    def of(cls, raw: dict[str, Any]) -> AgendaRule:
        """The rule from the members of an entry."""
        values: dict[str, Any] = {
            key: CardFilter.of(value) if isinstance(value, dict) else value
            for key, value in raw.items()
        }
        return cls(**values)


USUAL = AgendaRule()


@lru_cache(maxsize=1)
def agenda_rules() -> dict[str, AgendaRule]:
    """The rules of the agendas that change anything, by code."""
    raw = load_toml(DATA).raw["agenda"]
    return {code: AgendaRule.of(entry) for code, entry in raw.items()}


def agenda_rule(code: str) -> AgendaRule:
    """The deck rules with that agenda."""
    return agenda_rules().get(code, USUAL)

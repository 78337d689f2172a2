"""Attachments, NCUs and tactics cards, and the catalogue of an edition with all of them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated

from models.army_card import (
    ArmyCard,
    CardCost,
    CardFaction,
    CardIndex,
    CardNames,
    CardVersion,
    CatalogueCard,
)
from models.catalogue import Catalogue, files_of, gather, own_folder
from models.record_reader import GIVEN, Length, OneOf
from models.unit_card import TYPES

JOINS = (*TYPES, "none")
"""The type of unit it may join (TMG-ATM-5); "none" joins a unit only by an ability."""


@dataclass(frozen=True, slots=True)
class Attachment(ArmyCard):
    """Name and numbers of an attachment; a commander costs 0 (TMG-CMD-5).

    `type` is empty and `cost` None where they are unknown.
    """

    type: Annotated[str, OneOf(JOINS)] = ""
    cost: CardCost | None = None
    joins: CardNames = ()
    """Names of the units it may join, if its card restricts them (TMG-ARM-13)."""


@dataclass(frozen=True, slots=True)
class NonCombatUnit(ArmyCard):
    """Name and numbers of an NCU; `cost` is None where it is unknown."""

    cost: CardCost | None = None


@dataclass(frozen=True, slots=True)
class TacticsCard(CatalogueCard):
    """A faction's card, or with `commander` (an id) one that he brings (TMG-DECK-1).

    `removes` are the ids of the faction's cards that leave the deck under that commander.
    """

    id: Annotated[str, GIVEN]
    name: str
    faction: CardFaction
    commander: Annotated[str, Length(60)] = ""
    removes: Annotated[tuple[Annotated[str, Length(60)], ...], Length(40)] = ()
    version: CardVersion = ""

    @property
    def label(self) -> str:
        """The name; a card has no title."""
        return self.name


@dataclass(frozen=True)
class ArmyCatalogue(Catalogue):
    """Trays, terrain pieces and every card of an army, by id and by name."""

    attachments: CardIndex[Attachment] = field(default_factory=CardIndex)
    ncus: CardIndex[NonCombatUnit] = field(default_factory=CardIndex)
    cards: CardIndex[TacticsCard] = field(default_factory=CardIndex)


def army_catalogue(game: str) -> ArmyCatalogue:
    """The catalogue of an edition, including the player's own entries."""
    return gather_army_cards(game, own_folder())


@lru_cache
def gather_army_cards(game: str, own: Path | None) -> ArmyCatalogue:
    """The catalogue from the shipped files and one further folder; cached."""
    found = gather(game, own)
    every = {one.name: getattr(found, one.name) for one in fields(found)}
    files = partial(files_of, game, own)
    attachments = CardIndex("attachment", Attachment.read, *files("attachments.toml"))
    ncus = CardIndex("NCU", NonCombatUnit.read, *files("ncus.toml"))
    cards = CardIndex("tactics card", TacticsCard.read, *files("cards.toml"))
    return ArmyCatalogue(**every, attachments=attachments, ncus=ncus, cards=cards)

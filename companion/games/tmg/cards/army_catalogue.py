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
from models.catalogue import DATA, TYPES, Catalogue, files_of, gather, own_folder
from models.record_reader import GIVEN, Length, OneOf, Record

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


WHOSE = ("friendly", "enemy", "either")
STAGES = ("before-dice", "after-dice", "before-it-resolves", "passed", "failed", "completed")


@dataclass(frozen=True, slots=True)
class CardMoment(Record):
    """When a part of a tactics card is played: what happens, to whom, and how far it has come.

    "friendly" is the side of the card's player; of "unit-is-attacked" and "unit-is-charged" it
    is the side of that unit. `unit` says in words which units it asks for.
    """

    moment: Annotated[str, Length(40)]
    whose: Annotated[str, OneOf(WHOSE)] = "either"
    stage: Annotated[str, OneOf(STAGES)] = ""
    unit: Annotated[str, Length(60)] = ""
    zone: Annotated[str, Length(20)] = ""


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
    timing: Annotated[tuple[CardMoment, ...], Length(12)] = ()
    """When its parts are played (TMG-DECK-3)."""

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


FIRST_SEASON = "S05"
"""The season of the cards in the edition's own folder; an army that names none is of this one."""


def seasons(game: str) -> tuple[str, ...]:
    """The seasons of an edition's cards, oldest first; none where its cards never changed."""
    later = sorted(folder.name for folder in (DATA / game).iterdir() if folder.is_dir())
    return (FIRST_SEASON, *later) if later else ()


def season_named(game: str, name: str) -> str | None:
    """The season that players call so, as armies keep it: "" is the first; None: there is none."""
    plain = "".join(filter(str.isalnum, name.casefold())).removeprefix("season")
    plain = plain.removeprefix("saison").removeprefix("сезон").removeprefix("s").lstrip("0")
    found = next((one for one in seasons(game) if one.lstrip("S0") == plain), None)
    return "" if found == FIRST_SEASON else found


def army_catalogue(game: str, season: str = "") -> ArmyCatalogue:
    """The catalogue of an edition and season, including the player's own entries."""
    return gather_army_cards(game, own_folder(), season)


@lru_cache
def gather_army_cards(game: str, own: Path | None, season: str = "") -> ArmyCatalogue:
    """The catalogue from the shipped files and one further folder; cached."""
    found = gather(game, own, season)
    every = {one.name: getattr(found, one.name) for one in fields(found)}
    files = partial(files_of, game, own, season=season)
    attachments = CardIndex("attachment", Attachment.read, *files("attachments.toml"))
    ncus = CardIndex("NCU", NonCombatUnit.read, *files("ncus.toml"))
    cards = CardIndex("tactics card", TacticsCard.read, *files("cards.toml"))
    return ArmyCatalogue(**every, attachments=attachments, ncus=ncus, cards=cards)

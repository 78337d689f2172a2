"""The catalogue of an edition with its attachments, NCUs and tactics cards."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache, partial
from pathlib import Path

from companion.games.tmg.cards.attachment import Attachment
from companion.games.tmg.cards.ncu import NonCombatUnit
from companion.games.tmg.cards.tactics_card import TacticsCard
from models.cards.card_index import CardIndex
from models.catalogue import Catalogue, files_of, gather, own_folder


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

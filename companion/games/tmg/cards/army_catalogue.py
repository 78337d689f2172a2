"""Attachments, NCUs and tactics cards, and the catalogue of an edition with all of them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from models import army_card
from models.army_card import CardIndex
from models.catalogue import Catalogue, files_of, gather, own_folder
from models.field import Field, drop_empty
from models.unit_card import TYPES

JOINS = (*TYPES, "none")
"""The type of unit it may join (TMG-ATM-5); "none" joins a unit only by an ability."""

ATTACHMENT_KEYS = army_card.KEYS | {"type", "joins"}


@dataclass(frozen=True, slots=True)
class Attachment:
    """Name and numbers of an attachment; a commander costs 0 (TMG-CMD-5).

    `type` is empty and `cost` None where they are unknown.
    """

    id: str
    name: str
    faction: str
    type: str = ""
    cost: int | None = None
    abilities: tuple[str, ...] = ()
    title: str = ""
    version: str = ""
    commander: bool = False
    character: bool = False
    requires: tuple[str, ...] = ()
    """Names of cards of which the army must have one (TMG-ARM-13)."""
    excludes: tuple[str, ...] = ()
    """Names of cards that the army may not have (TMG-ARM-13)."""
    joins: tuple[str, ...] = ()
    """Names of the units it may join, if its card restricts them (TMG-ARM-13)."""

    @property
    def label(self) -> str:
        """The name with its title, which distinguishes versions of a character."""
        return army_card.label(self)

    @classmethod
    def read(cls, field: Field, card_id: str) -> Attachment:
        """Read an entry of `attachments.toml`."""
        raw = field.keys(ATTACHMENT_KEYS, army_card.REQUIRED)
        kind = field.member("type").choice(JOINS) if "type" in raw else ""
        names = tuple(item.text() for item in field.listed("joins", 20))
        return cls(id=card_id, type=kind, joins=names, **army_card.shared(field))

    def to_json(self) -> dict[str, Any]:
        """The entry as a TOML-compatible object; its id is the heading."""
        return army_card.plain(self, {"type": self.type, "joins": list(self.joins)})


@dataclass(frozen=True, slots=True)
class NonCombatUnit:
    """Name and numbers of an NCU; `cost` is None where it is unknown."""

    id: str
    name: str
    faction: str
    cost: int | None = None
    abilities: tuple[str, ...] = ()
    title: str = ""
    version: str = ""
    commander: bool = False
    character: bool = False
    requires: tuple[str, ...] = ()
    """Names of cards of which the army must have one (TMG-ARM-13)."""
    excludes: tuple[str, ...] = ()
    """Names of cards that the army may not have (TMG-ARM-13)."""

    @property
    def label(self) -> str:
        """The name with its title, which distinguishes versions of a character."""
        return army_card.label(self)

    @classmethod
    def read(cls, field: Field, card_id: str) -> NonCombatUnit:
        """Read an entry of `ncus.toml`."""
        field.keys(army_card.KEYS, army_card.REQUIRED)
        return cls(id=card_id, **army_card.shared(field))

    def to_json(self) -> dict[str, Any]:
        """The entry as a TOML-compatible object; its id is the heading."""
        return army_card.plain(self)


TACTICS_CARD_KEYS = frozenset("name faction commander removes version".split())


@dataclass(frozen=True, slots=True)
class TacticsCard:
    """A faction's card, or with `commander` (an id) one that he brings (TMG-DECK-1).

    `removes` are the ids of the faction's cards that leave the deck under that commander.
    """

    id: str
    name: str
    faction: str
    commander: str = ""
    removes: tuple[str, ...] = ()
    version: str = ""

    @property
    def label(self) -> str:
        """The name; a card has no title."""
        return self.name

    @classmethod
    def read(cls, field: Field, card_id: str) -> TacticsCard:
        """Read an entry of `cards.toml`."""
        raw = field.keys(TACTICS_CARD_KEYS, ("name", "faction"))
        return cls(
            id=card_id,
            name=field.member("name").text(),
            faction=field.member("faction").text(40),
            commander=field.member("commander").text(60) if "commander" in raw else "",
            removes=tuple(item.text(60) for item in field.listed("removes", 40)),
            version=field.member("version").text(40) if "version" in raw else "",
        )

    def to_json(self) -> dict[str, Any]:
        """The entry as a TOML-compatible object; its id is the heading."""
        return drop_empty(
            {
                "name": self.name,
                "faction": self.faction,
                "commander": self.commander,
                "removes": list(self.removes),
                "version": self.version,
            }
        )


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

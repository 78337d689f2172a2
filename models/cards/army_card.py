"""The common members of an army's cards: units, attachments and NCUs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from models.field import Field, drop_empty

KEYS = frozenset(
    "name title faction cost abilities version commander character requires excludes".split()
)
REQUIRED = ("name", "faction")


class Shared(TypedDict):
    """The members that every card of an army may have."""

    name: str
    faction: str
    cost: int | None
    abilities: tuple[str, ...]
    title: str
    version: str
    commander: bool
    character: bool
    requires: tuple[str, ...]
    excludes: tuple[str, ...]


ArmyCard = Any
"""A record with those members; frozen records match neither a TypedDict nor a Protocol."""


def shared(field: Field) -> Shared:
    """Read the common members of an entry whose keys were already checked."""
    raw = field.raw
    return Shared(
        name=field.member("name").text(),
        faction=field.member("faction").text(40),
        cost=field.member("cost").whole(0, 100) if "cost" in raw else None,
        abilities=tuple(item.text() for item in field.listed("abilities", 40)),
        title=field.member("title").text() if "title" in raw else "",
        version=field.member("version").text(40) if "version" in raw else "",
        commander=field.member("commander").flag() if "commander" in raw else False,
        character=field.member("character").flag() if "character" in raw else False,
        requires=tuple(item.text() for item in field.listed("requires", 20)),
        excludes=tuple(item.text() for item in field.listed("excludes", 20)),
    )


def label(card: ArmyCard) -> str:
    """The name with its title, which distinguishes versions of a character."""
    name: str = card.name
    return f"{name}, {card.title}" if card.title else name


def plain(
    card: ArmyCard, kind: Mapping[str, Any] | None = None, numbers: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The entry as a TOML-compatible object, with the card's own members; its id is the heading."""
    return drop_empty(
        {
            "name": card.name,
            "title": card.title,
            "faction": card.faction,
            **(kind or {}),
            "cost": card.cost,
            **(numbers or {}),
            "abilities": list(card.abilities),
            "version": card.version,
            "commander": card.commander,
            "character": card.character,
            "requires": list(card.requires),
            "excludes": list(card.excludes),
        }
    )

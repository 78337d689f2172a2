"""The cards of an army: the common members of units, attachments and NCUs, and the index of one
kind of cards by id and by name, read from their files on first access.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypedDict, TypeVar

from models.field import Field, drop_empty, load_toml, shown
from models.message import UnknownName, say

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


NEAREST = 3
"""The number of suggestions for an unknown name."""

STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})


class IndexedCard(Protocol):
    """What every catalogue entry has."""

    @property
    def id(self) -> str:
        """The id in files and records."""

    @property
    def name(self) -> str:
        """The name players use."""

    @property
    def label(self) -> str:
        """The name, with its title if it has one."""

    @property
    def faction(self) -> str: ...


T = TypeVar("T", bound=IndexedCard)


class CardIndex(Mapping[str, T]):
    """The cards of one kind (units, attachments, ...) of one game, by id.

    Nothing is read before the first access; then every entry is checked.
    """

    def __init__(
        self,
        kind: str = "card",
        read: Callable[[Field, str], T] | None = None,
        files: tuple[Path, ...] = (),
        own: tuple[Path, ...] = (),
    ) -> None:
        self.kind = kind
        self._files = files
        self._read = read
        self._own = own

    @cached_property
    def _entries(self) -> dict[str, Field]:
        return entries((*self._files, *self._own))

    @cached_property
    def _cards(self) -> dict[str, T]:
        if self._read is None:
            return {}
        return {key: self._read(entry, key) for key, entry in self._entries.items()}

    @cached_property
    def _names(self) -> dict[str, tuple[T, ...]]:
        """Cards by plain name and by full label; a player's own come before the shipped ones."""
        own = {str(path) for path in self._own}
        found: dict[str, tuple[T, ...]] = {}
        for mine in (False, True):
            named: dict[str, tuple[T, ...]] = {}
            for key, card in self._cards.items():
                if (self._entries[key].source in own) is mine:
                    for name in {folded(card.name), folded(card.label)}:
                        named[name] = (*named.get(name, ()), card)
            found.update(named)
        return found

    # -- by id ------------------------------------------------------------------------------

    def __getitem__(self, key: str) -> T:
        return self._cards[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    # -- by name ----------------------------------------------------------------------------

    def named(self, name: str) -> tuple[T, ...]:
        """Every card of that name (or `name, title`); case and kind of apostrophe do not matter."""
        return self._names.get(folded(name), ())

    def find(self, name: str, factions: Iterable[str] = ()) -> T:
        """The one card with that id or name; of several, that of the first faction that has one."""
        if name in self._cards:
            return self._cards[name]
        cards = preferred(self.named(name), factions)
        if not cards:
            raise UnknownName(unknown(self.kind, name, self._cards.values()))
        if len(cards) > 1:
            raise UnknownName(ambiguous(self.kind, name, cards))
        return cards[0]

    @property
    def factions(self) -> tuple[str, ...]:
        """The factions that have a card here."""
        return tuple(sorted({card.faction for card in self._cards.values()}))


def preferred(cards: tuple[T, ...], factions: Iterable[str]) -> tuple[T, ...]:
    """The cards of the first faction that has any; all of them if none has."""
    for faction in factions:
        ours = tuple(card for card in cards if card.faction == faction)
        if ours:
            return ours
    return cards


def nearest(name: str, cards: Iterable[IndexedCard]) -> tuple[str, ...]:
    """The labels of the cards most similar to `name`, best first."""
    import difflib  # only a misspelt name needs it

    labels: dict[str, str] = {}
    for card in cards:
        labels.setdefault(folded(card.label), card.label)
        labels.setdefault(folded(card.name), card.label)
    wanted = folded(name)
    # A part of a name ("sworn") is as good a hint as a misspelt whole one.
    parts = sorted((label for label in labels if wanted and wanted in label), key=len)
    close = difflib.get_close_matches(wanted[:80], labels, NEAREST * 3, 0.0)
    best = dict.fromkeys(labels[label] for label in (*parts[:NEAREST], *close))
    return tuple(best)[:NEAREST]


def unknown(kind: str, name: str, cards: Iterable[IndexedCard]) -> str:
    """The message about a name without a card."""
    names = "; ".join(nearest(name, cards)) or "none at all"
    return say("no {kind} {name}; nearest: {names}", kind=kind, name=shown(name), names=names)


def ambiguous(kind: str, name: str, cards: Iterable[IndexedCard]) -> str:
    """The message about a name that several cards have, with their ids."""
    several = "; ".join(f"{card.label} ({card.faction}, {card.id})" for card in cards)
    return say(
        "{name} is more than one {kind}: {several}", name=shown(name), kind=kind, several=several
    )


def folded(name: str) -> str:
    """A name normalised for comparison: no case or accents, straight apostrophes, single spaces.

    >>> folded("R’hllor  Fâithful")
    "r'hllor faithful"
    """
    parted = unicodedata.normalize("NFKD", name.translate(STRAIGHT).casefold())
    return " ".join("".join(one for one in parted if not unicodedata.combining(one)).split())


def entries(files: Iterable[Path]) -> dict[str, Field]:
    """The entries of TOML files by id; a later file changes single keys or adds whole entries."""
    found: dict[str, Field] = {}
    for path in files:
        root = load_toml(path)
        for key in root.raw:
            Field(key, root.source, "entry").text(60)
            entry = root.member(key)
            if not isinstance(entry.raw, dict):
                entry.fail(f"{shown(entry.raw)} is not an entry: expected [{key}] and its keys")
            known = found[key].raw if key in found else {}
            found[key] = Field({**known, **entry.raw}, entry.source, entry.place)
    return found

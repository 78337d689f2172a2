"""The cards of an army: the common members of units, attachments and NCUs, and the index of one
kind of cards by id and by name, read from their files on first access.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Protocol, Self, TypeVar

from models.field import Field, load_toml, shown
from models.message import UnknownName, say
from models.record_reader import GIVEN, Between, Length, OneOf, Record, read_record

CardNames = Annotated[tuple[str, ...], Length(20)]
CardCost = Annotated[int, Between(0, 100)]
CardVersion = Annotated[str, Length(40)]
CardFaction = Annotated[str, Length(40)]


class CatalogueCard(Record):
    """An entry of a catalogue; its id is the entry's heading."""

    __slots__ = ()

    @classmethod
    def read(cls, field: Field, about: Any = None, known: Any = None, /, **given: Any) -> Self:
        """The card of an entry with that id; `known` is what its values may name."""
        return read_record(cls, field, known, {"id": about})


CONDITIONS = (
    *("loyalty", "needs", "excludes", "joins", "shares", "copies", "copies-per", "in-unit"),
    *("extra", "ability", "enemy", "lifts", "free", "first-free"),
    *("cheaper", "cheaper-first", "cheaper-here", "cheaper-one"),
)
"""What a card may say about the army it is in; `docs/catalogues.md` explains each."""


@dataclass(frozen=True, slots=True)
class Condition(Record):
    """One thing that a card says about its army (TMG-ARM-13); "A | B" means either."""

    rule: Annotated[str, OneOf(CONDITIONS)]
    of: Annotated[str, Length(120)] = ""
    number: Annotated[int, Between(1, 60)] = 1


@dataclass(frozen=True, slots=True)
class ArmyCard(CatalogueCard):
    """The members that every card of an army may have; `None` stands for an unknown number."""

    id: Annotated[str, GIVEN]
    name: str
    faction: CardFaction
    abilities: Annotated[tuple[str, ...], Length(40)] = field(default=(), kw_only=True)
    """The names printed on the card; those of an attack are in the attack."""
    title: str = field(default="", kw_only=True)
    version: CardVersion = field(default="", kw_only=True)
    commander: bool = field(default=False, kw_only=True)
    character: bool = field(default=False, kw_only=True)
    requires: CardNames = field(default=(), kw_only=True)
    """Names of cards of which the army must have one (TMG-ARM-13)."""
    excludes: CardNames = field(default=(), kw_only=True)
    """Names of cards that the army may not have (TMG-ARM-13)."""
    conditions: Annotated[tuple[Condition, ...], Length(12)] = field(default=(), kw_only=True)
    """What else the card says about its army (TMG-ARM-13)."""
    tokens: Mapping[Annotated[str, Length(30)], Annotated[int, Between(1, 20)]] = field(
        default_factory=dict, kw_only=True, hash=False
    )
    """The tokens it begins the game with, by name."""

    @property
    def label(self) -> str:
        """The name with its title, which distinguishes versions of a character."""
        return f"{self.name}, {self.title}" if self.title else self.name


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

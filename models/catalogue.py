"""The catalogue of one game: trays, terrain pieces and cards, shipped ones and players' own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from models.cards.card_index import CardIndex, entries
from models.cards.unit_card import UnitCard
from models.errors import BadInput
from models.field import Field, shown
from models.terrain import read_keyword
from models.tray import Tray
from models.unit import Profile

DATA = Path(__file__).parent / "data"

OWN_VARIABLE = "COMPANION_DATA"
"""The environment variable with the folder of a player's own entries; empty means none."""

OWN_DEFAULT = "~/.table-companion/data"

TRAYS, TERRAIN, UNITS = "trays.toml", "terrain.toml", "units.toml"
"""The files that tables of every game with trays use; a game may have further ones."""
FIXED_FILES = frozenset({"modes.toml"})
"""Shipped files to which players cannot add."""


class Profiles(Mapping[str, Profile]):
    """The profiles of unit cards by name; the cards are read on first access."""

    def __init__(self, units: CardIndex[UnitCard]) -> None:
        self._units = units

    def __getitem__(self, name: str) -> Profile:
        cards = self._units.named(name)
        if not cards:
            raise KeyError(name)
        return cards[-1].profile

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(card.name.casefold() for card in self._units.values()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class Catalogue:
    """Trays and terrain pieces by name, unit cards by id (and by name: `units.find`).

    A game with further cards has its own catalogue with them.
    """

    game: str
    trays: Mapping[str, Tray] = field(default_factory=dict)
    pieces: Mapping[str, frozenset[str]] = field(default_factory=dict)
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    units: CardIndex[UnitCard] = field(default_factory=CardIndex)

    @staticmethod
    def games() -> tuple[str, ...]:
        """The games that have a catalogue."""
        return tuple(sorted(folder.name for folder in DATA.iterdir() if folder.is_dir()))


def own_folder() -> Path | None:
    """The folder with the player's own entries, or None."""
    named = os.environ.get(OWN_VARIABLE)
    if named is None:
        usual = os.path.expanduser(OWN_DEFAULT)
        return Path(usual) if os.path.isdir(usual) else None
    if not named:
        return None
    folder = os.path.expanduser(named)
    if not os.path.isdir(folder):
        raise BadInput(OWN_VARIABLE, "", f"{shown(named)} is not a folder")
    return Path(folder)


def catalogue(game: str) -> Catalogue:
    """The catalogue of a game, including the player's own entries."""
    return gather(game, own_folder())


@lru_cache
def gather(game: str, own: Path | None) -> Catalogue:
    """The catalogue of a game from the shipped files and one further folder; cached."""
    if own is not None:
        refuse_strangers(own, (TRAYS,))
        refuse_strangers(own / game, own_files())

    def read(name: str) -> dict[str, Field]:
        shipped, added = files_of(game, own, name)
        return entries(shipped + added)

    trays = {name: Tray.entry(entry, name) for name, entry in read(TRAYS).items()}
    pieces = {name: read_piece(entry) for name, entry in read(TERRAIN).items()}
    read_unit = partial(UnitCard.read, trays=trays)
    units = CardIndex("unit", read_unit, *files_of(game, own, UNITS))
    return Catalogue(game, trays, pieces, Profiles(units), units)


def own_files() -> tuple[str, ...]:
    """The names of the files with which players add to a game's catalogue."""
    shipped = {path.name for path in DATA.glob("*/*.toml")} - FIXED_FILES
    return tuple(sorted(shipped | {TRAYS, TERRAIN, UNITS}))


def files_of(game: str, own: Path | None, name: str) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The files of that name: the shipped ones, and those in a player's own folder."""
    shipped = existing(DATA / name, DATA / game / name)
    return shipped, existing(own / name, own / game / name) if own is not None else ()


def existing(*paths: Path) -> tuple[Path, ...]:
    """The paths that exist (an unreadable file is an error, not an absence)."""
    return tuple(path for path in paths if os.path.lexists(path))


def refuse_strangers(folder: Path, known: tuple[str, ...]) -> None:
    """Refuse a TOML file that would never be read: its name is misspelt."""
    if not os.path.isdir(folder):
        return
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise BadInput(str(folder), "", f"cannot be read: {error.strerror}") from None
    for name in names:
        if name.endswith(".toml") and name not in known:
            raise BadInput(
                str(folder), "", f"{shown(name)} is no catalogue here; known: {', '.join(known)}"
            )


def read_piece(entry: Field) -> frozenset[str]:
    """Read the keywords of an entry of `terrain.toml`."""
    entry.keys({"keywords"}, {"keywords"})
    return frozenset(read_keyword(word) for word in entry.member("keywords").items(20))

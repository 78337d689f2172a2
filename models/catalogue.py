"""The catalogue of one game: trays, terrain pieces and cards, shipped ones and players' own; and
the editor of the players' own tray sizes (`trays.toml`), which loses no line of theirs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from models import atomic_write
from models.army_card import ArmyCard, CardCost, CardIndex, entries
from models.field import Field, decode, parse_toml, read_bytes, shown
from models.message import BadInput
from models.record_reader import Between, Length, OneOf, ReadBy
from models.terrain import read_keyword
from models.unit import Attack, Defense, Morale, Profile, Speed, Tray

TYPES = ("infantry", "cavalry", "monster", "warmachine")
"""TMG-UNT-2."""


def read_tray_name(field: Field, trays: Mapping[str, Tray]) -> str:
    return field.choice(trays)


@dataclass(frozen=True, slots=True)
class UnitCard(ArmyCard):
    """Name, kind and numbers of a combat unit."""

    type: Annotated[str, OneOf(TYPES)]
    tray: Annotated[str, ReadBy(read_tray_name)]
    speed: Speed
    defense: Defense
    morale: Morale | None = None
    cost: CardCost | None = None
    wounds_per_model: Annotated[int, Between(1, 60)] | None = None
    attacks: Annotated[tuple[Attack, ...], Length(12)] = ()

    @property
    def profile(self) -> Profile:
        """The numbers a table file may omit."""
        morale = Profile().morale if self.morale is None else self.morale
        return Profile(self.speed, self.defense, morale, self.attacks)


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
def gather(game: str, own: Path | None, season: str = "") -> Catalogue:
    """The catalogue of a game from the shipped files and one further folder; cached.

    A season's cards are the first season's with what its own folder changes.
    """
    if own is not None:
        refuse_strangers(own, (TRAYS,))
        refuse_strangers(own / game, own_files())

    def read(name: str) -> dict[str, Field]:
        shipped, added = files_of(game, own, name)
        return entries(shipped + added)

    trays = {name: Tray.entry(entry, name) for name, entry in read(TRAYS).items()}
    pieces = {name: read_piece(entry) for name, entry in read(TERRAIN).items()}

    def read_unit(entry: Field, card_id: str) -> UnitCard:
        return UnitCard.read(entry, card_id, trays)

    units = CardIndex("unit", read_unit, *files_of(game, own, UNITS, season))
    return Catalogue(game, trays, pieces, Profiles(units), units)


def own_files() -> tuple[str, ...]:
    """The names of the files with which players add to a game's catalogue."""
    shipped = {path.name for path in DATA.glob("*/*.toml")} - FIXED_FILES
    return tuple(sorted(shipped | {TRAYS, TERRAIN, UNITS}))


def files_of(
    game: str, own: Path | None, name: str, season: str = ""
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The files of that name: the shipped ones, and those in a player's own folder."""
    changed = existing(DATA / game / season / name) if season else ()
    shipped = existing(DATA / name, DATA / game / name) + changed
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


FILE = "trays.toml"


def shipped_trays() -> Mapping[str, Tray]:
    return {name: Tray.entry(entry, name) for name, entry in entries((DATA / FILE,)).items()}


def own_place() -> Path | None:
    """The players' own folder, whether it exists or not; None where they want none."""
    folder = own_folder()
    if folder is None and os.environ.get(OWN_VARIABLE) is None:
        return Path(os.path.expanduser(OWN_DEFAULT))
    return folder


def set_size(name: str, width: float, depth: float) -> Path:
    """Write a tray's size into the players' own file and clear the catalogue's cache."""
    folder = own_place()
    if folder is None:
        raise BadInput(OWN_VARIABLE, "", "is empty: there is no folder for own sizes")
    atomic_write.make_folder(folder)
    path = folder / FILE
    text = decode(read_bytes(path), str(path)) if os.path.lexists(path) else ""
    atomic_write.write_text(path, resized(text, name, {"width": width, "depth": depth}, str(path)))
    gather.cache_clear()
    return path


def reset_size(name: str) -> None:
    """Restore the shipped size: remove width and depth from the players' own file."""
    folder = own_place()
    path = folder / FILE if folder is not None else None
    if path is not None and os.path.lexists(path):
        text = decode(read_bytes(path), str(path))
        atomic_write.write_text(
            path, resized(text, name, {"width": None, "depth": None}, str(path))
        )
    gather.cache_clear()


def resized(text: str, name: str, sizes: Mapping[str, float | None], source: str = FILE) -> str:
    """The file's text with other sizes for one tray; comments and other entries stay.

    >>> print(resized("[solo]  # mine\\nwidth = 3\\n", "solo", {"width": 2.5, "depth": None}))
    [solo]  # mine
    width = 2.5
    <BLANKLINE>
    """
    parse_toml(text, source)  # a broken file is refused, not made worse
    lines = text.splitlines()
    start = next((n for n, line in enumerate(lines) if heading(line) == name), None)
    if start is None:
        wanted = [f"{key} = {value!r}" for key, value in sizes.items() if value is not None]
        if not wanted:
            return text
        return "\n".join([*lines, *([""] if lines else []), f"[{name}]", *wanted, ""])
    others = (n for n in range(start + 1, len(lines)) if heading(lines[n]) is not None)
    end = next(others, len(lines))
    body = lines[start + 1 : end]
    for key, value in sizes.items():
        found = [n for n, line in enumerate(body) if re.match(rf"\s*{key}\s*=", line)]
        line = [f"{key} = {value!r}"] if value is not None else []
        if found:
            old = body[found[0]]
            note = old[len(old.partition("#")[0].rstrip()) :] if "#" in old else ""
            body[found[0] : found[0] + 1] = [line[0] + note] if line else []
        else:
            body[0:0] = line
    changed = "\n".join([*lines[: start + 1], *body, *lines[end:]]) + "\n"
    parse_toml(changed, source)
    return changed


def heading(line: str) -> str | None:
    """The name in a `[name]` line, or None."""
    before, bracket, after = line.strip().removeprefix("[").partition("]")
    if not bracket or not line.lstrip().startswith("[") or after.strip()[:1] not in ("", "#"):
        return None
    name = before.strip()
    if len(name) > 2 and name[0] == name[-1] == '"':
        name = name[1:-1]
    return name if name and not set(name) & set('["') else None

"""An army list or a deck for other programs: read, checked by rule, written in other layouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.games.api.army_building import ArmyList, ArmyReader, DeckReader
from companion.session.game_lookup import find_army_reader
from models.field import decode_list, read_bytes
from models.message import UnknownName


@dataclass(frozen=True)
class CardList:
    """An army list or a deck in any layout that its game reads."""

    game: str
    text: str
    points: int | None = None
    agreed: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Rules that the players agreed on, by name: `{"format": "melee"}`."""

    @classmethod
    def load(cls, path: Path | str, game: str, points: int | None = None) -> CardList:
        """The list of a file."""
        return cls(game, decode_list(read_bytes(Path(path)), str(path)), points)

    def _read(self) -> tuple[ArmyReader, ArmyList]:
        return _read(self.game, self.text, self.points, tuple(self.agreed.items()))

    @property
    def problems(self) -> tuple[tuple[str, str], ...]:
        """Every rule it breaks: its number and a sentence."""
        known, found = self._read()
        return tuple((one.why, str(one.say)) for one in known.army_problems(found))

    @property
    def notes(self) -> tuple[str, ...]:
        """Further remarks for the players."""
        known, found = self._read()
        return tuple(map(str, known.army_notes(found, self.text)))

    @property
    def unread(self) -> tuple[str, ...]:
        """The lines that could not be read."""
        known, found = self._read()
        return tuple(map(str, known.army_unread(found))) if isinstance(known, DeckReader) else ()

    @property
    def layouts(self) -> tuple[str, ...]:
        """The layouts in which it can be written."""
        return self._read()[0].army_forms

    def written(self, layout: str = "text") -> str:
        """The list in one of its layouts; a `CardList` of it holds the same cards."""
        known, found = self._read()
        if layout not in known.army_forms:
            raise UnknownName(f"no layout {layout!r}; there are: {', '.join(known.army_forms)}")
        return known.write_army(found, layout)

    def to_json(self) -> dict[str, Any]:
        """What it holds, as `companion army --json` prints it."""
        return {"game": self.game, **self._read()[1].to_json()}


@lru_cache(maxsize=16)
def _read(
    game: str, text: str, points: int | None, agreed: tuple[tuple[str, str], ...]
) -> tuple[ArmyReader, ArmyList]:
    """A list as its game keeps it, and the game."""
    known = find_army_reader(game)
    found = known.read_army(game, text, points)
    if isinstance(known, DeckReader):
        found = known.army_agreed(found, dict(agreed))
    return known, found

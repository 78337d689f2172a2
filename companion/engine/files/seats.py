"""The seats of a game: each side's language and colour, and which tray is which unit.

A small file beside the game's own, because the log holds neither cameras nor languages.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from calibration.setup import Setup
from companion.text.translation import LANGUAGES
from models import CompanionError, atomic_write
from models.field import load_kept_json

SUFFIX = ".seats.json"
LONGEST_NAME = 60
COLOURS = 6


@dataclass(frozen=True, slots=True)
class Seats:
    """What a device stores about a game outside its log."""

    languages: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    colours: dict[str, int] = field(default_factory=dict)
    """The colours that the players chose, 1 to 6; without one the game's own."""

    def named(self, setup: Setup) -> Setup:
        """A camera's set-up with its trays renamed to the units of this game."""
        if not self.tags:
            return setup
        trays = tuple(
            replace(one, unit=self.tags[one.unit]) for one in setup.trays if one.unit in self.tags
        )
        return replace(setup, trays=trays)


def seats_path(game: Path) -> Path:
    """The path of a game's seats file."""
    return game.with_suffix(SUFFIX)


def keep(game: Path, seats: Seats) -> None:
    """Save the seats; no file is written if they are empty."""
    if any(seats.languages.values()) or seats.tags or seats.colours:
        kept: dict[str, Any] = {"languages": seats.languages, "tags": seats.tags}
        if seats.colours:
            kept["colours"] = seats.colours
        atomic_write.write_text(seats_path(game), json.dumps(kept, ensure_ascii=False))


def load(game: Path) -> Seats:
    """The saved seats, as far as they can be read."""
    try:
        raw = load_kept_json(seats_path(game)).raw
    except (OSError, CompanionError):
        return Seats()
    languages = pairs(raw, "languages")
    tags = pairs(raw, "tags")
    names = Counter(tags.values())
    return Seats(
        {side: word for side, word in languages.items() if word in ("", *LANGUAGES)},
        {tray: unit for tray, unit in tags.items() if unit and names[unit] == 1},
        colours_of(raw),
    )


def colours_of(raw: Any) -> dict[str, int]:
    """The colours in the file; none if two seats have the same."""
    found = raw.get("colours") if isinstance(raw, dict) else None
    if not isinstance(found, dict):
        return {}
    kept = {
        seat: one
        for seat, one in found.items()
        if named(seat) and type(one) is int and 1 <= one <= COLOURS
    }
    return kept if len(set(kept.values())) == len(found) else {}


def pairs(raw: Any, key: str) -> dict[str, str]:
    """A mapping of short texts from the file; invalid entries are dropped."""
    found = raw.get(key) if isinstance(raw, dict) else None
    if not isinstance(found, dict):
        return {}
    return {name: one for name, one in found.items() if named(name) and (named(one) or one == "")}


def named(value: object) -> bool:
    """Whether a value can be the name of a side, a tray or a unit."""
    return (
        isinstance(value, str)
        and bool(value.strip())
        and value.isprintable()
        and len(value) <= LONGEST_NAME
    )

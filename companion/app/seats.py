"""Who sits at a game: each side's language, and which tray of the camera is which unit.

A small file beside the game's own; the log knows neither cameras nor the tablet's words.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

from calibration.setup import Setup
from models import CompanionError, atomic_write
from models.field import load_kept_json

SUFFIX = ".seats.json"


@dataclass(frozen=True, slots=True)
class Seats:
    """What a device remembers of a game besides the game."""

    languages: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def named(self, setup: Setup) -> Setup:
        """A camera's set-up with its trays named as the units they are in this game."""
        if not self.tags:
            return setup
        trays = tuple(
            replace(one, unit=self.tags[one.unit]) for one in setup.trays if one.unit in self.tags
        )
        return replace(setup, trays=trays)


def seats_path(game: Path) -> Path:
    """Where a game's seats are kept."""
    return game.with_suffix(SUFFIX)


def keep(game: Path, seats: Seats) -> None:
    """Keep it; nothing is written where there is nothing to remember."""
    if any(seats.languages.values()) or seats.tags:
        text = json.dumps({"languages": seats.languages, "tags": seats.tags}, ensure_ascii=False)
        atomic_write.write_text(seats_path(game), text)


def load(game: Path) -> Seats:
    """What was kept; nothing where there is no file that can be read."""
    try:
        raw = load_kept_json(seats_path(game)).raw
        found = [{str(k): str(v) for k, v in raw[key].items()} for key in ("languages", "tags")]
    except (OSError, CompanionError, LookupError, TypeError, AttributeError):
        return Seats()
    return Seats(*found)

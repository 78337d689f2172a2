"""The preferences of this device: language, units, colours, text size, hand; in one small file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from companion import games
from companion.text.translation import LANGUAGES
from models import CompanionError, atomic_write
from models.field import load_kept_json, shown

CHOICES: dict[str, tuple[Any, ...]] = {
    "language": tuple(LANGUAGES),
    "units": ("in", "cm"),
    "colours": ("dark", "light", "contrast"),
    "text": (0.9, 1.0, 1.2, 1.4),
    "hand": ("right", "left"),
    "awake": (True, False),
    "sound": (True, False),
    "vibration": (True, False),
    "motion": (True, False),
    "dice": ("count", "faces", "app", "camera"),
    "dice_at_once": (False, True),
}
"""The allowed values, the default first (for the text size the second)."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences; `readings` are those that differ from the rulebook's default."""

    language: str = "en"
    units: str = "in"
    colours: str = "dark"
    text: float = 1.0
    hand: str = "right"
    awake: bool = True
    sound: bool = True
    vibration: bool = True
    motion: bool = True
    """Whether banners drop in; without it, changes are cuts."""
    dice: str = "count"
    """How dice are entered: how many succeeded, each face, not at all (the app rolls), or as the
    camera reads them, with faces for what it cannot."""
    dice_camera: str = ""
    """A camera of its own for the dice mat: its number or address; without one, the table's."""
    dice_streak: int = 0
    """How many throws in a row the camera has read without a correction, up to a limit."""
    dice_at_once: bool = False
    """Whether a throw that the camera reads without a doubt is taken without a tap."""
    readings: tuple[str, ...] = ()
    setup: str = ""
    """The name of the camera profile that games use."""
    dropped: tuple[str, ...] = field(default=(), compare=False)
    """Readings in the file that no game knows; they are not written again."""

    def reading(self, name: str, value: str, default: str) -> Preferences:
        """The preferences with one reading set."""
        others = [one for one in self.readings if not one.startswith(f"{name}=")]
        chosen = [] if value == default else [f"{name}={value}"]
        return replace(self, readings=tuple(sorted([*others, *chosen])))


LONGEST_NAME = 200


def load(path: Path) -> Preferences:
    """The saved preferences; missing or invalid values fall back to their default."""
    try:
        raw = load_kept_json(path).raw
    except (OSError, CompanionError):
        return Preferences()
    if not isinstance(raw, dict):
        return Preferences()
    known = {
        name: raw[name]
        for name, choices in CHOICES.items()
        if any(type(raw.get(name)) is type(one) and raw[name] == one for one in choices)
    }
    readings = raw.get("readings")
    if isinstance(readings, list):
        known["readings"], known["dropped"] = known_readings(readings)
    setup = raw.get("setup")
    if isinstance(setup, str) and setup.isprintable() and len(setup) <= LONGEST_NAME:
        known["setup"] = setup
    streak = raw.get("dice_streak")
    if type(streak) is int and 0 <= streak <= LONGEST_NAME:
        known["dice_streak"] = streak
    camera = raw.get("dice_camera")
    if isinstance(camera, str) and camera.isprintable() and len(camera) <= LONGEST_NAME:
        known["dice_camera"] = camera
    return Preferences(**known)


def known_readings(raw: Sequence[object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The readings that a game knows, one per name; and those that are dropped, as text."""
    switches = [one for game in games.every() for one in game.switches()]
    names = {f"{one.name}={value}": one.name for one in switches for value in one.choices}
    kept: dict[str, str] = {}
    dropped: list[str] = []
    for one in raw:
        name = names.get(one) if isinstance(one, str) else None
        if isinstance(one, str) and name is not None and kept.setdefault(name, one) == one:
            continue
        dropped.append(one if isinstance(one, str) and plain(one) else shown(one))
    return tuple(kept.values()), tuple(dropped)


def plain(text: str) -> bool:
    """Whether a text can be shown in a message as it is."""
    return text.isprintable() and bool(text.strip()) and len(text) <= 60


def save(path: Path, chosen: Preferences) -> None:
    atomic_write.make_folder(path.parent)
    kept = asdict(chosen)
    del kept["dropped"]
    atomic_write.write_text(path, json.dumps(kept, indent=1) + "\n")

"""What the players like: language, units, colours, letters, hands; kept in one small file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from models import CompanionError, atomic_write
from models.field import load_kept_json

CHOICES: dict[str, tuple[Any, ...]] = {
    "language": ("en", "de", "ru"),
    "units": ("in", "cm"),
    "colours": ("dark", "light", "contrast"),
    "text": (0.9, 1.0, 1.2, 1.4),
    "hand": ("right", "left"),
    "awake": (True, False),
    "sound": (True, False),
    "vibration": (True, False),
}
"""What each may be, the default first (for the text size the second)."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The players' choices; `readings` are those that differ from the rulebook's default."""

    language: str = "en"
    units: str = "in"
    colours: str = "dark"
    text: float = 1.0
    hand: str = "right"
    awake: bool = True
    sound: bool = True
    vibration: bool = True
    readings: tuple[str, ...] = ()
    setup: str = ""
    """The name of the camera's set-up that games see through."""

    def reading(self, name: str, value: str, default: str) -> Preferences:
        """The same with one reading set."""
        others = [one for one in self.readings if not one.startswith(f"{name}=")]
        chosen = [] if value == default else [f"{name}={value}"]
        return replace(self, readings=tuple(sorted([*others, *chosen])))


def load(path: Path) -> Preferences:
    """The kept choices; what is missing or strange falls back to its default."""
    try:
        raw = load_kept_json(path).raw
    except (OSError, CompanionError):
        return Preferences()
    if not isinstance(raw, dict):
        return Preferences()
    known = {
        field.name: raw[field.name]
        for field in fields(Preferences)
        if field.name in raw and raw[field.name] in CHOICES.get(field.name, ())
    }
    readings = raw.get("readings", ())
    if isinstance(readings, list) and all(isinstance(one, str) for one in readings):
        known["readings"] = tuple(readings)
    if isinstance(raw.get("setup"), str):
        known["setup"] = raw["setup"]
    return Preferences(**known)


def save(path: Path, chosen: Preferences) -> None:
    """Keep the choices."""
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write.write_text(path, json.dumps(asdict(chosen), indent=1) + "\n")

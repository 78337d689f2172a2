"""The facts of one game: trays, terrain pieces and cards, from the shipped TOML and players' own."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from models.field import load_toml
from models.terrain import read_keyword
from models.tray import Tray
from models.unit import Profile

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Catalogue:
    """Trays and terrain pieces by name, unit profiles by lower-case name."""

    game: str
    trays: dict[str, Tray] = field(default_factory=dict)
    pieces: dict[str, frozenset[str]] = field(default_factory=dict)
    profiles: dict[str, Profile] = field(default_factory=dict)

    @staticmethod
    def games() -> tuple[str, ...]:
        """The games there are facts for."""
        return tuple(sorted(folder.name for folder in DATA.iterdir() if folder.is_dir()))


@lru_cache
def catalogue(game: str) -> Catalogue:
    """The catalogue of a game."""
    trays: dict[str, Tray] = {}
    root = load_toml(DATA / "trays.toml")
    for name in root.raw:
        tray = root.member(name)
        tray.keys({"width", "depth", "arc", "models", "ranks"}, {"width", "depth", "arc"})
        trays[name] = Tray(
            name,
            tray.member("width").number(0.25, 24),
            tray.member("depth").number(0.25, 24),
            tray.member("arc").number(1, 89),
            tray.member("models").whole(1, 60),
            tray.member("ranks").whole(1, 6),
        )
    pieces: dict[str, frozenset[str]] = {}
    root = load_toml(DATA / game / "terrain.toml")
    for name in root.raw:
        words = root.member(name).member("keywords").items(20)
        pieces[name] = frozenset(read_keyword(word) for word in words)
    return Catalogue(game, trays, pieces)

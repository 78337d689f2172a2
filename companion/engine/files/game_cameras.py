"""Which camera set-up each game was played under, so that a game that goes on uses its own again.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> keep_camera(folder, "a.game", "Kitchen")
>>> camera_of(folder, "a.game"), camera_of(folder, "b.game")
('Kitchen', '')
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from models import CompanionError, atomic_write
from models.field import load_kept_json

NAME = "game-cameras.json"
MOST = 200
"""So many games are remembered, the newest ones."""


def keep_camera(folder: Path, game: str, setup: str) -> None:
    """Remember the set-up of a game; a disk that takes nothing loses only this convenience."""
    known = cameras(folder)
    known.pop(game, None)
    kept = [*known.items(), (game, setup)][-MOST:]
    with suppress(OSError):
        atomic_write.make_folder(folder)
        atomic_write.write_text(folder / NAME, json.dumps(dict(kept)) + "\n")


def camera_of(folder: Path, game: str) -> str:
    """The set-up of a game; none: ""."""
    return cameras(folder).get(game, "")


def cameras(folder: Path) -> dict[str, str]:
    """The set-ups by the file names of their games; none from a file that cannot be read."""
    with suppress(OSError, CompanionError):
        raw = load_kept_json(folder / NAME).raw
        if isinstance(raw, dict):
            return {game: name for game, name in raw.items() if isinstance(name, str)}
    return {}

"""Which camera set-up each game is played under, so that a game that goes on uses its own again.

>>> import tempfile
>>> folder = Path(tempfile.mkdtemp())
>>> cameras = GameCameras(folder, folder / "setups")
>>> cameras.note(Path("games/a.game"), "Kitchen")
>>> cameras.known()
{'a.game': 'Kitchen'}
>>> cameras.own(Path("games/a.game"), "Dining room") is None  # no set-up is called Kitchen any more
True
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from companion.engine.camera.camera_profile import CameraProfile, named
from models import CompanionError, atomic_write
from models.field import load_kept_json

NAME = "game-cameras.json"
MOST = 200
"""So many games are remembered, the newest ones."""


class GameCameras:
    """The set-ups by the names of their games' files, kept in a file of their own."""

    def __init__(self, folder: Path, setups: Path) -> None:
        self.folder, self.setups = folder, setups
        self._noted = ("", "")
        """The game and the set-up that were remembered last."""

    def note(self, game: Path, setup: str) -> None:
        """Remember the set-up of a game; a disk that takes nothing loses only this convenience."""
        if (game.name, setup) == self._noted:
            return
        self._noted = game.name, setup
        known = self.known()
        known.pop(game.name, None)
        kept = [*known.items(), (game.name, setup)][-MOST:]
        with suppress(OSError):
            atomic_write.make_folder(self.folder)
            atomic_write.write_text(self.folder / NAME, json.dumps(dict(kept)) + "\n")

    def own(self, game: Path, used: str) -> CameraProfile | None:
        """The set-up that a game was played under; None if it is the one in use or is gone."""
        name = self.known().get(game.name, "")
        return named(self.setups, name) if name not in ("", used) else None

    def known(self) -> dict[str, str]:
        """The set-ups by games; none from a file that cannot be read."""
        with suppress(OSError, CompanionError):
            raw = load_kept_json(self.folder / NAME).raw
            if isinstance(raw, dict):
                return {game: name for game, name in raw.items() if isinstance(name, str)}
        return {}

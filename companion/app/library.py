"""The games on this device: where they lie, what they are called, how far they got."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from companion.session.fold import fold
from companion.session.storage import read
from companion.words import tell
from models import CompanionError

SUFFIX = ".game"


@dataclass(frozen=True, slots=True)
class Saved:
    """One game's file and what to call it."""

    path: Path
    title: str
    changed_s: float
    round: int = 0
    score: tuple[tuple[str, int], ...] = ()
    winner: str = ""
    practice: bool = False
    players: tuple[str, ...] = ()
    broken: str = ""
    """Why the file cannot be read."""


def new_path(folder: Path, stem: str) -> Path:
    """A free name for a new game."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    path = folder / f"{name}{SUFFIX}"
    number = 2
    while path.exists():
        path = folder / f"{name}-{number}{SUFFIX}"
        number += 1
    return path


def saved_games(folder: Path, limit: int = 30) -> tuple[Saved, ...]:
    """The games of a folder, the latest first; a file that cannot be read is named all the same."""
    paths = sorted(
        (path for path in folder.glob(f"*{SUFFIX}") if path.is_file()),
        key=lambda path: path.stat().st_mtime,
        reverse=True,
    )
    return tuple(about(path) for path in paths[:limit])


def about(path: Path) -> Saved:
    """What a game's file tells without being opened for play."""
    changed = path.stat().st_mtime
    practice = path.stem.startswith("practice")
    try:
        here = fold(read(path).steps).now
    except CompanionError as error:
        return Saved(path, path.stem, changed, practice=practice, broken=tell(str(error)))
    if here.play is None:
        return Saved(path, path.stem, changed, practice=practice)
    moment = here.play.moment(here.state)
    score = tuple(moment.score.items())
    view = here.play.view(here.state)
    title = tell(view.get("mode_name") or here.game)
    players = tuple(str(name) for name in view.get("players") or ())
    return Saved(path, title, changed, moment.round, score, moment.winner or "", practice, players)


def remove(path: Path) -> None:
    """Delete a game for good, with what lies beside it under its name."""
    for one in path.parent.glob(f"{path.stem}.*"):
        one.unlink(missing_ok=True)

"""The games on this device: where they lie, what they are called, how far they got."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from companion.app.files.seats import seats_path
from companion.session.fold import fold_in_time
from companion.session.storage import kept_aside, read
from companion.text.translation import tell
from models import CompanionError
from models.field import shown, visible

SUFFIX = ".game"
ENDINGS = ("-wal", "-shm", "-journal", ".recovered")
"""What may lie beside a game besides its seats and damaged versions of it."""


@dataclass(frozen=True, slots=True)
class SavedGame:
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


def saved_games(folder: Path, limit: int = 30) -> tuple[SavedGame, ...]:
    """The games of a folder, the latest first; a file that cannot be read is named all the same."""
    found = {path for path in folder.glob(f"*{SUFFIX}") if path.is_file()}
    # A game that was lost beside its side file can still be recovered from that.
    for side in folder.glob(f"*{SUFFIX}-wal"):
        lost = side.with_name(side.name.removesuffix("-wal"))
        if side.is_file() and not lost.exists():
            found.add(lost)
    paths = sorted(found, key=changed_s, reverse=True)
    return tuple(about(path) for path in paths[:limit])


def about(path: Path) -> SavedGame:
    """What a game's file tells without being opened for play; whatever is wrong with it is said."""
    practice = path.stem.startswith("practice")
    try:
        return described(path, practice)
    except CompanionError as error:
        problem = tell(str(error))
    except Exception as error:
        # The file comes from anywhere, and the list of games must show the others.
        problem = f"{path.name}: {type(error).__name__}: {shown(str(error), 100)}"
    title = visible(path.stem)
    return SavedGame(path, title, changed_s(path), practice=practice, broken=visible(problem))


def described(path: Path, practice: bool) -> SavedGame:
    """What a sound game tells."""
    found = read(path)
    changed = changed_s(path)
    here = fold_in_time(found.steps).now
    if here.play is None:
        broken = found.damage.say() if found.damage is not None and not found.steps else ""
        title = visible(path.stem)
        return SavedGame(path, title, changed, practice=practice, broken=visible(tell(broken)))
    moment = here.play.moment(here.state)
    score = tuple(moment.score.items())
    view = here.play.view(here.state)
    title = visible(tell(view.get("mode_name") or here.game))
    players = tuple(visible(str(name)) for name in view.get("players") or ())
    return SavedGame(
        path, title, changed, moment.round, score, moment.winner or "", practice, players
    )


def changed_s(path: Path) -> float:
    """When a game was last changed; 0 where it is gone meanwhile."""
    for one in (path, path.with_name(path.name + "-wal")):
        try:
            return one.stat().st_mtime
        except OSError:
            continue
    return 0.0


def remove(path: Path) -> None:
    """Delete a game for good, with what lies beside it under its very name."""
    beside = [path.with_name(path.name + ending) for ending in ENDINGS]
    for one in (*kept_aside(path), *beside, seats_path(path), path):
        one.unlink(missing_ok=True)

"""The saved games of this device: their files, titles and progress."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from companion.engine.files.seats import seats_path
from companion.session.fold import fold_in_time
from companion.session.game_lookup import every_screen
from companion.session.storage import kept_aside, read
from companion.text.translation import translate
from models import CompanionError, Table
from models.field import shown, visible

SUFFIX = ".game"
ENDINGS = ("-wal", "-shm", "-journal", ".recovered")
"""Suffixes of files beside a game, other than its seats and damaged versions of it."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game's file and what the list of games shows about it."""

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
    table: Table | None = None
    """The newest table, if it is an open one."""


def new_path(folder: Path, stem: str) -> Path:
    """An unused path for a new game: the side file of a lost game keeps its name taken."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    path = folder / f"{name}{SUFFIX}"
    number = 2
    while path.exists() or path.with_name(f"{path.name}-wal").exists():
        path = folder / f"{name}-{number}{SUFFIX}"
        number += 1
    return path


def saved_games(folder: Path, limit: int = 30) -> tuple[SavedGame, ...]:
    """The games in a folder, newest first; including files that cannot be read."""
    found = {path for path in folder.glob(f"*{SUFFIX}") if path.is_file()}
    # A game whose file was lost can still be recovered from its side file.
    for side in folder.glob(f"*{SUFFIX}-wal"):
        lost = side.with_name(side.name.removesuffix("-wal"))
        if side.is_file() and not lost.exists():
            found.add(lost)
    paths = sorted(found, key=changed_s, reverse=True)
    return tuple(about(path) for path in paths[:limit])


def about(path: Path) -> SavedGame:
    """What a game's file says without opening it for play; errors are part of the result."""
    practice = path.stem.startswith("practice")
    try:
        return described(path, practice)
    except CompanionError as error:
        problem = translate(str(error))
    except Exception as error:
        # Any file may be in the folder, and the list must still show the others.
        problem = f"{path.name}: {type(error).__name__}: {shown(str(error), 100)}"
    title = visible(path.stem)
    return SavedGame(path, title, changed_s(path), practice=practice, broken=visible(problem))


def described(path: Path, practice: bool) -> SavedGame:
    """The description of a game whose file can be read."""
    found = read(path)
    changed = changed_s(path)
    here = fold_in_time(found.steps).now
    if here.play is None:
        broken = found.damage.say() if found.damage is not None and not found.steps else ""
        title = visible(path.stem)
        return SavedGame(path, title, changed, practice=practice, broken=visible(translate(broken)))
    moment = here.play.moment(here.state)
    score = tuple(moment.score.items())
    view = here.play.view(here.state)
    screen = next((one for one in every_screen() if here.game in one.games), None)
    name = screen.name(here.game) if screen is not None else here.game
    title = visible(translate(view.get("mode_name") or name))
    known = view.get("players") or ()
    if screen is not None and not known:
        known = [translate(seat.name) for seat in screen.seats(here.state)]
    players = tuple(visible(str(name)) for name in known)
    table = moment.table if isinstance(moment.table, Table) else None
    won = moment.winner or ""
    return SavedGame(path, title, changed, moment.round, score, won, practice, players, table=table)


def changed_s(path: Path) -> float:
    """When a game was last changed; 0 if its file is gone."""
    for one in (path, path.with_name(path.name + "-wal")):
        try:
            return one.stat().st_mtime
        except OSError:
            continue
    return 0.0


def remove(path: Path) -> None:
    """Delete a game for good, with the files beside it that belong to it."""
    beside = [path.with_name(path.name + ending) for ending in ENDINGS]
    for one in (*kept_aside(path), *beside, seats_path(path), path):
        one.unlink(missing_ok=True)

"""The saved games of this device: their files, titles and progress, and the seats of each:
language, colour, and which tray is which unit.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import capwords
from typing import TYPE_CHECKING, Any

from companion.games import package_of
from companion.games.api.army_building import ArmyBuilder
from companion.session.fold import fold_in_time
from companion.session.game_lookup import every_screen
from companion.session.storage import kept_aside, read
from companion.text.translation import LANGUAGES, catalogue, language, translate
from models import BadInput, CompanionError, Table, atomic_write
from models.field import files_named, load_kept_json, shown, visible
from models.message import Name

if TYPE_CHECKING:
    from calibration.setup import Setup  # phones of a game without a camera need no OpenCV

SEATS_SUFFIX = ".seats.json"
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
    return game.with_suffix(SEATS_SUFFIX)


def phones_path(game: Path) -> Path:
    """The path of the file with the screens that were paired with a game."""
    return game.with_suffix(".phones.json")


def save_seats(game: Path, seats: Seats) -> None:
    """Save the seats; no file is written if they are empty."""
    if any(seats.languages.values()) or seats.tags or seats.colours:
        kept: dict[str, Any] = {"languages": seats.languages, "tags": seats.tags}
        if seats.colours:
            kept["colours"] = seats.colours
        atomic_write.write_text(seats_path(game), json.dumps(kept, ensure_ascii=False))


def load_seats(game: Path) -> Seats:
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
    colours: tuple[int, ...] = ()
    """The colours of those with a score, 1 to 6, in its order; none where the game names none."""
    broken: str = ""
    """Why the file cannot be read."""
    table: Table | None = None
    """The newest table, if it is an open one."""

    def won_by(self) -> str:
        """The winner as the players are called."""
        sides = [side for side, _points in self.score]
        known = dict(zip(sides, self.players, strict=False))
        return known.get(self.winner, self.winner)


def new_path(folder: Path, stem: str) -> Path:
    """An unused path for a new game: the side file of a lost game keeps its name taken."""
    name = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    path = folder / f"{name}{SUFFIX}"
    number = 2
    try:
        atomic_write.make_folder(folder)
        while path.exists() or path.with_name(f"{path.name}-wal").exists():
            path = folder / f"{name}-{number}{SUFFIX}"
            number += 1
    except OSError as error:
        raise BadInput(str(folder), "", f"cannot be written: {error.strerror or error}") from None
    return path


def saved_games(folder: Path, limit: int = 30) -> tuple[SavedGame, ...]:
    """The games in a folder, newest first; including files that cannot be read."""
    found = {path for path in files_named(folder, SUFFIX) if may_be_game(path)}
    # A game whose file was lost can still be recovered from its side file.
    for side in files_named(folder, f"{SUFFIX}-wal"):
        lost = side.with_name(side.name.removesuffix("-wal"))
        if may_be_game(side) and not os.path.exists(lost):
            found.add(lost)
    paths = sorted(found, key=changed_s, reverse=True)
    return tuple(about(path) for path in paths[:limit])


def may_be_game(path: Path) -> bool:
    """Whether this is a file, or one in a locked folder, of which opening says what is wrong."""
    try:
        return path.is_file()
    except OSError:
        return True


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
    changed = found.steps[-1].at_ms / 1000 if found.steps else changed_s(path)
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
    own = catalogue(language(), game=package_of(screen)).translate  # whatever game is open now
    title = visible(own(name))
    seats = screen.seats(here.state) if screen is not None else ()
    builder = here.play if isinstance(here.play, ArmyBuilder) else None
    factions = dict(builder.factions(here.game)) if builder is not None else {}
    known_armies = [
        " & ".join(army_name(own(factions.get(key, key))) for key in (one.faction, *one.allies))
        for one in seats
        if one.faction
    ]
    if known_armies:
        title = f"{title} · {' : '.join(map(visible, known_armies))}"
    elif mode := view.get("mode_name"):
        title = f"{title} · {visible(own(mode))}"
    players = tuple(visible(own(Name.of(seat.name))) for seat in seats)
    table = moment.table if isinstance(moment.table, Table) else None
    won = moment.winner or ""
    chosen = {one.id: one.colour for one in seats} | load_seats(path).colours
    colours = tuple(chosen[side] for side, _ in score if side in chosen)
    colours = colours if len(colours) == len(score) else ()
    return SavedGame(
        path, title, changed, moment.round, score, won, practice, players, colours, table=table
    )


def army_name(faction: str) -> str:
    """A faction as a name; one that is written with capitals stays as it is.

    >>> army_name("night's watch"), army_name("Riders of Thornhill")
    ("Night's Watch", 'Riders of Thornhill')
    """
    return faction if faction != faction.lower() else capwords(faction)


def changed_s(path: Path) -> float:
    """When a game was last changed; 0 if its file is gone."""
    found = [0.0]
    for one in (path, path.with_name(path.name + "-wal")):
        with suppress(OSError):
            found.append(one.stat().st_mtime)
    return max(found)


def remove(path: Path) -> None:
    """Delete a game for good, with the files beside it that belong to it."""
    beside = [path.with_name(path.name + ending) for ending in ENDINGS]
    for one in (*kept_aside(path), *beside, seats_path(path), phones_path(path), path):
        one.unlink(missing_ok=True)

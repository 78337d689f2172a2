"""The available games: every package in this folder whose module `game` has a `GAME`."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from typing import Any

from companion.games.api.rules import GameRules
from models import UnknownName

__all__ = ["GameRules", "edition", "every", "find", "found_in", "package_of", "playing"]


def every() -> Iterator[GameRules]:
    """Every game that has rules for a table: `GAME` of its module `game`."""
    return found_in("game", "GAME")


def found_in(module: str, name: str, likely: str = "") -> Iterator[Any]:
    """That object of that module of each game package that has it, in the order of their names.

    Each is imported when it is reached; a package whose name begins the `likely` one comes first.
    """
    paths = _modules(tuple(__path__), module)
    for path in sorted(paths, key=lambda path: not likely.startswith(path.split(".")[-2])):
        found = getattr(importlib.import_module(path), name, None)
        if found is not None:
            yield found


@functools.cache
def _modules(folders: tuple[str, ...], module: str) -> tuple[str, ...]:
    """That module of each game package that has it; no package comes or goes while we run."""
    packages = sorted(pkgutil.iter_modules(folders), key=lambda one: one.name)
    paths = [f"{__name__}.{one.name}.{module}" for one in packages if one.ispkg]
    return tuple(path for path in paths if importlib.util.find_spec(path) is not None)


def find(game: str) -> GameRules:
    """The game of that name, as written in table files."""
    found: GameRules = playing(game, "game", "GAME", f"no rules for game {game!r}; there are")
    return found


def playing(game: str, module: str, name: str, problem: str) -> Any:
    """That object of the package that has the game; the problem is told with all known games."""
    known: list[str] = []
    for candidate in found_in(module, name, game):
        if game in candidate.games:
            return candidate
        known.extend(candidate.games)
    raise UnknownName(f"{problem}: {', '.join(sorted(known)) or 'none'}")


def edition(name: str) -> str:
    """The only game whose name ends in that edition: '2021' finds the game of 2021."""
    known = [game for candidate in every() for game in candidate.games]
    fitting = [game for game in known if game == name or game.endswith(f"-{name}")]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise UnknownName(f"edition {name!r} fits several games: {', '.join(fitting)}")
    raise UnknownName(f"no edition {name!r}; there are: {', '.join(known) or 'none'}")


def package_of(found: object) -> str:
    """The package that one of a game's objects belongs to, where its words are; None has none."""
    place = type(found).__module__.split(".")
    return place[2] if place[:2] == __name__.split(".") else ""

"""The available games: the packages in this folder, and those that are installed beside it.

An installed game is a package that an entry point of the group `table_companion.games` names; it is
laid out as those in this folder. One that does not work is named in `BROKEN` and stops nothing.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from typing import Any

from companion.games.api.rules import GameRules
from companion.text.translation import complain
from models import UnknownName

__all__ = ["BROKEN", "GameRules", "edition", "every", "find", "found_in", "package_of", "playing"]

GROUP = "table_companion.games"
BROKEN: dict[str, str] = {}
"""What is wrong with installed games, by package."""
_INSTALLED: dict[tuple[str, str, str], Any] = {}
"""What was found in installed packages, by package, module and name."""


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
    for package in installed():
        found = _found_installed(package, module, name)
        if found is not None:
            yield found


@functools.cache
def installed() -> tuple[str, ...]:
    """The packages of games that are installed beside ours."""
    from importlib.metadata import entry_points

    return tuple(dict.fromkeys(one.value for one in entry_points(group=GROUP)))


def _told(error: BaseException) -> str:
    """What an error says in one line; "" where even that fails."""
    try:
        return " ".join(str(error).split())[:LONGEST_REASON]
    except Exception:
        return ""


def _found_installed(package: str, module: str, name: str) -> Any:
    """The object of an installed package; None if it has none, or does not work."""
    key = (package, module, name)
    if key not in _INSTALLED:
        try:
            _INSTALLED[key] = _tried(package, module, name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever others raise
            _INSTALLED[key] = None
            if package not in BROKEN:  # named once
                BROKEN[package] = f"{type(error).__name__}: {_told(error)}"
                complain(f"the installed game {package} is left out: {BROKEN[package]}")
    return _INSTALLED[key]


LONGEST_REASON = 200


def _tried(package: str, module: str, name: str) -> Any:
    """The object of a package that somebody else wrote, asked what every screen asks first."""
    importlib.import_module(package)
    if importlib.util.find_spec(f"{package}.{module}") is None:
        return None
    found: Any = getattr(importlib.import_module(f"{package}.{module}"), name, None)
    if found is None:
        raise AttributeError(f"{module}.py has no {name}")
    games = found.games
    if not isinstance(games, tuple) or not all(isinstance(game, str) for game in games):
        raise TypeError(f"{name}.games is no tuple of names: {games!r}")
    for path in _modules(tuple(__path__), module):
        taken = set(getattr(getattr(importlib.import_module(path), name, None), "games", ()))
        if taken & set(games):
            raise ValueError(f"{sorted(taken & set(games))[0]!r} is the name of another game")
    if module == "screen":
        for game in games:
            asked = found.name(game), found.space(game).kind, found.seat_range(game).least
            assert all(asked), "its screen has no name, space or seats"
            if not isinstance(asked[0], str):
                raise TypeError(f"{name}.name is no text: {asked[0]!r}")
            tuple(found.practice(game))
    return found


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
    years = sorted({game.rpartition("-")[2] for game in known if "-" in game})
    raise UnknownName(f"no edition {name!r}; there are: {', '.join(years) or 'none'}")


def package_of(found: object) -> str:
    """The package that one of a game's objects belongs to, where its words are; None has none.

    A game that derives from another has the words of both: "base:own".
    """
    kind: Any = type(found)
    return _packages(kind)


@functools.cache
def _packages(kind: Any) -> str:
    found: list[str] = []
    ours = kind.__module__.startswith(("companion.", "builtins"))
    outside = () if ours else installed()
    for one in reversed(kind.__mro__):
        place = one.__module__.split(".")
        if place[:2] == __name__.split(".") and place[2] not in ("api", "shared"):
            found.append(place[2])
        else:
            found += [other for other in outside if f"{one.__module__}.".startswith(f"{other}.")]
    return ":".join(dict.fromkeys(found))

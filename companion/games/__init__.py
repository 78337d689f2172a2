"""The available games: every package in this folder whose module `game` has a `GAME`."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator

from companion.games.api.rules import GameRules
from models import UnknownName

__all__ = ["GameRules", "edition", "every", "find", "package_of"]


def every() -> Iterator[GameRules]:
    """Every game, in the order of the package names; each is imported when it is reached."""
    for package in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        name = f"{__name__}.{package.name}.game"
        if package.ispkg and importlib.util.find_spec(name) is not None:
            game: GameRules = importlib.import_module(name).GAME
            yield game


def find(game: str) -> GameRules:
    """The game of that name, as written in table files."""
    known: list[str] = []
    for candidate in every():
        if game in candidate.games:
            return candidate
        known.extend(candidate.games)
    raise UnknownName(f"no rules for game {game!r}; there are: {', '.join(known) or 'none'}")


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

"""Finding the games that can be played, and what they show, by looking into their packages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games import found_in, package_of, playing
from companion.games.api.army_building import ArmyReader
from companion.games.api.game_screen import GameScreen
from companion.games.api.play import Play
from companion.games.api.rival import Rival
from companion.text import translation
from models import UnknownName


def every_play() -> Iterator[Play[Any]]:
    """Every playable game: `PLAY` of each game package that has a module `play`."""
    return found_in("play", "PLAY")


def every_screen() -> Iterator[GameScreen]:
    """Everything that games show: `SCREEN` of each game package that has a module `screen`."""
    return found_in("screen", "SCREEN")


def find_play(game: str) -> Play[Any]:
    """The `Play` object for the game of that name."""
    found: Play[Any] = playing(game, "play", "PLAY", f"no game {game!r} to play; there are")
    return found


def find_army_reader(game: str) -> ArmyReader:
    """The `Play` object for the game of that name, if it can read army lists."""
    found = find_play(game)
    if not isinstance(found, ArmyReader):
        raise UnknownName(f"{game!r} has no army lists")
    return found


def find_screen(game: str) -> GameScreen:
    """The `GameScreen` object for the game of that name."""
    problem = f"game {game!r} has no screen; these have one"
    found: GameScreen = playing(game, "screen", "SCREEN", problem)
    return found


def game_title(screen: GameScreen, game: str) -> str:
    """The name of a game in its own words: another one may use them differently."""
    words = translation.catalogue(translation.language(), game=package_of(screen))
    return words.translate(screen.name(game))


def find_rival(game: str) -> Rival[Any] | None:
    """The `Rival` object for the game of that name; None if nobody plays it but people."""
    return next((one for one in found_in("rival", "RIVAL", game) if game in one.games), None)


def rival_note(game: str) -> str:
    """What the rival of a game leaves to people, in its own words; "" if nothing."""
    rival = find_rival(game)
    if rival is None or not rival.note:
        return ""
    words = translation.catalogue(translation.language(), game=package_of(rival))
    return words.translate(rival.note)


def games_to_play() -> list[str]:
    """The names of all games that can be set up."""
    return [game for play in every_play() for game in play.games]

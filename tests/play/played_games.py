"""Games that the soaks play: how each is set up, and players who know only the session's answers.

The miniatures game and the card game have players of their own; any other game that has a practice
game is played by what its prompts offer.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from companion.session.game_lookup import find_screen
from tests.play import card_players
from tests.play.battle import LANNISTER, STARK
from tests.play.players import Command, Players, State

EDITIONS = (("tmg-2021", "GOT"), ("tmg-2018", "GOT"), ("tmg-2021", "FFC"), ("tmg-2018", "FFC"))
MINIATURES, CARDS = "tmg", "thrones"


class AnyPlayers(Protocol):
    """Both sides of a game."""

    def command(self, state: State) -> Command:
        """What they do now."""
        ...


class OfferedPlayers:
    """Players who choose at random among the commands that the prompts offer."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def command(self, state: State) -> Command:
        waiting = state["pending"][0]
        offered = waiting.get("options") or ()
        if offered:
            return dict(self.chance.choice(offered))
        side = {"side": waiting["side"]} if waiting.get("side") else {}
        return {"do": waiting["commands"][0], **side}


@dataclass(frozen=True)
class PlayedGame:
    """A game of the soaks."""

    set_up: Callable[[random.Random], Command]
    players: Callable[[int], AnyPlayers]
    asks: bool = True
    """Whether its players ask for the state, which alone lists what the prompts offer."""


def miniatures_set_up(chance: random.Random) -> Command:
    """The command that begins a game of one of the editions."""
    game, mode = chance.choice(EDITIONS)
    asked = {"mode": mode, "armies": [STARK, LANNISTER], "ready": True, "first": "blue"}
    return {"do": "set-up", "game": game, "unchecked": True, "seed": chance.randrange(99), **asked}


def played(game: str = MINIATURES) -> PlayedGame:
    """The game of that name: the miniatures game, the card game, or one with a practice game."""
    if game == MINIATURES:
        return PlayedGame(miniatures_set_up, Players, asks=False)
    if game == CARDS:
        return PlayedGame(card_players.set_up, card_players.CardPlayers)
    first: dict[str, Any] = dict(find_screen(game).practice(game)[0])

    def set_up(chance: random.Random) -> Command:
        return {**first, "seed": chance.randrange(10**6)}

    return PlayedGame(set_up, OfferedPlayers)

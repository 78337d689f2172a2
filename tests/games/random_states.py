"""States of random games of every kind, without a file: for tests of what screens show."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from companion.games.api.play import Plain, Refusal
from companion.session.game_lookup import find_play, find_screen
from tests.games.westeros.test_games import set_up
from tests.play import card_players, random_games
from tests.rival.battles import crowded_yard

KINDS = ("tmg-2021", "tmg-2018", "tactics", "westeros", "thrones")


def opening(kind: str, chance: random.Random) -> list[Plain]:
    """The set-up of a random game, or a practice game up to its first turn."""
    if kind.startswith("tmg"):
        numbers = [n for n, (game, _) in enumerate(random_games.KINDS) if game == kind]
        return [random_games.set_up(chance.choice(numbers), chance)]
    if kind == "thrones" and chance.random() < 0.5:
        return [card_players.set_up(chance)]
    if kind == "tactics":
        return [*crowded_yard(chance.randrange(10**6))]
    if kind == "westeros":
        return [{**set_up("melee", chance.randrange(10**6)), "game": kind}]
    return [*find_screen(kind).practice(kind)]


def states(kind: str, seed: int, steps: int) -> Iterator[Any]:
    """The states of a game in which seats take what is offered to them, at random."""
    chance, play = random.Random(seed), find_play(kind)
    first, *rest = opening(kind, chance)
    asked = {key: value for key, value in first.items() if key not in ("do", "game")}
    setup = play.prepare(kind, {"seed": seed, **asked})
    assert not isinstance(setup, Refusal), setup
    state = play.start(kind, setup)
    for command in rest:
        state = after(kind, state, command)
    for _ in range(steps):
        yield state
        moment = play.moment(state)
        found = [
            command
            for side in (None, *moment.sides)
            for offered in play.options(state, side)
            for command in offered.get("options", ())
        ]
        if moment.winner is not None or not found:
            return
        word = chance.choice(sorted({one["do"] for one in found}))
        state = after(kind, state, chance.choice([one for one in found if one["do"] == word]))


def after(kind: str, state: Any, command: Plain) -> Any:
    """The state after a command that must be accepted."""
    play = find_play(kind)
    decision = play.decide(state, command)
    assert not isinstance(decision, Refusal), (command, decision)
    for event in decision.events:
        state = play.apply(state, event)
    return state

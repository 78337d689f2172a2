"""The game's own objection to a finished draft, as the wizard shows it."""

from __future__ import annotations

from typing import Any

from companion.games.api.play import Plain, Play, Refusal
from companion.games.api.setup_step import SetupProblem
from companion.text.rule_numbers import unnumbered
from models.errors import CompanionError


def refused_setup(play: Play[Any], game: str, command: Plain) -> tuple[SetupProblem, ...]:
    """Why the game does not accept this `set-up` command; empty if it does."""
    try:
        found = play.prepare(game, {**command, "seed": 0})
    except CompanionError as error:
        return (SetupProblem(str(error)),)
    if isinstance(found, Refusal):
        return (SetupProblem(unnumbered(found.say), found.why),)
    return ()

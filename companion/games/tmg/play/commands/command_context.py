"""The context of a running command: its events so far, the state after them, its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.api.play import Refusal
from companion.games.shared.commands import (
    CommandArgs,
    CommandRegistry,
    CommandRule,
    StepContext,
    ask,
    no,
    quoted,
)
from companion.games.shared.seeded_dice import die
from companion.games.tmg.play.events.event_log import apply
from companion.games.tmg.play.state.game_state import GameState
from models.lazy_message import say

__all__ = [
    "COMMANDS",
    "CommandArgs",
    "CommandContext",
    "CommandRule",
    "Verb",
    "ask",
    "command",
    "die",
    "no",
    "quoted",
    "unsure",
]


class CommandContext(StepContext[GameState]):
    """Collects the events of one command of the miniatures game."""

    def __init__(self, state: GameState) -> None:
        super().__init__(state, apply)


Verb = Callable[[CommandContext, CommandArgs], Refusal | None]


REGISTRY = CommandRegistry[CommandContext](("activation",))
COMMANDS, command = REGISTRY.rules, REGISTRY.command
"""Every command of the game by name; the modules of this package register theirs here."""


def unsure(field: str, why: str, one: str, /, **values: Any) -> Refusal:
    """A refusal that asks the players for a field that the table cannot decide."""
    return Refusal(why, say(one, **values), field)

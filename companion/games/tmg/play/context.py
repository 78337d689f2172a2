"""The context of a running command: its events so far, the state after them, its fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, get_args

from companion.games.api.play import Refusal
from companion.games.shared.commands import (
    CommandArgs,
    CommandRegistry,
    CommandRule,
    StepContext,
    ask,
    die,
    no,
    quoted,
)
from companion.games.tmg.play.events.event_log import EVENTS
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    CLEAN_UP,
    SET_UP,
    GameState,
    PendingTask,
)
from companion.games.tmg.play.state.unit_state import UnitState
from models.message import say

__all__ = [
    "COMMANDS",
    "WHOSE",
    "CommandContext",
    "CommandFields",
    "CommandRule",
    "Verb",
    "anytime",
    "ask",
    "command",
    "die",
    "effect_owner",
    "interrupt",
    "no",
    "on_field",
    "quoted",
    "unsure",
    "waiting",
]

FieldName = Literal[
    "abilities", "action", "activated", "agreed", "another", "armies", "because", "beside", "by",
    "by_unit", "card", "cards", "confirm", "cost", "count", "cover", "d3", "dangerous",
    "defender", "dice", "distance", "drop", "extra", "faces", "first", "form", "fortified",
    "friends", "from", "heading", "heal", "hindering", "hit", "hits", "holds", "in_range",
    "instead", "into", "into_melee", "keep", "kind", "leader", "lost", "marked", "mission", "mode",
    "modifier", "name", "ncu", "near_pile", "offer", "order", "out", "paper", "piece",
    "place", "places", "player", "points", "put", "quadrant", "random", "ranged", "ranks", "reach",
    "readings", "ready", "remove", "role", "seed", "set", "shape", "side", "skip",
    "success", "table", "take", "target", "task", "test", "to", "token", "total", "trigger",
    "turned", "unchecked", "unit", "units", "until", "value", "vp", "vp_tokens",
    "wall_wounds", "weapon", "what", "why", "winner", "with", "wounds", "wounds_per_model", "x",
    "y", "zone",
]  # fmt: skip
"""The fields that commands have."""
CommandFields = CommandArgs[FieldName]


class CommandContext(StepContext[GameState]):
    """Collects the events of one command of the miniatures game."""

    def __init__(self, state: GameState) -> None:
        super().__init__(state, EVENTS)
        self.before = state


Verb = Callable[[CommandContext, CommandFields], Refusal | None]

REGISTRY = CommandRegistry[CommandContext]((ACTIVATION,), get_args(FieldName))
COMMANDS, command = REGISTRY.rules, REGISTRY.command
"""Every command of the game by name; the modules of this package register theirs here."""
interrupt = partial(command, phases=(ACTIVATION, CLEAN_UP), busy=True)
"""A command that is accepted in every round, also while something is pending."""
anytime = partial(command, phases=(SET_UP, ACTIVATION, CLEAN_UP), busy=True)
"""A command that is accepted before the first round too."""


def waiting(refusal: Refusal, *kinds: str) -> Callable[[GameState, CommandFields], Any]:
    """Finds the pending task of one of these kinds: by its number, else the first one."""

    def found(state: GameState, given: CommandFields) -> PendingTask | Refusal:
        tasks = [task for task in state.tasks if task.kind in kinds]
        if given.has("task"):
            number = given.whole("task", 0, 10**6)
            tasks = [task for task in tasks if task.id == number]
        return tasks[0] if tasks else refusal

    return found


def on_field(state: GameState, given: CommandFields) -> UnitState | Refusal:
    """Finds the combat unit that a command names, which must be on the battlefield."""
    name = given.need("unit")
    if state.has_ncu(name):
        return no("TMG-NCU-1", "{unit} is not on the battlefield", unit=name)
    unit = state.unit(name)
    if not unit.standing:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=name)
    return unit


WHOSE = "whose effect it is: a side, a unit of it, or nobody; nobody's where left out"


def effect_owner(state: GameState, given: CommandFields) -> tuple[str, str]:
    """The side whose effect something is, and its unit where that is told; "" for nobody."""
    by = given.text("by")
    unit = by if state.has_unit(by) else given.text("by_unit")
    if unit:
        return (state.side(by).id if by and by != unit else state.unit(unit).side), unit
    return (state.side(by).id if by and by != "nobody" else ""), ""


def unsure(field: str, why: str, one: str, /, **values: Any) -> Refusal:
    """A refusal that asks the players for a field that the table cannot decide."""
    return Refusal(why, say(one, **values), field)

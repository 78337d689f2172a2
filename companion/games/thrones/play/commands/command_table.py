"""All commands of a game: which exist, when they are accepted, and how they are decided."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.play import Accepted, Command, Decision, Plain, Refusal
from companion.games.shared.commands import CommandArgs, quoted
from companion.games.thrones.play.commands import (  # noqa: F401
    camera_commands,
    card_commands,
    challenge_commands,
    count_commands,
    decision_commands,
    pile_commands,
    plot_commands,
    query_commands,
    setup_commands,
    trigger_commands,
    window_commands,
)
from companion.games.thrones.play.context import REGISTRY, ThronesContext
from companion.games.thrones.play.flow import settle
from companion.games.thrones.play.not_now import not_now
from companion.games.thrones.play.setup import SETUP
from companion.games.thrones.play.state import ThronesState
from models.field import Field
from models.lazy_message import say


def decide(state: ThronesState, command: Plain) -> Decision:
    """The result of a command, or a refusal."""
    word = command.get("do")
    if not isinstance(word, str) or word not in REGISTRY.rules:
        return Refusal("INPUT", say("no command {word}; help lists them", word=quoted(word)))
    rule = REGISTRY.rules[word]
    if not command.keys() <= rule.keys:
        Field(dict(command), word).keys(rule.keys)  # raises and names the unknown field
    if refusal := not_now(state, word):
        return refusal
    ctx = ThronesContext(state)
    refusal = rule.verb(ctx, CommandArgs(command, word))
    if refusal is not None:
        return refusal
    settle(ctx)
    return Accepted(tuple(ctx.events), ctx.answer, ctx.state)


def listed() -> Sequence[Command]:
    """Every command with its fields, `set-up` first, the others by name."""
    return (SETUP, *REGISTRY.listed())

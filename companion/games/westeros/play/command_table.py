"""All commands of a battle: which exist, when they are accepted, and how they are decided."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.play import Accepted, Command, Decision, Plain, Refusal
from companion.games.shared.commands import CommandArgs, no, quoted
from companion.games.westeros.play import (  # noqa: F401
    answer_commands,
    setup_commands,
    turn_commands,
    unit_commands,
)
from companion.games.westeros.play.context import REGISTRY, WesterosContext
from companion.games.westeros.play.flow import settle
from companion.games.westeros.play.prompts import pending
from companion.games.westeros.play.setup import SETUP
from companion.games.westeros.play.state import OVER, WesterosState
from models.field import Field
from models.lazy_message import say


def decide(state: WesterosState, command: Plain) -> Decision:
    """The result of a command, or a refusal."""
    word = command.get("do")
    if not isinstance(word, str) or word not in REGISTRY.rules:
        return Refusal("INPUT", say("no command {word}; help lists them", word=quoted(word)))
    rule = REGISTRY.rules[word]
    if not command.keys() <= rule.keys:
        Field(dict(command), word).keys(rule.keys)  # raises and names the unknown field
    if refusal := not_now(state, word):
        return refusal
    ctx = WesterosContext(state)
    refusal = rule.verb(ctx, CommandArgs(command, word))
    if refusal is not None:
        return refusal
    settle(ctx)
    return Accepted(tuple(ctx.events), ctx.answer, ctx.state)


def not_now(state: WesterosState, word: str) -> Refusal | None:
    """Why a command is not accepted at this moment."""
    rule = REGISTRY.rules[word]
    if state.phase == OVER:
        return no("BOW-VIC-4", "the battle is over")
    if state.phase not in rule.phases:
        return no("BOW-RND-1", "{word} is not possible now", word=quoted(word))
    if state.tasks and not rule.busy:
        return no("BOW-CMB-1", "first: {what}", what=pending(state)[0].say)
    return None


def listed() -> Sequence[Command]:
    """Every command with its fields, `set-up` first, the others by name."""
    return (SETUP, *REGISTRY.listed())

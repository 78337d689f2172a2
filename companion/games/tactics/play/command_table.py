"""All commands of a battle: which exist, when they are accepted, and how they are decided."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.play import Accepted, Command, Decision, Plain, Refusal
from companion.games.shared.commands import CommandArgs, no, quoted
from companion.games.tactics.play import (  # noqa: F401
    attack_commands,
    move_commands,
    roll_commands,
    setup_commands,
    terrain_commands,
    token_commands,
    turn_commands,
)
from companion.games.tactics.play.context import REGISTRY, BattleContext
from companion.games.tactics.play.flow import settle
from companion.games.tactics.play.prompts import pending
from companion.games.tactics.play.setup import SETUP
from companion.games.tactics.play.state import OVER, SkirmishState
from models.field import Field
from models.lazy_message import say


def decide(state: SkirmishState, command: Plain) -> Decision:
    """The result of a command, or a refusal."""
    word = command.get("do")
    if not isinstance(word, str) or word not in REGISTRY.rules:
        return Refusal("INPUT", say("no command {word}; help lists them", word=quoted(word)))
    rule = REGISTRY.rules[word]
    if not command.keys() <= rule.keys:
        Field(dict(command), word).keys(rule.keys)  # raises and names the unknown field
    if refusal := not_now(state, word):
        return refusal
    ctx = BattleContext(state)
    refusal = rule.verb(ctx, CommandArgs(command, word))
    if refusal is not None:
        return refusal
    settle(ctx)
    return Accepted(tuple(ctx.events), ctx.answer, ctx.state)


def not_now(state: SkirmishState, word: str) -> Refusal | None:
    """Why a command is not accepted at this moment."""
    rule = REGISTRY.rules[word]
    if state.phase == OVER:
        return no("TAC-END-7", "the battle is over")
    if state.phase not in rule.phases:
        return no("TAC-SET-1", "{word} is not possible now", word=quoted(word))
    if state.tasks and not rule.busy:
        found = pending(state)
        return no("TAC-ATK-5", "first: {what}", what=found[0].say)
    return None


def listed() -> Sequence[Command]:
    """Every command with its fields, `set-up` first, the others by name."""
    return (SETUP, *REGISTRY.listed())

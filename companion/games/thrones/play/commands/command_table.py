"""All commands of a game: which exist, when they are accepted, and how they are decided."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.play import Accepted, Command, Decision, Plain, Refusal
from companion.games.shared.commands import CommandArgs, no, quoted
from companion.games.thrones.play.commands import (  # noqa: F401
    card_commands,
    challenge_commands,
    count_commands,
    pile_commands,
    plot_commands,
    query_commands,
    setup_commands,
    trigger_commands,
    window_commands,
)
from companion.games.thrones.play.context import REGISTRY, ThronesContext
from companion.games.thrones.play.flow import settle
from companion.games.thrones.play.setup import SETUP
from companion.games.thrones.play.state import ThronesState
from models.field import Field
from models.lazy_message import say

STEP_RULES = {
    "SETUP-7": "AGOT-SET-8", "SETUP-8": "AGOT-SET-10", "SETUP-9": "AGOT-SET-17",
    "1.2": "AGOT-PLOT-2", "1.3.I": "AGOT-PLOT-11", "1.3.II": "AGOT-PLOT-12",
    "1.3.III": "AGOT-PLOT-14", "1.4": "AGOT-TTL-5", "AW3": "AGOT-MAR-4", "4.2": "AGOT-CHL-4",
    "4.2.X": "AGOT-TTL-21", "4.2.1": "AGOT-CHL-16", "4.2.4": "AGOT-CHL-35",
    "4.2.5": "AGOT-KEY-7", "7.3": "AGOT-TAX-5",
}  # fmt: skip
"""The rule that says when a command of a single step is possible."""


WINDOW_WORDS = ("pass", "act", "ambush")
"""Commands of an action window that is paused by interrupts and reactions."""


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


def not_now(state: ThronesState, word: str) -> Refusal | None:
    """Why a command is not accepted at this moment."""
    rule = REGISTRY.rules[word]
    steps = rule.phases
    if rule.busy:
        return None
    if state.winner:
        return no("AGOT-WIN-2", "the game is over: {player} has won",
                  player=state.house(state.winner).name)  # fmt: skip
    if state.contest and word != "winner":
        return no("AGOT-WIN-3", "first {player} names the winner",
                  player=state.house(state.first).name)  # fmt: skip
    if state.triggers and (steps or word in WINDOW_WORDS):
        return no("AGOT-TRG-17", "first: {what}", what=state.triggers[-1].what)
    if steps and state.step not in steps:
        return no(STEP_RULES[steps[0]], "{word} is not possible now", word=quoted(word))
    if not steps and state.round < 1:
        return no("AGOT-SET-21", "the game has not begun yet")
    return None


def listed() -> Sequence[Command]:
    """Every command with its fields, `set-up` first, the others by name."""
    return (SETUP, *REGISTRY.listed())

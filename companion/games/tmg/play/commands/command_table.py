"""All commands: which exist, when they are accepted, and how they are decided."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.play import Accepted, Command, Decision, Plain, Refusal
from companion.games.tmg.play.army import army_lists  # noqa: F401
from companion.games.tmg.play.commands import (  # noqa: F401
    activations,
    cards,
    conditions,
    missions,
    positions,
    preparation,
    reserves,
    tactics_board,
)
from companion.games.tmg.play.context import COMMANDS, CommandArgs, CommandContext, ask, no, quoted
from companion.games.tmg.play.flow import (  # noqa: F401
    attacks,
    dice_changes,
    panic_queue,
    phases,
    scoring,
    victory,
)
from companion.games.tmg.play.flow.scoring import lose_control, renew_offers
from companion.games.tmg.play.state import table_update  # noqa: F401
from companion.games.tmg.play.state.game_state import OVER, GameState
from models.field import Field
from models.message import say

SETUP = Command(
    "set-up",
    "two armies (or more), a mode, and how large the game is",
    (
        ask("mode", "word", "GOT, COK, SOS, FFC, DWD, WOW, HAR, FAB, HWS or DWW", True),
        ask(
            "armies",
            "list",
            "side, player, list (ids, text, TOML) or units, ncus, cards; costs, wounds per model "
            "and commander where the catalogue lacks them",
            True,
        ),
        ask("points", "number", "the agreed size; 40 where left out"),
        ask("shape", "word", "duel, team or ffa", False, ("duel", "team", "ffa")),
        ask("readings", "list", "open readings the players settled: name=value"),
        ask("unchecked", "flag", "do not check the armies"),
        ask("paper", "flag", "the players draw their own tactics cards: they are only counted"),
        ask("ready", "flag", "the table is set up: skip terrain, zones and the roll"),
        ask("first", "side", "the first player, where the table is ready"),
        ask("defender", "side", "A Storm of Swords: who defends"),
        ask("wall_wounds", "number", "A Storm of Swords: what a castle wall takes"),
        ask("seed", "number", "the seed of the companion's dice"),
        ask("table", "table", "who stands where"),
    ),
)


def decide(state: GameState, command: Plain) -> Decision:
    """The result of a command, or a refusal."""
    word = command.get("do")
    if not isinstance(word, str) or word not in COMMANDS:
        return Refusal("INPUT", say("no command {word}; help lists them", word=quoted(word)))
    rule = COMMANDS[word]
    Field(command, word).keys(rule.keys)  # raises and names an unknown field
    if refusal := timing_refusal(state, word):
        return refusal
    context = CommandContext(state)
    refusal = rule.verb(context, CommandArgs(command, word))
    if refusal is not None:
        return refusal
    lose_control(context)
    renew_offers(context, state)
    if state.phase == OVER:
        victory.decide_again(context)
    phases.settle(context)
    return Accepted(tuple(context.events), context.answer, context.state)


def timing_refusal(state: GameState, word: str) -> Refusal | None:
    """Why a command is not accepted at this moment."""
    rule = COMMANDS[word]
    if state.phase == OVER and OVER not in rule.phases:
        return no("TMG-VIC-1", "the game is over: {winner}", winner=state.winner)
    if state.phase not in rule.phases:
        return no(
            "TMG-RND-1",
            "{word} is not heard in the {phase} phase",
            word=quoted(word),
            phase=state.phase,
        )
    waiting = state.attack is not None or bool(state.trials or state.tasks)
    if waiting and not rule.busy:
        found = phases.pending(state)
        return no(
            "TMG-TIM-6", say("first: {what}", what=found[0].say) if found else "something waits"
        )
    return None


def listed() -> Sequence[Command]:
    """Every command with its fields, `set-up` first, the others by name."""
    return (
        SETUP,
        *(
            Command(rule.name, rule.what, rule.fields)
            for rule in sorted(COMMANDS.values(), key=lambda rule: rule.name)
        ),
    )

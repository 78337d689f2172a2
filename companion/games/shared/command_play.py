"""The play of a game whose commands and events are registered functions, and its prompts.

`CommandPlay` answers what follows from the two registries. `PhasePlay` adds what games with phases
and pending tasks have in common: when a command is accepted, and the summary of the state.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from companion.games.api.play import (
    Accepted,
    Command,
    Decision,
    Event,
    GameMoment,
    Pending,
    Plain,
    Play,
    Refusal,
)
from companion.games.shared.commands import (
    CommandArgs,
    CommandRegistry,
    CommandRule,
    SeededState,
    StepContext,
    no,
    quoted,
)
from companion.games.shared.event_registry import EventRegistry
from models import Table
from models.board_table import BoardTable
from models.field import Field

S = TypeVar("S", bound=SeededState)
C = TypeVar("C", bound=StepContext[Any])


class CommandPlay(Play[S], Generic[S, C]):
    """A game made of a registry of commands and one of events."""

    game_name: str
    setup: Command
    commands: CommandRegistry[C]
    events: EventRegistry[S]

    @abstractmethod
    def context(self, state: S) -> C:
        """The context in which a command runs."""

    @abstractmethod
    def timing_refusal(self, state: S, rule: CommandRule[C]) -> Refusal | None:
        """Why a command is not accepted at this moment."""

    @abstractmethod
    def settle(self, ctx: C) -> None:
        """Carry the game on after a command until it waits for the players."""

    @property
    def games(self) -> tuple[str, ...]:
        return (self.game_name,)

    def decide(self, state: S, command: Plain) -> Decision:
        word = command.get("do")
        rule = self.commands.rules.get(word) if isinstance(word, str) else None
        if rule is None:
            return no("INPUT", "no command {word}; help lists them", word=quoted(word))
        if not command.keys() <= rule.keys:
            Field(dict(command), rule.name).keys(rule.keys)  # raises and names the unknown field
        if refusal := self.timing_refusal(state, rule):
            return refusal
        ctx = self.context(state)
        if refusal := rule.verb(ctx, CommandArgs(command, rule.name)):
            return refusal
        self.settle(ctx)
        return Accepted(tuple(ctx.events), ctx.answer, ctx.state)

    def apply(self, state: S, event: Event) -> S:
        return self.events.apply(state, event)

    def title(self, event: Event) -> str:
        return self.events.title(event)

    def help(self, game: str) -> Sequence[Command]:
        return (self.setup, *self.commands.listed())


class PhasedState(SeededState, Protocol):
    """A state with rounds, phases, turns and tasks that the players have to answer."""

    @property
    def round(self) -> int: ...

    @property
    def phase(self) -> str: ...

    @property
    def turn(self) -> int: ...

    @property
    def active(self) -> str: ...

    @property
    def how(self) -> str: ...

    @property
    def tasks(self) -> tuple[Any, ...]: ...

    @property
    def winner(self) -> str: ...


@dataclass(frozen=True, slots=True)
class TimingRules:
    """The rule numbers of commands at the wrong moment."""

    over: str
    """The game is over."""
    phase: str
    """Another phase goes on."""
    task: str
    """Something else has to be answered first."""


P = TypeVar("P", bound=PhasedState)


class PhasePlay(CommandPlay[P, C]):
    """A game with phases and pending tasks, which goes on by itself step by step."""

    over: str
    """The phase after the end."""
    timing: TimingRules

    @abstractmethod
    def step(self, ctx: C) -> bool:
        """One automatic step; False if there is none, or the players are asked."""

    @abstractmethod
    def score(self, state: P) -> Mapping[str, int]:
        """The victory points by side, in seating order."""

    @abstractmethod
    def table(self, state: P) -> Table | BoardTable | None:
        """The table or board with the pieces on it, if there is one."""

    def names(self, state: P) -> Mapping[str, str]:
        """The players' names by side, where reports call them by these."""
        return {}

    def part(self, state: P) -> str:
        """What reports call a phase in which nobody has a turn; "" in a turn."""
        return ""

    def readings(self, state: P) -> tuple[str, ...]:
        """The readings that the game was set up with, where they are not the usual."""
        return ()

    def busy(self, state: P) -> bool:
        """Whether something has to be answered before other commands are accepted."""
        return bool(state.tasks)

    def timing_refusal(self, state: P, rule: CommandRule[C]) -> Refusal | None:
        if state.phase == self.over and self.over not in rule.phases:
            return no(self.timing.over, "the battle is over")
        if state.phase not in rule.phases:
            return no(self.timing.phase, "{word} is not possible now", word=quoted(rule.name))
        if self.busy(state) and not rule.busy:
            return no(self.timing.task, "first: {what}", what=self.pending(state)[0].say)
        return None

    def settle(self, ctx: C) -> None:
        while self.step(ctx):
            pass

    def moment(self, state: P) -> GameMoment:
        asked, score, table = self.pending(state), self.score(state), self.table(state)
        if table is not None and table.game not in self.games:
            table = replace(table, game=self.games[0])  # of a game that derives from this one
        return GameMoment(
            round=state.round,
            phase=state.phase,
            turn=state.turn,
            side=(asked[0].side or state.active or None) if asked else None,
            sides=tuple(score),
            score=score,
            winner=state.winner or None,
            table=table,
            names=self.names(state),
            part=self.part(state),
            how=state.how,
            readings=self.readings(state),
        )


Commands = list[dict[str, Any]]
PromptCommands = tuple[Pending, Commands]


def prompt_options(waiting: Iterable[PromptCommands], side: str | None, secret: str) -> list[Plain]:
    """For each prompt its commands and the words that can also be given in other ways.

    The commands of the prompt `secret` are for its own side only.
    """
    found: list[Plain] = []
    for prompt, commands in waiting:
        mine = side is None or prompt.side in (None, side)
        hidden = prompt.what == secret and side != prompt.side
        given = [] if hidden or not mine else list(commands)
        open_ = [name for name in prompt.commands if all(one["do"] != name for one in given)]
        found.append({"options": given, "open": open_})
    return found

"""Tactics' implementation of the play interface."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.play import (
    ArmySummary,
    Command,
    Decision,
    Event,
    GameMoment,
    Pending,
    Plain,
    Refusal,
    RolledDice,
)
from companion.games.tactics.game import GAME_NAME
from companion.games.tactics.play import command_table, prompts, setup, views
from companion.games.tactics.play.events.event_log import EVENTS, dice
from companion.games.tactics.play.state import SkirmishState, current_table


class TacticsPlay:
    """A battle behind the play interface; `games/api/play.py` documents the methods."""

    @property
    def games(self) -> tuple[str, ...]:
        return (GAME_NAME,)

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        return setup.prepare(game, command)

    def start(self, game: str, setup_: Plain) -> SkirmishState:
        return setup.start(game, setup_)

    def decide(self, state: SkirmishState, command: Plain) -> Decision:
        return command_table.decide(state, command)

    def apply(self, state: SkirmishState, event: Event) -> SkirmishState:
        return EVENTS.apply(state, event)

    def view(self, state: SkirmishState, side: str | None = None) -> Plain:
        return views.view(state, side)

    def moment(self, state: SkirmishState) -> GameMoment:
        asked = prompts.pending(state)
        return GameMoment(
            round=state.round,
            phase=state.phase,
            turn=state.turn,
            side=asked[0].side if asked else None,
            sides=state.names,
            score={squad.id: squad.vp for squad in state.squads},
            winner=state.winner or None,
            table=current_table(state),
        )

    def pending(self, state: SkirmishState) -> Sequence[Pending]:
        return prompts.pending(state)

    def options(self, state: SkirmishState, side: str | None = None) -> Sequence[Plain]:
        return prompts.options(state, side)

    def title(self, event: Event) -> str:
        return EVENTS.title(event)

    def tale(self, state: SkirmishState, event: Event) -> str:
        return views.tale(state, event)

    def occasion(self, state: SkirmishState) -> str:
        return views.occasion(state)

    def hosts(self, state: SkirmishState) -> Sequence[ArmySummary]:
        return views.armies(state)

    def dice(self, event: Event) -> Sequence[RolledDice]:
        return dice(event)

    def help(self, game: str) -> Sequence[Command]:
        return command_table.listed()

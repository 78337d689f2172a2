"""Battles of Westeros' implementation of the play interface."""

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
    Play,
    Refusal,
    RolledDice,
)
from companion.games.westeros.game import GAME_NAME
from companion.games.westeros.play import command_table, prompts, setup, views
from companion.games.westeros.play.battlefield import current_table
from companion.games.westeros.play.events import event_log
from companion.games.westeros.play.state import WesterosState


class WesterosPlay(Play[WesterosState]):
    """A battle behind the play interface; `games/api/play.py` documents the methods."""

    @property
    def games(self) -> tuple[str, ...]:
        return (GAME_NAME,)

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        return setup.prepare(game, command)

    def start(self, game: str, setup_: Plain) -> WesterosState:
        return setup.start(game, setup_)

    def decide(self, state: WesterosState, command: Plain) -> Decision:
        return command_table.decide(state, command)

    def apply(self, state: WesterosState, event: Event) -> WesterosState:
        return event_log.EVENTS.apply(state, event)

    def view(self, state: WesterosState, side: str | None = None) -> Plain:
        return views.view(state, side)

    def moment(self, state: WesterosState) -> GameMoment:
        asked = prompts.pending(state)
        return GameMoment(
            round=state.round,
            phase=state.phase,
            turn=state.turn,
            side=asked[0].side if asked else None,
            sides=state.sides,
            score={house.side: house.vp for house in state.houses},
            winner=state.winner or None,
            table=current_table(state),
        )

    def pending(self, state: WesterosState) -> Sequence[Pending]:
        return prompts.pending(state)

    def options(self, state: WesterosState, side: str | None = None) -> Sequence[Plain]:
        return prompts.options(state, side)

    def title(self, event: Event) -> str:
        return event_log.EVENTS.title(event)

    def tale(self, state: WesterosState, event: Event) -> str:
        return views.tale(state, event)

    def occasion(self, state: WesterosState) -> str:
        return views.occasion(state)

    def hosts(self, state: WesterosState) -> Sequence[ArmySummary]:
        return views.armies(state)

    def dice(self, event: Event) -> Sequence[RolledDice]:
        return event_log.dice(event)

    def help(self, game: str) -> Sequence[Command]:
        return command_table.listed()

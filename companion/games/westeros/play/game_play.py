"""Battles of Westeros' implementation of the play interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.api.play import ArmySummary, Event, Pending, Plain, Refusal, RolledDice
from companion.games.shared.command_play import PhasePlay, TimingRules
from companion.games.westeros.game import GAME_NAME
from companion.games.westeros.play import (  # noqa: F401  (the commands register themselves)
    answer_commands,
    flow,
    prompts,
    setup,
    setup_commands,
    turn_commands,
    unit_commands,
    views,
)
from companion.games.westeros.play.battlefield import current_table
from companion.games.westeros.play.context import REGISTRY, WesterosContext
from companion.games.westeros.play.events.event_log import EVENTS, dice
from companion.games.westeros.play.state import OVER, WesterosState
from models.board_table import BoardTable


class WesterosPlay(PhasePlay[WesterosState, WesterosContext]):
    """A battle behind the play interface; `games/api/play.py` documents the methods."""

    game_name = GAME_NAME
    setup = setup.SETUP
    commands = REGISTRY
    events = EVENTS
    over = OVER
    timing = TimingRules(over="BOW-VIC-4", phase="BOW-RND-1", task="BOW-CMB-1")

    def context(self, state: WesterosState) -> WesterosContext:
        return WesterosContext(state)

    def step(self, ctx: WesterosContext) -> bool:
        return flow.step(ctx)

    def score(self, state: WesterosState) -> Mapping[str, int]:
        return {house.side: house.vp for house in state.houses}

    def table(self, state: WesterosState) -> BoardTable:
        return current_table(state)

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        return setup.prepare(game, command)

    def start(self, game: str, setup_: Plain) -> WesterosState:
        return setup.start(game, setup_)

    def view(self, state: WesterosState, side: str | None = None) -> Plain:
        return views.view(state, side)

    def pending(self, state: WesterosState) -> Sequence[Pending]:
        return prompts.pending(state)

    def options(self, state: WesterosState, side: str | None = None) -> Sequence[Plain]:
        return prompts.options(state, side)

    def report_sentence(self, state: WesterosState, event: Event) -> str:
        return views.report_sentence(state, event)

    def occasion(self, state: WesterosState) -> str:
        return views.occasion(state)

    def armies(self, state: WesterosState) -> Sequence[ArmySummary]:
        return views.armies(state)

    def dice(self, event: Event) -> Sequence[RolledDice]:
        return dice(event)

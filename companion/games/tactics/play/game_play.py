"""Tactics' implementation of the play interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.api.play import ArmySummary, Event, Pending, Plain, Refusal, RolledDice
from companion.games.shared.command_play import PhasePlay, TimingRules
from companion.games.tactics.game import GAME_NAME
from companion.games.tactics.play import (  # noqa: F401  (the commands register themselves)
    attack_commands,
    flow,
    move_commands,
    prompts,
    roll_commands,
    setup,
    setup_commands,
    terrain_commands,
    token_commands,
    turn_commands,
    views,
)
from companion.games.tactics.play.context import REGISTRY, BattleContext
from companion.games.tactics.play.events.event_log import EVENTS, dice
from companion.games.tactics.play.state import OVER, SkirmishState, current_table
from models.board_table import BoardTable


class TacticsPlay(PhasePlay[SkirmishState, BattleContext]):
    """A battle behind the play interface; `games/api/play.py` documents the methods."""

    game_name = GAME_NAME
    setup = setup.SETUP
    commands = REGISTRY
    events = EVENTS
    over = OVER
    timing = TimingRules(over="TAC-END-7", phase="TAC-SET-1", task="TAC-ATK-5")

    def context(self, state: SkirmishState) -> BattleContext:
        return BattleContext(state)

    def step(self, ctx: BattleContext) -> bool:
        return flow.step(ctx)

    def score(self, state: SkirmishState) -> Mapping[str, int]:
        return {squad.id: squad.vp for squad in state.squads}

    def table(self, state: SkirmishState) -> BoardTable:
        return current_table(state)

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        return setup.prepare(game, command)

    def start(self, game: str, setup_: Plain) -> SkirmishState:
        return setup.start(game, setup_)

    def view(self, state: SkirmishState, side: str | None = None) -> Plain:
        return views.view(state, side)

    def pending(self, state: SkirmishState) -> Sequence[Pending]:
        return prompts.pending(state)

    def options(self, state: SkirmishState, side: str | None = None) -> Sequence[Plain]:
        return prompts.options(state, side)

    def report_sentence(self, state: SkirmishState, event: Event) -> str:
        return views.report_sentence(state, event)

    def occasion(self, state: SkirmishState) -> str:
        return views.occasion(state)

    def armies(self, state: SkirmishState) -> Sequence[ArmySummary]:
        return views.armies(state)

    def dice(self, event: Event) -> Sequence[RolledDice]:
        return dice(event)

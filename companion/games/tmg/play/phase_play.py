"""The commands and phases of the miniatures game: what is accepted when, and what follows."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.shared.command_play import PhasePlay, TimingRules
from companion.games.tmg.play.army import army_lists  # noqa: F401
from companion.games.tmg.play.commands import (  # noqa: F401  (the commands register themselves)
    activations,
    cards,
    conditions,
    missions,
    positions,
    preparation,
    reserves,
    tactics_board,
    terrain,
)
from companion.games.tmg.play.commands.laid_pieces import with_pieces
from companion.games.tmg.play.context import REGISTRY, CommandContext
from companion.games.tmg.play.events.event_log import EVENTS
from companion.games.tmg.play.flow import phases, victory
from companion.games.tmg.play.flow.scoring import lose_control, renew_offers
from companion.games.tmg.play.names import seat_name
from companion.games.tmg.play.setup import SETUP, prepare, start
from companion.games.tmg.play.state.game_state import OVER, GameState
from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.rules.rulebook import EDITIONS
from models import Table


class MiniaturesPhases(PhasePlay[GameState, CommandContext]):
    """A battle of either edition that is decided command by command."""

    setup = SETUP
    commands = REGISTRY
    events = EVENTS
    over = OVER
    timing = TimingRules(over="TMG-VIC-1", phase="TMG-RND-1", task="TMG-TIM-6")

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(EDITIONS)

    prepare = staticmethod(prepare)
    start = staticmethod(start)

    def context(self, state: GameState) -> CommandContext:
        return CommandContext(state)

    def busy(self, state: GameState) -> bool:
        return state.attack is not None or bool(state.trials or state.tasks)

    def settle(self, ctx: CommandContext) -> None:
        lose_control(ctx)
        renew_offers(ctx, ctx.before)
        if ctx.before.phase == OVER:
            victory.decide_again(ctx)
        super().settle(ctx)

    def step(self, ctx: CommandContext) -> bool:
        return phases.step(ctx)

    pending = staticmethod(phases.pending)

    def score(self, state: GameState) -> Mapping[str, int]:
        return {side.id: side.vp for side in state.sides}

    def names(self, state: GameState) -> Mapping[str, str]:
        named = {player.side for player in state.players if player.id != player.side}
        return {side: seat_name(side, state.players) for side in named}

    def readings(self, state: GameState) -> tuple[str, ...]:
        return state.readings

    def table(self, state: GameState) -> Table | None:
        if not state.table:
            return None
        return with_pieces(state, terrain.with_held(state, current_table(state)))


PHASES = MiniaturesPhases()

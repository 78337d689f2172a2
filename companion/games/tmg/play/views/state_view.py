"""The state view for players: hidden cards only for the side that owns them."""

from __future__ import annotations

from typing import Any

from companion.games.api.json_fragment import FragmentView
from companion.games.api.play import Pending
from companion.games.tmg.play.commands.conditions import effects_now
from companion.games.tmg.play.flow.panic_queue import TRIAL
from companion.games.tmg.play.flow.phases import pending
from companion.games.tmg.play.flow.scoring import proposal_plain
from companion.games.tmg.play.flow.victory import goal
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.views import view_parts
from models.lazy_message import say


def view(state: GameState, side: str | None = None) -> FragmentView:
    """Everything public, and what that side may see besides."""
    mode, acting, attack = mode_of(state), state.acting, state.attack
    rules = state.rules
    return FragmentView(
        (
            view_parts.GROUND(
                mode,
                state.points,
                state.shape,
                goal(state),
                state.board,
                state.walls,
                state.missions,
                state.reserve_missions,
                state.mission_deck,
                state.pieces,
            ),
            view_parts.COURSE(
                rules,
                state.round,
                state.phase,
                state.step,
                state.turn,
                state.active,
                state.first,
                state.sides,
                state.winner,
                state.how,
            ),
            view_parts.PEOPLE(
                side and view_parts.the_same(side),
                state.sides,
                state.players,
                state.units,
                state.effects and view_parts.the_same(effects_now(state)),
                state.ncus,
                state.board,
                state.tokens,
                mode,
            ),
        ),
        {
            "pipeline": view_parts.PIPELINE(rules, state.step),
            "acting": acting and {"unit": acting.unit, "stage": acting.stage},
            "attack": attack and view_parts.ATTACK(attack),
            "panic": [TRIAL(trial, state.unit(trial.unit), rules) for trial in state.trials],
            "hidden": list(state.hidden),
            "offers": [proposal_plain(one) for one in state.proposals],
            "pending": [pending_plain(one) for one in pending(state)],
        },
    )


def pending_plain(one: Pending) -> dict[str, Any]:
    """A prompt as a JSON object."""
    return {
        "what": one.what,
        "say": say(one.say),
        "side": one.side,
        "commands": list(one.commands),
        "data": dict(one.data),
    }

"""The state as players see it: hidden cards only for the side that owns them."""

from __future__ import annotations

from typing import Any

from companion.games.playing import Pending
from companion.games.tmg.play import parts
from companion.games.tmg.play.conditions import effects_now
from companion.games.tmg.play.mode_play import mode_of
from companion.games.tmg.play.panic_queue import TRIAL
from companion.games.tmg.play.phases import pending
from companion.games.tmg.play.scoring import proposal_plain
from companion.games.tmg.play.state import State
from companion.games.tmg.play.victory import goal
from companion.games.told import View
from models.said import say


def view(state: State, side: str | None = None) -> View:
    """Everything public, and what a side may see besides."""
    mode, acting, attack = mode_of(state), state.acting, state.attack
    rules = state.rules
    return View(
        (
            parts.GROUND(
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
            parts.COURSE(
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
            parts.PEOPLE(
                side and parts.the_same(side),
                state.sides,
                state.players,
                state.units,
                state.effects and parts.the_same(effects_now(state)),
                state.ncus,
                state.board,
                state.tokens,
                mode,
            ),
        ),
        {
            "pipeline": parts.PIPELINE(rules, state.step),
            "acting": acting and {"unit": acting.unit, "stage": acting.stage},
            "attack": attack and parts.ATTACK(attack),
            "panic": [TRIAL(trial, state.unit(trial.unit), rules) for trial in state.trials],
            "hidden": list(state.hidden),
            "offers": [proposal_plain(one) for one in state.proposals],
            "pending": [pending_plain(one) for one in pending(state)],
        },
    )


def pending_plain(one: Pending) -> dict[str, Any]:
    """A prompt as the view prints it."""
    told: dict[str, Any] = {
        "what": one.what,
        "say": say(one.say),
        "side": one.side,
        "commands": list(one.commands),
    }
    if one.data:
        told["data"] = dict(one.data)
    return told

"""The state as players see it: hidden cards only for the side that owns them."""

from __future__ import annotations

from typing import Any

from companion.games.playing import Pending
from companion.games.tmg.play import parts
from companion.games.tmg.play.board import zones_plain
from companion.games.tmg.play.conditions import effects_now
from companion.games.tmg.play.mode_play import mode_of
from companion.games.tmg.play.panic_queue import described
from companion.games.tmg.play.phases import pending, step_of
from companion.games.tmg.play.scoring import proposal_plain
from companion.games.tmg.play.state import State
from companion.games.tmg.play.steps import pipeline
from companion.games.tmg.play.victory import goal
from models.said import say


def view(state: State, side: str | None = None) -> dict[str, Any]:
    """Everything public, and what a side may see besides."""
    step, mode = step_of(state), mode_of(state)
    return {
        "game": state.game,
        "mode": state.mode,
        "mode_name": say(mode.name),
        "points": state.points,
        "shape": state.shape,
        "goal": goal(state),
        "round": state.round,
        "phase": state.phase,
        "step": state.step,
        "step_say": say(step.say if step else state.step),
        "pipeline": parts.STEPS(pipeline(state), state.step),
        "turn": state.turn,
        "active": state.active or None,
        "first": state.first or None,
        "vp": {one.id: one.vp for one in state.sides},
        "sides": parts.SIDES(state.sides, state.units, state.board, state.ncus),
        "players": parts.PLAYERS(state.players, parts.the_same(side)),
        "units": parts.UNITS(state.units, parts.the_same(effects_now(state))),
        "ncus": parts.NCUS(state.ncus),
        "zones": zones_plain(state),
        "objectives": parts.TOKENS(state.tokens, state.units, mode.facts.objective.control),
        "walls": {
            wall.id: {
                "wounds": wall.wounds,
                "of": wall.total,
                "standing": wall.standing,
                "activated": wall.activated,
            }
            for wall in state.walls
        },
        "missions": {
            "open": list(state.missions),
            "reserve": list(state.reserve_missions),
            "deck": len(state.mission_deck),
        },
        "terrain": list(state.pieces),
        "acting": None
        if state.acting is None
        else {"unit": state.acting.unit, "stage": state.acting.stage},
        "attack": attack_plain(state),
        "panic": [described(state, trial) for trial in state.trials],
        "offers": [proposal_plain(one) for one in state.proposals],
        "pending": [pending_plain(one) for one in pending(state)],
        "priority": [state.active, *state.opponents(state.active)] if state.active else [],
        "winner": state.winner or None,
        "how": say(state.how) if state.how else None,
    }


def attack_plain(state: State) -> dict[str, Any] | None:
    """The attack that runs."""
    now = state.attack
    if now is None:
        return None
    return {
        "attacker": now.attacker or None,
        "defender": now.defender,
        "weapon": now.weapon,
        "kind": now.kind,
        "dice": now.dice,
        "hit": now.hit,
        "zone": now.zone,
        "abilities": list(now.abilities),
        "charge": now.charge,
        "charge_bonus": now.bonus,
        "stage": now.stage,
        "rolled": list(now.roll.faces) if now.roll else None,
        "hits": now.hits,
        "wounds": now.wounds,
    }


def pending_plain(one: Pending) -> dict[str, Any]:
    """A prompt as the view prints it."""
    return {
        "what": one.what,
        "say": say(one.say),
        "side": one.side,
        "commands": list(one.commands),
        **({"data": dict(one.data)} if one.data else {}),
    }

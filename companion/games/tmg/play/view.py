"""The state as players see it: hidden cards only for the side that owns them."""

from __future__ import annotations

from typing import Any

from companion.games.playing import Pending
from companion.games.tmg.play.board import zones_plain
from companion.games.tmg.play.conditions import effects_on
from companion.games.tmg.play.mode_play import mode_of
from companion.games.tmg.play.panic_queue import described
from companion.games.tmg.play.phases import pending, step_of
from companion.games.tmg.play.scoring import controller, proposal_plain
from companion.games.tmg.play.state import Player, State
from companion.games.tmg.play.steps import pipeline
from companion.games.tmg.play.unit_state import UnitState
from companion.games.tmg.play.victory import goal, points_left
from models.said import say


def view(state: State, side: str | None = None) -> dict[str, Any]:
    """Everything public, and what a side may see besides."""
    step = step_of(state)
    return {
        "game": state.game,
        "mode": state.mode,
        "mode_name": say(mode_of(state).name),
        "points": state.points,
        "shape": state.shape,
        "goal": goal(state),
        "round": state.round,
        "phase": state.phase,
        "step": state.step,
        "step_say": say(step.say if step else state.step),
        "pipeline": steps_plain(state),
        "turn": state.turn,
        "active": state.active or None,
        "first": state.first or None,
        "vp": {one.id: one.vp for one in state.sides},
        "sides": {
            one.id: {
                "vp": one.vp,
                "zone": one.zone or None,
                "role": one.role or None,
                "eliminated": one.eliminated,
                "points_left": points_left(state, one.id),
                "controls": list(state.controls(one.id)),
            }
            for one in state.sides
        },
        "players": {one.id: player_plain(one, side) for one in state.players},
        "units": {unit.id: unit_plain(state, unit) for unit in state.units},
        "ncus": {
            ncu.id: {
                "side": ncu.side,
                "player": ncu.player,
                "name": ncu.name,
                "cost": ncu.cost,
                "activated": ncu.activated,
                "commander": ncu.commander,
                "quadrant": ncu.quadrant or None,
            }
            for ncu in state.ncus
        },
        "zones": zones_plain(state),
        "objectives": {
            token.id: {
                "name": token.name,
                "vp": token.vp,
                "unit": token.holder or None,
                "controlled": unit.id if (unit := controller(state, token)) else None,
                "card": token.card or None,
                "pile": token.pile or None,
            }
            for token in state.tokens
        },
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


def steps_plain(state: State) -> list[str]:
    """The pipeline as text, the step that runs in brackets."""
    return [f"[{step.name}]" if step.name == state.step else step.name for step in pipeline(state)]


def player_plain(player: Player, side: str | None) -> dict[str, Any]:
    """A player's cards by count; by name only what is open, or one's own (TMG-DECK-5)."""
    text: dict[str, Any] = {
        "side": player.side,
        "faction": player.faction,
        "commander": player.commander or None,
        "deck": len(player.deck),
        "hand": len(player.hand),
        "discard": list(player.discard),
        "missions": len(player.missions),
        "objective_cards": list(player.cards),
        "objective_cards_used": list(player.cards_used),
    }
    if side is not None and side == player.side:
        text["hand_cards"] = list(player.hand)
        text["mission_cards"] = list(player.missions)
    return text


def unit_plain(state: State, unit: UnitState) -> dict[str, Any]:
    """A unit as its owner and everybody else sees it."""
    return {
        "side": unit.side,
        "player": unit.player,
        "name": unit.name,
        "type": unit.type,
        "cost": unit.points,
        "speed": unit.speed,
        "defense": unit.defense,
        "morale": unit.morale,
        "attacks": [
            {"name": one.name, "kind": one.kind, "hit": one.hit, "dice": list(one.dice)}
            for one in unit.attacks
        ],
        "place": unit.place,
        "models": unit.models if unit.standing else 0,
        "ranks": unit.ranks if unit.standing else 0,
        "wounds": unit.wounds,
        "wounds_left": unit.wounds_left,
        "wound_tokens": unit.wound_tokens,
        "activated": unit.activated,
        "tokens": list(unit.tokens),
        "orders_used": list(unit.orders),
        "influence": [list(one) for one in unit.influence],
        "abilities": list(unit.abilities_now()),
        "icons": icons(unit),
        "abilities_lost": unit.abilities_lost,
        "engaged": list(unit.engaged),
        "attachments": [one.name for one in unit.attachments],
        "commander": unit.commander,
        "marked": unit.marked,
        "vp_tokens": unit.vp_tokens,
        "card": unit.card or None,
        "effects": list(effects_on(state, unit.id)),
    }


def icons(unit: UnitState) -> dict[str, str]:
    """When an ability applies, as its icon on the card reminds (TMG-CARD-8)."""
    found = {}
    for name in unit.abilities_now():
        word, colon, _ = name.casefold().partition(":")
        if colon and word in ("order", "innate"):
            found[name] = word
    for attack in unit.attacks:
        for name in unit.attack_abilities(attack):
            found[name] = "ranged" if attack.ranged else "melee"
    if unit.per_model > 1:
        found["wounds"] = say("{wounds} per model", wounds=unit.per_model)
    return found


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

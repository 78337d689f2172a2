"""The state view for players: hidden cards only for their own side."""

from __future__ import annotations

from typing import Any

from companion.games.api.play import Pending
from companion.games.tmg.play.commands.conditions import effects_now
from companion.games.tmg.play.flow.panic_queue import trial_plain
from companion.games.tmg.play.flow.phases import pending
from companion.games.tmg.play.flow.scoring import controllers, proposal_plain
from companion.games.tmg.play.flow.steps import pipeline
from companion.games.tmg.play.flow.victory import goal, points_left
from companion.games.tmg.play.state.game_state import (
    AttackState,
    GameState,
    NcuState,
    Player,
    Token,
    controlled,
)
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.state.play_rules import ZONES
from companion.games.tmg.play.state.table_facts import speed_of
from companion.games.tmg.play.state.unit_state import UnitState, plain_of
from models.message import say


def course_plain(state: GameState) -> dict[str, Any]:
    """The progress of the game: round, phase, step, turn."""
    steps, active = pipeline(state.rules), state.active
    others = [one.id for one in state.sides if one.id != active and not one.eliminated]
    return {
        "round": state.round,
        "phase": state.phase,
        "step": state.step,
        "step_say": say(steps[state.step].say if state.step in steps else state.step),
        "turn": state.turn,
        "active": active or None,
        "first": state.first or None,
        "vp": {one.id: one.vp for one in state.sides},
        "priority": [active, *others] if active else [],
        "winner": state.winner or None,
        "how": say(state.how) if state.how else None,
        "pipeline": [f"[{name}]" if name == state.step else name for name in steps],
    }


def ground_plain(state: GameState) -> dict[str, Any]:
    """The mode, and what is on and beside the table."""
    mode = mode_of(state)
    return {
        "game": mode.game,
        "mode": mode.key,
        "mode_name": say(mode.name),
        "points": state.points,
        "shape": state.shape,
        "goal": goal(state),
        "zones": {zone: ncu or None for zone, ncu in zip(ZONES, state.board, strict=True)},
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
    }


def people_plain(state: GameState, side: str | None) -> dict[str, Any]:
    """Sides, players, units, NCUs and tokens, as visible to one side."""
    units, effects = state.units, effects_now(state) if state.effects else ()
    on: dict[str, list[str]] = {}
    for unit, name in effects:
        on.setdefault(unit, []).append(name)
    control = mode_of(state).facts.objective.control
    held = zip(state.tokens, controllers(state.tokens, units, control), strict=True)
    return {
        "sides": {
            one.id: {
                "vp": one.vp,
                "zone": one.zone or None,
                "role": one.role or None,
                "eliminated": one.eliminated,
                "points_left": points_left(units, one.id),
                "controls": list(controlled(state.board, state.ncus, one.id)),
            }
            for one in state.sides
        },
        "players": {one.id: player_plain(one, side == one.side) for one in state.players},
        "units": {one.id: unit_plain(state, one, on.get(one.id, [])) for one in units},
        "ncus": {one.id: ncu_plain(one) for one in state.ncus},
        "objectives": {one.id: token_plain(one, who) for one, who in held},
    }


def attack_plain(now: AttackState) -> dict[str, Any]:
    """The attack in progress."""
    return {
        "attacker": now.attacker or None,
        **plain_of(now, "defender", "weapon", "kind", "dice", "hit", "zone", "abilities"),
        "charge": now.charge,
        "charge_bonus": now.bonus,
        "stage": now.stage,
        "rolled": list(now.roll.faces) if now.roll else None,
        "hits": now.hits,
        "wounds": now.wounds,
    }


def player_plain(player: Player, own: bool) -> dict[str, Any]:
    """A player's cards by number; by name only open cards, or one's own (TMG-DECK-5)."""
    text = {
        "side": player.side,
        "faction": player.faction,
        "commander": player.commander or None,
        "deck": len(player.deck),
        "hand": len(player.hand),
        "discard": [*player.played_names, *player.discard[len(player.played_names) :]],
        "missions": len(player.missions),
        "objective_cards": list(player.cards),
        "objective_cards_used": list(player.cards_used),
    }
    if own:
        text["hand_cards"] = list(player.hand)
        text["mission_cards"] = list(player.missions)
    return text


def ncu_plain(ncu: NcuState) -> dict[str, Any]:
    return {
        **plain_of(ncu, "side", "player", "name", "cost", "activated", "commander"),
        "quadrant": ncu.quadrant or None,
    }


def token_plain(token: Token, controller: str) -> dict[str, Any]:
    """An objective token: its holder, and the unit that controls it."""
    return {
        "name": token.name,
        "vp": token.vp,
        "unit": token.holder or None,
        "controlled": controller or None,
        "card": token.card or None,
        "pile": token.pile or None,
    }


def unit_plain(state: GameState, unit: UnitState, effects: list[str]) -> dict[str, Any]:
    """A unit, which everybody may see."""
    return {
        "side": unit.side,
        "player": unit.player,
        "name": unit.name,
        "type": unit.type,
        "cost": unit.points,
        "speed": speed_of(state, unit),
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
        "effects": effects,
        "formation": [list(rank) for rank in unit.formation()] if unit.standing else [],
        "not_known": list(unit.assumed),
    }


def icons(unit: UnitState) -> dict[str, str]:
    """When an ability applies, by its icon on the card (TMG-CARD-8)."""
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


def view(state: GameState, side: str | None = None) -> dict[str, Any]:
    """Everything public, and what that side may see besides."""
    acting, attack = state.acting, state.attack
    trials = ((trial, state.unit(trial.unit)) for trial in state.trials)
    return {
        **ground_plain(state),
        **course_plain(state),
        **people_plain(state, side),
        "acting": acting and {"unit": acting.unit, "stage": acting.stage},
        "attack": attack and attack_plain(attack),
        "panic": [trial_plain(trial, unit, state.rules) for trial, unit in trials],
        "hidden": list(state.hidden),
        "offers": [proposal_plain(one) for one in state.proposals],
        "pending": [pending_plain(one) for one in pending(state)],
        **counters_plain(state),
    }


def counters_plain(state: GameState) -> dict[str, Any]:
    """The tokens on cards of units and NCUs, where a card has any."""
    found: dict[str, dict[str, int]] = {}
    for unit, token, number in state.counters:
        found.setdefault(unit, {})[token] = number
    return {"counters": found} if found else {}


def pending_plain(one: Pending) -> dict[str, Any]:
    """A prompt as a JSON object."""
    return {
        "what": one.what,
        "say": say(one.say),
        "side": one.side,
        "commands": list(one.commands),
        "data": dict(one.data),
    }

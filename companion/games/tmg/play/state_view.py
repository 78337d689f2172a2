"""The state view for players, made of cached fragments: hidden cards only for their own side."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

from companion.games.api.json_fragment import FragmentView, JsonFragment, JsonRow
from companion.games.api.play import Pending
from companion.games.tmg.play.commands.conditions import effects_now
from companion.games.tmg.play.flow.panic_queue import TRIAL
from companion.games.tmg.play.flow.phases import pending
from companion.games.tmg.play.flow.scoring import controllers, proposal_plain
from companion.games.tmg.play.flow.steps import pipeline
from companion.games.tmg.play.flow.victory import goal, points_left
from companion.games.tmg.play.state.game_state import (
    AttackState,
    GameState,
    NcuState,
    Player,
    SideState,
    Token,
    WallState,
    controlled,
)
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.state.play_rules import ZONES, PlayRules
from companion.games.tmg.play.state.unit_state import UnitState, plain_of
from companion.games.tmg.rules.modes import Mode
from models.frozen_records import IdentityCache, RowIdentityCache
from models.message import say

T = TypeVar("T")
Names = tuple[str, ...]


@lru_cache(maxsize=64)
def the_same(value: T) -> T:
    """An interned copy of a small value, so that identity caches recognise it."""
    return value


# -- fragments merged into the view ------------------------------------------------------------


def course_plain(
    rules: PlayRules,
    round_: int,
    phase: str,
    step: str,
    turn: int,
    active: str,
    first: str,
    sides: tuple[SideState, ...],
    winner: str,
    how: str,
) -> JsonFragment:
    """The progress of the game: round, phase, step, turn."""
    steps = pipeline(rules)
    others = [one.id for one in sides if one.id != active and not one.eliminated]
    return JsonFragment(
        {
            "round": round_,
            "phase": phase,
            "step": step,
            "step_say": say(steps[step].say if step in steps else step),
            "turn": turn,
            "active": active or None,
            "first": first or None,
            "vp": {one.id: one.vp for one in sides},
            "priority": [active, *others] if active else [],
            "winner": winner or None,
            "how": say(how) if how else None,
        }
    )


def pipeline_plain(rules: PlayRules, now: str) -> JsonRow:
    """The pipeline as text, with the current step in brackets."""
    return JsonRow(f"[{name}]" if name == now else name for name in pipeline(rules))


def ground_plain(
    mode: Mode,
    points: int,
    shape: str,
    goal: int,
    board: Names,
    walls: tuple[WallState, ...],
    missions: Names,
    reserve: Names,
    deck: Names,
    pieces: Names,
) -> JsonFragment:
    """The mode, and what is on and beside the table."""
    return JsonFragment(
        {
            "game": mode.game,
            "mode": mode.key,
            "mode_name": say(mode.name),
            "points": points,
            "shape": shape,
            "goal": goal,
            "zones": {zone: ncu or None for zone, ncu in zip(ZONES, board, strict=True)},
            "walls": {
                wall.id: {
                    "wounds": wall.wounds,
                    "of": wall.total,
                    "standing": wall.standing,
                    "activated": wall.activated,
                }
                for wall in walls
            },
            "missions": {"open": list(missions), "reserve": list(reserve), "deck": len(deck)},
            "terrain": list(pieces),
        }
    )


def people_plain(
    side: str | None,
    sides: tuple[SideState, ...],
    players: tuple[Player, ...],
    units: tuple[UnitState, ...],
    effects: tuple[tuple[str, str], ...],
    ncus: tuple[NcuState, ...],
    board: Names,
    tokens: tuple[Token, ...],
    mode: Mode,
) -> JsonFragment:
    """Sides, players, units, NCUs and tokens, as visible to one side."""
    return JsonFragment(
        {
            "sides": SIDES(sides, units, board, ncus),
            "players": PLAYERS(players, side),
            "units": UNITS(units, effects),
            "ncus": NCUS(ncus),
            "objectives": TOKENS(tokens, units, mode.facts.objective.control),
        }
    )


# -- nested fragments -------------------------------------------------------------------------


@lru_cache(maxsize=64)
def side_plain(side: SideState, left: int, controls: Names) -> JsonFragment:
    """A side: its score, its zone, and what it has left."""
    return JsonFragment(
        {
            "vp": side.vp,
            "zone": side.zone or None,
            "role": side.role or None,
            "eliminated": side.eliminated,
            "points_left": left,
            "controls": list(controls),
        }
    )


def attack_plain(now: AttackState) -> JsonFragment:
    """The attack in progress."""
    return JsonFragment(
        {
            "attacker": now.attacker or None,
            **plain_of(now, "defender", "weapon", "kind", "dice", "hit", "zone", "abilities"),
            "charge": now.charge,
            "charge_bonus": now.bonus,
            "stage": now.stage,
            "rolled": list(now.roll.faces) if now.roll else None,
            "hits": now.hits,
            "wounds": now.wounds,
        }
    )


def player_plain(player: Player, own: bool) -> JsonFragment:
    """A player's cards by number; by name only open cards, or one's own (TMG-DECK-5)."""
    text = JsonFragment(
        {
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
    )
    if own:
        text["hand_cards"] = list(player.hand)
        text["mission_cards"] = list(player.missions)
    return text


def ncu_plain(ncu: NcuState) -> JsonFragment:
    return JsonFragment(
        {
            **plain_of(ncu, "side", "player", "name", "cost", "activated", "commander"),
            "quadrant": ncu.quadrant or None,
        }
    )


def token_plain(token: Token, controller: str) -> JsonFragment:
    """An objective token: its holder, and the unit that controls it."""
    return JsonFragment(
        {
            "name": token.name,
            "vp": token.vp,
            "unit": token.holder or None,
            "controlled": controller or None,
            "card": token.card or None,
            "pile": token.pile or None,
        }
    )


def unit_plain(unit: UnitState, effects: Names = ()) -> JsonFragment:
    """A unit, which everybody may see."""
    return JsonFragment(
        {
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
            "effects": list(effects),
            "formation": [list(rank) for rank in unit.formation()] if unit.standing else [],
            "not_known": list(unit.assumed),
        }
    )


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


PLAYER, UNIT = IdentityCache(player_plain), IdentityCache(unit_plain)
EACH_UNIT, EACH_NCU = RowIdentityCache(unit_plain), RowIdentityCache(ncu_plain)
TOKEN = IdentityCache(token_plain)


def sides_plain(
    sides: tuple[SideState, ...],
    units: tuple[UnitState, ...],
    board: Names,
    ncus: tuple[NcuState, ...],
) -> JsonFragment:
    return JsonFragment(
        {
            one.id: side_plain(one, points_left(units, one.id), controlled(board, ncus, one.id))
            for one in sides
        }
    )


def players_plain(players: tuple[Player, ...], side: str | None) -> JsonFragment:
    """Every player, as visible to one side."""
    return JsonFragment({one.id: PLAYER(one, side == one.side) for one in players})


def units_plain(units: tuple[UnitState, ...], effects: tuple[tuple[str, str], ...]) -> JsonFragment:
    told = {one.id: text for one, text in zip(units, EACH_UNIT(units), strict=True)}
    if effects:
        on: dict[str, Names] = {}
        for unit, name in effects:
            on[unit] = (*on.get(unit, ()), name)
        told |= {one.id: UNIT(one, the_same(on[one.id])) for one in units if one.id in on}
    return JsonFragment(told)


def ncus_plain(ncus: tuple[NcuState, ...]) -> JsonFragment:
    return JsonFragment({one.id: text for one, text in zip(ncus, EACH_NCU(ncus), strict=True)})


def tokens_plain(
    tokens: tuple[Token, ...], units: tuple[UnitState, ...], control: str
) -> JsonFragment:
    """Every objective token, with the unit that controls it."""
    found = zip(tokens, controllers(tokens, units, control), strict=True)
    return JsonFragment({one.id: TOKEN(one, who) for one, who in found})


GROUND, COURSE = IdentityCache(ground_plain), IdentityCache(course_plain)
ATTACK, PIPELINE = IdentityCache(attack_plain), IdentityCache(pipeline_plain)
PLAYERS, NCUS = IdentityCache(players_plain), IdentityCache(ncus_plain)
# Large values that change with most commands: cache only the last few.
PEOPLE, UNITS = IdentityCache(people_plain, at_most=12), IdentityCache(units_plain, at_most=12)
SIDES, TOKENS = IdentityCache(sides_plain, at_most=12), IdentityCache(tokens_plain, at_most=12)


def view(state: GameState, side: str | None = None) -> FragmentView:
    """Everything public, and what that side may see besides."""
    mode, acting, attack = mode_of(state), state.acting, state.attack
    rules = state.rules
    return FragmentView(
        (
            GROUND(
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
            COURSE(
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
            PEOPLE(
                side and the_same(side),
                state.sides,
                state.players,
                state.units,
                state.effects and the_same(effects_now(state)),
                state.ncus,
                state.board,
                state.tokens,
                mode,
            ),
        ),
        {
            "pipeline": PIPELINE(rules, state.step),
            "acting": acting and {"unit": acting.unit, "stage": acting.stage},
            "attack": attack and ATTACK(attack),
            "panic": [TRIAL(trial, state.unit(trial.unit), rules) for trial in state.trials],
            "hidden": list(state.hidden),
            "offers": [proposal_plain(one) for one in state.proposals],
            "pending": [pending_plain(one) for one in pending(state)],
            **counters_plain(state),
        },
    )


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

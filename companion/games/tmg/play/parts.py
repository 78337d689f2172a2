"""Parts of the view that are mostly the same after a command as before: they are told once."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from companion.games.playing import Told
from companion.games.tmg.play.scoring import controllers
from companion.games.tmg.play.state import NcuState, Player, Side, Token, controlled
from companion.games.tmg.play.steps import Step
from companion.games.tmg.play.unit_state import UnitState
from companion.games.tmg.play.victory import points_left
from models.recall import Recall
from models.said import say

T = TypeVar("T")
Names = tuple[str, ...]


@lru_cache(maxsize=64)
def the_same(value: T) -> T:
    """A small value as the very object that stood for it before, so that it is recognised."""
    return value


def steps_plain(steps: tuple[Step, ...], now: str) -> list[str]:
    """The pipeline as text, the step that runs in brackets."""
    return [f"[{step.name}]" if step.name == now else step.name for step in steps]


def side_plain(
    side: Side, units: tuple[UnitState, ...], board: Names, ncus: tuple[NcuState, ...]
) -> Told:
    """A side: its points, its place, and what is left of it."""
    return Told(
        {
            "vp": side.vp,
            "zone": side.zone or None,
            "role": side.role or None,
            "eliminated": side.eliminated,
            "points_left": points_left(units, side.id),
            "controls": list(controlled(board, ncus, side.id)),
        }
    )


def player_plain(player: Player, own: bool) -> Told:
    """A player's cards by count; by name only what is open, or one's own (TMG-DECK-5)."""
    text = Told(
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


def ncu_plain(ncu: NcuState) -> Told:
    """An NCU as everybody sees it."""
    return Told(
        {
            "side": ncu.side,
            "player": ncu.player,
            "name": ncu.name,
            "cost": ncu.cost,
            "activated": ncu.activated,
            "commander": ncu.commander,
            "quadrant": ncu.quadrant or None,
        }
    )


def token_plain(token: Token, controller: str) -> Told:
    """An objective token: who stands at it, and who controls it."""
    return Told(
        {
            "name": token.name,
            "vp": token.vp,
            "unit": token.holder or None,
            "controlled": controller or None,
            "card": token.card or None,
            "pile": token.pile or None,
        }
    )


def unit_plain(unit: UnitState, effects: tuple[str, ...]) -> Told:
    """A unit as its owner and everybody else sees it."""
    return Told(
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
        }
    )


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


PLAYER, UNIT = Recall(player_plain), Recall(unit_plain)
NCU, TOKEN = Recall(ncu_plain), Recall(token_plain)


def sides_plain(
    sides: tuple[Side, ...], units: tuple[UnitState, ...], board: Names, ncus: tuple[NcuState, ...]
) -> Told:
    """Every side."""
    return Told({one.id: side_plain(one, units, board, ncus) for one in sides})


def players_plain(players: tuple[Player, ...], side: str | None) -> Told:
    """Every player, as one side sees them."""
    return Told({one.id: PLAYER(one, side == one.side) for one in players})


def units_plain(units: tuple[UnitState, ...], effects: tuple[tuple[str, str], ...]) -> Told:
    """Every combat unit."""
    on: dict[str, Names] = {}
    for unit, name in effects:
        on[unit] = (*on.get(unit, ()), name)
    return Told({one.id: UNIT(one, the_same(on.get(one.id, ()))) for one in units})


def ncus_plain(ncus: tuple[NcuState, ...]) -> Told:
    """Every NCU."""
    return Told({one.id: NCU(one) for one in ncus})


def tokens_plain(tokens: tuple[Token, ...], units: tuple[UnitState, ...], control: str) -> Told:
    """Every objective token, with the unit that controls it."""
    found = zip(tokens, controllers(tokens, units, control), strict=True)
    return Told({one.id: TOKEN(one, the_same(who)) for one, who in found})


STEPS = Recall(steps_plain)
SIDES, PLAYERS, UNITS = Recall(sides_plain), Recall(players_plain), Recall(units_plain)
NCUS, TOKENS = Recall(ncus_plain), Recall(tokens_plain)

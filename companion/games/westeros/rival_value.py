"""What a battle is worth to a house of Westeros, in victory points: those it has, and those that
its units, its places and the attacks that may come next still promise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import tanh

from companion.games.api.rival import Temper
from companion.games.westeros.cards.command_card import ZONES, zone_of
from companion.games.westeros.cards.unit_cards import RANKS
from companion.games.westeros.combat.attack_odds import HexQuestion, attack_odds
from companion.games.westeros.combat.die import NOT_ENTERED, SHIELD, VALOUR
from companion.games.westeros.combat.odds_query import unit_question
from companion.games.westeros.play.state import WesterosState, battle_position
from companion.games.westeros.rules.attack_options import attack_refusals
from companion.games.westeros.rules.movement import entry_refusal
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from models.board import Cell

FIGURE = 0.3
"""A figure in points of victory; the last one of a unit brings the unit's own points."""
STANDS = 0.6
"""The part of a unit's points that its loss costs beside those which the enemy scores."""
LEADER = 0.5
MORALE = 0.2
TOKEN = 0.12
"""An order token that is still in the pool."""
ORDERED = 0.3
"""A unit that has been ordered and has not acted: a command card orders several at once."""
NEAR = 0.03
"""A hex nearer to where a unit is needed."""
LEAD, EVEN = 1.5, 0.5
"""To be ahead in the last round, and to win what is even."""
OURS, THEIRS = 0.6, 0.9
"""How surely the attacks come that a house could make next: the enemy may react to its own."""
NEXT = 0.75
"""How surely another attack follows one: each costs an order and a turn."""
LATER = 0.35
"""The same of units that have no order in this round."""
AFTER_MOVE = 0.7
"""The same of units that have to go first."""
HELD = 0.55
"""How much of a place's points belongs to who holds it; the rest to who is stronger around it."""
OPEN = 0.4
"""What of it is left where nobody stands on a place and the enemy may enter it."""
AROUND = 4
"""So many hexes around a place count."""
BURNS, BESIDE_FIRE = 0.3, 0.04
"""A level of fire under a unit, which costs it a figure (BOW-FIR-7), and beside it."""


def battle_value(state: WesterosState, side: str, temper: Temper) -> float:
    """What a battle that goes on is worth to a house."""
    foe = state.other(side)
    points = float(state.house(side).vp - state.house(foe).vp)
    armies = temper.safety * standing(state, side) - temper.harm * standing(state, foe)
    places = held(state, side, foe) - NEAR * (ways(state, side) - ways(state, foe))
    morale = MORALE * state.depth(foe)
    threats = temper.harm * OURS * onslaught(state, side)
    threats -= temper.safety * THEIRS * onslaught(state, foe)
    fire = temper.harm * burning(state, foe) - temper.safety * burning(state, side)
    orders = pool(state, side) + to_act(state, side)
    left = max(1, state.plan.rounds - state.round + 1)
    points += LEAD * tanh(lead(state, side)) / left**2
    return points + temper.goals * places + armies + morale + threats + fire + orders


def lead(state: WesterosState, side: str) -> float:
    """By how much a house would win if this round were the last (BOW-RND-16, BOW-VIC-2, -3)."""
    victory, foe = state.plan.victory, state.other(side)
    ahead = float(state.house(side).vp - state.house(foe).vp)
    signs = {side: 1, foe: -1}
    for site in victory.sites:
        ahead += signs.get(dict(state.control).get(site.cell, ""), 0) * (
            site.each_round + site.at_end
        )
    for one, sign in signs.items():
        zone = zone_of(state.depth(state.other(one)))
        ahead += sign * victory.morale[ZONES.index(zone)] if zone is not None else 0.0
    tie = (state.depth(foe) > 0) - (state.depth(foe) < 0) or 0.5 * signs[state.mace]
    return ahead or EVEN * tie


# -- units ---------------------------------------------------------------------------------------


def figure_value(unit: BoardUnit) -> float:
    """What each figure of a unit is worth: more where it strikes with more dice."""
    return FIGURE * (0.6 + 0.2 * unit.row.dice)


def end_value(state: WesterosState, unit: BoardUnit) -> float:
    """What the loss of a unit costs beside its figures: points, morale, its commander."""
    victory = state.plan.victory
    lost = STANDS * victory.unit + MORALE * (1 + RANKS.index(unit.rank))  # BOW-MOR-4
    return lost + victory.unit + (LEADER + victory.capture if unit.commander else 0.0)


def standing(state: WesterosState, side: str) -> float:
    """What the units of a house on the field are worth."""
    total, victory = 0.0, state.plan.victory
    for unit in battle_position(state).units:
        if unit.side == side:
            total += figure_value(unit) * unit.figures + STANDS * victory.unit
            total += LEADER if unit.commander else 0.0
    return total


# -- attacks that may come -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AttackThreat:
    """An attack that a unit may make: what it takes on average, from whom, and how likely it is
    the end of it."""

    harm: float
    target: str
    destroys: float


@lru_cache(maxsize=4096)
def expected_harm(asked: HexQuestion) -> tuple[float, float, float]:
    """What an attack does on average: figures, the chance of the end, and of a retreat. Any hit may
    capture a commander whose card nobody has entered."""
    if asked.capture == NOT_ENTERED:
        asked = replace(asked, capture=1)
    odds = attack_odds(asked)
    return float(odds.mean), float(odds.destroys), float(odds.escapes)


def harm(
    state: WesterosState, position: HexPosition, unit: BoardUnit, target: BoardUnit
) -> tuple[float, float]:
    """What an attack takes from its target on average, and the chance that it is its end."""
    figures, destroys, escapes = expected_harm(unit_question(position, unit, target))
    taken = figures * figure_value(target) + destroys * end_value(state, target)
    for site in state.plan.victory.sites:
        if site.cell == target.cell:
            share = (1.0 - HELD) * site_value(state, site.each_round, site.at_end)
            taken += share * (destroys + escapes)
    return taken, destroys


def onslaught(state: WesterosState, side: str) -> float:
    """What the attacks that a house may make next take from the enemy: the best of each unit, one
    after the other; nobody is eliminated twice."""
    threats = sorted(house_threats(state, side), key=lambda one: -one.harm)
    total, sure, left = 0.0, 1.0, dict[str, float]()
    for one in threats:
        alive = left.get(one.target, 1.0)
        total += sure * alive * one.harm
        left[one.target] = alive * (1.0 - one.destroys)
        sure *= NEXT
    return total


def house_threats(state: WesterosState, side: str) -> Iterator[AttackThreat]:
    """The best attack of each unit of a house."""
    position, house = battle_position(state), state.house(side)
    kinds = () if house.passed else house.pool
    last = state.round >= state.plan.rounds
    for unit in position.units:
        if unit.side != side:
            continue
        ready = 1.0 if unit.active and ordered_by(unit, kinds) else 0.0 if last else LATER
        found = unit_threats(state, position, unit) if ready else ()
        best = max(found, key=lambda one: one.harm, default=None)
        if best is not None:
            yield AttackThreat(ready * best.harm, best.target, ready * best.destroys)


def ordered_by(unit: BoardUnit, tokens: tuple[str, ...]) -> bool:
    """Whether order tokens are enough to order a unit (BOW-ORD-2 to -5, BOW-ORD-9)."""
    pair = any(tokens.count(one) > 1 for one in tokens)
    return pair or SHIELD[unit.rank] in tokens or VALOUR in tokens


def unit_threats(
    state: WesterosState, position: HexPosition, unit: BoardUnit
) -> Iterator[AttackThreat]:
    """The attacks that a unit may make, from where it stands or after a move."""
    foe, distance = position.opponent(unit), position.field.distance
    moves = max((one.hexes for one in unit.row.options if one.attack), default=0)
    for target in (foe,) if foe is not None else position.enemies(unit):
        far = distance(unit.cell, target.cell)
        if far > unit.row.range + moves:
            continue
        if far <= unit.row.range and not attack_refusals(position, unit, target):
            sure = 1.0
        elif unit.ranged or approach(position, unit, target.cell, moves):
            sure = AFTER_MOVE
        else:
            continue
        taken, destroys = harm(state, position, unit, target)
        yield AttackThreat(sure * taken, target.id, sure * destroys)


def approach(position: HexPosition, unit: BoardUnit, cell: Cell, moves: int) -> bool:
    """Whether there is a hex beside another to which a unit may come by a move."""
    distance = position.field.distance
    return any(
        distance(unit.cell, one) <= moves and not entry_refusal(position, one)
        for one in position.field.neighbours(cell)
    )


# -- places, fires, orders -----------------------------------------------------------------------


def site_value(state: WesterosState, each_round: int, at_end: int) -> float:
    """The points that a place still brings to who holds it from now on."""
    left = state.plan.rounds - state.round + 1
    return each_round * left + at_end or 1.0


def held(state: WesterosState, side: str, foe: str) -> float:
    """The points of the places: those of this round go to who holds a place, of the later ones a
    part to who is stronger around it."""
    position, control, total = battle_position(state), dict(state.control), 0.0
    last = state.round >= state.plan.rounds
    for site in state.plan.victory.sites:
        force = {side: 0.5, foe: 0.5}
        for unit in position.units:
            far = position.field.distance(unit.cell, site.cell)
            if far <= AROUND:
                force[unit.side] += unit.figures * (1 + unit.row.dice) / (1 + far)
        share = (force[side] - force[foe]) / (force[side] + force[foe])
        holder = control.get(site.cell, "")
        holds = {side: 1.0, foe: -1.0}.get(holder, 0.0)
        if holder and takers(state, position, site.cell, state.other(holder)):
            holds *= OPEN
        here = 1.0 if last else HELD
        worth = site_value(state, site.each_round, site.at_end)
        total += worth * (here * holds + (1.0 - here) * share)
    return total


def takers(state: WesterosState, position: HexPosition, cell: Cell, side: str) -> bool:
    """Whether a unit of a house may enter a place by an order that the house has."""
    if entry_refusal(position, cell):
        return False
    house = state.house(side)
    kinds = () if house.passed else house.pool
    return any(
        unit.side == side
        and unit.active
        and position.field.distance(unit.cell, cell) <= unit.row.longest
        and ordered_by(unit, kinds)
        for unit in position.units
    )


def ways(state: WesterosState, side: str) -> float:
    """How far the units of a house are from the enemy, and its nearest ones from the places."""
    field = battle_position(state).field
    units = [one.cell for one in state.of(side) if one.on_field and one.cell is not None]
    other = state.of(state.other(side))
    foes = [one.cell for one in other if one.on_field and one.cell is not None]
    total = float(sum(min((field.distance(one, foe) for foe in foes), default=0) for one in units))
    for site in state.plan.victory.sites:
        total += 2 * min((field.distance(site.cell, one) for one in units), default=20)
    return total


def burning(state: WesterosState, side: str) -> float:
    """What fire under and beside the units of a house may cost it."""
    position, total = battle_position(state), 0.0
    fire = position.field.fire
    for unit in position.units if fire else ():
        if unit.side == side:
            beside = sum(fire.get(one, 0) for one in position.field.neighbours(unit.cell))
            total += BURNS * min(fire.get(unit.cell, 0), unit.figures) + BESIDE_FIRE * beside
    return total


def pool(state: WesterosState, side: str) -> float:
    """Orders that a house can still give, less those of the enemy."""
    own, foe = state.house(side), state.house(state.other(side))
    mine, theirs = (0 if one.passed else len(one.pool) for one in (own, foe))
    return TOKEN * (mine - theirs)


def to_act(state: WesterosState, side: str) -> float:
    """What the units are worth that a turn has ordered and that may still do something."""
    turn = state.acting
    if turn is None:
        return 0.0
    left = [one for one in turn.units if one not in (*turn.acted, *turn.moved)]
    return (1 if turn.side == side else -1) * ORDERED * len(left)

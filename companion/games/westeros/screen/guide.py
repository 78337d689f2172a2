"""The guided first turn: what to tap now, and why, from the first phase to the second player."""

from __future__ import annotations

from companion.games.api.play import Pending, Plain
from companion.games.api.prompt import Choice
from companion.games.api.screen_views import GuideStep
from companion.games.westeros.cards.battle_plan import short_name
from companion.games.westeros.play.prompts import (
    attacks_now,
    moves_left,
    order_commands,
    pending,
)
from companion.games.westeros.play.state import (
    OrderTurn,
    UnitInBattle,
    WesterosState,
    battle_position,
)
from companion.games.westeros.rules.attack_options import attack_refusals, targets_in_reach
from companion.games.westeros.rules.position import BoardUnit
from companion.games.westeros.screen.offers import token_value
from companion.games.westeros.screen.views import token_words
from models.message import joined, say

STEPS = 6
BEGIN, ORDERS, ORDER, MOVE, ATTACK, OTHER = range(1, STEPS + 1)
GUIDED_TURNS = 2
"""One turn of each player is guided."""
OFF: Plain = {"do": "guide", "on": False}
LEAVE = Choice(say("Leave the guide"), (OFF,), "quiet")
CLOSE = Choice(say("Close the guide"), (OFF,), "quiet")


def guide(state: WesterosState) -> GuideStep | None:
    """The step of the guided turn; None where the players want none, or know it all."""
    if not state.guided or state.winner:
        return None
    if state.turn > GUIDED_TURNS:
        return over() if state.turn == GUIDED_TURNS + 1 else None
    asked = next(iter(pending(state)), None)
    found = step(state, asked) if asked is not None else None
    if found is None:
        return None
    number, text, why, *tap = found
    piece, then = tap or ("", "")
    return GuideStep(
        OTHER if state.turn == GUIDED_TURNS else number, STEPS, text, why, piece, then, LEAVE
    )


def over() -> GuideStep:
    """The last word of the guide, until the next turn or until it is closed."""
    return GuideStep(
        STEPS,
        STEPS,
        say("Each player has had a turn: that is how the game goes."),
        say("“Legend” explains the signs, “Why not…?” what a unit may not do."),
        "",
        "",
        CLOSE,
    )


def step(state: WesterosState, asked: Pending) -> tuple[int, str, str, str, str] | None:
    """The number of the step, what to tap, why; the unit to tap first, and what to tap then."""
    player = state.house(asked.side).player if asked.side else ""
    match asked.what:
        case "reactivation":
            text = say("Tap “Begin round 1”.")
            return BEGIN, text, say("Every banner shows that its unit may be ordered."), "", ""
        case "orders":
            text = say("{player}: roll the order dice and tap what they show.", player=player)
            why = say("Each symbol becomes a token. A token orders one unit of its colour.")
            return ORDERS, text, why, "", ""
        case "turn":
            return order_step(state)
        case "act" if state.acting is not None:
            return act_step(state, state.acting)
        case "attack-roll" | "hound-roll" | "fire-roll":
            text = say("{player}: roll and tap what the dice show.", player=player)
            why = say("Every key says what its symbol does to the target.")
            return ATTACK, text, why, "", ""
        case "card-units":
            text = say("Tap the units that the card orders, then “Order these units”.")
            return ORDER, text, say("Only units near the commander hear the order."), "", ""
    return ATTACK, asked.say, say("The answer belongs to {player}.", player=player), "", ""


def order_step(state: WesterosState) -> tuple[int, str, str, str, str]:
    """Order the unit that reaches an enemy, or that stands nearest to one."""
    kinds = list(dict.fromkeys(state.house(state.active).pool))
    player = state.house(state.active).player
    position = battle_position(state)
    best: tuple[tuple[int, int], UnitInBattle, list[str]] | None = None
    for unit in state.of(state.active):
        commands = order_commands(state, unit, kinds) if unit.on_field and unit.active else []
        if commands:
            mine = position.by_id[unit.id]
            far = [position.field.distance(mine.cell, foe.cell) for foe in position.enemies(mine)]
            worth = len(targets_in_reach(position, mine)), -min(far, default=0)
            if best is None or worth > best[0]:
                tokens = max((one["tokens"] for one in commands), key=token_value)
                best = worth, unit, tokens
    if best is None:
        text = say("{player}: tap “Pass”.", player=player)
        return ORDER, text, say("No token orders a unit now."), "", ""
    _, unit, tokens = best
    name = short_name(unit)
    text = say("{player}: tap {unit} on the board.", player=player, unit=name)
    then = say("Tap “Order with {tokens}”.", tokens=token_words(tokens))
    foes = targets_in_reach(position, position.by_id[unit.id])
    why = say("It stands nearest to the enemy.")
    if foes:
        names = joined([short_name(state.unit(one.id)) for one in foes])
        why = say("It can reach and attack {units}.", units=names)
    return ORDER, text, why, unit.id, then


def act_step(state: WesterosState, turn: OrderTurn) -> tuple[int, str, str, str, str]:
    """Move the units without an enemy to attack, then attack, then end the turn (BOW-OPT-2)."""
    position = battle_position(state)
    for mine in (position.by_id[one] for one in moves_left(position, turn)):
        if not attacks_now(position, mine):
            then = say("Tap “Move”, then a marked hex.")
            why = say("All ordered units move before the first attack.")
            return MOVE, tap_first(state, mine), why, mine.id, then
    done = (*turn.acted, *turn.no_attack)
    ready = [one for one in turn.units if one in position.by_id and one not in done]
    for mine in (position.by_id[one] for one in ready):
        for foe in position.enemies(mine):
            if not attack_refusals(position, mine, foe):
                enemy = short_name(state.unit(foe.id))
                then = say("Tap “Attack {unit}”, then the gold button.", unit=enemy)
                why = say("No unit is forced to attack, but this one can.")
                return ATTACK, tap_first(state, mine), why, mine.id, then
    return ATTACK, say("Tap “End the turn”."), say("No enemy is in reach now."), "", ""


def tap_first(state: WesterosState, unit: BoardUnit) -> str:
    return say("Tap {unit} on the board.", unit=short_name(state.unit(unit.id)))

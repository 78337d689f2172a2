"""Wounds, destruction and the consequences: points, dropped tokens, elimination."""

from __future__ import annotations

import json
from collections.abc import Sequence

from companion.games.api.play import Refusal
from companion.games.tmg.play.context import CommandContext, no
from companion.games.tmg.play.events import flow_events, score_events, unit_events
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    CLEAN_UP,
    NOBODY,
    OVER,
    GameState,
    PendingTask,
    Token,
    table_of,
)
from companion.games.tmg.play.state.mode_play import mode_of, play_of
from companion.games.tmg.play.state.play_rules import SPENT
from companion.games.tmg.play.state.table_facts import seen
from companion.games.tmg.play.state.unit_state import DESTROYED, RESERVE, UnitState
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.setup.objectives import after_melee
from models.message import say

ELIMINATION = "elimination (TMG-VIC-7)"
"""Why a side wins that is the last one on the battlefield."""


def suffer(
    context: CommandContext,
    unit_id: str,
    wounds: int,
    by: str = "",
    by_unit: str = "",
    why: str = "",
) -> None:
    """A unit suffers wounds; `by` is the side whose effect caused them, empty for none."""
    unit = context.state.unit(unit_id)
    taken = min(wounds, unit.wounds_left)
    if taken <= 0 or not unit.standing:
        return
    context.add(unit_events.wounds, unit=unit_id, wounds=taken, by=by, by_unit=by_unit, why=why)
    if not context.state.unit(unit_id).models:
        fall(context, unit_id, by, by_unit)


def fall(context: CommandContext, unit_id: str, by: str = "", by_unit: str = "") -> None:
    """A unit is destroyed."""
    before = context.state
    unit = before.unit(unit_id)
    play = play_of(before)
    returns = play.fallen_to_reserve and not unit.lone_character  # TMG-MODE-COK-16
    place = RESERVE if returns else DESTROYED
    context.add(
        unit_events.destroyed, unit=unit_id, by=by, by_unit=by_unit, place=place, name=unit.name
    )
    if (
        play.combat
        and not (before.rules.free_units_score or unit.points)
        and not before.cost_known(unit)
    ):
        context.remind(
            say(
                "nobody told what {unit} costs: it gives 1 VP; if it costs 0 points, take it back "
                "with score (TMG-VIC-8)",
                unit=unit.id,
            )
        )
    for side in winners(before, unit, by):
        for rule, points, why in spoils(before, unit, side, by, by_unit):
            gain(context, side, points, rule, why, unit=unit_id)
        if unit.commander and play.commander_prize and side == by:
            more = {"again": True} if before.side(side).commander_killed else {}
            context.add(score_events.commander_fell, side=side, unit=unit_id, **more)
    for token in before.tokens:
        if token.holder == unit_id and play.carried:
            pass_token(context, before, token.id, unit)
        elif token.holder == unit_id and token.touched:
            inherit_token(context, before, token, by_unit)
    if play.new_piles and unit.type == "infantry" and piles_left(before):
        ask_for_pile(context, unit, by)
    check_elimination(context, unit.side)


def piles_left(state: GameState) -> bool:
    """Whether another Corpse Pile may enter play, counting those still to be placed."""
    fact = mode_of(state).facts.new_pile
    waiting = sum(task.kind == "pile" for task in state.tasks)
    return fact is not None and (not fact.at_most or state.piles + waiting < fact.at_most)


def ask_for_pile(context: CommandContext, unit: UnitState, by: str) -> None:
    """Ask the owner, or in 2018 the opponent, to place a Corpse Pile near the tray (FFC-14)."""
    state = context.state
    fact = mode_of(state).facts.new_pile
    side = unit.side
    if play_of(state).new_piles == "opponent":
        others = [one for one in state.opponents(unit.side) if not by or by in (one, side)]
        side = others[0] if len(others) == 1 else NOBODY
    wait(
        context,
        "pile",
        say(
            "place a Corpse Pile within {reach:g}″ of {unit} before its tray is removed "
            "(TMG-MODE-FFC-14)",
            reach=fact.within if fact is not None else 0.0,
            unit=unit.id,
        ),
        side=side,
        unit=unit.id,
        other=",".join(piles_seen(state)),
        commands=("place",),
    )


def piles_seen(state: GameState) -> tuple[str, ...]:
    """The Corpse Piles that the newest table shows."""
    pieces = table_of(state.table).terrain if state.table else ()
    return tuple(piece.id for piece in pieces if piece.piece == "corpse-pile")


INHERIT = "inherit-token"
"""The task that asks whether the destroyer of a token's controller touches the token."""


def inherit_token(context: CommandContext, before: GameState, token: Token, by_unit: str) -> None:
    """2018: who destroys the token's controller in melee and touches the token claims it.

    Where no table shows the destroyer, the players say whether it touches the token.
    """
    melee = before.attack is not None and before.attack.kind == "melee"
    destroyer = by_unit if melee else ""
    order = after_melee(token.touched, token.holder, destroyer, token.touched)  # TMG-MODE-GOT-9
    holder = order[0] if order else ""
    context.add(score_events.token_held, token=token.id, unit=holder, touched=list(order))
    if destroyer and destroyer not in token.touched and not seen(before, destroyer):
        words = say(
            "does {unit} touch {token}? Then it claims it (TMG-MODE-GOT-9)",
            unit=destroyer,
            token=token.id,
        )
        side = before.unit(destroyer).side
        wait(
            context, INHERIT, words, side=side, unit=destroyer, other=token.id, commands=("place",)
        )


def winners(state: GameState, unit: UnitState, by: str) -> tuple[str, ...]:
    """The sides that score for a destroyed unit: its destroyer, else each opponent (TMG-VIC-9)."""
    sides = (by,) if by and by != unit.side else state.opponents(unit.side)
    return tuple(
        side for side in sides if not (play_of(state).siege and state.side(side).role == "defender")
    )  # TMG-MODE-SOS-6


def spoils(
    state: GameState, unit: UnitState, side: str, by: str, by_unit: str
) -> list[tuple[str, int, str]]:
    """The points for a destroyed unit: rule, points, reason."""
    play = play_of(state)
    found: list[tuple[str, int, str]] = []
    unknown = not state.cost_known(unit)  # hardly any unit costs nothing
    if play.combat and (unit.points > 0 or unknown or state.rules.free_units_score):
        rule = "TMG-VIC-8" if by and by != unit.side else "TMG-VIC-9"
        found.append((rule, 1, say("{unit} destroyed", unit=unit.id)))
    killer = state.unit(by_unit) if state.has_unit(by_unit) else None
    own_killer = killer is not None and killer.side == side
    if own_killer and killer is not None and killer.commander and play.commander_kills:
        found.append(("TMG-MODE-COK-11", play.commander_kills, "destroyed by the commander's unit"))
    prized = not (play.prize_once and state.side(side).commander_killed)
    if unit.commander and play.commander_prize and prized and side == by:
        found.append(("TMG-MODE-COK-12", play.commander_prize, "enemy commander destroyed"))
    if play.marked:
        if own_killer and killer is not None and killer.marked:
            found.append(("TMG-MODE-FAB-7", 1, "destroyed by a Marked unit"))
        if unit.marked:
            found.append(("TMG-MODE-FAB-8", 2, "a Marked unit destroyed"))
    if unit.vp_tokens:
        rule = "TMG-MODE-FAB-9" if play.marked else "TMG-MODE-FFC-19"
        found.append((rule, unit.vp_tokens, say("VP tokens on {unit}", unit=unit.id)))
    return found


def gain(
    context: CommandContext,
    side: str,
    vp: int,
    rule: str,
    why: str,
    token: str = "",
    unit: str = "",
) -> None:
    """A side scores points; `unit` is the one whose destruction gave them."""
    context.add(
        score_events.scored,
        side=side,
        vp=vp,
        rule=rule,
        why=say("{why} ({rule})", why=why, rule=rule),
        token=token,
        unit=unit,
    )


def restore(context: CommandContext, unit: UnitState, wounds: int, why: str) -> None:
    """Restore a unit that was destroyed by mistake, and take back the points for it."""
    fall = context.state.fall(unit.id)
    assert fall is not None
    context.add(unit_events.restored, unit=unit.id, name=unit.name, wounds=wounds, why=why)
    for side, vp, rule in fall.points:
        gain(context, side, -vp, rule, say("{unit} stands after all", unit=unit.id))
    context.remind(
        say("say with engage and objective what {unit} fights and holds now", unit=unit.id)
    )


def pass_token(context: CommandContext, before: GameState, token_id: str, unit: UnitState) -> None:
    """A carried token goes to an enemy engaged with its carrier, else beside the tray."""
    play = play_of(before)
    takers = [
        enemy.id
        for enemy in before.enemies_engaged(unit)
        if not (play.one_token and any(token.holder == enemy.id for token in before.tokens))
    ]
    opponent = before.only_opponent(unit.side)
    if context.state.token(token_id).holder:
        context.add(score_events.token_held, token=token_id, unit="")
    if len(takers) == 1:
        context.add(score_events.token_held, token=token_id, unit=takers[0], rule=play.carried)
    elif takers:
        wait(
            context,
            "claim-token",
            say(
                "{side} says which of {units} claims {token} ({rule})",
                side=opponent or say("an opponent"),
                units=", ".join(takers),
                token=token_id,
                rule=play.carried,
            ),
            side=opponent,
            other=token_id,
            unit=",".join(takers),
            commands=("place",),
        )
    else:
        rule = "TMG-MODE-FFC-12" if play.one_token else "TMG-MODE-DWD-9"
        wait(
            context,
            "token",
            say(
                '{side} places {token} within 2" of the tray of {unit} ({rule})',
                side=opponent or say("an opponent"),
                token=token_id,
                unit=unit.id,
                rule=rule,
            ),
            side=opponent,
            unit=unit.id,
            other=token_id,
            commands=("place",),
        )


def ask_spent(
    context: CommandContext, name: str, what: str, counted: Sequence[int], test: int = 0
) -> bool:
    """Where players counted their dice: ask whether a token on the unit makes them roll again,
    before the count has its effect (TMG-CON-4..7). Whether anything is asked."""
    state, token = context.state, SPENT[what]
    if not state.has_unit(name) or token not in state.unit(name).tokens:
        return False
    unit = state.unit(name)
    if unit.standing:
        wait(
            context,
            "spent",
            say("is {token} on {unit} spent on these dice? (TMG-CON-4)", token=token, unit=name),
            side=state.only_opponent(unit.side),
            unit=name,
            other=json.dumps([token, *counted]),
            number=test,
            commands=("spent",),
        )
    return unit.standing


def asked_token(task: PendingTask) -> tuple[str, tuple[int, ...]]:
    """The token that a task asks about, and the counted dice that wait for the answer; games of
    earlier versions asked afterwards."""
    if not task.other.startswith("["):
        return task.other, ()
    token, *counted = json.loads(task.other)
    return token, tuple(counted)


def token_asked(state: GameState) -> Refusal | None:
    """Dice wait while it is asked whether a token makes them roll again (TMG-CON-4)."""
    task = next((one for one in state.tasks if one.kind == "spent"), None)
    if task is None or not asked_token(task)[1]:
        return None
    return no(
        "TMG-CON-4",
        "first say whether {token} on {unit} is spent",
        token=asked_token(task)[0],
        unit=task.unit,
    )


def wait(
    context: CommandContext,
    kind: str,
    words: str,
    *,
    side: str = "",
    unit: str = "",
    other: str = "",
    number: int = 0,
    commands: tuple[str, ...] = (),
) -> int:
    """Add a task for a player and return its number."""
    task = context.state.numbered + 1
    context.add(
        flow_events.task,
        id=task,
        kind=kind,
        say_=words,
        side=side,
        unit=unit,
        other=other,
        number=number,
        commands=list(commands),
    )
    return task


def check_elimination(context: CommandContext, side: str) -> None:
    """Eliminate a side without combat units on the battlefield (TMG-VIC-7)."""
    state = context.state
    if state.phase not in (ACTIVATION, CLEAN_UP) or any(True for _ in state.standing(side)):
        return
    if state.side(side).eliminated:
        return
    reading = Readings.parse(state.readings).last_unit  # OR-47
    if play_of(state).returning and reading == "stays":
        return
    if play_of(state).returning and reading == "ask":
        wait(
            context,
            "elimination",
            say(
                "{side} has no combat unit on the battlefield: is it eliminated (TMG-VIC-7),"
                " or will units return?",
                side=side,
            ),
            other=side,
            commands=("eliminate",),
        )
        return
    eliminate(context, side)


def eliminate(context: CommandContext, side: str) -> None:
    """Eliminate a side; the last one left wins at once, whatever the score."""
    context.add(flow_events.eliminated, side=side)
    left = [one.id for one in context.state.sides if not one.eliminated]
    if len(left) == 1 and context.state.phase != OVER:
        context.add(flow_events.won, side=left[0], how=ELIMINATION)

"""Units off the table: which ones start in reserve, and which return at the start of a round."""

from __future__ import annotations

import math
from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.positions import remind_of_entry
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    ask,
    command,
    interrupt,
    no,
)
from companion.games.tmg.play.events import field_events, flow_events
from companion.games.tmg.play.flow.casualties import eliminate
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.unit_state import DESTROYED, RESERVE, UnitState
from models.message import say


def must_reserve(state: GameState) -> tuple[str, ...]:
    """The sides that must still choose the units that start in reserve."""
    play = play_of(state)
    if not play.reserve_rule:
        return ()
    return tuple(
        side.id
        for side in state.sides
        if (not play.siege or side.role == "defender")
        and not side.eliminated
        and not any(unit.side == side.id and unit.place == RESERVE for unit in state.units)
        and side.id not in state.done
    )


@command(
    "reserve",
    "say which combat units start in reserve",
    ask("side", "side", "whose", required=True),
    ask("units", "list", "the units in reserve", required=True),
    ask("leader", "unit", "2018: the unit whose attachment stands in for an NCU commander"),
    phases=("set-up",),
)
def reserve(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-MODE-COK-13, TMG-MODE-COK-14, TMG-MODE-SOS-10."""
    state = context.state
    side = state.side(given.need("side")).id
    if side not in must_reserve(state) or state.step != "reserves":
        rule = play_of(state).reserve_rule or "TMG-MODE-SOS-10"
        return no(rule, "{side} chooses no reserve now", side=side)
    names = tuple(dict.fromkeys(given.texts("units")))
    own = [unit for unit in state.units if unit.side == side]
    if any(name not in {unit.id for unit in own} for name in names):
        return no("TMG-GLO-5", "not all of these are {side}'s combat units", side=side)
    kept = [unit for unit in own if unit.id not in names]
    refusal = (
        clash_refused(state, side, kept, own, given)
        if play_of(state).deployed_units
        else siege_refused(state, own, [unit for unit in own if unit.id in names])
    )
    if refusal:
        return refusal
    for name in names:
        context.add(field_events.reserved, unit=name)
    if given.has("leader"):
        context.add(field_events.representative, unit=given.need("leader"))
    context.add(flow_events.went_on, side=side, step="reserves")
    return None


def clash_refused(
    state: GameState, side: str, kept: list[UnitState], own: list[UnitState], given: CommandFields
) -> Refusal | None:
    """Each player deploys 2, the commander's unit among them (TMG-MODE-COK-13, TMG-MODE-COK-14)."""
    for player in dict.fromkeys(unit.player for unit in own):
        army = [unit for unit in own if unit.player == player]
        down = [unit for unit in kept if unit.player == player]
        wanted = min(play_of(state).deployed_units or 0, len(army))
        if len(down) != wanted:
            return no(
                "TMG-MODE-COK-13",
                "{side} deploys {n} combat unit, not {kept}",
                "{side} deploys {n} combat units, not {kept}",
                side=player,
                n=wanted,
                kept=len(down),
            )
        if any(unit.commander for unit in army) and not any(unit.commander for unit in down):
            return no("TMG-MODE-COK-14", "the commander must be deployed if possible")
    if given.has("leader"):
        leader = state.unit(given.need("leader"))
        if leader not in kept or not leader.attachments:
            return no(
                "TMG-MODE-COK-14",
                "{leader} has no attachment that could stand in on the field",
                leader=leader.id,
            )
    elif any(ncu.commander and ncu.side == side for ncu in state.ncus) and any(
        unit.attachments for unit in kept
    ):
        return no("TMG-MODE-COK-14", "name the attachment that stands in for the commander")
    return None


def reserve_facts(state: GameState, side: str) -> dict[str, Any]:
    """The units from which a side chooses its reserve, and how many of them."""
    play = play_of(state)
    own = [unit for unit in state.units if unit.side == side]
    facts: dict[str, Any] = {
        "units": {unit.id: unit.points for unit in own},
        "rule": play.reserve_rule,
    }
    if play.deployed_units:
        facts["deployed"] = play.deployed_units
        facts["commanders"] = [unit.id for unit in own if unit.commander]
    elif play.reserve_half == "number":
        facts["count"] = math.ceil(len(own) / 2)
    else:
        facts["points"] = math.ceil(sum(unit.points for unit in own) / 2)
    return facts


def siege_refused(state: GameState, own: list[UnitState], held: list[UnitState]) -> Refusal | None:
    """Half of the defender's units start in reserve, by number or by points (TMG-MODE-SOS-10)."""
    if play_of(state).reserve_half == "number":
        wanted = math.ceil(len(own) / 2)
        if len(held) != wanted:
            return no(
                "TMG-MODE-SOS-10",
                "{n} of {own} units goes to reserve",
                "{n} of {own} units go to reserve",
                n=wanted,
                own=len(own),
            )
        return None
    total, waiting = sum(unit.points for unit in own), sum(unit.points for unit in held)
    wanted = math.ceil(total / 2)
    if len(held) == len(own) > 1:
        return no("TMG-MODE-SOS-10", "half of the units go to reserve, not all of them")
    if waiting < wanted:
        return no(
            "TMG-MODE-SOS-10",
            "units of at least {wanted} of {total} points go to reserve",
            wanted=wanted,
            total=total,
        )
    return None


# -- the start of a round ---------------------------------------------------------------------


def returning(state: GameState, side: str) -> tuple[str, ...]:
    """The destroyed units a side may redeploy now."""
    which = play_of(state).redeploys
    open_ = state.round > 1 and side not in state.done
    attacks = state.side(side).role == "attacker"
    return tuple(
        unit.id
        for unit in state.units
        if open_
        and unit.side == side
        and unit.player not in state.done
        and unit.place == DESTROYED
        and (
            which == "one"
            or (which == "commander" and unit.commander)
            or (which == "all" and attacks and not unit.lone_character)
        )
    )


def must_redeploy(state: GameState) -> tuple[str, ...]:
    """The sides with units that may return, the first player's first."""
    return tuple(side for side in state.from_first if returning(state, side))


@command(
    "redeploy",
    "put a destroyed unit back on the table at the start of the round",
    ask("unit", "unit", "which one", required=True),
)
def redeploy(context: CommandContext, given: CommandFields) -> Refusal | None:
    """TMG-MODE-COK-7, TMG-MODE-SOS-8, TMG-MODE-HWS-10."""
    state = context.state
    play = play_of(state)
    unit = state.unit(given.need("unit"))
    rule = play.redeploy_rule or "TMG-UNT-11"
    waiting = must_redeploy(state) if state.step == "redeploy" else ()
    if unit.side not in waiting or unit.id not in returning(state, unit.side):
        return no(rule, "{unit} cannot return now", unit=unit.id)
    if waiting[0] != unit.side:
        return no(rule, "{side} decides first", side=waiting[0])
    context.add(
        field_events.redeployed,
        unit=unit.id,
        whole=True,
        characters=play.redeploys != "all",  # TMG-MODE-SOS-9
        activated=play.redeploys == "one",  # TMG-MODE-HWS-11
    )
    remind_of_entry(context, unit.side)
    if play.redeploys == "one":  # one per player, also for team mates
        context.add(flow_events.went_on, side=unit.player, step="redeploy")
    return None


@interrupt(
    "eliminate",
    "a side without combat units on the battlefield is out, or plays on because units will return",
    ask("side", "side", "which side", required=True),
    ask("out", "flag", "whether it is eliminated", required=True),
)
def decide_elimination(context: CommandContext, given: CommandFields) -> Refusal | None:
    """The players decide whether units can return (TMG-VIC-7)."""
    side = context.state.side(given.need("side")).id
    task = next(
        (one for one in context.state.tasks if one.kind == "elimination" and one.other == side),
        None,
    )
    if task is None and context.state.side(side).eliminated:
        return no("TMG-VIC-7", "{side} is out", side=side)
    if task is None:
        return no("TMG-VIC-7", "{side} has combat units on the battlefield", side=side)
    out = given.field("out").flag()
    told = say("{side} is out", side=side) if out else say("{side} plays on", side=side)
    context.add(flow_events.task_done, task=task.id, say_=told)
    if out:
        eliminate(context, side)
    return None

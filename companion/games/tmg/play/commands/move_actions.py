"""The actions that only move: maneuver, march and retreat."""

from __future__ import annotations

import json

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.command_context import (
    CommandArgs,
    CommandContext,
    ask,
    interrupt,
    no,
    waiting,
)
from companion.games.tmg.play.flow.casualties import wait
from companion.games.tmg.play.flow.terrain_costs import acting_refused, acts_on_danger
from companion.games.tmg.play.state.game_state import PendingTask
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.table_facts import SURELY, retreat_seen, speed_of
from companion.games.tmg.play.state.unit_state import UnitState
from models.lazy_message import say


def engaged_refused(unit: UnitState, rule: str) -> Refusal | None:
    """A refusal for an engaged unit."""
    foes = ", ".join(unit.engaged)
    return no(rule, "{unit} is engaged with {foes}", unit=unit.id, foes=foes) if foes else None


def maneuver(
    context: CommandContext, unit: UnitState, given: CommandArgs, free: bool
) -> Refusal | None:
    """Pivot, move up to Speed, pivot."""
    if refusal := engaged_refused(unit, "TMG-MAN-1"):
        return refusal
    note = say('pivot, up to {reach}" forward, pivot', reach=speed_of(context.state, unit))
    return only_move(context, unit, given, free, "maneuver", note)


def march(
    context: CommandContext, unit: UnitState, given: CommandArgs, free: bool
) -> Refusal | None:
    """Move up to twice Speed, pivot."""
    if refusal := engaged_refused(unit, "TMG-MAR-1"):
        return refusal
    if play_of(context.state).carrier_speed is not None and any(
        token.holder == unit.id for token in context.state.tokens
    ):
        return no(
            "TMG-MODE-DWD-5", "{unit} carries an objective token and may not march", unit=unit.id
        )
    note = say('up to {reach}" forward, pivot', reach=2 * speed_of(context.state, unit))
    return only_move(context, unit, given, free, "march", note)


def only_move(
    context: CommandContext, unit: UnitState, given: CommandArgs, free: bool, action: str, note: str
) -> Refusal | None:
    """An action that is nothing but a move; Dangerous ground may wound the unit first."""
    if refusal := acting_refused(context.state, unit.id, given):
        return refusal
    if acts_on_danger(context, unit, given, moving=True):
        settled = given.has("dangerous")
        context.add(
            "acted", unit=unit.id, action=action, free=free, moves=True, settled=settled, note=note
        )
    return None


def retreat(
    context: CommandContext, unit: UnitState, given: CommandArgs, free: bool
) -> Refusal | None:
    """Roll a D6 and leave the melee (TMG-RET-2)."""
    if not unit.engaged:
        return no("TMG-RET-1", "{unit} is not engaged", unit=unit.id)
    faces = given.faces()
    if faces is not None and len(faces) != 1:
        return no("TMG-RET-2", "a retreat rolls one D6")
    state = context.state
    freed = [enemy.id for enemy in state.enemies_engaged(unit) if set(enemy.engaged) == {unit.id}]
    if refusal := acting_refused(state, unit.id, given):
        return refusal
    if not acts_on_danger(context, unit, given, moving=True):
        return None
    faces = faces or context.dice(1)
    reach = speed_of(context.state, unit) + faces[0]
    context.add(
        "retreat-rolled", unit=unit.id, side=unit.side, faces=faces, reach=reach, what="retreat"
    )
    leaves = given.maybe("success")
    if leaves is None:
        way = retreat_seen(state, unit.id, reach)
        leaves = True if way is None else SURELY[way.verdict]
    settled = given.has("dangerous")
    if leaves is None:
        context.add("acted", unit=unit.id, action="retreat", free=free)
        words = say(
            '{unit} moves up to {reach:g}": is there a way out? It is too close to call'
            " (TMG-RET-9)",
            unit=unit.id,
            reach=reach,
        )
        wait(
            context,
            "retreat",
            words,
            side=unit.side,
            unit=unit.id,
            other=json.dumps([freed, settled]),
            commands=("retreat-result",),
        )
        return None
    context.add("acted", unit=unit.id, action="retreat", free=free, moves=leaves, settled=settled)
    end_retreat(context, unit.id, freed, leaves)
    return None


def end_retreat(context: CommandContext, unit: str, freed: list[str], leaves: bool) -> None:
    """The unit leaves the melee, or finds no way out of it (TMG-RET-7, TMG-RET-9)."""
    if not leaves:
        context.remind(say("no way out: {unit} stays engaged (TMG-RET-9)", unit=unit))
        return
    context.add("engaged", unit=unit, may_turn=freed, **{"with": []})
    if freed:
        context.remind(
            say("{units} may make a free pivot at once (TMG-RET-7)", units=", ".join(freed))
        )


@interrupt(
    "retreat-result",
    "say whether the retreat that was rolled found a way out",
    ask("success", "flag", "whether the unit leaves the melee", required=True),
    of=waiting(no("TMG-RET-9", "no retreat waits for its result"), "retreat"),
)
def retreat_result(
    context: CommandContext, given: CommandArgs, task: PendingTask
) -> Refusal | None:
    """The players say whether the retreat succeeded (TMG-RET-9)."""
    leaves = given.field("success").flag()
    freed, settled = json.loads(task.other)
    context.add("task-done", task=task.id, say="the players say how the retreat ended")
    if leaves:
        context.add("retreated", unit=task.unit, settled=settled)
    end_retreat(context, task.unit, freed, leaves)
    return None

"""The actions of an activated unit and free actions: dispatch, and what forbids any action."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.attack_action import ARCS, attack
from companion.games.tmg.play.commands.charge_action import charge
from companion.games.tmg.play.commands.command_context import (
    CommandArgs,
    CommandContext,
    ask,
    command,
    no,
)
from companion.games.tmg.play.commands.move_actions import maneuver, march, retreat
from companion.games.tmg.play.flow.attacks import declare
from companion.games.tmg.play.state.play_rules import ACTIONS
from companion.games.tmg.play.state.unit_state import UnitState

ACTION_FIELDS = (
    ask("target", "unit", "whom it attacks or charges"),
    ask("weapon", "text", "which attack of its card; the first that fits where left out"),
    ask("ranged", "flag", "a ranged attack instead of a melee attack"),
    ask("zone", "word", "the target's arc it attacks from; the table tells it", options=ARCS),
    ask("distance", "inches", "how far the target of a charge is; the table tells it"),
    ask(
        "success",
        "flag",
        "whether a charge made contact, or a retreat a way out, where nobody can measure it",
    ),
    ask("hindering", "flag", "the charge crosses Hindering ground; the table tells it"),
    ask("fortified", "flag", "the charge crosses Fortified ground; the table tells it"),
    ask("cover", "flag", "2018: Cover lies between shooter and target; the table tells it"),
    ask("faces", "dice", "the die of a charge or retreat; the companion rolls where left out"),
    ask("dangerous", "flag", "it acts on, or moves onto, Dangerous ground; the table tells it"),
    ask("d3", "number", "the D3 for Dangerous ground"),
    ask("piece", "text", "2021: the Destructible terrain piece that a melee attack destroys"),
    ask("beside", "flag", "the piece is within 1 inch, where measuring cannot tell"),
    ask("turned", "flag", "before a melee attack it turned its front to its one enemy"),
    ask("into_melee", "list", "friends engaged with the target of a shot; known where engaged"),
    ask("dice", "number", "attack dice of a wall's arrows, as its card says"),
    ask("hit", "number", "to-hit value of a wall's arrows, as its card says"),
)


@command(
    "action",
    "what the activated unit does",
    ask(
        "action",
        "word",
        "forgo ends the activation without an action; arrows are a castle wall's",
        True,
        (*ACTIONS, "forgo", "arrows"),
    ),
    *ACTION_FIELDS,
)
def action(context: CommandContext, given: CommandArgs) -> Refusal | None:
    """Turn step 3 (TMG-RND-6)."""
    state = context.state
    what = given.choice("action", (*ACTIONS, "forgo", "arrows"))
    if state.acting is None or state.acting.stage != "choose":
        return no("TMG-RND-6", "no unit waits for its action")
    name = state.acting.unit
    if state.has_ncu(name):
        return no("TMG-NCU-2", "{unit} is an NCU: its only action is to claim a zone", unit=name)
    if state.wall(name):
        return wall_action(context, name, what, given)
    if what == "arrows":
        return no("TMG-MODE-SOS-18", "only a castle wall shoots arrows")
    if what == "forgo":
        context.add("acted", unit=name, action="forgo")
        return None
    return perform(context, state.unit(name), what, given, free=False)


def wall_action(
    context: CommandContext, name: str, what: str, given: CommandArgs
) -> Refusal | None:
    """A castle wall shoots or passes (TMG-MODE-SOS-18)."""
    if what == "forgo":
        context.add("acted", unit=name, action="pass")
        return None
    if what != "arrows":
        return no("TMG-MODE-SOS-18", "a castle wall can only shoot arrows or pass")
    target = context.state.unit(given.need("target"))
    if target.side == context.state.active or not target.standing:
        return no("TMG-MODE-SOS-18", "{target} is no enemy on the battlefield", target=target.id)
    dice, hit = given.whole("dice", 1, 30), given.whole("hit", 2, 6)
    context.add("acted", unit=name, action="arrows")
    declare(
        context,
        defender=target.id,
        attacker=name,
        by=context.state.active,
        weapon="Arrows",
        kind="long",
        dice=dice,
        hit=hit,
        zone=given.choice("zone", ARCS, "front"),
        free=False,
    )
    return None


@command(
    "free-action",
    "an effect lets a unit perform an action; its own activation is not touched",
    ask("unit", "unit", "the unit", required=True),
    ask("action", "word", "which action", True, ACTIONS),
    *ACTION_FIELDS,
    busy=True,
)
def free_action(context: CommandContext, given: CommandArgs) -> Refusal | None:
    """A free action, whether the unit was activated or not (TMG-ACT-4, TMG-ACT-5)."""
    name = given.need("unit")
    if context.state.has_ncu(name):
        return no("TMG-NCU-1", "{unit} is not on the battlefield", unit=name)
    return perform(
        context, context.state.unit(name), given.choice("action", ACTIONS), given, free=True
    )


def perform(
    context: CommandContext, unit: UnitState, what: str, given: CommandArgs, free: bool
) -> Refusal | None:
    """Carry out one of the five actions, after checking what forbids any action."""
    if not unit.standing:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=unit.id)
    if context.state.attack is not None:
        return no("TMG-ATK-1", "another attack is being resolved")
    if any(task.kind == "charge" for task in context.state.tasks):
        return no("TMG-CHG-14", "another charge is being resolved")
    if any(task.kind == "retreat" for task in context.state.tasks):
        return no("TMG-RET-9", "another retreat is being resolved")
    return VERBS[what](context, unit, given, free)


VERBS = {
    "maneuver": maneuver,
    "march": march,
    "retreat": retreat,
    "attack": attack,
    "charge": charge,
}

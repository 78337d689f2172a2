"""The tactics board: NCUs claim zones, zones have effects, NCUs influence units."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.activations import ACTION_FIELDS, perform
from companion.games.tmg.play.commands.cards import draw
from companion.games.tmg.play.commands.missions import swap_mission
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    ask,
    command,
    no,
    on_field,
    waiting,
)
from companion.games.tmg.play.events import field_events, flow_events, tactics_events, unit_events
from companion.games.tmg.play.flow.attacks import strike
from companion.games.tmg.play.flow.casualties import wait
from companion.games.tmg.play.flow.panic_queue import queue_test
from companion.games.tmg.play.flow.scoring import controller
from companion.games.tmg.play.state.game_state import GameState, NcuState, PendingTask
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import CONDITIONS, MOST_HEALED, ZONES
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.setup.quadrants import QUADRANTS
from models.message import joined, say

EFFECTS = {
    "crown": "1 enemy unit takes a panic test at -1 (TMG-ZON-2)",
    "wealth": "heal up to 3 wounds on 1 unit and remove 1 condition token from it (TMG-ZON-3)",
    "combat": "1 friendly unit may make a free Attack action (TMG-ZON-4)",
    "tactics": "draw 2 tactics cards and place 1 condition token on an enemy unit (TMG-ZON-5)",
    "maneuver": "1 friendly unit may make a free Maneuver or Retreat action (TMG-ZON-6)",
}
PRINTED = "its effect is printed on your board: resolve it with the other commands"
INSTEAD = {"hits": "TMG-MODE-HAR-10", "missions": "TMG-MODE-DWW-7"}


@command(
    "claim",
    "the activated NCU moves to a free zone of the tactics board",
    ask("zone", "word", "which zone", True, ZONES),
)
def claim(context: CommandContext, given: CommandFields) -> Refusal | None:
    """An NCU's only action (TMG-NCU-2)."""
    state = context.state
    zone = given.choice("zone", ZONES)
    if state.acting is None or state.acting.stage != "choose":
        return no("TMG-NCU-2", "no NCU waits for its action")
    name = state.acting.unit
    if not state.has_ncu(name):
        return no(
            "TMG-NCU-1", "{unit} is not an NCU: only those act on the tactics board", unit=name
        )
    taken = state.board[ZONES.index(zone)]
    if taken:
        return no("TMG-ZON-1", "{zone} is taken by {taken}", zone=zone, taken=taken)
    ncu = state.ncu(name)
    context.add(tactics_events.claimed, unit=name, zone=zone, side=ncu.side)
    words = EFFECTS[zone] if state.rules.zone_effects else PRINTED
    play = play_of(state)
    if play.zone_instead:
        words = say(
            "{effect}; it may be replaced ({rule})", effect=words, rule=INSTEAD[play.zone_instead]
        )
    wait(
        context,
        "zone",
        say("{unit} claimed {zone}: {effect}", unit=name, zone=zone, effect=words),
        side=ncu.side,
        unit=name,
        other=zone,
        commands=("zone-effect",),
    )
    context.remind(
        say(
            "{ncu}: if the card says something for claiming a zone, do it now (TMG-NCU-7)",
            ncu=ncu.name,
        )
    )
    return None


@command(
    "forgo",
    "the activated NCU does nothing (2021)",
)
def forgo(context: CommandContext, given: CommandFields) -> Refusal | None:
    """An NCU may forgo its action (TMG-NCU-5)."""
    state = context.state
    if state.acting is None or state.acting.stage != "choose":
        return no("TMG-NCU-5", "nobody waits for an action")
    if not state.has_ncu(state.acting.unit):
        return no("TMG-ACT-2", "a combat unit forgoes with action: forgo")
    if not state.rules.ncu_may_forgo:
        return no("TMG-NCU-2", "an NCU moves to a free zone of the tactics board")
    context.add(field_events.acted, unit=state.acting.unit, action="forgo")
    return None


@command(
    "quadrant",
    "Here We Stand: the activated NCU goes to a quadrant instead of a zone",
    ask("quadrant", "word", "which quadrant", True, QUADRANTS),
)
def to_quadrant(context: CommandContext, given: CommandFields) -> Refusal | None:
    """An NCU adds its points to a quadrant (TMG-MODE-HWS-7)."""
    state = context.state
    if not play_of(state).quadrants:
        return no("TMG-MODE-HWS-7", "only Here We Stand has quadrants")
    where = given.choice("quadrant", QUADRANTS)
    if (
        state.acting is None
        or state.acting.stage != "choose"
        or not state.has_ncu(state.acting.unit)
    ):
        return no("TMG-NCU-2", "no NCU waits for its action")
    ncu = state.ncu(state.acting.unit)
    if any(one.quadrant == where and one.player == ncu.player for one in state.ncus):
        return no(
            "TMG-MODE-HWS-8",
            "{player} has an NCU in the {quadrant} quadrant already",
            player=ncu.player,
            quadrant=where,
        )
    context.add(tactics_events.in_quadrant, unit=ncu.id, quadrant=where)
    return None


# -- effects ----------------------------------------------------------------------------------


@command(
    "zone-effect",
    "resolve the effect of the zone an NCU has just claimed",
    ask("unit", "unit", "the unit it concerns"),
    ask("heal", "number", "wealth: how many wounds, up to 3"),
    ask("token", "word", "wealth: which token goes; tactics: which is placed", False, CONDITIONS),
    ask("action", "word", "maneuver: which action", False, ("maneuver", "retreat")),
    ask("skip", "flag", "nothing is done (or it was resolved with other commands)"),
    ask("instead", "word", "the mode's replacement", False, ("hits", "mission")),
    ask("out", "text", "which mission is discarded"),
    ask("into", "text", "which reserve mission takes its place"),
    *(one for one in ACTION_FIELDS if one.name not in ("dice", "hit")),
    busy=True,
    of=waiting(no("TMG-NCU-3", "no zone's effect waits"), "zone"),
)
def zone_effect(context: CommandContext, given: CommandFields, task: PendingTask) -> Refusal | None:
    """Carry out the effect of the claimed zone."""
    if context.state.attack is not None or context.state.trials:
        return no("TMG-TIM-6", "first resolve the attack or test that waits")
    if given.has("instead"):
        refusal = instead(context, task, given)
    elif given.flag("skip"):
        refusal = None
    elif not context.state.rules.zone_effects:
        return no("TMG-NCU-3", "resolve what your board prints with other commands, then skip")
    else:
        refusal = ZONE_VERBS[task.other](context, task, given)
    if refusal is None and task in context.state.tasks:
        context.add(
            flow_events.task_done,
            task=task.id,
            say_=say("the effect of {zone} is resolved", zone=task.other),
        )
    return refusal


def crown(context: CommandContext, task: PendingTask, given: CommandFields) -> Refusal | None:
    """One enemy unit makes a panic test (TMG-ZON-2)."""
    unit = on_field(context.state, given)
    if isinstance(unit, Refusal):
        return unit
    if unit.side == task.side:
        return no("TMG-ZON-2", "{unit} is not an enemy unit", unit=unit.id)
    queue_test(context, unit.id, "Crown (TMG-ZON-2)", mods=(("crown", -1),), by=task.side)
    return None


def wealth(context: CommandContext, task: PendingTask, given: CommandFields) -> Refusal | None:
    """Heal a unit and remove a condition from it (TMG-ZON-3)."""
    unit = on_field(context.state, given)
    if isinstance(unit, Refusal):
        return unit
    if not given.has("token") and len(unit.tokens) > 1:
        return no(
            "TMG-ZON-3",
            "{unit} is {tokens}: say which 'token' goes",
            unit=unit.id,
            tokens=joined(unit.tokens),
        )
    token = given.choice("token", CONDITIONS) if given.has("token") else "".join(unit.tokens)
    if token and token not in unit.tokens:
        return no("TMG-CON-3", "{unit} is not {token}", unit=unit.id, token=token)
    healing = min(given.whole("heal", 0, MOST_HEALED, MOST_HEALED), unit.wounds)
    if healing:
        context.add(unit_events.healed, unit=unit.id, wounds=healing)
    if token:
        context.add(unit_events.condition_gone, unit=unit.id, token=token)
    return None


def combat(context: CommandContext, task: PendingTask, given: CommandFields) -> Refusal | None:
    """A free Attack action (TMG-ZON-4)."""
    if given.has("action"):
        return no("TMG-ZON-4", "the Combat zone gives an Attack action and no other")
    return friend_acts(context, task, given, "attack", "TMG-ZON-4")


def maneuver(context: CommandContext, task: PendingTask, given: CommandFields) -> Refusal | None:
    """A free Maneuver or Retreat action (TMG-ZON-6)."""
    what = given.choice("action", ("maneuver", "retreat"), "maneuver")
    return friend_acts(context, task, given, what, "TMG-ZON-6")


def friend_acts(
    context: CommandContext, task: PendingTask, given: CommandFields, what: str, rule: str
) -> Refusal | None:
    """A friendly unit performs a free action."""
    unit = on_field(context.state, given)
    if isinstance(unit, Refusal):
        return unit
    if unit.side != task.side:
        return no(rule, "{unit} is not a friendly unit", unit=unit.id)
    return perform(context, unit, what, given, free=True)


def tactics(context: CommandContext, task: PendingTask, given: CommandFields) -> Refusal | None:
    """Draw cards, and place a condition that an enemy does not have (TMG-ZON-5, TMG-CON-2)."""
    player = context.state.ncu(task.unit).player
    open_ = any(
        unit.side != task.side and len(unit.tokens) < len(CONDITIONS)
        for unit in context.state.standing()
    )
    if not open_ and not given.has("unit"):  # no unit can take a token
        draw(context, player, 2)
        return None
    unit = on_field(context.state, given)
    if isinstance(unit, Refusal):
        return unit
    if unit.side == task.side:
        return no("TMG-ZON-5", "{unit} is not an enemy unit", unit=unit.id)
    token = given.choice("token", CONDITIONS)
    if token in unit.tokens:
        return no("TMG-CON-2", "{unit} is {token} already", unit=unit.id, token=token)
    draw(context, player, 2)
    context.add(unit_events.condition, unit=unit.id, token=token)
    return None


ZONE_VERBS = {
    "crown": crown,
    "wealth": wealth,
    "combat": combat,
    "tactics": tactics,
    "maneuver": maneuver,
}


def instead(context: CommandContext, task: PendingTask, given: CommandFields) -> Refusal | None:
    """The effect that the mode offers instead of the zone's (TMG-MODE-HAR-10, TMG-MODE-DWW-7)."""
    play = play_of(context.state)
    what = given.choice("instead", ("hits", "mission"))
    if what == "hits":
        if play.zone_instead != "hits":
            return no("TMG-MODE-HAR-10", "this mode has no such replacement")
        unit = on_field(context.state, given)
        if isinstance(unit, Refusal):
            return unit
        if not any(
            token.name != "centre" and controller(context.state, token) is unit
            for token in context.state.tokens
        ):
            return no(
                "TMG-MODE-HAR-10", "{unit} controls no token besides the centre one", unit=unit.id
            )
        d3 = given.whole("d3", 1, 3) if given.has("d3") else context.dice(1, 3)[0]
        done = say("the castle wall strikes {unit}: {d3} + 2", unit=unit.id, d3=d3)
        context.add(flow_events.task_done, task=task.id, say_=done)
        strike(context, unit.id, d3 + 2, "the castle wall (TMG-MODE-HAR-10)", task.side)
        return None
    if play.zone_instead != "missions":
        return no("TMG-MODE-DWW-7", "this mode has no such replacement")
    return swap_mission(context, given)


# -- influence --------------------------------------------------------------------------------


@command(
    "influence",
    "an NCU that has claimed a zone attaches its card to a unit",
    ask("ncu", "NCU", "whose card", required=True),
    ask("unit", "unit", "a combat unit, friendly or enemy", required=True),
    busy=True,
)
def influence(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Influence (TMG-INF-1, TMG-INF-2)."""
    state = context.state
    ncu = state.ncu(given.need("ncu"))
    if ncu.id not in state.board:
        return no("TMG-INF-1", "{ncu} has claimed no zone", ncu=ncu.id)
    if state.acting is None or state.acting.unit != ncu.id:
        return no("TMG-INF-1", "{ncu} attaches its card when it claims its zone", ncu=ncu.id)
    if state.has_ncu(given.need("unit")):
        return no("TMG-INF-1", "influence is attached to combat units only")
    unit = state.unit(given.need("unit"))
    if not unit.standing:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=unit.id)
    if any(one == ncu.id for other in state.units for one, _ in other.influence):
        return no("TMG-INF-1", "the card of {ncu} is attached already", ncu=ncu.id)
    if refusal := influence_refused(unit, ncu.side):
        return refusal
    context.add(tactics_events.influence, ncu=ncu.id, unit=unit.id, side=ncu.side)
    return None


def influencing(state: GameState) -> NcuState | None:
    """The NCU that has claimed its zone in this turn and may still attach its card (TMG-INF-1)."""
    name = state.acting.unit if state.acting is not None else ""
    attached = any(one == name for unit in state.units for one, _ in unit.influence)
    return state.ncu(name) if name in state.board and name and not attached else None


def influence_refused(unit: UnitState, side: str) -> Refusal | None:
    """At most one friendly and one enemy influence at a time (TMG-INF-2)."""
    friendly = side == unit.side
    if any((owner == unit.side) is friendly for _, owner in unit.influence):
        if friendly:
            return no("TMG-INF-2", "{unit} has a friendly influence already", unit=unit.id)
        return no("TMG-INF-2", "{unit} has an enemy influence already", unit=unit.id)
    return None

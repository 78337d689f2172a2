"""Activations: which units can be activated, and the actions they take then."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.charge_action import charge
from companion.games.tmg.play.commands.positions import remind_of_entry
from companion.games.tmg.play.commands.unit_actions import (
    ARCS,
    AimedShot,
    attack,
    maneuver,
    march,
    remind_of_arc,
    retreat,
)
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    ask,
    command,
    interrupt,
    no,
    on_field,
    unsure,
)
from companion.games.tmg.play.events import field_events, flow_events, tactics_events
from companion.games.tmg.play.flow.attacks import declare, fellows
from companion.games.tmg.play.flow.casualties import wait
from companion.games.tmg.play.flow.panic_queue import queue_test
from companion.games.tmg.play.state.game_state import AttackState, GameState, PendingTask
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.play_rules import ACTIONS
from companion.games.tmg.play.state.table_facts import pile_near
from companion.games.tmg.play.state.unit_state import RESERVE, UnitState
from companion.games.tmg.rules.combat.dice import dice_rules
from models.message import say


def may_enter(state: GameState, unit: UnitState) -> bool:
    """Whether a reserve unit may enter this round."""
    play = play_of(state)
    return unit.place == RESERVE and 0 < play.reserve_round <= state.round


def ready(state: GameState, side: str) -> tuple[str, ...]:
    """What a side may still activate this round: combat units, NCUs and walls."""
    if state.side(side).eliminated:
        return ()
    units = [
        unit.id
        for unit in state.units
        if unit.side == side and not unit.activated and (unit.standing or may_enter(state, unit))
    ]
    ncus = [ncu.id for ncu in state.ncus if ncu.side == side and not ncu.activated]
    return (*units, *ncus, *ready_walls(state, side))


def ready_walls(state: GameState, side: str) -> tuple[str, ...]:
    """The defender's walls that can still shoot (TMG-MODE-SOS-18)."""
    if not play_of(state).siege or state.side(side).role != "defender":
        return ()
    return tuple(wall.id for wall in state.walls if wall.standing and not wall.activated)


def forced(state: GameState, choices: tuple[str, ...]) -> Iterator[str]:
    """The units that a side must activate before it may pass: not reserves, nor walls."""
    return (
        name
        for name in choices
        if not (state.has_unit(name) and state.unit(name).place == RESERVE)
        and state.wall(name) is None
    )


@command(
    "activate",
    "choose one of your units that was not activated this round",
    ask("unit", "unit", "a combat unit, an NCU, or a castle wall of the defender", required=True),
    ask("near_pile", "flag", "2018, A Feast for Crows: a Corpse Pile lies in Short Range"),
)
def activate(context: CommandContext, given: CommandFields) -> Refusal | None:
    """Turn step 2 (TMG-RND-4), NCUs like other units (TMG-NCU-8)."""
    state = context.state
    name = given.need("unit")
    if state.step != "turn-start":
        return no("TMG-RND-6", "a unit is activated already in this turn")
    wall = state.wall(name)
    if wall is not None:
        return activate_wall(context, wall.id)
    unit = state.fighter(name)
    if unit.side != state.active:
        return no("TMG-RND-4", "{unit} is not one of {side}'s units", unit=name, side=state.active)
    if unit.activated:
        return no("TMG-RND-5", "{unit} was activated this round", unit=name)
    if isinstance(unit, UnitState) and not unit.standing:
        return enter_reserve(context, unit) if may_enter(state, unit) else stays_out(state, unit)
    near = given.maybe("near_pile")
    if near is None and play_of(state).morale_tokens:
        answer = pile_near(state, name)
        if answer is not None and answer.verdict == "unsure":
            return unsure(
                "near_pile",
                "TMG-MODE-FFC-17",
                "whether a Corpse Pile is in Short Range of {unit} is too close to call:"
                " say it with 'near_pile'",
                unit=name,
            )
        near = bool(answer)
    context.add(field_events.activated, unit=name, side=unit.side, name=unit.name)
    if not isinstance(unit, UnitState):
        board_full(context, name)
        return None
    if near and play_of(state).morale_tokens:  # TMG-MODE-FFC-17
        queue_test(context, name, "a Corpse Pile in Short Range (TMG-MODE-FFC-17)", kind="morale")
    return None


def activate_wall(context: CommandContext, name: str) -> Refusal | None:
    """A wall section is activated like a unit (TMG-MODE-SOS-18)."""
    state = context.state
    if state.side(state.active).role != "defender":
        return no("TMG-MODE-SOS-18", "only the defender activates castle walls")
    wall = state.wall(name)
    assert wall is not None
    if not wall.standing:
        return no("TMG-MODE-SOS-18", "{unit} is destroyed", unit=name)
    if wall.activated:
        return no("TMG-RND-5", "{unit} was activated this round", unit=name)
    context.add(field_events.activated, unit=name, side=state.active)
    return None


def stays_out(state: GameState, unit: UnitState) -> Refusal:
    """A refusal to activate a unit that is not on the battlefield."""
    play = play_of(state)
    if unit.place != RESERVE or not play.reserve_round:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=unit.id)
    return no(
        "TMG-MODE-COK-15" if play.reserve_is_activation else "TMG-MODE-SOS-11",
        "{unit} waits in reserve: it may come from round {n} on",
        unit=unit.id,
        n=play.reserve_round,
    )


def enter_reserve(context: CommandContext, unit: UnitState) -> Refusal | None:
    """A reserve unit enters: as its activation, or at the start of it (TMG-MODE-SOS-12)."""
    play = play_of(context.state)
    context.add(field_events.activated, unit=unit.id, side=unit.side, name=unit.name)
    context.add(field_events.redeployed, unit=unit.id)
    remind_of_entry(context, unit.side)
    if play.reserve_is_activation:  # TMG-MODE-COK-15
        context.add(
            field_events.acted, unit=unit.id, action="enter", moves=True, note="from reserve"
        )
    return None


def board_full(context: CommandContext, ncu: str) -> None:
    """End the activation of an NCU that finds no free zone (TMG-NCU-6)."""
    if all(context.state.board) and not play_of(context.state).quadrants:
        context.add(tactics_events.no_zone, unit=ncu)
        context.add(field_events.activation_ended, unit=ncu)


@command(
    "pass",
    "a side that has nothing it must activate passes its turn",
    ask("side", "side", "who passes; the active side where left out"),
)
def pass_turn(context: CommandContext, given: CommandFields) -> Refusal | None:
    """A side may not pass while it has a unit to activate (TMG-RND-9)."""
    state = context.state
    side = state.side(given.text("side", state.active)).id
    if side != state.active or state.step != "turn-start":
        return no("TMG-RND-2", "it is not the start of {side}'s turn", side=side)
    if left := tuple(forced(state, ready(state, side))):
        return no(
            "TMG-RND-9",
            "{side} may not pass: {left} can be activated",
            side=side,
            left=", ".join(left),
        )
    context.add(flow_events.pass_chosen, side=side)
    return None


ACTION_FIELDS = (
    ask("target", "unit", "whom it attacks or charges"),
    ask("weapon", "text", "which attack of its card; the first that fits where left out"),
    ask("ranged", "flag", "a ranged attack instead of a melee attack"),
    ask("zone", "word", "the target's arc it attacks from; the table tells it", options=ARCS),
    ask("distance", "inches", "how far the target of a charge is; the table tells it"),
    ask(
        "heading",
        "number",
        "the heading a charge turns to; where left out, the way that needs the lowest roll",
    ),
    ask(
        "success",
        "flag",
        "whether a charge made contact, or a retreat a way out, where nobody can measure it",
    ),
    ask("agreed", "flag", "the charge ends otherwise than the table shows: an effect changes it"),
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
def action(context: CommandContext, given: CommandFields) -> Refusal | None:
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
        context.add(field_events.acted, unit=name, action="forgo")
        return None
    return perform(context, state.unit(name), what, given, free=False)


def wall_action(
    context: CommandContext, name: str, what: str, given: CommandFields
) -> Refusal | None:
    """A castle wall shoots or passes (TMG-MODE-SOS-18)."""
    if what == "forgo":
        context.add(field_events.acted, unit=name, action="pass")
        return None
    if what != "arrows":
        return no("TMG-MODE-SOS-18", "a castle wall can only shoot arrows or pass")
    target = context.state.unit(given.need("target"))
    if target.side == context.state.active or not target.standing:
        return no("TMG-MODE-SOS-18", "{target} is no enemy on the battlefield", target=target.id)
    dice, hit = given.whole("dice", 1, 30), given.whole("hit", 2, 6)
    shot = aimed_by_wall(context.state, target, given)
    context.add(field_events.acted, unit=name, action="arrows")
    begun = AttackState(
        defender=target.id,
        attacker=name,
        by=context.state.active,
        weapon="Arrows",
        kind="long",
        dice=dice,
        hit=hit,
        zone=shot.zone,
        defense_mods=shot.mods,
        friends=shot.friends,
        companions=fellows(context.state, name, target.id),
    )
    declare(context, begun)
    remind_of_arc(context, target.id, given, not dice_rules(context.state.year).zones_help_shots)
    return None


def aimed_by_wall(state: GameState, target: UnitState, given: CommandFields) -> AimedShot:
    """A wall's arrows as the players say: no table shows from which arc, or what is between; its
    friends in the melee test panic (TMG-SIM-2)."""
    rules = dice_rules(state.year)
    covers = given.maybe("cover") and rules.cover_defense
    mods = (("cover", rules.cover_defense),) if covers else ()
    friends = given.texts("into_melee") or tuple(
        one.id for one in state.enemies_engaged(target) if one.side == state.active
    )
    return AimedShot(given.choice("zone", ARCS, "front"), mods, friends)


@command(
    "free-action",
    "an effect lets a unit perform an action; its own activation is not touched",
    ask("unit", "unit", "the unit", required=True),
    ask("action", "word", "which action", True, ACTIONS),
    *ACTION_FIELDS,
    busy=True,
)
def free_action(context: CommandContext, given: CommandFields) -> Refusal | None:
    """A free action, whether the unit was activated or not (TMG-ACT-4, TMG-ACT-5)."""
    name = given.need("unit")
    if context.state.has_ncu(name):
        return no("TMG-NCU-1", "{unit} is not on the battlefield", unit=name)
    for task in granted(context.state):
        if task.unit == name:
            context.add(flow_events.task_done, task=task.id, say_="the effect is used")
    return perform(
        context, context.state.unit(name), given.choice("action", ACTIONS), given, free=True
    )


@interrupt(
    "grant",
    "an effect lets a unit perform an action: the game then waits for which one",
    ask("unit", "unit", "the unit", required=True),
    ask("take", "flag", "false: it performs none after all"),
    of=on_field,
)
def grant(context: CommandContext, given: CommandFields, unit: UnitState) -> Refusal | None:
    """A card or ability gives a free action, which its player chooses (TMG-ACT-4, TMG-ACT-5)."""
    state = context.state
    waiting = next((task for task in granted(state) if task.unit == unit.id), None)
    if not given.flag("take", True):
        if waiting is None:
            return no("TMG-ACT-5", "{unit} waits for no free action", unit=unit.id)
        context.add(flow_events.task_done, task=waiting.id, say_="no free action")
        return None
    if waiting is not None:
        return no("TMG-ACT-5", "{unit} may perform a free action already", unit=unit.id)
    if not may_grant(state):
        return no("TMG-TIM-6", "first resolve the attack or test that waits")
    wait(
        context,
        "grant",
        say("{unit} may perform a free action (TMG-ACT-5)", unit=unit.id),
        side=unit.side,
        unit=unit.id,
        commands=("free-action", "grant"),
    )
    return None


def granted(state: GameState) -> tuple[PendingTask, ...]:
    """The free actions that effects have given and that are not performed yet."""
    return tuple(task for task in state.tasks if task.kind == "grant")


def may_grant(state: GameState) -> bool:
    """Whether an effect may let a unit act now: nothing else is being resolved (TMG-TIM-6), unless
    that is a zone of which only the players' board says what it does (TMG-NCU-3)."""
    over = state.attack is None or state.attack.stage == "completed"
    tasks = [one for one in state.tasks if one.kind != "zone" or state.rules.zone_effects]
    return bool(state.active) and over and not state.trials and not tasks


def perform(
    context: CommandContext, unit: UnitState, what: str, given: CommandFields, free: bool
) -> Refusal | None:
    """Carry out one of the five actions, after checking what forbids any action."""
    if not unit.standing:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=unit.id)
    now = context.state.attack
    if now is not None and now.stage != "completed":  # TMG-ATK-17: effects act after an attack
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

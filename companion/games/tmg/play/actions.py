"""Activations and actions: maneuver, march, retreat, attack, charge, and free actions."""

from __future__ import annotations

import json
from typing import Any

from companion.games.playing import Refusal
from companion.games.tmg.dice import charge_dice, dice_rules, roll_charge
from companion.games.tmg.play.attacks import begin, declare, weapon_of
from companion.games.tmg.play.casualties import suffer, wait
from companion.games.tmg.play.deed import Asked, Deed, ask, command, no
from companion.games.tmg.play.mode_play import play_of
from companion.games.tmg.play.panic_queue import EVERYWHERE, queue_test
from companion.games.tmg.play.rules import ACTIONS
from companion.games.tmg.play.sightings import (
    charge_seen,
    pieces_near,
    shot_seen,
    unseen,
    zone_of,
)
from companion.games.tmg.play.state import Mod, State
from companion.games.tmg.play.unit_state import UnitState
from companion.games.tmg.reasons import told
from companion.geometry.answer import SURE_SIGMAS, Answer
from models.said import say

ARCS = ("front", "flank", "rear")
ACTION_FIELDS = (
    ask("target", "unit", "whom it attacks or charges"),
    ask("weapon", "text", "which attack of its card; the first that fits where left out"),
    ask("ranged", "flag", "a ranged attack instead of a melee attack"),
    ask("zone", "word", "the target's arc it attacks from; the table tells it", options=ARCS),
    ask("distance", "number", "inches to the target of a charge; the table tells it"),
    ask("success", "flag", "whether a charge made contact, where nobody knows the distance"),
    ask("hindering", "flag", "the charge crosses Hindering ground; the table tells it"),
    ask("fortified", "flag", "the charge crosses Fortified ground; the table tells it"),
    ask("cover", "flag", "2018: Cover lies between shooter and target; the table tells it"),
    ask("faces", "dice", "the die of a charge or retreat; the companion rolls where left out"),
    ask("dangerous", "flag", "it acts on, or moves onto, Dangerous ground; the table tells it"),
    ask("d3", "number", "the D3 for Dangerous ground"),
    ask("into_melee", "list", "friends engaged with the target of a shot; known where engaged"),
    ask("dice", "number", "attack dice of a wall's arrows, as its card says"),
    ask("hit", "number", "to-hit value of a wall's arrows, as its card says"),
)


def speed_of(state: State, unit: UnitState) -> int:
    """Its Speed, as far as the mode leaves it (TMG-MODE-DWD-6)."""
    slow = play_of(state).carrier_speed
    if slow is not None and any(token.holder == unit.id for token in state.tokens):
        return slow
    return unit.speed


# -- doing something --------------------------------------------------------------------------


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
def action(deed: Deed, given: Asked) -> Refusal | None:
    """Turn step 3 (TMG-RND-6)."""
    state = deed.state
    what = given.choice("action", (*ACTIONS, "forgo", "arrows"))
    if state.acting is None or state.acting.stage != "choose":
        return no("TMG-RND-6", "no unit waits for its action")
    name = state.acting.unit
    if state.has_ncu(name):
        return no("TMG-NCU-2", "{unit} is an NCU: its only action is to claim a zone", unit=name)
    if state.wall(name):
        return wall_action(deed, name, what, given)
    if what == "arrows":
        return no("TMG-MODE-SOS-18", "only a castle wall shoots arrows")
    if what == "forgo":
        deed.add("acted", unit=name, action="forgo")
        return None
    return perform(deed, state.unit(name), what, given, free=False)


def wall_action(deed: Deed, name: str, what: str, given: Asked) -> Refusal | None:
    """Arrows, or passing (TMG-MODE-SOS-18)."""
    if what == "forgo":
        deed.add("acted", unit=name, action="pass")
        return None
    if what != "arrows":
        return no("TMG-MODE-SOS-18", "a castle wall can only shoot arrows or pass")
    target = deed.state.unit(given.need("target"))
    if target.side == deed.state.active or not target.standing:
        return no("TMG-MODE-SOS-18", "{target} is no enemy on the battlefield", target=target.id)
    dice, hit = given.whole("dice", 0, 30), given.whole("hit", 2, 6)
    deed.add("acted", unit=name, action="arrows")
    declare(
        deed,
        defender=target.id,
        attacker=name,
        by=deed.state.active,
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
def free_action(deed: Deed, given: Asked) -> Refusal | None:
    """A free action, whether the unit was activated or not (TMG-ACT-4, TMG-ACT-5)."""
    name = given.need("unit")
    if deed.state.has_ncu(name):
        return no("TMG-NCU-1", "{unit} is not on the battlefield", unit=name)
    return perform(deed, deed.state.unit(name), given.choice("action", ACTIONS), given, free=True)


def perform(deed: Deed, unit: UnitState, what: str, given: Asked, free: bool) -> Refusal | None:
    """One of the five actions, after all that forbids it."""
    if not unit.standing:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=unit.id)
    if deed.state.attack is not None:
        return no("TMG-ATK-1", "another attack is being resolved")
    if any(task.kind == "charge" for task in deed.state.tasks):
        return no("TMG-CHG-14", "another charge is being resolved")
    return VERBS[what](deed, unit, given, free)


def step_into_danger(deed: Deed, unit: UnitState, given: Asked, moving: bool) -> bool:
    """Dangerous ground: D3+1 wounds; whether the unit survives (TMG-TER-9..11)."""
    state = deed.state
    there = given.maybe("dangerous")
    if there is None:
        there = state.rules.dangerous_acting and bool(pieces_near(state, unit.id, "dangerous", 0.0))
    if not there or not (moving or state.rules.dangerous_acting):
        return True
    d3 = given.whole("d3", 1, 3) if given.has("d3") else deed.dice(1, 3)[0]
    deed.add("dangerous", unit=unit.id, side=unit.side, faces=[d3], what="Dangerous ground")
    suffer(deed, unit.id, d3 + 1, why="Dangerous ground")
    return deed.state.unit(unit.id).standing


def maneuver(deed: Deed, unit: UnitState, given: Asked, free: bool) -> Refusal | None:
    """Pivot, move up to Speed, pivot."""
    if unit.engaged:
        return no(
            "TMG-MAN-1", "{unit} is engaged with {foes}", unit=unit.id, foes=", ".join(unit.engaged)
        )
    reach = speed_of(deed.state, unit)
    note = say('pivot, up to {reach}" forward, pivot', reach=reach)
    if step_into_danger(deed, unit, given, moving=True):
        deed.add("acted", unit=unit.id, action="maneuver", free=free, moves=True, note=note)
    return None


def march(deed: Deed, unit: UnitState, given: Asked, free: bool) -> Refusal | None:
    """Move up to twice Speed, pivot."""
    if unit.engaged:
        return no(
            "TMG-MAR-1", "{unit} is engaged with {foes}", unit=unit.id, foes=", ".join(unit.engaged)
        )
    if play_of(deed.state).carrier_speed is not None and any(
        token.holder == unit.id for token in deed.state.tokens
    ):
        return no(
            "TMG-MODE-DWD-5", "{unit} carries an objective token and may not march", unit=unit.id
        )
    reach = 2 * speed_of(deed.state, unit)
    note = say('up to {reach}" forward, pivot', reach=reach)
    if step_into_danger(deed, unit, given, moving=True):
        deed.add("acted", unit=unit.id, action="march", free=free, moves=True, note=note)
    return None


def retreat(deed: Deed, unit: UnitState, given: Asked, free: bool) -> Refusal | None:
    """Roll a D6 and leave the melee (TMG-RET-2)."""
    if not unit.engaged:
        return no("TMG-RET-1", "{unit} is not engaged", unit=unit.id)
    faces = given.faces()
    if faces is not None and len(faces) != 1:
        return no("TMG-RET-2", "a retreat rolls one D6")
    freed = [
        enemy.id for enemy in deed.state.enemies_engaged(unit) if set(enemy.engaged) == {unit.id}
    ]
    if not step_into_danger(deed, unit, given, moving=True):
        return None
    faces = faces or deed.dice(1)
    reach = speed_of(deed.state, unit) + faces[0]
    deed.add(
        "retreat-rolled", unit=unit.id, side=unit.side, faces=faces, reach=reach, what="retreat"
    )
    deed.add("acted", unit=unit.id, action="retreat", free=free, moves=True)
    if given.maybe("success") is not False:  # TMG-RET-9: no legal move, still engaged
        deed.add("engaged", unit=unit.id, **{"with": []})
        if freed:
            deed.remind(
                say("{units} may make a free pivot at once (TMG-RET-7)", units=", ".join(freed))
            )
    return None


def attack(deed: Deed, unit: UnitState, given: Asked, free: bool) -> Refusal | None:
    """A ranged or a melee attack."""
    ranged = given.maybe("ranged")
    if ranged is None:
        ranged = not unit.engaged and any(one.ranged for one in unit.attacks)
    target = given.need("target")
    weapon = weapon_of(unit, given.text("weapon"), ranged)
    if isinstance(weapon, Refusal):
        return weapon
    if refusal := wrong_target(deed.state, unit, target):
        return refusal
    return (shoot if ranged else fight)(deed, unit, target, given, free)


def arc_of(state: State, attacker: str, target: str, given: Asked) -> str | Refusal:
    """The target's arc: as ticked, else as seen, else front; what is too close is asked for."""
    if given.has("zone"):
        return given.choice("zone", ARCS)
    seen = zone_of(state, attacker, target)
    if seen == "unsure":
        return no(
            "TMG-LOS-8",
            "the arc of {target} is too close to call: say which zone it is",
            target=target,
        )
    return seen or "front"


def wrong_target(state: State, unit: UnitState, target: str) -> Refusal | None:
    """Why something cannot be attacked at all."""
    wall = state.wall(target)
    if wall is not None:
        if state.side(unit.side).role == "defender":
            return no("TMG-MODE-SOS-14", "the defender does not attack his own walls")
        if not wall.standing:
            return no("TMG-MODE-SOS-22", "{unit} is destroyed already", unit=target)
        return None
    if state.has_ncu(target):
        return no("TMG-NCU-1", "{unit} is not on the battlefield", unit=target)
    enemy = state.unit(target)
    if enemy.side == unit.side:
        return no("TMG-GLO-7", "{target} is not an enemy of {unit}", target=target, unit=unit.id)
    if not enemy.standing:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=target)
    return None


def shoot(deed: Deed, unit: UnitState, target: str, given: Asked, free: bool) -> Refusal | None:
    """A ranged attack, into a melee if need be."""
    state = deed.state
    if unit.engaged:
        return no("TMG-RNG-2", "{unit} is engaged and may not shoot", unit=unit.id)
    if state.wall(target):
        return no("TMG-MODE-SOS-14", "castle walls are attacked with melee attacks only")
    weapon = weapon_of(unit, given.text("weapon"), ranged=True)
    assert not isinstance(weapon, Refusal)
    sight = shot_seen(state, unit.id, target)
    if sight is not None and sight.answer.verdict == "no":
        why = sight.answer.why or ("TMG-RNG-7",)
        return no(
            why[0],
            "{unit} cannot shoot at {target}: {reasons}",
            unit=unit.id,
            target=target,
            reasons=told(why, missed_in(sight.answer)),
        )
    zone = arc_of(state, unit.id, target, given)
    if isinstance(zone, Refusal):
        return zone
    mods: list[Mod] = []
    covered = given.maybe("cover")
    if covered is None:
        covered = sight is not None and "cover" in sight.effects
    if covered and dice_rules(state.year).cover_defense:
        mods.append(("cover", dice_rules(state.year).cover_defense))
    friends = given.texts("into_melee") or tuple(
        one.id for one in state.enemies_engaged(state.unit(target)) if one.side == unit.side
    )
    for name in friends:
        state.unit(name)
    if step_into_danger(deed, unit, given, moving=False):
        deed.add("acted", unit=unit.id, action="attack", free=free, note="ranged")
        begin(
            deed,
            unit,
            target,
            weapon,
            zone=zone,
            free=free,
            defense_mods=tuple(mods),
            friends=friends,
        )
    return None


def fight(deed: Deed, unit: UnitState, target: str, given: Asked, free: bool) -> Refusal | None:
    """A melee attack on an enemy in contact."""
    state = deed.state
    weapon = weapon_of(unit, given.text("weapon"), ranged=False)
    assert not isinstance(weapon, Refusal)
    if state.wall(target) is None and target not in unit.engaged:
        return no("TMG-MEL-1", "{unit} is not engaged with {target}", unit=unit.id, target=target)
    zone = arc_of(state, unit.id, target, given)
    if isinstance(zone, Refusal):
        return zone
    if step_into_danger(deed, unit, given, moving=False):
        deed.add("acted", unit=unit.id, action="attack", free=free, note="melee")
        begin(deed, unit, target, weapon, zone=zone, free=free)
    return None


def missed_in(answer: Answer) -> float:
    """By how many inches a limit was missed, where one rule alone forbids it."""
    return -(answer.margin_in or 0.0) if len(answer.why) == 1 else 0.0


# -- the charge -------------------------------------------------------------------------------


def charge(deed: Deed, unit: UnitState, given: Asked, free: bool) -> Refusal | None:
    """Arc, pivot, roll, move, align, attack: one and the same move (TMG-CHG-5)."""
    state = deed.state
    target = given.need("target")
    if unit.engaged:
        return no(
            "TMG-CHG-1", "{unit} is engaged with {foes}", unit=unit.id, foes=", ".join(unit.engaged)
        )
    weapon = weapon_of(unit, given.text("weapon"), ranged=False)
    if isinstance(weapon, Refusal):
        return weapon
    if refusal := wrong_target(state, unit, target):
        return refusal
    sight = charge_seen(state, unit.id, target)
    if sight is not None and sight.answer.verdict == "no":
        why = sight.answer.why or ("TMG-CHG-4",)
        return no(
            why[0],
            "{unit} cannot charge {target}: {reasons}",
            unit=unit.id,
            target=target,
            reasons=told((*why, *unseen(state, unit.id, target)), missed_in(sight.answer)),
        )
    effects = sight.effects if sight is not None else ()
    hindering = given.flag("hindering", "hindering" in effects)
    fortified = given.flag("fortified", "fortified" in effects)
    distance = given.number("distance", 0, 100)
    if distance is None and sight is not None:
        distance = sight.distance_in
    speed = speed_of(state, unit)
    if distance is not None and distance > speed + 6 + 1e-6:
        return no(
            "TMG-CHG-4",
            '{target} is {distance:g}" away, beyond {speed} + 6',
            target=target,
            distance=distance,
            speed=speed,
        )
    wanted = charge_dice(state.year, hindering)
    faces = given.faces()
    if faces is not None and len(faces) != wanted:
        return no("TMG-CHG-11", "this charge rolls {wanted} D6", wanted=wanted)
    zone = arc_of(state, unit.id, target, given)
    if isinstance(zone, Refusal):
        return zone
    if not step_into_danger(deed, unit, given, moving=True):
        return None
    deed.add(
        "acted",
        unit=unit.id,
        action="charge",
        free=free,
        moves=True,
        note=say("at {target}", target=target),
    )
    faces = faces or deed.dice(wanted)
    result = roll_charge(faces, distance or 0.0, speed, state.year, hindering)
    deed.add(
        "charge-rolled",
        unit=unit.id,
        side=unit.side,
        target=target,
        faces=faces,
        reach=result.reach_in,
        disorderly=result.disorderly,
        until=state.rules.cards_barred_until,
        what="charge",
    )
    kept = not result.disorderly and not (
        hindering and dice_rules(state.year).hindering_takes_bonus
    )
    success = given.maybe("success")
    doubt = 0.0 if sight is None or given.has("distance") else SURE_SIGMAS * sight.sigma_in
    if success is None and distance is not None:
        success = result.success if abs(result.reach_in - distance) >= doubt else None
    made = [unit.id, target, weapon.name, zone, kept, fortified, free]
    if success is not None:
        end_charge(deed, made, success)
        return None
    wait(
        deed,
        "charge",
        say(
            '{unit} moves up to {reach:g}": does it contact {target}?',
            unit=unit.id,
            reach=result.reach_in,
            target=target,
        ),
        side=unit.side,
        unit=unit.id,
        other=json.dumps(made),
        commands=("charge-result",),
    )
    return None


def end_charge(deed: Deed, made: list[Any], success: bool) -> None:
    """Contact and the attack, or a failed charge and its panic test."""
    name, target, weapon_name, zone, bonus, fortified, free = made
    deed.add("charge-ended", unit=name, target=target, success=success)
    unit = deed.state.unit(name)
    if not success:
        queue_test(deed, unit.id, "failed charge (TMG-CHG-23)", after="charge")
        return
    weapon = weapon_of(unit, weapon_name, ranged=False)
    assert not isinstance(weapon, Refusal)
    mods: tuple[Mod, ...] = (("fortified", 1),) if fortified else ()  # TMG-TER-5
    begin(
        deed,
        unit,
        target,
        weapon,
        zone=zone,
        charge=True,
        bonus=bonus,
        free=free,
        defense_mods=mods,
    )


@command(
    "charge-result",
    "say whether the charge that was rolled made contact",
    ask("success", "flag", "whether it touched its target", required=True),
    phases=EVERYWHERE,
    busy=True,
)
def charge_result(deed: Deed, given: Asked) -> Refusal | None:
    """The players look at the table."""
    task = next((one for one in deed.state.tasks if one.kind == "charge"), None)
    if task is None:
        return no("TMG-CHG-14", "no charge waits for its result")
    success = given.field("success").flag()
    deed.add("task-done", task=task.id, say="the players say how the charge ended")
    end_charge(deed, json.loads(task.other), success)
    return None


VERBS = {
    "maneuver": maneuver,
    "march": march,
    "retreat": retreat,
    "attack": attack,
    "charge": charge,
}

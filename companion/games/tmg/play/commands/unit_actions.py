"""The actions of a unit except the charge: maneuver, march, retreat, and attacks."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.play.context import (
    CommandContext,
    CommandFields,
    ask,
    interrupt,
    no,
    unsure,
    waiting,
)
from companion.games.tmg.play.events import field_events, fight_events, flow_events
from companion.games.tmg.play.flow.attacks import begin, fellows, weapon_of
from companion.games.tmg.play.flow.casualties import wait
from companion.games.tmg.play.flow.terrain_costs import acting_refused, acts_on_danger, break_piece
from companion.games.tmg.play.state.contacts import wall_refused
from companion.games.tmg.play.state.game_state import MAYBE_TURNED, GameState, Mod, PendingTask
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.table_facts import (
    ARC_ZONES,
    SURELY,
    covered,
    may_shift,
    may_turn,
    melee_zone,
    retreat_seen,
    shot_left,
    shot_seen,
    speed_of,
    zone_of,
)
from companion.games.tmg.play.state.unit_state import UnitState, listed
from companion.games.tmg.report_text import reasons_text
from companion.games.tmg.rules.combat.dice import dice_rules
from companion.games.tmg.rules.report import Shot
from companion.geometry.plane.answer import Answer
from models import Attack
from models.message import say


def engaged_refused(unit: UnitState, rule: str) -> Refusal | None:
    foes = ", ".join(unit.engaged)
    return no(rule, "{unit} is engaged with {foes}", unit=unit.id, foes=foes) if foes else None


def maneuver(
    context: CommandContext, unit: UnitState, given: CommandFields, free: bool
) -> Refusal | None:
    """Pivot, move up to Speed, pivot."""
    if refusal := engaged_refused(unit, "TMG-MAN-1"):
        return refusal
    note = say('pivot, up to {reach}" forward, pivot', reach=speed_of(context.state, unit))
    return only_move(context, unit, given, free, "maneuver", note)


def march(
    context: CommandContext, unit: UnitState, given: CommandFields, free: bool
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
    context: CommandContext,
    unit: UnitState,
    given: CommandFields,
    free: bool,
    action: str,
    note: str,
) -> Refusal | None:
    """An action that is nothing but a move; Dangerous ground may wound the unit first."""
    if refusal := acting_refused(context.state, unit.id, given):
        return refusal
    if acts_on_danger(context, unit, given, moving=True):
        settled = given.has("dangerous")
        context.add(
            field_events.acted,
            unit=unit.id,
            action=action,
            free=free,
            moves=True,
            settled=settled,
            note=note,
        )
    return None


def retreat(
    context: CommandContext, unit: UnitState, given: CommandFields, free: bool
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
        fight_events.retreat_rolled,
        unit=unit.id,
        side=unit.side,
        faces=faces,
        reach=reach,
        what="retreat",
    )
    leaves = given.maybe("success")
    if leaves is None:
        way = retreat_seen(state, unit.id, reach)
        leaves = True if way is None else SURELY[way.verdict]
        if way is None:
            told = say(
                "nobody has measured whether {unit} has a way out of the melee (TMG-RET-9)",
                unit=unit.id,
            )
            context.remind(told)
    settled = given.has("dangerous")
    if leaves is None:
        context.add(field_events.acted, unit=unit.id, action="retreat", free=free)
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
            other=json.dumps([freed, settled, reach]),
            commands=("retreat-result",),
        )
        return None
    context.add(
        field_events.acted,
        unit=unit.id,
        action="retreat",
        free=free,
        moves=leaves,
        settled=settled,
        reach=reach,
    )
    end_retreat(context, unit.id, freed, leaves)
    return None


def end_retreat(context: CommandContext, unit: str, freed: list[str], leaves: bool) -> None:
    """The unit leaves the melee, or finds no way out of it (TMG-RET-7, TMG-RET-9)."""
    if not leaves:
        context.remind(say("no way out: {unit} stays engaged (TMG-RET-9)", unit=unit))
        return
    context.add(field_events.engaged, unit=unit, may_turn=freed, with_=[])
    if freed:
        context.remind(
            say(
                "once {unit} has moved, {units} may make a free pivot (TMG-RET-7)",
                unit=unit,
                units=", ".join(freed),
            )
        )


@interrupt(
    "retreat-result",
    "say whether the retreat that was rolled found a way out",
    ask("success", "flag", "whether the unit leaves the melee", required=True),
    of=waiting(no("TMG-RET-9", "no retreat waits for its result"), "retreat"),
)
def retreat_result(
    context: CommandContext, given: CommandFields, task: PendingTask
) -> Refusal | None:
    """The players say whether the retreat succeeded (TMG-RET-9)."""
    leaves = given.field("success").flag()
    freed, settled, *rolled = json.loads(task.other)  # older logs: without the reach
    context.add(flow_events.task_done, task=task.id, say_="the players say how the retreat ended")
    if leaves:
        reach = rolled[0] if rolled else 0.0
        context.add(field_events.retreated, unit=task.unit, settled=settled, reach=reach)
    end_retreat(context, task.unit, freed, leaves)
    return None


ARCS = ("front", "flank", "rear")


def attack(
    context: CommandContext, unit: UnitState, given: CommandFields, free: bool
) -> Refusal | None:
    """A ranged or a melee attack."""
    if given.has("piece"):
        return break_piece(context, unit, given.need("piece"), given, free)
    ranged = given.maybe("ranged")
    if ranged is None:
        ranged = not unit.engaged and any(one.ranged for one in unit.attacks)
    target = given.need("target")
    if refusal := wrong_target(context.state, unit, target):
        return refusal
    sight = shot_seen(context.state, unit.id, target) if ranged else None
    reaching = sight.attack if sight is not None else None
    weapon = weapon_of(unit, given.text("weapon") or reaching or "", ranged)
    if isinstance(weapon, Refusal):
        return weapon
    return (shoot if ranged else fight)(context, unit, target, weapon, given, free)


def arc_of(
    state: GameState, attacker: str, target: str, given: CommandFields, known: str | None = None
) -> str | Refusal:
    """The target's arc: as the players say, else as known or measured, else front; if it is too
    close to call, a question.

    `known` takes precedence over where the attacker stands: the edge in contact in melee (OR-7), or
    the position after the shift of a shot (TMG-RNG-5).
    """
    if given.has("zone"):
        return given.choice("zone", ARCS)
    seen = known or zone_of(state, attacker, target)
    if seen == MAYBE_TURNED:
        return unsure(
            "zone",
            "TMG-MEL-3",
            "{target} may have turned to {unit}: say which zone it is",
            target=target,
            unit=attacker,
        )
    if seen == "unsure":
        return unsure(
            "zone",
            "TMG-LOS-8",
            "the arc of {target} is too close to call: say which zone it is",
            target=target,
        )
    return seen or "front"


def remind_of_arc(context: CommandContext, target: str, given: CommandFields, known: bool) -> None:
    """Say that an attack counts as from the front where nobody told its arc (TMG-BON-3..6)."""
    if known or given.has("zone"):
        return
    context.remind(
        say(
            "nobody said from which zone {target} is attacked: it counts as the front (TMG-BON-3)",
            target=target,
        )
    )


def wrong_target(state: GameState, unit: UnitState, target: str) -> Refusal | None:
    """Why this target cannot be attacked at all."""
    wall = state.wall(target)
    if wall is not None:
        return wall_refused(state, unit, target)
    if state.has_ncu(target):
        return no("TMG-NCU-1", "{unit} is not on the battlefield", unit=target)
    enemy = state.unit(target)
    if enemy.side == unit.side:
        return no("TMG-GLO-7", "{target} is not an enemy of {unit}", target=target, unit=unit.id)
    if not enemy.standing:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=target)
    return None


def friends_at(state: GameState, unit: UnitState, target: str) -> tuple[str, ...]:
    """The units of its side in the melee into which a unit shoots (TMG-SIM-2)."""
    foes = state.enemies_engaged(state.unit(target))
    return tuple(one.id for one in foes if one.side == unit.side)


def shoot(
    context: CommandContext,
    unit: UnitState,
    target: str,
    weapon: Attack,
    given: CommandFields,
    free: bool,
) -> Refusal | None:
    """A ranged attack, also into a melee."""
    state = context.state
    if unit.engaged:
        return no("TMG-RNG-2", "{unit} is engaged and may not shoot", unit=unit.id)
    if state.wall(target):
        return no("TMG-MODE-SOS-14", "castle walls are attacked with melee attacks only")
    shot = aimed(state, unit, target, given, shot_seen(state, unit.id, target, weapon.name))
    if isinstance(shot, Refusal):
        return shot
    if refusal := acting_refused(state, unit.id, given):
        return refusal
    if acts_on_danger(context, unit, given, moving=False):
        settled = given.has("dangerous")
        context.add(
            field_events.acted,
            unit=unit.id,
            action="attack",
            free=free,
            move="shift",
            settled=settled,
            note="ranged",
        )
        begin(
            context,
            unit,
            target,
            weapon,
            zone=shot.zone,
            free=free,
            defense_mods=shot.mods,
            friends=shot.friends,
        )
        matters = dice_rules(state.year).zones_help_shots
        known = shot_seen(state, unit.id, target, weapon.name) or zone_of(state, unit.id, target)
        remind_of_arc(context, target, given, known is not None or not matters)
    return None


@dataclass(frozen=True, slots=True)
class AimedShot:
    """What a shot at a target is like: the arc it comes from, Cover, the friends in its melee."""

    zone: str
    mods: tuple[Mod, ...]
    friends: tuple[str, ...]


def aimed(
    state: GameState, unit: UnitState, target: str, given: CommandFields, sight: Shot | None
) -> AimedShot | Refusal:
    """A shot at a target as the table shows it and the players say."""
    if sight is not None and sight.answer.verdict == "no":
        why = sight.answer.why or ("TMG-RNG-7",)
        return no(
            why[0],
            "{unit} cannot shoot at {target}: {reasons}",
            unit=unit.id,
            target=target,
            reasons=reasons_text(why, missed_in(sight.answer)),
        )
    known = ARC_ZONES.get(sight.zone.arc, "unsure") if sight is not None else None
    if known == "unsure" and not dice_rules(state.year).zones_help_shots:
        known = "front"  # the arc does not matter
    zone = arc_of(state, unit.id, target, given, known)
    if isinstance(zone, Refusal):
        return zone
    mods: list[Mod] = []
    hidden = given.maybe("cover")
    if hidden is None and sight is not None:
        hidden = covered(state, unit.id, target, sight)
        if hidden is None:
            return unsure(
                "cover",
                "TMG-TER-6",
                "whether Cover lies between {unit} and {target} is too close to call:"
                " say it with 'cover'",
                unit=unit.id,
                target=target,
            )
    if hidden and dice_rules(state.year).cover_defense:
        mods.append(("cover", dice_rules(state.year).cover_defense))
    friends = given.texts("into_melee") or friends_at(state, unit, target)
    for name in friends:
        state.unit(name)
    return AimedShot(zone, tuple(mods), friends)


@interrupt(
    "aim",
    "choose the target of a shot after the shift, before its dice",
    ask("target", "unit", "whom it attacks or charges", required=True),
    ask("zone", "word", "the target's arc it attacks from; the table tells it", options=ARCS),
    ask("cover", "flag", "2018: Cover lies between shooter and target; the table tells it"),
    ask("into_melee", "list", "friends engaged with the target of a shot; known where engaged"),
)
def aim(context: CommandContext, given: CommandFields) -> Refusal | None:
    """After its shift a unit chooses the enemy that it shoots at (TMG-RNG-7)."""
    state, now = context.state, context.state.attack
    if now is None or not now.to_shoot or not state.has_unit(now.attacker):
        return no("TMG-RNG-7", "no shot waits for its dice")
    unit, target = state.unit(now.attacker), given.need("target")
    if refusal := wrong_target(state, unit, target):
        return refusal
    shot = aimed(state, unit, target, given, shot_left(state, replace(now, defender=target)))
    if isinstance(shot, Refusal):
        return shot
    context.add(
        fight_events.aimed,
        attacker=unit.id,
        defender=target,
        zone=shot.zone,
        mods=listed(shot.mods),
        friends=list(shot.friends),
        companions=list(fellows(state, unit.id, target)),
    )
    return None


def fight(
    context: CommandContext,
    unit: UnitState,
    target: str,
    weapon: Attack,
    given: CommandFields,
    free: bool,
) -> Refusal | None:
    """A melee attack on an enemy in contact."""
    state = context.state
    if target not in unit.engaged:
        return no("TMG-MEL-1", "{unit} is not engaged with {target}", unit=unit.id, target=target)
    if refusal := acting_refused(state, unit.id, given):
        return refusal
    turns = given.maybe("turned")
    if turns and len(unit.engaged) != 1:
        return no("TMG-MEL-4", "{unit} is engaged from several sides", unit=unit.id)
    zone = arc_of(state, unit.id, target, given, melee_zone(state, unit.id, target))
    if isinstance(zone, Refusal):
        return zone
    if acts_on_danger(context, unit, given, moving=False):
        shift: dict[str, Any] = {}
        if not turns and may_shift(state, unit.id):  # TMG-MEL-5
            shift = {"move": "align"}
        context.add(
            field_events.acted, unit=unit.id, action="attack", free=free, note="melee", **shift
        )
        if turns:
            context.add(field_events.turned, unit=unit.id, target=target)
        elif turns is None and may_turn(state, unit.id):
            context.add(field_events.may_have_turned, unit=unit.id, target=target)
            context.remind(
                say(
                    "{unit} may first turn its front to {target} and align (TMG-MEL-3, TMG-MEL-5)",
                    unit=unit.id,
                    target=target,
                )
            )
        known = melee_zone(state, unit.id, target) or zone_of(state, unit.id, target)
        begin(context, unit, target, weapon, zone=zone, free=free)
        remind_of_arc(context, target, given, known is not None or state.wall(target) is not None)
    return None


def missed_in(answer: Answer) -> float:
    """By how many inches a limit was missed, if a single rule forbids the attack."""
    return -(answer.margin_in or 0.0) if len(answer.why) == 1 else 0.0

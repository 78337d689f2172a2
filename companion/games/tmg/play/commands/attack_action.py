"""The attack action: a ranged attack, or a melee attack on an engaged enemy."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.command_context import (
    CommandArgs,
    CommandContext,
    no,
    unsure,
)
from companion.games.tmg.play.flow.attacks import begin, weapon_of
from companion.games.tmg.play.flow.terrain_costs import acting_refused, acts_on_danger, break_piece
from companion.games.tmg.play.state.contacts import wall_refused
from companion.games.tmg.play.state.game_state import GameState, Mod
from companion.games.tmg.play.state.table_facts import (
    ARC_ZONES,
    covered,
    may_turn,
    melee_zone,
    shot_seen,
    zone_of,
)
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.combat.dice import dice_rules
from companion.games.tmg.rules.reasons import reasons_text
from companion.geometry.plane.answer import Answer
from models import Attack
from models.lazy_message import say

ARCS = ("front", "flank", "rear")


def attack(
    context: CommandContext, unit: UnitState, given: CommandArgs, free: bool
) -> Refusal | None:
    """A ranged or a melee attack."""
    if given.has("piece"):
        return break_piece(context, unit, given.need("piece"), given, free)
    ranged = given.maybe("ranged")
    if ranged is None:
        ranged = not unit.engaged and any(one.ranged for one in unit.attacks)
    target = given.need("target")
    weapon = weapon_of(unit, given.text("weapon"), ranged)
    if isinstance(weapon, Refusal):
        return weapon
    if refusal := wrong_target(context.state, unit, target):
        return refusal
    return (shoot if ranged else fight)(context, unit, target, weapon, given, free)


def arc_of(
    state: GameState, attacker: str, target: str, given: CommandArgs, known: str | None = None
) -> str | Refusal:
    """The target's arc: as the players say, else as known or measured, else front; if it is too
    close to call, a question.

    `known` takes precedence over where the attacker stands: the edge in contact in melee (OR-7), or
    the position after the shift of a shot (TMG-RNG-5).
    """
    if given.has("zone"):
        return given.choice("zone", ARCS)
    seen = known or zone_of(state, attacker, target)
    if seen == "unsure":
        return unsure(
            "zone",
            "TMG-LOS-8",
            "the arc of {target} is too close to call: say which zone it is",
            target=target,
        )
    return seen or "front"


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


def shoot(
    context: CommandContext,
    unit: UnitState,
    target: str,
    weapon: Attack,
    given: CommandArgs,
    free: bool,
) -> Refusal | None:
    """A ranged attack, also into a melee."""
    state = context.state
    if unit.engaged:
        return no("TMG-RNG-2", "{unit} is engaged and may not shoot", unit=unit.id)
    if state.wall(target):
        return no("TMG-MODE-SOS-14", "castle walls are attacked with melee attacks only")
    sight = shot_seen(state, unit.id, target)
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
    friends = given.texts("into_melee") or tuple(
        one.id for one in state.enemies_engaged(state.unit(target)) if one.side == unit.side
    )
    for name in friends:
        state.unit(name)
    if refusal := acting_refused(state, unit.id, given):
        return refusal
    if acts_on_danger(context, unit, given, moving=False):
        settled = given.has("dangerous")
        context.add(
            "acted",
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
            zone=zone,
            free=free,
            defense_mods=tuple(mods),
            friends=friends,
        )
    return None


def fight(
    context: CommandContext,
    unit: UnitState,
    target: str,
    weapon: Attack,
    given: CommandArgs,
    free: bool,
) -> Refusal | None:
    """A melee attack on an enemy in contact."""
    state = context.state
    if target not in unit.engaged:
        return no("TMG-MEL-1", "{unit} is not engaged with {target}", unit=unit.id, target=target)
    if refusal := acting_refused(state, unit.id, given):
        return refusal
    turns = given.flag("turned")
    if turns and len(unit.engaged) != 1:
        return no("TMG-MEL-4", "{unit} is engaged from several sides", unit=unit.id)
    zone = arc_of(state, unit.id, target, given, melee_zone(state, unit.id, target))
    if isinstance(zone, Refusal):
        return zone
    if acts_on_danger(context, unit, given, moving=False):
        context.add("acted", unit=unit.id, action="attack", free=free, note="melee")
        if turns:
            context.add("turned", unit=unit.id, target=target)
        elif may_turn(state, unit.id):
            context.remind(
                say(
                    "{unit} may first turn its front to {target} and align (TMG-MEL-3, TMG-MEL-5)",
                    unit=unit.id,
                    target=target,
                )
            )
        begin(context, unit, target, weapon, zone=zone, free=free)
    return None


def missed_in(answer: Answer) -> float:
    """By how many inches a limit was missed, if a single rule forbids the attack."""
    return -(answer.margin_in or 0.0) if len(answer.why) == 1 else 0.0

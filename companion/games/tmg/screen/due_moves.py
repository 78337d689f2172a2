"""Moves that the game has decided while the table still shows the trays where they were."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.api.prompt import ActionOffer, TrayEnd
from companion.games.tmg.play.commands.charge_action import led_on
from companion.games.tmg.play.commands.laid_pieces import held_pieces
from companion.games.tmg.play.names import GameNames, names_of
from companion.games.tmg.play.state.game_state import (
    SET_UP,
    DeclaredMove,
    GameState,
    PendingTask,
    table_of,
)
from companion.games.tmg.play.state.table_facts import (
    ARC_ZONES,
    aimed_from,
    current_table,
    melee_of,
    retreat_ground,
    shifts_of,
    shot_with,
    survey,
    touched_now,
)
from companion.games.tmg.rules.charge.charge_end import (
    OtherContact,
    others,
    settled_places,
)
from companion.games.tmg.rules.charge.charge_move import ChargeMove
from companion.games.tmg.rules.charge.charge_route import SAME_IN
from companion.games.tmg.rules.combat.dice import ChargeRoll
from companion.games.tmg.rules.combat.melee import MeleeOption
from companion.games.tmg.rules.movement.move_costs import move_costs
from companion.games.tmg.rules.movement.moves import hidden_way_out, retreat_lanes
from companion.games.tmg.rules.report import Placement
from companion.games.tmg.rules.rulebook import CONTACT_IN, SHIFT_IN
from companion.games.tmg.rules.survey import Survey
from models import Pose
from models.frozen_records import IdentityCache
from models.message import joined, say
from models.unit import Point, trays_overlap

AXES = (0.0, 90.0, 180.0, 270.0)
SAME_DEG = 0.05
"""A turn by less is none."""


def due_moves(state: GameState) -> tuple[ActionOffer, ...]:
    """The declared moves of units that stand on the newest table, in order."""
    if not state.table:
        return ()
    names, table = names_of(state), table_of(state.table)
    held = [held_offer(state, names, task, shape.id) for task, shape in held_pieces(state)]
    found = (
        offer_of(state, names, one)
        for one in state.declared
        if one.unit not in state.hidden
        and (one.unit in table and is_due(state, one) or one.action == "terrain")
    )
    return (*held, *(one for one in found if one.kind != "align" or one.ends))


def held_offer(state: GameState, names: GameNames, task: PendingTask, piece: str) -> ActionOffer:
    """A token or Corpse Pile that is laid down during the game (TMG-MODE-DWD-9, FFC-14)."""
    what = held_name(names, task)
    text: str = say("To be placed: {piece}", piece=what)
    if task.side:
        text = say("{name} places {piece}", name=names.of(task.side), piece=what)
    how, round_ = say("Drag it to where it should lie."), task.kind == "token"
    return ActionOffer("terrain", text, (), piece, detail=how, moves=True, keeps_facing=round_)


def held_name(names: GameNames, task: PendingTask) -> str:
    """What players hold, by name."""
    return names.of(task.other) if task.kind == "token" else say("a corpse pile")


def held_names(state: GameState) -> dict[str, str]:
    """The names of the pieces that no table shows yet."""
    names = names_of(state)
    return {shape.id: held_name(names, task) for task, shape in held_pieces(state)}


def putting_down(state: GameState) -> tuple[str, ...]:
    """The sides that still put a tray or a piece of terrain down in the set-up (SET-7, DEP-3)."""
    due = [one for one in state.declared if one.action in ("deploy", "terrain")]
    sides = (
        one.target if one.action == "terrain" else state.unit(one.unit).side
        for one in due
        if one.action == "terrain" or state.has_unit(one.unit)
    )
    return tuple(dict.fromkeys(sides)) if state.phase == SET_UP else ()


def is_due(state: GameState, move: DeclaredMove) -> bool:
    """Whether it is still to be made: a shift only before the dice of its attack (TMG-RNG-5), an
    enemy only as long as it touches the charger (TMG-CHG-20)."""
    if not state.has_unit(move.unit) or not state.unit(move.unit).standing:
        return False
    if move.action == "beside":
        return made_way(state, move) is not None
    if move.action not in ("shift", "align"):
        return True
    now = state.attack
    return now is not None and now.attacker == move.unit and now.stage == "attack-dice"


def offer_of(state: GameState, names: GameNames, move: DeclaredMove) -> ActionOffer:
    """The move as an offer of its unit."""
    if move.action == "terrain":
        told = {"name": names.of(move.target), "piece": names.of(move.unit)}
        text, how = say("{name} places {piece}", **told), say("Drag it to where it should lie.")
        return ActionOffer("terrain", text, (), move.unit, detail=how, moves=True)
    unit, foes = names.of(move.unit), state.unit(move.unit).engaged
    reach = move.reach or None
    if move.action == "retreat":
        return retreat_offer(state, names, move)
    if foes and move.action in ("pivot", "align"):
        return melee_offer(state, names, move)
    if move.action == "pivot":
        text, reach = say("{unit} may make a free pivot", unit=unit), 0.0
    elif move.action == "shift":
        if (offer := needed_shift(state, names, move)) is not None:
            return offer
        text = say("{unit} may shift up to 2″ first", unit=unit)
    elif move.action == "enter":
        text = say("{unit} comes in: put its tray down", unit=unit)
    elif move.action == "deploy":
        text = say("{unit}: put the tray down in its zone", unit=unit)
    elif move.action == "charge":
        return charge_offer(state, names, move)
    elif move.action == "back":
        target = names.of(move.target)
        text = say(
            "{unit} moves back: its charge falls short of {target}", unit=unit, target=target
        )
    elif move.action == "beside":
        return beside_offer(state, names, move)
    elif move.action == "off":
        target = names.of(move.target)
        text = say("{unit} moves 1″ off {target}: where to?", unit=unit, target=target)
    else:
        text = say("{unit}: {action}", unit=unit, action=say(move.action))
    shifts = move.action == "shift"
    lies: str = say("It lies where the nearest place is.") if move.action == "off" else ""
    return ActionOffer(
        move.action,
        text,
        (),
        move.unit,
        move.target,
        detail=lies,
        moves=True,
        reach=reach,
        lines=AXES if shifts else (),  # TMG-MOV-5
        keeps_facing=shifts or move.action == "off",  # TMG-MOV-6
    )


def needed_shift(state: GameState, names: GameNames, move: DeclaredMove) -> ActionOffer | None:
    """A shift without which the target is out of range or sight, with the shortest one; None if
    it may shoot from where it stands (TMG-RNG-4, -7)."""
    now = state.attack
    shot = aimed_from(state, now) if now is not None and now.attacker == move.unit else None
    if now is None or shot is None or shot.answer.verdict != "no":
        return None
    found = shot_with(state, move.unit, now.defender, now.weapon, move.unit)
    if found is None or not any(found.shift):
        return None
    ahead, left = found.shift
    long = math.hypot(ahead, left)
    far = min(SHIFT_IN, math.ceil(100 * long) / 100)  # a hair farther: a finger is no finer
    there = table_of(state.table).unit(move.unit).pose
    there = there.shifted(ahead * far / long, left * far / long)
    way = "forward" if ahead > 0 else "back" if ahead < 0 else "left" if left > 0 else "right"
    end = say(SHIFTS[way], inches=far)
    target = names.of(now.defender)
    told = say("{unit} must shift first", unit=names.of(move.unit))
    why = say("{target} is out of range or sight from where it stands.", target=target)
    return ActionOffer(
        "aim",
        told,
        (),
        move.unit,
        move.target,
        detail=why,
        moves=True,
        lines=AXES,
        keeps_facing=True,
        ends=(TrayEnd(end, ((move.unit, there),)),),
        rules=("TMG-RNG-7",),
    )


SHIFTS = {
    "forward": str(say("{inches:g}″ forward")),
    "back": str(say("{inches:g}″ back")),
    "left": str(say("{inches:g}″ to its left")),
    "right": str(say("{inches:g}″ to its right")),
}


def retreat_offer(state: GameState, names: GameNames, move: DeclaredMove) -> ActionOffer:
    """A retreat that was rolled; where it needs a pivot or a narrow gap, with where it may end."""
    text = say("{unit} retreats up to {reach:g}″", unit=names.of(move.unit), reach=move.reach)
    offer = ActionOffer(
        "retreat",
        text,
        (),
        move.unit,
        move.target,
        moves=True,
        reach=move.reach or None,
        lines=AXES,  # TMG-RET-3, -4
        lanes=LANES(state, move.unit, move.reach) if move.reach else (),
        rules=("TMG-RET-6",),
    )
    end = HIDDEN_WAYS(state, move.unit, move.reach) if move.reach else None
    if end is None:
        return offer
    here = table_of(state.table).unit(move.unit).pose
    turned = abs((end.heading - here.heading + 180) % 360 - 180)
    told = {"inches": math.dist((end.x, end.y), (here.x, here.y)), "turn": turned}
    place: str = say("{inches:.1f}″ straight, without a pivot", **told)
    if turned > SAME_DEG:
        place = say("{inches:.1f}″ straight, then a pivot by {turn:.0f}°", **told)
    only = say("Hardly any place is legal: one is shown on the map.")
    costs = move_costs(retreat_ground(state, move.unit).battlefield, move.unit, end, "retreat")
    if pieces := joined(names.of(one.piece) for one in costs.dangers):  # TMG-TER-10
        place = joined((place, say("wounds by {pieces}", pieces=pieces)))
    return replace(offer, ends=(TrayEnd(place, ((move.unit, end),)),), detail=only)


def hidden_way(state: GameState, unit: str, reach: float) -> Pose | None:
    """Where a retreat may end that is hard to find (TMG-RET-9)."""
    field = retreat_ground(state, unit).battlefield
    if unit not in field.index or field.unengaged[field.index[unit]]:
        return None
    return hidden_way_out(field, field.index[unit], reach)


HIDDEN_WAYS = IdentityCache(hidden_way)


def lanes(state: GameState, unit: str, reach: float) -> tuple[tuple[Point, ...], ...]:
    """What the tray of a retreat may cover in the end, straight along its axes."""
    field = retreat_ground(state, unit).battlefield
    found = unit in field.index and not field.unengaged[field.index[unit]]
    return tuple(retreat_lanes(field, field.index[unit], reach)) if found else ()


LANES = IdentityCache(lanes)


def melee_offer(state: GameState, names: GameNames, move: DeclaredMove) -> ActionOffer:
    """A unit that turns to its only enemy before it attacks (TMG-MEL-3), or that may shift along
    one (TMG-MEL-5), with where it may then stand."""
    aligns, foe = move.action == "align", state.unit(move.unit).engaged[0]
    if aligns and state.attack is not None:
        foe = state.attack.defender
    told = {"unit": names.of(move.unit), "target": names.of(foe)}
    if aligns:
        kind, text = "align", say("{unit} may shift along {target} first", **told)
    else:
        kind, text = "turn", say("{unit} turns its front to {target}", **told)
    ends = melee_ends(state, move.unit, turned=kind == "turn")
    return ActionOffer(
        kind, text, (), move.unit, move.target, moves=True, ends=ends, rules=("TMG-MEL-5",)
    )


def melee_ends(state: GameState, unit: str, turned: bool) -> tuple[TrayEnd, ...]:
    """The places from which a unit may fight, once it has turned or shifted; none on which a tray
    lies that is still to be moved."""
    found, table = survey(state, unit), current_table(state)
    if unit not in found.battlefield.index:
        return ()
    own, lying = table.unit(unit), [one for one in table.units if one.id != unit]
    stances = shifts_of(found, unit)
    if turned:
        every = (one for one in melee_of(found, unit).stances if one.turned)
        stances = tuple(sorted(every, key=lambda one: -(one.share or 0.0)))
    return tuple(
        TrayEnd(
            stance_text(one, found.battlefield.table.unit(one.target).pose),
            ((unit, one.placement.pose),),
        )
        for one in stances
        if not any(trays_overlap(own.at(one.placement.pose), other) for other in lying)
    )


def stance_text(stance: MeleeOption, foe: Pose) -> str:
    """How a unit stands that has turned (TMG-MEL-5)."""
    if stance.share is None:
        return say("as near as possible to where it stood")
    return say(IN_MELEE[side_of(stance.placement, foe)], share=round(100 * stance.share))


IN_MELEE = (
    str(say("{share} % in contact, in the middle")),
    str(say("{share} % in contact, to its left")),
    str(say("{share} % in contact, to its right")),
)


# -- where a charge ends --------------------------------------------------------------------------


def charge_offer(state: GameState, names: GameNames, move: DeclaredMove) -> ActionOffer:
    """A charge that arrived, to be aligned as its player likes (TMG-CHG-17), or that fell short."""
    unit, target = names.of(move.unit), names.of(move.target)
    arrived = move.target in state.unit(move.unit).engaged
    open_ = any(task.kind == "charge" and task.unit == move.unit for task in state.tasks)
    found = None if open_ else charge_before(state, move)
    if arrived:
        text = say("{unit} moves into contact with {target}", unit=unit, target=target)
        arc = state.arc(move.unit, move.target)
        ends = tuple(aligned_ends(found, names, move, arc)) if found is not None else ()
        detail = say("How does it stand?") if len(ends) > 1 else ""
    else:
        text, detail = say("{unit} moves as far as its charge comes", unit=unit), ""
        ends = tuple(fallen_short(found, names, move)) if found is not None else ()
        if ends:
            detail = say("Which way did it turn before the roll?")
    return ActionOffer(
        "charge",
        text,
        (),
        move.unit,
        move.target,
        detail=detail,
        moves=True,
        ends=ends,
        certain=arrived and len(ends) == 1,
    )


def charge_before(state: GameState, move: DeclaredMove) -> Survey | None:
    """The survey of the table on which the charge began; None if it does not show the charge."""
    if move.heading is None or not move.seen:
        return None
    found = survey(state, move.unit)
    units = found.report.units
    return found if move.unit in units and move.target in units else None


def aligned_ends(
    found: Survey, names: GameNames, move: DeclaredMove, arc: str | None
) -> Iterator[TrayEnd]:
    """The places of a charge that arrived: 100 %, or 50 % to either side (TMG-CHG-17, -18).

    Where several arcs were possible, it ends in the one that its player has said (TMG-CHG-8).
    """
    field, charge = found.battlefield, found.report.units[move.unit].charges[move.target]
    foe = field.table.unit(move.target).pose
    pair = field.index[move.unit], field.index[move.target]
    said = [one for one in charge.zone.choices if ARC_ZONES[one] == arc]
    listed = settled_places(field, *pair, said) if said else charge.align
    places = [(side_of(place, foe), place) for place in listed]
    for side, place in sorted(places, key=lambda one: one[0]):
        text = say(ON_EDGE[side], share=round(100 * place.contact))
        poses = [(move.unit, place.pose)]
        if place.defender is not None:
            target = names.of(move.target)
            text = say("{place}; {target} is moved along", place=text, target=target)
            poses.append((move.target, place.defender))
        costs = [CHARGE_COSTS[word] for word in place.effects if word in CHARGE_COSTS]
        touched = others(field, move.unit, move.target, place.pose)
        for end in with_others(names, TrayEnd(text, tuple(poses)), touched):
            if costs:
                end = replace(
                    end, text=say("{place} · {costs}", place=end.text, costs=joined(costs))
                )
            yield end


def with_others(
    names: GameNames, end: TrayEnd, touched: Sequence[OtherContact]
) -> Iterator[TrayEnd]:
    """A place with what becomes of each other enemy that the charger touches (TMG-CHG-20..22);
    where only their corners meet, with and without contact (OR-49)."""
    ends = [end]
    for other in touched:
        if other.pose is None or not (other.touched or other.cornered):
            continue
        enemy, there = names.of(other.unit), (other.unit, other.pose)
        apart = [replace(one, text=say(CORNER, place=one.text, enemy=enemy)) for one in ends]
        moved = [
            TrayEnd(say(MAKES_WAY[other.rule], place=one.text, enemy=enemy), (*one.poses, there))
            for one in ends
        ]
        ends = [*apart, *moved] if other.cornered else moved
    yield from ends


def beside_offer(state: GameState, names: GameNames, move: DeclaredMove) -> ActionOffer:
    """An enemy that a charger touches besides its target: it is aligned as near as possible, or its
    owner moves it an inch off (TMG-CHG-20, -21)."""
    told = {"unit": names.of(move.unit), "target": names.of(move.target)}
    other = made_way(state, move)
    if other is None or other.pose is None or moves_off(state, move):
        text = say("{unit} moves 1″ off {target}: where to?", **told)
        return ActionOffer("beside", text, (), move.unit, move.target, moves=True)
    text = say("{unit} is aligned with {target}, 50 % in contact", **told)
    ends = (TrayEnd(text, ((move.unit, other.pose),)),)
    return ActionOffer("beside", text, (), move.unit, move.target, moves=True, ends=ends)


def moves_off(state: GameState, move: DeclaredMove) -> bool:
    """Whether an enemy that a charger touches cannot be aligned with it (TMG-CHG-21)."""
    other = made_way(state, move) if move.action == "beside" else None
    return other is not None and other.rule != "TMG-CHG-20"


def made_way(state: GameState, move: DeclaredMove) -> OtherContact | None:
    """What becomes of an enemy that the charger `target` touches; None if it does not any more."""
    foes = state.unit(move.target).engaged if state.has_unit(move.target) else ()
    found = (
        other
        for foe in foes
        if foe != move.unit and state.has_unit(foe)
        for other in touched_now(state, move.target, foe)
        if other.unit == move.unit
    )
    return next(found, None)


MAKES_WAY = {
    "TMG-CHG-20": str(say("{place}; {enemy} is aligned with it, 50 % in contact")),
    "TMG-CHG-21": str(say("{place}; {enemy} moves 1″ off")),
    "TMG-CHG-22": str(say("{place}; {enemy} moves just out of contact")),
}
"""What happens to another enemy that a charger touches (TMG-CHG-20..22)."""
CORNER = str(say("{place}; only a corner of {enemy} meets it: no contact"))
"""Another enemy that a charger meets only at a corner, where that is no contact (OR-49)."""
CHARGE_COSTS = {
    "hindering": say("Hindering ground: no charge bonus"),
    "fortified": say("Fortified ground: the target blocks better"),
    "dangerous": say("Dangerous ground: wounds"),
}
"""What a place costs a charge that ends there (TMG-TER-5, -10, -14)."""


def side_of(place: Placement, foe: Pose) -> int:
    """Where a tray lies on the edge of another: 0 in the middle, 1 to its own left, 2 right."""
    angle, there = math.radians(place.pose.heading), place.defender or foe
    dx, dy = place.pose.x - there.x, place.pose.y - there.y
    left = dy * math.cos(angle) - dx * math.sin(angle)
    return 0 if abs(left) < CONTACT_IN else 1 if left > 0 else 2


ON_EDGE = (
    str(say("{share} % in contact, in the middle")),
    str(say("{share} % in contact, to the charger's left")),
    str(say("{share} % in contact, to the charger's right")),
)


def fallen_short(found: Survey, names: GameNames, move: DeclaredMove) -> Iterator[TrayEnd]:
    """Where a charge that failed ends: turned as it comes nearest to its target, or straight ahead
    where it may (TMG-CHG-9, -12, -13)."""
    roll = ChargeRoll(0, move.reach, False, False, False)
    ahead, nearest = found.battlefield.table.unit(move.unit).pose.heading, move.heading
    assert nearest is not None
    turned = abs((nearest - ahead + 180) % 360 - 180) > SAME_DEG
    for heading in (nearest, ahead) if turned else (ahead,):
        end = led_on(found, move.unit, move.target, heading, roll)
        inches = round(end.travel_in, 1)
        if heading == ahead:
            text = say("{inches:g}″ straight ahead", inches=inches)
        else:
            target = names.of(move.target)
            text = say("{inches:g}″ on its way to {target}", inches=inches, target=target)
        if short := cut_short(names, end, move.reach):
            text = say("{place} · {costs}", place=text, costs=short)
        if heading == nearest or end.allowed.verdict == "yes":
            yield TrayEnd(text, ((move.unit, end.end),))


def cut_short(names: GameNames, end: ChargeMove, reach: float) -> str:
    """Why a failed charge ends before its full distance; "" if it does not (TMG-CHG-12, -13)."""
    if end.travel_in > reach - SAME_IN:
        return ""
    if end.stopper:
        return say("stopped by {other}", other=names.of(end.stopper))
    if end.stopped:
        return say("stopped by the table's edge")
    return say("Rough ground: less far")

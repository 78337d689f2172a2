"""What the table shows of a game in play: contacts, arcs, charges, cover, terrain under units."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.games.tmg.play.state.game_state import (
    MAYBE_TURNED,
    AttackState,
    GameState,
    table_of,
)
from companion.games.tmg.play.state.mode_play import mode_of, play_of
from companion.games.tmg.play.state.unit_state import DESTROYED, RESERVE, SOLO_TRAYS, UnitState
from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_end import OtherContact, others
from companion.games.tmg.rules.charge.charge_ways import turned_to
from companion.games.tmg.rules.combat.dice import dice_rules
from companion.games.tmg.rules.combat.melee import Melee, MeleeOption, melee, melee_bonus
from companion.games.tmg.rules.combat.shots import cover, shot_from
from companion.games.tmg.rules.ground_effects import OPEN_GROUND, UnitGround, near_piece
from companion.games.tmg.rules.movement.moves import way_out
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import Charge, MiniaturesReport, Shot
from companion.games.tmg.rules.rulebook import RANGES_IN
from companion.games.tmg.rules.setup.objectives import (
    LoggedFacts,
    ObjectiveControl,
    claims,
    holdings,
)
from companion.games.tmg.rules.setup.quadrants import quadrant
from companion.games.tmg.rules.survey import Survey, surveyed
from companion.geometry.plane.answer import SURE_SIGMAS, Answer, no
from models import Attack, Pose, Table, Unit

SURELY = {"yes": True, "no": False, "unsure": None}
"""The decision for a measured verdict; the players decide what is unsure."""
WORTH_A_SHIFT_IN = 0.1
"""A tray this close to a place stands there."""
ARC_ZONES = {"front": "front", "left": "flank", "right": "flank", "rear": "rear"}


Moves = tuple[str, int, tuple[Attack, ...]]
"""What decides how far a unit gets and reaches: its id, its Speed and its attacks."""


@lru_cache(maxsize=6)
def survey_of(
    text: str,
    readings: tuple[str, ...],
    elsewhere: tuple[str, ...],
    known: tuple[Moves, ...] = (),
) -> Survey:
    """All answers from the positions on a table, without the units that are elsewhere; cached.

    What a unit is comes from the game, where it stands from the table.
    """
    table, facts = without(table_of(text), elsewhere), {one[0]: one[1:] for one in known}
    units = tuple(
        replace(unit, speed=facts[unit.id][0], attacks=facts[unit.id][1])
        if unit.id in facts
        else unit
        for unit in table.units
    )
    return surveyed(replace(table, units=units), Readings.parse(readings))


def survey(state: GameState, *still_there: str, weapon: tuple[str, str] = ("", "")) -> Survey:
    """The survey of the newest table; units that left or moved since block nothing, except those
    that still stand there. One unit may be thought to have no other weapon for shots than one."""
    gone = (*off_field(state), *(unit for unit in state.moved if unit not in still_there))
    elsewhere = tuple(dict.fromkeys(gone))
    known = tuple(
        (unit.id, speed_of(state, unit), armed(unit, weapon[1] if unit.id == weapon[0] else ""))
        for unit in state.units
    )
    return survey_of(state.table, state.readings, elsewhere, known)


def armed(unit: UnitState, weapon: str) -> tuple[Attack, ...]:
    """The attacks of a unit; of those that shoot only the named one."""
    found = unit.attacks_now
    return tuple(one for one in found if not (weapon and one.ranged) or one.name == weapon)


def speed_of(state: GameState, unit: UnitState) -> int:
    """Its Speed, after the limit of the mode (TMG-MODE-DWD-6)."""
    slow = play_of(state).carrier_speed
    if slow is not None and any(token.holder == unit.id for token in state.tokens):
        return slow
    return unit.speed


def report(state: GameState) -> MiniaturesReport:
    """The report on the newest table."""
    return survey(state).report


def without(table: Table, units: tuple[str, ...]) -> Table:
    return replace(table, units=tuple(one for one in table.units if one.id not in units))


def off_field(state: GameState) -> tuple[str, ...]:
    """The units that are not on the battlefield, wherever their trays still lie (TMG-UNT-11)."""
    return tuple(unit.id for unit in state.units if unit.place in (DESTROYED, RESERVE))


def seen(state: GameState, *units: str) -> bool:
    """Whether the newest table shows these units where they are now."""
    if not state.table:
        return False
    table, elsewhere = table_of(state.table), {*off_field(state), *state.moved}
    return all(unit in table and unit not in elsewhere for unit in units)


def zone_of(state: GameState, attacker: str, defender: str) -> str | None:
    """The arc of the defender that the attacker is in: front, flank, rear or unsure.

    None if no table shows it.
    """
    if not seen(state, attacker, defender):
        return None
    found = report(state)
    if defender not in found.units[attacker].zone:
        return None
    return ARC_ZONES.get(found.units[attacker].zone[defender].arc, "unsure")


def melee_zone(state: GameState, attacker: str, defender: str) -> str | None:
    """The arc of the defender that a melee attack comes from: its edge in contact (OR-7).

    If no table shows it, it is as in their last melee, until one of them moves. None if it is
    unknown.
    """
    known = state.arc(attacker, defender)
    if known == MAYBE_TURNED:
        return known
    if not seen(state, attacker, defender) or defender not in report(state).units[attacker].engaged:
        return known
    field = survey(state).battlefield
    found = melee_bonus(field, field.index[attacker], field.index[defender])
    return found.zone if found.answer else known or "unsure"


def zones_left(state: GameState, attacker: str, defender: str, shooting: bool) -> tuple[str, ...]:
    """The arcs between which the players decide where the table is too close to call."""
    if not seen(state, attacker, defender) or state.arc(attacker, defender) == MAYBE_TURNED:
        return ()
    field, here = survey(state).battlefield, report(state).units[attacker]
    if defender in here.engaged:
        return melee_bonus(field, field.index[attacker], field.index[defender]).choices
    shot = here.shots.get(defender) if shooting else None
    zone = here.zone.get(defender) if shot is None else shot.zone
    return tuple(dict.fromkeys(ARC_ZONES[arc] for arc in zone.choices)) if zone else ()


def charge_seen(
    state: GameState, attacker: str, defender: str, heading: float | None = None
) -> Charge | None:
    """The answer of the newest table for a charge: led as its player says, else by its best way."""
    ways = charge_ways(state, attacker, defender)
    if heading is None or not ways:
        return ways[0] if ways else None
    field = survey(state).battlefield
    return turned_to(field, field.index[attacker], field.index[defender], ways[0], heading)


def charge_ways(state: GameState, attacker: str, defender: str) -> tuple[Charge, ...]:
    """The ways of a charge on the newest table between which its player chooses (TMG-CHG-9)."""
    if not seen(state, attacker, defender):
        return ()
    found = report(state)
    return found.ways(attacker, defender) if defender in found.units[attacker].charges else ()


def touched_besides(state: GameState, attacker: str, target: str) -> tuple[tuple[str, str], ...]:
    """The other enemies that an aligned charge may touch, and the rules by which they are moved."""
    if charge_seen(state, attacker, target) is None:
        return ()
    return besides_of(survey(state), attacker, target)


@lru_cache(maxsize=32)
def besides_of(survey: Survey, attacker: str, target: str) -> tuple[tuple[str, str], ...]:
    """The same for one survey, cached: every offered charge asks for it several times."""
    found = [
        (other.unit, other.rule)
        for spot in survey.report.units[attacker].charges[target].align
        for other in others(survey.battlefield, attacker, target, spot.pose)
    ]
    return tuple(dict.fromkeys(found))


def touched_now(state: GameState, charger: str, target: str) -> tuple[OtherContact, ...]:
    """What becomes of the other enemies that a charger touches where it stands (TMG-CHG-20..22)."""
    if not seen(state, charger, target):
        return ()
    field = survey(state, charger).battlefield
    if not {charger, target} <= {*field.index}:
        return ()
    return others(field, charger, target, field.table.unit(charger).pose)


def may_turn(state: GameState, attacker: str) -> bool:
    """Whether a unit may turn to its only enemy, in contact at its flank or rear (TMG-MEL-3).

    Without a table the arc of their last melee tells it.
    """
    foes = state.unit(attacker).engaged
    if len(foes) != 1 or state.wall(foes[0]) is not None:
        return False
    if not seen(state, attacker, foes[0]):
        return state.arc(foes[0], attacker) in ("flank", "rear", MAYBE_TURNED)
    return melee_of(survey(state), attacker).turn.verdict != "no"


@lru_cache(maxsize=32)
def melee_of(survey: Survey, attacker: str) -> Melee:
    """The melee of a unit on a table, cached."""
    field = survey.battlefield
    return melee(field, field.index[attacker])


def shifts_of(survey: Survey, attacker: str) -> tuple[MeleeOption, ...]:
    """Where a unit may shift to along an enemy's edge, the whole edge first (TMG-MEL-5)."""
    here = survey.battlefield.table.unit(attacker).pose
    spare = max(WORTH_A_SHIFT_IN, SURE_SIGMAS * here.sigma.xy_in)
    found = [
        one
        for one in melee_of(survey, attacker).stances
        if not one.turned
        and math.dist((one.placement.pose.x, one.placement.pose.y), (here.x, here.y)) > spare
    ]
    return tuple(sorted(found, key=lambda one: -(one.share or 0.0)))


def may_shift(state: GameState, attacker: str) -> bool:
    """Whether the table shows a unit in a melee in which it may shift (TMG-MEL-5)."""
    foes = (one for one in state.unit(attacker).engaged if state.wall(one) is None)
    return seen(state, attacker, *foes) and bool(shifts_of(survey(state), attacker))


def retreat_seen(state: GameState, unit: str, reach_in: float) -> Answer | None:
    """Whether a retreat of that many inches is possible; None if no table shows its melee."""
    if not seen(state, unit) or not report(state).units[unit].engaged:
        return None
    field = survey(state).battlefield
    return way_out(field, field.index[unit], reach_in)


def retreat_ground(state: GameState, unit: str) -> Survey:
    """The table before a retreat that is decided: those that it frees turn only after it
    (TMG-RET-7)."""
    waiting = (one.unit for one in state.declared if one.action == "pivot")
    return survey(state, unit, *waiting)


def unseen(state: GameState, attacker: str, defender: str) -> tuple[str, ...]:
    """What blocks the line of sight between two units; empty if nothing does or without a table."""
    if not seen(state, attacker, defender):
        return ()
    return report(state).units[attacker].sees[defender].why


def shot_seen(state: GameState, attacker: str, defender: str, weapon: str = "") -> Shot | None:
    """The answer of the newest table for a shot, with the named weapon or with any."""
    if not seen(state, attacker, defender):
        return None
    return shot_with(state, attacker, defender, weapon)


def shot_with(
    state: GameState, attacker: str, defender: str, weapon: str, *still_there: str
) -> Shot | None:
    """The answer for a shot, each of several weapons by its own range (TMG-RNG-10)."""
    alone = len({one.kind for one in state.unit(attacker).attacks if one.ranged}) < 2
    found = survey(state, *still_there, weapon=(attacker, "" if alone else weapon))
    shot = found.report.units[attacker].shots.get(defender)
    return replace(shot, attack=weapon) if shot and shot.attack and weapon else shot


def aimed_from(state: GameState, now: AttackState, pose: Pose | None = None) -> Shot | None:
    """The shot that waits for its dice from where the attacker stands, or from another place;
    None if no table shows both (TMG-RNG-7)."""
    if not state.table or now.kind == "melee":
        return None
    field = survey(state, now.attacker).battlefield
    if not {now.attacker, now.defender} <= {*field.index}:
        return None
    if pose is not None:
        field = Battlefield(field.table.moved(now.attacker, pose), field.readings)
    if now.weapon not in (one.name for one in field.table.unit(now.attacker).ranged):
        return None
    return shot_from(field, field.index[now.attacker], field.index[now.defender], now.weapon)


def shot_left(state: GameState, now: AttackState) -> Shot | None:
    """The shot that waits for its dice from where the attacker stands, else after the shift that
    it may still make; None if no table shows both (TMG-RNG-7)."""
    shot = aimed_from(state, now)
    if shot is None or shot.answer.verdict != "no" or not shift_open(state, now):
        return shot
    return shot_with(state, now.attacker, now.defender, now.weapon, now.attacker)


def shift_open(state: GameState, now: AttackState) -> bool:
    """Whether the shift before a shot may still be made (TMG-RNG-5)."""
    return any(one.unit == now.attacker and one.action == "shift" for one in state.declared)


def targets_left(state: GameState, now: AttackState) -> tuple[str, ...]:
    """The other enemies that the attacker of a shot may choose before its dice, where the table
    shows them (TMG-RNG-7); its target only where a shift left its arc too close to call."""
    if not state.has_unit(now.attacker):  # a castle wall
        return ()
    side, found = state.unit(now.attacker).side, []
    for foe in (one.id for one in state.standing() if one.side != side):
        shot = shot_left(state, replace(now, defender=foe))
        if shot is None or shot.answer.verdict == "no":
            continue
        doubtful = shot.zone.arc not in ARC_ZONES and dice_rules(state.year).zones_help_shots
        if foe != now.defender or doubtful and not shift_open(state, now):
            found.append(foe)
    return tuple(found)


def covered(state: GameState, attacker: str, defender: str, shot: Shot) -> bool | None:
    """Whether the target of a shot has Cover (TMG-TER-6, 2018); None if it is too close to call.

    Both trays are tried at the limits of their measurement errors.
    """
    field, here = survey(state, attacker).battlefield, "cover" in shot.effects
    if field.exact or not field.cover_protects:
        return here
    for name in (attacker, defender):
        pose = field.table.unit(name).pose
        step = SURE_SIGMAS * pose.sigma.xy_in
        for dx, dy in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)):
            moved = field.table.moved(name, replace(pose, x=pose.x + dx, y=pose.y + dy))
            there = Battlefield(moved, field.readings)
            places = there.index[attacker], there.index[defender]
            if bool(cover(there, *places, shot.shift)) is not here:
                return None
    return here


def ground_seen(state: GameState, unit: str) -> UnitGround:
    """The terrain around a unit; open ground if no table shows it."""
    return report(state).units[unit].ground if seen(state, unit) else OPEN_GROUND


def pile_near(state: GameState, unit: str) -> Answer | None:
    """Whether a Corpse Pile is in Short Range (TMG-MODE-FFC-17); None if no table shows it."""
    if not seen(state, unit):
        return None
    field = survey(state).battlefield
    answers = [
        near_piece(field, field.index[unit], number, RANGES_IN["short"], "TMG-MODE-FFC-17")
        for number, piece in enumerate(field.table.terrain)
        if piece.piece == "corpse-pile"
    ]
    return max(answers, key=lambda one: one.chance, default=no("TMG-MODE-FFC-17"))


def current_table(state: GameState) -> Table:
    """The newest table with the units as the game knows them, without what is destroyed."""
    table = table_of(state.table)
    units = []
    for unit in table.units:
        if not state.has_unit(unit.id):
            units.append(unit)
        elif (now := state.unit(unit.id)).standing:
            units.append(as_in_game(state, unit, now))
    return with_carried(state, replace(table, units=tuple(units)))


def with_carried(state: GameState, table: Table) -> Table:
    """The table with the tokens that units carry on their trays (TMG-MODE-DWD-4, FFC-7)."""
    if mode_of(state).facts.objective.control != "carried":
        return table
    poses = {one.id: table.unit(one.holder).pose for one in state.tokens if one.holder in table}
    if not poses:
        return table
    tokens = (
        replace(one, x=poses[one.id].x, y=poses[one.id].y) if one.id in poses else one
        for one in table.tokens
    )
    return replace(table, tokens=tuple(tokens))


def as_in_game(state: GameState, unit: Unit, now: UnitState) -> Unit:
    """A unit of the table with its name, numbers and models from the game."""
    return replace(
        unit,
        name=now.name,
        speed=speed_of(state, now),
        defense=now.defense,
        morale=unit.morale if now.morale is None else now.morale,
        models=now.models,
        wounds=now.wound_tokens,
        attacks=now.attacks_now,
    )


def holdings_seen(state: GameState) -> dict[str, ObjectiveControl]:
    """The holder of each token on the table, using also what the log says."""
    known = LoggedFacts(
        engaged={unit.id: unit.engaged for unit in state.units},
        wounds_left={unit.id: unit.wounds_left for unit in state.units if unit.tray in SOLO_TRAYS},
        touched={token.id: token.touched for token in state.tokens},
        carried={token.id: token.holder for token in state.tokens if token.holder},
        lost=frozenset(token.lost for token in state.tokens if token.lost),
    )
    return holdings(current_table(state), mode_of(state), known, Readings.parse(state.readings))


def claims_seen(state: GameState) -> dict[str, dict[str, Answer]]:
    """The units that claim each token by their position, or may do so."""
    table = current_table(state)
    fact = mode_of(state)
    return {token.id: claims(table, token, fact) for token in table.tokens}


@dataclass(frozen=True, slots=True)
class UnitQuadrant:
    """The quadrant of a unit, or several between which the players must choose."""

    unit: str
    name: str
    choices: tuple[str, ...] = ()


def quadrants_seen(state: GameState) -> tuple[UnitQuadrant, ...]:
    """The quadrant of every unit the table shows."""
    table = current_table(state)
    found = ((unit.id, quadrant(table, unit)) for unit in table.units if state.has_unit(unit.id))
    return tuple(UnitQuadrant(unit, one.name, one.choices) for unit, one in found)

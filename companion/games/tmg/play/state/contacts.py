"""Contacts on a table with its hidden trays: engaged units, their arcs, walls they touch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from shapely.geometry import Polygon

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.positions import EDGES
from companion.games.tmg.play.context import no
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.play.state.unit_state import DESTROYED, RESERVE, WAITING, UnitState
from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.combat.melee import melee_bonus
from companion.games.tmg.rules.margins import clearance, footprint, ground, measured
from companion.games.tmg.rules.modes import BattleArea, walls
from companion.games.tmg.rules.movement.move_costs import SAME_FACING_DEG
from companion.games.tmg.rules.movement.move_end import SAME_PLACE_IN
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.rulebook import CONTACT_IN
from companion.geometry.plane.answer import SURE_SIGMAS, Verdict
from models import Table, TableToken, Unit
from models.unit import trays_overlap


@dataclass(frozen=True, slots=True)
class CompletedTable:
    """A table completed from earlier ones: which trays are hidden, and whose place is unknown."""

    table: Table
    hidden: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def completed(state: GameState, found: Table) -> CompletedTable:
    """The table with hidden trays and tokens where the previous one showed them.

    The place of a tray is unknown if it has moved since, was never seen, or is taken by another.
    """
    pieces = tuple(piece for piece in found.terrain if piece.id not in state.broken)
    found = replace(found, terrain=pieces)
    hidden = tuple(unit.id for unit in state.standing() if unit.id not in found)
    if not state.table:
        return CompletedTable(found, hidden, hidden)
    before = table_of(state.table)
    kept = [
        before.unit(name)
        for name in hidden
        if name in before and name not in state.moved and free(before.unit(name), found)
    ]
    there = {unit.id for unit in kept}
    return CompletedTable(
        replace(
            found,
            units=inserted(found.units, kept, [unit.id for unit in before.units]),
            tokens=(*found.tokens, *covered(before, found)),
        ),
        hidden,
        tuple(name for name in hidden if name not in there),
    )


def free(unit: Unit, table: Table) -> bool:
    """Whether no tray of the table overlaps the place of this one."""
    return not any(trays_overlap(unit, other) for other in table.units)


def inserted(units: tuple[Unit, ...], more: list[Unit], order: list[str]) -> tuple[Unit, ...]:
    """The units with more inserted, each after its predecessor in the order of the file.

    The order of units in a file decides which side sits where.
    """
    result = list(units)
    for unit in more:
        earlier = set(order[: order.index(unit.id)])
        places = [place for place, other in enumerate(result) if other.id in earlier]
        result.insert(places[-1] + 1 if places else 0, unit)
    return tuple(result)


def covered(before: Table, found: Table) -> tuple[TableToken, ...]:
    """Tokens not visible now, because a tray is on them."""
    shown = {token.id for token in found.tokens}
    return tuple(token for token in before.tokens if token.id not in shown)


@dataclass(frozen=True, slots=True)
class Contacts:
    """Which units are engaged, the arcs of their melees, the contacts too close to call, and
    those at a corner only (OR-49)."""

    engaged: dict[str, list[str]]
    arcs: tuple[tuple[str, str, str], ...] = ()
    doubtful: tuple[tuple[str, str], ...] = ()
    cornered: tuple[tuple[str, str], ...] = ()


def contacts(state: GameState, sighting: CompletedTable) -> Contacts:
    """The contacts on a table; one that cannot be decided stays as it was before.

    A tray that is still to be removed from the table is engaged with nobody. Units at an unknown
    place stay engaged as before.
    """
    table = on_field(state, sighting.table)
    field = Battlefield(table, Readings.parse(state.readings))
    engaged = {unit.id: list(field.engaged_ids(place)) for place, unit in enumerate(table.units)}
    doubtful: list[tuple[str, str]] = []
    cornered: list[tuple[str, str]] = []
    for one, two in np.argwhere(field.maybe_engaged).tolist():
        name, other = table.units[one].id, table.units[two].id
        if state.has_unit(name) and other in state.unit(name).engaged:
            engaged[name].append(other)
        elif name < other:
            (cornered if field.cornered[one, two] else doubtful).append((name, other))
    for name in sighting.lost:
        known = [other for other in state.unit(name).engaged if fights_on(state, other)]
        engaged[name] = known
        for other, foes in engaged.items():
            if name in foes and other not in known:
                foes.remove(name)
        for other in known:
            if name not in engaged.setdefault(other, []):
                engaged[other].append(name)
    for name, touched in walls_touched(state, table).items():
        engaged[name] += [wall for wall in touched if wall not in engaged[name]]
    found = tuple(arcs(state, field, engaged))
    for unit in sighting.table.units:
        if unit.id not in table:
            engaged[unit.id] = []
    return Contacts(engaged, found, tuple(doubtful), tuple(cornered))


def on_field(state: GameState, table: Table) -> Table:
    """The table without units that are not on the battlefield."""
    gone = {unit.id for unit in state.units if unit.place in (DESTROYED, RESERVE, WAITING)}
    return replace(table, units=tuple(unit for unit in table.units if unit.id not in gone))


def fights_on(state: GameState, name: str) -> bool:
    """Whether that is a unit or a wall that can still be attacked."""
    wall = state.wall(name)
    return wall.standing if wall is not None else state.unit(name).standing


# -- arcs -------------------------------------------------------------------------------------


def arcs(
    state: GameState, field: Battlefield, engaged: Mapping[str, list[str]]
) -> Iterator[tuple[str, str, str]]:
    """Attacker, defender and arc of every melee: as measured, or as before if neither moved."""
    before = table_of(state.table) if state.table else None
    for attacker, foes in engaged.items():
        for defender in foes:
            if attacker in field.index and defender in field.index:
                found = melee_bonus(field, field.index[attacker], field.index[defender])
                if found.answer and field.engaged[field.index[attacker], field.index[defender]]:
                    yield attacker, defender, found.zone
                    continue
            known = state.arc(attacker, defender)
            if known is not None and all(
                stood_still(before, field.table, name) for name in (attacker, defender)
            ):
                yield attacker, defender, known


def stood_still(before: Table | None, after: Table, name: str) -> bool:
    """Whether a tray has not moved, within the errors of both measurements."""
    if before is None or name not in before or name not in after:
        return True
    old, new = before.unit(name).pose, after.unit(name).pose
    off = math.dist((old.x, old.y), (new.x, new.y))
    turn = abs((new.heading - old.heading + 180) % 360 - 180)
    spread = SURE_SIGMAS * math.hypot(old.sigma.xy_in, new.sigma.xy_in)
    turns = SURE_SIGMAS * math.hypot(old.sigma.heading_deg, new.sigma.heading_deg)
    return off <= SAME_PLACE_IN + spread and turn <= SAME_FACING_DEG + turns


# -- castle walls -----------------------------------------------------------------------------


def walls_touched(state: GameState, table: Table) -> dict[str, list[str]]:
    """The standing walls that each of the attacker's units touches (TMG-MODE-SOS-14)."""
    if not state.walls:
        return {}
    shapes = wall_shapes(state, table)
    found: dict[str, list[str]] = {}
    for unit in table.units:
        if not state.has_unit(unit.id) or state.side(unit.side).role == "defender":
            continue
        for wall in state.walls:
            verdict = touches(unit, shapes[wall.id]) if wall.id in shapes else "unsure"
            earlier = wall.id in state.unit(unit.id).engaged
            if wall.standing and (verdict == "yes" or (verdict == "unsure" and earlier)):
                found.setdefault(unit.id, []).append(wall.id)
    return found


def touches(unit: Unit, shape: Polygon) -> Verdict:
    """Whether a tray is in contact with a wall."""
    return measured(
        lambda one: CONTACT_IN - clearance(footprint(one), shape), unit, why=("TMG-MEL-1",)
    ).verdict


def wall_shapes(state: GameState, table: Table) -> dict[str, Polygon]:
    """The shapes of the walls: as the table shows them, else at the mode's positions.

    Empty if neither says at whose edge they are.
    """
    shown = [ground(piece) for piece in table.terrain if piece.piece == "castle-wall"]
    zone = next((side.zone for side in state.sides if side.role == "defender"), "")
    if zone in EDGES:
        defender = EDGES.index(zone) + 1
    elif shown:
        defender = 1 if shown[0].centroid.y < table.depth / 2 else 2
    else:
        return {}
    nominal = walls(mode_of(state), BattleArea.of(table, defender), Readings.parse(state.readings))
    shapes = {wall.id: Polygon(wall.outline) for wall in nominal}
    if shown:
        for name, shape in shapes.items():
            shapes[name] = min(shown, key=lambda one: float(one.centroid.distance(shape.centroid)))
    return shapes


def wall_refused(state: GameState, unit: UnitState, name: str) -> Refusal | None:
    """Why a unit cannot be engaged with a castle wall (TMG-MODE-SOS-14)."""
    wall = state.wall(name)
    if state.side(unit.side).role == "defender":
        return no("TMG-MODE-SOS-14", "the defender does not attack his own walls")
    if wall is not None and not wall.standing:
        return no("TMG-MODE-SOS-22", "{unit} is destroyed already", unit=name)
    return None

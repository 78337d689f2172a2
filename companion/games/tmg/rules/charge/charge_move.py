"""A rolled charge along its route: how far it goes, where it stops, its end (TMG-CHG-11..18)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_end import ChargeEnd, settle
from companion.games.tmg.rules.charge.charge_route import SAME_IN, ChargeRoute, slide_of
from companion.games.tmg.rules.charge.charges import ChargeQueries
from companion.games.tmg.rules.combat.dice import ChargeRoll, roll_charge
from companion.games.tmg.rules.movement.move_end import MoveEnd, facing
from companion.games.tmg.rules.rulebook import CLEAR_IN, ROUGH_IN, farthest_in
from companion.games.tmg.rules.sight_rules import zones
from companion.games.tmg.rules.terrain_crossing import TerrainCrossing
from companion.games.tmg.rules.tray_contact import arcs_of, shared_effects
from companion.geometry.plane.answer import Answer, both
from models import Pose


@dataclass(frozen=True, slots=True)
class ChargeMove:
    """How a rolled charge ends.

    `success` says whether the target was reached (TMG-CHG-14, -15). `end` is where the move itself
    ends: at the first contact, or where a failed charge stops. `effects` are the keywords of
    terrain that apply. `stopped` are the rules that cut the move short, `stopper` the unit or piece
    that caused it. A successful charge is then aligned at one of `places`.
    """

    allowed: Answer
    success: Answer
    roll: ChargeRoll
    travel_in: float
    end: Pose
    crossed: tuple[TerrainCrossing, ...] = ()
    effects: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    stopper: str = ""
    places: tuple[ChargeEnd, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "allowed": self.allowed.to_json(),
            "success": self.success.to_json(),
            "die": self.roll.die,
            "disorderly": self.roll.disorderly,
            "bonus": self.roll.bonus,
            "travel": round(self.travel_in, 4),
            "end": self.end.to_json(),
            "crossed": [one.to_json() for one in self.crossed],
            "effects": list(self.effects),
            "stopped": list(self.stopped),
            "stopper": self.stopper or None,
            "places": [place.to_json() for place in self.places],
        }


def charge_move(
    field: Battlefield,
    unit_id: str,
    target_id: str,
    heading: float,
    rolled: ChargeRoll | Sequence[int],
    arc: str | None = None,
) -> ChargeMove:
    """The charge of one unit at another, pivoted to that heading, with these dice.

    A `ChargeRoll` that the game has already made may include modifiers that are not on the table.
    `arc` is the attacker's choice where several arcs are possible (TMG-CHG-8).
    """
    way = ChargeRoute.of(field, field.index[unit_id], field.index[target_id], heading)
    if isinstance(rolled, ChargeRoll):
        roll = rolled
    else:
        roll = roll_charge(rolled, way.distance_in, way.speed, field.edition.year, way.hindered)
    return reached(way, roll, arc) if roll.success else fallen_short(way, roll)


def allowed(way: ChargeRoute) -> Answer:
    """Whether some pivot could lead to contact (TMG-CHG-4), and this pivot is legal."""
    ways = ChargeQueries.of(way.field, [(way.place, way.goal)], every=True)
    return both(ways.runs([False])[0].answer, way.allowed())


def reached(way: ChargeRoute, roll: ChargeRoll, arc: str | None) -> ChargeMove:
    """A successful charge, aligned in the arc in which it began (TMG-CHG-6, -17, OR-12)."""
    stand = zones(way.field, np.array([way.place]), np.array([way.goal]))[0]
    chosen = (arc,) if arc else arcs_of(stand)
    rooms = [settle(way.field, way.place, way.goal, one) for one in chosen]
    room = max(rooms, key=lambda one: one.answer.chance)
    crossed = way.crossed(way.contact_in)
    aligned = shared_effects(one.placement for one in room.places)
    return ChargeMove(
        both(allowed(way), room.answer),
        way.reaches(roll.reach_in),
        roll,
        way.contact_in,
        way.start.shifted(way.contact_in),
        crossed,
        tuple(sorted(aligned.union(way.effects(crossed)))),
        places=room.places,
    )


def fallen_short(way: ChargeRoute, roll: ChargeRoll) -> ChargeMove:
    """A failed charge, and where it stops."""
    stop = stays(way, roll.reach_in)
    travel = max(stop.travel_in, 0.0)
    crossed = way.crossed(travel)
    return ChargeMove(
        allowed(way),
        way.reaches(roll.reach_in),
        roll,
        travel,
        way.start.shifted(travel) if stop.turned else way.field.units[way.place].pose,
        crossed,
        way.effects(crossed),
        stop.rules,
        stop.by,
    )


# -- where a failed charge stops --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChargeStop:
    """Where a move ends, and the rules and obstacles that cut it short."""

    travel_in: float
    rules: tuple[str, ...] = ()
    by: str = ""
    turned: bool = True  # False where even the pivot was impossible


@dataclass(frozen=True, slots=True)
class BlockedTravel:
    """An interval of travel in which a charge may not end, with the rule and the cause."""

    low_in: float
    high_in: float
    rule: str
    by: str = ""


def stays(way: ChargeRoute, reach_in: float) -> ChargeStop:
    """Where a failed charge ends: at the full distance, unless something stops it; never in its
    target, whoever says that it failed."""
    full = min(full_distance(way, reach_in), way.contact_in)
    stop = ChargeStop(full)
    if full >= way.block_in - SAME_IN:  # TMG-CHG-13
        clear = way.before(way.field.solids.corners[way.blocker], way.block_in)
        stop = ChargeStop(clear, ("TMG-CHG-13",), way.name(way.blocker))
    return last_free(stop, [*on_friends(way), *over_edge(way), *near_enemies(way)])


def full_distance(way: ChargeRoute, reach_in: float) -> float:
    """The full charge distance (TMG-CHG-12) minus the cost of Rough ground on the path.

    Where only the last inch would touch Rough ground, the move ends at its edge: nothing is left to
    pay for entering it.
    """
    left = reach_in
    for entry in way.rough:
        left = min(left, max(left - ROUGH_IN, entry))
    return left


def last_free(stop: ChargeStop, closed: list[BlockedTravel]) -> ChargeStop:
    """The last travel up to `stop` at which the charge may end."""
    while True:
        over = [one for one in closed if one.low_in + SAME_IN < stop.travel_in < one.high_in]
        if not over:
            return stop
        first = min(over, key=lambda one: round(one.low_in, 6))
        rules = tuple(dict.fromkeys((*stop.rules, first.rule)))
        if first.low_in < 0:
            return ChargeStop(0.0, rules, first.by, turned=False)
        stop = ChargeStop(first.low_in, rules, first.by)


def on_friends(way: ChargeRoute) -> list[BlockedTravel]:
    """Where the tray would overlap a friend (TMG-MOV-9, OR-15)."""
    friends = np.flatnonzero(MoveEnd(way.field, way.place).trays(enemy=False)).tolist()
    slide = slide_of(way.field, way.place, way.start)
    low, high = slide.spans(way.field.solids.corners[friends])
    return [
        BlockedTravel(float(start), float(stop) - SAME_IN, "OR-15", way.name(friend))
        for friend, start, stop in zip(friends, low, high, strict=True)
    ]


def over_edge(way: ChargeRoute) -> list[BlockedTravel]:
    """Where the tray would extend over the table's edge (OR-18)."""
    if way.field.readings.table_edge == "off":
        return []
    ahead = facing(way.start.heading)
    half = way.field.trays.half[way.place]
    extent = np.abs(ahead) * half[0] + np.abs(ahead[::-1]) * half[1]
    centre = np.array([way.start.x, way.start.y])
    size = np.array([way.field.table.width, way.field.table.depth])
    room = np.where(ahead > 0, size - extent - centre, centre - extent)
    moving = np.abs(ahead) > 1e-9
    least = float((room[moving] / np.abs(ahead[moving])).min())
    return [BlockedTravel(max(least, 0.0), math.inf, "OR-18")]


def near_enemies(way: ChargeRoute) -> list[BlockedTravel]:
    """Where the tray would be within 1 inch of an enemy, under that reading (OR-14)."""
    if way.field.readings.failed_charge_stop != "one-inch":
        return []
    far = farthest_in(way.speed)
    closed = []
    for enemy in np.flatnonzero(MoveEnd(way.field, way.place).trays(enemy=True)).tolist():
        corners = way.field.solids.corners[enemy]
        nearest = way.nearest(corners, far)
        if way.gap(corners, nearest) < CLEAR_IN:
            start, stop = way.before(corners, nearest), way.after(corners, nearest, far)
            closed.append(BlockedTravel(start, stop, "OR-14", way.name(enemy)))
    return closed

"""The effects of terrain under an observed move: wounds, and crushed pieces."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_route import ChargeRoute
from companion.games.tmg.rules.movement.move_end import AHEAD, SAME_PLACE_IN, SweptPath, facing
from companion.games.tmg.rules.terrain_crossing import TerrainDanger, crossings, crushed, dangers
from companion.geometry.plane.answer import SURE_SIGMAS, Answer
from companion.geometry.plane.motion.shift import AXES
from models import Pose

SAME_FACING_DEG = 0.25
"""Headings closer than this are equal."""
FREE = ("pivot",)
"""Moves that are not actions, so they do not count as acting on Dangerous ground (TMG-TER-9)."""


@dataclass(frozen=True, slots=True)
class MoveCosts:
    """The dangers of a move and the pieces it crushes, with certainty (TMG-TER-9..11, -19)."""

    dangers: tuple[TerrainDanger, ...] = ()
    crushed: dict[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChargePath:
    """The target of a charge, and the heading it pivoted to."""

    target: str
    heading: float


def move_costs(
    ground: Battlefield, unit_id: str, end: Pose, action: str, charge: ChargePath | None = None
) -> MoveCosts:
    """The costs of a unit's move to `end` if it was that action.

    Without a `charge` path, a charge is one that fell short: straight ahead as it faces now.
    """
    place = ground.index[unit_id]
    start = ground.units[place].pose
    ways = path(ground, place, start, end, action, charge)
    found = crossings(ground, place, *ways, sigma_in=end.sigma.xy_in if ways else 0.0)
    acting = action not in FREE
    costs = dangers(ground, found, charge=action == "charge", action=acting)
    if not ways:  # a unit that did not move has entered nothing
        return MoveCosts(tuple(one for one in costs if one.rule == "TMG-TER-9"))
    return MoveCosts(costs, crushed(ground, found))


def path(
    ground: Battlefield,
    place: int,
    start: Pose,
    end: Pose,
    action: str,
    charge: ChargePath | None = None,
) -> tuple[SweptPath, ...]:
    """The straight parts of a move and its end; empty if the unit did not move."""
    length = math.dist((start.x, start.y), (end.x, end.y))
    turn = abs((end.heading - start.heading + 180) % 360 - 180)
    sigma = math.hypot(start.sigma.xy_in, end.sigma.xy_in)
    turn_sigma = math.hypot(start.sigma.heading_deg, end.sigma.heading_deg)
    same_place = length <= SAME_PLACE_IN + SURE_SIGMAS * sigma
    if same_place and turn <= SAME_FACING_DEG + SURE_SIGMAS * turn_sigma:
        return ()
    last = SweptPath(end)
    if action == "pivot":
        return (last,)
    if action in ("march", "retreat", "shift", "align"):
        axes = AXES[:1] if action == "march" else AXES
        return along(start, end, axes), last
    if charge is not None and charge.target in ground.index:
        way = ChargeRoute.of(ground, place, ground.index[charge.target], charge.heading)
        contact = way.contact_in if math.isfinite(way.contact_in) else length
        return SweptPath(way.start, AHEAD, contact), last
    heading = math.degrees(math.atan2(end.y - start.y, end.x - start.x))
    if action == "charge":
        heading = end.heading
    return SweptPath(start.turned(heading), AHEAD, length), last


def along(start: Pose, end: Pose, axes: tuple[tuple[float, float], ...]) -> SweptPath:
    """The straight path along the tray's axis on which the move went farthest."""
    ahead = facing(start.heading)
    dx, dy = end.x - start.x, end.y - start.y
    forward, left = dx * ahead[0] + dy * ahead[1], dy * ahead[0] - dx * ahead[1]
    best = max(axes, key=lambda axis: forward * axis[0] + left * axis[1])
    return SweptPath(start, best, max(float(forward * best[0] + left * best[1]), 0.0))

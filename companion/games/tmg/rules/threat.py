"""Threat areas: where an enemy's next activation can charge or shoot, and with what chance.

A threat area is the ground on which a tray (any part of it) could be charged or shot. Shadows of
blockers are subtracted one by one; ground that only several blockers hide together still counts as
threatened, so an area may be slightly too large, never too small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.combat.dice import charge_chance
from companion.games.tmg.rules.rulebook import (
    HIGHEST_ROLL,
    RAISES,
    RANGES_IN,
    ROUGH_IN,
    SHIFT_IN,
    farthest_in,
)
from companion.geometry.plane.motion.shift import AXES
from companion.geometry.plane.reach import arc_area, charge_disc, placed, shadows, slid
from companion.geometry.plane.trays import Bools, Floats


@dataclass(frozen=True, slots=True)
class Threat:
    """The area one unit threatens: by a charge that needs a roll, or by a ranged attack."""

    unit: str
    kind: str  # "charge" or "shot"
    area: BaseGeometry
    chance: float
    needs: int | None = None
    attack: str | None = None


def threats_of(field: Battlefield, place: int) -> tuple[Threat, ...]:
    """Everything a unit could charge or shoot at in its next activation; nothing while engaged."""
    if field.unengaged[place].verdict == "no":
        return ()
    return (*charge_threats(field, place), *shot_threats(field, place))


def charge_threats(field: Battlefield, place: int) -> tuple[Threat, ...]:
    """One area for every roll, largest last; each contains those of the lower rolls."""
    unit, trays = field.units[place], field.trays
    slow = ROUGH_IN if field.on_rough[place] else 0.0
    farthest = charge_disc(trays, place, farthest_in(unit.speed) - slow)
    reach = arc_area(trays, place).intersection(farthest)
    ground = seen_ground(field, place, front_ends(field, place), reach, shot=False)
    found = []
    for needs in range(1, HIGHEST_ROLL + 1):
        disc = charge_disc(trays, place, unit.speed + needs - slow)
        area = ground.intersection(disc)
        if not area.is_empty:
            chance = charge_chance(needs, field.edition.year)
            found.append(Threat(unit.id, "charge", area, chance, needs))
    return tuple(found)


def shot_threats(field: Battlefield, place: int) -> tuple[Threat, ...]:
    """One area for every ranged attack, including the shift before it (TMG-RNG-5)."""
    unit, trays = field.units[place], field.trays
    forward, left = trays.forward[place], trays.left[place]
    steps = np.array([SHIFT_IN * (ahead * forward + aside * left) for ahead, aside in AXES])
    ends = front_ends(field, place)
    eyes = np.concatenate([ends, *(ends + step for step in steps)])
    arrow, arc = shapely.Point(trays.arrow[place]), arc_area(trays, place)
    reaches = {
        kind: slid(arrow.buffer(RANGES_IN[kind], quad_segs=24).intersection(arc), steps)
        for kind in {attack.kind for attack in unit.ranged}
    }
    if not reaches:
        return ()
    farthest = reaches[max(reaches, key=lambda kind: RANGES_IN[kind])]
    ground = seen_ground(field, place, eyes, farthest, shot=True)
    found = []
    for attack in unit.ranged:
        area = reaches[attack.kind].intersection(ground)
        if not area.is_empty:
            found.append(Threat(unit.id, "shot", area, 1.0, None, attack.name))
    return tuple(found)


def front_ends(field: Battlefield, place: int) -> Floats:
    """The two ends of the front edge (OR-3)."""
    depth, width = field.trays.half[place]
    return placed(field.trays, place, np.array([[depth, width], [depth, -width]]))


def seen_ground(
    field: Battlefield, place: int, eyes: Floats, reach: BaseGeometry, shot: bool
) -> BaseGeometry:
    """The part of a reach that is on the table and in line of sight."""
    ground = shapely.box(0, 0, field.table.width, field.table.depth).intersection(reach)
    elevated = shot and (field.on_piece[place] & field.having(*RAISES)).any()
    if elevated:  # TMG-TER-8
        return ground
    corners = field.solids.corners[blocking(field, place, shot)]
    # Broad phase: only blockers inside the hull of viewpoints and reach can hide part of it.
    lines = shapely.convex_hull(shapely.union(reach, shapely.MultiPoint(eyes)))
    near = shapely.intersects(shapely.polygons(corners), lines)
    return ground.difference(shadows(corners[near], eyes))


def blocking(field: Battlefield, place: int, shot: bool) -> Bools:
    """(q,): the solids that block a unit's line of sight."""
    chosen = np.ones(len(field.solids), dtype=bool)
    chosen[place] = False
    dark = (field.blocks_shots if shot else field.blocks_sight) & ~field.on_piece[place]
    chosen[len(field.units) :] = dark[field.walls.piece]
    return chosen


def threats_to(field: Battlefield, side: str) -> tuple[Threat, ...]:
    """Everything the enemies of a side could charge or shoot at."""
    return tuple(
        threat
        for place, unit in enumerate(field.units)
        if unit.side != side
        for threat in threats_of(field, place)
    )

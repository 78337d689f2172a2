"""Which unit a tray may be: proposed only where its side is known.

A tray that a camera sees has no colour. Its side is known by the name that was given to it in the
camera's set-up ("r2", "red 2"), or by where it stands once both armies are deployed; where neither
says anything, or the two disagree, the players are asked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.engine.files.draft import Draft, fielded, staged
from companion.vision.look import side_of
from models import Pose, Unit

Trays = Sequence[tuple[str, str]]
"""Name and kind of each tray."""
NEARER_IN = 6.0
"""A tray stands on the side of an army if it is nearer to its zone than to the other by so much."""


def proposed_in_order(draft: Draft, trays: Trays) -> tuple[tuple[str, str], ...]:
    """Assign trays whose tags were given out in the order of the units, as on the practice table.

    Assignments made before stay.
    """
    return proposed(draft, fielded(draft), trays, {})


def proposed_by_side(
    draft: Draft, trays: Trays, poses: Mapping[str, Pose]
) -> tuple[tuple[str, str], ...]:
    """Assign trays that a camera sees at these poses to units of their own side and kind."""
    units = fielded(draft)
    named = {tray: side_of(tray) for tray, _kind in trays}
    stands = sides_deployed(draft, units, trays, poses)
    sides = {}
    for tray, _kind in trays:
        known = {named[tray], stands.get(tray, "")} & {seat.side for seat in draft.seats}
        sides[tray] = known.pop() if len(known) == 1 else ""
    return proposed(draft, units, trays, sides)


def proposed(
    draft: Draft, units: Sequence[Unit], trays: Trays, sides: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Trays with their units: the unit of the same name, else the next of their side and kind."""
    chosen = {tray: unit for tray, unit in draft.tags if unit in {one.id for one in units}}
    for by_name in (True, False):
        for tray, kind in trays:
            if tray in chosen:
                continue
            fits = (
                one.id
                for one in units
                if one.id not in chosen.values()
                and one.tray.name == kind
                and sides.get(tray, one.side) == one.side
                and (not by_name or one.id == tray)
            )
            unit = next(fits, None)
            if unit is not None:
                chosen[tray] = unit
    return tuple(chosen.items())


def sides_deployed(
    draft: Draft, units: Sequence[Unit], trays: Trays, poses: Mapping[str, Pose]
) -> dict[str, str]:
    """The side of each tray by its place; nothing unless both armies stand on their own sides.

    Before that trays lie anywhere: the red ones may be put before the camera in blue's zone.
    """
    kinds = {tray: kind for tray, kind in trays if tray in poses}
    if Counter(kinds.values()) != Counter(unit.tray.name for unit in units):
        return {}
    table = staged(replace(draft, table=None)).table
    if table is None:
        return {}
    zones = {
        side: [unit.pose for unit in table.units if unit.side == side] for side in table.sides()
    }
    found: dict[str, str] = {}
    for tray in kinds:
        nearest = sorted((away(poses[tray], zone), side) for side, zone in zones.items() if zone)
        if len(nearest) == 2 and nearest[1][0] - nearest[0][0] >= NEARER_IN:
            found[tray] = nearest[0][1]
    stand = Counter((side, kinds[tray]) for tray, side in found.items())
    wanted = Counter((unit.side, unit.tray.name) for unit in units)
    return found if stand == wanted else {}


def away(pose: Pose, zone: Sequence[Pose]) -> float:
    """How far a tray stands from the middle of a zone."""
    x = sum(one.x for one in zone) / len(zone)
    y = sum(one.y for one in zone) / len(zone)
    return math.dist((pose.x, pose.y), (x, y))

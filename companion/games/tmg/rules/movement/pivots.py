"""Pivots beside Impassable pieces: whether a tray may swing over them (TMG-TER-16)."""

from __future__ import annotations

import math

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.movement.move_end import MoveEnd, SweptPath
from companion.games.tmg.rules.terrain_keywords import STOPS
from companion.geometry.plane.answer import SURE_SIGMAS, Answer, both, eased_chance, no
from companion.geometry.plane.motion.swing import Swing, swing
from companion.geometry.plane.solids import Solids
from models import Pose


def pivot_over(field: Battlefield, place: int, heading: float, start: Pose | None = None) -> Answer:
    """Whether Impassable pieces allow a unit to pivot to that heading.

    It never ends on one (TMG-TER-15). Where it may not swing over one either, turning one way round
    or the other is enough. Without a `start` it pivots where it stands.
    """
    mover = MoveEnd(field, place)
    solid = mover.parts(*STOPS)
    pose = start or field.units[place].pose
    ends = mover.free(SweptPath(pose.turned(heading)), solid, "TMG-TER-16")
    if field.edition.swings_over_walls:
        return ends
    spread = float(field.trays.spread[place])

    def turns(sigmas: float) -> bool:
        swing = swing_from(field, place, pose, -sigmas * spread)
        return not swing.bars_turn(math.radians(heading))

    if turns(-SURE_SIGMAS):
        return ends
    if not turns(SURE_SIGMAS):
        return both(ends, no("TMG-TER-16"))
    return both(ends, Answer("unsure", ("TMG-TER-16",), None, eased_chance(turns)))


def swing_from(field: Battlefield, place: int, pose: Pose, grown: float = 0.0) -> Swing:
    """How far a unit's tray, enlarged by `grown`, turns before it overlaps an Impassable piece."""
    chosen, parts = field.parts_having(*STOPS), field.solids.parts
    solid = Solids(parts.corners[chosen], parts.normal[chosen], parts.offset[chosen], 0)
    half = np.maximum(field.trays.half[place] + grown, 1e-3)
    return swing(np.array([pose.x, pose.y]), math.radians(pose.heading), half, solid)


def swing_of(field: Battlefield, place: int, grown: float) -> Swing:
    """The same where the unit stands, unlimited where the edition allows it; cached."""
    if (place, grown) not in field.swings:
        free = field.edition.swings_over_walls
        pose = field.units[place].pose
        field.swings[place, grown] = Swing(0.0) if free else swing_from(field, place, pose, grown)
    return field.swings[place, grown]

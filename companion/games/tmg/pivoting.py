"""Pivots beside Impassable pieces: whether a tray may swing over them (TMG-TER-16)."""

from __future__ import annotations

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.ending import SAME_PLACE_IN, Mover, Sweep
from companion.geometry.answer import SURE_SIGMAS, YES, Answer, both, no

SWINGS_OVER = {"2021": True, "2018": False}
"""TMG-TER-16: in 2018 nothing exempts a pivot from the ban on moving over the piece."""
STEP_DEG = 0.25
"""A corner of the largest tray goes less than 0.02 inch between two looks."""


def pivot_over(field: Battlefield, place: int, heading: float) -> Answer:
    """Whether a unit may pivot to that heading as far as Impassable pieces are concerned.

    It never ends on one (TMG-TER-15). Where it may not swing over one either, turning one way
    round or the other is enough.
    """
    mover = Mover(field, place)
    solid = mover.parts("impassable")
    start = field.units[place].pose
    ends = mover.free(Sweep(start.turned(heading)), solid, "TMG-TER-16")
    if SWINGS_OVER[field.edition.year] or not solid.any():
        return ends
    turn = (heading - start.heading) % 360
    ways = [swing(field, place, part) for part in (turn, turn - 360)]
    return both(ends, max(ways, key=lambda one: one.chance))


def swing(field: Battlefield, place: int, turn_deg: float) -> Answer:
    """Whether turning so far about its own centre keeps a tray off Impassable pieces."""
    trays = field.trays
    count = max(2, int(abs(turn_deg) / STEP_DEG) + 2)
    first = np.arctan2(trays.forward[place, 1], trays.forward[place, 0])
    angle = first + np.radians(np.linspace(0.0, turn_deg, count))
    forward = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    centre = np.broadcast_to(trays.centre[place], (count, 2))
    solid = Mover(field, place).parts("impassable")
    spread = SURE_SIGMAS * float(trays.spread[place])

    def meets(grown: float) -> bool:
        half = np.broadcast_to(trays.half[place] + grown, (count, 2))
        return bool(field.solids.meet(centre, forward, half)[:, solid].any())

    if meets(-SAME_PLACE_IN - spread):
        return no("TMG-TER-16")
    if spread and meets(spread):
        return Answer("unsure", ("TMG-TER-16",), None, 0.5)
    return YES

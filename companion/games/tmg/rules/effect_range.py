"""Ranges of effects: who is within Short or Long Range of a unit or a piece (TMG-GLO-6, -13..15).

Unlike a ranged attack, an effect is measured from tray to tray, or from tray to terrain (OR-17).
"""

from __future__ import annotations

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.distances import RANGES_IN
from companion.geometry.plane.answer import YES, Answer, judge
from companion.geometry.plane.motion.shift import gap_to


def in_range(field: Battlefield, source: str, reach: str) -> dict[str, Answer]:
    """For every unit whether any part of its tray is within `reach` (short or long) of another's.

    A unit is always in range of its own effects (TMG-GLO-15).
    """
    place = field.index[source]
    gap, sigma = field.pairs.gap[place], field.gap_sigma[place]
    return {
        unit.id: YES
        if other == place
        else judge(RANGES_IN[reach] - float(gap[other]), "TMG-GLO-13", sigma_in=float(sigma[other]))
        for other, unit in enumerate(field.units)
    }


def friends_in_range(field: Battlefield, source: str, reach: str) -> dict[str, Answer]:
    """The friendly units an effect of that unit may choose, itself among them (TMG-GLO-6)."""
    enemy = field.enemies[field.index[source]]
    return {
        name: answer
        for name, answer in in_range(field, source, reach).items()
        if not enemy[field.index[name]] and answer.verdict != "no"
    }


def piece_gap(field: Battlefield, place: int, piece: int) -> float:
    """How far a unit's tray is from a terrain piece; 0 on it."""
    trays = field.trays
    parts = field.walls.corners[field.walls.piece == piece]
    where = np.array([trays.centre[place]])
    return float(gap_to(where, trays.forward[place], trays.half[place], parts)[0])


def near_piece(field: Battlefield, place: int, piece: int, within_in: float, *why: str) -> Answer:
    """Whether any part of a unit's tray is within so many inches of a piece (OR-13: inclusive)."""
    sigma = float(field.trays.spread[place])
    return judge(within_in - piece_gap(field, place, piece), *why, sigma_in=sigma)

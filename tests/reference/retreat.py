"""Retreats: every straight move along the tray's axes with the best die, then a pivot (TMG-RET)."""

from __future__ import annotations

import math

import numpy as np
import shapely

from models import Pose, Table, Unit
from tests.reference.ground import (
    EPS_IN,
    Array,
    Corridors,
    Sure,
    engaged,
    every,
    inside_table,
    piece_rings,
    piece_shape,
    some,
    touching,
    tray_ring,
    tray_shape,
)
from tests.reference.zone import into_frame

STEP_IN = 0.02
COARSE_IN, COARSE_DEG = 0.1, 2.0
BEST_DIE = 6
APART_IN = 1.0  # TMG-MOV-7
TURNS = {"back": 180.0, "left": 90.0, "right": 270.0}


def retreat(table: Table, unit: Unit) -> Sure:
    """Whether a unit is engaged (TMG-RET-1) and some retreat leads clear (TMG-RET-9)."""
    held = some(engaged(table, unit).values())
    if held is False:
        return False
    ways: list[Sure] = [leads_clear(table, unit, turn) for turn in TURNS.values()]
    if table.game.endswith("2021"):  # TMG-RET-4
        ways.append(every([engaged_aside(table, unit), leads_clear(table, unit, 0.0)]))
    return every([held, some(ways)])


def engaged_aside(table: Table, unit: Unit) -> Sure:
    """Whether an enemy is in contact with a flank or the rear: touches it behind the front edge."""
    answers: list[Sure] = []
    for enemy in table.enemies(unit):
        if touching(unit, enemy) is False:
            continue
        shared = tray_shape(unit, 0.05).intersection(tray_shape(enemy))
        points = np.array(shapely.get_coordinates(shared))
        if len(points) == 0:
            answers.append(None)
            continue
        forward, _ = into_frame(points, unit)
        depth = unit.tray.depth / 2
        behind = float(forward.min()) < depth - 0.1
        answers.append(behind if abs(float(forward.min()) - depth) > 0.2 or not behind else None)
    return some(answers)


def leads_clear(table: Table, unit: Unit, turn: float) -> Sure:
    """Whether moving one way, however far the best die allows, can end legally.

    Only where no straight end is surely legal are pivots looked at (TMG-RET-6), and coarsely: a
    place between two samples is as near to one of them as the samples are apart.
    """
    straight = ends_clear(table, unit, turn, STEP_IN, np.zeros(1), 0.0)
    if straight is True:
        return True
    half = math.hypot(unit.tray.width, unit.tray.depth) / 2
    slack = COARSE_IN / 2 + math.radians(COARSE_DEG / 2) * half
    pivots = np.arange(0.0, 180.0, COARSE_DEG)
    pivoted = ends_clear(table, unit, turn, COARSE_IN, pivots, slack)
    walls = any("impassable" in piece.keywords for piece in table.terrain)
    if pivoted is True and walls and not table.game.endswith("2021"):
        return None  # TMG-TER-16: the swing is not looked at
    return some([straight, pivoted])


def ends_clear(
    table: Table, unit: Unit, turn: float, step_in: float, pivots: Array, slack: float
) -> Sure:
    """Whether some end of such a way with one of these pivots is legal; None: nearly."""
    wide, deep = unit.tray.width, unit.tray.depth
    if turn in (90.0, 270.0):
        wide, deep = deep, wide
    way = unit.pose.heading + turn
    lane = Corridors((unit.pose.x, unit.pose.y), np.array([way]), wide, deep)
    most = unit.speed + BEST_DIE
    lengths = np.arange(0.0, most + step_in / 2, step_in)
    step = np.array([math.cos(math.radians(way)), math.sin(math.radians(way))])
    places = [
        unit.at(
            Pose(
                unit.pose.x + far * step[0],
                unit.pose.y + far * step[1],
                unit.pose.heading + pivot,
            )
        )
        for far in lengths
        for pivot in pivots
    ]
    lengths = np.repeat(lengths, len(pivots))
    shapes = shapely.polygons(np.stack([tray_ring(place) for place in places]))
    near = EPS_IN + slack
    perhaps = inside_table(table, shapes, near)
    surely = inside_table(table, shapes, -EPS_IN) & (lengths <= most)
    for other in table.units:
        if other.id == unit.id:
            continue
        if other.side == unit.side:
            perhaps &= ~shapely.intersects(shapes, tray_shape(other, -near))
            surely &= ~shapely.intersects(shapes, tray_shape(other, EPS_IN))
            continue
        # OR-22: sliding along an enemy in contact is allowed.
        grown = -EPS_IN if touching(unit, other) is not False else EPS_IN
        apart = shapely.distance(shapes, tray_shape(other))
        for flags, grow, spare in ((perhaps, -EPS_IN, -near), (surely, grown, EPS_IN)):
            until = float(lane.nearest([tray_ring(other, grow)])[0]) - deep / 2
            flags &= (lengths <= until + max(-spare - EPS_IN, 0.0)) & (apart >= APART_IN + spare)
    for piece in table.terrain:
        for flags, grow, more in ((perhaps, -EPS_IN, slack), (surely, EPS_IN, 0.0)):
            until = float(lane.nearest(piece_rings(piece, grow))[0]) - deep / 2
            # A straight way tells all there is of its end; a pivot may bring it onto the piece.
            on = shapely.intersects(shapes, piece_shape(piece, grow - more)) & (len(pivots) > 1)
            if "impassable" in piece.keywords:
                flags &= (lengths <= until + more) & ~on
            if "rough" in piece.keywords and not more:
                flags &= (lengths <= most - 1) | ((lengths < until) & ~on)
    return True if surely.any() else (None if perhaps.any() else False)

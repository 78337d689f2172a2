"""Retreats: every straight move along the tray's axes with the best die (TMG-RET)."""

from __future__ import annotations

import math

import numpy as np
import shapely

from models import Pose, Table, Unit
from tests.reference.ground import (
    EPS_IN,
    Corridors,
    Sure,
    engaged,
    every,
    inside_table,
    piece_rings,
    some,
    touching,
    tray_ring,
    tray_shape,
)
from tests.reference.zone import into_frame

STEP_IN = 0.02
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
    """Whether moving one way, however far the best die allows, can end legally."""
    wide, deep = unit.tray.width, unit.tray.depth
    if turn in (90.0, 270.0):
        wide, deep = deep, wide
    way = unit.pose.heading + turn
    lane = Corridors((unit.pose.x, unit.pose.y), np.array([way]), wide, deep)
    lengths = np.arange(0.0, unit.speed + BEST_DIE + STEP_IN / 2, STEP_IN)
    step = np.array([math.cos(math.radians(way)), math.sin(math.radians(way))])
    places = [
        unit.at(Pose(unit.pose.x + far * step[0], unit.pose.y + far * step[1], unit.pose.heading))
        for far in lengths
    ]
    shapes = shapely.polygons(np.stack([tray_ring(place) for place in places]))
    perhaps = inside_table(table, shapes, EPS_IN)
    surely = inside_table(table, shapes, -EPS_IN)
    for other in table.units:
        if other.id == unit.id:
            continue
        if other.side == unit.side:
            perhaps &= ~shapely.intersects(shapes, tray_shape(other, -EPS_IN))
            surely &= ~shapely.intersects(shapes, tray_shape(other, EPS_IN))
            continue
        # OR-22: sliding along an enemy in contact is allowed.
        grown = -EPS_IN if touching(unit, other) is not False else EPS_IN
        apart = shapely.distance(shapes, tray_shape(other))
        for flags, grow, spare in ((perhaps, -EPS_IN, -EPS_IN), (surely, grown, EPS_IN)):
            until = float(lane.nearest([tray_ring(other, grow)])[0]) - deep / 2
            flags &= (lengths <= until) & (apart >= APART_IN + spare)
    for piece in table.terrain:
        for flags, grow in ((perhaps, -EPS_IN), (surely, EPS_IN)):
            until = float(lane.nearest(piece_rings(piece, grow))[0]) - deep / 2
            if "impassable" in piece.keywords:
                flags &= lengths <= until
            if "rough" in piece.keywords:
                flags &= (lengths <= unit.speed + BEST_DIE - 1) | (lengths < until)
    return True if surely.any() else (None if perhaps.any() else False)

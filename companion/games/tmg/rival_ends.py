"""Where a tray may end its move so that it matters: on the way to objectives and enemies.

Every place is checked by the rules of movement, for the one action that leads there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.play.commands.positions import entry
from companion.games.tmg.play.state.game_state import GameState, table_of
from companion.games.tmg.play.state.table_facts import (
    current_table,
    retreat_ground,
    seen,
    speed_of,
    survey,
)
from companion.games.tmg.play.state.unit_state import UnitState
from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.movement.move_check import SeenMove
from companion.games.tmg.rules.movement.move_end import MoveEnd
from companion.geometry.plane.motion.shift import AXES
from models import Pose
from models.unit import trays_overlap

ASIDE_DEG = (0.0, 25.0, -25.0)
"""Ways beside the straight one, for what lies in between."""
SHARES = (1.0, 0.8, 0.6, 0.3)
"""Of the way that it may go, where it cannot go all of it."""
MOST_CHECKED = 14
"""How many places of one action are checked."""
ALIKE_IN, ALIKE_DEG = 1.5, 30.0
"""Places that differ by less are tried once."""
HAND_IN = 0.25
"""The room that a hand needs beside another tray."""
RETREAT_STEPS = 12
GRID_IN = 3.0
"""How far apart the places lie where a unit may come in."""
SPARE_IN = 0.02
"""So much short of what it may: a hand is no more precise."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A point that matters to a unit, and how near its middle wants to come to it."""

    x: float
    y: float
    near: float = 0.0


Guess = Callable[[Pose], float]
"""What a place is worth to the unit, at first sight."""


def ends(
    state: GameState, unit: UnitState, action: str, aims: list[Aim], guess: Guess, most: int
) -> Iterator[tuple[Pose, float]]:
    """The best legal ends of a maneuver or a march, those that promise most first."""
    if not seen(state, unit.id):
        return
    field = survey(state).battlefield
    start = table_of(state.table).unit(unit.id).pose
    far = speed_of(state, unit) * (2 if action == "march" else 1) - SPARE_IN
    places = sorted(
        {spot(one): one for one in places_of(start, action, aims, far)}.values(),
        key=guess,
        reverse=True,
    )
    found: list[Pose] = []
    checks = 0
    for place in places:
        if any(alike(place, one) for one in (start, *found)) or not roomy(field, unit.id, place):
            continue
        move = SeenMove.seen(field, unit.id, place)
        checked = move.march() if action == "march" else move.maneuver()
        checks += 1
        if checked.answer.verdict == "yes":
            yield place, guess(place)
            found.append(place)
        if len(found) == most or checks == MOST_CHECKED:
            return


def roomy(field: Battlefield, unit: str, pose: Pose) -> bool:
    """Whether a hand can put a tray down there, beside its friends."""
    place = field.index[unit]
    middles, corners = field.trays.centre, field.trays.corners
    radius = np.hypot(*(corners - middles[:, None]).T).max(axis=0)
    close = np.hypot(*(middles - (pose.x, pose.y)).T) < radius + radius[place] + HAND_IN
    close &= ~field.enemies[place]
    close[place] = False
    mover = MoveEnd(field, place)
    gaps = (mover.gap(pose, corners[one]) for one in np.flatnonzero(close).tolist())
    return all(gap >= HAND_IN for gap in gaps)


def places_of(start: Pose, action: str, aims: list[Aim], far: float) -> Iterator[Pose]:
    """Places on the way to each aim, facing it, or the nearest other one, at the end."""
    for aim in aims:
        gap = away(start, aim)
        way = bearing(start, aim) if gap > 0.1 else start.heading
        for aside in ASIDE_DEG if action == "maneuver" else (0.0,):
            heading = way + aside if action == "maneuver" else start.heading
            reach = min(far, max(0.0, gap - aim.near))
            for share in SHARES:
                there = at(start, heading, reach * share)
                yield there
                for other in aims:
                    yield there.turned(bearing(there, other))
    if action == "maneuver":  # it may turn where it stands
        for aim in aims:
            yield start.turned(bearing(start, aim))


def retreats(state: GameState, unit: UnitState, reach: float, guess: Guess) -> Iterator[Pose]:
    """The legal ends of a retreat that goes so far (TMG-RET-3, -4), the best first."""
    field = retreat_ground(state, unit.id).battlefield
    if unit.id not in field.index:
        return
    start = table_of(state.table).unit(unit.id).pose
    speed = speed_of(state, unit)
    places = []
    for forward, left in AXES:
        way = start.heading + math.degrees(math.atan2(left, forward))
        for step in range(1, RETREAT_STEPS + 1):
            far = (reach - SPARE_IN) * step / RETREAT_STEPS
            there = at(start, way, far).turned(start.heading)
            places += [there, there.turned(way)]
    for place in sorted(places, key=guess, reverse=True):
        checked = SeenMove.seen(field, unit.id, place).retreat()
        needs = checked.needs or 0
        if checked.answer.verdict == "yes" and needs <= reach - speed:
            yield place


def pivots(state: GameState, unit: UnitState, aims: list[Aim], guess: Guess) -> Iterator[Pose]:
    """The legal turns of a free pivot to what matters, the best first."""
    field = survey(state, unit.id).battlefield
    if unit.id not in field.index:
        return
    start = table_of(state.table).unit(unit.id).pose
    for place in sorted((start.turned(bearing(start, one)) for one in aims), key=guess)[::-1]:
        if SeenMove.seen(field, unit.id, place).pivot().answer.verdict == "yes":
            yield place


def entries(state: GameState, unit: UnitState, guess: Guess) -> Iterator[Pose]:
    """Where a unit may come in (TMG-MODE-COK-8, -15, TMG-MODE-SOS-11), the best place first."""
    table = current_table(state)
    own, others = table.unit(unit.id), [one for one in table.units if one.id != unit.id]
    places = [
        Pose(x, y, heading, own.pose.sigma)
        for x in np.arange(GRID_IN, table.width, GRID_IN).tolist()
        for y in np.arange(GRID_IN, table.depth, GRID_IN).tolist()
        for heading in (0.0, 90.0, 180.0, 270.0)
    ]
    for place in sorted(places, key=guess, reverse=True):
        if not any(trays_overlap(own.at(place), one) for one in others):
            answer = entry(state, table.moved(unit.id, place), unit.id)
            if answer is not None and answer.verdict == "yes":
                yield place


def at(start: Pose, heading: float, inches: float) -> Pose:
    """The place so far away on that way, facing it."""
    angle = math.radians(heading)
    x, y = start.x + inches * math.cos(angle), start.y + inches * math.sin(angle)
    return Pose(x, y, heading % 360, start.sigma)


def bearing(pose: Pose, aim: Aim) -> float:
    """The heading from a pose to a point."""
    return math.degrees(math.atan2(aim.y - pose.y, aim.x - pose.x)) % 360


def off_front(pose: Pose, aim: Aim) -> float:
    """By how many degrees a point lies off the facing of a pose, 0 to 180."""
    return abs((bearing(pose, aim) - pose.heading + 180) % 360 - 180)


def away(pose: Pose, aim: Aim) -> float:
    """Inches between the middle of a tray and a point."""
    return math.hypot(aim.x - pose.x, aim.y - pose.y)


def alike(one: Pose, other: Pose) -> bool:
    """Whether two places are one and the same choice: hardly farther, hardly turned."""
    turn = abs((one.heading - other.heading + 180) % 360 - 180)
    return turn < ALIKE_DEG and math.hypot(one.x - other.x, one.y - other.y) < ALIKE_IN


def spot(pose: Pose) -> tuple[int, int, int]:
    """Places that are the same to players."""
    return round(4 * pose.x), round(4 * pose.y), round(pose.heading / 5)

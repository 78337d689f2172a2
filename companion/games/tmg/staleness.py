"""What a moved tray may have changed, and what it cannot have: so the rest need not be redone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.aligning import arcs_of
from companion.games.tmg.battlefield import CONTACT_IN, Battlefield
from companion.games.tmg.charge_paths import Glance
from companion.games.tmg.facts import Facts, Pair, Stale, pairs_of
from companion.games.tmg.report import ARCS
from companion.games.tmg.shifting import CLEAR_IN
from companion.games.tmg.shooting import SHIFT_IN, in_reach
from companion.games.tmg.vicinity import Corridor
from companion.geometry.answer import SURE_SIGMAS
from companion.geometry.contact import edge_of
from companion.geometry.glimpse import Other, Watch
from companion.geometry.plain import Box, Spot
from companion.geometry.scene import crosses
from companion.geometry.trays import Bools, Floats, Ints
from companion.geometry.views import NEAR_IN, NOBODY

BESIDE_IN = 0.1
"""Trays that come so near an edge may take room on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """Trays where they stood, then where they stand, each as large as it may be."""

    boxes: list[Other]
    corners: list[tuple[list[Spot], float]]  # where they were measured, and one sigma of it
    before: int  # so many are where they stood

    @classmethod
    def of(cls, old: Battlefield, new: Battlefield, places: list[int]) -> Moved:
        """The trays that moved between two tables."""
        boxes, corners = [], []
        for field in (old, new):
            ground = field.blockers.ground
            for place in places:
                box, spread = ground.boxes[place], ground.spread[place]
                spare = SURE_SIGMAS * spread + NEAR_IN
                boxes.append((box.grown(spare), ground.radius[place] + 2 * spare, place))
                corners.append((box.corners(), spread))
        return cls(boxes, corners, len(places))


@dataclass(frozen=True, slots=True, eq=False)
class Nearness:
    """How near moved trays come to m pairs, inches; negative where they cover the place."""

    line: Floats  # (m,) to the line between the middles of both
    start: Floats  # (m,) to the middle of the first

    @classmethod
    def of(cls, field: Battlefield, moved: Moved, one: Ints, two: Ints) -> Nearness:
        """The nearest of them."""
        x, y = field.trays.centre.T
        start_x, start_y = x[one][:, None], y[one][:, None]
        way_x, way_y = x[two][:, None] - start_x, y[two][:, None] - start_y
        spots = np.array([(box.x, box.y, radius) for box, radius, _ in moved.boxes])
        away_x, away_y, radius = spots[:, 0] - start_x, spots[:, 1] - start_y, spots[:, 2]
        length2 = np.maximum(way_x * way_x + way_y * way_y, 1e-12)
        part = np.minimum(np.maximum((away_x * way_x + away_y * way_y) / length2, 0.0), 1.0)
        line = np.hypot(away_x - part * way_x, away_y - part * way_y) - radius
        return cls(line.min(axis=1), (np.hypot(away_x, away_y) - radius).min(axis=1))


def stale_facts(old: Battlefield, new: Battlefield, known: Facts, places: list[int]) -> Stale:
    """The facts that units which stand elsewhere now may have changed.

    All about themselves; and about others sight where its proof is gone, charges where they
    come into the way or take room, shots where they hide or bar a shift.
    """
    own = np.zeros_like(new.enemies)
    own[places, :] = True
    own[:, places] = True
    one, two = np.nonzero(new.enemies & ~own)
    own &= new.enemies
    sight, run, room, aim = own.copy(), own.copy(), own.copy(), own.copy()
    if new.foes is not old.foes:
        for place, (before, after) in enumerate(zip(old.foes, new.foes, strict=True)):
            if bool(before) != bool(after):  # a unit that became engaged, or free
                run[place], aim[place] = new.enemies[place], new.enemies[place]
    moved, trays = Moved.of(old, new, places), new.trays
    near = Nearness.of(new, moved, one, two)
    turning = np.hypot(trays.half[:, 0], trays.half[:, 1]) + SURE_SIGMAS * trays.spread
    first, second = turning[one], turning[two]
    spare = SURE_SIGMAS * float(trays.spread.max()) + BESIDE_IN

    def some(rows: Bools) -> tuple[Ints, Ints]:
        return one[rows], two[rows]

    hiders = known.proofs.hiders[one, two]
    between = near.line <= np.maximum(first, second)
    for place in places:
        sight[some((hiders == place).any(axis=1))] = True
    for pair in pairs_of(*some(between & (hiders[:, 0] == NOBODY))):
        sight[pair] |= changes_sight(new, moved, known, pair)
    charging = new.charge_reach[one, two]
    wide = np.maximum(first, second + 2 * trays.half[one, 1])
    passed = some(charging & (near.line <= wide + spare))
    run[passed] |= in_the_way(new, moved, known, *passed)
    for pair in pairs_of(*some(charging & (near.line <= second + 2 * first + 2 * spare))):
        room[pair] = takes_room(new, moved, known, pair)
    rows = in_reach(new, one, two)
    hides = between[rows] | (near.line[rows] <= np.maximum(first[rows] + SHIFT_IN, second[rows]))
    bars = near.start[rows] <= first[rows] + SHIFT_IN + CLEAR_IN
    for pair, seen, shifted in zip(
        pairs_of(one[rows], two[rows]),
        between[rows].tolist(),
        (hides | bars).tolist(),
        strict=True,
    ):
        aim[pair] |= (shifted and may_shift(known, pair) and bears_on_shifts(new, moved, pair)) or (
            seen and in_view(new, pair, moved.boxes)
        )
    return Stale(own, sight, run, room, aim)


def may_shift(known: Facts, pair: Pair) -> bool:
    """Whether a shooter did not simply shoot from where it stands."""
    aim = known.aim[pair]
    return not aim.answer or aim.shift != (0.0, 0.0)


def bears_on_shifts(field: Battlefield, moved: Moved, pair: Pair) -> bool:
    """Whether trays come where a shooter may shift, or between there and its target."""
    (shooter, target), ground = pair, field.blockers.ground
    tray, goal, spread = ground.boxes[shooter], ground.boxes[target], ground.spread
    spare = 2 * CONTACT_IN + SURE_SIGMAS * (spread[shooter] + spread[target])
    x, y, cos, sin, deep, wide = tray.grown(spare)
    ways = Box(x, y, cos, sin, deep + SHIFT_IN, wide), Box(x, y, cos, sin, deep, wide + SHIFT_IN)
    spots = [*goal.grown(spare).corners(), *tray.grown(spare + SHIFT_IN).corners()]
    axes = (cos, sin), (-sin, cos), (goal.y - y, x - goal.x)
    for box, _, place in moved.boxes:
        clear = box.grown(CLEAR_IN) if field.enemies[shooter, place] else box
        if any(way.meets(clear) for way in ways) or not box.apart_from(spots, axes):
            return True
    return False


def changes_sight(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether moved trays may change what a unit sees of another that no single tray hides.

    Nobody hides it by coming into a free line's way only; and where trays hide it already,
    one more changes nothing.
    """
    a, x, y = known.proofs.line[pair].tolist()
    if not math.isnan(a):
        eye = field.eye(pair[0])
        boxes = (box.seen_by(eye) for box, _, _ in moved.boxes[moved.before :])
        return any(crosses(box, a, x, y - a) for box in boxes)
    answer = known.sight[pair]
    hidden = answer.verdict == "no" and "TMG-LOS-5" in answer.why
    return in_view(field, pair, moved.boxes[: moved.before] if hidden else moved.boxes)


def in_view(field: Battlefield, pair: Pair, boxes: Iterable[Other]) -> bool:
    """Whether these trays reach into the ground between a front edge and a target."""
    viewer, target = pair
    ground, turn = field.blockers.ground, float(field.trays.turn[viewer])
    eye = field.eye(viewer).eased(SURE_SIGMAS * ground.spread[viewer], SURE_SIGMAS * turn)
    goal = ground.boxes[target].grown(SURE_SIGMAS * ground.spread[target])
    return Watch(goal, list(boxes), [], True).reached_into(eye)


def in_the_way(field: Battlefield, moved: Moved, known: Facts, mover: Ints, target: Ints) -> Bools:
    """Whether the trays come into the way of these charges, or between unit and target."""
    found = [
        in_searched_ways(field, moved, known, pair)
        if known.run[pair].searched
        else in_free_ways(field, moved, known, pair)
        for pair in pairs_of(mover, target)
    ]
    return np.array(found, dtype=bool)


def in_searched_ways(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether the trays change what a search for a way had to go by.

    Those that only come between change nothing where all it asked is seen as it was.
    """
    corridor, enemy = Corridor.of(field.blockers.ground, *pair), field.enemies[pair[0]]
    over = field.edition.pivot_over_friends
    for thing in moved.boxes:
        if corridor.ahead(thing) if enemy[thing[2]] else not over and corridor.under(thing):
            return True
    if not any(map(corridor.between, moved.boxes)):
        return False
    sight = Glance.of(field, *pair)
    return any(sight.after(heading) != seen for heading, seen in known.run[pair].asked)


def in_free_ways(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether the trays lie in the free ways of a charge, or between the turned unit and its
    target where it was looked at."""
    (mover, target), ground = pair, field.blockers.ground
    travel, spare = float(known.proofs.travel[pair]), SURE_SIGMAS * ground.spread[mover]
    goal = Watch(ground.boxes[target], moved.boxes, [], True)
    for heading in known.proofs.heading[pair].tolist():
        tray = ground.boxes[mover].turned(heading)
        way = swept(tray, max(travel, 0.0)).grown(spare)
        if any(way.meets(box) for box, _, _ in moved.boxes):
            return True
        if not known.run[pair].plain and goal.reached_into(field.eye(mover, tray)):
            return True
    return False


def swept(tray: Box, travel: float) -> Box:
    """The ground a tray covers that goes straight forward."""
    x, y, cos, sin, deep, wide = tray
    half = travel / 2
    return Box(x + half * cos, y + half * sin, cos, sin, deep + half, wide)


def takes_room(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether the trays come where a charging tray may be placed (TMG-CHG-3)."""
    ground, (mover, target) = field.blockers.ground, pair
    tray, goal = ground.boxes[mover], ground.boxes[target]
    for arc in arcs_of(known.zone[pair]):
        out_x, out_y, level, half = edge_of(goal, ARCS.index(arc))
        ends = 2 * tray.wide + half  # as far as any contact reaches along the edge
        for corners, spread in moved.corners:
            spare = BESIDE_IN + 2 * SURE_SIGMAS * (spread + ground.spread[target])
            away = [(x - goal.x) * out_x + (y - goal.y) * out_y for x, y in corners]
            if max(away) < level - spare or min(away) > level + 2 * tray.deep + spare:
                continue
            along = [(y - goal.y) * out_x - (x - goal.x) * out_y for x, y in corners]
            if max(along) >= -ends - spare and min(along) <= ends + spare:
                return True
    return False

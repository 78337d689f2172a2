"""What a moved tray may have changed, and what it cannot have: so the rest need not be redone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from companion.games.tmg.aiming import spans_in_reach
from companion.games.tmg.aligning import arcs_of
from companion.games.tmg.approach import strip_of
from companion.games.tmg.battlefield import CONTACT_IN, SHIFT_IN, Battlefield
from companion.games.tmg.charge_paths import Glance, is_shut
from companion.games.tmg.charging import Run
from companion.games.tmg.facts import Facts, Stale, pairs_of
from companion.games.tmg.found import Pair
from companion.games.tmg.report import ARCS
from companion.games.tmg.shifting import CLEAR_IN
from companion.games.tmg.vicinity import Corridor
from companion.geometry.advance import Path
from companion.geometry.answer import SURE_SIGMAS
from companion.geometry.contact import Edge, Room, edge_of
from companion.geometry.glimpse import Other, Watch
from companion.geometry.plain import Box, Spot
from companion.geometry.scene import crosses
from companion.geometry.shift import Axis
from companion.geometry.trays import Bools, Floats
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
    """How near moved trays come to n units and their pairs; negative where they cover the place."""

    line: Floats  # (n, n) to the line between the middles of both
    start: Floats  # (n, 1) to the middle of the first
    now: Floats  # (n, n) to the line, of where they stand now

    @classmethod
    def of(cls, field: Battlefield, moved: Moved) -> Nearness:
        """The nearest of them."""
        middle = field.blockers.middles[: len(field.units)]
        way = middle - middle[:, None]
        length = np.abs(way) + 1e-12
        ahead = way.conj() / length  # seen along the line, ahead is real
        spots = np.array([complex(box.x, box.y) for box, _, _ in moved.boxes])[:, None, None]
        radius = np.array([radius for _, radius, _ in moved.boxes])[:, None, None]
        away = spots - middle[:, None]  # (k, n, 1)
        start = np.abs(away) - radius
        beside = away * ahead
        beside -= np.minimum(np.maximum(beside.real, 0.0), length)
        line = np.abs(beside) - radius
        return cls(line.min(axis=0), start.min(axis=0), line[moved.before :].min(axis=0))


def stale_facts(old: Battlefield, new: Battlefield, known: Facts, places: list[int]) -> Stale:
    """The facts that units which stand elsewhere now may have changed.

    All about themselves; and about others sight where its proof is gone, charges where they
    come into the way or take room, shots where they hide or bar a shift.
    """
    stood = np.ones(len(new.units), dtype=bool)
    stood[places] = False
    others = new.enemies & stood & stood[:, None]
    own = new.enemies ^ others
    sight, run, room, aim = own.copy(), own.copy(), own.copy(), own.copy()
    if new.foes is not old.foes:
        for place, (before, after) in enumerate(zip(old.foes, new.foes, strict=True)):
            if bool(before) != bool(after):  # a unit that became engaged, or free
                run[place], aim[place] = new.enemies[place], new.enemies[place]
        if new.edition.full_edge_closed:  # who stands at a target may close its edges to others
            for field in (old, new):
                touched = (field.touching | field.maybe_touching)[places].any(axis=0)
                room |= new.enemies & touched
    moved, trays = Moved.of(old, new, places), new.trays
    near = Nearness.of(new, moved)
    second = np.hypot(trays.half[:, 0], trays.half[:, 1]) + SURE_SIGMAS * trays.spread
    first, hiders = second[:, None], known.proofs.hiders
    spare = SURE_SIGMAS * float(trays.spread.max()) + BESIDE_IN
    beside = np.maximum(first, second)
    between = near.line <= beside
    hid = reduce(np.logical_or, [hiders == place for place in places]).any(axis=2)
    hid &= others
    sight |= hid & (near.now > beside)  # who hid the target went aside
    for pair in pairs_in(hid & (near.now <= beside)):
        sight[pair] |= not still_hidden(new, known, pair)
    watched = others & between & (hiders[..., 0] == NOBODY)
    for pair, line in zip(pairs_in(watched), known.proofs.line[watched].tolist(), strict=True):
        sight[pair] |= changes_sight(new, moved, known, pair, line)
    charging, apart = others & new.charge_reach, new.exact and new.foes is old.foes
    wide = np.maximum(first, second + 2 * trays.half[:, 1:])
    for pair in pairs_in(charging & (near.line <= wide + spare)):
        run[pair] |= in_the_way(new, moved, known, pair)
    for pair in pairs_in(charging & (second + 2 * (first + spare) >= near.start.T)):
        room[pair] |= takes_room(new, moved, known, pair) and not (
            apart and spares_wishes(new, moved, known, pair)
        )
    shooting, bars = others & new.shot_reach, near.start <= first + SHIFT_IN + CLEAR_IN
    shifted = shooting & (bars | (near.line <= np.maximum(first + SHIFT_IN, second)))
    for pair in pairs_in(shifted):
        if may_shift(known, pair):
            aim[pair] |= bears_on_shifts(new, moved, pair)
    for pair in pairs_in(shooting & between):
        if may_shift(known, pair):
            aim[pair] |= in_view(new, pair, moved.boxes)
        else:
            aim[pair] |= hides_shot(new, moved, known, pair)
    return Stale(own, sight, run, room, aim)


def pairs_in(mask: Bools) -> list[Pair]:
    """The pairs a mask names."""
    return pairs_of(*mask.nonzero())


def may_shift(known: Facts, pair: Pair) -> bool:
    """Whether a shooter did not simply shoot from where it stands."""
    aim = known.aim[pair]
    return not aim.answer or aim.shift != (0.0, 0.0)


def hides_shot(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether trays may spoil a shot from where the shooter stands, or what covers its target."""
    free = known.proofs.shot if field.shots_see_otherwise else known.proofs.line
    line = free[pair].tolist()
    if field.cover_protects or math.isnan(line[0]):
        return in_view(field, pair, moved.boxes)
    return crossed(field, moved, pair, line)


def bears_on_shifts(field: Battlefield, moved: Moved, pair: Pair) -> bool:
    """Whether trays come where a shooter would shift, or between there and its target."""
    (shooter, target), ground = pair, field.blockers.ground
    tray, goal, spread = ground.boxes[shooter], ground.boxes[target], ground.spread
    spare = 2 * CONTACT_IN + SURE_SIGMAS * (spread[shooter] + spread[target])
    ends = goal.grown(spare).corners()

    def bears(start: Box, way: Box) -> bool:
        """Whether they come onto the way, or between what is covered at its end and the target."""
        spots, axis = [*ends, *start.corners()], (goal.y - start.y, start.x - goal.x)
        axes = (tray.cos, tray.sin), (-tray.sin, tray.cos), (goal.cos, goal.sin), axis
        return any(
            way.meets(box.grown(CLEAR_IN) if field.enemies[shooter, place] else box)
            or not box.apart_from(spots, axes)
            for box, _, place in moved.boxes
        )

    around = tray.grown(spare + SHIFT_IN)
    return bears(around, around) and any(
        bears(stretched(tray, axis, low, high).grown(spare), stretched(tray, axis, 0.0, high))
        for axis, low, high in spans_in_reach(field, shooter, target, SHIFT_IN)
    )


def stretched(tray: Box, axis: Axis, low: float, high: float) -> Box:
    """What a tray covers when it shifts along an axis by anything between the two."""
    middle, half = (low + high) / 2, (high - low) / 2
    x, y, cos, sin, deep, wide = tray.slid(axis[0] * middle, axis[1] * middle)
    return Box(x, y, cos, sin, deep + half * abs(axis[0]), wide + half * abs(axis[1]))


def still_hidden(field: Battlefield, known: Facts, pair: Pair) -> bool:
    """Whether the trays that hid a target do so still, one of them standing elsewhere."""
    viewer, target = pair
    eye, sigmas = field.eye(viewer), 0.0 if field.exact else SURE_SIGMAS
    if sigmas:
        turn = float(field.trays.turn[viewer])
        eye = eye.eased(sigmas * field.blockers.ground.spread[viewer], sigmas * turn)
    hiders = set(known.proofs.hiders[pair].tolist())
    return field.blockers.ground.hidden_by(hiders, eye, target, sigmas)


def changes_sight(
    field: Battlefield, moved: Moved, known: Facts, pair: Pair, line: list[float]
) -> bool:
    """Whether moved trays may change what a unit sees of another that no single tray hides.

    Nobody hides it by coming into a free line's way only; and where trays hide it already,
    one more changes nothing.
    """
    if not math.isnan(line[0]):
        return crossed(field, moved, pair, line)
    answer = known.sight[pair]
    hidden = answer.verdict == "no" and "TMG-LOS-5" in answer.why
    return in_view(field, pair, moved.boxes[: moved.before] if hidden else moved.boxes)


def crossed(field: Battlefield, moved: Moved, pair: Pair, line: list[float]) -> bool:
    """Whether moved trays come into the way of a free line of sight."""
    eye, (a, x, y) = field.eye(pair[0]), line
    boxes = (box.seen_by(eye) for box, _, _ in moved.boxes[moved.before :])
    return any(crosses(box, a, x, y - a) for box in boxes)


def in_view(field: Battlefield, pair: Pair, boxes: Iterable[Other]) -> bool:
    """Whether these trays reach into the ground between a front edge and a target."""
    viewer, target = pair
    ground, turn = field.blockers.ground, float(field.trays.turn[viewer])
    eye = field.eye(viewer).eased(SURE_SIGMAS * ground.spread[viewer], SURE_SIGMAS * turn)
    goal = ground.boxes[target].grown(SURE_SIGMAS * ground.spread[target])
    return Watch(goal, list(boxes), [], True).reached_into(eye)


def in_the_way(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether the trays come into the way of a charge, or between unit and target."""
    searched = known.run[pair].searched
    return (in_searched_ways if searched else in_free_ways)(field, moved, known, pair)


def in_searched_ways(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether the trays change what a search for a way had to go by.

    None do where others stop the charge whatever the pivot. Where they did not decide the search
    and do not stand in the way it found, nor hide what it asked for, that way is the best still:
    more trays can only refuse more.
    """
    ground, enemy, run = field.blockers.ground, field.enemies[pair[0]], known.run[pair]
    corridor, over = Corridor.of(ground, *pair), field.edition.pivot_over_friends
    if any(
        corridor.ahead(thing) if enemy[thing[2]] else not over and corridor.under(thing)
        for thing in moved.boxes
    ):
        search = run.trail.search
        if search and search.same_without_moved(ground):
            if on_ways(field, moved, search.ways, pair[0]):
                return True
            if not field.exact and left_free_way(field, moved, known, pair):
                return True
        else:
            lost = run.distance_in is None and "TMG-TER-16" not in run.answer.why
            return not (lost and is_shut(field, *pair))
    if not any(map(corridor.between, moved.boxes)):
        return False
    return not sees_as_before(field, moved, run, pair)


def on_ways(field: Battlefield, moved: Moved, ways: Iterable[Path], place: int) -> bool:
    """Whether the trays stand where a unit would turn or go, and may not over them."""
    ground, enemy = field.blockers.ground, field.enemies[place]
    spare, over = SURE_SIGMAS * ground.spread[place], field.edition.pivot_over_friends
    for path in ways:
        tray = ground.boxes[place].turned(path.heading_rad)
        way = tray.swept(max(path.travel_in, 0.0)).grown(spare)
        tray = tray.grown(spare)
        for box, _, other in moved.boxes[moved.before :]:
            if way.meets(box) if enemy[other] else not over and tray.meets(box):
                return True
    return False


def left_free_way(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether the trays stood in the free ways of a charge, as large as they may be.

    Where nobody else does, those are taken without a search.
    """
    ground, free = field.blockers.ground, known.run[pair].free
    travel = max(free.travel, 0.0)
    tray, spare = ground.boxes[pair[0]], SURE_SIGMAS * ground.spread[pair[0]]
    ways = [tray.turned(heading).swept(travel) for heading in free.heading]
    before = moved.boxes[: moved.before]
    return any(way.grown(spare).meets(box) for way in ways for box, _, _ in before)


def in_free_ways(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether the trays stop or bar a charge on its free ways, or hide its target from it.

    Friends do not stop it; and what a unit does not see it need not see after a pivot.
    """
    (mover, target), ground, run = pair, field.blockers.ground, known.run[pair]
    travel, spare = max(run.free.travel, 0.0), SURE_SIGMAS * ground.spread[mover]
    goal, enemy = Watch(ground.boxes[target], moved.boxes, [], True), field.enemies[mover]
    over, hopeless, between = field.edition.pivot_over_friends, not_seen(known, pair), False
    looked = not run.plain and any(map(Corridor.of(ground, *pair).between, moved.boxes))
    if not looked and not strip_of(ground, mover, run.free).trays(moved.boxes):
        return False
    for heading in run.free.heading:
        tray = ground.boxes[mover].turned(heading)
        way = tray.swept(travel).grown(spare)
        for box, _, place in moved.boxes:
            if way.meets(box):
                if enemy[place] or not over or (run.plain and not hopeless):
                    return True
                between = True
        between = between or (looked and goal.reached_into(field.eye(mover, tray)))
    return between and not run.plain and not sees_as_before(field, moved, run, pair)


def not_seen(known: Facts, pair: Pair) -> bool:
    """Whether a unit did not see another: then nobody asked what it sees after a pivot."""
    return known.sight[pair].verdict == "no"


def sees_as_before(field: Battlefield, moved: Moved, run: Run, pair: Pair) -> bool:
    """Whether a unit sees its target after all pivots as it did when its way was found.

    Where no tray that moved reaches between the two, it need not look again.
    """
    ground, (mover, target), sight = field.blockers.ground, pair, None
    tray, goal = ground.boxes[mover], Watch(ground.boxes[target], moved.boxes, [], True)
    for heading, seen in run.trail.asked:
        if goal.reached_into(field.eye(mover, tray.turned(heading))):
            sight = sight or Glance.of(field, *pair)
            if sight.after(heading) != seen:
                return False
    return True


def takes_room(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether the trays come where a charging tray may be placed (TMG-CHG-3)."""
    ground, (mover, target) = field.blockers.ground, pair
    tray, goal = ground.boxes[mover], ground.boxes[target]
    for arc in arcs_of(known.zone[pair]):
        out_x, out_y, level, half = edge_of(goal, ARCS.index(arc))
        ends = 2 * tray.wide + half  # as far as any contact reaches along the edge
        for (box, radius, _), (corners, spread) in zip(moved.boxes, moved.corners, strict=True):
            spare = BESIDE_IN + 2 * SURE_SIGMAS * (spread + ground.spread[target])
            away = (box.x - goal.x) * out_x + (box.y - goal.y) * out_y - level
            if not -radius - spare <= away <= 2 * tray.deep + radius + spare:
                continue  # the circle about it lies outside: so most are left out quickly
            depths = [(x - goal.x) * out_x + (y - goal.y) * out_y - level for x, y in corners]
            if max(depths) < -spare or min(depths) > 2 * tray.deep + spare:
                continue
            along = [(y - goal.y) * out_x - (x - goal.x) * out_y for x, y in corners]
            if max(along) >= -ends - spare and min(along) <= ends + spare:
                return True
    return False


def spares_wishes(field: Battlefield, moved: Moved, known: Facts, pair: Pair) -> bool:
    """Whether the trays take and took none of the places at which a tray aligns (TMG-CHG-17).

    Where one of them is free, no other place matters; all is measured exactly and nobody came
    into contact.
    """
    arcs, room = arcs_of(known.zone[pair]), known.room[pair]
    if len(arcs) > 1 or room.neither or not room.answer:
        return False
    boxes = field.blockers.ground.boxes
    edge = Edge.of(boxes[pair[0]], boxes[pair[1]], ARCS.index(arcs[0]))
    spans = (edge.taken_by([edge.inside(spot) for spot in corners]) for corners, _ in moved.corners)
    taken = Room([span for span in spans if span is not None], (-math.inf, math.inf))
    return all(map(taken.free, (0.0, edge.half_offset, -edge.half_offset)))

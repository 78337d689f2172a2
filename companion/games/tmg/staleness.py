"""What a moved tray may have changed, and what it cannot have: so the rest need not be redone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.games.tmg.aligning import arcs_of
from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.facts import Facts, Stale, pairs_of
from companion.games.tmg.report import ARCS
from companion.games.tmg.shifting import CLEAR_IN
from companion.games.tmg.shooting import SHIFT_IN, in_reach
from companion.games.tmg.vicinity import Vicinity
from companion.geometry.advance import free_advance
from companion.geometry.answer import SURE_SIGMAS
from companion.geometry.contact import Edges
from companion.geometry.solids import Solids
from companion.geometry.trays import Bools, Floats, Ints, Trays, into_frame, joined
from companion.geometry.views import NEAR_IN, NOBODY, Wedges, seen_boxes
from companion.geometry.walls import Walls

NO_WALLS = Walls.of([])
BESIDE_IN = 0.1
"""Trays that come so near an edge may take room on it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Trays where they stood and where they stand, w in all, each as large as it may be."""

    trays: Trays
    half: Floats  # (w, 2)
    radius: Floats  # (w,)

    @classmethod
    def of(cls, old: Battlefield, new: Battlefield, places: list[int]) -> Moved:
        """The trays that moved between two tables."""
        index = np.array(places, dtype=np.intp)
        trays = Trays.joined([old.trays.take(index), new.trays.take(index)])
        half = trays.half + SURE_SIGMAS * trays.spread[:, None]
        return cls(trays, half, np.hypot(half[:, 0], half[:, 1]))


def stale_facts(old: Battlefield, new: Battlefield, known: Facts, places: list[int]) -> Stale:
    """The facts that units which stand elsewhere now may have changed.

    All about themselves; and about others sight where they reach into the ground between,
    charges where they come into the way or take room, shots where they hide or bar a shift.
    """
    moved = Moved.of(old, new, places)
    own = np.zeros_like(new.enemies)
    own[places, :] = True
    own[:, places] = True
    others, own = new.enemies & ~own, own & new.enemies
    shooter, goal = np.nonzero(others)
    near = in_reach(new, shooter, goal)
    shooter, goal = shooter[near], goal[near]
    open_ = others & (known.hider == NOBODY) & np.isnan(known.line[..., 0])
    asked = open_.copy()
    asked[shooter, goal] = True
    viewed = np.zeros_like(own)
    pairs = np.nonzero(asked)
    viewed[pairs] = in_view(new, moved, *pairs)
    sight = own | (viewed & open_) | (others & disproved(new, known, places))
    run, room, aim = own.copy(), own.copy(), own.copy()
    for place, (before, after) in enumerate(zip(old.foes, new.foes, strict=True)):
        if bool(before) != bool(after):  # a unit that became engaged, or free
            run[place], aim[place] = new.enemies[place], new.enemies[place]
    mover, target = np.nonzero(new.charge_reach & others)
    room[mover, target] = takes_room(new, moved, known, mover, target)
    run[mover, target] |= in_the_way(new, moved, known, mover, target)
    aim[shooter, goal] |= viewed[shooter, goal] | spoils_shift(new, moved, known, shooter, goal)
    return Stale(own, sight, run, room, aim)


def disproved(field: Battlefield, known: Facts, places: list[int]) -> Bools:
    """(n, n): pairs whose sight is proved no longer.

    The tray that hid the target has gone, or one that moved lies in the free line.
    """
    trays, moved = field.trays, field.trays.take(np.array(places, dtype=np.intp))
    ease = np.broadcast_to(-SURE_SIGMAS * moved.spread - NEAR_IN, (len(trays), len(moved)))
    boxes = seen_boxes(trays.arrow, trays.forward, moved, ease)
    a, x, y = np.moveaxis(known.line, 2, 0)
    gone = np.zeros_like(field.enemies)
    with np.errstate(divide="ignore", invalid="ignore"):
        for number, place in enumerate(places):
            box = boxes.column(number)
            gone |= (known.hider == place) | box.crossed(*box.inside(0.0, a), *box.turned(x, y - a))
    return gone


def in_view(field: Battlefield, moved: Moved, viewer: Ints, target: Ints) -> Bools:
    """Into which pairs' ground between front edge and target (m,) the trays reach."""
    trays, corners = field.trays, field.pairs.corners[viewer, target]
    own_spare, goal_spare = SURE_SIGMAS * trays.spread[viewer], SURE_SIGMAS * trays.spread[target]
    turn = np.arctan(trays.tan_arc[viewer]) + SURE_SIGMAS * trays.turn[viewer]
    slope = np.tan(np.minimum(turn, np.pi / 2 - 1e-3))[:, None]
    wide = (trays.half[viewer, 1] + own_spare)[:, None]
    grown = (2 * goal_spare)[:, None]  # the target, in whatever direction
    ahead = corners[..., 0] - trays.half[viewer, :1]
    near, far = ahead - grown, ahead + grown
    over, under = corners[..., 1] + grown, corners[..., 1] - grown
    reach = wide + slope * far
    seen: Bools = np.any(far > 0, axis=1)
    seen &= (under <= reach).any(axis=1) & (over >= -reach).any(axis=1)
    away = np.maximum(near, 1e-9)
    left = np.minimum(((over - wide) / away).max(axis=1, keepdims=True), slope)
    right = np.maximum(((under + wide) / away).min(axis=1, keepdims=True), -slope)
    beside = (near <= 0).any(axis=1, keepdims=True)
    left, right = np.where(beside, slope, left), np.where(beside, -slope, right)
    wedges = Wedges(wide, left, right, far.max(axis=1, keepdims=True), -slope, slope)
    ease = np.broadcast_to(-SURE_SIGMAS * moved.trays.spread, (len(viewer), len(moved.trays)))
    boxes = seen_boxes(trays.arrow[viewer], trays.forward[viewer], moved.trays, ease)
    return seen & wedges.meet(boxes).any(axis=1)


def in_the_way(field: Battlefield, moved: Moved, known: Facts, mover: Ints, target: Ints) -> Bools:
    """Whether the trays come into the way of these charges, or between unit and target."""
    middle, size = moved.trays.centre, moved.radius + SURE_SIGMAS * field.trays.spread.max()
    about = Vicinity.of(field.trays, mover, target, middle, size)
    found: Bools = np.any(about.between, axis=1)
    known_plain = [known.run[pair].plain for pair in pairs_of(mover, target)]
    plain = np.flatnonzero(found & np.array(known_plain, dtype=bool))
    if len(plain):
        found[plain] = in_free_ways(field, moved, mover[plain], target[plain])
    return found


def in_free_ways(field: Battlefield, moved: Moved, mover: Ints, target: Ints) -> Bools:
    """Whether the trays lie in the free ways of these charges."""
    trays, free = field.trays, free_advance(field.trays, mover, target)
    headings, travel = free.heading.reshape(-1), np.repeat(np.maximum(free.travel, 0.0), 2)
    place = np.repeat(mover, 2)
    forward = joined(np.cos(headings), np.sin(headings))
    half = trays.half[place] + SURE_SIGMAS * trays.spread[place][:, None]
    half[:, 0] += travel / 2
    centre = trays.centre[place] + forward * (travel / 2)[:, None]
    solids = Solids.of(moved.trays, NO_WALLS, -SURE_SIGMAS * moved.trays.spread)
    return np.asarray(solids.meet(centre, forward, half).reshape(len(mover), -1).any(axis=1))


def takes_room(field: Battlefield, moved: Moved, known: Facts, mover: Ints, target: Ints) -> Bools:
    """Whether the trays come where a charging tray may be placed (TMG-CHG-3)."""
    options = [
        (row, ARCS.index(arc))
        for row, pair in enumerate(pairs_of(mover, target))
        for arc in arcs_of(known.zone[pair])
    ]
    found = np.zeros(len(mover), dtype=bool)
    if not options:
        return found
    rows, arcs = np.array(options, dtype=np.intp).T
    edges = Edges.of(field.trays, mover[rows], target[rows], arcs)
    ends = edges.width + edges.length / 2  # as far as any contact reaches along the edge
    for corners, spread in zip(moved.trays.corners, moved.trays.spread, strict=True):
        spot = np.broadcast_to(corners, (len(rows), 4, 2))
        away, along = into_frame(edges.centre, edges.outward, spot).transpose(2, 1, 0)
        spare = BESIDE_IN + 2 * SURE_SIGMAS * (spread + field.trays.spread[target[rows]])
        near = (away.max(axis=0) >= edges.level - spare) & (
            away.min(axis=0) <= edges.level + edges.depth + spare
        )
        near &= (along.max(axis=0) >= -ends - spare) & (along.min(axis=0) <= ends + spare)
        found[rows[near]] = True
    return found


def spoils_shift(
    field: Battlefield, moved: Moved, known: Facts, shooter: Ints, goal: Ints
) -> Bools:
    """Whether the trays hide targets from shifted shooters, or stand where these would shift."""
    aims = (known.aim[pair] for pair in pairs_of(shooter, goal))
    asked = np.array([not aim.answer or aim.shift != (0.0, 0.0) for aim in aims], dtype=bool)
    trays = field.trays
    turning = np.hypot(trays.half[:, 0], trays.half[:, 1]) + SURE_SIGMAS * trays.spread
    start, way = trays.centre[shooter][:, None], (trays.centre[goal] - trays.centre[shooter])
    away = moved.trays.centre - start
    length2 = np.maximum((way * way).sum(axis=1), 1e-12)[:, None]
    part = np.clip((away * way[:, None]).sum(axis=2) / length2, 0.0, 1.0)
    miss = away - part[..., None] * way[:, None]
    off = np.hypot(miss[..., 0], miss[..., 1])
    wide = np.maximum(turning[shooter] + SHIFT_IN, turning[goal])[:, None] + moved.radius
    bars = np.hypot(away[..., 0], away[..., 1]) <= (
        turning[shooter][:, None] + SHIFT_IN + CLEAR_IN + moved.radius
    )
    return asked & ((off <= wide) | bars).any(axis=1)

"""Line of sight: is there an unblocked line from a front edge to the part of a target in its arc?

`los_scalar` has the method; this module batches many queries and runs the broad phase.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np

from companion.geometry.plane.sight.los_query import LosObstacles, LosQuery
from companion.geometry.plane.sight.los_result import LosResult
from companion.geometry.plane.sight.scalar_shapes import NEAR_IN, ConvexPart, ViewEdge, plain_parts
from companion.geometry.plane.trays import Bools, Floats, Ints, Trays
from companion.geometry.plane.walls import Walls

Spots = np.ndarray[tuple[int, ...], np.dtype[np.complex128]]


@dataclass(frozen=True)
class Blockers:
    """The obstacles to line of sight: every tray, and the terrain parts that block.

    `through_any`: a piece blocks even where the line ends on it (the other reading of OR-25).
    """

    trays: Trays
    walls: Walls
    through_any: bool = False

    @cached_property
    def parts(self) -> list[ConvexPart]:
        """The terrain parts as scalar shapes."""
        return plain_parts(self.walls)

    @cached_property
    def ground(self) -> LosObstacles:
        """All obstacles as scalar shapes."""
        return LosObstacles.of(self.trays, self.parts, self.through_any)

    @cached_property
    def radius(self) -> Floats:
        """(n + p,): bounding radii of all trays, then of all terrain parts."""
        reach = np.hypot(self.trays.half[:, 0], self.trays.half[:, 1])
        return np.append(reach, [part.radius for part in self.parts])

    @cached_property
    def middles(self) -> Spots:
        """(n + p,): the centres of their bounding circles."""
        return np.append(spots(self.trays.centre), [complex(part.x, part.y) for part in self.parts])


@dataclass(frozen=True, slots=True, eq=False)
class SightQueries:
    """m queries: who looks at whom, from where, and which terrain pieces do not count.

    Viewers may stand elsewhere than on the table (after a pivot or shift): `eyes` are their trays;
    `viewer` and `target` are indices among the blockers, which never block themselves.
    """

    eyes: Trays
    viewer: Ints  # (m,)
    target: Ints  # (m,)
    exempt: Bools  # (m, pieces)
    freed: Bools  # (m,) nothing blocks at all (Elevated)


@dataclass(frozen=True, slots=True, eq=False)
class SightSolver:
    """The results of m queries, as arrays of the fields of `LosResult`."""

    seen: Bools
    ahead: Bools
    terrain: Bools
    trays: Bools

    def take(self, rows: Ints | slice) -> SightSolver:
        """The results of these queries."""
        return SightSolver(self.seen[rows], self.ahead[rows], self.terrain[rows], self.trays[rows])


def sees(looks: SightQueries, blockers: Blockers, sigmas: float | Floats = 0.0) -> Bools:
    """Whether each viewer has line of sight to its target (m,)."""
    return look(looks, blockers, sigmas).seen


def look(looks: SightQueries, blockers: Blockers, sigmas: float | Floats = 0.0) -> SightSolver:
    """The line of sight of each query.

    `sigmas` (one, or one for each query) shrinks every blocker and widens the target by that many
    standard deviations of each tray's corners; a negative value does the opposite. So yes at a
    negative value is certain, and so is no at a positive one.
    """
    eyes, ground = looks.eyes, blockers.ground
    levels = np.zeros(len(looks.viewer)) + sigmas
    fronts = (eyes.arrow, eyes.forward, eyes.half[:, 1], eyes.tan_arc, eyes.spread, eyes.turn)
    asked = (looks.viewer, looks.target, looks.exempt, looks.freed, levels)
    about, count = near_ways(looks, blockers, levels).tolist(), len(ground.boxes)
    answers = []
    known: dict[tuple[int, int], tuple[object, LosResult]] = {}
    for near, *row in zip(about, *(column.tolist() for column in (*fronts, *asked)), strict=True):
        (x, y), (cos, sin), wide, slope, spread, turn, viewer, target, exempt, freed, ease = row
        near[viewer] = near[target] = False
        parts = [part for part in compress(ground.parts, near[count:]) if not exempt[part.piece]]
        question, pair = (x, y, cos, sin, ease, freed, parts), (viewer, target)
        if pair in known and known[pair][0] == question:  # a shot often repeats a charge's query
            seen = known[pair][1]
        else:
            eye = ViewEdge(x, y, cos, sin, wide, slope)
            if ease:
                eye = eye.eased(ease * spread, ease * turn)
            goal = ground.goal(target, ease) if ease else ground.boxes[target]
            others = list(compress(ground.eased(ease), near))
            seen = LosQuery(goal, others, parts, ground.through_any).look(eye, exempt, freed)
            known[pair] = question, seen
        answers.append(seen)
    return SightSolver(*np.array(answers, dtype=bool).reshape(-1, len(LosResult._fields)).T)


def near_ways(looks: SightQueries, blockers: Blockers, sigmas: Floats) -> Bools:
    """Broad phase (m, n + p): which trays and terrain parts may come between viewer and target.

    All lines of sight run near the one from the middle of the front edge to the target's centre.
    Along that line, forward is the real axis.
    """
    eyes, target = looks.eyes, looks.target
    middles, radius, start = blockers.middles, blockers.radius, spots(eyes.arrow)
    way = middles[target] - start
    length = np.abs(way) + NEAR_IN
    away = (middles - start[:, None]) * (way.conj() / length)[:, None]
    away -= np.minimum(np.maximum(away.real, 0.0), length[:, None])
    wide = np.maximum(eyes.half[:, 1], radius[target]) + 2 * NEAR_IN
    if sigmas.any():  # edge and corners are eased by at most twice their sigmas
        wide = wide + 4 * np.abs(sigmas) * max(blockers.trays.spread.max(), eyes.spread.max())
    return np.asarray(np.abs(away) <= wide[:, None] + radius)


def spots(points: Floats) -> Spots:
    """Points (k, 2) as complex numbers (k,)."""
    return np.ascontiguousarray(points).view(complex)[:, 0]

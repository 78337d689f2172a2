"""Retreats along a straight path, and the pivots at its end that make them legal (TMG-RET-3..9).

Branch and bound over slide distances and pivots: a range in which every end is too close to
something is discarded, others are bisected until a legal end is found or nothing is left. So a "no"
is proved, however narrow the gap.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.movement.move_end import (
    SAME_PLACE_IN,
    MoveEnd,
    SweptPath,
    swing_from,
)
from companion.games.tmg.rules.rulebook import CLEAR_IN, CONTACT_IN, ROUGH_IN, SLOWS, STOPS
from companion.geometry.plane.answer import (
    LIMIT_IN,
    ROUNDING_IN,
    SURE_SIGMAS,
    YES,
    Answer,
    both,
    eased_chance,
    no,
    normal,
)
from companion.geometry.plane.motion.clearance_bounds import (
    ClearanceBounds,
    RangeBounds,
    RangeCells,
)
from companion.geometry.plane.motion.shift import Axis, ShiftTrack
from companion.geometry.plane.solids import TOUCH_IN, Solids
from companion.geometry.plane.trays import Bools, Floats
from models import Pose
from models.unit import OVERLAP_TOLERANCE_IN

STEP_IN, TURN_DEG = 1.0, 15.0
"""The size of the first ranges of slides and turns."""
MOST_TRIED = 24
"""At most this many ends, those with the most clearance, are checked exactly."""
SWING_IN = 1 / 128
"""Half the length of intervals short enough to compute a swing between walls."""
HALF_TURN = math.pi
"""A tray is symmetric under half a turn, so only half a turn of headings is searched."""


@dataclass(frozen=True, eq=False)
class RetreatPath:
    """One unit that retreats along one of its axes, at most `most_in`, and pivots there."""

    field: Battlefield
    place: int
    most_in: float
    axis: Axis

    @property
    def pose(self) -> Pose:
        """The pose at the start."""
        return self.field.units[self.place].pose

    @cached_property
    def mover(self) -> MoveEnd:
        return MoveEnd(self.field, self.place)

    @cached_property
    def near(self) -> Bools:
        """(q,): broad phase: the solids that may affect where it ends."""
        field, solids = self.field, self.field.solids
        centre, half = field.trays.centre[self.place], field.trays.half[self.place]
        away = solids.corners - centre
        # a tray's corners lie within its diagonal of its nearest point
        reach = self.most_in + CLEAR_IN + float(np.hypot(*half))
        low, high = away.min(axis=1), away.max(axis=1)
        gap = np.maximum(np.maximum(low, -high), 0.0)
        spare = SURE_SIGMAS * (float(field.trays.spread.max()) + self.spread)
        return np.asarray(np.hypot(gap[:, 0], gap[:, 1]) <= reach + spare)

    @property
    def spread(self) -> float:
        """One sigma of the position of its own tray."""
        return float(self.field.trays.spread[self.place])

    # -- the path ---------------------------------------------------------------------------

    @cached_property
    def open_in(self) -> tuple[float, float]:
        """How far the path is open: possibly, and certainly."""
        return self.open_at(SURE_SIGMAS), self.open_at(-SURE_SIGMAS)

    def open_at(self, sigmas: float) -> float:
        """How far the path is open with measurements eased by this many sigmas (OR-22).

        It may run along trays it touches, but through no other enemy and no Impassable piece.
        """
        if sigmas not in self._opened:
            others, along = self.stops
            grown = -sigmas * float(self.field.trays.spread.max())
            met = self.met(others, grown), self.met(along, 0.0)
            self._opened[sigmas] = min(*met, self.most_in)
        return self._opened[sigmas]

    @cached_property
    def _opened(self) -> dict[float, float]:
        return {}  # cache: the same few sigmas recur for every end

    @cached_property
    def stops(self) -> tuple[Floats, Floats]:
        """The corners of obstacles: of those it does not touch, and shrunk, of those it does."""
        solids, field = self.field.solids, self.field
        touched = np.zeros(len(solids), dtype=bool)
        touched[: len(field.units)] = field.touching[self.place]
        stops = self.mover.trays(enemy=True) | self.mover.parts(*STOPS)
        beside = OVERLAP_TOLERANCE_IN + CONTACT_IN + SURE_SIGMAS * field.trays.spread
        eased = Solids.of(field.trays, field.walls, beside)
        return solids.corners[stops & ~touched], eased.corners[stops & touched]

    def met(self, corners: Floats, grown: float) -> float:
        """The distance until a tray enlarged by `grown` meets one of these."""
        return float(np.maximum(self.entries(corners, grown), 0.0).min(initial=math.inf))

    def entries(self, corners: Floats, grown: float = 0.0) -> Floats:
        """The distance until it meets each of these; infinite where it never does."""
        tray = self.field.obstacles.boxes[self.place]
        tray = tray._replace(deep=max(tray.deep + grown, 1e-3), wide=max(tray.wide + grown, 1e-3))
        start, stop = ShiftTrack.of(tray, self.axis).spans(corners)
        return np.where(stop > TOUCH_IN, start, np.inf)

    # -- where it may end -------------------------------------------------------------------

    @cached_property
    def hard(self) -> Bools:
        """(q,): the solids it must keep clear of: other trays and Impassable pieces."""
        trays = self.mover.trays(enemy=True) | self.mover.trays(enemy=False)
        return np.asarray((trays | self.mover.parts(*STOPS)) & self.near)

    @cached_property
    def limits(self) -> tuple[Floats, Floats]:
        """The required distance from each of these and from the edges, and one sigma of each.

        1 inch from enemies (TMG-MOV-7), no overlap with other trays or walls.
        """
        spread = np.zeros(len(self.field.solids))
        spread[: len(self.field.units)] = self.field.trays.spread
        enemies = self.mover.trays(enemy=True)[self.hard]
        return (
            np.append(np.where(enemies, CLEAR_IN, 0.0), -SAME_PLACE_IN),
            np.append(np.hypot(spread[self.hard], self.spread), self.pose.sigma.xy_in),
        )

    @cached_property
    def leeway(self) -> ClearanceBounds:
        """The clearance bounds of all ends, for the possible and for the certain distances."""
        limit, sigma = self.limits
        doubt = SURE_SIGMAS * sigma
        return self.among(self.hard, limit - doubt - LIMIT_IN, limit + doubt - ROUNDING_IN)

    def among(self, solids: Bools, wanted: Floats, safe: Floats) -> ClearanceBounds:
        """The same slides and turns among these solids."""
        field, trays, every = self.field, self.field.trays, self.field.solids
        forward = trays.forward[self.place]
        left = np.array([-forward[1], forward[0]])
        chosen = Solids(
            every.corners[solids],
            every.normal[solids],
            every.offset[solids],
            int(solids[: len(field.units)].sum()),
        )
        size = np.array([field.table.width, field.table.depth])
        return ClearanceBounds(
            trays.centre[self.place],
            math.radians(self.pose.heading),
            trays.half[self.place],
            self.axis[0] * forward + self.axis[1] * left,
            chosen,
            np.full(2, np.inf) if field.readings.table_edge == "off" else size,  # OR-18
            wanted,
            safe,
        )

    def first_cells(self) -> RangeCells:
        """All slides and turns, split at headings where tray and obstacle edges are parallel."""
        normal_ = self.leeway.solids.normal.reshape(-1, 2)
        sides = np.arctan2(normal_[:, 1], normal_[:, 0]) - math.radians(self.pose.heading)
        along = np.append(sides, -math.radians(self.pose.heading)) % (HALF_TURN / 2)
        steps = np.arange(-90.0, 90.0 + TURN_DEG / 2, TURN_DEG)
        turns = np.sort(np.concatenate([np.radians(steps), along, along - HALF_TURN / 2]))
        turns = turns[np.append(True, np.diff(turns) > ROUNDING_IN)]
        most = self.open_in[0]
        return RangeCells.between(
            np.linspace(0.0, most, 1 + max(1, math.ceil(most / STEP_IN))), turns
        )

    def tried(self, cells: RangeCells, room: Floats) -> Iterator[RetreatEnd]:
        """The extremes (k, 4) of these cells with the most clearance, each with its answer."""
        way, turn = (part.reshape(-1) for part in cells.ends())
        order = np.argsort(-room.reshape(-1), kind="stable")
        order = order[room.reshape(-1)[order] >= 0][: 4 * MOST_TRIED]
        ends = np.unique(np.stack([way[order], turn[order]], axis=1), axis=0)[:MOST_TRIED]
        if not len(ends):
            return
        margins = self.leeway.margins(ends[:, 0], ends[:, 1])
        for (far, turned), margin in zip(ends.tolist(), margins, strict=True):
            if (margin >= self.leeway.wanted).all():
                answer = both(self.clear(far, margin), self.legal(far, turned))
                spare = float((margin - self.leeway.wanted).min())
                yield RetreatEnd(answer, spare, self, far, turned)

    def clear(self, far_in: float, margin: Floats) -> Answer:
        """Whether the path is open and the end has the required clearance."""
        leeway = self.leeway
        if (margin >= leeway.safe).all() and far_in <= self.open_in[1] + TOUCH_IN:
            return Answer("yes")
        limit, doubt = self.limits
        chance = 1.0
        if far_in > self.open_in[1] + TOUCH_IN:
            chance = eased_chance(lambda sigmas: far_in <= self.open_at(sigmas) + TOUCH_IN)
        for spare, sigma in zip((margin - limit).tolist(), doubt.tolist(), strict=True):
            chance *= normal(spare, sigma) if sigma or spare < 0 else 1.0
        return Answer("unsure", ("TMG-RET-9",), float((margin - limit).min()), chance)

    def legal(self, far_in: float, turned_rad: float) -> Answer:
        """Whether Rough ground (TMG-TER-17) and walls in its swing (TMG-TER-16) allow this end."""
        end = self.end(far_in, turned_rad)
        cost = self.mover.rough_cost(SweptPath(self.pose, self.axis, far_in), end)
        if far_in > self.most_in - cost + TOUCH_IN:
            return no("TMG-RET-3")
        return self.turns(far_in, turned_rad) if self.walled else YES

    def end(self, far_in: float, turned_rad: float) -> Pose:
        """Where a slide and a turn lead."""
        there = self.pose.shifted(self.axis[0] * far_in, self.axis[1] * far_in)
        return there.turned(there.heading + math.degrees(turned_rad))

    def turns(self, far_in: float, turned_rad: float) -> Answer:
        """Whether it can turn by this angle there, either way round."""

        def turns(sigmas: float) -> bool:
            left, right = self.turns_at(far_in, -sigmas * self.spread)
            return any(-right <= turned_rad + half * HALF_TURN <= left for half in range(-2, 3))

        if turns(-SURE_SIGMAS):
            return YES
        if not turns(SURE_SIGMAS):
            return no("TMG-TER-16")
        return Answer("unsure", ("TMG-TER-16",), None, eased_chance(turns))

    # -- discarding ranges ---------------------------------------------------------------------

    def halved(self, cells: RangeCells, bounds: RangeBounds) -> RangeCells:
        """Each cell split in two; near walls rather by slides, which decide the swing."""
        across = bounds.across
        if self.walled:
            slim = cells.wide * np.hypot(*self.leeway.half) < cells.long
            free = bounds.ends.min(axis=1) >= 0
            across = across & ~((cells.long > SWING_IN) & (slim | free))
        return cells.halved(across)

    def possible(self, cells: RangeCells, sure: bool) -> Bools:
        """Whether obstacles, Rough ground and walls leave part of each cell."""
        first = cells.way - cells.long
        return (
            (first <= self.open_in[sure] + TOUCH_IN) & self.paid(cells, first) & self.swings(cells)
        )

    def paid(self, cells: RangeCells, first: Floats) -> Bools:
        """Whether the cost of Rough ground on the path and at the end allows this distance."""
        field = self.field
        rough = self.mover.parts(*SLOWS)
        if not (rough & self.near).any():
            return np.ones(len(cells), dtype=bool)
        piece = field.walls.piece[rough[len(field.units) :]]
        under = self.entries(field.solids.corners[rough]) < first[:, None] - TOUCH_IN
        if field.edition.last_pivot_pays:
            ground = self.among(rough, np.zeros(rough.sum() + 1), np.zeros(rough.sum() + 1))
            under = under | ground.covered(cells)
        pieces = np.array([under[:, piece == one].any(axis=1) for one in np.unique(piece)])
        each = field.readings.rough == "each"  # OR-26
        cost = ROUGH_IN * (pieces.sum(axis=0) if each else pieces.any(axis=0))
        return np.asarray((first <= self.most_in - cost + TOUCH_IN) | (first <= SAME_PLACE_IN))

    def swings(self, cells: RangeCells) -> Bools:
        """Whether it can turn so without swinging over a wall, where it may not (TMG-TER-16)."""
        found = np.ones(len(cells), dtype=bool)
        if not self.walled:
            return found
        turns = np.arange(-2, 3)[:, None] * HALF_TURN + cells.turn  # equivalent turns
        for far, long in {*zip(cells.way.tolist(), cells.long.tolist(), strict=True)}:
            left, right = self.turns_within(far, long)
            rows = (cells.way == far) & (cells.long == long)
            reach = cells.wide[rows]
            within = (turns[:, rows] - reach <= left) & (turns[:, rows] + reach >= -right)
            found[rows] = within.any(axis=0)
        return found

    @cached_property
    def walled(self) -> bool:
        """Whether there are walls it may not swing over."""
        walls = self.mover.parts(*STOPS) & self.near
        return bool(walls.any()) and not self.field.edition.swings_over_walls

    def turns_within(self, far_in: float, long_in: float) -> tuple[float, float]:
        """Upper bounds of the left and right turn after slides within `long_in` of `far_in`.

        A turn that is impossible for a tray shrunk by `long_in` is impossible for all of them.
        """
        return self.turns_at(far_in, -long_in - SURE_SIGMAS * self.spread)

    def turns_at(self, far_in: float, grown: float) -> tuple[float, float]:
        """How far a tray enlarged by `grown` turns left and right after that slide."""
        pose = self.pose.shifted(self.axis[0] * far_in, self.axis[1] * far_in)
        swing = swing_from(self.field, self.place, pose, grown)
        return swing.left + ROUNDING_IN, swing.right + ROUNDING_IN


@dataclass(frozen=True, slots=True, eq=False)
class RetreatEnd:
    """An end that was tried: its answer, and how much room it has beyond what it needs."""

    answer: Answer
    spare_in: float
    path: RetreatPath
    far_in: float
    turned_rad: float

    @property
    def pose(self) -> Pose:
        return self.path.end(self.far_in, self.turned_rad)


MOST_CELLS = 8_000
"""At most this many ranges are evaluated; if some are still open, the answer is unsure."""
MOST_WORK = 2_000_000
"""All engaged units of a table together: ranges times the corners that they are compared with."""
VAGUE_IN = 1.0
"""One sigma with which no pivot after the move is surely legal, and none surely illegal."""
LEAST = 1e-9
"""Ranges no wider than this are not bisected."""


@dataclass(frozen=True, slots=True, eq=False)
class RetreatEscape:
    """The retreats of one unit with enemies too close for a straight path alone."""

    field: Battlefield
    place: int
    most_in: float

    @property
    def most_cells(self) -> int:
        """How many ranges may be evaluated: fewer where many units are engaged, or may be."""
        field = self.field
        engaged = sum(not free for free in field.unengaged)
        sides = field.solids.corners.shape[:2]
        return min(MOST_CELLS, MOST_WORK // max(1, engaged * sides[0] * sides[1]))

    @property
    def vague(self) -> bool:
        """Whether it, or an enemy that may touch it, may stand too far off for a search."""
        field = self.field
        close = field.maybe_touching[self.place] | field.engaged[self.place]
        close[self.place] = True
        return bool((field.trays.spread[close] >= VAGUE_IN).any())

    def answer(self, axes: Sequence[Axis]) -> Answer:
        """Whether a straight path along one of these axes followed by a pivot has a legal end."""
        return Answer("unsure", ("TMG-RET-9",), None, 0.5) if self.vague else self.search(axes)[0]

    def end(self, axes: Sequence[Axis]) -> Pose | None:
        """A legal end, or the likeliest where none is sure; None if there is none."""
        found = None if self.vague else self.search(axes, roomiest=True)[1]
        return found.pose if found is not None else None

    def search(
        self, axes: Sequence[Axis], roomiest: bool = False
    ) -> tuple[Answer, RetreatEnd | None]:
        """Whether there is a legal end, and the best one that was tried; `roomiest`: of several
        legal ones that with the most room, else the first."""
        lanes = [RetreatPath(self.field, self.place, self.most_in, axis) for axis in axes]
        open_ = [(lane, lane.first_cells()) for lane in lanes]
        best, nearest, looked = no("TMG-RET-9"), -math.inf, 0
        end: RetreatEnd | None = None
        while open_:
            left = []
            for lane, cells in open_:
                looked += len(cells)
                bounds = lane.leeway.bounds(cells)
                nearest = max(nearest, float(bounds.ends.max(initial=-math.inf)))
                keep = (bounds.most >= 0) & (cells.long + cells.wide > LEAST)
                keep[keep] = lane.possible(cells.subset(keep), sure=bool(best.chance))
                cells, bounds = cells.subset(keep), bounds.subset(keep)
                legal = []
                for one in lane.tried(cells, bounds.ends):
                    if one.answer:
                        legal.append(one)
                        if not roomiest:
                            break
                    if one.answer.chance > best.chance:
                        best, end = one.answer, one
                if legal:
                    return YES, max(legal, key=lambda one: one.spare_in)
                keep = bounds.safe >= 0 if best.chance else bounds.most >= 0
                if keep.any():
                    left.append((lane, lane.halved(cells.subset(keep), bounds.subset(keep))))
            if looked > self.most_cells:
                open_left = Answer("unsure", ("TMG-RET-9",), min(nearest, 0.0), 0.5)
                return max(best, open_left, key=lambda one: one.chance), end
            open_ = left
        return best, end

"""A retreat that only its last pivot brings clear of the enemies (TMG-RET-6, TMG-RET-9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.battlefield import CONTACT_IN, Battlefield
from companion.games.tmg.ending import SAME_PLACE_IN, Mover, Sweep, facing
from companion.games.tmg.pivoting import pivot_over
from companion.games.tmg.shifting import CLEAR_IN
from companion.geometry.answer import SURE_SIGMAS, Answer, both, no
from companion.geometry.shift import Axis, gap_to
from companion.geometry.solids import TOUCH_IN
from companion.geometry.trays import Bools, Floats
from models import Pose

STEP_IN, TURN_DEG = 0.25, 5.0
"""Ends are tried so far apart; FINE times as close together around those that may do."""
FINE = 5
NEARLY_IN = 0.3
MOST_REFINED, MOST_TRIED = 40, 200
"""So many of the roomiest ends are tried finely, so many looked at closely."""


@dataclass(frozen=True, slots=True)
class End:
    """Where a retreat may end: its room to the nearest enemy, the way there, the tray turned."""

    room_in: float
    sweep: Sweep
    pose: Pose


@dataclass(frozen=True, slots=True, eq=False)
class Escape:
    """The retreats of one unit among enemies too near for a straight way alone."""

    field: Battlefield
    place: int
    most_in: float

    def answer(self, axes: Sequence[Axis]) -> Answer:
        """Whether a straight way along one of these axes and a pivot lead anywhere."""
        doubt = SURE_SIGMAS * self.field.gap_sigma[self.place, self.near]
        enough = CLEAR_IN - float(doubt.max(initial=0.0)) - TOUCH_IN
        ways = {axis: self.clear_ways(axis) for axis in axes}
        turns = np.arange(TURN_DEG, 180.0, TURN_DEG)  # half a turn looks the same
        tried = [
            end for axis in axes for end in self.ends(axis, ways[axis], turns, enough - NEARLY_IN)
        ]
        best = self.best(end for end in tried if end.room_in >= enough)
        if best:
            return best
        close = roomiest(end for end in tried if end.room_in < enough)[:MOST_REFINED]
        finer = (one for end in close for one in self.around(end, ways[end.sweep.axis][-1], enough))
        return max(best, self.best(finer), key=lambda answer: answer.chance)

    def best(self, ends: Iterable[End]) -> Answer:
        """The first of these that is legal, the roomiest first; else the likeliest."""
        best = no("TMG-RET-9")
        for end in roomiest(ends)[:MOST_TRIED]:
            found = self.legal(end)
            if found:
                return found
            if found.chance > best.chance:
                best = Answer("unsure", ("TMG-RET-9",), None, found.chance)
        return best

    def around(self, end: End, most_in: float, least_in: float) -> Iterator[End]:
        """Ends close to one that has nearly room enough."""
        grid = np.arange(-FINE, FINE + 1) / (2 * FINE)
        ways = np.clip(end.sweep.travel_in + STEP_IN * grid, 0.0, most_in)
        turn = end.pose.heading - end.sweep.start.heading
        return self.ends(end.sweep.axis, ways.tolist(), turn + TURN_DEG * grid, least_in)

    def legal(self, end: End) -> Answer:
        """Whether one may end there: all but the way itself."""
        mover, start = Mover(self.field, self.place), self.field.units[self.place].pose
        cost = mover.rough_cost(end.sweep, end.pose)
        if end.sweep.travel_in > self.most_in - cost + TOUCH_IN:
            return no("TMG-RET-3")
        turned = end.pose.turned(start.heading)
        return both(
            mover.ends(end.pose), pivot_over(self.field, self.place, end.pose.heading, turned)
        )

    def ends(
        self, axis: Axis, ways: Sequence[float], turns: Floats, least_in: float
    ) -> Iterator[End]:
        """The ends of these ways and pivots that have so much room and lie on nobody else."""
        field, mover = self.field, Mover(self.field, self.place)
        enemies, half = field.trays.corners[self.near], field.trays.half[self.place]
        others = field.solids.corners[mover.trays(enemy=False) | mover.parts("impassable")]
        pose = field.units[self.place].pose
        poses = [pose.shifted(axis[0] * way, axis[1] * way) for way in ways]
        centres = np.array([(one.x, one.y) for one in poses])
        for turn in turns.tolist():
            ahead = facing(pose.heading + turn)
            rows = np.flatnonzero(self.on_table(centres, ahead))
            if len(rows) and len(others):
                rows = rows[gap_to(centres[rows], ahead, half, others) > 0]
            if not len(rows):
                continue
            room = gap_to(centres[rows], ahead, half, enemies)
            for row, apart in zip(rows.tolist(), room.tolist(), strict=True):
                if apart >= least_in:
                    end = poses[row].turned(pose.heading + turn)
                    yield End(apart, Sweep(pose, axis, ways[row]), end)

    def on_table(self, centres: Floats, ahead: Floats) -> Bools:
        """(k,): whether the tray lies on the table there (OR-18)."""
        if self.field.readings.table_edge == "off":
            return np.ones(len(centres), dtype=bool)
        half = self.field.trays.half[self.place]
        extent = np.abs(ahead) * half[0] + np.abs(ahead[::-1]) * half[1] - SAME_PLACE_IN
        size = np.array([self.field.table.width, self.field.table.depth])
        fits = (centres >= extent) & (centres <= size - extent)
        return np.asarray(fits.all(axis=1))

    @property
    def near(self) -> Bools:
        """(n,): the enemies that may bear on it."""
        field, place = self.field, self.place
        reach = self.most_in + CLEAR_IN + np.hypot(*field.trays.half[place])
        within = field.pairs.gap[place] <= reach + SURE_SIGMAS * field.gap_sigma[place]
        return np.asarray(field.enemies[place] & within)

    def clear_ways(self, axis: Axis) -> list[float]:
        """How far it may go: along the trays it touches, but through nobody (OR-22)."""
        found = [0.0]
        for way in (*np.arange(STEP_IN, self.most_in, STEP_IN).tolist(), self.most_in):
            if not self.passes(axis, way):
                finer = (way - STEP_IN * part / FINE for part in range(1, FINE))
                return [*found, *[part for part in finer if self.passes(axis, part)][:1]]
            found.append(way)
        return found

    def passes(self, axis: Axis, way_in: float) -> bool:
        """Whether so long a way meets nobody."""
        field, mover = self.field, Mover(self.field, self.place)
        touched = np.zeros(len(field.solids), dtype=bool)
        touched[: len(field.units)] = field.touching[self.place]
        solid = mover.trays(enemy=True) | mover.parts("impassable")
        slack = SURE_SIGMAS * float(field.trays.spread.max(initial=0.0))
        sweep = Sweep(field.units[self.place].pose, axis, way_in)
        through = mover.meets(sweep, -SAME_PLACE_IN - slack)[solid & ~touched]
        within = mover.meets(sweep, -4 * CONTACT_IN - slack)[solid & touched]
        return not (through.any() or within.any())


def roomiest(ends: Iterable[End]) -> list[End]:
    """These ends, the roomiest first."""
    return sorted(ends, key=lambda end: -end.room_in)

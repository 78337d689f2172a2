"""Pivots: those that were evaluated, and the exact one between two others at which a tray begins
to meet an obstacle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.geometry.plane.motion.shift import AXES, ShiftTrack
from companion.geometry.plane.sight.scalar_shapes import OrientedRect, Spot
from companion.geometry.plane.solids import TOUCH_IN
from companion.geometry.plane.trays import Bools, Floats, Ints

REFINE_IN = 1e-6
"""Gains smaller than this are not refined."""


@dataclass(frozen=True, slots=True, eq=False)
class PivotCandidates:
    """The evaluated pivots of r movers, h each, in order, and their results."""

    headings: Floats  # (r, h)
    travel: Floats
    slow: Floats  # the cost of slow ground
    cost: Floats  # the total with tie-breakers; infinite where not allowed
    allowed: Bools  # apart from line of sight
    walled: Bools  # allowed except that the tray cannot swing there
    met: Bools  # (q, r, h) obstacles met: stops and slows on the path; bars where the tray ends

    @property
    def total(self) -> Floats:
        """The travel and the cost of slow ground."""
        return self.travel + self.slow

    def at(self, rows: Ints, columns: Ints) -> Floats:
        """Heading, travel, total distance and cost (k, 4) of these candidates."""
        found = np.empty((len(rows), 4))
        for number, kind in enumerate((self.headings, self.travel, self.total, self.cost)):
            found[:, number] = kind[rows, columns]
        return found

    def edges(self, least: Floats) -> Iterator[tuple[int, int, int]]:
        """Row, last allowed column and first column beyond it, for each boundary worth refining.

        Beyond it, paths are forbidden or slower but shorter; otherwise the boundary could not
        improve on the allowed pivot, as the travel between two neighbours is at least the smaller
        of theirs.
        """
        low, high = np.s_[:, :-1], np.s_[:, 1:]
        change = (self.allowed[low] != self.allowed[high]) | (self.slow[low] != self.slow[high])
        shorter = np.minimum(self.travel[low], self.travel[high]) < least[:, None] - REFINE_IN
        for row, place in np.argwhere(change & shorter).tolist():
            for here, there in ((place, place + 1), (place + 1, place)):
                slow, travel = self.slow[row, here], self.travel[row, there]
                if (
                    self.allowed[row, here]
                    and travel < self.travel[row, here]
                    and travel + slow < least[row] - REFINE_IN
                    and (not self.allowed[row, there] or self.slow[row, there] > slow + 0.5)
                ):
                    yield row, here, there


HAIR = 1e-5
"""A step this small from one pivot toward the next shows an obstacle that begins right there."""
FINE_RAD = 1e-8
"""The precision of a boundary."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A tray at the origin, its target, and the polygons it must not meet before it."""

    deep: float
    wide: float
    target: Sequence[Spot]
    passed: Sequence[Sequence[Spot]]  # must not be overlapped after the pivot, but may be passed
    others: Sequence[Sequence[Spot]]

    def met(self, heading: float) -> bool:
        """Whether one of the polygons is met after this pivot."""
        tray = OrientedRect(0.0, 0.0, 1.0, 0.0, self.deep, self.wide).turned(heading)
        for spots in self.passed:
            if meeting(spots, tray)[1]:
                return True
        travel, on = meeting(self.target, tray)
        before = -math.inf if on else travel - TOUCH_IN
        for spots in self.others:
            travel, on = meeting(spots, tray)
            if on or travel < before:
                return True
        return False

    def between(self, free: float, shut: float) -> float:
        """The last heading from a free one toward a blocked one at which no polygon is met."""
        if self.met(free + HAIR * (shut - free)):
            return free  # most obstacles begin exactly at an evaluated pivot, which touches them
        while abs(shut - free) > FINE_RAD:
            middle = (free + shut) / 2
            if self.met(middle):
                shut = middle
            else:
                free = middle
        return free


def meeting(spots: Sequence[Spot], tray: OrientedRect) -> tuple[float, bool]:
    """Travel until a tray that moves ahead meets a polygon, and whether it overlaps it at once."""
    start, stop = ShiftTrack.of(tray, AXES[0]).span(spots)
    if start >= -TOUCH_IN:
        return max(start, 0.0), False
    return math.inf, stop > TOUCH_IN

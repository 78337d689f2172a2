"""The pivots that were evaluated, and their results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

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

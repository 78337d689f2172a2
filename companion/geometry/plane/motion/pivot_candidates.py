"""Pivots that were tried, and what would come of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.geometry.plane.trays import Bools, Floats, Ints

REFINE_IN = 1e-6
"""So little is not worth seeking."""


@dataclass(frozen=True, slots=True, eq=False)
class PivotCandidates:
    """Pivots tried by r movers, h each, in order: what would come of them."""

    headings: Floats  # (r, h)
    travel: Floats
    slow: Floats  # what slow ground costs
    cost: Floats  # the total, a little more for what is minded, infinite where not allowed
    allowed: Bools  # but for sight
    walled: Bools  # allowed but that the tray cannot swing there
    met: Bools  # (q, r, h) on the way: stops and slows; bars where the tray ends on them

    @property
    def total(self) -> Floats:
        """The whole distance."""
        return self.travel + self.slow

    def repeated(self, real: Bools) -> PivotCandidates:
        """The same where only the `real` were tried: the others repeat the one before."""
        first = np.maximum.accumulate(np.where(real, np.arange(real.shape[1]), 0), axis=1)
        every = np.arange(len(real))[:, None]
        return PivotCandidates(
            self.headings,
            self.travel[every, first],
            self.slow[every, first],
            self.cost[every, first],
            self.allowed[every, first],
            self.walled[every, first],
            self.met[:, every, first],
        )

    def at(self, rows: Ints, columns: Ints) -> Floats:
        """Heading, travel, total distance and cost (k, 4) of some of them."""
        found = np.empty((len(rows), 4))
        for number, kind in enumerate((self.headings, self.travel, self.total, self.cost)):
            found[:, number] = kind[rows, columns]
        return found

    def edges(self, least: Floats) -> Iterator[tuple[int, int, int]]:
        """Rows and places of allowed pivots before an edge, and of those beyond it.

        There ways are refused or slower; but shorter, or the edge would be no better than
        the pivot: between two that were tried, the travel is not less than both of theirs.
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

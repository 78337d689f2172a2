"""Pivots that were tried: what would come of them, and who refused those that were refused."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from companion.geometry.trays import Bools, Floats, Ints

REFINE_IN = 1e-4
"""So little is not worth seeking."""


@dataclass(frozen=True, slots=True, eq=False)
class Tries:
    """Pivots tried by r movers, h each, in order: what would come of them."""

    headings: Floats  # (r, h)
    travel: Floats
    total: Floats
    cost: Floats  # the total, a little more for what is minded, infinite where not allowed
    allowed: Bools  # but for sight
    walled: Bools  # allowed but that the tray cannot swing there
    refused: Bools  # (s, r, h) by each of the stops and bars

    def repeated(self, real: Bools) -> Tries:
        """The same where only the `real` were tried: the others repeat the one before."""
        first = np.maximum.accumulate(np.where(real, np.arange(real.shape[1]), 0), axis=1)
        every = np.arange(len(real))[:, None]
        return Tries(
            self.headings,
            self.travel[every, first],
            self.total[every, first],
            self.cost[every, first],
            self.allowed[every, first],
            self.walled[every, first],
            self.refused[:, every, first],
        )

    def at(self, rows: Ints, columns: Ints) -> Floats:
        """Heading, travel, total distance and cost (k, 4) of some of them."""
        found = np.empty((len(rows), 4))
        for number, kind in enumerate((self.headings, self.travel, self.total, self.cost)):
            found[:, number] = kind[rows, columns]
        return found

    def edges(self, least: Floats) -> tuple[Ints, Ints]:
        """Rows and places of neighbouring pivots between which a better one may hide."""
        bound = np.minimum(self.travel[:, 1:], self.travel[:, :-1])
        with np.errstate(invalid="ignore"):
            slowed, allowed = np.nan_to_num(self.total - self.travel), self.allowed
        edge = (allowed[:, 1:] != allowed[:, :-1]) | (np.abs(np.diff(slowed, axis=1)) > 0.5)
        rows, place = np.nonzero(edge & (bound < least[:, None] - REFINE_IN))
        return rows, place


@dataclass(frozen=True, slots=True, eq=False)
class Refusals:
    """Who refused the pivots that a search of m movers tried: so it is known who decided it."""

    tries: Tries
    owner: Ints  # (m, s) whom the stops and bars belong to
    least: Floats  # (m,) the cost of what was found
    settled: Bools  # (m,) it is one of the pivots tried, and no cheaper one was out of sight

    def same_without(self, row: int, gone: Collection[int]) -> bool:
        """Whether a mover would have found the same way with some of its stops and bars gone.

        Fewer of them refuse less. So nothing changes where no pivot that might be cheaper was
        refused by them alone, nor bounds what was open.
        """
        if not self.settled[row]:
            return False
        tries, theirs = self.tries, np.isin(self.owner[row], list(gone))
        refused, allowed, travel = tries.refused[:, row], tries.allowed[row], tries.travel[row]
        felt = np.logical_or.reduce(refused[theirs])
        opened = felt & ~np.logical_or.reduce(refused[~theirs])
        bounds = (felt[1:] | felt[:-1]) & (allowed[1:] != allowed[:-1])
        cheaper = np.minimum(travel[1:], travel[:-1]) <= self.least[row] + REFINE_IN
        return not np.any(cheaper & (opened[1:] | opened[:-1] | bounds))

"""Chooses a place for every badge so that all together cost little."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from companion.overlay.badge_places import CROSSED, OVERLAP, Array, Indices, Places, joined

NOWHERE = 20000.0
"""The cost of no badge at all."""
TRIES = 12
"""How many of its best places a badge in a poor one tries, others making room for it."""
POOR = 25.0
"""What the place costs of a badge that looks for a better one."""
ROUNDS = 3
"""How often badges in poor places look again."""
NONE = -1
"""The place of a badge that has none."""


class BadgeSearch:
    """Begins with the places that badges had before; those without one and those in a poor one look
    for others, and push badges away if all that is better.

    What it costs a badge to leave its place is in the costs of its other places.
    """

    def __init__(self, places: Sequence[Places], before: Sequence[int]) -> None:
        ends = np.cumsum([0, *(len(one.costs) for one in places)])
        self.ways = [np.arange(start, end) for start, end in pairwise(ends)]
        self.all = joined(places)
        self.met: dict[int, Array] = {}
        self.chosen = np.full(len(places), NONE)
        self.burden = np.zeros(len(self.all.costs))
        """What every place costs beside the badges chosen so far."""
        for number, at in enumerate(before):
            if at != NONE and self.burden[self.ways[number][at]] < OVERLAP:
                self.choose(number, int(self.ways[number][at]))
        self.run()

    def run(self) -> None:
        """Find a place for every badge."""
        every = range(len(self.ways))
        free = [number for number in every if self.chosen[number] == NONE]
        for number in [*free, *free]:
            self.take(number)
        for _turn in range(ROUNDS):
            last = self.chosen.copy()
            for number in sorted(every, key=self.cost, reverse=True):
                if self.cost(number) >= POOR:
                    self.take(number)
                    self.push(number)
            if (self.chosen == last).all():
                break

    def meets(self, at: int) -> Array:
        """What a badge at this place costs all other places."""
        if at not in self.met:
            self.met[at] = self.all.meets(at)
        return self.met[at]

    def choose(self, number: int, at: int) -> None:
        """Lay a badge at this place, or at none."""
        before = int(self.chosen[number])
        if before != NONE:
            self.burden -= self.meets(before)
        if at != NONE:
            self.burden += self.meets(at)
        self.chosen[number] = at

    def take(self, number: int) -> None:
        """Choose the best of its places, if there is one beside the badges chosen so far."""
        self.choose(number, NONE)
        ways = self.ways[number]
        costs = self.all.costs[ways] + self.burden[ways]
        if len(ways) and costs.min() < OVERLAP / 2:
            self.choose(number, int(ways[int(np.argmin(costs))]))

    def cost(self, number: int) -> float:
        """What the place of a badge costs."""
        at = self.chosen[number]
        return NOWHERE if at == NONE else float(self.all.costs[at] + self.burden[at])

    def total(self) -> float:
        """What all the chosen places cost together."""
        shown = self.chosen[self.chosen != NONE]
        missing = NOWHERE * (len(self.chosen) - len(shown))
        return missing + float(self.all.costs[shown].sum() + self.burden[shown].sum() / 2)

    def push(self, number: int) -> None:
        """Lay a badge where it would lie best; those that lie there look for other places, and so
        do the ones that they push away, if all that is better."""
        ways = self.ways[number]
        for at in self.best(ways):
            if self.all.costs[at] >= self.cost(number):
                break
            last, burden, before = self.chosen.copy(), self.burden.copy(), self.total()
            self.choose(number, int(at))
            pushed = self.beneath(number)
            for one in pushed:
                self.choose(one, NONE)
            for one in [*pushed, *pushed, number]:
                self.take(one)
            if self.total() >= before - 0.5:
                self.chosen, self.burden = last, burden

    def best(self, ways: Indices) -> Indices:
        """The cheapest of these places."""
        return ways[np.argsort(self.all.costs[ways], kind="stable")[:TRIES]]

    def beneath(self, number: int) -> list[int]:
        """The badges that cannot stay beside that of this one."""
        met = self.meets(int(self.chosen[number]))
        return [
            one
            for one, at in enumerate(self.chosen)
            if one != number and at != NONE and met[at] >= CROSSED
        ]

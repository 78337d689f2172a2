"""How far a piece comes on a grid: the cheapest way to every cell, costs in whole spaces."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Place = TypeVar("Place")
"""A cell, or a cell with whatever else a game must know on the way (a facing, a road bonus)."""
Steps = Callable[[Place], Iterable[tuple[Place, int]]]
"""The places next to one, each with what the step costs."""


@dataclass(frozen=True, slots=True)
class Reach(Generic[Place]):
    """Every place that can be reached, what it costs, and from where it is entered."""

    cost: dict[Place, int]
    entered_from: dict[Place, Place]

    def way(self, place: Place) -> list[Place]:
        """The places of the cheapest way, the start first."""
        found = [place]
        while found[-1] in self.entered_from:
            found.append(self.entered_from[found[-1]])
        return found[::-1]


def reach(start: Place, most: int, steps: Steps[Place]) -> Reach[Place]:
    """Every place within a cost; equally cheap ways are taken in the order of `steps`."""
    cost: dict[Place, int] = {start: 0}
    entered_from: dict[Place, Place] = {}
    queue: list[tuple[int, int, Place]] = [(0, 0, start)]
    pushed = 0
    while queue:
        spent, _, here = heapq.heappop(queue)
        if spent > cost[here]:
            continue
        for there, price in steps(here):
            total = spent + price
            if total <= most and total < cost.get(there, most + 1):
                pushed += 1
                cost[there], entered_from[there] = total, here
                heapq.heappush(queue, (total, pushed, there))
    return Reach(cost, entered_from)

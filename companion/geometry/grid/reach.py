"""Cheapest paths on a grid (Dijkstra), with integer costs."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Place = TypeVar("Place")
"""A cell, or a cell with whatever else a game tracks along the path (a facing, a road bonus)."""
Steps = Callable[[Place], Iterable[tuple[Place, int]]]
"""The neighbours of a place, each with the cost of the step."""


@dataclass(frozen=True, slots=True)
class Reach(Generic[Place]):
    """Every reachable place, its cost, and its predecessor on the cheapest path."""

    cost: dict[Place, int]
    entered_from: dict[Place, Place]

    def way(self, place: Place) -> list[Place]:
        """The places of the cheapest path, beginning with the start."""
        found = [place]
        while found[-1] in self.entered_from:
            found.append(self.entered_from[found[-1]])
        return found[::-1]


def reach(start: Place, most: int, steps: Steps[Place], least: int = 0) -> Reach[Place]:
    """Every place within a cost; ties between equally cheap paths follow the order of `steps`.

    `least` is the lowest price of a step that leaves a place other than the start.
    """
    cost: dict[Place, int] = {start: 0}
    entered_from: dict[Place, Place] = {}
    queue: list[tuple[int, int, Place]] = [(0, 0, start)]
    pushed = 0
    while queue:
        spent, _, here = heapq.heappop(queue)
        if spent > cost[here] or spent + least > most:
            continue
        for there, price in steps(here):
            total = spent + price
            if total <= most and total < cost.get(there, most + 1):
                pushed += 1
                cost[there], entered_from[there] = total, here
                heapq.heappush(queue, (total, pushed, there))
    return Reach(cost, entered_from)

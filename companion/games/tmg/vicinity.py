"""What lies about a unit that would charge another: under its turn, between them, in its way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.geometry.trays import Bools, Floats, Ints, Trays


@dataclass(frozen=True, slots=True)
class Vicinity:
    """(m, q) each: where things lie about m units that would charge m others."""

    under: Bools  # the unit may turn over it
    between: Bools  # it may hide the target from the turned unit
    ahead: Bools  # it may come into its way, for pivots that reach the target

    @classmethod
    def of(cls, trays: Trays, mover: Ints, target: Ints, middle: Floats, size: Floats) -> Vicinity:
        """Of q things at most so large about their middles (q, 2).

        All lines of view before a sweep lie in the hull of the mover's turning circle and the
        target, and all that it covers until it touches where the target is wider by its front.
        """
        start, front = trays.centre[mover], trays.half[mover, 1:]
        turning = np.hypot(trays.half[:, 0], trays.half[:, 1])
        own, goal_size = turning[mover][:, None], turning[target][:, None]
        goal = (trays.centre[target] - start)[:, None]
        away = middle - start[:, None]
        length, distance = (np.hypot(way[..., 0], way[..., 1]) for way in (goal, away))
        part = (away * goal).sum(axis=2) / np.maximum(length, 1e-12) ** 2
        miss = away - np.clip(part, 0.0, 1.0)[..., None] * goal
        under = distance <= own + size
        off, before = (
            np.hypot(miss[..., 0], miss[..., 1]) - size,
            distance - size <= length + goal_size,
        )
        between = before & (off <= np.maximum(own, goal_size))
        near = before & (off <= np.maximum(own, goal_size + 2 * front))
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = np.arccos(np.clip(part * length / distance, -1.0, 1.0))
            spread = np.arcsin(size / distance) + np.arcsin(front / (distance - size))
            reach = np.arcsin(goal_size / length) + np.arcsin(front / (length - goal_size))
        spread[under], reach[length <= own + goal_size] = np.pi, np.pi
        return cls(under, under | between, under | (near & (apart <= spread + reach)))

"""What lies about trays that pivot and advance: what stops, bars or slows them, or is minded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from companion.geometry.plane.sight.scalar_shapes import Spot
from companion.geometry.plane.trays import Bools, Floats, Ints

NOWHERE = (1e5, 1e5)
"""Where padding stands: too far to be met."""
NONE = -1
"""Of no piece."""
TRIFLE_IN = 1e-6
"""What the least minded thing weighs."""


class Obstacle(NamedTuple):
    """A convex polygon: of what piece of slow ground, how much it is minded."""

    corners: Sequence[Spot]
    piece: int = NONE
    weight: float = 0.0  # in hundredths


PADDING = Obstacle((NOWHERE,))


class NearbyObstacles(NamedTuple):
    """What one mover goes by.

    `stops` end the move before the target, `bars` are what the pivoted tray may not end on
    though the move passes it, `slows` cost, and of equal ways the one is taken that meets less
    of what is `minded`.
    """

    target: Sequence[Spot]
    stops: Sequence[Obstacle] = ()
    bars: Sequence[Obstacle] = ()
    slows: Sequence[Obstacle] = ()
    minded: Sequence[Obstacle] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """The same of m movers, q each: stops, bars, slows, then what is minded."""

    corners: Floats  # (m, 1 + q, e, 2) the target first
    piece: Ints  # (m, q)
    weight: Floats  # (m, q)
    stops: int  # so many are stops,
    bars: int  # so many that or bars,
    slows: int  # and so many not minded only

    @classmethod
    def of(cls, movers: Sequence[NearbyObstacles]) -> Obstacles:
        """What these go by, in arrays."""
        most = [max(map(len, kind)) for kind in list(zip(*movers, strict=True))[1:]]
        rows = [
            [
                one
                for kind, count in zip(mover[1:], most, strict=True)
                for one in (*kind, *(PADDING,) * (count - len(kind)))
            ]
            for mover in movers
        ]
        spots = [
            [mover.target, *(one.corners for one in row)]
            for mover, row in zip(movers, rows, strict=True)
        ]
        sides = max(len(corners) for row in spots for corners in row)
        stops, bars, slows, minded = most
        shape, ends = (len(rows), stops + bars + slows + minded), stops + bars
        return cls(
            np.array(
                [
                    [[*corners, *(corners[-1],) * (sides - len(corners))] for corners in row]
                    for row in spots
                ]
            ),
            np.array([[one.piece for one in row] for row in rows], dtype=np.intp).reshape(shape),
            np.array([[one.weight for one in row] for row in rows], dtype=float).reshape(shape),
            stops,
            ends,
            ends + slows,
        )

    def pieces_met(self, rows: Ints, hit: Bools, begun: Bools) -> Floats:
        """On how many pieces movers come (r, h) that meet these slows (s, r, h).

        Or leave, where they have `begun` (m, pieces) on them.
        """
        met, piece = np.zeros(hit.shape[1:]), self.piece[rows, self.bars : self.slows].T
        for number in range(begun.shape[1]):
            own = (piece == number)[:, :, None]
            met += np.any(hit & own, axis=0) | begun[rows, number][:, None]
        return met

    def trifle(self, rows: Ints, hit: Bools) -> Floats:
        """What movers mind (r, h) that meet these slows and others (s, r, h): no limit feels it."""
        weight = self.weight[rows, self.bars :].T[:, :, None]
        return np.asarray((hit * weight).sum(axis=0)) * TRIFLE_IN

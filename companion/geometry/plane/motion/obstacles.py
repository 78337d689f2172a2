"""The obstacles around trays that pivot and advance, by their effect on the move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from companion.geometry.plane.sight.scalar_shapes import Spot
from companion.geometry.plane.trays import Bools, Floats, Ints

NOWHERE = (1e5, 1e5)
"""The position of padding: too far away to be met."""
NONE = -1
"""The piece number of an obstacle that belongs to no terrain piece."""
TRIFLE_IN = 1e-6
"""The cost of one unit of weight: small enough to break ties only."""


class Obstacle(NamedTuple):
    """A convex polygon, the terrain piece it belongs to, and its weight as a tie-breaker."""

    corners: Sequence[Spot]
    piece: int = NONE
    weight: float = 0.0  # in hundredths


PADDING = Obstacle((NOWHERE,))


class NearbyObstacles(NamedTuple):
    """The obstacles of one mover.

    `stops` end the move before the target, on `bars` the pivoted tray may not end although the move
    passes them, `slows` cost movement, and `minded` only break ties: of equal paths the one with
    the least weight is taken.
    """

    target: Sequence[Spot]
    stops: Sequence[Obstacle] = ()
    bars: Sequence[Obstacle] = ()
    slows: Sequence[Obstacle] = ()
    minded: Sequence[Obstacle] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """The obstacles of m movers in arrays, q each: stops, bars, slows, minded."""

    corners: Floats  # (m, 1 + q, e, 2) the target first
    piece: Ints  # (m, q)
    weight: Floats  # (m, q)
    stops: int  # the number of stops,
    bars: int  # of stops and bars,
    slows: int  # and of stops, bars and slows

    @classmethod
    def of(cls, movers: Sequence[NearbyObstacles]) -> Obstacles:
        """These movers' obstacles, padded to arrays."""
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
        """On how many pieces of slow ground movers (r, h) come that meet these slows (s, r, h).

        Pieces on which they have `begun` (m, pieces) count too.
        """
        met, piece = np.zeros(hit.shape[1:]), self.piece[rows, self.bars : self.slows].T
        for number in range(begun.shape[1]):
            own = (piece == number)[:, :, None]
            met += np.any(hit & own, axis=0) | begun[rows, number][:, None]
        return met

    def trifle(self, rows: Ints, hit: Bools) -> Floats:
        """The tie-breaking cost (r, h) of meeting obstacles (s, r, h); below every tolerance."""
        weight = self.weight[rows, self.bars :].T[:, :, None]
        return np.asarray((hit * weight).sum(axis=0)) * TRIFLE_IN

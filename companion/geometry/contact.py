"""Contact and alignment: where a tray can lie flush against another's edge.

Along the target's edge runs s, 0 at its middle; a placement is the offset s of the moving
tray's centre. At s = 0 the centres are aligned (100 %); the contact shrinks as |s| grows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.geometry.arcs import FRONT, LEFT, REAR
from companion.geometry.plain import Box
from companion.geometry.solids import Solids, strip_span
from companion.geometry.trays import Bools, Floats, Ints, Trays, into_frame, joined

SPARE_IN = 0.005
"""Neighbours may intrude by this much: positions are typed with two decimals."""


def edge_of(tray: Box, arc: int) -> tuple[float, float, float, float]:
    """The edge of a tray in that arc: its outward normal, its distance, half its length."""
    _, _, cos, sin, deep, wide = tray
    if arc in (FRONT, REAR):
        return (cos, sin, deep, wide) if arc == FRONT else (-cos, -sin, deep, wide)
    return (-sin, cos, wide, deep) if arc == LEFT else (sin, -cos, wide, deep)


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """For m movers the target edge each would lie against, and the tray that lies there."""

    centre: Floats  # (m, 2) centre of the target tray
    outward: Floats  # (m, 2) unit normal of the edge
    level: Floats  # (m,) distance of the edge from the target's centre
    length: Floats  # (m,) of the target's edge
    depth: Floats  # (m,) of the moving tray
    width: Floats  # (m,) of the moving tray

    @classmethod
    def of(cls, trays: Trays, mover: Ints, target: Ints, arc: Ints) -> Edges:
        """The edges of the targets in those arcs."""
        forward, left = trays.forward[target], trays.left[target]
        half = trays.half[target]
        fore = (arc == FRONT) | (arc == REAR)
        sign = np.where((arc == FRONT) | (arc == LEFT), 1.0, -1.0)
        outward = np.where(fore[:, None], forward, left) * sign[:, None]
        own = trays.half[mover]
        return cls(
            trays.centre[target],
            outward,
            np.where(fore, half[:, 0], half[:, 1]),
            2 * np.where(fore, half[:, 1], half[:, 0]),
            2 * own[:, 0],
            2 * own[:, 1],
        )

    @property
    def along(self) -> Floats:
        """Unit vectors along the edges: the outward normals turned left."""
        return joined(-self.outward[:, 1], self.outward[:, 0])

    def place(self, row: int, offset: float) -> tuple[float, float, float]:
        """Centre and heading (degrees) of the mover's tray at that offset."""
        x, y = self.outward[row].tolist()
        away = float(self.level[row] + self.depth[row] / 2)
        spot = self.centre[row].tolist()
        facing = math.degrees(math.atan2(-y, -x)) % 360
        return spot[0] + x * away - y * offset, spot[1] + y * away + x * offset, facing

    def contact(self, row: int, offset: float) -> float:
        """Share of the shorter of front and edge that touches at that offset (OR-8)."""
        width, length = float(self.width[row]), float(self.length[row])
        short = min(width, length)
        return min(max((width + length) / 2 - abs(offset), 0.0), short) / short


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """Offsets that are taken along m edges: open intervals (m, q), and the table's own limits."""

    low: Floats  # (m, q)
    high: Floats  # (m, q)
    table: Floats  # (m, 2): offsets that keep the tray on the table

    def eased(self, aside: Floats) -> Room:
        """The same with everything so much (m,) farther off, or nearer where negative."""
        wide = aside[:, None]
        table = self.table + joined(-aside, aside)
        return Room(self.low + wide, self.high - wide, table)

    def free(self, offset: Floats) -> Bools:
        """Whether offsets (m, k) are free."""
        taken = (offset[..., None] > self.low[:, None] + SPARE_IN) & (
            offset[..., None] < self.high[:, None] - SPARE_IN
        )
        inside = (offset >= self.table[:, :1] - SPARE_IN) & (offset <= self.table[:, 1:] + SPARE_IN)
        return ~taken.any(axis=2) & inside

    def nearest(self, row: int, wish: float, most: float) -> float | None:
        """The free offset nearest to the wish with |offset| <= most, or None."""
        return self.near_wishes(row, [wish], most)[0]

    def near_wishes(self, row: int, wishes: Sequence[float], most: float) -> list[float | None]:
        """The same for several wishes."""
        if most < 0:
            return [None] * len(wishes)
        first, last = self.table[row].tolist()
        least, greatest = max(-most, first) - SPARE_IN, min(most, last) + SPARE_IN
        taken = [
            (low, high)
            for low, high in zip(self.low[row].tolist(), self.high[row].tolist(), strict=True)
            if low < high and low <= greatest and high >= least
        ]

        def is_free(end: float) -> bool:
            return least <= end <= greatest and not any(
                low + SPARE_IN < end < high - SPARE_IN for low, high in taken
            )

        ends = [*(low for low, _ in taken), *(high for _, high in taken), first, last, most, -most]
        free = [end for end in ends if is_free(end)]

        def nearest_to(wish: float) -> float | None:
            if is_free(wish):
                return wish
            return min(free, key=lambda end: abs(end - wish), default=None)

        return list(map(nearest_to, wishes))


def room(edges: Edges, solids: Solids, ignored: Bools, size: tuple[float, float] | None) -> Room:
    """What is taken along each edge; `ignored` (m, q) names solids that do not count.

    Without a `size` the table has no end.
    """
    count, total = len(edges.level), len(solids)
    flat = np.broadcast_to(solids.corners.reshape(1, -1, 2), (count, solids.offset.size, 2))
    local = into_frame(edges.centre, edges.outward, flat).reshape(count, total, -1, 2)
    away, along = local.transpose(3, 2, 0, 1)
    near = (edges.level + SPARE_IN)[:, None]
    far = (edges.level + edges.depth - SPARE_IN)[:, None]
    least, most = strip_span(along, away, near, far)
    empty = ignored | (least > most)
    wide = edges.width[:, None] / 2
    low = np.where(empty, np.inf, least - wide)
    high = np.where(empty, -np.inf, most + wide)
    limits = np.tile([-np.inf, np.inf], (count, 1)) if size is None else table_limits(edges, size)
    return Room(low, high, limits)


def table_limits(edges: Edges, size: tuple[float, float]) -> Floats:
    """Least and greatest offset (m, 2) that keep the placed tray on the table."""
    base = edges.centre + edges.outward * (edges.level + edges.depth / 2)[:, None]
    along = edges.along
    extent = (
        np.abs(edges.outward) * edges.depth[:, None] / 2 + np.abs(along) * edges.width[:, None] / 2
    )
    low = np.full(len(base), -np.inf)
    high = np.full(len(base), np.inf)
    for axis in range(2):
        flat = np.abs(along[:, axis]) < 1e-9
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            one = (extent[:, axis] - base[:, axis]) / along[:, axis]
            two = (size[axis] - extent[:, axis] - base[:, axis]) / along[:, axis]
        outside = flat & (
            (base[:, axis] < extent[:, axis] - SPARE_IN)
            | (base[:, axis] > size[axis] - extent[:, axis] + SPARE_IN)
        )
        low = np.maximum(low, np.where(flat, -np.inf, np.minimum(one, two)))
        high = np.minimum(high, np.where(flat, np.inf, np.maximum(one, two)))
        low = np.where(outside, np.inf, low)
    return joined(low, high)


def touch_share(corners: Floats, edges: Edges, row: int, within_in: float) -> float:
    """What a tray (corners (4, 2)) that lies against the edge covers, as share of the shorter.

    0 where it does not lie flush.
    """
    local = into_frame(edges.centre[row : row + 1], edges.outward[row : row + 1], corners[None])[0]
    near = np.abs(local[:, 0] - edges.level[row]) <= within_in
    if near.sum() < 2:
        return 0.0
    half = edges.length[row] / 2
    low, high = local[near, 1].min(), local[near, 1].max()
    touch = max(0.0, min(high, half) - max(low, -half))
    return float(touch / max(min(high - low, 2 * half), 1e-9))

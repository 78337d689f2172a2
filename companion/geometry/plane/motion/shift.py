"""Shifts: straight along one of the tray's own axes, same facing, never diagonal (TMG-MOV-5)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from companion.geometry.plane.sight.scalar_shapes import OrientedRect, Spot
from companion.geometry.plane.solids import TOUCH_IN
from companion.geometry.plane.trays import Bools, Floats, into_frame

Axis = tuple[float, float]

AXES = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
"""Forward, backward, left, right, as (forward, left)."""


class ShiftTrack(NamedTuple):
    """One tray sliding along one of its axes; x runs along the slide."""

    x: float
    y: float
    ahead: float  # the vector on the table of one inch of the slide
    aside: float
    own: float  # the tray's half sizes along and across the slide
    across: float

    @classmethod
    def of(cls, tray: OrientedRect, axis: Axis) -> ShiftTrack:
        x, y, cos, sin, deep, wide = tray
        ahead, left = axis
        half = (deep, wide) if ahead else (wide, deep)
        return cls(x, y, ahead * cos - left * sin, ahead * sin + left * cos, *half)

    def sides(self, corners: Sequence[Spot]) -> Iterator[tuple[float, float, float, float]]:
        """The sides of a polygon in the slide's frame: from (x, y) to (x, y)."""
        away = [(x - self.x, y - self.y) for x, y in corners]
        spots = [
            (x * self.ahead + y * self.aside, y * self.ahead - x * self.aside) for x, y in away
        ]
        from_x, from_y = spots[-1]
        for x, y in spots:
            yield from_x, from_y, x, y
            from_x, from_y = x, y

    def span(self, corners: Sequence[Spot], beside: float = 0.0) -> tuple[float, float]:
        """The distances at which the sliding tray begins and ceases to overlap a polygon.

        (inf, -inf) if it never does; negative values lie behind the start. An overlap no wider than
        `beside` on either flank does not count.
        """
        across = max(self.across - TOUCH_IN - beside, TOUCH_IN)
        start, stop = math.inf, -math.inf
        for from_x, from_y, x, y in self.sides(corners):
            low, high = max(min(from_y, y), -across), min(max(from_y, y), across)
            if from_y == y and -across < y < across:
                start, stop = min(start, from_x, x), max(stop, from_x, x)
            elif low < high:
                slope = (x - from_x) / (y - from_y)
                one, two = from_x + (low - from_y) * slope, from_x + (high - from_y) * slope
                start, stop = min(start, one, two), max(stop, one, two)
        return start - self.own, stop + self.own

    def spans(self, polygons: Floats) -> tuple[Floats, Floats]:
        """`span` of each of several polygons (q, e, 2)."""
        found = np.array([self.span(corners) for corners in polygons.tolist()]).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def near_span(self, corners: Sequence[Spot], clearance: float) -> tuple[float, float]:
        """The distances at which the tray comes within `clearance` of a polygon and leaves it.

        The points within `clearance` of the tray form a rectangle with round corners; `reach` is
        half its extent along the slide at a height y. Along a side of the polygon, the first and
        last contact are at its end points or where a round corner is tangent to it.
        """
        near = max(clearance, 0.0)
        most = self.across + near

        def reach(y: float) -> float:
            return self.own + math.sqrt(max(near**2 - max(abs(y) - self.across, 0.0) ** 2, 0.0))

        start, stop = math.inf, -math.inf
        for from_x, from_y, x, y in self.sides(corners):
            low, high = max(min(from_y, y), -most), min(max(from_y, y), most)
            if from_y == y and -most < y < most:
                start, stop = (
                    min(start, min(from_x, x) - reach(y)),
                    max(stop, max(from_x, x) + reach(y)),
                )
            elif low < high:
                slope = (x - from_x) / (y - from_y)
                round_ = self.across + near * abs(slope) / math.hypot(1.0, slope)
                for height in (
                    low,
                    high,
                    min(max(round_, low), high),
                    min(max(-round_, low), high),
                ):
                    at, far = from_x + (height - from_y) * slope, reach(height)
                    start, stop = min(start, at - far), max(stop, at + far)
        return start, stop


def range_span(arrow: Spot, step: Spot, half: Spot, reach: float) -> tuple[float, float]:
    """The distances at which a sliding point comes within reach of a box and leaves it again.

    `arrow`, `step` (of length 1) and the half sizes are in the box's frame. The points within reach
    of a box are the box widened along each axis and a disc at each corner; their union is convex,
    so the span is from the first to the last. (inf, -inf) where there is none.
    """
    (x, y), (dx, dy), (deep, wide) = arrow, step, half
    low, high = math.inf, -math.inf
    for length, width in ((deep + reach, wide), (deep, wide + reach)):
        enter, leave = slab_span(x, dx, length)
        first, last = slab_span(y, dy, width)
        enter, leave = max(enter, first), min(leave, last)
        if enter <= leave:
            low, high = min(low, enter), max(high, leave)
    for corner_x, corner_y in ((deep, wide), (deep, -wide), (-deep, wide), (-deep, -wide)):
        way_x, way_y = x - corner_x, y - corner_y
        along = way_x * dx + way_y * dy
        root = along * along - way_x * way_x - way_y * way_y + reach * reach
        if root >= 0:
            width = math.sqrt(root)
            low, high = min(low, -along - width), max(high, -along + width)
    return low, high


def slab_span(start: float, step: float, half: float) -> tuple[float, float]:
    """The distances at which a sliding coordinate enters and leaves a closed slab."""
    if abs(step) < TOUCH_IN:
        return (-math.inf, math.inf) if abs(start) <= half else (math.inf, -math.inf)
    one, two = (-half - start) / step, (half - start) / step
    return (one, two) if one < two else (two, one)


def gap_to(centre: Floats, forward: Floats, half: Floats, polygons: Floats) -> Floats:
    """The least distance (k,) between a tray at each of k centres and convex polygons (q, e, 2)."""
    signs = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    facing = np.broadcast_to(forward, centre.shape)
    flat = np.broadcast_to(polygons.reshape(1, -1, 2), (len(centre), polygons[..., 0].size, 2))
    local = into_frame(centre, facing, flat).reshape(len(centre), *polygons.shape)
    over = np.maximum(np.abs(local) - half, 0.0)
    near = np.hypot(over[..., 0], over[..., 1]).min(axis=2)
    box = signs * half
    side = np.roll(local, -1, axis=2) - local
    length2 = np.maximum((side * side).sum(axis=-1), 1e-18)
    way = box - local[..., None, :]
    part = np.clip((way * side[..., None, :]).sum(axis=-1) / length2[..., None], 0.0, 1.0)
    miss = way - part[..., None] * side[..., None, :]
    near = np.minimum(near, np.hypot(miss[..., 0], miss[..., 1]).min(axis=(2, 3)))
    inside = (side[..., None, 0] * way[..., 1] - side[..., None, 1] * way[..., 0]) > 0
    real = (side * side).sum(axis=-1) > 1e-18
    covered = (inside | ~real[..., None]).all(axis=2).any(axis=2)
    apart = ((local.min(axis=2) >= half) | (local.max(axis=2) <= -half)).any(axis=2)
    crossing = ~apart & crosses(local, box)
    return np.where(covered | crossing, 0.0, near).min(axis=1)


def crosses(local: Floats, box: Floats) -> Bools:
    """Whether no side of each polygon (k, q, e, 2) is a separating axis between it and a box."""
    side = np.roll(local, -1, axis=2) - local
    inward = np.stack([-side[..., 1], side[..., 0]], axis=-1)
    depth = np.einsum("kqed,cd->kqec", inward, box) - (inward * local).sum(axis=-1)[..., None]
    length = np.hypot(side[..., 0], side[..., 1])
    return ~((depth.max(axis=3) <= TOUCH_IN * length) & (length > 1e-9)).any(axis=2)

"""Shifts: straight along one of the tray's own axes, facing kept, never diagonally (TMG-MOV-5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.geometry.plain import Spot
from companion.geometry.solids import TOUCH_IN, Solids, strip_span
from companion.geometry.trays import SIGNS, Bools, Floats, into_frame, joined

Axis = tuple[float, float]

AXES = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
"""Forward, backward, left, right, as (forward, left)."""


@dataclass(frozen=True, slots=True, eq=False)
class Slide:
    """One tray sliding along one of its axes: what it meets, and after how far."""

    centre: Floats  # (2,)
    forward: Floats  # (2,)
    half: Floats  # (2,)
    axis: tuple[float, float]

    @property
    def step(self) -> Floats:
        """One inch of the slide on the table."""
        left = np.array([-self.forward[1], self.forward[0]])
        return self.axis[0] * self.forward + self.axis[1] * left

    def spans(self, corners: Floats) -> tuple[Floats, Floats]:
        """From which to which distance (q,) the sliding tray overlaps each polygon (q, e, 2).

        (inf, -inf) for those it never overlaps; negative values lie behind the start.
        """
        count = len(corners)
        if not count:
            return np.zeros(0), np.zeros(0)
        flat = corners.reshape(1, -1, 2)
        local = into_frame(self.centre[None], self.forward[None], flat).reshape(count, -1, 2)
        main = 0 if self.axis[0] else 1
        sign = self.axis[0] + self.axis[1]
        across = self.half[1 - main] - TOUCH_IN
        least, most = strip_span(local[..., main].T, local[..., 1 - main].T, -across, across)
        if sign < 0:
            least, most = -most, -least
        empty = np.isinf(least)
        own = self.half[main]
        return np.where(empty, np.inf, least - own), np.where(empty, -np.inf, most + own)

    def meets(self, corners: Floats, distance: float) -> Bools:
        """Which polygons the tray overlaps somewhere on its way."""
        start, stop = self.spans(corners)
        return (start < distance - TOUCH_IN) & (stop > TOUCH_IN)

    def open_until(self, corners: Floats) -> float:
        """How far it can slide before it runs into one of these."""
        start, stop = self.spans(corners)
        ahead = stop > TOUCH_IN
        return float(np.maximum(start[ahead], 0.0).min()) if ahead.any() else np.inf


@dataclass(frozen=True, slots=True, eq=False)
class Slides:
    """Several slides of one tray at once, each in a frame whose x runs along it."""

    centre: Floats  # (2,)
    step: Floats  # (k, 2) one inch of each slide on the table
    half: Floats  # (k, 2): the tray's half sizes along and across each

    @classmethod
    def of(cls, centre: Floats, forward: Floats, half: Floats, axes: Sequence[Axis]) -> Slides:
        """A tray sliding along these of its axes."""
        axis = np.array(axes)
        left = np.array([-forward[1], forward[0]])
        along = np.abs(axis)
        return cls(
            centre, axis @ np.stack([forward, left]), joined(along @ half, along @ half[::-1])
        )

    def seen(self, corners: Floats) -> tuple[Floats, Floats]:
        """x and y (e, k, q) of polygons (q, e, 2) in the frames."""
        away = (corners - self.centre).transpose(2, 1, 0)[:, :, None]  # (2, e, 1, q)
        x, y = self.step[:, :1], self.step[:, 1:]
        return away[0] * x + away[1] * y, away[1] * x - away[0] * y

    def spans(self, corners: Floats, aside: Floats | float = 0.0) -> tuple[Floats, Floats]:
        """From which to which distance (k, q) the sliding tray overlaps each polygon (q, e, 2).

        (inf, -inf) for those it never overlaps; negative values lie behind the start. Overlaps
        no wider than `aside` (q,) on either flank do not count.
        """
        x, y = self.seen(corners)
        own, across = self.half[:, :1], np.maximum(self.half[:, 1:] - TOUCH_IN - aside, TOUCH_IN)
        least, most = strip_span(x, y, -across, across)
        return least - own, most + own

    def near_spans(self, corners: Floats, clearance: float) -> tuple[Floats, Floats]:
        """From which to which distance (k, q) the tray is nearer than that to each polygon.

        It is while it overlaps the polygon, while a corner of the polygon is near a side of the
        tray, or while one of the tray's is near a side of the polygon. Each lasts over a span,
        and so do all together: the distance of convex shapes has no second least.
        """
        start, stop = self.spans(corners)
        x, y = self.seen(corners)
        own, across = self.half[:, :1], self.half[:, 1:]
        reach = np.sqrt(np.maximum(clearance**2 - np.maximum(np.abs(y) - across, 0.0) ** 2, 0.0))
        lows, highs = np.where(reach > 0, x - own - reach, np.inf), x + own + reach
        start = np.minimum(start, lows.min(axis=0))
        stop = np.maximum(stop, np.where(reach > 0, highs, -np.inf).max(axis=0))
        dx, dy = np.roll(x, -1, axis=0) - x, np.roll(y, -1, axis=0) - y
        length = np.hypot(dx, dy)
        ahead, aside = SIGNS.T[:, :, None, None, None]  # the tray's four corners
        way_x, way_y = ahead * own - x, aside * across - y
        with np.errstate(divide="ignore", invalid="ignore"):
            dx, dy = dx / length, dy / length
            # beside the side: 0 < along it < length; near its line: |away from it| < clearance
            along, away = way_x * dx + way_y * dy, way_y * dx - way_x * dy
            first, last = -along / dx, (length - along) / dx
            low, high = (away - clearance) / dy, (away + clearance) / dy
        enter = np.maximum(np.minimum(first, last), np.minimum(low, high))
        leave = np.minimum(np.maximum(first, last), np.maximum(low, high))
        lasts = enter < leave
        start = np.minimum(start, np.where(lasts, enter, np.inf).min(axis=(0, 1)))
        return start, np.maximum(stop, np.where(lasts, leave, -np.inf).max(axis=(0, 1)))


def range_span(arrow: Spot, step: Spot, half: Spot, reach: float) -> tuple[float, float]:
    """From which to which distance a sliding point is within reach of a box: closed form.

    `arrow`, `step` (of length 1) and the half sizes in the box's frame. The points within reach
    of a box are the box widened along one axis, along the other, and a disc at each corner; their
    union is convex, so the span is from the first to the last. (inf, -inf) where there is none.
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
    """When a sliding coordinate enters and leaves the closed slab of that half width."""
    if abs(step) < TOUCH_IN:
        return (-math.inf, math.inf) if abs(start) <= half else (math.inf, -math.inf)
    one, two = (-half - start) / step, (half - start) / step
    return (one, two) if one < two else (two, one)


def clear_of(
    slide: Slide, distances: Floats, others: Solids, keep: Bools, clearance: float
) -> Bools:
    """Whether the tray, slid so far (k,), stays `clearance` away from the kept solids."""
    corners = others.corners[keep]
    if not len(corners) or not len(distances):
        return np.ones(len(distances), dtype=bool)
    centre = slide.centre + distances[:, None] * slide.step
    return gap_to(centre, slide.forward, slide.half, corners) >= clearance - TOUCH_IN


def gap_to(centre: Floats, forward: Floats, half: Floats, polygons: Floats) -> Floats:
    """Least distance (k,) of a tray at each of k centres from convex polygons (q, e, 2)."""
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
    """Whether polygons (k, q, e, 2) overlap a box when separated by none of the polygons' sides."""
    side = np.roll(local, -1, axis=2) - local
    inward = np.stack([-side[..., 1], side[..., 0]], axis=-1)
    depth = np.einsum("kqed,cd->kqec", inward, box) - (inward * local).sum(axis=-1)[..., None]
    length = np.hypot(side[..., 0], side[..., 1])
    return ~((depth.max(axis=3) <= TOUCH_IN * length) & (length > 1e-9)).any(axis=2)

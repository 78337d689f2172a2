"""What viewers have before them, each in the frame of its own front edge.

The frame's x runs straight ahead of the front edge, y to its left; the edge is where x = 0 and
|y| <= wide, and the front arc where x >= 0 and |y| <= wide + slope · x. A line of view starts
on the edge at height a and gains m for every inch ahead: y = a + m · x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.geometry.convex import clip
from companion.geometry.trays import SIGNS, Bools, Floats, Ints, Trays, joined

GRAZE_IN = 1e-9
"""Lines may dip so deep into a blocker: floating point's share of a grazing touch."""
ON_LINE_IN = 1e-9
"""What is so little outside an arc line touches it."""
NEAR_IN = 1e-6
"""Corners so little outside the ground between still count as in it."""
CORE = 3
"""So many trays at most are remembered as those that hide a target together."""
NOBODY, SETTLED = -1, -2
"""Instead of trays that hide a target: none, or too many, do; no tray can change the answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Rectangles, each in some viewer's frame: centre, facing, half depth and half width."""

    x: Floats
    y: Floats
    cos: Floats
    sin: Floats
    deep: Floats
    wide: Floats

    def take(self, index: Ints) -> Boxes:
        """These boxes in this order."""
        return Boxes(
            self.x[index],
            self.y[index],
            self.cos[index],
            self.sin[index],
            self.deep[index],
            self.wide[index],
        )

    def column(self, number: int) -> Boxes:
        """One column of a table of boxes, as (m, 1)."""
        some = slice(number, number + 1)
        return Boxes(
            self.x[:, some],
            self.y[:, some],
            self.cos[:, some],
            self.sin[:, some],
            self.deep[:, some],
            self.wide[:, some],
        )

    def picked(self, row: Ints, column: Ints) -> Boxes:
        """These of a table of boxes."""
        shape = self.x.shape
        return Boxes(
            self.x[row, column],
            self.y[row, column],
            self.cos[row, column],
            self.sin[row, column],
            np.broadcast_to(self.deep, shape)[row, column],
            np.broadcast_to(self.wide, shape)[row, column],
        )

    def grown(self, by: float) -> Boxes:
        """The same boxes, larger on every side."""
        return Boxes(self.x, self.y, self.cos, self.sin, self.deep + by, self.wide + by)

    def corners(self) -> tuple[Floats, Floats]:
        """x and y (4, k) of the corners of k boxes, counter-clockwise."""
        u, v = SIGNS[:, :1] * self.deep, SIGNS[:, 1:] * self.wide
        return self.x + u * self.cos - v * self.sin, self.y + u * self.sin + v * self.cos

    def reach(self, x: Floats | float, y: Floats | float) -> Floats:
        """How far the boxes reach from their centres in direction (x, y)."""
        ahead, aside = self.turned(x, y)
        return np.abs(ahead) * self.deep + np.abs(aside) * self.wide

    def inside(self, x: Floats | float, y: Floats | float) -> tuple[Floats, Floats]:
        """Points in the boxes' own frames."""
        return self.turned(x - self.x, y - self.y)

    def turned(self, x: Floats | float, y: Floats | float) -> tuple[Floats, Floats]:
        """Steps in the boxes' own frames."""
        return x * self.cos + y * self.sin, y * self.cos - x * self.sin

    def times(self, u: Floats, v: Floats, du: Floats, dv: Floats) -> tuple[Floats, Floats]:
        """When lines from own points (u, v) enter and leave the boxes, counted in steps."""
        first, second = (-self.deep - u) / du, (self.deep - u) / du
        third, fourth = (-self.wide - v) / dv, (self.wide - v) / dv
        enter = np.maximum(np.minimum(first, second), np.minimum(third, fourth))
        return enter, np.minimum(np.maximum(first, second), np.maximum(third, fourth))

    def crossed(self, u: Floats, v: Floats, du: Floats, dv: Floats) -> Bools:
        """Whether one step crosses the boxes' interior; one that runs along a side does not."""
        enter, leave = self.grown(-GRAZE_IN).times(u, v, du, dv)
        solid = (self.deep > GRAZE_IN) & (self.wide > GRAZE_IN)
        return (enter < leave) & (enter < 1) & (leave > 0) & solid


@dataclass(frozen=True, slots=True, eq=False)
class Fronts:
    """m front edges, and the part of a target that lies in the front arc of each."""

    origin: Floats  # (m, 2) the middle of the front edge on the table
    forward: Floats  # (m, 2)
    wide: Floats  # (m,)
    slope: Floats  # (m,)
    target: Boxes  # (m,)
    part: Floats  # (2, v, m) corners of its part in the arc, short ones repeat a corner
    ahead: Bools  # (m,) whether there is such a part

    @classmethod
    def of(cls, eyes: Trays, trays: Trays, target: Ints, sigmas: Floats) -> Fronts:
        """The fronts of these eyes: arcs and targets widened by so many sigmas (m,)."""
        origin, forward, wide, slope = eyes.arrow, eyes.forward, eyes.half[:, 1], eyes.tan_arc
        half = trays.half[target]
        if sigmas.any():
            half = np.maximum(half + (sigmas * trays.spread[target])[:, None], 1e-6)
            wide = np.maximum(wide + sigmas * eyes.spread, 1e-6)
            angle = np.arctan(slope) + sigmas * eyes.turn
            slope = np.tan(np.clip(angle, 1e-3, np.pi / 2 - 1e-3))
        away, facing = trays.centre[target] - origin, trays.forward[target]
        (dx, dy), (c, s), (fx, fy) = away.T, forward.T, facing.T
        box = Boxes(
            dx * c + dy * s,
            dy * c - dx * s,
            fx * c + fy * s,
            fy * c - fx * s,
            half[:, 0],
            half[:, 1],
        )
        part, ahead = part_ahead(*box.corners(), wide, slope)
        return cls(origin, forward, wide, slope, box, part, ahead)

    def take(self, rows: Ints) -> Fronts:
        """These fronts in this order."""
        return Fronts(
            self.origin[rows],
            self.forward[rows],
            self.wide[rows],
            self.slope[rows],
            self.target.take(rows),
            self.part[:, :, rows],
            self.ahead[rows],
        )

    @property
    def ends(self) -> Floats:
        """(2, m): heights of both ends of the front edges."""
        return np.stack([self.wide, -self.wide])

    def on_table(self, rows: Ints, x: Floats, y: Floats) -> Floats:
        """Frame points (…, k) on the table (…, k, 2)."""
        (c, s), (start_x, start_y) = self.forward[rows].T, self.origin[rows].T
        return joined(start_x + x * c - y * s, start_y + x * s + y * c)

    def reached(self, rows: Ints, a: Floats, m: Floats) -> tuple[Floats, Bools]:
        """How far ahead lines of view (k,) meet the target, and whether they do so in the arc.

        A line starts inside the arc and leaves it for good, so the first meeting decides.
        """
        box = self.target.take(rows).grown(GRAZE_IN)
        enter, leave = box.times(*box.inside(0.0, a), *box.turned(1.0, m))
        far = np.maximum(enter, 0.0)
        within = np.abs(a + m * far) <= self.wide[rows] + self.slope[rows] * far + GRAZE_IN
        return far, (enter <= leave) & (leave >= -GRAZE_IN) & within

    def arrival(self, rows: Ints, a: Floats, x: Floats, y: Floats) -> Floats:
        """Which share of the way from (0, a) to (x, y) is gone when the target is met."""
        box = self.target.take(rows).grown(GRAZE_IN)
        enter, leave = box.times(*box.inside(0.0, a), *box.turned(x, y - a))
        return np.where(enter <= leave, np.clip(enter, 0.0, 1.0), 1.0)


def seen_boxes(origin: Floats, forward: Floats, trays: Trays, ease: Floats) -> Boxes:
    """(m, n): trays in the frames at origins (m, 2), each shrunk by its `ease` (m, n)."""
    c, s = forward[:, :1], forward[:, 1:]
    left = joined(-forward[:, 1], forward[:, 0])
    return Boxes(
        forward @ trays.centre.T - (forward * origin).sum(axis=1)[:, None],
        left @ trays.centre.T - (left * origin).sum(axis=1)[:, None],
        c * trays.forward[:, 0] + s * trays.forward[:, 1],
        c * trays.forward[:, 1] - s * trays.forward[:, 0],
        trays.half[:, 0] - ease,
        trays.half[:, 1] - ease,
    )


def part_ahead(x: Floats, y: Floats, wide: Floats, slope: Floats) -> tuple[Floats, Bools]:
    """Parts (2, v, m) of quadrilaterals with corners (4, m) that lie in the front arcs.

    And whether anything does (m,); where nothing does, the part means nothing. What touches an
    arc line lies in the arc, and what stands flush beside the front edge does not, whatever
    floating point makes of either.
    """
    wide = wide + ON_LINE_IN
    reach = wide + slope * x
    outside = np.stack([x - ON_LINE_IN, reach - y, reach + y]) < 0
    cut: Bools = np.any(outside, axis=1)
    ahead: Bools = ~np.any(np.all(outside, axis=1), axis=0)
    part = joined(x.T, y.T)
    front, left, right = cut
    # few are cut by both arc lines: so one cut serves for either, and a second one for those
    for crossed, slant in ((front, None), (left | right, left), (left & right, ~left)):
        rows = np.flatnonzero(crossed & ahead)
        if len(rows):
            normal, offset = np.tile([1.0, 0.0], (len(rows), 1)), np.zeros(len(rows))
            if slant is not None:
                normal[:, 0], normal[:, 1] = slope[rows], np.where(slant[rows], -1.0, 1.0)
                offset = -wide[rows]
            part = np.concatenate([part, part[:, -1:]], axis=1)
            part[rows] = clip(part[rows, :-1], normal, offset)
            ahead[rows] = ~np.isnan(part[rows, 0, 0])
    # corners may be repeated before the last: only what repeats at the end of all is left out
    real = np.flatnonzero(np.any(part[ahead, 1:] != part[ahead, :-1], axis=(0, 2)))
    return np.ascontiguousarray(part[:, : int(real.max(initial=-1)) + 2].T), ahead


@dataclass(frozen=True, slots=True, eq=False)
class Wedges:
    """The ground between m front edges and targets: all lines of view run inside.

    Bounded by the line y = wide + left · x, by y = -wide + right · x, and by x = far; the lines
    gain at least `least` and at most `most` for every inch ahead.
    """

    wide: Floats
    left: Floats
    right: Floats
    far: Floats
    least: Floats
    most: Floats

    @classmethod
    def of(cls, fronts: Fronts) -> Wedges:
        """The wedges of these fronts."""
        x, y = fronts.part
        ahead = np.maximum(x, GRAZE_IN)
        from_left, from_right = (y - fronts.wide) / ahead, (y + fronts.wide) / ahead
        return cls(
            fronts.wide,
            from_left.max(axis=0),
            from_right.min(axis=0),
            x.max(axis=0),
            from_left.min(axis=0),
            from_right.max(axis=0),
        )

    def take(self, rows: Ints) -> Wedges:
        """These wedges, in the order and shape of the index."""
        return Wedges(
            self.wide[rows],
            self.left[rows],
            self.right[rows],
            self.far[rows],
            self.least[rows],
            self.most[rows],
        )

    def depths(self, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """How far points lie inside each boundary (not in inches where it is slanted)."""
        return x, self.far - x, self.wide + self.left * x - y, y + self.wide - self.right * x

    def hold(self, x: Floats, y: Floats, slack: float) -> Bools:
        """Whether points lie inside, or nearly."""
        behind, beyond, left, right = self.depths(x, y)
        nearest = np.minimum(np.minimum(behind, beyond), np.minimum(left, right))
        return np.asarray(nearest >= -slack)

    def touched(self, x: Floats, y: Floats) -> Bools:
        """Which corners (4, k) of boxes inside a line of view can touch and leave the box aside.

        To one side of the line must lie both neighbours of the corner.
        """
        dx, dy = x - np.roll(x, -1, axis=0), y - np.roll(y, -1, axis=0)
        one, two = dy - self.least * dx, dy - self.most * dx
        above, below = np.maximum(one, two) >= -NEAR_IN, np.minimum(one, two) <= NEAR_IN
        before_above, before_below = np.roll(above, 1, axis=0), np.roll(below, 1, axis=0)
        aside = (above & before_below) | (below & before_above)
        return aside & self.hold(x, y, NEAR_IN)

    def meet(self, boxes: Boxes) -> Bools:
        """Whether boxes reach inside: false only where one of the boundaries parts them."""
        behind, beyond, left, right = self.depths(boxes.x, boxes.y)
        ahead = boxes.reach(1.0, 0.0)
        inside = (behind + ahead > 0) & (beyond + ahead > 0)
        inside &= left + boxes.reach(self.left, -1.0) > 0
        return inside & (right + boxes.reach(-self.right, 1.0) > 0)

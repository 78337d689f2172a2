"""Many front edges, their targets and all that stands between them, in arrays: see `sight`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from companion.geometry.trays import Bools, Floats, Ints, following, into_frame
from companion.geometry.views import (
    CORE,
    GRAZE_IN,
    NEAR_IN,
    NOBODY,
    Boxes,
    Fronts,
    Wedges,
    seen_boxes,
)
from companion.geometry.walls import Walls

if TYPE_CHECKING:
    from companion.geometry.sight import Blockers, Looks

MANY = 200_000
"""So many lines are tried at once at most; more would only wander through memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Scenes:
    """m questions with the blockers that reach into the ground between viewer and target."""

    fronts: Fronts
    wedges: Wedges
    row: Ints  # (k,) the question of each tray in the way, in order
    tray: Ints  # (k,) and its place
    boxes: Boxes  # (k,) those trays
    walls: Walls
    barring: Bools  # (m, p) terrain parts in the way
    through_any: bool

    @classmethod
    def of(
        cls, fronts: Fronts, looks: Looks, blockers: Blockers, rows: Ints, sigmas: Floats
    ) -> Scenes:
        """The scenes of those questions whose fronts these are."""
        trays, walls = blockers.trays, blockers.walls
        wedges = Wedges.of(fronts)
        ease = sigmas[:, None] * trays.spread
        boxes = seen_boxes(fronts.origin, fronts.forward, trays, ease)
        column = np.arange(len(rows))[:, None]
        between = wedges.take(column).meet(boxes)
        every = np.arange(len(rows))
        between[every, looks.viewer[rows]] = False
        between[every, looks.target[rows]] = False
        row, tray = np.nonzero(between)
        barring = ~looks.exempt[rows][:, walls.piece]
        if barring.any():
            barring &= parts_between(fronts, wedges, walls)
        return cls(
            fronts, wedges, row, tray, boxes.picked(row, tray), walls, barring, blockers.through_any
        )

    def answers(self) -> tuple[Bools, Bools, Bools, Floats, Ints]:
        """Seen (m,), whether terrain or trays stand in the way where not, and the proofs."""
        crossed = self.crossed()
        by_trays, hider = self.trays_stop(crossed)
        by_walls, dark = self.walls_stop()
        stops = (by_trays | by_walls).reshape(-1, len(hider))
        first = stops.argmin(axis=0)  # a free line, if there is one
        every = np.arange(len(hider))
        free = ~stops[first, every]
        end, corner = np.divmod(first, by_trays.shape[1])
        line = np.empty((len(hider), 3))
        line[:, 0] = self.fronts.ends[end, every]
        line[:, 1:] = self.fronts.part[:, corner, every].T
        line[~free] = np.nan
        left, hiders = np.flatnonzero(~(free | dark) & (hider == NOBODY)), hider[:, None]
        if len(left):
            hiders = hiders.repeat(CORE, axis=1)
        for some in self.batches(left):
            line[some], hiders[some] = self.critical(some, crossed)
            free[some] = ~np.isnan(line[some, 0])
        terrain: Bools = ~free & np.any(by_walls, axis=(0, 1))
        trays: Bools = ~free & np.all(by_trays, axis=(0, 1))
        hiders[~trays] = NOBODY
        return free, terrain, trays, line, hiders

    def crossed(self) -> Bools:
        """(2, v, k): which lines from both ends to all corners of the target each tray blocks."""
        boxes, ends = self.boxes, self.fronts.ends[:, self.row]
        u, v = boxes.inside(0.0, ends[:, None])
        to_u, to_v = boxes.inside(*self.fronts.part[:, :, self.row])
        return boxes.crossed(u, v, to_u - u, to_v - v)

    def trays_stop(self, crossed: Bools) -> tuple[Bools, Ints]:
        """Which lines from both ends to all corners of the target trays block (2, v, m).

        And which tray alone blocks them all (m,).
        """
        corners, count = self.fronts.part.shape[1:]
        stops, hider = np.zeros((2, corners, count), dtype=bool), np.full(count, NOBODY)
        if len(self.row):
            first = np.flatnonzero(np.diff(self.row, prepend=-1))
            stops[:, :, self.row[first]] = np.logical_or.reduceat(crossed, first, axis=2)
            alone = np.flatnonzero(crossed.all(axis=(0, 1)))
            hider[self.row[alone]] = self.tray[alone]
        return stops, hider

    def walls_stop(self) -> tuple[Bools, Bools]:
        """The same of terrain parts."""
        corners, count = self.fronts.part.shape[1:]
        stops, hidden = np.zeros((2, corners, count), dtype=bool), np.zeros(count, dtype=bool)
        rows = np.flatnonzero(self.barring.any(axis=1))
        if len(rows):
            shape = (2, corners, len(rows))
            lines = (rows, self.fronts.ends[:, None, rows], *self.fronts.part[:, :, rows])
            row, a, x, y = (np.broadcast_to(one, shape).reshape(-1) for one in lines)
            crossed = self.walls_cross(row, a, x, y).reshape(*shape, -1)
            stops[:, :, rows] = crossed.any(axis=3)
            alone: Bools = np.all(crossed, axis=(0, 1))
            if alone.any():  # where the target may lie on a part, no single part decides
                hidden[rows] = (alone & ~self.on_parts(rows)).any(axis=1)
        return stops, hidden

    def walls_cross(self, rows: Ints, a: Floats, x: Floats, y: Floats) -> Bools:
        """(k, p): whether lines from (0, a) to (x, y) pass through a barring part and leave its
        piece before they arrive.

        OR-25: a target on the piece is seen, a viewer on it sees out.
        """
        walls = self.walls
        first = self.depths(rows, np.zeros_like(a), a) - GRAZE_IN
        change = self.depths(rows, x, y) - GRAZE_IN - first
        at = -first / change
        enter = np.where(change > 0, at, -np.inf).max(axis=1)
        leave = np.where(change < 0, at, np.inf).min(axis=1)
        outside: Bools = np.any((change == 0) & (first < 0), axis=1)
        crossed = (enter < leave) & (leave > 0) & (enter < 1) & ~outside
        if not self.through_any:
            arrive = self.fronts.arrival(rows, a, x, y)[:, None]
            stays = leave > arrive + 1e-9
            if len(np.unique(walls.piece)) < len(walls):
                stays |= self.goes_on(crossed, enter, leave, arrive)
            crossed &= ~stays
        return crossed & self.barring[rows]

    def goes_on(self, crossed: Bools, enter: Floats, leave: Floats, arrive: Floats) -> Bools:
        """Whether a line that leaves a part is still inside its piece until it arrives."""
        piece = self.walls.piece
        same = piece[:, None] == piece[None, :]
        end = leave.copy()
        for _ in range(len(piece)):
            after = same & crossed[:, None, :] & (enter[:, None, :] <= end[:, :, None] + 1e-12)
            later = np.where(after, leave[:, None, :], -np.inf).max(axis=-1)
            if (later <= end).all():
                break
            end = np.maximum(end, later)
        return end > arrive + 1e-9

    def depths(self, rows: Ints, x: Floats, y: Floats) -> Floats:
        """(k, e, p): how deep points lie behind every side of the terrain parts."""
        spot = self.fronts.on_table(rows, x, y)
        normal = self.walls.normal.transpose(1, 0, 2)  # sides first: reduced over them at once
        depth = spot @ normal.reshape(-1, 2).T
        return depth.reshape(len(rows), *normal.shape[:2]) - self.walls.offset.T

    def on_parts(self, rows: Ints) -> Bools:
        """(r, p): whether the target may lie on a terrain part."""
        x, y = self.fronts.part[:, :, rows]
        depth = self.depths(np.tile(rows, len(x)), x.reshape(-1), y.reshape(-1))
        apart: Bools = np.all(depth.reshape(*x.shape, *depth.shape[1:]) < -1e-5, axis=0)
        on: Bools = ~np.any(apart, axis=1)
        return on

    def batches(self, rows: Ints) -> Iterator[Ints]:
        """These rows, the most crowded first, so that few lines are tried at once."""
        crowd = 4 * np.bincount(self.row, minlength=len(self.barring))[rows] + 10
        rows, crowd = rows[np.argsort(-crowd, kind="stable")], -np.sort(-crowd)
        start = 0
        while start < len(rows):
            stop = start + max(1, MANY // int(crowd[start]) ** 2)
            yield np.sort(rows[start:stop])
            start = stop

    def critical(self, rows: Ints, corner_lines: Bools) -> tuple[Floats, Ints]:
        """Free lines (r, 3) through pairs of corners, at least one a blocker's; NaN if none is.

        And a few trays (r, CORE) that block all that trays block, `corner_lines` (2, v, k) too.
        """
        number = np.full(len(self.barring), -1)
        number[rows] = np.arange(len(rows))
        chosen = np.flatnonzero(number[self.row] >= 0)
        boxes, row = self.boxes.take(chosen), number[self.row[chosen]]
        own_x, own_y = self.own_points(rows)
        x, y = self.corners(rows, row, boxes)
        points_x, points_y = np.concatenate([own_x, x], axis=1), np.concatenate([own_y, y], axis=1)
        one, two = point_pairs(own_x.shape[1], points_x.shape[1])
        from_x, from_y = points_x[:, one], points_y[:, one]
        m = (points_y[:, two] - from_y) / (points_x[:, two] - from_x)
        a = from_y - m * from_x
        wide = self.fronts.wide[rows]
        which, line = np.nonzero(np.abs(a) <= wide[:, None] + GRAZE_IN)
        a, m = np.clip(a[which, line], -wide[which], wide[which]), m[which, line]
        far, hit = self.fronts.reached(rows[which], a, m)
        which, a, m, far = which[hit], a[hit], m[hit], far[hit]
        line, box = every_box(which, row, len(rows))
        near = boxes.take(box)
        step, rise = far[line], (m * far)[line]
        crossed = near.crossed(*near.inside(0.0, a[line]), *near.turned(step, rise))
        free = np.ones(len(which), dtype=bool)
        free[line[crossed]] = False
        barred: Bools = np.any(self.barring, axis=1)
        rest = np.flatnonzero(free & barred[rows[which]])
        if len(rest):
            walls = self.walls_cross(
                rows[which[rest]], a[rest], far[rest], a[rest] + m[rest] * far[rest]
            )
            free[rest] = ~walls.any(axis=1)
        seen = np.full((len(rows), 3), np.nan)
        open_ = np.flatnonzero(free)
        seen[which[open_]] = np.stack([a, far, a + m * far], axis=1)[open_]
        ends = corner_lines[:, :, chosen]
        corner, end_box = np.nonzero(ends.reshape(ends.shape[0] * ends.shape[1], len(chosen)))
        blocked = np.concatenate([line[crossed], len(which) + corner * len(rows) + row[end_box]])
        by = np.concatenate([box[crossed], end_box])
        return seen, few_that_block(blocked, by, row, self.tray[chosen], len(rows))

    def own_points(self, rows: Ints) -> tuple[Floats, Floats]:
        """x and y (r, 2 + v): the ends of the front edges and the corners of the targets."""
        x, y = self.fronts.part[:, :, rows]
        ends = self.fronts.ends[:, rows]
        return np.concatenate([np.zeros_like(ends), x]).T, np.concatenate([ends, y]).T

    def corners(self, rows: Ints, row: Ints, boxes: Boxes) -> tuple[Floats, Floats]:
        """x and y (r, c) of the blockers' corners between viewer and target, NaN after the last.

        `row` numbers within `rows` the question of each box.
        """
        wedges = self.wedges.take(rows)
        x, y = boxes.corners()
        corner, box = np.nonzero(wedges.take(row).touched(x, y))
        owner, x, y = row[box], x[corner, box], y[corner, box]
        which, part = np.nonzero(self.barring[rows])
        if len(which):
            spots = [self.walls.corners[part], *self.crossings(rows, which, part)]
            for spot in spots:
                local = into_frame(
                    self.fronts.origin[rows[which]], self.fronts.forward[rows[which]], spot
                )
                number = np.broadcast_to(which[:, None], local.shape[:2])
                held = wedges.take(number).hold(local[..., 0], local[..., 1], NEAR_IN)
                owner = np.concatenate([owner, number[held]])
                x = np.concatenate([x, local[held, 0]])
                y = np.concatenate([y, local[held, 1]])
        laid_x, laid_y = spread_out(owner, len(rows), x, y)
        return laid_x, laid_y

    def crossings(self, rows: Ints, which: Ints, part: Ints) -> Iterator[Floats]:
        """Where sides of the target's part cross those of terrain parts: it may be seen on a
        piece up to there. NaN where they do not."""
        if not self.on_parts(rows)[which, part].any():
            return
        corner = self.fronts.part[:, :, rows[which]]
        spot = self.fronts.on_table(rows[which], corner[0], corner[1]).transpose(1, 0, 2)
        a, b = spot[:, :, None], following(spot)[:, :, None]
        c = self.walls.corners[part][:, None]
        d = following(self.walls.corners[part])[:, None]
        r, s, way = b - a, d - c, c - a
        denominator = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
        t = (way[..., 0] * s[..., 1] - way[..., 1] * s[..., 0]) / denominator
        u = (way[..., 0] * r[..., 1] - way[..., 1] * r[..., 0]) / denominator
        hit = (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1)
        yield (a + np.where(hit, t, np.nan)[..., None] * r).reshape(len(which), -1, 2)


def parts_between(fronts: Fronts, wedges: Wedges, walls: Walls) -> Bools:
    """(m, p): terrain parts that reach into the ground between front edge and target part."""
    count = len(fronts.origin)
    flat = np.broadcast_to(walls.corners.reshape(1, -1, 2), (count, walls.offset.size, 2))
    local = into_frame(fronts.origin, fronts.forward, flat)
    column = np.arange(count)[:, None]
    depths = wedges.take(column).depths(local[..., 0], local[..., 1])
    inside = np.ones((count, len(walls)), dtype=bool)
    for depth in depths:
        inside &= depth.reshape(count, *walls.offset.shape).max(axis=2) > -NEAR_IN
    return inside


@cache
def point_pairs(own: int, count: int) -> tuple[Ints, Ints]:
    """Pairs of points of which at least one comes after the first `own`: those were tried."""
    one, two = np.triu_indices(count, 1)
    return one[two >= own], two[two >= own]


def every_box(which: Ints, row: Ints, count: int) -> tuple[Ints, Ints]:
    """For lines of these questions (k,) every box of the same one: line and box numbers.

    `row` (in order) tells the question of each box.
    """
    boxes = np.bincount(row, minlength=count)
    first = np.cumsum(boxes) - boxes
    each = boxes[which]
    line = np.repeat(np.arange(len(which)), each)
    step = np.arange(len(line)) - np.repeat(np.cumsum(each) - each, each)
    return line, first[which[line]] + step


def few_that_block(line: Ints, box: Ints, row: Ints, tray: Ints, count: int) -> Ints:
    """(count, CORE): for each question trays that block all its lines; `NOBODY` if too many do.

    `line` and `box` name which line a box blocks, `row` (in order) and `tray` the question and
    the tray of each box. The tray that blocks most of what is left comes first.
    """
    found = np.full((count, CORE), NOBODY)
    first = np.flatnonzero(np.diff(row, prepend=-1))
    blocked = np.zeros(int(line.max(initial=-1)) + 1, dtype=bool)
    for number in range(CORE):
        held = np.bincount(box, minlength=len(row))
        most = np.zeros(count, dtype=np.intp)
        most[row[first]] = np.maximum.reduceat(held, first) if len(first) else 0
        best = np.full(count, -1)
        chosen = np.flatnonzero((held == most[row]) & (held > 0))
        best[row[chosen]] = chosen
        some = np.flatnonzero(best >= 0)
        found[some, number:] = tray[best[some]][:, None]
        blocked[line[best[row[box]] == box]] = True
        left = ~blocked[line]
        line, box = line[left], box[left]
    found[row[box]] = NOBODY
    return found


def spread_out(row: Ints, count: int, *values: Floats) -> tuple[Floats, ...]:
    """Values (k,) laid out by row (count, most), NaN where a row has fewer than the most."""
    order = np.argsort(row, kind="stable")
    row = row[order]
    held = np.bincount(row, minlength=count)
    slot = np.arange(len(row)) - (np.cumsum(held) - held)[row]
    laid = []
    for value in values:
        table = np.full((count, int(held.max(initial=0))), np.nan)
        table[row, slot] = value[order]
        laid.append(table)
    return tuple(laid)

"""Line of sight, exactly: is there any unblocked line from a front edge to a target's seen part?

If any line is free, it can be swung and slid until it touches two corners (of a blocker, of
the target's part in the front arc, or the ends of the front edge) and is still free: touching
does not block (OR-5). So it is enough to try the lines through pairs of corners. Most pairs
are settled before that: by a free line from an end of the front edge to a corner of the target,
or by one convex blocker that hides every corner from both ends, and so everything between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from companion.geometry.arcs import front_part
from companion.geometry.trays import (
    Bools,
    Floats,
    Ints,
    Trays,
    corners_at,
    following,
    into_frame,
    out_of_frame,
)
from companion.geometry.walls import Walls

GRAZE_IN = 1e-9
"""Lines may dip so deep into a blocker: floating point's share of a grazing touch."""


@dataclass(frozen=True, slots=True)
class Blockers:
    """What stands in the way: every tray, and the terrain parts that block.

    `through_any`: a piece blocks even where the line ends on it (the other reading of OR-25).
    """

    trays: Trays
    walls: Walls
    through_any: bool = False


@dataclass(frozen=True, slots=True)
class Looks:
    """m questions: who looks at whom, from where, and which terrain pieces do not count.

    Viewers may stand elsewhere than on the table (after a pivot or shift): `eyes` are their
    trays, `viewer` and `target` their places among the blockers, which never block themselves.
    """

    eyes: Trays
    viewer: Ints  # (m,)
    target: Ints  # (m,)
    exempt: Bools  # (m, pieces)
    freed: Bools  # (m,) nothing blocks at all (Elevated)


@dataclass(frozen=True, slots=True)
class Sight:
    """The answers to m questions: seen or not, and what stands in the way where not."""

    seen: Bools
    ahead: Bools  # something of the target lies in the front arc
    terrain: Bools  # terrain stands in the way
    trays: Bools  # trays stand in the way


def sees(looks: Looks, blockers: Blockers, sigmas: float = 0.0) -> Bools:
    """Whether each viewer sees its target (m,)."""
    return look(looks, blockers, sigmas).seen


def look(looks: Looks, blockers: Blockers, sigmas: float = 0.0) -> Sight:
    """Who sees whom.

    `sigmas` shrinks every blocker and widens the target by that many standard deviations of
    each tray's corners; a negative value does the opposite. So a yes at a negative value is a
    sure yes, and a no at a positive one a sure no.
    """
    count = len(looks.viewer)
    seen, terrain, trays = (np.zeros(count, dtype=bool) for _ in range(3))
    ease = sigmas * blockers.trays.spread
    line = Lines.drawn(looks, blockers, sigmas)
    ahead = ~np.isnan(line.part[:, 0, 0])
    seen[ahead & looks.freed] = True
    open_ = np.flatnonzero(ahead & ~looks.freed)
    if not len(open_):
        return Sight(seen, ahead, terrain, trays)
    between = line.trays_between(open_, ease)
    by_tray = line.trays_block(open_, np.flatnonzero(between.any(axis=0)), ease)
    by_wall = line.walls_block(open_)
    tray_stops: Bools = np.any(by_tray, axis=3)
    wall_stops: Bools = np.any(by_wall, axis=3)
    free: Bools = ~np.all(tray_stops | wall_stops, axis=(1, 2))
    hidden: Bools = np.any(np.all(by_tray, axis=(1, 2)), axis=1)
    if by_wall.shape[3]:
        hidden |= np.any(np.all(by_wall, axis=(1, 2)) & ~line.on_part(open_), axis=1)
    left = np.flatnonzero(~(free | hidden))
    for some in alike(left, between):
        free[some] = line.critical(open_[some], between[some], ease)
    seen[open_] = free
    terrain[open_] = ~free & np.any(wall_stops, axis=(1, 2))
    trays[open_] = ~free & np.all(tray_stops, axis=(1, 2))
    return Sight(seen, ahead, terrain, trays)


@dataclass(frozen=True, slots=True)
class Lines:
    """The ends of the front edges and the seen parts of the targets, on the table."""

    looks: Looks
    blockers: Blockers
    ends: Floats  # (m, 2, 2)
    part: Floats  # (m, 7, 2), NaN where nothing of the target lies in the front arc
    box: Floats  # (m, 2): half sizes of the targets, eased

    @classmethod
    def drawn(cls, looks: Looks, blockers: Blockers, sigmas: float) -> Lines:
        """Front edges and target parts, eased by so many sigmas."""
        eyes, target, trays = looks.eyes, looks.target, blockers.trays
        box, tan_arc, wide = trays.half[target], eyes.tan_arc, eyes.half[:, 1]
        corners = trays.corners[target]
        if sigmas:
            box = np.maximum(box + sigmas * trays.spread[target][:, None], 1e-6)
            corners = corners_at(trays.centre[target], trays.forward[target], box)
            angle = np.arctan(tan_arc) + sigmas * eyes.turn
            tan_arc = np.tan(np.clip(angle, 1e-3, np.pi / 2 - 1e-3))
            wide = np.maximum(wide + sigmas * eyes.spread, 1e-6)
        local = into_frame(eyes.centre, eyes.forward, corners)
        edge = np.empty((len(target), 2, 2))
        edge[:, :, 0] = eyes.half[:, :1]
        edge[:, 0, 1], edge[:, 1, 1] = wide, -wide
        return cls(
            looks,
            blockers,
            out_of_frame(eyes.centre, eyes.forward, edge),
            out_of_frame(eyes.centre, eyes.forward, front_part(local, eyes.half, tan_arc)),
            box,
        )

    def trays_block(self, rows: Ints, columns: Ints, ease: Floats) -> Bools:
        """Which of these trays (c) block the lines from both ends to all corners: (r, 2, 7, c)."""
        trays = self.blockers.trays
        centre, forward = trays.centre[columns][:, None], trays.forward[columns][:, None]
        ends, part = self.ends[rows], self.part[rows]
        start = into_frame(centre, forward, ends.reshape(1, 1, -1, 2))
        stop = into_frame(centre, forward, part.reshape(1, 1, -1, 2))
        start = start.reshape(len(columns), len(rows), 2, 1, 2)
        stop = stop.reshape(len(columns), len(rows), 1, part.shape[1], 2)
        half = (trays.half - ease[:, None] - GRAZE_IN)[columns].reshape(-1, 1, 1, 1, 2)
        blocks = np.moveaxis(slabs_cross(start, stop - start, half), 0, 3)
        themselves = (self.looks.viewer[rows][:, None] == columns) | (
            self.looks.target[rows][:, None] == columns
        )
        return np.asarray(blocks & ~themselves[:, None, None])

    def walls_block(self, rows: Ints) -> Bools:
        """Which terrain parts block the lines from both ends to all corners: (r, 2, 7, p)."""
        ends, part = self.ends[rows], self.part[rows]
        shape = (len(rows), 2, part.shape[1])
        if not len(self.blockers.walls):
            return np.zeros((*shape, 0), dtype=bool)
        start = np.broadcast_to(ends[:, :, None], (*shape, 2)).reshape(len(rows), -1, 2)
        stop = np.broadcast_to(part[:, None], (*shape, 2)).reshape(len(rows), -1, 2)
        return self.walls_cross(rows, start, stop).reshape(*shape, -1)

    def walls_cross(self, rows: Ints, start: Floats, stop: Floats) -> Bools:
        """Whether lines (m, k) pass through a terrain part and leave its piece before arriving.

        OR-25: a target on the piece is seen, a viewer on it sees out.
        """
        walls = self.blockers.walls
        offset = walls.offset + GRAZE_IN
        first = np.einsum("mkd,ped->mkpe", start, walls.normal) - offset
        last = np.einsum("mkd,ped->mkpe", stop, walls.normal) - offset
        change = last - first
        with np.errstate(divide="ignore", invalid="ignore"):
            at = -first / change
        enter = np.where(change > 0, at, -np.inf).max(axis=3)
        leave = np.where(change < 0, at, np.inf).min(axis=3)
        outside = ((change == 0) & (first < 0)).any(axis=3)
        crosses = (enter < leave) & (leave > 0) & (enter < 1) & ~outside
        if not self.blockers.through_any:
            arrive = self.arrival(rows, start, stop)[..., None]
            ends_inside = leave >= arrive - 1e-12
            if len(walls) > walls.pieces or len(np.unique(walls.piece)) < len(walls):
                ends_inside |= self.goes_on(crosses, enter, leave, arrive)
            crosses &= ~ends_inside
        return crosses & ~self.looks.exempt[rows][:, walls.piece][:, None, :]

    def goes_on(self, crosses: Bools, enter: Floats, leave: Floats, arrive: Floats) -> Bools:
        """Whether a line that leaves a part is still inside its piece until it arrives."""
        piece = self.blockers.walls.piece
        same = piece[:, None] == piece[None, :]
        end = leave.copy()
        for _ in range(len(piece)):
            joined = (
                same & crosses[..., None, :] & (enter[..., None, :] <= end[..., :, None] + 1e-12)
            )
            later = np.where(joined, leave[..., None, :], -np.inf).max(axis=-1)
            if (later <= end).all():
                break
            end = np.maximum(end, later)
        return end >= arrive - 1e-12

    def arrival(self, rows: Ints, start: Floats, stop: Floats) -> Floats:
        """Where along lines (m, k) the target's tray is first met (1 at their ends)."""
        trays, target = self.blockers.trays, self.looks.target[rows]
        centre, forward = trays.centre[target], trays.forward[target]
        begin = into_frame(centre, forward, start)
        step = into_frame(centre, forward, stop) - begin
        enter, leave = slab_times(begin, step, self.box[rows][:, None, :] + GRAZE_IN)
        return np.where(enter <= leave, np.clip(enter, 0.0, 1.0), 1.0)

    def on_part(self, rows: Ints) -> Bools:
        """Whether the target may lie on a terrain part (m, p): then no single part decides."""
        walls = self.blockers.walls
        corners = self.part[rows]
        inside = np.einsum("mkd,ped->mkpe", corners, walls.normal) - walls.offset
        return ~(inside < -1e-5).all(axis=1).any(axis=2)

    def critical(self, rows: Ints, between: Bools, ease: Floats) -> Bools:
        """The exact answers (r,) by lines through pairs of corners, at least one a blocker's."""
        trays, walls = self.blockers.trays, self.blockers.walls
        tray, has_tray = packed(between)
        half = trays.half - ease[:, None]
        corner = corners_at(trays.centre, trays.forward, half)[tray]
        corner[~has_tray] = np.nan
        seen = self.part[rows]
        real = int((following(seen) != seen).any(axis=2).sum(axis=1).max())
        seen = seen[:, : real + 1]  # the rest repeats the last corner
        spots = [self.ends[rows], seen, corner.reshape(len(rows), -1, 2)]
        part, has_part = packed(self.parts_between(rows))
        if part.shape[1]:
            angle = walls.corners[part]
            angle[~has_part] = np.nan
            spots.append(angle.reshape(len(rows), -1, 2))
            spots.append(self.part_crossings(rows, part, has_part))
        points = np.concatenate(spots, axis=1)
        own = 2 + seen.shape[1]
        a, b = np.triu_indices(points.shape[1], 1)
        a, b = a[b >= own], b[b >= own]  # lines from the edge's ends to the target were tried
        start, stop, valid = self.through(rows, points[:, a], points[:, b])
        row, line = np.nonzero(valid)
        start, stop = start[row, line], stop[row, line]
        blocked = np.zeros(len(row), dtype=bool)
        for slot in range(tray.shape[1]):
            which = tray[row, slot]
            begin = into_frame(trays.centre[which], trays.forward[which], start[:, None])[:, 0]
            final = into_frame(trays.centre[which], trays.forward[which], stop[:, None])[:, 0]
            crossed = slabs_cross(begin, final - begin, half[which] - GRAZE_IN)
            blocked |= crossed & has_tray[row, slot]
        if part.shape[1]:
            free = np.flatnonzero(~blocked)
            crossed = self.walls_cross(rows[row[free]], start[free, None], stop[free, None])
            blocked[free] = crossed[:, 0].any(axis=1)
        result = np.zeros(len(rows), dtype=bool)
        result[row[~blocked]] = True
        return result

    def trays_between(self, rows: Ints, ease: Floats) -> Bools:
        """(r, n): trays that reach into the ground between front edge and target part."""
        trays = self.blockers.trays
        reach = np.maximum(-ease, 0.0)
        inside = self.reach_between(rows, trays.corners, reach)
        every = np.arange(len(rows))
        inside[every, self.looks.viewer[rows]] = False
        inside[every, self.looks.target[rows]] = False
        return inside

    def parts_between(self, rows: Ints) -> Bools:
        """(r, p): terrain parts that reach into the ground between front edge and target part."""
        corners = self.blockers.walls.corners
        return self.reach_between(rows, corners, np.zeros(len(corners)))

    def reach_between(self, rows: Ints, corners: Floats, reach: Floats) -> Bools:
        """(r, q): polygons (q, e, 2) that reach into the boxes drawn along the lines of view."""
        ends, part = self.ends[rows], self.part[rows]
        origin = ends.mean(axis=1)
        away = part.mean(axis=1) - origin
        length = np.maximum(np.hypot(away[:, 0], away[:, 1]), 1e-9)
        ahead = away / length[:, None]
        both = into_frame(origin, ahead, np.concatenate([ends, part], axis=1))
        flat = np.broadcast_to(corners.reshape(1, -1, 2), (len(rows), corners[..., 0].size, 2))
        local = into_frame(origin, ahead, flat).reshape(len(rows), *corners.shape)
        low = both.min(axis=1)[:, None] - reach[:, None]
        high = both.max(axis=1)[:, None] + reach[:, None]
        return ((local.max(axis=2) >= low) & (local.min(axis=2) <= high)).all(axis=2)

    def part_crossings(self, rows: Ints, part: Ints, has_part: Bools) -> Floats:
        """Where the target parts' sides cross those of terrain parts (r, k, 2): a target may
        be seen on a piece up to there."""
        a = self.part[rows][:, None, :, None]
        b = following(self.part[rows])[:, None, :, None]
        c = self.blockers.walls.corners[part][:, :, None]
        d = following(self.blockers.walls.corners[part])[:, :, None]
        r, s, way = b - a, d - c, c - a
        denominator = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (way[..., 0] * s[..., 1] - way[..., 1] * s[..., 0]) / denominator
            u = (way[..., 0] * r[..., 1] - way[..., 1] * r[..., 0]) / denominator
        hit = (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1) & has_part[:, :, None, None]
        t = np.where(hit, t, np.nan)
        found = (a + t[..., None] * r).reshape(len(rows), -1, 2)
        if not hit.any():
            return found[:, :0]
        order = np.argsort(np.isnan(found[..., 0]), axis=1, kind="stable")
        most = int(hit.reshape(len(rows), -1).sum(axis=1).max())
        return np.take_along_axis(found, order[:, :most, None], axis=1)

    def through(self, rows: Ints, a: Floats, b: Floats) -> tuple[Floats, Floats, Bools]:
        """Lines through point pairs (r, k), cut to run from front edge to target part."""
        eyes = self.looks.eyes
        centre, forward = eyes.centre[rows], eyes.forward[rows]
        first, second = into_frame(centre, forward, a), into_frame(centre, forward, b)
        edge = into_frame(centre, forward, self.ends[rows])
        level, wide = edge[:, :1, 0], edge[:, :1, 1]
        step = second - first
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = step[..., 1] / step[..., 0]
            across = first[..., 1] + (level - first[..., 0]) * slope
        valid = np.isfinite(slope) & (np.abs(across) <= wide + GRAZE_IN)
        row, line = np.nonzero(valid)
        across = np.clip(across[row, line], -wide[row, 0], wide[row, 0])
        slope = slope[row, line]
        polygon = into_frame(centre, forward, self.part[rows])
        enter, leave = ray_into(level[row, 0], across, slope, polygon, row)
        hits = (enter <= leave) & (leave >= -GRAZE_IN)
        valid[row[~hits], line[~hits]] = False
        row, line, across, slope = row[hits], line[hits], across[hits], slope[hits]
        reach = np.maximum(enter[hits], 0.0)
        origin = np.stack([level[row, 0], across], axis=-1)
        end = np.stack([level[row, 0] + reach, across + reach * slope], axis=-1)
        start, stop = np.zeros((*valid.shape, 2)), np.zeros((*valid.shape, 2))
        start[row, line] = out_of_frame(centre[row], forward[row], origin[:, None])[:, 0]
        stop[row, line] = out_of_frame(centre[row], forward[row], end[:, None])[:, 0]
        return start, stop, valid


def alike(rows: Ints, between: Bools) -> Iterator[Ints]:
    """Rows in groups with about as many trays between, so that little is padded."""
    count = between[rows].sum(axis=1)
    for low, high in pairwise((-1, 3, 5, between.shape[1])):
        some = rows[(count > low) & (count <= high)]
        if len(some):
            yield some


def hides_all(trays: Trays, start: Floats, stop: Floats, sigmas: float = 0.0) -> Bools:
    """(m, n): trays that cross every line from points (m, j, 2) to points (m, k, 2).

    The trays are grown by so many sigmas.
    """
    count = len(start)
    centre, forward = trays.centre[:, None], trays.forward[:, None]
    begin = into_frame(centre, forward, start.reshape(1, 1, -1, 2))
    final = into_frame(centre, forward, stop.reshape(1, 1, -1, 2))
    begin = begin.reshape(len(trays), count, start.shape[1], 1, 2)
    final = final.reshape(len(trays), count, 1, stop.shape[1], 2)
    half = (trays.half + sigmas * trays.spread[:, None] - GRAZE_IN).reshape(-1, 1, 1, 1, 2)
    return np.asarray(slabs_cross(begin, final - begin, half).all(axis=(2, 3)).T)


def packed(mask: Bools) -> tuple[Ints, Bools]:
    """The columns (r, k) a mask names in each row, and which of them are real."""
    most = int(mask.sum(axis=1).max()) if mask.size else 0
    order = np.argsort(~mask, axis=1, kind="stable")[:, :most]
    return order, np.take_along_axis(mask, order, axis=1)


def slab_times(start: Floats, step: Floats, half: Floats) -> tuple[Floats, Floats]:
    """When lines enter and leave boxes of half sizes (…, 2), in units of the step."""
    with np.errstate(divide="ignore", invalid="ignore"):
        low = (-half - start) / step
        high = (half - start) / step
    enter = np.minimum(low, high)
    leave = np.maximum(low, high)
    return np.maximum(enter[..., 0], enter[..., 1]), np.minimum(leave[..., 0], leave[..., 1])


def slabs_cross(start: Floats, step: Floats, half: Floats) -> Bools:
    """Whether segments cross the interior of boxes; one running along a side does not."""
    enter, leave = slab_times(start, step, half)
    return (enter < leave) & (enter < 1) & (leave > 0) & (half > 0).all(axis=-1)


def ray_into(
    level: Floats, across: Floats, slope: Floats, polygons: Floats, row: Ints
) -> tuple[Floats, Floats]:
    """When rays (k,) enter and leave the closed convex polygon (r, e, 2) of their row.

    A ray starts at (level, across) and gains `slope` across for each inch ahead.
    """
    side = following(polygons) - polygons
    length = np.hypot(side[..., 0], side[..., 1])
    real = length > 1e-12
    inward = (
        np.stack([-side[..., 1], side[..., 0]], axis=-1) / np.where(real, length, 1.0)[..., None]
    )
    base = (polygons * inward).sum(axis=-1)
    facing = inward[row]
    first = facing[..., 0] * level[:, None] + facing[..., 1] * across[:, None] - base[row]
    first = first + GRAZE_IN
    change = facing[..., 0] + facing[..., 1] * slope[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        at = -first / change
    counts = real[row]
    enter = np.where(counts & (change > 0), at, -np.inf).max(axis=1)
    leave = np.where(counts & (change < 0), at, np.inf).min(axis=1)
    outside = (counts & (change == 0) & (first < 0)).any(axis=1) | ~counts.any(axis=1)
    return np.where(outside, np.inf, enter), np.where(outside, -np.inf, leave)

"""Line of sight, exactly: is there any unblocked line from a front edge to a target's seen part?

If any line is free, it can be swung and slid until it touches two corners (of a blocker, of
the target's part in the front arc, or the ends of the front edge) and is still free: touching
does not block (OR-5). So it is enough to try the lines through pairs of corners. Most pairs
are settled before that: by a free line from an end of the front edge to a corner of the target,
or by one convex blocker that hides every corner from both ends, and so everything between.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.geometry.arcs import front_part
from companion.geometry.trays import Bools, Floats, Ints, Trays, into_frame, out_of_frame
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


def sees(looks: Looks, blockers: Blockers, slack: float = 0.0, sigmas: float = 0.0) -> Bools:
    """Whether each viewer sees its target (m,).

    `slack` shrinks every blocker and widens the target by so many inches, `sigmas` does so by
    that many standard deviations of each tray's corners; negative values do the opposite. So a
    yes at a negative slack is a sure yes, and a no at a positive one a sure no.
    """
    count = len(looks.viewer)
    result = np.zeros(count, dtype=bool)
    if not count:
        return result
    ease = slack + sigmas * blockers.trays.spread
    line = Lines.drawn(looks, blockers, slack, sigmas)
    visible = ~np.isnan(line.part[:, 0, 0])
    result[visible & looks.freed] = True
    open_ = np.flatnonzero(visible & ~looks.freed)
    if not len(open_):
        return result
    by_tray, by_wall = line.blocked(open_, ease, slack)
    free = ~(by_tray.any(axis=3) | by_wall.any(axis=3))
    seen = free.any(axis=(1, 2))
    result[open_[seen]] = True
    hidden = by_tray.all(axis=(1, 2)).any(axis=1)
    if by_wall.shape[3]:
        clear = ~line.on_part(open_)
        hidden |= (by_wall.all(axis=(1, 2)) & clear).any(axis=1)
    for row in np.flatnonzero(~(seen | hidden)):
        near = (by_tray[row].any(axis=(0, 1)), by_wall[row].any(axis=(0, 1)))
        result[open_[row]] = line.critical(int(open_[row]), near, ease, slack)
    return result


@dataclass(frozen=True, slots=True)
class Lines:
    """The ends of the front edges and the seen parts of the targets, on the table."""

    looks: Looks
    blockers: Blockers
    ends: Floats  # (m, 2, 2)
    part: Floats  # (m, 7, 2), NaN where nothing of the target lies in the front arc
    box: Floats  # (m, 2): half sizes of the targets, eased

    @classmethod
    def drawn(cls, looks: Looks, blockers: Blockers, slack: float, sigmas: float) -> Lines:
        """Front edges and target parts, eased by the slack."""
        eyes, target = looks.eyes, looks.target
        trays = blockers.trays
        reach = slack + sigmas * trays.spread[target]
        box = np.maximum(trays.half[target] + reach[:, None], 1e-6)
        signs = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
        corners = out_of_frame(trays.centre[target], trays.forward[target], signs * box[:, None, :])
        local = into_frame(eyes.centre, eyes.forward, corners)
        own = slack + sigmas * eyes.spread
        angle = np.arctan(eyes.tan_arc) + sigmas * eyes.turn
        tan_arc = np.tan(np.clip(angle, 1e-3, np.pi / 2 - 1e-3))
        rows = np.arange(len(target), dtype=np.intp)
        part = front_part(eyes, rows, local, tan_arc)
        wide = np.maximum(eyes.half[:, 1] + own, 1e-6)
        edge = np.stack(
            [
                np.stack([eyes.half[:, 0], wide], axis=-1),
                np.stack([eyes.half[:, 0], -wide], axis=-1),
            ],
            axis=1,
        )
        return cls(
            looks,
            blockers,
            out_of_frame(eyes.centre, eyes.forward, edge),
            out_of_frame(eyes.centre, eyes.forward, part),
            box,
        )

    def blocked(self, rows: Ints, ease: Floats, slack: float) -> tuple[Bools, Bools]:
        """Lines from both ends to all corners: blocked by which tray (m, 2, 7, n), by which part."""
        ends, part = self.ends[rows], self.part[rows]
        trays, walls = self.blockers.trays, self.blockers.walls
        count = len(trays)
        start = into_frame(trays.centre[:, None], trays.forward[:, None], ends.reshape(1, -1, 2))
        stop = into_frame(trays.centre[:, None], trays.forward[:, None], part.reshape(1, -1, 2))
        start = start.reshape(count, len(rows), 2, 1, 2)
        stop = stop.reshape(count, len(rows), 1, part.shape[1], 2)
        half = (trays.half - ease[:, None] - GRAZE_IN).reshape(count, 1, 1, 1, 2)
        by_tray = np.moveaxis(slabs_cross(start, stop - start, half), 0, 3)
        every = np.arange(len(rows))
        by_tray[every, :, :, self.looks.viewer[rows]] = False
        by_tray[every, :, :, self.looks.target[rows]] = False
        by_wall = np.zeros((*by_tray.shape[:3], len(walls)), dtype=bool)
        if len(walls):
            begin = np.broadcast_to(ends[:, :, None], (*by_tray.shape[:3], 2))
            final = np.broadcast_to(part[:, None], (*by_tray.shape[:3], 2))
            by_wall = self.walls_cross(
                rows, begin.reshape(len(rows), -1, 2), final.reshape(len(rows), -1, 2), slack
            ).reshape(*by_tray.shape[:3], len(walls))
        return by_tray, by_wall

    def walls_cross(self, rows: Ints, start: Floats, stop: Floats, slack: float) -> Bools:
        """Whether lines (m, k) pass through a terrain part and leave its piece before arriving.

        OR-25: a target on the piece is seen, a viewer on it sees out.
        """
        walls = self.blockers.walls
        offset = walls.grown(-slack) + GRAZE_IN
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
        """Whether the target's tray may lie on a terrain part (m, p): then no single part decides."""
        walls = self.blockers.walls
        corners = self.part[rows]
        inside = np.einsum("mkd,ped->mkpe", corners, walls.normal) - walls.offset
        return ~(inside < -1e-5).all(axis=1).any(axis=2)

    def critical(self, row: int, near: tuple[Bools, Bools], ease: Floats, slack: float) -> bool:
        """The exact answer for one question, by the lines through pairs of corners."""
        trays, walls = self.blockers.trays, self.blockers.walls
        ends, part = self.ends[row], self.part[row]
        hull = np.concatenate([ends, part])
        tray_index = np.flatnonzero(self.in_the_way(row, hull, ease, near[0]))
        piece_near = np.zeros(max(walls.pieces, 1), dtype=bool)
        piece_near[walls.piece[near[1]]] = True
        part_index = np.flatnonzero(piece_near[walls.piece]) if len(walls) else near[1].nonzero()[0]
        signs = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
        spots = [hull]
        for n in tray_index:
            half = trays.half[n] - ease[n]
            spots.append(
                out_of_frame(trays.centre[n], trays.forward[n], signs * half).reshape(-1, 2)
            )
        for p in part_index:
            spots.append(walls.corners[p])
            spots.append(boundary_crossings(part, walls.corners[p]))
        points = np.concatenate(spots)
        points = np.unique(points.round(12), axis=0)
        a, b = np.triu_indices(len(points), 1)
        start, stop, valid = self.through(row, points[a], points[b])
        if not valid.any():
            return False
        start, stop = start[valid], stop[valid]
        blocked = np.zeros(len(start), dtype=bool)
        for n in tray_index:
            begin = into_frame(trays.centre[n], trays.forward[n], start)
            step = into_frame(trays.centre[n], trays.forward[n], stop) - begin
            blocked |= slabs_cross(begin, step, trays.half[n] - ease[n] - GRAZE_IN)
        if len(part_index):
            rows = np.array([row], dtype=np.intp)
            blocked |= self.walls_cross(rows, start[None], stop[None], slack)[0].any(axis=1)
        return bool((~blocked).any())

    def in_the_way(self, row: int, hull: Floats, ease: Floats, near: Bools) -> Bools:
        """Trays (n,) that reach into the box around front edge and target part."""
        trays = self.blockers.trays
        low, high = hull.min(axis=0), hull.max(axis=0)
        extent = np.abs(ease)[:, None]
        reach = (trays.corners.max(axis=1) + extent >= low) & (
            trays.corners.min(axis=1) - extent <= high
        )
        way = reach.all(axis=1) | near
        way[self.looks.viewer[row]] = False
        way[self.looks.target[row]] = False
        return way

    def through(self, row: int, a: Floats, b: Floats) -> tuple[Floats, Floats, Bools]:
        """Lines through point pairs, cut to run from the front edge to the target's seen part."""
        eyes = self.looks.eyes
        centre, forward = eyes.centre[row], eyes.forward[row]
        first, second = into_frame(centre, forward, a), into_frame(centre, forward, b)
        edge = into_frame(centre, forward, self.ends[row])
        level, wide = edge[0, 0], edge[0, 1]
        step = second - first
        with np.errstate(divide="ignore", invalid="ignore"):
            across = first[:, 1] + (level - first[:, 0]) / step[:, 0] * step[:, 1]
            slope = step[:, 1] / step[:, 0]
        valid = np.isfinite(slope) & (np.abs(across) <= wide + GRAZE_IN)
        across = np.clip(np.where(valid, across, 0.0), -wide, wide)
        origin = np.stack([np.full_like(across, level), across], axis=-1)
        ahead = np.stack([np.ones_like(slope), np.where(valid, slope, 0.0)], axis=-1)
        polygon = into_frame(centre, forward, self.part[row])
        enter, leave = ray_into(origin, ahead, polygon)
        valid &= (enter <= leave) & (leave >= -GRAZE_IN)
        reach = np.where(valid, np.maximum(enter, 0.0), 0.0)
        end = origin + reach[:, None] * ahead
        return (
            out_of_frame(centre, forward, origin),
            out_of_frame(centre, forward, end),
            valid,
        )


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


def ray_into(origin: Floats, ahead: Floats, polygon: Floats) -> tuple[Floats, Floats]:
    """When rays (k,) enter and leave a closed convex polygon (e, 2)."""
    following = np.roll(polygon, -1, axis=0)
    side = following - polygon
    length = np.hypot(side[:, 0], side[:, 1])
    real = length > 1e-12
    if real.sum() < 2:  # the part seen is a point or a sliver: aim at it
        return ray_at_points(origin, ahead, polygon)
    side, base = side[real] / length[real, None], polygon[real]
    inward = np.stack([-side[:, 1], side[:, 0]], axis=-1)
    first = origin @ inward.T - (base * inward).sum(axis=1) + GRAZE_IN
    change = ahead @ inward.T
    with np.errstate(divide="ignore", invalid="ignore"):
        at = -first / change
    enter = np.where(change > 0, at, -np.inf).max(axis=1)
    leave = np.where(change < 0, at, np.inf).min(axis=1)
    outside = ((change == 0) & (first < 0)).any(axis=1)
    return np.where(outside, np.inf, enter), np.where(outside, -np.inf, leave)


def ray_at_points(origin: Floats, ahead: Floats, points: Floats) -> tuple[Floats, Floats]:
    """When rays meet the nearest of a few points, never if they pass all by."""
    way = points[None] - origin[:, None]
    at = (way @ ahead[..., None])[..., 0] / (ahead * ahead).sum(axis=1)[:, None]
    miss = way - at[..., None] * ahead[:, None]
    hit = np.hypot(miss[..., 0], miss[..., 1]) <= GRAZE_IN
    enter = np.where(hit, at, np.inf).min(axis=1)
    return enter, np.where(np.isfinite(enter), enter, -np.inf)


def boundary_crossings(first: Floats, second: Floats) -> Floats:
    """Points where the sides of two convex polygons cross (k, 2)."""
    a, c = first, second
    b, d = np.roll(a, -1, axis=0), np.roll(c, -1, axis=0)
    r, s = (b - a)[:, None], (d - c)[None]
    denominator = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    way = c[None] - a[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (way[..., 0] * s[..., 1] - way[..., 1] * s[..., 0]) / denominator
        u = (way[..., 0] * r[..., 1] - way[..., 1] * r[..., 0]) / denominator
    hit = (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1) & np.isfinite(t)
    start, along = np.broadcast_arrays(a[:, None], r + 0 * s)
    return start[hit] + t[hit][:, None] * along[hit]

"""Upper bounds on the clearance of a tray that slides and then turns, over whole ranges of moves.

A cell is a range of slide distances and turn angles. For any point of the tray, the distance from a
convex shape is a convex function of the point's position, and over a cell the point stays within
the convex hull of its four extreme positions, except for the bulge of its arc. So the largest of
the four distances plus the bulge is an upper bound of the clearance anywhere in the cell: where
that bound is too small, no move in the cell is legal (branch and bound).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.geometry.plane.solids import Solids
from companion.geometry.plane.trays import Bools, Floats, Ints, into_frame, joined

SPOTS = np.array(
    [(1, 1), (-1, 1), (-1, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (0, -1), (0, 0)], dtype=float
)
"""The sample points of a tray, in half sizes: corners, edge midpoints, centre."""
ENDS = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], dtype=float)
"""The extremes of a cell: slide, turn."""


@dataclass(frozen=True, slots=True, eq=False)
class RangeCells:
    """Ranges of slides (inches) and turns (radians): their midpoints and half widths."""

    way: Floats  # (k,)
    turn: Floats  # (k,)
    long: Floats  # (k,) half the range of slides
    wide: Floats  # (k,) half the range of turns

    @classmethod
    def between(cls, ways: Floats, turns: Floats) -> RangeCells:
        """All cells of a grid with these lines."""
        way, turn = np.meshgrid((ways[1:] + ways[:-1]) / 2, (turns[1:] + turns[:-1]) / 2)
        long, wide = np.meshgrid(np.diff(ways) / 2, np.diff(turns) / 2)
        return cls(way.ravel(), turn.ravel(), long.ravel(), wide.ravel())

    def __len__(self) -> int:
        return len(self.way)

    def subset(self, keep: Bools) -> RangeCells:
        """The cells selected by a mask."""
        return RangeCells(self.way[keep], self.turn[keep], self.long[keep], self.wide[keep])

    def ends(self) -> tuple[Floats, Floats]:
        """Slides and turns (k, 4) at the cells' extremes."""
        way = self.way[:, None] + ENDS[:, 0] * self.long[:, None]
        return way, self.turn[:, None] + ENDS[:, 1] * self.wide[:, None]

    def halved(self, across: Bools) -> RangeCells:
        """Each cell split in two: its turns where `across`, else its slides."""
        long = np.where(across, self.long, self.long / 2)
        wide = np.where(across, self.wide / 2, self.wide)
        off_way, off_turn = np.where(across, 0.0, long), np.where(across, wide, 0.0)
        return RangeCells(
            np.concatenate([self.way - off_way, self.way + off_way]),
            np.concatenate([self.turn - off_turn, self.turn + off_turn]),
            np.tile(long, 2),
            np.tile(wide, 2),
        )


TIGHTEST = 6
"""Only this many of the tightest constraints are combined in pairs."""
PAIRS = np.triu_indices(TIGHTEST, 1)
ENDS_APART = np.triu_indices(4, 1)


@dataclass(frozen=True, slots=True, eq=False)
class RangeBounds:
    """Upper bounds on the clearance minus the required distance, for each cell."""

    most: Floats  # (k,) upper bound over the cell
    safe: Floats  # (k,) the same for the larger distance that makes it certain
    ends: Floats  # (k, 4) at the extremes; too large where outlines cross without a corner inside
    across: Bools  # (k,) whether the turn matters more than the slide

    def subset(self, keep: Bools) -> RangeBounds:
        """The bounds of the cells selected by a mask."""
        return RangeBounds(self.most[keep], self.safe[keep], self.ends[keep], self.across[keep])


@dataclass(frozen=True, slots=True, eq=False)
class ClearanceBounds:
    """A tray that slides along a line and turns at its end, among solids and table edges.

    `wanted` and `safe` are the required distances from every solid and from the edges: the least
    legal one, and the one that is certain despite the measurement error.
    """

    centre: Floats  # (2,)
    heading_rad: float
    half: Floats  # (2,)
    step: Floats  # one inch of the slide
    solids: Solids  # q of them, trays first
    size: Floats  # (2,) of the table; infinite where its edges do not count
    wanted: Floats  # (q + 1,)
    safe: Floats  # (q + 1,)

    def placed(self, way: Floats, turn: Floats) -> tuple[Floats, Floats]:
        """Centres and facings (…, 2) after these slides and turns."""
        angle = self.heading_rad + turn
        return self.centre + way[..., None] * self.step, joined(np.cos(angle), np.sin(angle))

    def margins(self, way: Floats, turn: Floats) -> Floats:
        """(k, q + 1): clearance from every solid and from the edges; negative inside."""
        centre, forward = self.placed(way, turn)
        spot = self.spots(centre, forward)
        seen = [
            distance.min(axis=-1) for distance, _ in self.distances(centre, forward, spot)
        ]  # tray points to solids, solid corners to tray, tray corners to table edges
        clear = np.minimum(seen[0], seen[1])
        apart = self.apart(centre, forward)
        return np.concatenate([np.where(apart < 0, apart, clear), seen[2]], axis=-1)

    # -- bounds -----------------------------------------------------------------------------

    def bounds(self, cells: RangeCells) -> RangeBounds:
        """Upper bounds on the clearance in each of these cells."""
        way, turn = cells.ends()
        centre, forward = self.placed(way, turn)
        bulge = (1 - np.cos(cells.wide))[:, None, None]
        spot = self.spots(centre, forward)
        own = np.hypot(*(SPOTS * self.half).T) * bulge
        away = self.solids.corners - self.placed(cells.way, cells.turn)[0][:, None, None]
        theirs = (np.hypot(away[..., 0], away[..., 1]) + cells.long[:, None, None]) * bulge
        found = self.distances(centre, forward, spot)
        flat, spare, column = [], [], []
        for (distance, number), round_ in zip(
            found, (own, theirs, own[..., :4].repeat(4, axis=2)), strict=True
        ):
            flat.append(distance.reshape(len(cells), 4, -1))
            every = np.broadcast_to(round_, (len(cells), *distance.shape[2:]))
            spare.append(every.reshape(len(cells), -1))
            column.append(np.repeat(number, distance.shape[-1]))
        free, number = np.concatenate(flat, axis=2), np.concatenate(column)
        bulges, free = np.concatenate(spare, axis=1), free - self.wanted[number]
        deep, every = self.deep(cells), np.arange(len(cells))[:, None]
        most = free.max(axis=1) + bulges
        tight = np.argsort(most, axis=1)[:, :TIGHTEST]
        four, round_ = free[every, :, tight], bulges[every, tight]
        unsafe = (self.safe - self.wanted)[number]
        lowest = np.minimum(most.min(axis=1), (deep - self.wanted[:-1]).min(axis=1, initial=np.inf))
        safest = np.minimum(
            (most - unsafe).min(axis=1), (deep - self.safe[:-1]).min(axis=1, initial=np.inf)
        )
        open_ = lowest >= 0
        lowest[open_] = np.minimum(lowest[open_], together(four[open_], round_[open_]))
        if unsafe.any():
            more = four[open_] - unsafe[tight][open_][..., None]
            safest[open_] = np.minimum(safest[open_], together(more, round_[open_]))
        else:
            safest = np.minimum(safest, lowest)
        ends = free.min(axis=2)
        open_ = ends.min(axis=1) >= 0  # then another constraint binds; split the longer side
        size = cells.wide * np.hypot(*self.half) > cells.long
        return RangeBounds(lowest, safest, ends, np.where(open_, size, across(four, round_)))

    def deep(self, cells: RangeCells) -> Floats:
        """(k, q): upper bound on the clearance from each solid overlapped at the cell's midpoint.

        No point of the tray moves farther from there than half the range of slides plus half the
        range of turns times the bounding radius.
        """
        moved = cells.long + cells.wide * np.hypot(*self.half)
        apart = self.apart(*self.placed(cells.way, cells.turn))
        bound = np.where(apart < 0, apart + moved[:, None], np.inf)
        bound[:, : self.solids.trays] = np.maximum(bound[:, : self.solids.trays], 0.0)
        return bound

    def covered(self, cells: RangeCells) -> Bools:
        """(k, q): the solids that the tray overlaps everywhere in the cell."""
        way, turn = cells.ends()
        centre, forward = self.placed(way, turn)
        bulge = (1 - np.cos(cells.wide))[:, None, None]
        within = self.distances(centre, forward, self.spots(centre, forward))[0][0].max(axis=1)
        own = np.hypot(*(SPOTS * self.half).T) * bulge
        return np.asarray(((within + own).min(axis=2) < 0) | (self.deep(cells) < 0))

    # -- distances --------------------------------------------------------------------------

    def spots(self, centre: Floats, forward: Floats) -> Floats:
        """(…, 9, 2): positions of the tray's sample points."""
        x, y = (SPOTS * self.half).T
        c, s = forward[..., :1], forward[..., 1:]
        return joined(centre[..., :1] + x * c - y * s, centre[..., 1:] + x * s + y * c)

    def distances(self, centre: Floats, forward: Floats, spot: Floats) -> list[tuple[Floats, Ints]]:
        """Distances (…, solids, points) from tray points to solids, from solid corners to the tray,
        and from tray corners to the table edges; each with the numbers of the solids.
        """
        solids, trays = self.solids, self.solids.trays
        numbers = np.arange(len(solids))
        out = solids.offset[:, None] - np.einsum("...pd,qed->...qpe", spot, solids.normal)
        of_them = out.max(axis=-1)
        along, aside = out[..., :trays, :, :2].max(axis=-1), out[..., :trays, :, 2:4].max(axis=-1)
        far = np.hypot(np.maximum(along, 0.0), np.maximum(aside, 0.0))
        of_them[..., :trays, :] = np.where(
            of_them[..., :trays, :] > 0, far, of_them[..., :trays, :]
        )
        over = np.abs(self.seen(centre, forward)) - self.half
        of_it = over.max(axis=-1)
        far = np.hypot(np.maximum(over[..., 0], 0.0), np.maximum(over[..., 1], 0.0))
        of_it[..., :trays, :] = np.where(of_it > 0, far, of_it)[..., :trays, :]
        inside = joined(spot[..., :4, :], self.size - spot[..., :4, :])
        inside = inside.reshape(*spot.shape[:-2], 1, 16)
        return [(of_them, numbers), (of_it, numbers), (inside, np.array([len(solids)]))]

    def apart(self, centre: Floats, forward: Floats) -> Floats:
        """(k, q): the separation of the tray and each solid along the best separating axis."""
        solids, local = self.solids, self.seen(centre, forward)
        aside = np.maximum(local.min(axis=-2), -local.max(axis=-2)) - self.half
        reach = np.einsum("qed,kd->kqe", solids.normal, centre) - solids.offset
        for axis, size in zip(
            (forward, joined(-forward[:, 1], forward[:, 0])), self.half, strict=True
        ):
            reach += np.abs(np.einsum("qed,kd->kqe", solids.normal, axis)) * size
        return np.maximum(aside.max(axis=-1), (-reach).max(axis=-1))

    def seen(self, centre: Floats, forward: Floats) -> Floats:
        """The solids' corners in the frames (…, 2) of the tray: (…, q, e, 2)."""
        return into_frame(centre[..., None, :], forward[..., None, :], self.solids.corners)


def across(four: Floats, bulge: Floats) -> Bools:
    """(k,): whether a cell's turns affect these distances (k, c, 4) more than its slides."""
    way = np.abs(four[..., 1::2] - four[..., ::2]).max(axis=2)
    turn = np.abs(four[..., 2:] - four[..., :2]).max(axis=2) + bulge
    bears = four.min(axis=2) < 0
    bears[:, 0] = True
    return np.asarray((turn * bears).max(axis=1) > (way * bears).max(axis=1))


def together(four: Floats, bulge: Floats) -> Floats:
    """(k,): an upper bound on the smallest of several distances (k, c, 4) anywhere in a cell.

    It is at most any one of them, and at most any convex combination of two. The best weights are
    those at which two extremes of the combination are equal.
    """
    most = (four.max(axis=2) + bulge).min(axis=1)
    if four.shape[1] < 2:
        return np.asarray(most)
    one, two = (pair[pair_ok(four.shape[1])] for pair in PAIRS)
    low, high = four[:, one], four[:, two]  # (k, pairs, 4)
    change = high - low
    first, second = ENDS_APART
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = (low[..., second] - low[..., first]) / (change[..., first] - change[..., second])
    weight = np.clip(np.nan_to_num(weight), 0.0, 1.0)  # (k, pairs, 6)
    mixed = (low[..., None, :] + weight[..., None] * change[..., None, :]).max(axis=-1)
    mixed += bulge[:, one, None] * (1 - weight) + bulge[:, two, None] * weight
    return np.asarray(np.minimum(most, mixed.min(axis=(1, 2))))


def pair_ok(count: int) -> Bools:
    """A mask of the pairs among the first `count` constraints."""
    return np.asarray(PAIRS[1] < count)

"""Where the badges of trays are placed: beside their tray, never on each other or on another tray.

A badge touches its tray or has a line to it, which crosses no other badge. It keeps its place from
one picture to the next: to leave it costs more than most other places are better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from companion.overlay.badge import BadgeSize, PlacedBadge, TrayBadge, bounds_of
from companion.overlay.badge_places import (
    NO_PLACES,
    Array,
    Flags,
    Line,
    Places,
    common,
    crossing,
    depths,
    gaps,
    joined,
    middles,
    over,
    overlapping,
    rims,
    rows,
    within,
)
from companion.overlay.badge_search import NONE, BadgeSearch
from companion.overlay.view_frame import BoundingBox, PointPx

GAP = 2.0
"""How far from its tray a badge lies that touches it."""
SLIDES = np.linspace(-1.0, 1.0, 11)
"""The places along a tray's side, from one that hardly touches it to the other."""
HELD = 0.4
"""How much of its tray's side a badge touches at least."""
RINGS = (0.5, 1.0, 1.6, 2.4, 3.6, 5.0)
"""How far away a badge is looked for, in halves of its tray."""
SLID = 14.0
"""The cost of a badge as far along the side of its tray as it may lie."""
OTHER_SIDE, ACROSS = 8.0, 6.0
"""The cost of a place on the side of the opponent, and to the left or right of its tray."""
AWAY, FARTHER, FAR = 40.0, 40.0, 2.0
"""The cost of every place that does not touch the tray, that of every half of a tray between both,
and after how many of them it is twice as much."""
OWN_COST = 200.0
"""The cost of covering all of its own tray."""
COVERS, OTHER_COST, MOST_COVERED = 150.0, 400.0, 0.2
"""The cost of covering another tray, that of all of it, and the share that is too dear."""
HIDDEN = 900.0
"""The cost of hiding a sign of the table."""
STRANGE = 10.0
"""The cost of a place that needs a line: a badge of whom?"""
ANOTHER = 150.0
"""The cost of lying nearer to another tray, even with a line."""
BEHIND = 200.0
"""The cost of a line across another tray."""
UNDER = 60.0
"""The cost of lying on what had better be free."""
LEFT, LEFT_AT_REST = 60.0, 400.0
"""What it costs a badge to leave its place beside a tray that has not moved, and where no tray
has."""
TURNED = 8.0
"""What it costs one to lie on another side of its tray than before, when that has moved."""
WAYS = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
NUDGES = ((0.0, 0.0), *((dx * far, dy * far) for far in (4.0, 8.0) for dx, dy in WAYS))
"""A badge whose place was taken by a little looks here first."""
UPRIGHT = 0.95
"""A tray that fills less of its bounding box is turned, or round."""
ROUND = 0.8
"""How much of the bounding box of such a tray a line must cross."""
CLOSE = 80.0
"""So near to a tray, in pixels, it matters how it is turned."""
RESIZED = 1.5
"""A table that is drawn larger or smaller by more than this is another picture."""
STILL = 3.0
"""A tray that moved by less, in pixels, stands where it stood: cameras tremble."""
PLACES = 1000
"""How many places are looked at in all."""


def lay_out_badges(
    badges: Sequence[TrayBadge],
    bounds: BoundingBox,
    size: BadgeSize,
    taken: Sequence[BoundingBox] = (),
    before: Mapping[str, PlacedBadge] | None = None,
    rather_free: Sequence[BoundingBox] = (),
    marks: Sequence[tuple[BoundingBox, float]] = (),
    signs: Sequence[BoundingBox] = (),
) -> tuple[PlacedBadge, ...]:
    """Place every badge that finds room inside the bounds; no two boxes overlap.

    `taken` are boxes that must stay free, such as the tools' own. A badge stays where it was
    `before`; only one without a place leaves those `rather_free` that it can, and covers as few
    `marks` as it can, each with what that costs. While no tray moves, no badge does, but for those
    on `signs` of the table, such as a flag, that have a place beside them.
    """
    order = sorted(badges, key=lambda badge: (-badge.focus, -badge.rank, badge.id))
    order = [badge for badge in order if visible(bounds_of(badge.outline), bounds)]
    before = before or {}
    ground = Ground(bounds, order, size, rows(taken), rows(rather_free), marks, rows(signs))
    moved = moved_trays(order, before)
    leave = LEFT if moved else LEFT_AT_REST
    places: list[Places] = []
    last: list[int] = []
    for number, badge in enumerate(order):
        again = ground.again(number, before.get(badge.id))
        stays = len(again.costs) > 0
        if stays and not moved and again.costs[0] < LEFT_AT_REST:
            places.append(again)
        else:
            cost = 0.0 if not stays else TURNED if badge.id in moved else leave
            places.append(joined([again, ground.places(number, cost)]))
        last.append(0 if stays else NONE)
    search = BadgeSearch(places, last)
    placed = []
    for badge, at in zip(order, search.chosen, strict=True):
        if at != NONE:
            box, line = search.all.place(at)
            line = line and from_rim(line, badge.outline, size.text / 2)
            placed.append(PlacedBadge(badge, box, line))
    return tuple(placed)


def from_rim(line: Line, outline: Sequence[PointPx], inside: float) -> Line:
    """The part of a line from the middle of a convex tray that begins this far inside its rim."""
    (x, y), (to_x, to_y) = line
    corners = np.asarray(outline, dtype=float)
    sides = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([sides[:, 1], -sides[:, 0]], axis=1)
    depth = ((corners - (x, y)) * normals).sum(axis=1)
    speed = normals @ (to_x - x, to_y - y)
    shares = [d / s for d, s in zip(depth, speed, strict=True) if s and d / s > 0]
    rim = min([1.0, *shares])
    share = max(0.0, rim - inside / max(math.dist(*line), 1.0))
    return (x + (to_x - x) * share, y + (to_y - y) * share), (to_x, to_y)


def moved_trays(badges: Sequence[TrayBadge], before: Mapping[str, PlacedBadge]) -> set[str]:
    """The trays that do not stand as they stood, wherever the picture lies; in one of quite another
    size all of them."""
    known = [one.id for one in badges if one.id in before]
    new = {one.id for one in badges} - before.keys()
    if not known:
        return new
    now = rows([bounds_of(one.outline) for one in badges if one.id in before])
    last = rows([bounds_of(before[one].badge.outline) for one in known])
    scale = grown(middles(last), middles(now))
    if not 1 / RESIZED < scale < RESIZED:
        return {one.id for one in badges}
    off = now - last * scale
    far = np.abs(off - np.tile(np.median((off[:, :2] + off[:, 2:]) / 2, axis=0), 2)).max(axis=1)
    return new | {one for one, by in zip(known, far, strict=True) if by >= STILL}


def grown(last: Array, now: Array) -> float:
    """How much larger the picture is than the one before, as most pairs of points say."""
    one, two = np.triu_indices(len(last), 1)
    was = np.linalg.norm(last[one] - last[two], axis=1)
    are = np.linalg.norm(now[one] - now[two], axis=1)
    return float(np.median(are[was > 1] / was[was > 1])) if (was > 1).any() else 1.0


def at_rest(badges: Sequence[TrayBadge], before: Mapping[str, PlacedBadge]) -> bool:
    """Whether the trays stand as they stood, at whatever size and place of the picture."""
    return bool(badges) and not moved_trays(badges, before)


def visible(tray: BoundingBox, bounds: BoundingBox) -> bool:
    """Whether the middle of a tray is inside the bounds."""
    x, y = tray.centre
    return bounds.left <= x <= bounds.right and bounds.top <= y <= bounds.bottom


class Ground:
    """What badges must not cover, and what they had better not cover."""

    def __init__(
        self,
        bounds: BoundingBox,
        badges: Sequence[TrayBadge],
        size: BadgeSize,
        taken: Array,
        rather_free: Array,
        marks: Sequence[tuple[BoundingBox, float]],
        signs: Array,
    ) -> None:
        self.bounds, self.badges, self.size = bounds, badges, size
        self.taken, self.rather_free, self.signs = taken, rather_free, signs
        self.marks = rows([box for box, _cost in marks])
        area = np.maximum(1.0, np.prod(self.marks[:, 2:] - self.marks[:, :2], axis=1))
        self.mark_costs = np.array([cost for _box, cost in marks]) / area
        self.trays = rows([bounds_of(badge.outline) for badge in badges])
        sizes = self.trays[:, 2:] - self.trays[:, :2]
        self.halves = np.maximum(sizes.min(axis=1, initial=math.inf) / 2, size.text)
        self.areas = np.maximum(1.0, np.prod(sizes, axis=1))
        self.turned = [
            number
            for number, badge in enumerate(badges)
            if area_of(badge.outline) < UPRIGHT * self.areas[number]
        ]
        narrow = np.ones(len(badges))
        narrow[self.turned] = ROUND
        off = sizes * (1 - narrow[:, None]) / 2
        self.cores = self.trays + np.concatenate([off, -off], axis=1)
        """What of each tray a line must cross."""
        self.focus = np.array([badge.focus for badge in badges], dtype=bool)

    def places(self, number: int, leave: float) -> Places:
        """The best places of a badge that cover nothing that must stay free, with their costs."""
        badge, tray = self.badges[number], self.trays[number]
        wide, high = self.size.whole(badge)
        touch, costs = beside(np.asarray(badge.outline), tray, wide, high, badge.below)
        half = float(self.halves[number])
        rings = [frame(tray, wide, high, GAP + far * half, badge.below) for far in RINGS]
        at = np.concatenate([touch, *(boxes for boxes, _ in rings)])
        costs = np.concatenate([costs, *(cost for _, cost in rings)])
        inside = within(at, self.bounds)
        focus = self.focus.copy()
        focus[number] = False
        shut = np.asarray(overlapping(inside, self.trays[focus]).any(axis=1))
        found = self.judged(number, inside, costs + leave, shut)
        best = np.argsort(found.costs, kind="stable")[: PLACES // len(self.badges)]
        return found.only(best)

    def again(self, number: int, last: PlacedBadge | None) -> Places:
        """The place of the picture before; if it is not free any more, those next to it."""
        if last is None:
            return NO_PLACES
        badge, tray = self.badges[number], BoundingBox(*self.trays[number])
        (wide, high), (across, along) = self.size.whole(badge), last.away
        x = tray.centre[0] + across * (wide + tray.right - tray.left) / 2
        y = tray.centre[1] + along * (high + tray.bottom - tray.top) / 2
        at = rows([BoundingBox.around((x + dx, y + dy), wide, high) for dx, dy in NUDGES])
        inside = within(at, self.bounds)
        moved = np.abs(inside - at).max(axis=1) > STILL
        found = self.judged(number, inside[:1], np.zeros(1), moved[:1])
        if len(found.costs):
            return found
        return self.judged(number, inside[1:], np.hypot(*np.array(NUDGES[1:]).T), moved[1:])

    def apart(self, boxes: Array) -> Array:
        """How far each box is from each tray."""
        found = gaps(boxes, self.trays)
        for other in self.turned:
            near = np.flatnonzero(found[:, other] < CLOSE)
            depth = depths(boxes[near], self.badges[other].outline)
            found[near, other] = np.maximum(found[near, other], -depth)
        return found

    def judged(self, number: int, boxes: Array, costs: Array, shut: Flags) -> Places:
        """The open places with the costs of how far they are, of trays and marks that they cover
        and of their lines."""
        shares = common(boxes, self.trays) / self.areas
        for other, badge in enumerate(self.badges):
            near = np.flatnonzero(shares[:, other])
            if len(near):
                shares[near, other] *= over(boxes[near], badge.outline)
        own = shares[:, number].copy()
        shares[:, number] = 0.0
        apart = self.apart(boxes)
        lines = self.lines(number, boxes, apart)
        lined = ~np.isnan(lines[:, 0])
        another = (apart < apart[:, [number]] - GAP).any(axis=1)
        across = crossing(lines, self.cores)
        across[:, number] = False
        costs = costs + away(apart[:, number], float(self.halves[number])) + OWN_COST * own
        costs += STRANGE * lined + ANOTHER * another + BEHIND * across.sum(axis=1)
        costs += UNDER * overlapping(boxes, self.rather_free).sum(axis=1)
        costs += HIDDEN * overlapping(boxes, self.signs).sum(axis=1)
        costs += common(boxes, self.marks) @ self.mark_costs
        costs += (COVERS * (shares > 0) + OTHER_COST * shares).sum(axis=1)
        shut = shut | overlapping(boxes, self.taken).any(axis=1)
        if not self.focus[number]:
            shut |= shares.max(axis=1) > MOST_COVERED
        return Places(boxes, costs, lines).only(~shut)

    def lines(self, number: int, boxes: Array, apart: Array) -> Array:
        """The lines that tell whose badge it is, where its place does not."""
        strange = apart <= apart[:, [number]] + GAP
        strange[:, number] = apart[:, number] > GAP + 1.5
        x, y = middles(self.trays)[number]
        to_x = np.clip(x, boxes[:, 0], boxes[:, 2])
        to_y = np.clip(y, boxes[:, 1], boxes[:, 3])
        lines = np.stack([np.full(len(boxes), x), np.full(len(boxes), y), to_x, to_y], axis=1)
        lines[~strange.any(axis=1)] = np.nan
        return np.asarray(lines)


def area_of(outline: Sequence[PointPx]) -> float:
    """The area of a polygon."""
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairs)) / 2


def away(gap: Array, half: float) -> Array:
    """The cost of places that far from a tray of that size."""
    far = np.maximum(gap - GAP, 0.0) / half
    cost = AWAY + FARTHER * (far + np.maximum(far - FAR, 0.0))
    return np.asarray(np.where(gap > GAP + 1.5, cost, 0.0))


def beside(
    outline: Array, tray: Array, wide: float, high: float, below: bool
) -> tuple[Array, Array]:
    """Places that touch a tray, or lie on it, with their costs; those on its owner's side first."""
    (x, y), (across, along) = (tray[:2] + tray[2:]) / 2, tray[2:] - tray[:2]
    xs = x + SLIDES * (wide / 2 + (0.5 - HELD) * across)
    ys = y + SLIDES[::2] * (high / 2 + (0.5 - HELD) * along)
    top, low = rims(outline, xs - wide / 2, xs + wide / 2)
    left, right = rims(outline[:, ::-1], ys - high / 2, ys + high / 2)
    spots = [
        (xs, low + GAP + high / 2, SLID * np.abs(SLIDES) + OTHER_SIDE * (not below)),
        (xs, top - GAP - high / 2, SLID * np.abs(SLIDES) + OTHER_SIDE * below),
        (left - GAP - wide / 2, ys, SLID * np.abs(SLIDES[::2]) + ACROSS),
        (right + GAP + wide / 2, ys, SLID * np.abs(SLIDES[::2]) + ACROSS),
        (np.array([x, x]), np.array([y, tray[3] - high / 2 if below else tray[1] + high / 2]), 0.0),
    ]
    boxes = [around(at_x, at_y, wide, high) for at_x, at_y, _ in spots]
    costs = [np.broadcast_to(cost, at_x.shape) for at_x, _, cost in spots]
    return np.concatenate(boxes), np.concatenate(costs)


def frame(tray: Array, wide: float, high: float, gap: float, below: bool) -> tuple[Array, Array]:
    """Places so far around a tray, with the costs of their sides."""
    (x, y), (across, along) = (tray[:2] + tray[2:]) / 2, (tray[2:] - tray[:2]) / 2
    half_x, half_y = across + wide / 2 + gap, along + high / 2 + gap
    xs, ys = x + np.linspace(-1, 1, 9) * half_x, y + np.linspace(-1, 1, 5)[1:-1] * half_y
    boxes = [
        around(xs, np.full(9, y + half_y), wide, high),
        around(xs, np.full(9, y - half_y), wide, high),
        around(np.full(3, x - half_x), ys, wide, high),
        around(np.full(3, x + half_x), ys, wide, high),
    ]
    near, far = (0.0, OTHER_SIDE) if below else (OTHER_SIDE, 0.0)
    return np.concatenate(boxes), np.repeat([near, far, ACROSS], [9, 9, 6])


def around(x: Array, y: Array, wide: float, high: float) -> Array:
    """Boxes around these middles."""
    return np.stack([x - wide / 2, y - high / 2, x + wide / 2, y + high / 2], axis=1)

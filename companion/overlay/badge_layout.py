"""Where the badges of trays are placed: beside their tray, never on each other or on another tray.

A badge touches its tray or has a line to it, which crosses no other badge. It keeps its place from
one picture to the next: to leave it costs more than most other places are better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.overlay.badge import WIDTHS, BadgeSize, PlacedBadge, TrayBadge, bounds_of
from companion.overlay.badge_places import (
    SLACK,
    Array,
    Flags,
    Indices,
    Line,
    Places,
    common,
    crossing,
    depths,
    joined,
    middles,
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
RINGS = (0.5, 1.0, 1.6, 2.4, 3.6, 5.0, 8.0, 12.0)
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
HIDDEN = 1500.0
"""The cost of hiding a sign of the table."""
DOUBT = 3 * GAP
"""A badge that lies this much nearer to its own tray than to every other one needs no line."""
STRANGE = 10.0
"""The cost of a place that needs a line: a badge of whom?"""
ANOTHER = 150.0
"""The cost of lying nearer to another tray, even with a line."""
BEHIND = 200.0
"""The cost of a line across another tray."""
UNDER = 60.0
"""The cost of lying on what had better be free."""
CUT, CUT_SHORT = 22.0, 36.0
"""The cost of a place for a shorter name, and for one of the shortest: less than that of a place
away from the tray."""
NEAR = 3
"""Shorter names are looked for in so many rings only."""
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
PLACES, SPARSE = 700, 4
"""How many of the best places are looked at in all, and how few of the others."""


def lay_out_badges(
    badges: Sequence[TrayBadge],
    bounds: BoundingBox,
    size: BadgeSize,
    taken: Sequence[BoundingBox] = (),
    before: Mapping[str, PlacedBadge] | None = None,
    rather_free: Sequence[BoundingBox] = (),
    marks: Sequence[tuple[BoundingBox, float]] = (),
    signs: Sequence[BoundingBox] = (),
    lately: Mapping[str, PlacedBadge] | None = None,
) -> tuple[PlacedBadge, ...]:
    """Place every badge that finds room inside the bounds; no two boxes overlap.

    `taken` are boxes that must stay free, such as the tools' own. A badge stays where it was
    `before`, else where it was `lately`, while it gave way to something; only one without a place
    leaves those `rather_free` that it can, and covers as few `marks` as it can, each with what that
    costs. While no tray moves, no badge does, but for those on `signs` of the table, such as a
    flag, that have a place beside them. Names are whole where there is room beside their trays.
    """
    order = sorted(badges, key=lambda badge: (-badge.focus, -badge.rank, badge.id))
    order = [badge for badge in order if visible(bounds_of(badge.outline), bounds)]
    ground = Ground(bounds, order, size, rows(taken), rows(rather_free), marks, rows(signs))
    search = BadgeSearch(*ground.choices(before or {}, lately or {}))
    placed = []
    for badge, at in zip(order, search.chosen, strict=True):
        if at != NONE:
            box, line = search.all.place(at)
            line = line and from_rim(line, badge.outline, size.text / 2)
            name = size.form(badge, box.right - box.left)
            placed.append(PlacedBadge(replace(badge, name=name), box, line))
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

    def choices(
        self, before: Mapping[str, PlacedBadge], lately: Mapping[str, PlacedBadge]
    ) -> tuple[list[Places], list[int]]:
        """The places of every badge, and which of them it has: its place `before`, then the one it
        had `lately`, then others. One that stays has no other."""
        moved = moved_trays(self.badges, before)
        if 2 * len(moved) > len(self.badges):  # another picture: little is left to rest
            before = lately = {}
        (again, same), (recent, _) = self.again(before), self.again(lately)
        stays = [len(one.costs) > 0 for one in again]
        resting = 0.0 if moved else LEFT_AT_REST
        seeking = [n for n, one in enumerate(again) if not one.costs[:1].sum() < resting]
        shut = pushed_out(again, same)
        seeking += [
            n for n in range(len(again)) if (n not in same or n in shut) and n not in seeking
        ]
        others = dict(zip(seeking, self.places(seeking), strict=True))
        found = []
        for number, badge in enumerate(self.badges):
            leave = TURNED if badge.id in moved else LEFT if moved else LEFT_AT_REST
            leave *= stays[number]
            ways = [again[number]]
            if number in others:
                farther = leave + LEFT * (len(recent[number].costs) > 0)
                ways += [recent[number].dearer(leave), others[number].dearer(farther)]
            found.append(joined(ways))
        return found, [0 if stay else NONE for stay in stays]

    def places(self, numbers: Sequence[int]) -> list[Places]:
        """The best places of these badges that cover nothing that must stay free."""
        ways = [self.ways(number) for number in numbers]
        if not ways:
            return []
        owner = np.repeat(numbers, [len(costs) for _, costs in ways])
        at, costs = (np.concatenate(one) for one in zip(*ways, strict=True))
        inside = within(at, self.bounds)
        shut = overlapping(inside, self.trays) & self.focus
        shut[np.arange(len(owner)), owner] = False
        found = self.judged(owner, inside, costs, shut.any(axis=1))
        return [self.best(found[number]) for number in numbers]

    def best(self, places: Places) -> Places:
        """The best of these places, and a few others."""
        order, most = np.argsort(places.costs, kind="stable"), PLACES // len(self.badges)
        return places.only(np.concatenate([order[:most], order[most::SPARSE]]))

    def ways(self, number: int) -> tuple[Array, Array]:
        """All places of a badge, with the costs of their sides."""
        badge, tray, half = self.badges[number], self.trays[number], float(self.halves[number])
        ways = []
        for name in (badge.name, *badge.shorter):
            wide, high = self.size.whole(badge, name)
            rings = RINGS if name == badge.name else RINGS[:NEAR]
            found = [beside(np.asarray(badge.outline), tray, wide, high, badge.below)]
            found += [frame(tray, wide, high, GAP + far * half, badge.below) for far in rings]
            ways += [(boxes, costs + self.cut(badge, name)) for boxes, costs in found]
        boxes, costs = zip(*ways, strict=True)
        return np.concatenate(boxes), np.concatenate(costs)

    def again(self, before: Mapping[str, PlacedBadge]) -> tuple[list[Places], list[int]]:
        """The place of each badge in a picture before; if it is not free any more, those next to
        it. And which badges have just the place that they had."""
        known = np.array([n for n, one in enumerate(self.badges) if one.id in before], dtype=int)
        last = [self.placed(int(n), before[self.badges[n].id]) for n in known]
        found = self.near(known, rows(last), NUDGES[:1])
        gone = np.array([not len(found[n].costs) for n in known], dtype=bool)
        nudged = self.near(known[gone], rows(last)[gone], NUDGES[1:])
        named = [self.named(badge, before.get(badge.id)) for badge in self.badges]
        cut = [self.cut(*one) for one in zip(self.badges, named, strict=True)]
        ways = zip(found, nudged, cut, strict=True)
        same = [number for number, one in enumerate(found) if len(one.costs)]
        return [(one if len(one.costs) else two).dearer(by) for one, two, by in ways], same

    def named(self, badge: TrayBadge, last: PlacedBadge | None) -> str:
        """The form of its name that a badge had, if it still has it."""
        return last.badge.name if last and last.badge.name in badge.shorter else badge.name

    def cut(self, badge: TrayBadge, name: str) -> float:
        """What it costs to write a shorter name."""
        if name == badge.name:
            return 0.0
        return CUT if self.size.name(name) > WIDTHS[-1] * self.size.text else CUT_SHORT

    def placed(self, number: int, last: PlacedBadge) -> BoundingBox:
        """The box of a badge that lies as far from its tray as before, in the sizes of both, with
        the form of its name that it had."""
        badge, away = self.badges[number], last.away
        wide, high = self.size.whole(badge, self.named(badge, last))
        left, top, right, bottom = self.trays[number]
        x = (left + right) / 2 + away[0] * (wide + right - left) / 2
        y = (top + bottom) / 2 + away[1] * (high + bottom - top) / 2
        return BoundingBox.around((x, y), wide, high)

    def near(self, numbers: Indices, boxes: Array, nudges: Sequence[PointPx]) -> list[Places]:
        """Places so far from these boxes; those that the edge of the pane moves are none."""
        by = np.tile(np.array(nudges), 2)
        at = (boxes[:, None, :] + by).reshape(-1, 4)
        inside = within(at, self.bounds)
        costs = np.tile(np.hypot(*np.array(nudges).T), len(boxes))
        moved = np.abs(inside - at).max(axis=1, initial=0.0) > STILL
        return list(self.judged(np.repeat(numbers, len(nudges)), inside, costs, moved))

    def depth(self, boxes: Array) -> Array:
        """How far each box reaches into each tray; less than 0: how far it is from it."""
        one, two = boxes[:, None, :], self.trays[None, :, :]
        reach = np.minimum(one[..., 2:], two[..., 2:]) - np.maximum(one[..., :2], two[..., :2])
        apart = np.linalg.norm(np.minimum(reach, 0.0), axis=2)
        found = np.where(apart > 0, -apart, reach.min(axis=2))
        for other in self.turned:
            near = np.flatnonzero(found[:, other] > -CLOSE)
            found[near, other] = depths(boxes[near], self.badges[other].outline)
        return np.asarray(found)

    def judged(self, owner: Indices, boxes: Array, costs: Array, shut: Flags) -> list[Places]:
        """The open places of each badge, with the costs of how far they are, of trays and marks
        that they cover and of their lines."""
        deep, every = self.depth(boxes), np.arange(len(boxes))
        apart = np.maximum(-deep, 0.0)
        shares = common(boxes, self.trays) / self.areas * (deep > SLACK)
        own, near = shares[every, owner], apart[every, owner][:, None]
        shares[every, owner] = 0.0
        lines = self.lines(owner, boxes, apart)
        across = crossing(lines, self.cores)
        across[every, owner] = False
        costs = costs + away(near[:, 0], self.halves[owner]) + OWN_COST * own
        costs += STRANGE * ~np.isnan(lines[:, 0]) + BEHIND * across.sum(axis=1)
        costs += ANOTHER * (apart < near - 1.0).any(axis=1)
        costs += UNDER * overlapping(boxes, self.rather_free).sum(axis=1)
        costs += HIDDEN * overlapping(boxes, self.signs).sum(axis=1)
        costs += common(boxes, self.marks) @ self.mark_costs
        costs += (COVERS * (shares > 0) + OTHER_COST * shares).sum(axis=1)
        shut = shut | overlapping(boxes, self.taken).any(axis=1)
        shut |= (shares.max(axis=1, initial=0.0) > MOST_COVERED) & ~self.focus[owner]
        places = Places(boxes, costs, lines)
        return [places.only((owner == one) & ~shut) for one in range(len(self.badges))]

    def lines(self, owner: Indices, boxes: Array, apart: Array) -> Array:
        """The lines that tell whose badge it is, where its place does not."""
        every = np.arange(len(boxes))
        near = apart[every, owner]
        strange = apart <= near[:, None] + DOUBT
        strange[every, owner] = near > GAP + 1.5
        start = middles(self.trays)[owner]
        end = np.clip(start, boxes[:, :2], boxes[:, 2:])
        lines = np.concatenate([start, end], axis=1)
        lines[~strange.any(axis=1)] = np.nan
        return np.asarray(lines)


def pushed_out(again: Sequence[Places], same: Sequence[int]) -> set[int]:
    """Those of the badges with the place that they had whose place an earlier one of them covers,
    as where their letters have grown."""
    boxes = rows([BoundingBox(*again[number].boxes[0]) for number in same])
    earlier = np.asarray(np.tril(overlapping(boxes, boxes), -1).any(axis=1))
    return {number for number, out in zip(same, earlier, strict=True) if out}


def area_of(outline: Sequence[PointPx]) -> float:
    """The area of a polygon."""
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairs)) / 2


def away(gap: Array, half: Array) -> Array:
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
    on = np.zeros(2)
    spots = [
        (xs, low + GAP + high / 2, SLID * np.abs(SLIDES) + OTHER_SIDE * (not below)),
        (xs, top - GAP - high / 2, SLID * np.abs(SLIDES) + OTHER_SIDE * below),
        (left - GAP - wide / 2, ys, SLID * np.abs(SLIDES[::2]) + ACROSS),
        (right + GAP + wide / 2, ys, SLID * np.abs(SLIDES[::2]) + ACROSS),
        (np.array([x, x]), np.array([y, tray[3] - high / 2 if below else tray[1] + high / 2]), on),
    ]
    boxes = [around(at_x, at_y, wide, high) for at_x, at_y, _ in spots]
    return np.concatenate(boxes), np.concatenate([cost for _, _, cost in spots])


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

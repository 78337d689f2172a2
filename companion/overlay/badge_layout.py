"""Where the badges of trays are placed: beside their tray, never on each other or on another tray.

A badge touches its tray or has a line to it. Where there is no room for its name the name is cut,
twice if need be, but never so that it might be another's; a tap shows the whole. A badge keeps its
place from one picture to the next as long as it can.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.overlay.badge_places import (
    BRIEF,
    CROSSED,
    CUT,
    NO_PLACES,
    NONE,
    WHOLE,
    WORTH,
    Array,
    BadgeSearch,
    Flags,
    Indices,
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
    rows,
    within,
)
from companion.overlay.canvas import fine_width
from companion.overlay.short_names import short_names
from companion.overlay.view_frame import BoundingBox, PointPx

GAP = 2.0
SLIDES = (0.0, -0.2, 0.2, -0.35, 0.35, -0.5, 0.5)
RINGS = (1.15, 1.5, 2.0, 2.6, 3.4, 4.5)
"""How far away a badge is looked for, in sizes of its tray and itself."""
OTHER_SIDE, ACROSS = 12.0, 15.0
"""The cost of a place on the side of the opponent, and to the left or right of its tray."""
ON_TRAY = 15.0
"""The cost of lying on its own tray, where everything beside it is taken."""
AWAY, FAR, FARTHER = 20.0, 40.0, 4.0
"""The cost of every place that does not touch the tray, beside its distance; what lies farther than
that costs so much more."""
FOLDED, ACTIVE = 170.0, 10.0
"""The cost of a badge without its name, and how much more it is for every rank."""
FOLDS = {CUT: 0.15, BRIEF: 1.0}
"""What share of it a badge costs that is folded so far."""
TIGHT, TIGHT_COST = 0.38, 0.1
"""Whole badges that would take this share of the picture hide the table: a folded one costs that
much of what it costs elsewhere."""
FOCUS = 1000.0
"""The cost of folding a badge that must not be folded."""
OWN_COST = 120.0
"""The cost of covering all of its own tray."""
COVERS, OTHER_COST, MOST_COVERED = 200.0, 300.0, 0.2
"""The cost of covering another tray, that of all of it, and the share that is too dear."""
HIDDEN = 900.0
"""The cost of hiding a sign of the table."""
STRANGE = 25.0
"""The cost of a place that needs a line: a badge of whom?"""
WAYS = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
NUDGES = ((0.0, 0.0), *((dx * far, dy * far) for far in (4.0, 8.0) for dx, dy in WAYS))
"""A badge whose place was taken by a little looks here first."""
ROOM = 4
"""So many badges look for places anew to make room for one that has none."""
UPRIGHT = 0.95
"""A tray that fills less of its bounding box is turned."""
CLOSE = 80.0
"""So near to a tray, in pixels, it matters how it is turned."""
ANOTHER = 100.0
"""The cost of lying nearer to another tray, even with a line."""
LETTERS, CUT_LETTERS = 3, 5
"""How many letters of a name a folded badge has at least, and one whose name is cut."""
APART = 0.5
"""A badge farther from its tray than this, in sizes of its text, has a line to it."""
NEARER = 1.2
"""A badge as near to another tray, and not this much nearer to its own middle, has one, too; so has
one that lies level with the other."""
STILL = 3.0
"""A tray that moved by less, in pixels, stands where it stood: cameras tremble."""
PLACES = 1200
"""How many places for whole badges are looked at in all."""


@dataclass(frozen=True, slots=True)
class TrayBadge:
    """What the badge of a tray says; the higher its `rank`, the later it is folded.

    `place` is the seat (0 to 5); `bar` is how many of how many ranks are left, `share` (0 to 1) how
    much of the whole. A badge with `focus` is never folded, and nothing covers its tray.
    """

    id: str
    name: str
    count: str
    place: int
    outline: tuple[PointPx, ...]
    bar: tuple[int, int] = (1, 1)
    share: float = 1.0
    spent: bool = False
    leader: bool = False
    engaged: bool = False
    tokens: tuple[str, ...] = ()
    below: bool = True
    rank: float = 0.0
    focus: bool = False
    mark: str = ""
    cut: str = ""
    brief: str = ""
    """The name with fewer letters, and with very few, that tell it from every other one."""

    def words(self, fold: int) -> str:
        """What is left of the name on a badge that is folded so far."""
        return (self.name, self.cut, self.brief)[fold] or self.name


@dataclass(frozen=True, slots=True)
class PlacedBadge:
    """A badge with its box, which also holds its ranks and tokens; folded if `small`."""

    badge: TrayBadge
    box: BoundingBox
    fold: int = WHOLE
    """How much of its name is left: all, its beginning, a few letters, or nothing."""
    line: Line | None = None
    """From its tray to a badge that does not touch it, or lies nearer to another one."""

    @property
    def small(self) -> bool:
        """Whether it has very few letters of its name."""
        return self.fold > CUT

    @property
    def away(self) -> PointPx:
        """From the middle of its tray to the middle of its box, in the sizes of both: a badge that
        touches its tray touches it at any size of the picture."""
        tray, box = bounds_of(self.badge.outline), self.box
        (x, y), (to_x, to_y) = tray.centre, box.centre
        wide = (tray.right - tray.left + box.right - box.left) / 2
        high = (tray.bottom - tray.top + box.bottom - box.top) / 2
        return (to_x - x) / wide, (to_y - y) / high


@dataclass(frozen=True, slots=True)
class BadgeSize:
    """The measures of a badge for a text size in pixels."""

    text: float

    @property
    def high(self) -> float:
        """The height of the plate."""
        return self.text * 1.75

    @property
    def bar(self) -> float:
        """The height of the ranks under it."""
        return max(3.0, self.text * 0.28)

    @property
    def token(self) -> float:
        """The diameter of a token's ring."""
        return self.text * 1.3

    def name(self, badge: TrayBadge, fold: int = WHOLE) -> float:
        """The width of the name, or of what is left of it."""
        return fine_width(badge.words(fold), self.text, "narrow")

    def count(self, badge: TrayBadge) -> float:
        """The width of the number."""
        return fine_width(badge.count, self.text, "bold")

    def whole(self, badge: TrayBadge, fold: int = WHOLE) -> PointPx:
        """Width and height of everything."""
        wide = self.high + self.count(badge) + (1.0 if fold == WHOLE else 0.6) * self.text
        if badge.words(fold):
            wide += self.name(badge, fold) + 0.4 * self.text
        if fold <= CUT:
            wide += (self.text * 1.15) * (badge.leader + badge.engaged)
        above = self.token * 0.8 if badge.tokens else 0.0
        return wide, self.high + self.bar + above


def bounds_of(outline: Sequence[PointPx]) -> BoundingBox:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return BoundingBox(min(xs), min(ys), max(xs), max(ys))


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

    `taken` are boxes that must stay free, such as the tools' own. A badge that was there `before`
    stays beside its tray; only one without a place leaves those `rather_free` that it can, and
    covers as few `marks` as it can, each with what that costs. While no tray moves, no badge does,
    but for those on `signs` of the table, such as a flag, that have a place beside them.
    """
    cuts = [short_names([one.name for one in badges], most) for most in (CUT_LETTERS, LETTERS)]
    badges = [replace(one, cut=cuts[0][one.name], brief=cuts[1][one.name]) for one in badges]
    order = sorted(badges, key=lambda badge: (-badge.focus, -badge.rank, badge.id))
    order = [badge for badge in order if visible(bounds_of(badge.outline), bounds)]
    before = before or {}
    ground = Ground(bounds, order, size, rows(taken), rows(rather_free), marks, rows(signs))
    moved = not at_rest(order, before)
    edge = 0.0 if moved else np.array([STILL, STILL, -STILL, -STILL])
    places: list[Places] = []
    uneasy: list[int] = []
    stay: dict[int, Places] = {}
    for number, badge in enumerate(order):
        last = ground.again(number, before.get(badge.id))
        stays = (
            len(last.costs)
            and not overlapping(last.boxes[:1] + edge, joined([*stay.values()]).boxes).any()
        )
        if stays:
            stay[number] = last.only(np.array([0]))
        hides = stays and overlapping(last.boxes[:1], ground.signs).any()
        fixed = stays and not hides and not (moved and last.costs[0] > WORTH)
        uneasy += [number] if stays and (moved or hides) else []
        others = None if fixed else ground.places(number)
        if others is not None and hides and not moved:  # it moves once, to where it hides none
            others = others.only(
                np.flatnonzero(~overlapping(others.boxes, ground.signs).any(axis=1))
            )
        places.append(last if others is None else joined([last, others]))
    search = BadgeSearch(places, [*stay])
    search.settle([number for number in range(len(order)) if number not in stay])
    if stay and NONE in search.chosen:  # those that stay around it leave it no room
        missing = middles(ground.trays[search.chosen == NONE])[0]
        far = np.linalg.norm(middles(ground.trays[[*stay]]) - missing, axis=1)
        gone = {order[[*stay][at]].id for at in np.argsort(far)[:ROOM]}
        before = {key: one for key, one in before.items() if key not in gone}
        return lay_out_badges(badges, bounds, size, taken, before, rather_free, marks, signs)
    search.improve(uneasy)
    placed = []
    for badge, at in zip(order, search.chosen, strict=True):
        if at != NONE:
            box, fold, line = search.all.place(at)
            line = line and from_rim(line, badge.outline, size.text / 2)
            placed.append(PlacedBadge(badge, box, fold, line))
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


def at_rest(badges: Sequence[TrayBadge], before: Mapping[str, PlacedBadge]) -> bool:
    """Whether the trays stand as they stood, at whatever size and place of the picture."""
    if not badges or any(one.id not in before for one in badges):
        return False
    now = np.concatenate([one.outline for one in badges])
    last = np.concatenate([before[one.id].badge.outline for one in badges])
    if now.shape != last.shape:
        return False
    grown = np.ptp(now, axis=0) / np.maximum(1.0, np.ptp(last, axis=0))
    there = (last - last.min(axis=0)) * grown + now.min(axis=0)
    return bool(np.abs(there - now).max() < STILL)


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
        self.areas = np.maximum(1.0, np.prod(self.trays[:, 2:] - self.trays[:, :2], axis=1))
        self.turned = [
            number
            for number, badge in enumerate(badges)
            if area_of(badge.outline) < UPRIGHT * self.areas[number]
        ]
        self.focus = np.array([badge.focus for badge in badges], dtype=bool)
        whole = sum(math.prod(size.whole(badge)) for badge in badges)
        room = (bounds.right - bounds.left) * (bounds.bottom - bounds.top)
        self.tight = whole > TIGHT * room

    def folded(self, badge: TrayBadge, fold: int) -> float:
        """The cost of a badge without its name; a few letters of it are better than none."""
        if fold == WHOLE:
            return 0.0
        if badge.focus:
            return FOCUS
        cost = (FOLDED + ACTIVE * badge.rank) * (TIGHT_COST if self.tight else 1.0)
        return cost * FOLDS[fold]

    def places(self, number: int) -> Places:
        """Every place of a badge that covers nothing that must stay free, with its costs."""
        badge, tray = self.badges[number], BoundingBox(*self.trays[number])
        costs: list[float] = []
        boxes: list[BoundingBox] = []
        folds: list[int] = []
        for fold in (WHOLE, CUT, BRIEF):
            if fold and badge.words(fold) == badge.words(fold - 1):
                continue
            wide, high = self.size.whole(badge, fold)
            ways = [*beside(badge.outline, wide, high, badge.below), *around(tray, wide, high)]
            costs += [cost + self.folded(badge, fold) for cost, _ in ways]
            boxes += [box for _, box in ways]
            folds += [fold] * len(ways)
        at = rows(boxes)
        inside = within(at, self.bounds)
        cost = np.array(costs) + np.linalg.norm(middles(inside) - middles(at), axis=1)
        focus = self.focus.copy()
        focus[number] = False
        shut = np.asarray(overlapping(inside, self.trays[focus]).any(axis=1))
        found = self.judged(number, inside, np.array(folds), cost, shut)
        cheap = [
            which[np.argsort(found.costs[which], kind="stable")[: PLACES // len(self.badges)]]
            for which in (np.flatnonzero(~found.small), np.flatnonzero(found.small))
        ]
        return found.only(np.sort(np.concatenate(cheap)))

    def again(self, number: int, last: PlacedBadge | None) -> Places:
        """The place of the picture before, and those next to it, as far as they are still free."""
        badge, tray = self.badges[number], BoundingBox(*self.trays[number])
        if last is None or (badge.focus and last.small):
            return NO_PLACES
        (wide, high), (across, along) = self.size.whole(badge, last.fold), last.away
        x = tray.centre[0] + across * (wide + tray.right - tray.left) / 2
        y = tray.centre[1] + along * (high + tray.bottom - tray.top) / 2
        at = rows([BoundingBox.around((x + dx, y + dy), wide, high) for dx, dy in NUDGES])
        inside = within(at, self.bounds)
        gap = gaps(inside, self.trays[number : number + 1])[:, 0]
        cost = self.folded(badge, last.fold) + np.where(gap > GAP + 1, away(gap), 0.0)
        cost += np.hypot(*np.array(NUDGES).T)
        moved = np.abs(inside - at).max(axis=1) > STILL
        return self.judged(number, inside, np.full(len(at), last.fold), cost, moved)

    def gaps(self, boxes: Array) -> Array:
        """How far each box is from each tray."""
        found = gaps(boxes, self.trays)
        for other in self.turned:
            near = np.flatnonzero(found[:, other] < CLOSE)
            depth = depths(boxes[near], self.badges[other].outline)
            found[near, other] = np.maximum(found[near, other], -depth)
        return found

    def judged(
        self, number: int, boxes: Array, folds: Indices, costs: Array, shut: Flags
    ) -> Places:
        """The open places with the costs of trays that they cover and of their lines."""
        shares = common(boxes, self.trays) / self.areas
        for other, badge in enumerate(self.badges):
            near = np.flatnonzero(shares[:, other])
            if len(near):
                shares[near, other] *= over(boxes[near], badge.outline)
        own = shares[:, number].copy()
        shares[:, number] = 0.0
        apart = self.gaps(boxes)
        lines = self.lines(number, boxes, apart)
        lined = ~np.isnan(lines[:, 0])
        another = (apart < apart[:, [number]] - GAP).any(axis=1)
        across = crossing(lines, self.trays)
        across[:, number] = False
        costs = costs + OWN_COST * own + STRANGE * lined + ANOTHER * another
        costs += CROSSED * across.sum(axis=1)
        costs += CROSSED * overlapping(boxes, self.rather_free).sum(axis=1)
        costs += HIDDEN * overlapping(boxes, self.signs).sum(axis=1)
        costs += common(boxes, self.marks) @ self.mark_costs
        costs += (COVERS * (shares > 0) + OTHER_COST * shares).sum(axis=1)
        shut = shut | overlapping(boxes, self.taken).any(axis=1)
        if not self.focus[number]:
            shut |= shares.max(axis=1) > MOST_COVERED
        return Places(boxes, folds, costs, lines).only(~shut)

    def lines(self, number: int, boxes: Array, apart: Array) -> Array:
        """The lines that tell whose badge it is, where its place does not."""
        at = middles(boxes)
        far = np.linalg.norm(at[:, None] - middles(self.trays)[None], axis=2)
        level = np.abs(at[:, None, 1] - middles(self.trays)[None, :, 1])
        level = level < (boxes[:, [3]] - boxes[:, [1]]) / 2  # as a name beside its own tray is
        level &= ~level[:, [number]]
        strange = (apart <= apart[:, [number]] + GAP) & (level | (far < NEARER * far[:, [number]]))
        strange[:, number] = apart[:, number] > APART * self.size.text
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


def rim(outline: Sequence[PointPx], left: float, right: float) -> tuple[float, float]:
    """The highest and the lowest point of an outline between two vertical lines."""
    found = [y for x, y in outline if left <= x <= right]
    for (x, y), (to_x, to_y) in zip(outline, (*outline[1:], outline[0]), strict=True):
        found += [
            y + (to_y - y) * (at - x) / (to_x - x)
            for at in (left, right)
            if min(x, to_x) < at < max(x, to_x)
        ]
    return min(found), max(found)


def beside(
    outline: Sequence[PointPx], wide: float, high: float, below: bool
) -> Iterator[tuple[float, BoundingBox]]:
    """Places beside a tray with their costs, first those on its owner's side."""
    tray = bounds_of(outline)
    middle = tray.centre[0]
    for slide in SLIDES:
        x = middle + slide * wide
        top, bottom = rim(outline, x - wide / 2, x + wide / 2)
        for lies in (True, False):
            y = bottom + GAP + high / 2 if lies else top - GAP - high / 2
            cost = abs(slide) * 30 + (0.0 if lies is below else OTHER_SIDE)
            yield cost, BoundingBox.around((x, y), wide, high)
    for x in (tray.left - GAP - wide / 2, tray.right + GAP + wide / 2):
        for y in (tray.centre[1], tray.top + high / 2, tray.bottom - high / 2):
            yield ACROSS, BoundingBox.around((x, y), wide, high)
    on_it = tray.bottom - high / 2 if below else tray.top + high / 2
    yield ON_TRAY, BoundingBox.around((middle, on_it), wide, high)
    yield ON_TRAY, BoundingBox.around(tray.centre, wide, high)


def around(tray: BoundingBox, wide: float, high: float) -> Iterator[tuple[float, BoundingBox]]:
    """Places farther away with their costs."""
    (x, y), across = tray.centre, (wide + tray.right - tray.left) / 2
    along = (high + tray.bottom - tray.top) / 2
    for ring in RINGS:
        for turn in range(16):
            angle = math.tau * turn / 16
            there = x + ring * math.cos(angle) * across, y + ring * math.sin(angle) * along
            box = BoundingBox.around(there, wide, high)
            yield float(away(np.array(box.gap(tray)))), box


def away(gap: Array) -> Array:
    """The cost of places that far from their tray."""
    return np.asarray(AWAY + gap + FARTHER * np.maximum(0.0, gap - FAR))

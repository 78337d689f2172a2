"""Where the badges of trays are placed: beside their tray, never on each other.

Every badge first gets room for its small form (seat and number); then they grow to their whole
form, the most useful ones first: beside their tray, or farther away with a line to it. A badge
keeps its place from one picture to the next as long as it can.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from companion.overlay.canvas import fine_width
from companion.overlay.view_frame import BoundingBox, PointPx

Line = tuple[PointPx, PointPx]

GAP = 2.0
SLIDES = (0.0, -0.2, 0.2, -0.35, 0.35, -0.5, 0.5)
RINGS = (1.15, 1.5, 2.0, 2.6, 3.4, 4.5)
"""How far away a badge is looked for, in sizes of its tray and itself."""
STAYS = 59.0
"""A badge leaves its place when it costs more: it lies on another tray by now."""
OTHER_SIDE, ACROSS = 12.0, 15.0
"""The cost of a place on the side of the opponent, and to the left or right of its tray."""
OWN_COST, OTHER_COST = 40.0, 300.0
"""The cost of covering all of a tray: its own, another (a fifth of it is already too dear)."""
ON_TRAY = 15.0
"""The cost of lying on its own tray, where everything beside it is taken."""
AWAY = 20.0
"""The cost of every place that does not touch the tray, beside its distance."""
STRANGE = 25.0
"""The cost of a place that is nearer to another tray: a badge of whom?"""
CROSSED = 70.0
"""The cost of a line across another tray, badge or line, and of lying on one."""
APART = 0.5
"""A badge farther from its tray than this, in sizes of its text, has a line to it."""
ROUNDS = 3
"""How often all badges look for a better place after the others have found theirs."""


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


@dataclass(frozen=True, slots=True)
class PlacedBadge:
    """A badge with its box, which also holds its ranks and tokens; folded if `small`."""

    badge: TrayBadge
    box: BoundingBox
    small: bool
    cost: float = 0.0
    """What its place lacks: 0 on its owner's side, without covering anything."""
    covered: float = 0.0
    """As much of it as comes from lying on trays."""
    line: Line | None = None
    """From its tray to a badge that does not touch it, or lies nearer to another one."""

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

    def name(self, badge: TrayBadge) -> float:
        """The width of the name."""
        return fine_width(badge.name, self.text, "narrow")

    def count(self, badge: TrayBadge) -> float:
        """The width of the number."""
        return fine_width(badge.count, self.text, "bold")

    def whole(self, badge: TrayBadge, small: bool) -> PointPx:
        """Width and height of everything."""
        wide = self.high + self.count(badge) + 1.0 * self.text
        if not small:
            wide += self.name(badge) + 0.4 * self.text
            wide += (self.text * 1.15) * (badge.leader + badge.engaged)
        above = self.token * 0.6 if badge.tokens else 0.0
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
) -> tuple[PlacedBadge, ...]:
    """Place every badge that finds room inside the bounds; no two boxes overlap.

    `taken` are boxes that must stay free, such as the tools' own. A badge that was there `before`
    stays beside its tray; only one without a place leaves those `rather_free` that it can.
    """
    before = before or {}
    trays = {badge.id: bounds_of(badge.outline) for badge in badges}
    order = sorted(badges, key=lambda badge: (-badge.focus, -badge.rank, badge.id))
    order = [badge for badge in order if visible(trays[badge.id], bounds)]
    found: dict[str, PlacedBadge] = {}

    def room(badge: TrayBadge) -> Room:
        others = [one for key, one in found.items() if key != badge.id]
        focus = [trays[one.id] for one in order if one.focus and one.id != badge.id]
        return Room(bounds, trays, [*taken, *focus], rather_free, others, size)

    for badge in order:  # whatever can stay where it was
        last, others = before.get(badge.id), tuple(found.values())
        rest = Room(bounds, trays, taken, (), others, size)
        stays = rest.again(badge, last) if last is not None else None
        if stays is not None and not (badge.focus and stays.small):
            found[badge.id] = stays
    new = [badge for badge in order if badge.id not in found]
    for badge in new:
        placed = room(badge).best(badge, small=not badge.focus)
        placed = placed or room(badge).best(badge, small=True)
        if placed is not None:
            found[badge.id] = placed
    for _ in range(ROUNDS):
        changed = False
        for badge in new:
            last = found.get(badge.id)
            better = room(badge).best(badge, small=False)
            if better is not None and (last is None or last.small or better.cost < last.cost - 1):
                found[badge.id], changed = better, True
        if not changed:
            break
    for badge in new:  # two exchange their places where that leaves fewer lines across others
        for other in new:
            one, two = found.get(badge.id), found.get(other.id)
            if one is None or two is None or one is two or one.cost < CROSSED:
                continue
            if one.box.gap(two.box) > two.box.right - two.box.left:
                continue
            del found[badge.id], found[other.id]
            first = room(badge).best(badge, small=one.small)
            if first is not None:
                found[badge.id] = first
            second = room(other).best(other, small=two.small)
            found |= {badge.id: one, other.id: two}
            if first and second and first.cost + second.cost < one.cost + two.cost - 1:
                found |= {badge.id: first, other.id: second}
    for badge in order:  # a folded badge that stayed has its name again where there is room for it
        if badge not in new and found[badge.id].small:
            found[badge.id] = room(badge).best(badge, small=False) or found[badge.id]
    return tuple(found.values())


def tray_area(tray: BoundingBox) -> float:
    return (tray.right - tray.left) * (tray.bottom - tray.top)


def visible(tray: BoundingBox, bounds: BoundingBox) -> bool:
    """Whether the middle of a tray is inside the bounds."""
    x, y = tray.centre
    return bounds.left <= x <= bounds.right and bounds.top <= y <= bounds.bottom


@dataclass(frozen=True, slots=True)
class Room:
    """What a badge must not cover, and what it had better not cover."""

    bounds: BoundingBox
    trays: Mapping[str, BoundingBox]
    taken: Sequence[BoundingBox]
    rather_free: Sequence[BoundingBox]
    others: Sequence[PlacedBadge]
    size: BadgeSize

    def again(self, badge: TrayBadge, last: PlacedBadge) -> PlacedBadge | None:
        """The place of the picture before, if it is still free."""
        wide, high = self.size.whole(badge, last.small)
        tray, (across, along) = self.trays[badge.id], last.away
        x = tray.centre[0] + across * (wide + tray.right - tray.left) / 2
        y = tray.centre[1] + along * (high + tray.bottom - tray.top) / 2
        here = BoundingBox.around((x, y), wide, high)
        inside = here.within(self.bounds)
        if math.dist(inside.centre, here.centre) > 1.0 or not self.allowed(inside):
            return None
        stays = self.placed(badge, inside, last.small, 0.0, math.inf)
        worse = stays is None or stays.covered > max(STAYS, last.covered + 1)
        return None if worse else stays

    def best(self, badge: TrayBadge, small: bool) -> PlacedBadge | None:
        """The best place beside the tray or farther away."""
        tray, (wide, high) = self.trays[badge.id], self.size.whole(badge, small)
        places = chain(sorted(beside(tray, wide, high, badge.below)), around(tray, wide, high))
        best: PlacedBadge | None = None
        for cost, box in places:
            limit = best.cost if best else math.inf
            if cost >= limit:
                if limit <= AWAY:
                    break
                continue
            inside = box.within(self.bounds)
            cost += math.dist(inside.centre, box.centre)
            if cost < limit and self.allowed(inside):
                best = self.placed(badge, inside, small, cost, limit) or best
        return best

    def placed(
        self, badge: TrayBadge, box: BoundingBox, small: bool, cost: float, limit: float
    ) -> PlacedBadge | None:
        """The badge at this place with all that it costs, unless that is more than the limit."""
        covered = self.covered(badge, box)
        cost += covered + CROSSED * sum(box.overlaps(one) for one in self.rather_free)
        if cost >= limit or (covered > STAYS and not badge.focus and limit < math.inf):
            return None
        line = self.line(badge, box)
        if line is not None:
            cost += STRANGE
            for key, tray in self.trays.items():
                cost += CROSSED * (key != badge.id and crosses(line, tray))
        for one in self.others:
            if one.line is not None:
                cost += CROSSED * crosses(one.line, box)
                cost += CROSSED * (line is not None and cut(line, one.line))
            cost += CROSSED * (line is not None and crosses(line, one.box))
        return PlacedBadge(badge, box, small, cost, covered, line) if cost < limit else None

    def line(self, badge: TrayBadge, box: BoundingBox) -> Line | None:
        """The line that tells whose badge it is, where its place does not."""
        tray, (x, y) = self.trays[badge.id], box.centre
        near = (abs(tray.centre[0] - x), abs(tray.centre[1] - y))
        gap = box.gap(tray)
        if gap <= APART * self.size.text and not any(
            abs(other.centre[0] - x) < near[0] - 1 and abs(other.centre[1] - y) < near[1] + 1
            for other in self.trays.values()
        ):
            return None
        (x, y) = tray.centre
        return (x, y), (min(max(x, box.left), box.right), min(max(y, box.top), box.bottom))

    def allowed(self, box: BoundingBox) -> bool:
        """Whether the box covers nothing that must stay free."""
        left, top, right, bottom = box
        for boxes in ((one.box for one in self.others), self.taken):
            for other in boxes:
                if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                    return False
        return True

    def covered(self, badge: TrayBadge, box: BoundingBox) -> float:
        """The cost of covering parts of trays, its own included."""
        cost = 0.0
        for owner, tray in self.trays.items():
            wide = min(box.right, tray.right) - max(box.left, tray.left)
            high = min(box.bottom, tray.bottom) - max(box.top, tray.top)
            if wide > 0 and high > 0:
                share = wide * high / max(1.0, tray_area(tray))
                cost += (OWN_COST if owner == badge.id else OTHER_COST) * share
        return cost


def crosses(line: Line, box: BoundingBox) -> bool:
    """Whether a line passes through a box."""
    (x, y), (to_x, to_y) = line
    first, last = 0.0, 1.0
    for start, way, low, high in (
        (x, to_x - x, box.left, box.right),
        (y, to_y - y, box.top, box.bottom),
    ):
        if abs(way) < 1e-9:
            if not low < start < high:
                return False
            continue
        enters, leaves = sorted(((low - start) / way, (high - start) / way))
        first, last = max(first, enters), min(last, leaves)
    return first < last


def cut(one: Line, other: Line) -> bool:
    """Whether two lines cross each other."""

    def turn(a: PointPx, b: PointPx, c: PointPx) -> bool:
        return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = one, other
    return turn(a, b, c) != turn(a, b, d) and turn(c, d, a) != turn(c, d, b)


def beside(
    tray: BoundingBox, wide: float, high: float, below: bool
) -> Iterator[tuple[float, BoundingBox]]:
    """Places beside a tray with their costs, first those on its owner's side."""
    middle = tray.centre[0]
    under, over = tray.bottom + GAP + high / 2, tray.top - GAP - high / 2
    for cost, y in ((0.0, under if below else over), (OTHER_SIDE, over if below else under)):
        for slide in SLIDES:
            yield cost + abs(slide) * 30, BoundingBox.around((middle + slide * wide, y), wide, high)
    for x in (tray.left - GAP - wide / 2, tray.right + GAP + wide / 2):
        for y in (tray.centre[1], tray.top + high / 2, tray.bottom - high / 2):
            yield ACROSS, BoundingBox.around((x, y), wide, high)
    on_it = tray.bottom - high / 2 if below else tray.top + high / 2
    yield ON_TRAY, BoundingBox.around((middle, on_it), wide, high)


def around(tray: BoundingBox, wide: float, high: float) -> Iterator[tuple[float, BoundingBox]]:
    """Places farther away with their costs."""
    (x, y), across = tray.centre, (wide + tray.right - tray.left) / 2
    along = (high + tray.bottom - tray.top) / 2
    for ring in RINGS:
        for turn in range(16):
            angle = math.tau * turn / 16
            there = x + ring * math.cos(angle) * across, y + ring * math.sin(angle) * along
            box = BoundingBox.around(there, wide, high)
            yield AWAY + box.gap(tray), box

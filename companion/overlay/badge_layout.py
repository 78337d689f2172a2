"""Where the badges of trays are placed: beside their tray, never on each other.

Every badge first gets room for its small form (seat and number); then they grow to their whole
form, the most useful ones first: beside their tray, or farther away with a line to it. A badge
keeps its place from one picture to the next as long as it can.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.overlay.canvas import fine_width
from companion.overlay.view_frame import BoundingBox, PointPx

GAP = 2.0
MARGIN = 4.0
"""A small badge grows only if there is this much more room than it needs."""
SLIDES = (0.0, -0.2, 0.2, -0.35, 0.35, -0.5, 0.5)
DEAREST = 60.0
"""A place that costs more is none: the badge is folded instead."""
STAYS = 59.0
"""A badge keeps its place if it did not cost more; a worse one is sought anew."""
OWN_COST, OTHER_COST = 40.0, 300.0
"""The cost of covering all of a tray: its own, another (a fifth of it is already too dear)."""
ON_TRAY = 15.0
"""The cost of lying on its own tray, where everything beside it is taken."""
RINGS = (1.0, 1.3, 1.6, 2.0, 2.5, 3.2, 4.5)
"""How far away a badge is looked for, in sizes of its tray and itself: beyond, it is folded."""
APART = 0.5
"""A badge farther from its tray than this, in sizes of its text, has a line to it."""


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

    def line(self, size: BadgeSize) -> tuple[PointPx, PointPx] | None:
        """The line from its tray to a badge that does not touch it."""
        tray = bounds_of(self.badge.outline)
        (x, y), box = tray.centre, self.box
        apart = max(box.left - tray.right, tray.left - box.right, 0.0)
        above = max(box.top - tray.bottom, tray.top - box.bottom, 0.0)
        if math.hypot(apart, above) <= APART * size.text:
            return None
        return (x, y), (min(max(x, box.left), box.right), min(max(y, box.top), box.bottom))

    @property
    def away(self) -> PointPx:
        """From the middle of its tray to the middle of its box."""
        x, y = bounds_of(self.badge.outline).centre
        return self.box.centre[0] - x, self.box.centre[1] - y


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
) -> tuple[PlacedBadge, ...]:
    """Place every badge that finds room inside the bounds; no two boxes overlap.

    `taken` are boxes that must stay free, such as the tools' own.
    """
    before = before or {}
    trays = {badge.id: bounds_of(badge.outline) for badge in badges}
    kept_free = [*taken, *(trays[badge.id] for badge in badges if badge.focus)]
    order = sorted(badges, key=lambda badge: (-badge.focus, -badge.rank, badge.id))
    order = [badge for badge in order if visible(trays[badge.id], bounds)]
    found: dict[str, PlacedBadge] = {}
    for badge in order:  # whatever can stay where it was
        last = before.get(badge.id)
        room = Room(bounds, trays, kept_free, [one.box for one in found.values()])
        stays = room.again(badge, size, last) if last is not None else None
        if stays is not None and not (badge.focus and stays.small):
            found[badge.id] = stays
    for badge in order:
        if badge.id in found:
            continue
        small = not badge.focus
        room = Room(bounds, trays, kept_free, [one.box for one in found.values()])
        placed = room.find(badge, size, small)
        if placed is None and badge.focus:
            placed = room.find(badge, size, True)
        if placed is not None:
            found[badge.id] = placed
    for badge in order:
        if badge.id not in found or not found[badge.id].small:
            continue
        others = [one.box for key, one in found.items() if key != badge.id]
        last = before.get(badge.id)
        margin = 0.0 if last is not None and not last.small else MARGIN
        room = Room(bounds, trays, kept_free, others, margin)
        grown = room.near(badge, size, False) or room.farther(badge, size, False)
        if grown is not None:
            found[badge.id] = grown
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
    free: Sequence[BoundingBox]
    """Boxes that no badge may cover, except that a badge may touch its own tray."""
    others: Sequence[BoundingBox]
    margin: float = 0.0

    def again(self, badge: TrayBadge, size: BadgeSize, last: PlacedBadge) -> PlacedBadge | None:
        """The place of the picture before, if it is still free."""
        if last.cost > STAYS:
            return None
        wide, high = size.whole(badge, last.small)
        x, y = self.trays[badge.id].centre
        here = BoundingBox.around((x + last.away[0], y + last.away[1]), wide, high)
        if here.within(self.bounds) != here or not self.allowed(badge, here):
            return None
        return PlacedBadge(badge, here, last.small, last.cost)

    def find(self, badge: TrayBadge, size: BadgeSize, small: bool) -> PlacedBadge | None:
        """The best place near the tray, or else the nearest free one farther away."""
        found = self.near(badge, size, small) or self.farther(badge, size, small)
        if found is not None:
            return found
        far = (box for box in self.around(badge, size, small) if self.allowed(badge, box))
        box = next(far, None)
        return PlacedBadge(badge, box, small, DEAREST) if box is not None else None

    def farther(self, badge: TrayBadge, size: BadgeSize, small: bool) -> PlacedBadge | None:
        """The nearest place farther away that covers no tray; a line across others counts as
        another width of the badge."""
        start, (wide, _) = self.trays[badge.id].centre, size.whole(badge, small)
        found = [
            (math.dist(start, box.centre) + (0.0 if self.clear(start, box) else wide), index, box)
            for index, box in enumerate(self.around(badge, size, small))
            if self.allowed(badge, box) and self.covered(badge, box) < STAYS
        ]
        return PlacedBadge(badge, min(found)[2], small, STAYS) if found else None

    def clear(self, start: PointPx, box: BoundingBox) -> bool:
        """Whether the line from a tray to its badge passes no other badge and few trays."""
        (x, y), (to_x, to_y) = start, box.centre
        points = [(x + (to_x - x) * n / 12, y + (to_y - y) * n / 12) for n in range(2, 12)]
        trays = (tray for tray in self.trays.values() if tray.distance(start) > 0)
        return not any(
            one.distance(point) == 0 for one in (*self.others, *trays) for point in points
        )

    def around(self, badge: TrayBadge, size: BadgeSize, small: bool) -> Iterator[BoundingBox]:
        """Places farther away, the nearest first."""
        tray = self.trays[badge.id]
        wide, high = size.whole(badge, small)
        for ring in RINGS:
            for turn in range(16):
                angle = math.tau * turn / 16
                x = tray.centre[0] + ring * math.cos(angle) * (wide + tray.right - tray.left) / 2
                y = tray.centre[1] + ring * math.sin(angle) * (high + tray.bottom - tray.top) / 2
                yield BoundingBox.around((x, y), wide, high).within(self.bounds)

    def near(self, badge: TrayBadge, size: BadgeSize, small: bool) -> PlacedBadge | None:
        """The best place beside the tray."""
        tray = self.trays[badge.id]
        wide, high = size.whole(badge, small)
        best: tuple[float, BoundingBox] | None = None
        for cost, box in beside(tray, wide, high, badge.below):
            limit = best[0] if best else DEAREST
            if cost >= limit:
                continue
            inside = box.within(self.bounds)
            cost += math.dist(inside.centre, box.centre) + self.covered(badge, inside)
            if cost < limit and self.allowed(badge, inside):
                best = cost, inside
        return PlacedBadge(badge, best[1], small, best[0]) if best is not None else None

    def allowed(self, badge: TrayBadge, box: BoundingBox) -> bool:
        """Whether the box covers nothing that must stay free."""
        own, more = self.trays[badge.id], self.margin
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        for other in self.others:
            if (
                left - more < other.right
                and other.left < right + more
                and top - more < other.bottom
                and other.top < bottom + more
            ):
                return False
        for other in self.free:
            if (
                left < other.right
                and other.left < right
                and top < other.bottom
                and other.top < bottom
                and other is not own
            ):
                return False
        return True

    def covered(self, badge: TrayBadge, box: BoundingBox) -> float:
        """The cost of covering parts of trays, its own included."""
        cost = 0.0
        for owner, tray in self.trays.items():
            if (
                box.right <= tray.left
                or tray.right <= box.left
                or box.bottom <= tray.top
                or tray.bottom <= box.top
            ):
                continue
            wide = min(box.right, tray.right) - max(box.left, tray.left)
            high = min(box.bottom, tray.bottom) - max(box.top, tray.top)
            share = wide * high / max(1.0, tray_area(tray))
            cost += (OWN_COST if owner == badge.id else OTHER_COST) * share
        return cost


def beside(
    tray: BoundingBox, wide: float, high: float, below: bool
) -> Iterator[tuple[float, BoundingBox]]:
    """Places beside a tray with their costs, first those on its owner's side."""
    middle = tray.centre[0]
    under, over = tray.bottom + GAP + high / 2, tray.top - GAP - high / 2
    for cost, y in ((0.0, under if below else over), (30.0, over if below else under)):
        for slide in SLIDES:
            yield cost + abs(slide) * 30, BoundingBox.around((middle + slide * wide, y), wide, high)
    for x in (tray.left - GAP - wide / 2, tray.right + GAP + wide / 2):
        for y in (tray.centre[1], tray.top + high / 2, tray.bottom - high / 2):
            yield 40.0, BoundingBox.around((x, y), wide, high)
    on_it = tray.bottom - high / 2 if below else tray.top + high / 2
    yield ON_TRAY, BoundingBox.around((middle, on_it), wide, high)

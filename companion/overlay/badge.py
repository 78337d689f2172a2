"""The badge of a tray: what it says, how large it is, and where it lies.

Its name stands over a row with what is left, a commander's star, swords and tokens: two short lines
need less of the table than a long one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.overlay.badge_places import Line
from companion.overlay.canvas import fine_width
from companion.overlay.short_names import short_names
from companion.overlay.view_frame import BoundingBox, PointPx

LONGEST = 6.0
"""A name that is wider than this, in sizes of its text, may be shortened where it is crowded."""
WIDTHS = (LONGEST, 4.0)
"""How wide its shorter forms are: the row under it is hardly narrower."""
CROWDED = 0.2
"""Badges that would take this share of the picture with their whole names hide the table."""
HIDDEN = 0.25
"""A badge over this share of a space hides it."""
NAME_ROWS = 5
"""In so many places of its box a name may be written alone."""
LETTERS = range(11, 2, -1)
"""How many letters a shortened name has, if they fit."""


@dataclass(frozen=True, slots=True)
class TrayBadge:
    """What the badge of a tray says; the higher its `rank`, the better its place.

    `place` is the seat (0 to 5); `bar` is how many of how many ranks are left, `share` (0 to 1) how
    much of the whole. Nothing covers the tray of a badge with `focus`.
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
    shorter: tuple[str, ...] = ()
    """Shorter forms of its name, for a place beside its tray where the whole one has no room."""

    @property
    def signs(self) -> tuple[str, ...]:
        """The icons of its row."""
        return (*("star",) * self.leader, *("swords",) * self.engaged, *self.tokens)


@dataclass(frozen=True, slots=True)
class PlacedBadge:
    """A badge with its box."""

    badge: TrayBadge
    box: BoundingBox
    line: Line | None = None
    """From its tray to a badge that does not touch it, or is as near to another one."""
    light: bool = False
    """It covers spaces that may be tapped: only its name is written, and those show through."""

    @property
    def away(self) -> PointPx:
        """From the middle of its tray to the middle of its box, in the sizes of both: a badge that
        touches its tray touches it at any size of the picture."""
        tray, box = bounds_of(self.badge.outline), self.box
        (x, y), (to_x, to_y) = tray.centre, box.centre
        wide = (tray.right - tray.left + box.right - box.left) / 2
        high = (tray.bottom - tray.top + box.bottom - box.top) / 2
        return (to_x - x) / wide, (to_y - y) / high

    def over(self, spaces: Sequence[BoundingBox]) -> bool:
        """Whether it hides one of these spaces."""
        return any(self.box.common(one) > HIDDEN * one.area for one in spaces)

    def lightened(self, spaces: Sequence[BoundingBox], size: BadgeSize) -> PlacedBadge:
        """The same badge; as its name only, where it hides one of these spaces, and in the part of
        its box that hides the least of their signs, which are in their middles."""
        if not self.over(spaces):
            return self
        left, top, right, bottom = self.box
        free = bottom - top - size.head
        downs = (free * number / (NAME_ROWS - 1) for number in range(NAME_ROWS))
        boxes = [BoundingBox(left, top + y, right, top + y + size.head) for y in downs]
        middles = [one.centre for one in spaces]
        half = (left + right) / 2, self.size_of_name(size) / 2

        def hidden(box: BoundingBox) -> float:
            written = BoundingBox(half[0] - half[1], box.top, half[0] + half[1], box.bottom)
            signs = (BoundingBox.around(one, size.text, size.text) for one in middles)
            return sum(written.common(sign) for sign in signs)

        y = bounds_of(self.badge.outline).centre[1]
        boxes.sort(key=lambda one: abs(one.centre[1] - y))
        return replace(self, box=min(boxes, key=hidden), light=True)

    def size_of_name(self, size: BadgeSize) -> float:
        """The width of its name as it is written."""
        return size.name(self.badge.name)


@dataclass(frozen=True, slots=True)
class BadgeSize:
    """The measures of a badge for a text size in pixels."""

    text: float

    @property
    def head(self) -> float:
        """The height of the name."""
        return self.text * 1.25

    @property
    def row(self) -> float:
        """The height of the row under it."""
        return self.text * 1.1

    @property
    def bar(self) -> float:
        """The height of the ranks under both."""
        return max(3.0, self.text * 0.26)

    @property
    def high(self) -> float:
        """The height of everything."""
        return self.head + self.row + self.bar

    @property
    def sign(self) -> float:
        """The width of an icon of the row, with the gap beside it."""
        return self.text * 0.87

    @property
    def edge(self) -> float:
        """What is left free at both ends of a line."""
        return self.text * 0.34

    def name(self, name: str) -> float:
        """The width of a name."""
        return fine_width(name, self.text, "narrow")

    def count(self, badge: TrayBadge) -> float:
        """The width of the number."""
        return fine_width(badge.count, self.text, "bold")

    def whole(self, badge: TrayBadge, name: str = "") -> PointPx:
        """Width and height of everything, with its whole name or another one."""
        row = self.sign * (1 + len(badge.signs)) + self.count(badge) + 0.35 * self.text
        return max(self.name(name or badge.name), row) + 2 * self.edge, self.high

    def form(self, badge: TrayBadge, wide: float) -> str:
        """The longest form of its name that a box of this width has room for."""
        forms = (badge.name, *badge.shorter)
        fitting = (one for one in forms if self.whole(badge, one)[0] <= wide + 0.01)
        return next(fitting, forms[-1])


def bounds_of(outline: Sequence[PointPx]) -> BoundingBox:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return BoundingBox(min(xs), min(ys), max(xs), max(ys))


def badge_names(names: Sequence[str], size: BadgeSize, room: float) -> dict[str, tuple[str, ...]]:
    """The shorter forms of the names of a game's pieces in a pane of so many square pixels, no two
    alike: of those that are long, where the whole names of all hide the table."""
    wide = [max(size.name(name), LONGEST * size.text) + 2 * size.edge for name in names]
    if sum(wide) * size.high <= CROWDED * room:
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for most in WIDTHS:
        for name, short in narrowed(names, size, most * size.text).items():
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), short)))
    return found


def narrowed(names: Sequence[str], size: BadgeSize, most: float) -> dict[str, str]:
    """Those of the names that are wider than this, with so many letters that they are not, if they
    can be told apart by them."""
    found = {name: name for name in names}
    for letters in LETTERS:
        long = [name for name in names if size.name(found[name]) > most]
        short = short_names(names, letters) if long else {}
        found |= {name: short[name] for name in long}
    return {name: short for name, short in found.items() if short != name}

"""The exact line-of-sight test for one front edge, one target and the obstacles between them,
and its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.geometry.plane.sight.scalar_shapes import (
    GRAZE_IN,
    NEAR_IN,
    ConvexPart,
    OrientedRect,
    Spot,
    ViewEdge,
    crossings,
)


class LosResult(NamedTuple):
    """Whether a target is in line of sight, and what blocks it if not."""

    seen: bool
    ahead: bool  # part of the target lies in the front arc
    terrain: bool = False  # terrain blocks
    trays: bool = False  # trays block


ASIDE, FREED = LosResult(False, False), LosResult(True, True)
"""No part of the target lies in the arc; nothing blocks."""


Line = tuple[float, float, float]
"""A line of sight: it starts at (0, a) and has the direction (dx, dy)."""
Span = tuple[float, float]
"""Where a line enters a terrain part and leaves it."""


@dataclass(slots=True)
class LosScene:
    """A front edge, the part of the target in its arc, and the obstacles between them.

    The region between is bounded by y = wide + left · x, y = -wide + right · x, and x = far; the
    target's part begins at x = near. The slopes of lines of sight from the left end of the edge are
    `least` to `left`, from the right end `right` to `most`, and of all others `least` to `most`.
    """

    eye: ViewEdge
    target: OrientedRect
    part: list[Spot]
    left: float
    right: float
    near: float
    far: float
    least: float
    most: float
    through_any: bool
    boxes: list[OrientedRect] = field(default_factory=list)  # shrunk by the grazing tolerance
    parts: list[ConvexPart] = field(default_factory=list)

    @classmethod
    def of(
        cls, eye: ViewEdge, target: OrientedRect, part: list[Spot], through_any: bool
    ) -> LosScene:
        """A scene without obstacles."""
        wide, ahead = eye.wide, [x for x, _ in part]
        near, far = min(ahead), max(ahead)
        spots = part if near >= GRAZE_IN else [(max(x, GRAZE_IN), y) for x, y in part]
        from_left = [(y - wide) / x for x, y in spots]
        from_right = [(y + wide) / x for x, y in spots]
        return cls(
            eye,
            target,
            part,
            max(from_left),
            min(from_right),
            near,
            far,
            min(from_left),
            max(from_right),
            through_any,
        )

    def depths(self, spot: Spot) -> tuple[float, float, float, float]:
        """The depth of a point inside each boundary of the region between."""
        x, y = spot
        wide = self.eye.wide
        return x, self.far - x, wide + self.left * x - y, wide - self.right * x + y

    def answer(self) -> LosResult:
        """The result by lines from both ends to all corners, by one obstacle, or by critical lines.

        Lines are (a, dx, dy): they start at (0, a) and have that direction.
        """
        wide, boxes = self.eye.wide, self.boxes
        hiding = boxes  # trays that every line so far crosses
        core: list[OrientedRect] = []  # if there is none: a set that blocks all lines so far
        by_tray = True
        by_parts: list[list[bool]] = []
        for a in (wide, -wide):
            for x, y in self.part:
                line = a, x, y - a
                met = False
                if hiding:
                    still = [box for box in hiding if crosses(box, *line)]
                    if not still and hiding is not boxes:
                        core.append(hiding[0])
                    hiding = still
                    met = bool(still)
                if not hiding and by_parts:
                    met = self.stopped(line, core)
                parts = self.parts_met(*line) if self.parts else []
                if not met and True not in parts:
                    return LosResult(True, True)
                by_tray = by_tray and met
                by_parts.append(parts)
        terrain = any(map(any, by_parts))
        if hiding:
            return LosResult(False, True, terrain, True)
        if not self.hidden(by_parts) and self.critical(core):
            return LosResult(True, True)
        return LosResult(False, True, terrain, by_tray)

    def stopped(self, line: Line, core: list[OrientedRect]) -> bool:
        """Whether a tray blocks a line; if so, it is added to the core."""
        for box in core:
            if crosses(box, *line):
                return True
        for box in self.boxes:
            if crosses(box, *line):
                core.append(box)
                return True
        return False

    def hidden(self, by_parts: list[list[bool]]) -> bool:
        """Whether one terrain part blocks all lines, given for each line which parts do.

        Where the target may lie on a terrain part, no single part decides.
        """
        return any(
            all(hits) and not part.may_hold(self.part)
            for part, hits in zip(self.parts, zip(*by_parts, strict=True), strict=False)
        )

    def parts_met(self, a: float, dx: float, dy: float) -> list[bool]:
        """Which terrain parts a line crosses, leaving their piece before it arrives.

        OR-25: a target on the piece is seen, a viewer on it sees out.
        """
        spans = [part.times(a, dx, dy) for part in self.parts]
        if self.through_any or not any(spans):
            return [span is not None for span in spans]
        arrive, pieces = self.arrives_at(a, dx, dy), dict[int, list[Span]]()
        for part, span in zip(self.parts, spans, strict=True):
            if span is not None:
                pieces.setdefault(part.piece, []).append(span)
        return [
            span is not None and leaves_at(span[1], pieces[part.piece]) <= arrive
            for part, span in zip(self.parts, spans, strict=True)
        ]

    def arrives_at(self, a: float, dx: float, dy: float) -> float:
        """Where a line meets the target, from 0 at the front edge to 1 at its end."""
        enter, leave = self.target.times(a, dx, dy)
        return (min(max(enter, 0.0), 1.0) if enter <= leave else 1.0) + 1e-9

    def pieces(self) -> list[list[ConvexPart]]:
        """The terrain parts by piece; parts that block by themselves one by one."""
        found: dict[int, list[ConvexPart]] = {}
        singles: list[list[ConvexPart]] = []
        for part in self.parts:
            found.setdefault(part.piece, []).append(part)
        for piece, parts in list(found.items()):
            ends_at = max(x for part in parts for x, _ in part.corners)
            if self.through_any or ends_at < self.near - NEAR_IN:  # wholly before the target
                del found[piece]
                singles += [[part] for part in parts]
        return [*singles, *found.values()]

    def screened(self, a: float, dx: float, dy: float, pieces: list[list[ConvexPart]]) -> bool:
        """Whether terrain blocks a line; what does is tried first the next time."""
        arrive = self.arrives_at(a, dx, dy)
        for number, parts in enumerate(pieces):
            spans = [span for part in parts if (span := part.times(a, dx, dy)) is not None]
            if spans and (
                self.through_any
                or max(leave for _, leave in spans) <= arrive
                or any(leaves_at(leave, spans) <= arrive for _, leave in spans)
            ):
                pieces.insert(0, pieces.pop(number))
                return True
        return False

    def critical(self, core: list[OrientedRect]) -> bool:
        """Whether there is a free line through two corners, at least one of them a blocker's.

        Of a family of free lines the steepest suffices. It cannot be turned left any more: an
        obstacle below touches it near the front edge, and one above it farther on. If no line is
        free, the trays in the core block all of them, together with the terrain.
        """
        wide = self.eye.wide
        most = wide + GRAZE_IN
        below, above = self.corners()
        near, ends = [(0.0, -wide), *self.part], self.part
        if self.cut_off():  # then corners may be missing: try all that are known
            below = above = list(dict.fromkeys(below + above))
            ends = [(0.0, wide), *near]
            near = ends
        own, to = len(near), [*above, *ends]
        firm, pieces = self.wholly_between(core), self.pieces()
        for number, (x, y) in enumerate([*near, *below]):
            for to_x, to_y in above if number < own else to:
                if to_x <= x:
                    continue
                m = (to_y - y) / (to_x - x)
                a = y - m * x
                if a > most or a < -most:
                    continue
                a = min(max(a, -wide), wide)
                for box_x, box_y, c, s, deep, broad in firm:
                    if abs(box_y - m * box_x - a) < abs(s - m * c) * deep + abs(c + m * s) * broad:
                        break
                else:
                    far = self.reached(a, m)
                    if far is None:
                        continue
                    known = len(core)
                    if not self.stopped((a, far, m * far), core) and not (
                        self.screened(a, far, m * far, pieces)
                    ):
                        return True
                    if len(core) > known:
                        firm = self.wholly_between(core)
        return False

    def wholly_between(self, boxes: list[OrientedRect]) -> list[OrientedRect]:
        """The trays that block every line of sight that passes through them."""
        return [box for box in boxes if is_ahead(box) and self.is_before(box)]

    def is_before(self, box: OrientedRect) -> bool:
        """Whether lines of sight that meet a tray do so before they reach the target.

        True if a line across the view, or one along a side of the target, separates the target from
        the tray and from the front edge.
        """
        x, y, c, s, deep, wide = box
        if x + abs(c) * deep + abs(s) * wide < self.near:
            return True
        to_x, to_y, cos, sin, length, width = self.target
        x, y, edge = x - to_x, y - to_y, self.eye.wide
        for nx, ny, level in ((cos, sin, length), (-sin, cos, width)):
            away, start = nx * x + ny * y, -nx * to_x - ny * to_y
            if away < 0:
                away, start = -away, -start
            across = abs(nx * c + ny * s) * deep + abs(ny * c - nx * s) * wide
            if away - across >= level <= start - abs(ny) * edge:
                return True
        return False

    def cut_off(self) -> bool:
        """Whether a blocker overlaps the front edge or the target, or the target reaches the edge.

        Then lines of sight meet only part of it, and that part has corners of its own.
        """
        return (
            self.near < NEAR_IN
            or any(not is_ahead(box) or box.meets(self.target) for box in self.boxes)
            or any(
                min(part.corners)[0] < NEAR_IN or part.may_hold(self.part) for part in self.parts
            )
        )

    def corners(self) -> tuple[list[Spot], list[Spot]]:
        """The blockers' corners between that a line of sight can touch from above, and from below.

        Where the target lies partly on terrain, the intersections of their sides count as both: it
        may be visible up to there.
        """
        below: list[Spot] = []
        above: list[Spot] = []
        least, most = self.least, self.most
        for x, y, c, s, deep, wide in self.boxes:
            ahead_x, ahead_y = (deep + GRAZE_IN) * c, (deep + GRAZE_IN) * s
            left_x, left_y = -(wide + GRAZE_IN) * s, (wide + GRAZE_IN) * c
            # whether a step along or across the tray leads to the left, or to the right, of some
            # line of sight
            one, two = ahead_y - least * ahead_x, ahead_y - most * ahead_x
            rises, falls = one >= -NEAR_IN or two >= -NEAR_IN, one <= NEAR_IN or two <= NEAR_IN
            one, two = left_y - least * left_x, left_y - most * left_x
            climbs, drops = one >= -NEAR_IN or two >= -NEAR_IN, one <= NEAR_IN or two <= NEAR_IN
            # opposite corners: where one is below a line, the other is above it
            if (rises and climbs) or (falls and drops):
                first = x + ahead_x + left_x, y + ahead_y + left_y
                last = x - ahead_x - left_x, y - ahead_y - left_y
                if rises and climbs:
                    below.append(first)
                    above.append(last)
                if falls and drops:
                    below.append(last)
                    above.append(first)
            if (falls and climbs) or (rises and drops):
                first = x - ahead_x + left_x, y - ahead_y + left_y
                last = x + ahead_x - left_x, y + ahead_y - left_y
                if falls and climbs:
                    below.append(first)
                    above.append(last)
                if rises and drops:
                    below.append(last)
                    above.append(first)
        spots: list[Spot] = []
        for part in self.parts:
            spots += part.corners
            if part.may_hold(self.part):
                spots += crossings(self.part, part.corners)
        return self.between(below + spots), self.between(above + spots)

    def between(self, spots: list[Spot]) -> list[Spot]:
        """The points that lie in the region between."""
        wide, left, right, far = self.eye.wide + NEAR_IN, self.left, self.right, self.far
        return [
            (x, y)
            for x, y in spots
            if -NEAR_IN <= x <= far + NEAR_IN and right * x - wide <= y <= wide + left * x
        ]

    def reached(self, a: float, m: float) -> float | None:
        """How far ahead a line of sight meets the target, or None if it does not in the arc."""
        enter, leave = self.target.times(a, 1.0, m)
        if enter > leave or leave < -GRAZE_IN:
            return None
        far = max(enter, 0.0)
        inside = abs(a + m * far) <= self.eye.wide + self.eye.slope * far + GRAZE_IN
        return far if inside else None


def leaves_at(end: float, spans: Sequence[Span]) -> float:
    """Where a line that leaves one part at `end` leaves the whole piece, given all its parts."""
    for _ in spans:
        later = max(leave for enter, leave in spans if enter <= end + 1e-12)
        if later <= end:
            break
        end = later
    return end


def crosses(box: OrientedRect, a: float, dx: float, dy: float) -> bool:
    """Whether a segment crosses a tray (separating axes: the tray's sides and the segment)."""
    x, y, c, s, deep, wide = box
    y -= a
    du, dv = dx * c + dy * s, dy * c - dx * s
    if abs(x * dy - y * dx) >= abs(dv) * deep + abs(du) * wide:
        return False
    u, v = -x * c - y * s, x * s - y * c
    return (
        (u < deep or u + du < deep)
        and (u > -deep or u + du > -deep)
        and (v < wide or v + dv < wide)
        and (v > -wide or v + dv > -wide)
    )


def is_ahead(box: OrientedRect) -> bool:
    """Whether no part of a tray reaches over the front edge."""
    return box.x - abs(box.cos) * box.deep - abs(box.sin) * box.wide >= NEAR_IN

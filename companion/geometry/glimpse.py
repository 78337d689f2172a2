"""One question of sight in plain numbers, for searches that ask one after another.

`sight` answers hundreds of questions in one stroke; for a few, laying out its arrays would take
longer than this does. Method, frames and tolerances are the same, and so are the answers: a
test holds one against the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import NamedTuple

from companion.geometry.plain import (
    Box,
    Eye,
    Part,
    Spot,
    crossings,
    in_arc,
    plain_boxes,
    plain_parts,
)
from companion.geometry.trays import Trays
from companion.geometry.views import GRAZE_IN, NEAR_IN
from companion.geometry.walls import Walls

Line = tuple[float, float, float]
"""A line of view: it starts at (0, a) and runs one step (dx, dy)."""


class Seen(NamedTuple):
    """Whether a target is seen, and what stands in the way where not."""

    seen: bool
    ahead: bool
    terrain: bool = False
    trays: bool = False


@dataclass(frozen=True, slots=True)
class Ground:
    """All trays of a table and the terrain that blocks sight, as plain numbers."""

    boxes: list[Box]
    radius: list[float]
    spread: list[float]
    parts: list[Part]
    through_any: bool

    @classmethod
    def of(cls, trays: Trays, walls: Walls, through_any: bool) -> Ground:
        """The same trays and walls."""
        boxes = plain_boxes(trays)
        radius = [math.hypot(box.deep, box.wide) for box in boxes]
        return cls(boxes, radius, trays.spread.tolist(), plain_parts(walls), through_any)

    def watch(
        self, viewer: int, target: int, sigmas: float = 0.0, spare: float | None = None
    ) -> Watch:
        """A viewer watching a target, everything but its own edge and arc eased by some sigmas.

        One that never comes farther than `spare` from its place is watched with less effort.
        """
        goal, others = self.boxes[target], list(zip(self.boxes, self.radius, strict=True))
        if sigmas:
            x, y, cos, sin, deep, wide = goal
            by = sigmas * self.spread[target]
            goal = Box(x, y, cos, sin, max(deep + by, 1e-6), max(wide + by, 1e-6))
            eases = [sigmas * spread for spread in self.spread]
            others = [
                (box.grown(-ease), radius + 2 * abs(ease))
                for (box, radius), ease in zip(others, eases, strict=True)
            ]
        for place in sorted((viewer, target), reverse=True):
            del others[place]
        if spare is not None:
            start = self.boxes[viewer]
            wide = max(self.radius[viewer] + spare, self.radius[target])
            others = [
                (box, radius)
                for box, radius in others
                if off_way(start, goal, box) <= wide + radius
            ]
        return Watch(goal, others, self.parts, self.through_any)


def off_way(start: Box, goal: Box, thing: Box | Part) -> float:
    """How far a thing's middle is from the line between those of two trays."""
    dx, dy, x, y = goal.x - start.x, goal.y - start.y, thing.x - start.x, thing.y - start.y
    part = min(max((x * dx + y * dy) / max(dx * dx + dy * dy, 1e-12), 0.0), 1.0)
    return math.hypot(x - part * dx, y - part * dy)


@dataclass(frozen=True, slots=True)
class Watch:
    """One unit watching another: asked again and again as it pivots or shifts."""

    goal: Box
    boxes: list[tuple[Box, float]]  # others, and how far each reaches from its centre
    parts: list[Part]
    through_any: bool

    def look(
        self, eye: Eye, exempt: Sequence[bool], freed: bool = False, beyond: float = -math.inf
    ) -> Seen:
        """Whether the target is seen from there.

        `exempt` pieces do not count, nor does what reaches nearer than `beyond` to the line of
        the front edge; where `freed` nothing blocks at all.
        """
        goal = self.goal.seen_by(eye)
        part = in_arc(goal.corners(), eye)
        if not part or freed:
            return Seen(bool(part), bool(part))
        scene = Scene.of(eye, goal.grown(GRAZE_IN), part, self.through_any)
        scene.boxes.extend(self.boxes_between(scene, beyond))
        scene.parts.extend(self.parts_between(scene, exempt, beyond))
        return scene.answer()

    def boxes_between(self, scene: Scene, beyond: float) -> Iterator[Box]:
        """The trays that reach into the ground between, smaller by a grazing touch."""
        eye_x, eye_y, cos, sin, edge, _ = scene.eye
        left, right, far = scene.left, scene.right, scene.far
        steep_left, steep_right = math.hypot(1.0, left), math.hypot(1.0, right)
        for tray, radius in self.boxes:
            dx, dy = tray[0] - eye_x, tray[1] - eye_y
            x, y = dx * cos + dy * sin, dy * cos - dx * sin
            above, below = edge + left * x - y, edge - right * x + y
            if (  # the circle about it lies outside: so most are left out quickly
                not -radius < x < far + radius
                or above <= -radius * steep_left
                or below <= -radius * steep_right
            ):
                continue
            _, _, c, s, deep, wide = tray.seen_by(scene.eye)
            ahead = abs(c) * deep + abs(s) * wide
            if (
                -ahead < x < far + ahead
                and above + abs(left * c - s) * deep + abs(left * s + c) * wide > 0
                and below + abs(right * c - s) * deep + abs(right * s + c) * wide > 0
                and deep > GRAZE_IN < wide
                and x - ahead >= beyond
            ):
                yield Box(x, y, c, s, deep - GRAZE_IN, wide - GRAZE_IN)

    def parts_between(self, scene: Scene, exempt: Sequence[bool], beyond: float) -> Iterator[Part]:
        """The terrain parts that count and reach into the ground between."""
        for part in self.parts:
            if exempt[part.piece] or scene.leaves_out(part):
                continue
            seen = part.seen_by(scene.eye)
            depths = map(scene.depths, seen.corners)
            if min(seen.corners)[0] >= beyond and all(
                max(side) > -NEAR_IN for side in zip(*depths, strict=True)
            ):
                yield seen


@dataclass(slots=True)
class Scene:
    """A front edge, the part of the target in its arc, and all that reaches between them.

    The ground between is bounded by y = wide + left · x, y = -wide + right · x, and x = far; the
    lines of view gain at least `least` and at most `most` for every inch ahead.
    """

    eye: Eye
    target: Box
    part: list[Spot]
    left: float
    right: float
    far: float
    least: float
    most: float
    through_any: bool
    boxes: list[Box] = field(default_factory=list)  # by a grazing touch smaller than they are
    parts: list[Part] = field(default_factory=list)

    @classmethod
    def of(cls, eye: Eye, target: Box, part: list[Spot], through_any: bool) -> Scene:
        """An empty scene."""
        wide = eye.wide
        from_left = [(y - wide) / max(x, GRAZE_IN) for x, y in part]
        from_right = [(y + wide) / max(x, GRAZE_IN) for x, y in part]
        return cls(
            eye,
            target,
            part,
            max(from_left),
            min(from_right),
            max(part)[0],
            min(from_left),
            max(from_right),
            through_any,
        )

    def leaves_out(self, part: Part) -> bool:
        """Whether the circle about a part lies outside the ground between."""
        ahead, beyond, left, right = self.depths(self.eye.inside((part.x, part.y)))
        return (
            min(ahead, beyond) < -part.radius
            or left < -part.radius * math.hypot(1.0, self.left)
            or right < -part.radius * math.hypot(1.0, self.right)
        )

    def depths(self, spot: Spot) -> tuple[float, float, float, float]:
        """How far a spot lies inside each boundary of the ground between."""
        x, y = spot
        wide = self.eye.wide
        return x, self.far - x, wide + self.left * x - y, wide - self.right * x + y

    def answer(self) -> Seen:
        """By lines from both ends to all corners; by a blocker that hides all; by critical lines.

        Lines are (a, dx, dy): they start at (0, a) and run one such step.
        """
        lines = [(a, x, y - a) for a in (self.eye.wide, -self.eye.wide) for x, y in self.part]
        by_trays, by_parts = [], []
        for line in lines:
            trays = [box.blocks(*line) for box in self.boxes]
            parts = self.parts_met(*line) if self.parts else []
            if True not in trays and True not in parts:
                return Seen(True, True)
            by_trays.append(trays)
            by_parts.append(parts)
        if not self.hidden(by_trays, by_parts) and self.critical():
            return Seen(True, True)
        if not self.parts:
            return Seen(False, True, False, True)
        return Seen(False, True, any(map(any, by_parts)), all(map(any, by_trays)))

    def hidden(self, by_trays: list[list[bool]], by_parts: list[list[bool]]) -> bool:
        """Whether one blocker stands in the way of all lines; for each, which do.

        Where the target may lie on a terrain part, no single part decides.
        """
        if any(map(all, zip(*by_trays, strict=True))):
            return True
        return any(
            all(hits) and not part.may_hold(self.part)
            for part, hits in zip(self.parts, zip(*by_parts, strict=True), strict=False)
        )

    def parts_met(self, a: float, dx: float, dy: float) -> list[bool]:
        """Which terrain parts a line passes through, leaving their piece before it arrives.

        OR-25: a target on the piece is seen, a viewer on it sees out.
        """
        spans = [part.times(a, dx, dy) for part in self.parts]
        if self.through_any or not any(spans):
            return [span is not None for span in spans]
        enter, leave = self.target.times(a, dx, dy)
        arrive = min(max(enter, 0.0), 1.0) if enter <= leave else 1.0
        return [
            span is not None and self.leaves_at(part.piece, span[1], spans) <= arrive + 1e-9
            for part, span in zip(self.parts, spans, strict=True)
        ]

    def leaves_at(
        self, piece: int, end: float, spans: Sequence[tuple[float, float] | None]
    ) -> float:
        """Where a line that leaves one part at `end` leaves the whole piece."""
        for _ in spans:
            later = max(
                span[1]
                for part, span in zip(self.parts, spans, strict=True)
                if span is not None and part.piece == piece and span[0] <= end + 1e-12
            )
            if later <= end:
                break
            end = later
        return end

    def critical(self) -> bool:
        """Whether a line through two corners, at least one a blocker's, is free."""
        wide = self.eye.wide
        own = [(0.0, wide), (0.0, -wide), *self.part]
        corners = list(self.corners())
        for number, (x, y) in enumerate(corners):
            for to_x, to_y in chain(own, islice(corners, number)):
                if to_x == x:
                    continue
                m = (to_y - y) / (to_x - x)
                a = y - m * x
                if abs(a) > wide + GRAZE_IN:
                    continue
                a = min(max(a, -wide), wide)
                far = self.reached(a, m)
                if far is not None and self.is_free(a, far, m * far):
                    return True
        return False

    def corners(self) -> Iterator[Spot]:
        """The blockers' corners in the ground between, and where the target lies half on terrain
        the crossings of their sides: it may be seen up to there."""
        for box in self.boxes:
            spots = box.grown(GRAZE_IN).corners()
            yield from (spot for spot in self.touched(spots) if min(self.depths(spot)) >= -NEAR_IN)
        for part in self.parts:
            spots = list(part.corners)
            if part.may_hold(self.part):
                spots += crossings(self.part, part.corners)
            yield from (spot for spot in spots if min(self.depths(spot)) >= -NEAR_IN)

    def touched(self, spots: list[Spot]) -> Iterator[Spot]:
        """The corners of a box that a line of view can touch and leave the box aside.

        To one side of the line must lie both neighbours of the corner.
        """
        sides = []
        for (x, y), (to_x, to_y) in zip(spots, spots[1:] + spots[:1], strict=True):
            one = y - to_y - self.least * (x - to_x)
            two = y - to_y - self.most * (x - to_x)
            sides.append((max(one, two) >= -NEAR_IN, min(one, two) <= NEAR_IN))
        for number, spot in enumerate(spots):
            above, below = sides[number]
            before_above, before_below = sides[number - 1]
            if (above and before_below) or (below and before_above):
                yield spot

    def reached(self, a: float, m: float) -> float | None:
        """How far ahead a line of view meets the target, if it does so in the arc."""
        enter, leave = self.target.times(a, 1.0, m)
        far = max(enter, 0.0)
        if enter > leave or leave < -GRAZE_IN:
            return None
        inside = abs(a + m * far) <= self.eye.wide + self.eye.slope * far + GRAZE_IN
        return far if inside else None

    def is_free(self, a: float, dx: float, dy: float) -> bool:
        """Whether nothing stands in a line's way."""
        return not (
            any(box.blocks(a, dx, dy) for box in self.boxes)
            or (self.parts and any(self.parts_met(a, dx, dy)))
        )

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

from companion.geometry.solids import TOUCH_IN
from companion.geometry.trays import Trays
from companion.geometry.views import GRAZE_IN, NEAR_IN
from companion.geometry.walls import Walls

Spot = tuple[float, float]
Line = tuple[float, float, float]
NEVER = (math.inf, -math.inf)


class Eye(NamedTuple):
    """A front edge: its middle, where it faces, half its length, and the arc lines' tangent."""

    x: float
    y: float
    cos: float
    sin: float
    wide: float
    slope: float

    def slid(self, ahead: float, aside: float) -> Eye:
        """The same edge moved forward and to its left."""
        x, y = slid(self.x, self.y, self.cos, self.sin, ahead, aside)
        return self._replace(x=x, y=y)

    def eased(self, spread: float, turn: float) -> Eye:
        """A longer edge (shorter where negative) and a wider arc, by so many radians."""
        angle = min(max(math.atan(self.slope) + turn, 1e-3), math.pi / 2 - 1e-3)
        return self._replace(wide=max(self.wide + spread, 1e-6), slope=math.tan(angle))

    def inside(self, spot: Spot) -> Spot:
        """A spot of the table in the edge's frame."""
        x, y = spot[0] - self.x, spot[1] - self.y
        return x * self.cos + y * self.sin, y * self.cos - x * self.sin


class Box(NamedTuple):
    """A tray: centre, facing, half depth and half width."""

    x: float
    y: float
    cos: float
    sin: float
    deep: float
    wide: float

    def seen_by(self, eye: Eye) -> Box:
        """The tray in the frame of an eye."""
        x, y, cos, sin, deep, wide = self
        dx, dy, c, s = x - eye.x, y - eye.y, eye.cos, eye.sin
        return Box(
            dx * c + dy * s,
            dy * c - dx * s,
            cos * c + sin * s,
            sin * c - cos * s,
            deep,
            wide,
        )

    def grown(self, by: float) -> Box:
        """The same tray, larger on every side."""
        return self._replace(deep=self.deep + by, wide=self.wide + by)

    def slid(self, ahead: float, aside: float) -> Box:
        """The same tray moved forward and to its left."""
        x, y = slid(self.x, self.y, self.cos, self.sin, ahead, aside)
        return self._replace(x=x, y=y)

    def turned(self, heading_rad: float) -> Box:
        """The same tray facing another way."""
        return self._replace(cos=math.cos(heading_rad), sin=math.sin(heading_rad))

    @property
    def front(self) -> Spot:
        """The middle of the front edge."""
        return self.x + self.deep * self.cos, self.y + self.deep * self.sin

    def corners(self) -> list[Spot]:
        """Its corners, counter-clockwise."""
        x, y, cos, sin, deep, wide = self
        ahead, up = deep * cos, deep * sin
        aside, over = -wide * sin, wide * cos
        return [
            (x + ahead + aside, y + up + over),
            (x - ahead + aside, y - up + over),
            (x - ahead - aside, y - up - over),
            (x + ahead - aside, y + up - over),
        ]

    def times(self, a: float, dx: float, dy: float) -> tuple[float, float]:
        """When a line from (0, a) enters and leaves, in steps; the other way round if never."""
        x, y, c, s, deep, wide = self
        y = a - y
        u, v = y * s - x * c, y * c + x * s
        du, dv = dx * c + dy * s, dy * c - dx * s
        if abs(u * dv - v * du) >= abs(dv) * deep + abs(du) * wide:
            return NEVER
        if not du:
            return -v / dv - wide / abs(dv), -v / dv + wide / abs(dv)
        middle, half = -u / du, deep / abs(du)
        enter, leave = middle - half, middle + half
        if dv:
            middle, half = -v / dv, wide / abs(dv)
            enter, leave = max(enter, middle - half), min(leave, middle + half)
        return enter, leave

    def blocks(self, a: float, dx: float, dy: float) -> bool:
        """Whether one step from (0, a) crosses the interior."""
        enter, leave = self.times(a, dx, dy)
        return enter < 1 and leave > 0 and enter < leave


class Part(NamedTuple):
    """A convex part of a terrain piece: inside is nx · x + ny · y >= offset for every plane.

    All of it lies within the radius of (x, y).
    """

    piece: int
    corners: Sequence[Spot]
    planes: Sequence[tuple[float, float, float]]
    x: float
    y: float
    radius: float

    @classmethod
    def of(
        cls,
        piece: int,
        corners: list[list[float]],
        normal: list[list[float]],
        offset: list[float],
    ) -> Part:
        """A part from its rows in the arrays; short ones repeat their last corner there."""
        planes = [(nx, ny, away) for (nx, ny), away in zip(normal, offset, strict=True)]
        spots = list(dict.fromkeys((x, y) for x, y in corners))
        x, y = (sum(way) / len(spots) for way in zip(*spots, strict=True))
        radius = max(math.hypot(px - x, py - y) for px, py in spots)
        return cls(piece, spots, list(dict.fromkeys(planes)), x, y, radius)

    def seen_by(self, eye: Eye) -> Part:
        """The part in the frame of an eye."""
        c, s = eye.cos, eye.sin
        planes = [
            (nx * c + ny * s, ny * c - nx * s, offset - nx * eye.x - ny * eye.y)
            for nx, ny, offset in self.planes
        ]
        corners = [eye.inside(spot) for spot in self.corners]
        return Part(self.piece, corners, planes, *eye.inside((self.x, self.y)), self.radius)

    def times(self, a: float, dx: float, dy: float) -> tuple[float, float] | None:
        """When one step from (0, a) enters and leaves the part, if it crosses it."""
        enter, leave = -math.inf, math.inf
        for nx, ny, offset in self.planes:
            depth, change = ny * a - offset - GRAZE_IN, nx * dx + ny * dy
            if change > 0:
                enter = max(enter, -depth / change)
            elif change < 0:
                leave = min(leave, -depth / change)
            elif depth < 0:
                return None
        return (enter, leave) if enter < leave and leave > 0 and enter < 1 else None

    def lies_under(self, box: Box) -> bool:
        """Whether part and tray share inner points."""
        x, y, c, s, deep, wide = box
        if math.hypot(self.x - x, self.y - y) > self.radius + deep + wide:
            return False
        for nx, ny, offset in self.planes:
            ahead, aside = nx * c + ny * s, ny * c - nx * s
            if nx * x + ny * y + abs(ahead) * deep + abs(aside) * wide <= offset + TOUCH_IN:
                return False
        spots = [(px - x, py - y) for px, py in self.corners]
        ahead_of = [px * c + py * s for px, py in spots]
        left_of = [py * c - px * s for px, py in spots]
        return all(
            min(along) < half - TOUCH_IN and max(along) > TOUCH_IN - half
            for along, half in ((ahead_of, deep), (left_of, wide))
        )

    def may_hold(self, spots: Sequence[Spot]) -> bool:
        """Whether no plane of the part parts it from these spots."""
        return not any(
            all(nx * x + ny * y - offset < -1e-5 for x, y in spots)
            for nx, ny, offset in self.planes
        )


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
        half = trays.half.tolist()
        rows = zip(trays.centre.tolist(), trays.forward.tolist(), half, strict=True)
        return cls(
            [Box(x, y, c, s, deep, wide) for (x, y), (c, s), (deep, wide) in rows],
            [math.hypot(*size) for size in half],
            trays.spread.tolist(),
            plain_parts(walls),
            through_any,
        )

    def look(
        self,
        eye: Eye,
        viewer: int,
        target: int,
        exempt: Sequence[bool],
        freed: bool,
        sigmas: float = 0.0,
        beyond: float = -math.inf,
    ) -> Seen:
        """Whether a viewer sees a target, everything but the eye eased by so many sigmas.

        `exempt` pieces do not count, nor does what reaches nearer than `beyond` to the line of
        the front edge; where `freed` nothing blocks at all.
        """
        goal = self.boxes[target].seen_by(eye)
        if sigmas:
            by = sigmas * self.spread[target]
            goal = goal._replace(deep=max(goal.deep + by, 1e-6), wide=max(goal.wide + by, 1e-6))
        part = in_arc(goal.corners(), eye)
        if not part:
            return Seen(False, False)
        if freed:
            return Seen(True, True)
        scene = Scene.of(eye, goal.grown(GRAZE_IN), part, self.through_any)
        scene.boxes.extend(self.boxes_between(scene, (viewer, target), sigmas, beyond))
        scene.parts.extend(self.parts_between(scene, exempt, beyond))
        return scene.answer()

    def boxes_between(
        self, scene: Scene, themselves: tuple[int, int], sigmas: float, beyond: float
    ) -> Iterator[Box]:
        """The trays, eased, that reach into the ground between, smaller by a grazing touch."""
        eye_x, eye_y, cos, sin, edge, _ = scene.eye
        left, right, far = scene.left, scene.right, scene.far
        steep_left, steep_right = math.hypot(1.0, left), math.hypot(1.0, right)
        for place, (tray, radius) in enumerate(zip(self.boxes, self.radius, strict=True)):
            ease = 0.0
            if sigmas:
                ease = sigmas * self.spread[place]
                radius += 2 * abs(ease)
            dx, dy = tray[0] - eye_x, tray[1] - eye_y
            x, y = dx * cos + dy * sin, dy * cos - dx * sin
            above, below = edge + left * x - y, edge - right * x + y
            if (  # the circle about it lies outside: so most are left out quickly
                not -radius < x < far + radius
                or above <= -radius * steep_left
                or below <= -radius * steep_right
                or place in themselves
            ):
                continue
            _, _, c, s, deep, wide = tray.seen_by(scene.eye)
            deep, wide = deep - ease, wide - ease
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


@dataclass(frozen=True, slots=True)
class Scene:
    """A front edge, the part of the target in its arc, and all that reaches between them.

    The ground between is bounded by y = wide + left · x, y = -wide + right · x, and x = far.
    """

    eye: Eye
    target: Box
    part: list[Spot]
    left: float
    right: float
    far: float
    through_any: bool
    boxes: list[Box] = field(default_factory=list)  # by a grazing touch smaller than they are
    parts: list[Part] = field(default_factory=list)

    @classmethod
    def of(cls, eye: Eye, target: Box, part: list[Spot], through_any: bool) -> Scene:
        """An empty scene."""
        wide = eye.wide
        left = max([(y - wide) / max(x, GRAZE_IN) for x, y in part])
        right = min([(y + wide) / max(x, GRAZE_IN) for x, y in part])
        return cls(eye, target, part, left, right, max(part)[0], through_any)

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
        if any(self.is_free(*line) for line in lines) or (
            not self.hidden(lines) and self.critical()
        ):
            return Seen(True, True)
        if not self.parts:
            return Seen(False, True, False, True)
        terrain = any(any(self.parts_met(*line)) for line in lines)
        trays = all(any(box.blocks(*line) for box in self.boxes) for line in lines)
        return Seen(False, True, terrain, trays)

    def hidden(self, lines: Sequence[Line]) -> bool:
        """Whether one blocker stands in the way of all these lines.

        Where the target may lie on a terrain part, no single part decides.
        """
        if any(all(box.blocks(*line) for line in lines) for box in self.boxes):
            return True
        met = zip(*(self.parts_met(*line) for line in lines), strict=True)
        return any(
            all(hits) and not part.may_hold(self.part)
            for part, hits in zip(self.parts, met, strict=False)
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
            span is not None and self.leaves_at(part.piece, span[1], spans) < arrive - 1e-12
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
            yield from (spot for spot in spots if min(self.depths(spot)) >= -NEAR_IN)
        for part in self.parts:
            spots = list(part.corners)
            if part.may_hold(self.part):
                spots += crossings(self.part, part.corners)
            yield from (spot for spot in spots if min(self.depths(spot)) >= -NEAR_IN)

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


def plain_parts(walls: Walls) -> list[Part]:
    """Terrain parts in plain numbers."""
    rows = (walls.piece, walls.corners, walls.normal, walls.offset)
    return [Part.of(*row) for row in zip(*(column.tolist() for column in rows), strict=True)]


def slid(
    x: float, y: float, cos: float, sin: float, ahead: float, aside: float
) -> tuple[float, float]:
    """A spot moved forward and to the left of where (cos, sin) faces."""
    return x + ahead * cos - aside * sin, y + ahead * sin + aside * cos


def in_arc(corners: list[Spot], eye: Eye) -> list[Spot]:
    """The part of a polygon inside the front arc; nothing if there is none."""
    wide, slope = eye.wide, eye.slope
    for nx, ny, offset in ((1.0, 0.0, 0.0), (slope, -1.0, -wide), (slope, 1.0, -wide)):
        depths = [nx * x + ny * y - offset for x, y in corners]
        if min(depths) < 0:
            corners = cut(corners, depths)
            if not corners:
                return []
    return corners


def cut(corners: list[Spot], depths: list[float]) -> list[Spot]:
    """A polygon without the part where depths are negative."""
    kept = []
    for number, (x, y) in enumerate(corners):
        depth, before = depths[number], depths[number - 1]
        if (depth >= 0) != (before >= 0):
            from_x, from_y = corners[number - 1]
            part = before / (before - depth)
            kept.append((from_x + part * (x - from_x), from_y + part * (y - from_y)))
        if depth >= 0:
            kept.append((x, y))
    return kept


def crossings(first: Sequence[Spot], second: Sequence[Spot]) -> Iterator[Spot]:
    """Where the sides of two polygons cross."""
    for number, (bx, by) in enumerate(first):
        ax, ay = first[number - 1]
        rx, ry = bx - ax, by - ay
        for other, (dx, dy) in enumerate(second):
            cx, cy = second[other - 1]
            sx, sy = dx - cx, dy - cy
            across = rx * sy - ry * sx
            if across:
                t = ((cx - ax) * sy - (cy - ay) * sx) / across
                u = ((cx - ax) * ry - (cy - ay) * rx) / across
                if 0 <= t <= 1 and 0 <= u <= 1:
                    yield ax + t * rx, ay + t * ry

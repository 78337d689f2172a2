"""The shortest legal shift that brings a target into range and line of sight (TMG-RNG-5, -6)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.movement.shifts import Shifts
from companion.geometry.plane.motion.shift import AXES, Axis, range_span
from companion.geometry.plane.sight.los_query import LosQuery
from companion.geometry.plane.sight.scalar_shapes import (
    ON_LINE_IN,
    ConvexPart,
    OrientedRect,
    Spot,
    ViewEdge,
)

FINE_IN = 0.0002
"""The precision of distances."""
SHORT_IN = 0.01
"""Over intervals this short, line of sight changes at most once."""
PATIENCE = 50
"""After this many evaluations the search begins to reduce its precision."""

Shift = tuple[float, float]
"""Forward and left, inches."""


@dataclass(frozen=True, slots=True, eq=False)
class ShotPosition:
    """A shooter and its target: line of sight after a shift, everything eased by some sigmas."""

    field: Battlefield
    tray: OrientedRect
    target: OrientedRect
    eye: ViewEdge
    watch: LosQuery
    floor: list[ConvexPart]  # the terrain it may come to stand on
    corners: list[Spot]  # of the target, in the frame of the front edge
    lacks: list[float]  # its distance outside each half-plane of the front arc

    @classmethod
    def of(
        cls, field: Battlefield, place: int, goal: int, most_in: float, sigmas: float = 0.0
    ) -> ShotPosition:
        """The shooter where it stands, to be shifted at most `most_in`."""
        trays, ground = field.trays, field.obstacles
        tray = ground.boxes[place]
        eye = field.eye(place)
        if sigmas:
            spread, turn = float(trays.spread[place]), float(trays.turn[place])
            eye = eye.eased(sigmas * spread, sigmas * turn)
        watch, floor = ground.watch(place, goal, most_in, sigmas), field.parts_about(place, most_in)
        corners = watch.goal.seen_by(eye).corners()
        lacks = [
            -max(nx * x + ny * y + edge * eye.wide for x, y in corners)
            for nx, ny, edge in arc_planes(eye)
        ]
        return cls(field, tray, ground.boxes[goal], eye, watch, floor, corners, lacks)

    def sees(self, shift: Shift) -> bool:
        """Whether the target is in line of sight after a shift."""
        exempt, freed = self.footing(self.tray.slid(*shift))
        return self.watch.look(self.eye.slid(*shift), exempt, freed).seen

    def may_see(self, axis: Axis, low: float, high: float) -> bool:
        """Whether the target may be in line of sight after a shift in this range; False is certain.

        All the front edges in the range are replaced by one longer edge. Sideways it covers them
        all; forward it is the foremost, widened to where lines from any of them to the target cross
        it. Where the target is not wholly beyond the foremost edge, the rearmost is used, ignoring
        obstacles that reach over the foremost.
        """
        middle, half = (low + high) / 2, (high - low) / 2
        ahead, aside = axis[0] * middle, axis[1] * middle
        x, y, cos, sin, deep, wide = self.tray.slid(ahead, aside)
        swept = OrientedRect(x, y, cos, sin, deep + half * abs(axis[0]), wide + half * abs(axis[1]))
        exempt, freed = self.footing(swept)
        eye = self.eye
        if axis[1]:
            eye = eye.slid(ahead, aside)._replace(wide=eye.wide + half)
            return self.watch.look(eye, exempt, freed).seen
        front, wide, steep = ahead + half, eye.wide, eye.slope
        if min(self.corners)[0] <= front:
            eye = eye._replace(wide=wide + 2 * half * steep)
            return self.watch.look(eye.slid(ahead - half, 0.0), exempt, freed, 2 * half).seen
        left = max(min(max((y + wide) / (x - front) for x, y in self.corners), steep), 0.0)
        right = min(max(min((y - wide) / (x - front) for x, y in self.corners), -steep), 0.0)
        eye = eye.slid(front, (left + right) * half)._replace(wide=wide + (left - right) * half)
        return self.watch.look(eye, exempt, freed).seen

    def footing(self, tray: OrientedRect) -> tuple[list[bool], bool]:
        """The pieces that do not block a shot from there, and whether none do."""
        return self.field.footing(tray, True, self.floor)

    def span(self, axis: Axis, reach: float, most_in: float) -> tuple[float, float]:
        """The range of distances along an axis with the target possibly in range and arc."""
        start = self.in_arc_from(axis)
        if start > most_in:
            return math.inf, -math.inf
        first, last = self.in_range(axis, reach)
        return max(first, start), min(last, most_in)

    def in_range(self, axis: Axis, reach: float) -> tuple[float, float]:
        """The range of distances along an axis at which the target is within reach (TMG-RNG-9)."""
        tray, goal = self.tray, self.target
        x, y = tray.front
        ahead, aside = axis
        step_x, step_y = ahead * tray.cos - aside * tray.sin, ahead * tray.sin + aside * tray.cos
        c, s, dx, dy = goal.cos, goal.sin, x - goal.x, y - goal.y
        return range_span(
            (dx * c + dy * s, dy * c - dx * s),
            (step_x * c + step_y * s, step_y * c - step_x * s),
            (goal.deep, goal.wide),
            reach,
        )

    def in_arc_from(self, axis: Axis) -> float:
        """A lower bound on the shift along an axis that brings the target into the front arc."""
        least, (ahead, aside) = 0.0, axis
        for lack, (nx, ny, _) in zip(self.lacks, arc_planes(self.eye), strict=True):
            if lack > ON_LINE_IN:
                gain = -(nx * ahead + ny * aside)  # the gain per inch of the shift
                least = max(least, lack / gain) if gain > 0 else math.inf
        return least

    def least(self, axis: Axis, low: float, high: float) -> float | None:
        """The least distance in a range along an axis with line of sight to the target, or None.

        Branch and bound: ranges without possible line of sight are discarded, others are bisected.
        Where it is narrowly blocked everywhere that would take long, so the precision is reduced
        gradually.
        """
        spans, asked = [(low, high)], 0
        while spans:
            start, stop = spans.pop()
            asked += 1
            if not self.may_see(axis, start, stop):
                continue
            if self.sees_after(axis, start):
                return start
            if stop - start <= SHORT_IN and self.sees_after(axis, stop):
                return self.edge(axis, start, stop)
            if stop - start > FINE_IN * max(1.0, asked / PATIENCE):
                middle = (start + stop) / 2
                spans += [(middle, stop), (start, middle)]
        return None

    def edge(self, axis: Axis, dark: float, seen: float) -> float:
        """The distance at which line of sight begins, between one without it and one with it."""
        while seen - dark > FINE_IN:
            middle = (dark + seen) / 2
            dark, seen = (dark, middle) if self.sees_after(axis, middle) else (middle, seen)
        return seen

    def sees_after(self, axis: Axis, distance: float) -> bool:
        """Whether the target is in line of sight at this distance along an axis."""
        return self.sees((axis[0] * distance, axis[1] * distance))


def arc_planes(eye: ViewEdge) -> tuple[tuple[float, float, float], ...]:
    """The half-planes of a front arc: inside is nx · x + ny · y + edge · wide >= 0."""
    return (1.0, 0.0, 0.0), (eye.slope, -1.0, 1.0), (eye.slope, 1.0, 1.0)


def shortest_shift(
    field: Battlefield, place: int, goal: int, most_in: float, sigmas: float = 0.0
) -> Shift | None:
    """The shortest shift up to a length with which a shooter reaches its target, or None.

    `sigmas` makes it stricter (negative) or more lenient than measured.
    """
    clear = field.readings.near_pivot == "strict"  # OR-19
    reach = float(field.bows[place] + sigmas * field.gap_sigma[place, goal])
    post, open_ = ShotPosition.of(field, place, goal, most_in, sigmas), field.open_shifts
    if (place, sigmas) not in open_:
        open_[place, sigmas] = Shifts(field, place, most_in, sigmas).open(AXES, clear)
    ways = []
    for axis, spans in zip(AXES, open_[place, sigmas], strict=True):
        start, stop = post.span(axis, reach, most_in)
        if start <= stop + 1e-9:
            ways += [(max(start, low), min(stop, high), axis) for low, high in spans]
    best, found = math.inf, None
    for low, high, axis in sorted(ways, key=lambda way: round(way[0], 3)):
        if low > min(high, best) + 1e-9:
            continue
        distance = post.least(axis, low, max(low, min(high, best)))
        if distance is not None and distance < best - FINE_IN:
            best, found = distance, (axis[0] * distance + 0.0, axis[1] * distance + 0.0)
    return found

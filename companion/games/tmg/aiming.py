"""The shortest legal shift that brings a target into range and sight (TMG-RNG-5, -6)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.shifting import Shifts, Spans
from companion.geometry.glimpse import Box, Eye
from companion.geometry.shift import AXES, Axis, range_span
from companion.geometry.trays import Floats, Ints, into_frame

FINE_IN = 0.0002
"""Distances are told so finely."""
PATIENCE = 50
"""After so many questions a search begins to tell them less finely."""

Shift = tuple[float, float]
"""Forward and to the left, inches."""


@dataclass(frozen=True, slots=True)
class Post:
    """A shooter and its target: what it sees after a shift, everything eased by some sigmas."""

    field: Battlefield
    place: int
    goal: int
    tray: Box
    eye: Eye
    sigmas: float
    nearest: float  # how far ahead of the front edge the target's nearest corner lies

    @classmethod
    def of(cls, field: Battlefield, place: int, goal: int, sigmas: float = 0.0) -> Post:
        """The shooter where it stands."""
        trays, ground = field.trays, field.blockers.ground
        tray = ground.boxes[place]
        eye = Eye(*tray.front, tray.cos, tray.sin, tray.wide, float(trays.tan_arc[place]))
        if sigmas:
            spread, turn = float(trays.spread[place]), float(trays.turn[place])
            eye = eye.eased(sigmas * spread, sigmas * turn)
        grown = ground.boxes[goal].seen_by(eye).grown(abs(sigmas) * ground.spread[goal])
        return cls(field, place, goal, tray, eye, sigmas, min(grown.corners())[0])

    def sees(self, shift: Shift) -> bool:
        """Whether the target is in sight after a shift."""
        exempt, freed = self.field.footing(self.tray.slid(*shift), shot=True)
        return self.look(self.eye.slid(*shift), exempt, freed)

    def may_see(self, axis: Axis, low: float, high: float) -> bool:
        """Whether the target can be in sight after a shift along an axis of some such length.

        All the front edges together are seen as one that is longer: aside it is as long as they
        reach; ahead, a line from any of them crosses the foremost's line within its arc. Where
        the target is not wholly beyond that line, they are seen from the hindmost's, without
        what reaches over the foremost's.
        """
        middle, half = (low + high) / 2, (high - low) / 2
        ahead, aside = axis[0] * middle, axis[1] * middle
        swept = self.tray.slid(ahead, aside)
        swept = swept._replace(
            deep=swept.deep + half * abs(axis[0]), wide=swept.wide + half * abs(axis[1])
        )
        exempt, freed = self.field.footing(swept, shot=True)
        eye = self.eye
        if axis[1]:
            eye = eye.slid(ahead, aside)._replace(wide=eye.wide + half)
            return self.look(eye, exempt, freed)
        eye = eye._replace(wide=eye.wide + 2 * half * eye.slope)
        if self.nearest >= ahead + half:
            return self.look(eye.slid(ahead + half, 0.0), exempt, freed)
        return self.look(eye.slid(ahead - half, 0.0), exempt, freed, 2 * half)

    def look(self, eye: Eye, exempt: list[bool], freed: bool, beyond: float = -math.inf) -> bool:
        """Whether the target is seen from there."""
        ground = self.field.blockers.ground
        return ground.look(eye, self.place, self.goal, exempt, freed, self.sigmas, beyond).seen

    def least(self, axis: Axis, low: float, high: float) -> float | None:
        """The least distance between two along an axis from which the target is seen.

        Spans from which it cannot be seen are left out, others halved. Where sight is lost by
        next to nothing all along, that would take long: then it is told less and less finely.
        """
        spans, asked = [(low, high, False)], 0
        while spans:
            start, stop, dark = spans.pop()
            asked += 1
            if not self.may_see(axis, start, stop):
                continue
            if not dark and self.sees((axis[0] * start, axis[1] * start)):
                return start
            if stop - start > FINE_IN * max(1.0, asked / PATIENCE):
                middle = (start + stop) / 2
                spans += [(middle, stop, False), (start, middle, True)]
        if high > low and self.sees((axis[0] * high, axis[1] * high)):
            return high
        return None


def shortest_shifts(
    field: Battlefield, place: Ints, goal: Ints, reach: Floats, most_in: float, sigmas: float
) -> Iterator[Shift | None]:
    """The shortest shift up to a length for each shooter (m,) to reach its target, or None.

    `sigmas` asks for more (negative) or less than what the measurement says.
    """
    clear = field.readings.near_pivot == "strict"  # OR-19
    open_: dict[int, list[Spans]] = {}
    low, high = range_spans(field, place, goal, reach + sigmas * field.gap_sigma[place, goal])
    for pair in zip(place.tolist(), goal.tolist(), low.tolist(), high.tolist(), strict=True):
        shooter, target, starts, stops = pair
        if shooter not in open_:
            open_[shooter] = Shifts(field, shooter, most_in).open(AXES, clear)
        ways = [
            (max(start, span[0]), min(stop, span[1]), axis)
            for start, stop, spans, axis in zip(starts, stops, open_[shooter], AXES, strict=True)
            for span in spans
        ]
        yield shortest(Post.of(field, shooter, target, sigmas), ways)


def shortest(post: Post, ways: list[tuple[float, float, Axis]]) -> Shift | None:
    """The shortest shift with the target in sight: from … to … along each axis are open."""
    best, found = math.inf, None
    for low, high, axis in sorted(ways, key=lambda way: way[0]):
        if low > min(high, best) + 1e-9:
            continue
        distance = post.least(axis, low, max(low, min(high, best)))
        if distance is not None and distance < best - FINE_IN:
            best, found = distance, (axis[0] * distance + 0.0, axis[1] * distance + 0.0)
    return found


def range_spans(
    field: Battlefield, place: Ints, goal: Ints, reach: Floats
) -> tuple[Floats, Floats]:
    """From which to which distance (m, 4) along each axis the target is within reach (m,)."""
    trays, axes = field.trays, np.array(AXES)
    rows, which = np.repeat(np.arange(len(place)), len(axes)), np.tile(axes, (len(place), 1))
    centre, forward = trays.centre[goal[rows]], trays.forward[goal[rows]]
    arrow = into_frame(centre, forward, trays.arrow[place[rows]][:, None])[:, 0]
    own, left = trays.forward[place[rows]], trays.left[place[rows]]
    step = which[:, :1] * own + which[:, 1:] * left
    turned = into_frame(np.zeros_like(centre), forward, step[:, None])[:, 0]
    low, high = range_span(arrow, turned, trays.half[goal[rows]], reach[rows])
    return np.maximum(low, 0.0).reshape(-1, len(axes)), high.reshape(-1, len(axes))

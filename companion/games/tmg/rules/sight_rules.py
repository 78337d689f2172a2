"""Line of sight (TMG-LOS-1..6) and the arc in which each unit stands (TMG-LOS-7, -8)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.report import ARCS, Zone
from companion.geometry.plane.answer import LIMIT_IN, SURE_SIGMAS, YES, Answer, no
from companion.geometry.plane.arcs import leverage, shares
from companion.geometry.plane.sight.los_query import LosQuery
from companion.geometry.plane.sight.los_scalar import LosResult
from companion.geometry.plane.sight.scalar_shapes import ConvexPart, OrientedRect, Spot, ViewEdge
from companion.geometry.plane.trays import Ints

TIE = 1e-9
"""Shares that differ by no more than this are tied."""
ANY_SLOPE = 1e6
"""The slope of the lines of an arc that leaves nothing out."""
BEHIND_TERRAIN = ("TMG-LOS-6", "TMG-TER-18")


@dataclass(frozen=True, eq=False)
class UnitSight:
    """One unit's line of sight to another, where it stands or after a pivot."""

    battlefield: Battlefield
    place: int
    goal: int
    shot: bool = False
    watches: dict[float, LosQuery] = field(default_factory=dict, repr=False)  # by sigmas
    pivots: dict[float, bool] = field(default_factory=dict, repr=False)  # by heading

    @cached_property
    def floor(self) -> list[ConvexPart]:
        """The terrain parts that may lie under it."""
        return self.battlefield.parts_about(self.place, 0.0)

    @property
    def tray(self) -> OrientedRect:
        """The unit's tray where it stands."""
        return self.battlefield.obstacles.boxes[self.place]

    def look(self, tray: OrientedRect | None = None, sigmas: float = 0.0) -> LosResult:
        """The line of sight from a tray, else from where the unit stands.

        `sigmas` shrinks every blocker and widens the target by that many standard deviations of
        each tray's corners; a negative value does the opposite. So yes at a negative value is
        certain, and so is no at a positive one.
        """
        field = self.battlefield
        if sigmas not in self.watches:
            self.watches[sigmas] = field.obstacles.watch(self.place, self.goal, sigmas)
        eye = field.eye(self.place, tray)
        if sigmas:
            spread, turn = field.trays.spread[self.place], field.trays.turn[self.place]
            eye = eye.eased(sigmas * float(spread), sigmas * float(turn))
        if tray is None:
            exempt, freed = field.standing(self.place, self.shot)
        else:
            exempt, freed = field.footing(tray, self.shot, self.floor)
        return self.watches[sigmas].look(eye, exempt, freed)

    def after(self, heading_rad: float) -> bool:
        """Whether the target is in line of sight after a pivot to that heading; cached."""
        if heading_rad not in self.pivots:
            hidden = False in self.pivots.values() and self.hidden
            self.pivots[heading_rad] = not hidden and self.look(self.tray.turned(heading_rad)).seen
        return self.pivots[heading_rad]

    @cached_property
    def hidden(self) -> bool:
        """Whether the target is certainly out of sight after any pivot.

        Every line of sight crosses an edge between the circle of the pivots and the target: if
        nothing is seen from there, nothing is seen from behind it.
        """
        field, tray = self.battlefield, self.tray
        goal, radius = field.obstacles.boxes[self.goal], field.obstacles.radius[self.place]
        heading = math.atan2(goal.y - tray.y, goal.x - tray.x)
        ahead = tray.turned(heading)._replace(deep=radius, wide=radius)
        corners = [ahead.inside(corner) for corner in goal.corners()]
        if min(corners)[0] <= radius:
            return False
        wide = max(radius, *(abs(y) for _, y in corners))
        edge = ViewEdge(*ahead.front, ahead.cos, ahead.sin, wide, ANY_SLOPE)
        exempt, _ = field.standing(self.place, self.shot)
        under = {part.piece for part in self.floor}
        exempt = [free or piece in under for piece, free in enumerate(exempt)]
        watch = field.obstacles.watch(self.place, self.goal)
        return not watch.look(edge, exempt).seen

    def answer(self, tray: OrientedRect | None = None) -> Answer:
        """Yes, no or unsure, with the rules by which it is blocked.

        With exact poses the answer is exact: a line that only touches a blocker is free (OR-5).
        """
        exact = self.battlefield.exact
        found = self.look(tray, 0.0 if exact else -SURE_SIGMAS)
        if found.seen:
            return YES
        answer = refusal(found.ahead, found.terrain, found.trays)
        if exact or not self.look(tray, SURE_SIGMAS).seen:
            return answer
        chance = self.battlefield.chance(lambda sigmas: self.look(tray, sigmas).seen)
        return Answer("unsure", answer.why, None, chance)


@cache
def refusal(ahead: bool, terrain: bool, trays: bool) -> Answer:
    """The answer no with its reason: outside the front arc, behind terrain, behind units."""
    if not ahead:
        return no("TMG-LOS-4")
    if terrain:
        return no("TMG-LOS-5", *BEHIND_TERRAIN) if trays else no(*BEHIND_TERRAIN)
    return no("TMG-LOS-5")


def zones(field: Battlefield, mover: Ints, target: Ints) -> list[Zone]:
    """The arc of its target in which each mover stands, by share of tray area (TMG-LOS-8, OR-6)."""
    trays, corners = field.trays, field.pairs.corners[target, mover]
    half, arcs, turns = trays.half[target], trays.tan_arc[target], trays.turn[target]
    spread = np.hypot(trays.spread[mover], trays.spread[target])
    rows = (corners, half, arcs, turns, spread)
    return [
        zone_of(spots, deep, wide, arc, turn, sigma)
        for spots, (deep, wide), arc, turn, sigma in zip(
            *(one.tolist() for one in rows), strict=True
        )
    ]


def zone_of(
    corners: list[Spot], deep: float, wide: float, tan_arc: float, turn: float, spread: float
) -> Zone:
    """The zone of one tray with its corners in the frame of another, with measurement errors."""
    share, margin = shares(corners, deep, wide, tan_arc)
    spare = LIMIT_IN
    if turn or spread:
        middle_x, middle_y = (sum(way) / 4 for way in zip(*corners, strict=True))
        spare = max(spare, SURE_SIGMAS * math.hypot(spread, turn * math.hypot(middle_x, middle_y)))
    best = max(share)
    if margin >= spare:
        return Zone(ARCS[share.index(best)], share, margin)
    behind = [best - part for part in share]
    lead = sorted(behind)[1]
    scale = margin / lead if lead > TIE else leverage(corners)
    reached, _ = shares(swollen(corners, spare), deep, wide, tan_arc)
    rows = zip(ARCS, behind, reached, strict=True)
    choices = (arc for arc, less, part in rows if part and less * scale < spare)
    return Zone("unsure", share, margin, tuple(choices))


def swollen(corners: list[Spot], by_in: float) -> list[Spot]:
    """The corners of a tray that is larger by this on all sides: all places it may stand at."""
    (x, y), (x1, y1), _, (x3, y3) = corners
    wide, deep = math.hypot(x1 - x, y1 - y), math.hypot(x3 - x, y3 - y)
    across = ((x1 - x) * by_in / wide, (y1 - y) * by_in / wide)
    along = ((x3 - x) * by_in / deep, (y3 - y) * by_in / deep)
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [
        (
            px + one * across[0] + two * along[0],
            py + one * across[1] + two * along[1],
        )
        for (px, py), (one, two) in zip(corners, signs, strict=True)
    ]

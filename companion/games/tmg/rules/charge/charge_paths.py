"""The paths of a charge: the free ones, and the shortest among obstacles; terrain on the way.

This is the only search for a path (TMG-CHG-4, TMG-CHG-13), before a heading is chosen. What a
chosen heading meets is measured by `charge_route`, what the dice make of it is `charge_move`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as kept
from typing import NamedTuple

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield, Pair
from companion.games.tmg.rules.movement.move_end import swing_of
from companion.games.tmg.rules.rulebook import (
    HARMS_CHARGE,
    HIDES,
    ROUGH_IN,
    SLOWS,
    STOPS,
    TERRAIN_KEYWORDS,
    farthest_in,
)
from companion.games.tmg.rules.sight_rules import UnitSight
from companion.geometry.plane.answer import SURE_SIGMAS
from companion.geometry.plane.motion.advance import AdvancePath, AdvanceQueries, FreeAdvance
from companion.geometry.plane.motion.obstacles import NearbyObstacles, Obstacle, Obstacles, Swing
from companion.geometry.plane.sight.los_query import LosObstacles, Other
from companion.geometry.plane.sight.scalar_shapes import ConvexPart, OrientedRect
from companion.geometry.plane.solids import TOUCH_IN


class ChargeStrip(NamedTuple):
    """A rectangle along a line from (x, y), to discard most obstacles by their bounding circles."""

    x: float
    y: float
    cos: float
    sin: float
    far: float
    wide: float  # to either side, and behind

    @classmethod
    def of(cls, ground: LosObstacles, mover: int, target: int) -> ChargeStrip:
        """The strip with all lines of sight and paths from one unit to another, at any pivot."""
        tray, goal, size = ground.boxes[mover], ground.boxes[target], ground.radius[target]
        x, y = goal.x - tray.x, goal.y - tray.y
        length, spare = math.hypot(x, y), 2 * SURE_SIGMAS * ground.spread[mover]
        wide = max(ground.radius[mover], size + 2 * tray.wide) + spare
        step = max(length, 1e-12)
        return cls(tray.x, tray.y, x / step, y / step, max(length + size, wide), wide)

    def trays(self, things: Iterable[Other]) -> list[Other]:
        """The trays that may reach into it."""
        may_hold = self.may_hold
        return [one for one in things if may_hold(one[0].x, one[0].y, one[1])]

    def parts(self, parts: Iterable[ConvexPart]) -> list[ConvexPart]:
        """The terrain parts that may reach into it."""
        return [part for part in parts if self.may_hold(part.x, part.y, part.radius)]

    def may_hold(self, x: float, y: float, radius: float) -> bool:
        """Whether a bounding circle reaches into it."""
        from_x, from_y, cos, sin, far, wide = self
        dx, dy, reach = x - from_x, y - from_y, wide + radius
        return abs(dy * cos - dx * sin) <= reach and -reach <= dx * cos + dy * sin <= far + radius


def crossed(
    field: Battlefield, place: int, path: AdvancePath, parts: Iterable[ConvexPart]
) -> list[ConvexPart]:
    """The parts a unit's charge crosses (OR-24)."""
    tray = field.obstacles.boxes[place].turned(path.heading_rad)
    way = tray.swept(max(path.travel_in, 0.0))
    return [part for part in parts if part.lies_under(way)]


def penalty(field: Battlefield, parts: Iterable[ConvexPart]) -> float:
    """The penalty of crossing these parts, to choose between equally short paths."""
    words = (field.table.terrain[part.piece].keywords for part in parts)
    return sum(TERRAIN_KEYWORDS[word].penalty for some in words for word in some)


def effects(field: Battlefield, place: int, parts: Iterable[ConvexPart]) -> tuple[str, ...]:
    """The effects on a unit's charge of crossing these parts (OR-24)."""
    words = set[str]()
    for part in parts:
        piece, leaving = field.table.terrain[part.piece], bool(field.on_piece[place, part.piece])
        words |= field.edition.charge_effects(piece.keywords, leaving)
    if field.on_rough[place]:
        words |= SLOWS
    return tuple(sorted(words))


NO_WORDS = frozenset[str]()


class FreeRoute(NamedTuple):
    """The free path after one of its two pivots."""

    heading: float
    clear: bool = False  # nothing blocks or slows it, whatever the measurement error
    screened: bool = False  # something may block line of sight after this pivot
    under: Sequence[ConvexPart] = ()  # the terrain that lies, or may lie, on it


class Approach(NamedTuple):
    """A charge before line of sight is tested."""

    pair: Pair
    free: FreeAdvance
    slow: bool  # the unit starts on Rough ground (TMG-TER-17)
    ways: list[FreeRoute]

    @classmethod
    def of(
        cls,
        field: Battlefield,
        pair: Pair,
        free: FreeAdvance,
        walled: Callable[[int, float], bool],
    ) -> Approach:
        """What lies on a unit's free paths; `walled` says whether it cannot turn to a heading."""
        mover, ground, ways = pair[0], field.obstacles, list(map(FreeRoute, free.heading))
        slow = bool(field.on_rough[mover])
        if free.travel < 0 or (slow and field.readings.rough == "each"):
            return cls(pair, free, slow, ways)
        # a unit that starts on Rough ground pays for it on every path, and nothing more
        stopping = STOPS if slow else STOPS | SLOWS
        trays, parts = beside(field, pair)
        enemy, over = field.opponents[mover], field.edition.pivot_over_friends
        foes = [other for other, _, place in trays if place in enemy]
        friends = [other for other, _, place in trays if place not in enemy]
        box = ground.boxes[mover].grown(SURE_SIGMAS * ground.spread[mover] - TOUCH_IN)
        for side, heading in enumerate(free.heading):
            tray = box.turned(heading)
            way = tray.swept(free.travel)
            if any(map(way.meets, foes)):
                continue
            under = [part for part in parts if part.lies_under(way)]
            words = words_of(field, under)
            clear = words.isdisjoint(stopping) and not (
                (not over and any(map(tray.meets, friends))) or walled(mover, heading)
            )
            screened = clear and (bool(words & HIDES) or any(map(way.meets, friends)))
            ways[side] = FreeRoute(heading, clear, screened, under)
        return cls(pair, free, slow, ways)

    def path(self, way: FreeRoute) -> AdvancePath:
        """The advance along one of its free paths."""
        travel = self.free.travel
        return AdvancePath(way.heading, travel, travel + ROUGH_IN * self.slow)

    def crossed(self, field: Battlefield, way: FreeRoute) -> Sequence[ConvexPart]:
        """The terrain the path crosses at the measured poses."""
        return way.under if field.exact else crossed(field, self.pair[0], self.path(way), way.under)


def words_of(field: Battlefield, parts: Iterable[ConvexPart]) -> frozenset[str]:
    """The keywords of these parts."""
    terrain = field.table.terrain
    return NO_WORDS.union(*(terrain[part.piece].keywords for part in parts))


def beside(field: Battlefield, pair: Pair) -> tuple[list[Other], list[ConvexPart]]:
    """Broad phase: what may lie on a free path: trays as large as they may be, and terrain."""
    strip = ChargeStrip.of(field.obstacles, *pair)
    trays = strip.trays(field.obstacles.eased(0.0 if field.exact else -SURE_SIGMAS))
    return [other for other in trays if other[2] not in pair], strip.parts(field.parts)


IN_THE_WAY = STOPS | SLOWS | HARMS_CHARGE
"""Keywords of pieces that block or slow a charge, or that break ties between paths."""


AT_ONCE = 24
"""The paths searched together: enough to be fast, few enough to have alike numbers of obstacles."""


@dataclass(frozen=True, slots=True)
class FoundRoute:
    """The best path, and the probability that it is open given the measurement error."""

    best: AdvancePath | None
    likely: float = 1.0
    walled: bool = False  # there is a path, but the tray cannot turn to it (TMG-TER-16)


UNSEARCHED = FoundRoute(None, 0.5)
"""On a table far more crowded than any game only the nearest pairs are searched."""
MOST_WORK = 4_000_000
"""The sum of the squared numbers of corners about each charge: pivots to each meet all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class ChargePaths:
    """The paths of pairs among obstacles."""

    field: Battlefield
    pairs: Sequence[Pair]
    doubted: bool = True  # whether it may close a path: not for charges that nobody may make
    unseen: Collection[Pair] = ()  # pairs of which the target may be hidden whatever the pivot
    sights: dict[int, UnitSight] = kept(default_factory=dict)  # cache by row
    nearby: dict[tuple[int, float], ChargeObstacles] = kept(default_factory=dict)  # by row, sigmas

    def walled_in(self, place: int, heading: float) -> bool:
        """Whether an Impassable piece prevents a unit from turning to a heading (TMG-TER-16)."""
        swing = self.swing(place, 0.0 if self.field.exact else -SURE_SIGMAS)
        return swing.bars_turn(heading)

    def swing(self, place: int, sigmas: float) -> Swing:
        """How far a unit may turn, its tray shrunk by this many sigmas."""
        return swing_of(self.field, place, -sigmas * self.field.obstacles.spread[place])

    def solve(self, rows: list[int]) -> dict[int, FoundRoute]:
        """The shortest paths of these pairs, the most important first, among obstacles.

        They are unsure where the measurement error matters.
        """
        doubted = self.doubted and not self.field.exact
        levels = (0.0, -SURE_SIGMAS, SURE_SIGMAS) if doubted else (0.0,)
        searches = 1 if self.field.exact else 5 if doubted else 2
        told = {
            row: FoundRoute(None)
            for row in rows
            if self.pairs[row] in self.unseen and self.sight(row).hidden
        }
        rows = [row for row in rows if row not in told]
        told |= dict.fromkeys(rows, UNSEARCHED)
        rows = self.affordable(rows, MOST_WORK // searches)
        solved = [self.routes(rows, sigmas) for sigmas in levels]
        for row in rows:
            found, *others = (one[row] for one in solved)
            told[row] = (self.doubt(row, found, *others) if others else None) or found
        if not (self.doubted or self.field.exact):
            # trays that touch seem to overlap: paths that only the measurement error closes
            closed = [row for row in rows if told[row].best is None]
            eased = self.routes(closed, SURE_SIGMAS)
            told |= {row: replace(found, likely=0.5) for row, found in eased.items() if found.best}
        return told

    def affordable(self, rows: Iterable[int], left: int) -> list[int]:
        """As many of these pairs, in their order, as may be searched with this much work."""
        found: list[int] = []
        for row in rows:
            left -= self.obstacles(row, 0.0).corners ** 2
            if left < 0:
                break
            found.append(row)
        return found

    def obstacles(self, row: int, sigmas: float) -> ChargeObstacles:
        """The obstacles of a pair, shrunk by this many sigmas; cached."""
        if (row, sigmas) not in self.nearby:
            self.nearby[row, sigmas] = obstacles(self.field, self.pairs[row], sigmas)
        return self.nearby[row, sigmas]

    def routes(self, rows: list[int], sigmas: float) -> dict[int, FoundRoute]:
        """The best paths with obstacles shrunk by this many sigmas, those among equally many
        obstacles together: arrays are as large as the largest of a group needs.
        """
        about = {row: self.obstacles(row, sigmas) for row in rows}
        ordered = sorted(rows, key=lambda row: about[row].corners)
        found: dict[int, FoundRoute] = {}
        for start in range(0, len(rows), AT_ONCE):
            some = ordered[start : start + AT_ONCE]
            solved = self.ways({row: about[row] for row in some}, sigmas).solve()
            walled = solved.walled.tolist()
            found |= {
                row: FoundRoute(path, walled=shut)
                for row, path, shut in zip(some, solved.paths, walled, strict=True)
            }
        return found

    def doubt(
        self, row: int, found: FoundRoute, against: FoundRoute, favoured: FoundRoute
    ) -> FoundRoute | None:
        """The path where it depends on the measurement error; None if it is certain.

        The others are the best paths with everything shifted against it, and in its favour.
        """
        place, path, tight, loose = self.pairs[row][0], found.best, against.best, favoured.best
        limit = farthest_in(self.field.units[place].speed)
        if loose is not None and (path is None or loose.total_in <= limit < path.total_in):
            return FoundRoute(loose, self.open_chance(row))  # a gap that may be wide enough
        grown = SURE_SIGMAS * self.field.obstacles.spread[place]
        if (
            path is not None
            and path.total_in <= limit
            and (tight is None or tight.total_in + grown > limit)
        ):
            # the enlarged tray's front is this much nearer
            return FoundRoute(path, self.open_chance(row), found.walled)
        return None

    def open_chance(self, row: int) -> float:
        """The probability that a path is open that depends on the measurement error."""
        place = self.pairs[row][0]
        limit = farthest_in(self.field.units[place].speed)
        spread = self.field.obstacles.spread[place]

        def found(sigmas: float) -> bool:
            path = self.routes([row], sigmas)[row].best
            return path is not None and path.total_in + max(-sigmas, 0.0) * spread <= limit

        return self.field.chance(found)

    def ways(self, about: dict[int, ChargeObstacles], sigmas: float) -> AdvanceQueries:
        """The path queries of these rows among obstacles shrunk by this many sigmas."""
        field, rows, screened = self.field, list(about), [one.screened for one in about.values()]

        def in_sight(number: int, heading: float) -> bool:
            return not screened[number] or self.still_sees(rows[number], heading)

        ground, places = field.obstacles, [self.pairs[row][0] for row in rows]
        movers = [(ground.boxes[place], sigmas * ground.spread[place]) for place in places]
        swings = enumerate(self.swing(place, sigmas) for place in places)
        return AdvanceQueries(
            np.array([(box.x, box.y) for box, _ in movers]),
            np.array([(max(box.deep - by, 1e-3), max(box.wide - by, 1e-3)) for box, by in movers]),
            Obstacles.of([one.nearby for one in about.values()]),
            ROUGH_IN,
            field.on_rough[places],
            in_sight,
            np.array([math.atan2(box.sin, box.cos) for box, _ in movers]),
            # under one reading each piece is paid for (OR-26)
            field.on_piece[places] & field.having(*SLOWS)
            if field.readings.rough == "each"
            else None,
            {number: swing for number, swing in swings if not swing.free},
        )

    def still_sees(self, row: int, heading: float) -> bool:
        """Whether the target is in line of sight after one pivot (TMG-CHG-9)."""
        return self.sight(row).after(heading)

    def sight(self, row: int) -> UnitSight:
        if row not in self.sights:
            self.sights[row] = UnitSight(self.field, *self.pairs[row])
        return self.sights[row]


class ChargeObstacles(NamedTuple):
    """The obstacles of one charge, and whether they may block line of sight after a pivot."""

    nearby: NearbyObstacles
    screened: bool

    @property
    def corners(self) -> int:
        """The number of corners: pivots are tried at each of them, against each of them."""
        target, *kinds = self.nearby
        return len(target) + sum(len(one.corners) for kind in kinds for one in kind)


def obstacles(field: Battlefield, pair: Pair, sigmas: float) -> ChargeObstacles:
    """The obstacles of one pair, trays shrunk by some sigmas.

    Friends and sight-blocking terrain may hide the target after a pivot. Other enemies and
    impassable parts stop a charge (TMG-CHG-13), the first pivot may not end over friends though the
    move may pass them (TMG-MOV-4), Rough parts slow it.
    """
    ground, over = field.obstacles, field.edition.pivot_over_friends
    strip, enemy = ChargeStrip.of(ground, *pair), field.enemies[pair[0]].tolist()
    stops, bars, screened = [], [], False
    for box, _, place in strip.trays(ground.eased(sigmas)):
        if place in pair:
            continue
        if enemy[place]:
            stops.append(Obstacle(solid(box).corners()))
            continue
        screened = True
        if not over:
            bars.append(Obstacle(solid(box).corners()))
    pays = field.readings.rough == "each" or not field.on_rough[pair[0]]  # else it has paid already
    slows: list[Obstacle] = []
    minded: list[Obstacle] = []
    for part in strip.parts(field.parts):
        words = field.table.terrain[part.piece].keywords
        screened = screened or bool(words & HIDES)
        if words.isdisjoint(IN_THE_WAY):
            continue
        weight = penalty(field, [part])
        one = Obstacle(part.corners, piece=part.piece, weight=weight)
        if words & STOPS:
            stops.append(one)
        if pays and words & SLOWS:
            slows.append(one)
        elif weight:
            minded.append(one)
    nearby = NearbyObstacles(ground.boxes[pair[1]].corners(), stops, bars, slows, minded)
    return ChargeObstacles(nearby, screened)


def solid(box: OrientedRect) -> OrientedRect:
    """A rectangle whose half sizes are positive even after shrinking."""
    if box.deep > 0 < box.wide:
        return box
    return box._replace(deep=max(box.deep, 1e-6), wide=max(box.wide, 1e-6))

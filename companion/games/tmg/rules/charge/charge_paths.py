"""The paths of charges among obstacles: blocked, hidden, turned away or slowed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as kept

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.broadphase import PivotCorridor
from companion.games.tmg.rules.charge.search_trace import FoundRoute, Pair
from companion.games.tmg.rules.charge.terrain_effects import MINDED, part_minded
from companion.games.tmg.rules.distances import ROUGH_IN
from companion.games.tmg.rules.movement.pivots import swing_of
from companion.games.tmg.rules.sight_rules import looks_of
from companion.geometry.plane.answer import SURE_SIGMAS, eased_chance
from companion.geometry.plane.motion.advance import AdvancePath, AdvanceQueries
from companion.geometry.plane.motion.blocked_headings import shut
from companion.geometry.plane.motion.obstacles import NearbyObstacles, Obstacle, Obstacles
from companion.geometry.plane.motion.swing import Swing
from companion.geometry.plane.sight.line_of_sight import SightQueries
from companion.geometry.plane.sight.los_query import LosQuery
from companion.geometry.plane.sight.scalar_shapes import ConvexPart, OrientedRect, Spot
from companion.geometry.plane.trays import Bools, Floats, Ints

HIGHEST_ROLL = 6
"""TMG-CHG-4: Speed + the highest die result."""
IN_THE_WAY = ("impassable", "rough", *MINDED)
"""Keywords of pieces that block or slow a charge, or that break ties between paths."""


@dataclass(frozen=True, slots=True, eq=False)
class PathQuery:
    """A unit's line of sight to another after various pivots (TMG-CHG-9)."""

    field: Battlefield
    place: int
    watch: LosQuery
    floor: list[ConvexPart]  # the terrain parts that may lie under it

    @classmethod
    def of(cls, field: Battlefield, place: int, goal: int) -> PathQuery:
        """The query for a unit where it stands."""
        watch = field.blockers.ground.watch(place, goal, 0.0)
        return cls(field, place, watch, field.parts_about(place, 0.0))

    def after(self, heading: float) -> bool:
        """Whether it has line of sight to the target with that heading."""
        tray = self.field.blockers.ground.boxes[self.place].turned(heading)
        exempt, _ = self.field.footing(tray, False, self.floor)
        return self.watch.look(self.field.eye(self.place, tray), exempt).seen


@dataclass(frozen=True, slots=True, eq=False)
class ChargePaths:
    """The paths of pairs among obstacles."""

    field: Battlefield
    pairs: Sequence[Pair]
    doubted: bool = True  # whether the measurement error counts: not for charges nobody may make
    glances: dict[int, PathQuery] = kept(default_factory=dict)  # cache by row

    def find(self, rows: Iterable[int]) -> dict[int, FoundRoute]:
        """The shortest paths of these pairs, whose free paths are blocked."""
        found, hard = dict[int, FoundRoute](), []
        for row in rows:
            if is_shut(self.field, *self.pairs[row]):
                found[row] = FoundRoute(None)
            else:
                hard.append(row)
        return found | self.solve(hard) if hard else found

    def walled_in(self, place: int, heading: float) -> bool:
        """Whether an Impassable piece prevents a unit from turning to a heading (TMG-TER-16)."""
        swing = self.swing(place, 0.0 if self.field.exact else -SURE_SIGMAS)
        return swing.bars_turn(heading)

    def swing(self, place: int, sigmas: float) -> Swing:
        """How far a unit may turn, its tray shrunk by this many sigmas."""
        return swing_of(self.field, place, -sigmas * self.field.blockers.ground.spread[place])

    def solve(self, hard: list[int]) -> dict[int, FoundRoute]:
        """The shortest paths among obstacles, unsure where the measurement error matters."""
        doubted = self.doubted and not self.field.exact
        levels = (0.0, -SURE_SIGMAS, SURE_SIGMAS) if doubted else (0.0,)
        solved = [self.ways(hard, sigmas).solve() for sigmas in levels]
        told = {}
        for number, row in enumerate(hard):
            path, *others = (one.paths[number] for one in solved)
            found = FoundRoute(path, walled=bool(solved[0].walled[number]))
            told[row] = (self.doubt(row, found, *others) if others else None) or found
        return told

    def doubt(
        self, row: int, found: FoundRoute, tight: AdvancePath | None, loose: AdvancePath | None
    ) -> FoundRoute | None:
        """The path where it depends on the measurement error; None if it is certain.

        `tight` is the best path with everything shifted against it, `loose` with everything in its
        favour.
        """
        place, path = self.pairs[row][0], found.best
        limit = self.field.units[place].speed + HIGHEST_ROLL
        if loose is not None and (path is None or loose.total_in <= limit < path.total_in):
            return FoundRoute(loose, self.likely(row))  # a gap that may be wide enough
        grown = SURE_SIGMAS * self.field.blockers.ground.spread[place]
        if (
            path is not None
            and path.total_in <= limit
            and (tight is None or tight.total_in + grown > limit)
        ):
            # the enlarged tray's front is this much nearer
            return FoundRoute(path, self.likely(row), found.walled)
        return None

    def likely(self, row: int) -> float:
        """The probability that a path is open that depends on the measurement error."""
        place = self.pairs[row][0]
        limit = self.field.units[place].speed + HIGHEST_ROLL
        spread = self.field.blockers.ground.spread[place]

        def found(sigmas: float) -> bool:
            (path,) = self.ways([row], sigmas).shortest()
            return path is not None and path.total_in + max(-sigmas, 0.0) * spread <= limit

        return eased_chance(found)

    def ways(self, rows: list[int], sigmas: float) -> AdvanceQueries:
        """The path queries of these pairs, with obstacles shrunk by this many sigmas."""
        field, pairs = self.field, [self.pairs[row] for row in rows]
        about, screened = zip(*(obstacles(field, pair, sigmas) for pair in pairs), strict=True)

        def in_sight(asked: Ints, headings: Floats) -> Bools:
            told = list(zip(asked.tolist(), headings.tolist(), strict=True))
            seen = np.array([not screened[number] for number, _ in told], dtype=bool)
            rest = np.flatnonzero(~seen).tolist()
            if rest:
                seen[rest] = self.in_sight([(rows[told[one][0]], told[one][1]) for one in rest])
            return seen

        ground, places = field.blockers.ground, [place for place, _ in pairs]
        movers = [(ground.boxes[place], sigmas * ground.spread[place]) for place in places]
        swings = enumerate(self.swing(place, sigmas) for place in places)
        return AdvanceQueries(
            np.array([(box.x, box.y) for box, _ in movers]),
            np.array([(max(box.deep - by, 1e-3), max(box.wide - by, 1e-3)) for box, by in movers]),
            Obstacles.of(about),
            ROUGH_IN,
            field.on_rough[places],
            in_sight,
            np.array([math.atan2(box.sin, box.cos) for box, _ in movers]),
            # under one reading each piece is paid for (OR-26)
            field.on_piece[places] & field.having("rough")
            if field.readings.rough == "each"
            else None,
            {number: swing for number, swing in swings if not swing.free},
        )

    def in_sight(self, asked: Sequence[tuple[int, float]]) -> list[bool]:
        """Whether the targets of pairs are in line of sight after these pivots (TMG-CHG-9)."""
        return [self.still_sees(*one) for one in asked]

    def looks(self, asked: Sequence[tuple[int, float]]) -> SightQueries:
        """The same as line-of-sight queries, for a batch."""
        pairs = [self.pairs[row] for row, _ in asked]
        place, goal = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        headings = np.array([heading for _, heading in asked], dtype=float)
        return looks_of(self.field, place, goal, self.field.trays.take(place).turned(headings))

    def still_sees(self, row: int, heading: float) -> bool:
        """Whether the target is in line of sight after one pivot; cached by row."""
        if row not in self.glances:
            self.glances[row] = PathQuery.of(self.field, *self.pairs[row])
        return self.glances[row].after(heading)


def obstacles(field: Battlefield, pair: Pair, sigmas: float) -> tuple[NearbyObstacles, bool]:
    """The obstacles of one pair, trays shrunk by some sigmas, and whether sight may be blocked.

    Friends and sight-blocking terrain may hide the target after a pivot. Other enemies and
    impassable parts stop a charge (TMG-CHG-13), the first pivot may not end over friends though the
    move may pass them (TMG-MOV-4), Rough parts slow it.
    """
    ground, over = field.blockers.ground, field.edition.pivot_over_friends
    corridor, enemy = PivotCorridor.of(ground, *pair), field.enemies[pair[0]].tolist()
    stops, bars, screened, strip = [], [], False, corridor.strip
    for thing in strip.trays(ground.eased(sigmas)):
        box, _, place = thing
        if place in pair:
            continue
        if enemy[place]:
            if corridor.ahead(thing):
                stops.append(Obstacle(solid(box).corners()))
            continue
        screened = screened or corridor.between(thing)
        if not over and corridor.under(thing):
            bars.append(Obstacle(solid(box).corners()))
    pays = field.readings.rough == "each" or not field.on_rough[pair[0]]  # else it has paid already
    slows: list[Obstacle] = []
    minded: list[Obstacle] = []
    for part in strip.parts(field.parts):
        words = field.table.terrain[part.piece].keywords
        if "blocks-line-of-sight" in words:
            screened = screened or corridor.hidden_by(part)
        if words.isdisjoint(IN_THE_WAY) or not corridor.crosses(part):
            continue
        weight = part_minded(field, part)
        one = Obstacle(part.corners, piece=part.piece, weight=weight)
        if "impassable" in words:
            stops.append(one)
        if pays and "rough" in words:
            slows.append(one)
        elif weight:
            minded.append(one)
    return NearbyObstacles(ground.boxes[pair[1]].corners(), stops, bars, slows, minded), screened


def solid(box: OrientedRect) -> OrientedRect:
    """A rectangle whose half sizes are positive even after shrinking."""
    if box.deep > 0 < box.wide:
        return box
    return box._replace(deep=max(box.deep, 1e-6), wide=max(box.wide, 1e-6))


def is_shut(field: Battlefield, place: int, goal: int) -> bool:
    """Whether something blocks a charge at every pivot, whatever the measurement error."""
    ground, (x, y, *_) = field.blockers.ground, field.blockers.ground.boxes[place]
    mover, target, trays = ground.boxes[place], ground.boxes[goal], ground.eased(SURE_SIGMAS)
    far, nearest = math.hypot(target.x - x, target.y - y), target.away_from((x, y))
    stops: list[Sequence[Spot]] = []
    for other in field.opponents[place]:
        tray, radius, _ = trays[other]
        away = math.hypot(tray.x - x, tray.y - y)
        if away < far and away - radius < nearest and tray.deep > 0 < tray.wide and other != goal:
            stops.append(tray.corners())
    stops += [
        part.corners
        for part in field.parts_with("impassable")
        if math.hypot(part.x - x, part.y - y) - part.radius < nearest
    ]
    mover = solid(mover.grown(-SURE_SIGMAS * ground.spread[place]))
    return bool(stops) and shut(mover, target, stops)

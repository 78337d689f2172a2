"""Searches the shortest charge among obstacles, over all pivots: blocked, hidden, turned or slowed.

This is the only search for a path (TMG-CHG-4, TMG-CHG-13), before a heading is chosen. What a
chosen heading meets is measured by `charge_route`, what the dice make of it is `charge_move`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as kept

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield, Pair
from companion.games.tmg.rules.charge.broadphase import ChargeStrip
from companion.games.tmg.rules.charge.terrain_effects import penalty
from companion.games.tmg.rules.distances import HIGHEST_ROLL, ROUGH_IN
from companion.games.tmg.rules.movement.pivots import swing_of
from companion.games.tmg.rules.sight_rules import UnitSight
from companion.games.tmg.rules.terrain_keywords import HARMS_CHARGE, HIDES, SLOWS, STOPS
from companion.geometry.plane.answer import SURE_SIGMAS, eased_chance
from companion.geometry.plane.motion.advance import AdvancePath, AdvanceQueries
from companion.geometry.plane.motion.obstacles import NearbyObstacles, Obstacle, Obstacles
from companion.geometry.plane.motion.swing import Swing
from companion.geometry.plane.sight.scalar_shapes import OrientedRect
from companion.geometry.plane.trays import Bools, Floats, Ints

IN_THE_WAY = STOPS | SLOWS | HARMS_CHARGE
"""Keywords of pieces that block or slow a charge, or that break ties between paths."""


@dataclass(frozen=True, slots=True)
class FoundRoute:
    """The best path, and the probability that it is open given the measurement error."""

    best: AdvancePath | None
    likely: float = 1.0
    walled: bool = False  # there is a path, but the tray cannot turn to it (TMG-TER-16)


@dataclass(frozen=True, slots=True, eq=False)
class ChargePaths:
    """The paths of pairs among obstacles."""

    field: Battlefield
    pairs: Sequence[Pair]
    doubted: bool = True  # whether it may close a path: not for charges that nobody may make
    sights: dict[int, UnitSight] = kept(default_factory=dict)  # cache by row

    def walled_in(self, place: int, heading: float) -> bool:
        """Whether an Impassable piece prevents a unit from turning to a heading (TMG-TER-16)."""
        swing = self.swing(place, 0.0 if self.field.exact else -SURE_SIGMAS)
        return swing.bars_turn(heading)

    def swing(self, place: int, sigmas: float) -> Swing:
        """How far a unit may turn, its tray shrunk by this many sigmas."""
        return swing_of(self.field, place, -sigmas * self.field.obstacles.spread[place])

    def solve(self, rows: list[int]) -> dict[int, FoundRoute]:
        """The shortest paths among obstacles, unsure where the measurement error matters."""
        doubted = self.doubted and not self.field.exact
        levels = (0.0, -SURE_SIGMAS, SURE_SIGMAS) if doubted else (0.0,)
        solved = [self.ways(rows, sigmas).solve() for sigmas in levels]
        told = {}
        for number, row in enumerate(rows):
            path, *others = (one.paths[number] for one in solved)
            found = FoundRoute(path, walled=bool(solved[0].walled[number]))
            told[row] = (self.doubt(row, found, *others) if others else None) or found
        if not (self.doubted or self.field.exact):
            self.ease([row for row, found in told.items() if found.best is None], told)
        return told

    def ease(self, rows: list[int], told: dict[int, FoundRoute]) -> None:
        """Find paths that only the measurement error closes: trays that touch seem to overlap."""
        if not rows:
            return
        paths = self.ways(rows, SURE_SIGMAS).solve().paths
        told |= {
            row: FoundRoute(path, self.likely(row))
            for row, path in zip(rows, paths, strict=True)
            if path is not None
        }

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
        grown = SURE_SIGMAS * self.field.obstacles.spread[place]
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
        spread = self.field.obstacles.spread[place]

        def found(sigmas: float) -> bool:
            (path,) = self.ways([row], sigmas).shortest()
            return path is not None and path.total_in + max(-sigmas, 0.0) * spread <= limit

        return eased_chance(found)

    def ways(self, rows: list[int], sigmas: float) -> AdvanceQueries:
        """The path queries of these pairs, with obstacles shrunk by this many sigmas."""
        field, pairs = self.field, [self.pairs[row] for row in rows]
        about, screened = zip(*(obstacles(field, pair, sigmas) for pair in pairs), strict=True)

        def in_sight(asked: Ints, headings: Floats) -> Bools:
            told = zip(asked.tolist(), headings.tolist(), strict=True)
            return np.array(
                [not screened[row] or self.still_sees(rows[row], heading) for row, heading in told],
                dtype=bool,
            )

        ground, places = field.obstacles, [place for place, _ in pairs]
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
            field.on_piece[places] & field.having(*SLOWS)
            if field.readings.rough == "each"
            else None,
            {number: swing for number, swing in swings if not swing.free},
        )

    def still_sees(self, row: int, heading: float) -> bool:
        """Whether the target is in line of sight after one pivot (TMG-CHG-9)."""
        if row not in self.sights:
            self.sights[row] = UnitSight(self.field, *self.pairs[row])
        return self.sights[row].after(heading)


def obstacles(field: Battlefield, pair: Pair, sigmas: float) -> tuple[NearbyObstacles, bool]:
    """The obstacles of one pair, trays shrunk by some sigmas, and whether sight may be blocked.

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
    return NearbyObstacles(ground.boxes[pair[1]].corners(), stops, bars, slows, minded), screened


def solid(box: OrientedRect) -> OrientedRect:
    """A rectangle whose half sizes are positive even after shrinking."""
    if box.deep > 0 < box.wide:
        return box
    return box._replace(deep=max(box.deep, 1e-6), wide=max(box.wide, 1e-6))

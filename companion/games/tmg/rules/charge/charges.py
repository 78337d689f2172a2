"""Charges: line of sight, room to align, reach and path (TMG-CHG-1..18), for many pairs at once."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.games.tmg.rules.battlefield import Battlefield, Pair
from companion.games.tmg.rules.charge.charge_paths import (
    UNSEARCHED,
    Approach,
    ChargePaths,
    FoundRoute,
    FreeRoute,
    crossed,
    effects,
    penalty,
)
from companion.games.tmg.rules.combat.dice import charge_chance, needed_roll
from companion.games.tmg.rules.report import Charge, Zone
from companion.games.tmg.rules.rulebook import HIGHEST_ROLL, farthest_in
from companion.games.tmg.rules.tray_contact import NOTHING, Alignment, shared_effects
from companion.geometry.plane.answer import SURE_SIGMAS, Answer, both, judge, no
from companion.geometry.plane.motion.advance import FreeAdvance, free_advance
from companion.geometry.plane.sight.scalar_shapes import ConvexPart

UNSEEN = no("TMG-CHG-2")


class ChargeRun(NamedTuple):
    """The path by which one unit would charge another, before all other criteria."""

    answer: Answer
    distance_in: float | None
    sigma_in: float = 0.0
    heading: float | None = None
    effects: tuple[str, ...] = ()
    sought: bool = True  # obstacles were considered; out of reach they are not


@dataclass(frozen=True, slots=True, eq=False)
class ChargeQueries:
    """The charges of pairs before line of sight is tested: their free paths and obstacles."""

    field: Battlefield
    pairs: Sequence[Pair]
    free: list[FreeAdvance]
    near: dict[int, Approach]  # of the pairs in reach, or perhaps in reach
    paths: ChargePaths

    @classmethod
    def of(
        cls,
        field: Battlefield,
        pairs: Sequence[Pair],
        every: bool = False,
        unseen: Collection[Pair] = (),
    ) -> ChargeQueries:
        """The queries of these pairs.

        Obstacles are considered for pairs in reach whose mover is not engaged; with `every` for all
        pairs, as measured: then nothing depends on the path any more.
        """
        ground, paths = field.obstacles, ChargePaths(field, pairs, not every, unseen)
        boxes, reach = ground.boxes, field.charge_reach.tolist()
        free = [free_advance(boxes[mover], boxes[target]) for mover, target in pairs]
        near = {
            row: Approach.of(field, pair, free[row], paths.walled_in)
            for row, pair in enumerate(pairs)
            if every or reach[pair[0]][pair[1]]
        }
        return cls(field, pairs, free, near, paths)

    def runs(self, hopeless: Sequence[bool]) -> list[ChargeRun]:
        """Reach and path of these pairs.

        For `hopeless` pairs no path among obstacles is searched: a unit that is engaged or has no
        line of sight may not charge anyway.
        """
        open_ = {row: self.open_ways(row, one, hopeless[row]) for row, one in self.near.items()}
        blocked = [row for row, ways in open_.items() if not ways and not hopeless[row]]
        blocked.sort(key=lambda row: self.free[row].travel)
        found = self.paths.solve(blocked) if blocked else {}
        return [
            self.run(row, hopeless[row], open_[row], found.get(row))
            if row in open_
            else self.far_run(row)
            for row in range(len(self.pairs))
        ]

    def open_ways(self, row: int, one: Approach, hopeless: bool) -> list[FreeRoute]:
        """The free paths that are open, with line of sight after their pivots (TMG-CHG-9)."""
        return [
            way
            for way in one.ways
            if way.clear
            and (hopeless or not way.screened or self.paths.still_sees(row, way.heading))
        ]

    def run(
        self, row: int, hopeless: bool, ways: list[FreeRoute], found: FoundRoute | None
    ) -> ChargeRun:
        """The run of a pair in reach: on a free path, or on the path found among obstacles."""
        field, one = self.field, self.near[row]
        (place, target), searched = one.pair, found is not None
        sought, best = not hopeless, found and found.best
        ground: Sequence[ConvexPart] = ()
        if ways:  # of equally short paths the one with less harmful terrain
            grounds = [one.crossed(field, way) for way in ways]
            weights = [penalty(field, parts) for parts in grounds]
            side = weights.index(min(weights))
            best, ground = one.path(ways[side]), grounds[side]
        elif best:
            ground = crossed(field, place, best, field.parts)
        if not best:
            if found is UNSEARCHED:
                answer = Answer("unsure", field.edition.no_path, None, found.likely)
                return ChargeRun(answer, None, sought=sought)
            walls = ("TMG-TER-16",) if found and found.walled else ()
            answer = no(*field.edition.no_path, *walls) if searched else no()
            return ChargeRun(answer, None, sought=sought)
        sigma = distance_sigma(field, place, target)
        answer = judge(self.limit(place) - best.total_in, "TMG-CHG-4", sigma_in=sigma)
        if found and found.likely < 1:
            answer = both(answer, Answer("unsure", field.edition.no_path, None, found.likely))
        heading = math.degrees(best.heading_rad) % 360
        felt = effects(field, place, ground)
        return ChargeRun(answer, best.total_in, sigma, heading, felt, sought)

    def far_run(self, row: int) -> ChargeRun:
        """The run along the free path to a target out of reach; obstacles are not considered."""
        pair, free = self.pairs[row], self.free[row]
        sigma, heading = distance_sigma(self.field, *pair), math.degrees(free.heading[0]) % 360
        answer = judge(self.limit(pair[0]) - free.travel, "TMG-CHG-4", sigma_in=sigma)
        return ChargeRun(answer, free.travel, sigma, heading, sought=False)

    def limit(self, place: int) -> float:
        """The charge distance with the highest roll (TMG-CHG-4)."""
        return farthest_in(self.field.units[place].speed)


def charge_of(
    field: Battlefield, place: int, sight: Answer, zone: Zone, run: ChargeRun, room: Alignment
) -> Charge:
    """The verdict on one charge from all its criteria."""
    free, doubts = field.unengaged[place], []
    if free.verdict != "yes":
        doubts.append(Answer(free.verdict, ("TMG-CHG-1",), free.margin_in, free.chance))
    if sight.verdict != "yes":
        doubts.append(
            UNSEEN
            if sight.verdict == "no"
            else Answer("unsure", ("TMG-CHG-2",), None, sight.chance)
        )
    if room.answer.verdict != "yes":
        doubts.append(room.answer)
    answer = both(*doubts, run.answer) if doubts else run.answer
    needs, chance, effects = None, 0.0, run.effects
    if run.distance_in is not None:
        needs = needed_roll(run.distance_in, field.units[place].speed)
        if answer.verdict != "no" and needs is not None:
            chance = charge_chance(needs, field.edition.year, "hindering" in run.effects)
        aligned = shared_effects(room.placements) if room.placements else NOTHING
        effects = tuple(sorted(aligned.union(effects))) if aligned else effects
    return Charge(
        answer,
        zone,
        run.distance_in,
        needs,
        chance,
        run.heading,
        effects,
        room.placements,
        run.sigma_in,
        open_rolls(run.distance_in, run.sigma_in, field.units[place].speed),
    )


def open_rolls(distance_in: float | None, sigma_in: float, speed: float) -> tuple[int, ...]:
    """The rolls that a charge may need, where its distance is too close to a limit to tell."""
    if distance_in is None or not sigma_in:
        return ()
    doubt = SURE_SIGMAS * sigma_in
    low, high = (needed_roll(distance_in + one, speed) for one in (-doubt, doubt))
    found = range(low, (high or HIGHEST_ROLL) + 1) if low is not None else ()
    return tuple(found) if len(found) > 1 else ()


def distance_sigma(field: Battlefield, mover: int, target: int) -> float:
    """One sigma of the distance: both positions and the target's turn; the mover pivots anyway."""
    if field.exact:
        return 0.0
    ground = field.obstacles
    lever = float(field.trays.turn[mover]) * ground.radius[mover]  # of the heading's error
    own = math.sqrt(max(ground.spread[mover] ** 2 - lever**2, 0.0))
    return math.hypot(own, ground.spread[target])

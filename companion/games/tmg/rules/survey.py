"""The survey of a table: measurements of all pairs of enemies, and the report built from them.

The distances of charges that may not be made are computed only when a report is printed. A charge
is forbidden if its unit is engaged, has no line of sight, or could not reach its target even on a
free path; the search among obstacles would then take most of the time and decide nothing. On a
table far more crowded than any game, only the nearest pairs are searched: the others have no
distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield, Pair
from companion.games.tmg.rules.charge.charges import ChargeQueries, ChargeRun, charge_of
from companion.games.tmg.rules.combat.shots import aims, shot_of
from companion.games.tmg.rules.ground_effects import unit_ground
from companion.games.tmg.rules.movement.moves import move_answers
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import (
    Charge,
    MiniaturesReport,
    Placement,
    Shot,
    UnitReport,
    Units,
    Zone,
)
from companion.games.tmg.rules.sight_rules import UnitSight, zones
from companion.games.tmg.rules.tray_contact import OPEN, Alignment, alignment, arcs_of
from companion.geometry.plane.answer import Answer, both
from companion.geometry.plane.trays import Ints
from models import Table


@dataclass(frozen=True, slots=True, eq=False)
class PairFacts:
    """The measurements of each unit against each enemy."""

    zone: dict[Pair, Zone]
    sight: dict[Pair, Answer]
    run: dict[Pair, ChargeRun]
    room: dict[Pair, Alignment]
    aim: dict[Pair, Shot]


def measured(ground: Battlefield) -> PairFacts:
    """The measurements of all pairs of enemies."""
    mover, target = np.nonzero(ground.enemies)
    pairs = pairs_of(mover, target)
    zone = dict(zip(pairs, zones(ground, mover, target), strict=True))
    sight = {pair: UnitSight(ground, *pair).answer() for pair in pairs}
    near = np.flatnonzero(ground.shot_reach[mover, target])
    seen = [
        UnitSight(ground, *pair, shot=True).answer() if ground.shots_see_otherwise else sight[pair]
        for pair in pairs_of(mover[near], target[near])
    ]
    aim = aims(ground, mover, target, [zone[pair] for pair in pairs], near, seen)
    # no path is searched for engaged units or without line of sight
    hopeless = [bool(ground.foes[pair[0]]) or sight[pair].verdict == "no" for pair in pairs]
    runs = ChargeQueries.of(ground, pairs).runs(hopeless)
    return PairFacts(
        zone,
        sight,
        dict(zip(pairs, runs, strict=True)),
        found_rooms(ground, pairs, zone),
        dict(zip(pairs, aim, strict=True)),
    )


MOST_ROOMS, MOST_COARSE_ROOMS = 600, 60
"""At so many targets the room is computed, the nearest first; elsewhere it is unsure."""
UNKNOWN_ROOM = Alignment(Answer("unsure", ("TMG-CHG-3",), None, 0.5))


def found_rooms(
    ground: Battlefield, pairs: Sequence[Pair], zone: dict[Pair, Zone]
) -> dict[Pair, Alignment]:
    """The room at the targets of these pairs; not computed for targets out of reach."""
    gap, near = ground.pairs.gap, [pair for pair in pairs if ground.charge_reach[pair]]
    near = sorted(near, key=lambda pair: float(gap[pair]))
    most = MOST_COARSE_ROOMS if ground.coarse else MOST_ROOMS
    return {
        **dict.fromkeys(pairs, OPEN),
        **dict.fromkeys(near, UNKNOWN_ROOM),
        **{pair: alignment(ground, *pair, zone[pair]) for pair in near[:most]},
    }


def pairs_of(mover: Ints, target: Ints) -> list[Pair]:
    return list(zip(mover.tolist(), target.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class ReportBuilder:
    """Combines the measurements of a table into a report per unit."""

    ground: Battlefield
    facts: PairFacts

    def unit(self, place: int) -> UnitReport:
        ground, facts = self.ground, self.facts
        ids = [unit.id for unit in ground.units]
        gaps, ranges = ground.pairs.gap[place].tolist(), ground.pairs.range[place].tolist()
        enemies = ground.opponents[place]
        return UnitReport(
            engaged=ground.engaged_ids(place),
            gap={ids[other]: gap for other, gap in enumerate(gaps) if other != place},
            range={ids[other]: ranges[other] for other in enemies},
            sees={ids[other]: facts.sight[place, other] for other in enemies},
            zone={ids[other]: facts.zone[place, other] for other in enemies},
            charges=self.charges(place, enemies),
            shots=self.shots(place, enemies),
            moves=move_answers(ground, place),
            ground=unit_ground(ground, place),
        )

    def charges(self, place: int, goals: Iterable[int]) -> dict[str, Charge]:
        """The verdicts on a unit's charges."""
        ground, facts = self.ground, self.facts
        return {
            ground.units[goal].id: charge_of(
                ground,
                place,
                facts.sight[place, goal],
                facts.zone[place, goal],
                facts.run[place, goal],
                facts.room[place, goal],
            )
            for goal in goals
        }

    def shots(self, place: int, goals: Iterable[int]) -> dict[str, Shot]:
        """The verdicts on a unit's shots."""
        ground, facts = self.ground, self.facts
        return {
            ground.units[goal].id: shot_of(
                ground, place, goal, facts.aim[place, goal], facts.sight[place, goal]
            )
            for goal in goals
        }


@dataclass(frozen=True)
class IllegalCharges:
    """The paths of a table's illegal charges, computed on demand and cached."""

    ground: Battlefield
    facts: PairFacts

    @cached_property
    def runs(self) -> dict[Pair, ChargeRun]:
        """The runs of pairs not searched before, combined with the answers already known."""
        if self.ground.coarse:
            return {}
        known = {pair: run for pair, run in self.facts.run.items() if not run.sought}
        return {
            pair: found._replace(answer=both(known[pair].answer, found.answer))
            for pair, found in zip(known, self.sought(list(known)), strict=True)
        }

    def sought(self, pairs: list[Pair]) -> list[ChargeRun]:
        """The runs of these pairs, with obstacles."""
        sight = self.facts.sight
        unseen = {pair for pair in pairs if sight[pair].why not in ((), ("TMG-LOS-4",))}
        ways = ChargeQueries.of(self.ground, pairs, every=True, unseen=unseen)
        return ways.runs([False] * len(pairs))

    def __call__(self, units: Units) -> Units:
        """The units of the report with the distances of all their charges."""
        charges = {unit_id: dict(unit.charges) for unit_id, unit in units.items()}
        for (place, goal), run in self.runs.items():
            facts, pair = self.facts, (place, goal)
            mover, target = self.ground.units[place].id, self.ground.units[goal].id
            charges[mover][target] = charge_of(
                self.ground, place, facts.sight[pair], facts.zone[pair], run, facts.room[pair]
            )
        for pair, places in self.settled.items():
            mover, target = (self.ground.units[one].id for one in pair)
            charges[mover][target] = replace(charges[mover][target], align=places)
        return {key: unit._replace(charges=charges[key]) for key, unit in units.items()}

    @cached_property
    def settled(self) -> dict[Pair, tuple[Placement, ...]]:
        """Where charges end for which neither 100 % nor 50 % is free, if the defender is moved."""
        if not self.ground.edition.moves_defender:
            return {}
        from companion.games.tmg.rules.charge.charge_end import settled_places  # few tables need it

        return {
            pair: settled_places(self.ground, *pair, arcs_of(self.facts.zone[pair]))
            for pair, room in self.facts.room.items()
            if room.neither and room.answer.verdict != "no"
        }


KEPT = 4


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A report and the data it was built from."""

    battlefield: Battlefield
    facts: PairFacts
    report: MiniaturesReport

    @classmethod
    def of(cls, table: Table, readings: Readings | None = None) -> Survey:
        ground = Battlefield(table, readings or Readings())
        facts = measured(ground)
        builder = ReportBuilder(ground, facts)
        units = {unit.id: builder.unit(place) for place, unit in enumerate(ground.units)}

        @cache
        def led(unit: str, target: str) -> tuple[Charge, ...]:
            from companion.games.tmg.rules.charge.charge_ways import charge_ways

            pair = ground.index[unit], ground.index[target]
            return charge_ways(ground, *pair, units[unit].charges[target])

        beyond = IllegalCharges(ground, facts)
        return cls(ground, facts, MiniaturesReport(table, units, beyond, led))


class SurveyCache:
    """The newest surveys: report, move check and the game in play ask about the same tables."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[Readings, Survey], ...] = ()

    def __call__(self, table: Table, readings: Readings | None = None) -> Survey:
        """The survey of a table, worked out once while it is cached; any thread may call."""
        chosen = readings or Readings()
        for kept, survey in self._kept:
            if kept == chosen and (survey.report.table is table or survey.report.table == table):
                return survey
        survey = Survey.of(table, chosen)
        self._kept = ((chosen, survey), *self._kept)[:KEPT]
        return survey


surveyed = SurveyCache()

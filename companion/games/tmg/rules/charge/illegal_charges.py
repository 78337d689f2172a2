"""The distances of charges that may not be made, computed only when a report is printed.

A charge is forbidden if its unit is engaged, has no line of sight, or could not reach its target
even on a free path; the search among obstacles would then take most of the time and decide nothing.
On a table far more crowded than any game, only the nearest pairs are searched: the others have no
distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

from companion.games.tmg.rules.battlefield import Battlefield, Pair
from companion.games.tmg.rules.charge.alignment import arcs_of
from companion.games.tmg.rules.charge.charges import ChargeQueries, ChargeRun, charge_of
from companion.games.tmg.rules.pair_facts import PairFacts
from companion.games.tmg.rules.report import Placement, Units
from companion.geometry.plane.answer import both

AT_ONCE = 250
"""The batch size: large enough to be fast, small enough for the memory."""
MOST_WORK = 300_000
"""How many obstacles all searches together may look at; forty units a side need all of it."""


@dataclass(frozen=True)
class IllegalCharges:
    """The paths of a table's illegal charges, computed on demand and cached."""

    ground: Battlefield
    facts: PairFacts

    @cached_property
    def runs(self) -> dict[Pair, ChargeRun]:
        """The runs of pairs not searched before, combined with the answers already known."""
        known = {pair: run for pair, run in self.facts.run.items() if not run.sought}
        pairs = self.nearest(list(known))
        found: dict[Pair, ChargeRun] = {}
        for start in range(0, len(pairs), AT_ONCE):
            some = pairs[start : start + AT_ONCE]
            found.update(zip(some, self.sought(some), strict=True))
        return {
            pair: found[pair]._replace(answer=both(run.answer, found[pair].answer))
            if pair in found
            else ChargeRun(run.answer, None, sought=False)
            for pair, run in known.items()
        }

    def nearest(self, pairs: list[Pair]) -> list[Pair]:
        """The pairs to search: all of them, or as many of the nearest as the limit allows."""
        ground = self.ground
        most = MOST_WORK // max(len(ground.units) + len(ground.parts), 1)
        if len(pairs) <= most:
            return pairs
        return sorted(pairs, key=self.apart)[:most]

    def apart(self, pair: Pair) -> float:
        """The distance between the centres of two units."""
        one, two = (self.ground.units[place].pose for place in pair)
        return math.hypot(one.x - two.x, one.y - two.y)

    def sought(self, pairs: list[Pair]) -> list[ChargeRun]:
        """The runs of these pairs, with obstacles."""
        ways = ChargeQueries.of(self.ground, pairs, every=True)
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

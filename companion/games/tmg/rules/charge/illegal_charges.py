"""The distances of charges that may not be made, computed only when a report is printed.

A charge is forbidden if its unit is engaged, has no line of sight, or could not reach its target
even on a free path; the search among obstacles would then take most of the time and decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.alignment import arcs_of
from companion.games.tmg.rules.charge.charges import ChargeQueries, ChargeRun, charge_of
from companion.games.tmg.rules.charge.search_trace import Pair
from companion.games.tmg.rules.pair_facts import PairFacts
from companion.games.tmg.rules.report import Placement, Units
from companion.geometry.plane.answer import both

AT_ONCE = 250
"""The batch size: large enough to be fast, small enough for the memory."""


@dataclass(frozen=True)
class IllegalCharges:
    """The paths of a table's illegal charges, computed on demand and cached."""

    ground: Battlefield
    facts: PairFacts

    @cached_property
    def runs(self) -> dict[Pair, ChargeRun]:
        """The runs of pairs not searched before, combined with the answers already known."""
        known = self.facts.run
        pairs = [pair for pair, run in known.items() if not run.sought]
        found: dict[Pair, ChargeRun] = {}
        for start in range(0, len(pairs), AT_ONCE):
            some = pairs[start : start + AT_ONCE]
            found.update(zip(some, self.sought(some), strict=True))
        return {
            pair: run._replace(answer=both(known[pair].answer, run.answer))
            for pair, run in found.items()
        }

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

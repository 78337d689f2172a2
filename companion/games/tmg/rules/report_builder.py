"""Builds the report on each unit from the measurements of all pairs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charges import charge_of
from companion.games.tmg.rules.combat.shots import shot_of
from companion.games.tmg.rules.ground_effects import unit_ground
from companion.games.tmg.rules.movement.moves import move_answers
from companion.games.tmg.rules.pair_facts import PairFacts
from companion.games.tmg.rules.report import Charge, Shot, UnitReport


@dataclass(frozen=True, slots=True, eq=False)
class ReportBuilder:
    """Combines the measurements of a table into a report per unit."""

    ground: Battlefield
    facts: PairFacts

    def unit(self, place: int) -> UnitReport:
        """The report on one unit."""
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

"""Facts made into answers, unit by unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.charge_paths import HIGHEST_ROLL
from companion.games.tmg.charging import charge_of
from companion.games.tmg.facts import Facts, Stale
from companion.games.tmg.moving import move_answers
from companion.games.tmg.report import Charge, Shot, UnitReport
from companion.games.tmg.shifting import CLEAR_IN
from companion.games.tmg.shooting import shot_of
from companion.games.tmg.terrain_effects import unit_ground
from companion.geometry.answer import SURE_SIGMAS
from companion.geometry.trays import Bools


@dataclass(frozen=True, slots=True, eq=False)
class Telling:
    """What the facts mean for each unit."""

    ground: Battlefield
    facts: Facts

    def unit(self, place: int) -> UnitReport:
        """All about one unit."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Retelling:
    """The same after some units moved: told again only where anything bears on it."""

    told: Telling
    old: Battlefield
    moved: list[int]
    changed: set[int]  # those, and who is engaged with others than before, or no longer
    gaps: list[list[float]]  # of each that moved the gaps to all units,
    ranges: list[list[float]]  # and the units' ranges to it;
    seen: list[list[int]]  # for each unit the enemies of whom sight is told again,
    charged: list[list[int]]  # its charges,
    shot: list[list[int]]  # and its shots

    @classmethod
    def of(cls, told: Telling, old: Battlefield, moved: list[int], stale: Stale) -> Retelling:
        """What is stale, and what depends on who is engaged with whom."""
        new, changed = told.ground, set(moved)
        charges, shots = stale.sight | stale.run | stale.room, stale.sight | stale.aim
        if new.unengaged is not old.unengaged:
            for place in range(len(new.units)):
                if old.unengaged[place] != new.unengaged[place]:
                    charges[place] = shots[place] = new.enemies[place]
                    changed.add(place)
                if old.foes[place] != new.foes[place]:  # its foes may have to test for panic
                    shots[:, place] = new.enemies[:, place]
                    changed.add(place)
        gaps = [new.pairs.gap[place].tolist() for place in moved]
        ranges = [new.pairs.range[:, place].tolist() for place in moved]
        told_again = map(columns, (stale.sight, charges, shots))
        return cls(told, old, moved, changed, gaps, ranges, *told_again)

    def unit(self, place: int, before: UnitReport) -> UnitReport:
        """All about one unit, what did not change taken from before."""
        if place in self.moved:
            return self.told.unit(place)
        ground, facts = self.told.ground, self.told.facts
        units, gap, reach, zone = ground.units, before.gap, before.range, before.zone
        for other, gaps, ranges in zip(self.moved, self.gaps, self.ranges, strict=True):
            name = units[other].id
            gap = gap | {name: gaps[place]}
            if name in reach:
                reach = reach | {name: ranges[place]}
                zone = zone | {name: facts.zone[place, other]}
        seen, charged, shot = self.seen[place], self.charged[place], self.shot[place]
        sees, charges, shots = before.sees, before.charges, before.shots
        if seen:
            sees = sees | {units[goal].id: facts.sight[place, goal] for goal in seen}
        if charged:
            charges = charges | self.told.charges(place, charged)
        if shot:
            shots = shots | self.told.shots(place, shot)
        changed = place in self.changed
        return UnitReport(
            ground.engaged_ids(place) if changed else before.engaged,
            gap,
            reach,
            sees,
            zone,
            charges,
            shots,
            before.moves if not changed and self.stays(place) else move_answers(ground, place),
            before.ground,
        )

    def stays(self, place: int) -> bool:
        """Whether nothing bears on the moves of a unit with the same foes: a retreat is free to
        go wherever it was."""
        new = self.told.ground
        if not new.foes[place]:
            return True
        swing = float(np.hypot(*new.trays.half[place]))  # its last pivot (TMG-RET-6)
        reach = new.units[place].speed + HIGHEST_ROLL + CLEAR_IN + swing
        near = (
            field.pairs.gap[place, self.moved]
            <= reach + SURE_SIGMAS * field.gap_sigma[place, self.moved]
            for field in (self.old, new)
        )
        return not any(spots.any() for spots in near)


def columns(mask: Bools) -> list[list[int]]:
    """The columns a mask names in each row."""
    named: list[list[int]] = [[] for _ in range(len(mask))]
    rows, found = mask.nonzero()
    for row, column in zip(rows.tolist(), found.tolist(), strict=True):
        named[row].append(column)
    return named

"""The report of a table, and a quick one after a tray moved: only what it touches is redone."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.charging import HIGHEST_ROLL, Run, charge_of, runs
from companion.games.tmg.looking import joined_looks, looks_of, sight_answers, zones
from companion.games.tmg.moving import move_answers
from companion.games.tmg.readings import Readings
from companion.games.tmg.report import Charge, Report, Shot, UnitReport, Zone
from companion.games.tmg.shooting import SHIFT_IN, Aim, aims, in_reach, shot_of
from companion.geometry.answer import Answer
from companion.geometry.trays import Bools, Floats, Ints, Trays
from models import Table

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PairFacts:
    """What positions say of one unit against one enemy."""

    sight: Answer
    zone: Zone
    run: Run
    aim: Aim


@dataclass(frozen=True)
class Survey:
    """A report and the facts behind it, kept for the next table."""

    battlefield: Battlefield
    facts: dict[Pair, PairFacts]
    report: Report
    charges: dict[Pair, Charge] = field(default_factory=dict)
    shots: dict[Pair, Shot] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table, readings: Readings | None = None) -> Survey:
        """A survey from nothing."""
        ground = Battlefield(table, readings or Readings())
        mover, target = np.nonzero(ground.enemies)
        return cls.told(ground, measure_pairs(ground, mover, target), None, set())

    def after(self, table: Table) -> Survey:
        """The survey of a later table; facts that no moved tray can have changed are kept."""
        old = self.battlefield
        moved = moved_places(old.table, table)
        if moved is None:
            return Survey.of(table, old.readings)
        if not moved:
            return self
        ground = Battlefield(table, old.readings)
        for name in ("walls", "enemies", "index"):  # neither terrain nor sides have changed
            ground.__dict__[name] = getattr(old, name)
        stale = touched_pairs(self, ground, moved)
        mover, target = np.nonzero(stale & ground.enemies)
        fresh = measure_pairs(ground, mover, target)
        return Survey.told(ground, {**self.facts, **fresh}, self, set(fresh))

    @classmethod
    def told(
        cls, ground: Battlefield, facts: dict[Pair, PairFacts], old: Survey | None, fresh: set[Pair]
    ) -> Survey:
        """Facts made into answers; an older survey's are kept where nothing bears on them."""
        same = None
        if old is not None:
            before = old.battlefield
            unchanged = (before.touching == ground.touching) & (
                before.maybe_touching == ground.maybe_touching
            )
            same = unchanged.all(axis=1)
        charges: dict[Pair, Charge] = {}
        shots: dict[Pair, Shot] = {}
        for pair, fact in facts.items():
            place, goal = pair
            if old is not None and same is not None and pair not in fresh and same[place]:
                charges[pair] = old.charges[pair]
                if same[goal]:
                    shots[pair] = old.shots[pair]
                    continue
            else:
                charges[pair] = charge_of(ground, place, fact.sight, fact.zone, fact.run)
            shots[pair] = shot_of(ground, place, goal, fact.aim)
        report = Report(ground.table, unit_reports(ground, facts, charges, shots))
        return cls(ground, facts, report, charges, shots)


def measure_pairs(ground: Battlefield, mover: Ints, target: Ints) -> dict[Pair, PairFacts]:
    """All facts of these pairs."""
    if not len(mover):
        return {}
    stands = zones(ground, mover, target)
    near = in_reach(ground, mover, target)
    looks = looks_of(ground, mover, target)
    shots = looks_of(ground, mover[near], target[near], shot=True)
    seen = sight_answers(ground, joined_looks(looks, shots), ground.blockers)
    sights, aimed = seen[: len(mover)], seen[len(mover) :]
    hopeless = np.array([sight.verdict == "no" for sight in sights]) | engaged(ground)[mover]
    charge = runs(ground, mover, target, stands, hopeless)
    shot = aims(ground, mover, target, stands, near, aimed)
    places, goals = mover.tolist(), target.tolist()
    facts = map(PairFacts, sights, stands, charge, shot)
    return dict(zip(zip(places, goals, strict=True), facts, strict=True))


def engaged(ground: Battlefield) -> Bools:
    """(n,): units surely in contact with an enemy."""
    return np.array([bool(foes) for foes in ground.foes])


def unit_reports(
    ground: Battlefield,
    facts: dict[Pair, PairFacts],
    charges: dict[Pair, Charge],
    shots: dict[Pair, Shot],
) -> dict[str, UnitReport]:
    """The facts laid out by unit."""
    ids = [unit.id for unit in ground.units]
    gaps, ranges = ground.pairs.gap.tolist(), ground.pairs.range.tolist()
    foes = [np.flatnonzero(row).tolist() for row in ground.enemies]
    reports = {}
    for place, name in enumerate(ids):
        others = [other for other in range(len(ids)) if other != place]
        enemy = foes[place]
        reports[name] = UnitReport(
            engaged=ground.engaged_ids(place),
            gap={ids[other]: gaps[place][other] for other in others},
            range={ids[other]: ranges[place][other] for other in enemy},
            sees={ids[other]: facts[place, other].sight for other in enemy},
            zone={ids[other]: facts[place, other].zone for other in enemy},
            charges={ids[other]: charges[place, other] for other in enemy},
            shots={ids[other]: shots[place, other] for other in enemy},
            moves=move_answers(ground, place),
        )
    return reports


def moved_places(before: Table, after: Table) -> list[int] | None:
    """Which units stand elsewhere, or None where more than poses changed."""
    if (
        before.game != after.game
        or (before.width, before.depth) != (after.width, after.depth)
        or len(before.units) != len(after.units)
        or before.terrain != after.terrain
    ):
        return None
    moved = []
    for place, (old, new) in enumerate(zip(before.units, after.units, strict=True)):
        if old is new:
            continue
        if old.at(new.pose) != new:
            return None
        if old.pose != new.pose:
            moved.append(place)
    return moved


def touched_pairs(old: Survey, new: Battlefield, moved: list[int]) -> Bools:
    """(n, n): pairs whose facts a moved tray may have changed, where it was or where it is.

    Sight changes only where the tray reaches into the two trays' hull (widened by the shift
    for those that shoot); a charge also where it comes into the way or beside the target.
    """
    ground = old.battlefield
    stale = np.zeros_like(new.enemies)
    stale[moved, :] = True
    stale[:, moved] = True
    stale[engaged(ground) != engaged(new), :] = True
    trays = new.trays
    radius = np.hypot(trays.half[:, 0], trays.half[:, 1])
    doubt = 4 * new.gap_sigma
    shoots = np.array([SHIFT_IN if unit.ranged else 0.0 for unit in new.units])[:, None]
    about = np.maximum(radius[:, None], radius[None, :]) + shoots + doubt
    speed = np.array([unit.speed for unit in new.units], dtype=float)[:, None]
    near = (new.pairs.gap <= speed + HIGHEST_ROLL + doubt) & new.enemies & ~stale
    for spot, place in [
        (one.trays.centre[place], place) for one in (ground, new) for place in moved
    ]:
        stale |= off_segment(spot, trays.centre) <= about + radius[place]
        rows, columns = np.nonzero(near & ~stale)
        stale[rows, columns] = charge_touched(trays, spot, radius[place], rows, columns)
    return stale


def charge_touched(trays: Trays, spot: Floats, size: float, rows: Ints, columns: Ints) -> Bools:
    """Whether a tray of that size there comes near the way or the room of these pairs' charges."""
    radius = np.hypot(trays.half[:, 0], trays.half[:, 1])
    spread = size + 4 * np.hypot(trays.spread[rows], trays.spread[columns])
    # the hull of the mover's turning circle and the target widened by the mover's front
    wide = np.maximum(radius[rows], radius[columns] + 2 * trays.half[rows, 1])
    beside = off_segment(spot, trays.centre)[rows, columns] <= wide + spread
    # all placements along the target's edges
    depth = 2 * trays.half[rows, 0] + trays.half[columns].max(axis=1)
    length = trays.half[rows, 1] + np.maximum(trays.half[rows, 1], trays.half[columns].max(axis=1))
    room = np.hypot(*(trays.centre[columns] - spot).T) <= np.hypot(depth, length) + spread
    return np.asarray(beside | room)


def off_segment(spot: Floats, centres: Floats) -> Floats:
    """(n, n): distance of a spot from the line between every two centres."""
    start = centres[:, None, :]
    way = centres[None, :, :] - start
    length2 = np.maximum((way * way).sum(axis=-1), 1e-12)
    part = np.clip(((spot - start) * way).sum(axis=-1) / length2, 0.0, 1.0)
    miss = start + part[..., None] * way - spot
    return np.asarray(np.hypot(miss[..., 0], miss[..., 1]))

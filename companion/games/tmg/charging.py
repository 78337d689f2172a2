"""Charges: sight, room to align, reach and path (TMG-CHG-1..18), for many pairs at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from companion.games.tmg.aligning import NOTHING, Alignment, shared_effects
from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.charge_paths import HIGHEST_ROLL, Asked, Found, Paths, Search
from companion.games.tmg.dice import charge_chance, needed_roll
from companion.games.tmg.report import Charge, Zone
from companion.geometry.advance import (
    FreeAdvance,
    Path,
    free_advance,
)
from companion.geometry.answer import SURE_SIGMAS, Answer, both, judge, no
from companion.geometry.sight import Looks
from companion.geometry.trays import Bools, Floats, Ints, Trays

UNSEEN = no("TMG-CHG-2")


@dataclass(frozen=True, slots=True)
class Run:
    """The way one unit would charge another, whoever else may forbid it."""

    answer: Answer
    distance_in: float | None
    sigma_in: float = 0.0
    heading: float | None = None
    effects: tuple[str, ...] = ()
    plain: bool = True  # nobody looked, nothing was sought: only what lies in its free ways counts
    sought: bool = True  # what lies in the way was asked for; out of reach nobody does
    searched: bool = False  # its free ways are blocked, others were searched for
    asked: tuple[Asked, ...] = field(default=(), compare=False)  # what the search wanted to know
    search: Search | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Approaches:
    """The charges of m pairs before anybody has looked: their free ways, and what lies in them.

    A free way has two pivots; those of the k near pairs follow one another.
    """

    field: Battlefield
    free: FreeAdvance
    limit: Floats  # (m,)
    sigma: Floats  # (m,)
    near: Ints  # (k,) rows whose target is, or may be, within reach
    paths: Paths  # of the near
    meets: Bools  # (2k, q) what lies in the free ways
    clear: Bools  # (2k,) nothing stops or slows them
    screened: Ints  # pivots that something may hide the target from

    @classmethod
    def of(
        cls, field: Battlefield, mover: Ints, target: Ints, near: Ints | None = None
    ) -> Approaches:
        """How these units would charge those.

        A closer look is worth those within reach that are not engaged; or the rows `near` names.
        """
        free = free_advance(field.trays, mover, target)
        limit = field.speed[mover] + HIGHEST_ROLL
        sigma = distance_sigma(field.trays, mover, target)
        engaged = np.zeros(len(field.units), dtype=bool)
        if near is None:
            near, engaged = np.flatnonzero(field.charge_reach[mover, target]), field.is_engaged
        paths = Paths.of(field, mover[near], target[near])
        rows, headings = np.repeat(np.arange(len(near)), 2), free.heading[near].reshape(-1)
        travel = np.repeat(free.travel[near], 2)
        meets = paths.swept(
            rows, headings, np.maximum(travel, 0.0), paths.solids(-SURE_SIGMAS), SURE_SIGMAS
        )
        trouble: Bools = np.any(meets & (paths.stops | paths.slows)[rows], axis=1)
        clear = ~trouble & (travel >= 0) & ~paths.starts_slow[rows]
        for barred in (paths.under_bars, paths.walled_in):
            asked = np.flatnonzero(clear)
            clear[asked] = ~barred(rows[asked], headings[asked])
        screens: Bools = np.any(meets & paths.hides[rows], axis=1)
        screened = np.flatnonzero(clear & screens & ~engaged[paths.mover[rows]])
        return cls(field, free, limit, sigma, near, paths, meets, clear, screened)

    def looks(self) -> Looks:
        """Whether the targets are still seen after the screened pivots (TMG-CHG-9)."""
        return self.paths.looks(*self.pivots)

    def seen(self) -> Bools:
        """The answers."""
        return self.paths.in_sight(*self.pivots)

    @property
    def pivots(self) -> tuple[Ints, Floats]:
        """The pairs and headings of the screened pivots."""
        headings = self.free.heading[self.near].reshape(-1)
        return self.screened // 2, headings[self.screened]

    def crossed(self) -> Bools:
        """(2k, q): what the free ways meet where everything is measured rightly."""
        if self.field.exact or not self.paths.minds.any():
            return self.meets
        rows, headings = np.repeat(np.arange(len(self.near)), 2), self.free.heading[self.near]
        travel = np.maximum(np.repeat(self.free.travel[self.near], 2), 0.0)
        return self.paths.swept(rows, headings.reshape(-1), travel, self.field.solids)

    def found(self, hopeless: Bools, seen: Bools) -> list[Found]:
        """The shortest path of every near pair; the closed form where nothing lies in the way."""
        count, clear = len(self.near), self.clear.copy()
        clear[self.screened] = seen | hopeless[self.screened // 2]
        self.remember(clear)
        crossed = self.crossed()
        minded = np.where(clear, crossed @ self.paths.minds, np.inf)
        side = np.argmin(minded.reshape(count, 2), axis=1)
        heading = self.free.heading[self.near, side].tolist()
        travel = self.free.travel[self.near].tolist()
        best: list[Path | None] = list(map(Path, heading, travel, travel))
        blocked: Bools = ~np.any(clear.reshape(count, 2), axis=1)
        plain = hopeless | ~blocked
        plain[self.screened // 2] &= hopeless[self.screened // 2]
        meets = crossed[2 * np.arange(count) + side] if self.field.exact else None
        return self.paths.find(best, blocked, hopeless, plain, meets)

    def remember(self, seen: Bools) -> None:
        """Keep for the search and for later after which of the clear pivots (2k,) all is seen."""
        headings = self.free.heading[self.near].reshape(-1).tolist()
        for pivot in np.flatnonzero(self.clear).tolist():
            told = headings[pivot], bool(seen[pivot])
            self.paths.asked.setdefault(pivot // 2, []).append(told)


def runs(ways: Approaches, hopeless: Bools, seen: Bools) -> list[Run]:
    """Reach and path of these pairs; `seen` answers the looks they asked for.

    Among obstacles no path is sought for the `hopeless`: those that are engaged or do not see
    the target may not charge, whatever the way.
    """
    field, near = ways.field, ways.near
    headings = np.degrees(ways.free.heading[:, 0]) % 360
    facts = (ways.limit, ways.free.travel, ways.sigma, headings)
    limit, travel, sigma, heading = (one.tolist() for one in facts)
    paths = ways.found(hopeless[near], seen) if len(near) else []
    found = dict(zip(near.tolist(), paths, strict=True))
    return [
        run_of(field, found[row], limit[row], sigma[row])
        if row in found
        else free_run(limit[row], travel[row], sigma[row], heading[row])
        for row in range(len(limit))
    ]


def free_run(limit: float, travel: float, sigma: float, heading: float) -> Run:
    """The run along the free way of a target out of reach: nobody asks what lies in it."""
    answer = judge(limit - travel, "TMG-CHG-4", sigma_in=sigma)
    return Run(answer, travel, sigma, heading, sought=False)


def run_of(field: Battlefield, path: Found, limit: float, sigma: float) -> Run:
    """The run along a path that was found (or not)."""
    if path.best is None:
        why = (*field.edition.no_path, *(("TMG-TER-16",) if path.walled else ()))
        answer = no() if path.unsought else no(*why)
        flags = (path.plain, path.sought, path.searched, path.asked, path.search)
        return Run(answer, None, 0.0, None, (), *flags)
    distance = path.best.total_in
    answer = judge(limit - distance, "TMG-CHG-4", sigma_in=sigma)
    if path.likely < 1:
        answer = both(answer, Answer("unsure", field.edition.no_path, None, path.likely))
    heading = math.degrees(path.best.heading_rad) % 360
    flags = (path.plain, path.sought, path.searched, path.asked, path.search)
    return Run(answer, distance, sigma, heading, path.effects, *flags)


def charge_of(
    field: Battlefield, place: int, sight: Answer, zone: Zone, run: Run, room: Alignment
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
    )


def distance_sigma(trays: Trays, mover: Ints, target: Ints) -> Floats:
    """One sigma of the distances: both places, the target's turn; the mover's is pivoted away."""
    own = np.sqrt(np.maximum(trays.spread[mover] ** 2 - lever(trays, mover) ** 2, 0.0))
    return np.hypot(own, trays.spread[target])


def lever(trays: Trays, index: Ints) -> Floats:
    """What the heading's error adds to the spread of a tray's corners."""
    return trays.turn[index] * np.hypot(trays.half[index, 0], trays.half[index, 1])

"""Charges: sight, room to align, reach and path (TMG-CHG-1..18), for many pairs at once."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.aligning import Alignment, shared_effects
from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.dice import charge_chance, needed_roll
from companion.games.tmg.looking import looks_of
from companion.games.tmg.pivoting import swing_from
from companion.games.tmg.report import Charge, Zone
from companion.geometry.advance import (
    NOWHERE,
    Each,
    FreeAdvance,
    Minded,
    Path,
    Ways,
    free_advance,
)
from companion.geometry.answer import SURE_SIGMAS, Answer, both, judge, no
from companion.geometry.glimpse import Watch
from companion.geometry.plain import Eye, Part
from companion.geometry.shut import shut
from companion.geometry.sight import FEW, Looks, sees
from companion.geometry.solids import Solids
from companion.geometry.swing import Swing
from companion.geometry.trays import Bools, Floats, Ints, Trays, packed

HIGHEST_ROLL = 6
"""TMG-CHG-4: Speed + the highest die result."""
ROUGH_IN = 1.0
"""TMG-TER-17."""
FAR_IN = 1000.0
FELT = frozenset(("dangerous", "destructible", "fortified", "hindering", "rough"))
"""Keywords a charge feels when it crosses a piece (TMG-TER-5, -10, -14, -17, -19)."""
MINDED = {"hindering": 8.0, "dangerous": 4.0, "fortified": 2.0, "destructible": 1.0}
"""Of equally short ways a player takes the one that costs the charge least."""
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


@dataclass(frozen=True, slots=True)
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
        limit = np.array([unit.speed for unit in field.units], dtype=float)[mover] + HIGHEST_ROLL
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
        clear = ~trouble & ~paths.under_bars(rows, headings) & ~paths.walled_in(rows, headings)
        clear &= (travel >= 0) & ~paths.starts_slow[rows]
        screens: Bools = np.any(meets & paths.hides[rows], axis=1)
        screened = np.flatnonzero(clear & screens & ~engaged[paths.mover[rows]])
        return cls(field, free, limit, sigma, near, paths, meets, clear, screened)

    def looks(self) -> Looks:
        """Whether the targets are still seen after the screened pivots (TMG-CHG-9)."""
        headings = self.free.heading[self.near].reshape(-1)
        return self.paths.looks(self.screened // 2, headings[self.screened])

    def crossed(self) -> Bools:
        """(2k, q): what the free ways meet where everything is measured rightly."""
        if self.field.trays.exact or not self.paths.minds.any():
            return self.meets
        rows, headings = np.repeat(np.arange(len(self.near)), 2), self.free.heading[self.near]
        travel = np.maximum(np.repeat(self.free.travel[self.near], 2), 0.0)
        return self.paths.swept(rows, headings.reshape(-1), travel, self.field.solids)

    def found(self, hopeless: Bools, seen: Bools) -> list[Found]:
        """The shortest path of every near pair; the closed form where nothing lies in the way."""
        count, clear = len(self.near), self.clear.copy()
        clear[self.screened] = seen | hopeless[self.screened // 2]
        minded = np.where(clear, self.crossed() @ self.paths.minds, np.inf)
        side = np.argmin(minded.reshape(count, 2), axis=1)
        heading = self.free.heading[self.near, side].tolist()
        travel = self.free.travel[self.near].tolist()
        best: list[Path | None] = list(map(Path, heading, travel, travel))
        blocked: Bools = ~np.any(clear.reshape(count, 2), axis=1)
        plain = hopeless | ~blocked
        plain[self.screened // 2] &= hopeless[self.screened // 2]
        return self.paths.find(best, blocked, hopeless, plain)


def runs(ways: Approaches, hopeless: Bools, seen: Bools) -> list[Run]:
    """Reach and path of these pairs; `seen` answers the looks they asked for.

    Among obstacles no path is sought for the `hopeless`: those that are engaged or do not see
    the target may not charge, whatever the way.
    """
    field, near = ways.field, ways.near
    headings = np.degrees(ways.free.heading[:, 0]) % 360
    facts = (ways.limit, ways.free.travel, ways.sigma, headings)
    result = [
        Run(
            judge(limit - travel, "TMG-CHG-4", sigma_in=sigma), travel, sigma, heading, sought=False
        )
        for limit, travel, sigma, heading in zip(*(one.tolist() for one in facts), strict=True)
    ]
    if len(near):
        found = ways.found(hopeless[near], seen)
        limits, sigmas = ways.limit[near].tolist(), ways.sigma[near].tolist()
        for row, path, limit, sigma in zip(near.tolist(), found, limits, sigmas, strict=True):
            result[row] = run_of(field, path, limit, sigma)
    return result


def run_of(field: Battlefield, path: Found, limit: float, sigma: float) -> Run:
    """The run along a path that was found (or not)."""
    if path.best is None:
        why = (*field.edition.no_path, *(("TMG-TER-16",) if path.walled else ()))
        answer = no() if path.unsought else no(*why)
        return Run(answer, None, plain=path.plain, sought=path.sought)
    distance = path.best.total_in
    answer = judge(limit - distance, "TMG-CHG-4", sigma_in=sigma)
    if path.doubtful:
        answer = both(answer, Answer("unsure", field.edition.no_path, None, 0.5))
    heading = math.degrees(path.best.heading_rad) % 360
    return Run(answer, distance, sigma, heading, path.effects, path.plain, path.sought)


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
        aligned = shared_effects(room.placements)
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


@dataclass(frozen=True, slots=True)
class Found:
    """The best path, whether measuring leaves it in doubt, and the effects it crosses."""

    best: Path | None
    doubtful: bool = False
    effects: tuple[str, ...] = ()
    unsought: bool = False
    plain: bool = False
    walled: bool = False  # a way there is, but the tray cannot turn to it (TMG-TER-16)
    sought: bool = True


@dataclass(frozen=True, slots=True)
class Paths:
    """The ways of m pairs: who may stop, hide or slow them."""

    field: Battlefield
    mover: Ints
    target: Ints
    stops: Bools  # (m, q) other enemies and impassable parts (TMG-CHG-13)
    hides: Bools  # (m, q) friends and sight-blocking parts
    slows: Bools  # (q,) rough parts
    felt: Bools  # (q,) parts with any effect on a charge
    minds: Floats  # (q,) how much a player minds crossing them
    near_walls: Bools  # (m,) units that may swing against what they may not swing over
    watches: dict[int, tuple[Watch, list[Part]]]  # of those that looked, and what is under them
    swings: dict[tuple[int, float], Swing]  # of those near walls

    @classmethod
    def of(cls, field: Battlefield, mover: Ints, target: Ints) -> Paths:
        """What matters to these pairs."""
        rows, units = np.arange(len(mover)), len(field.units)
        parts = len(field.walls)
        enemy = field.enemies[mover].copy()
        enemy[rows, target] = False
        friend = ~field.enemies[mover]
        friend[rows, mover] = False
        wall = np.broadcast_to(field.parts_having("impassable"), (len(mover), parts))
        dark = np.broadcast_to(field.parts_having("blocks-line-of-sight"), (len(mover), parts))
        none = np.zeros(units, dtype=bool)
        return cls(
            field,
            mover,
            target,
            np.concatenate([enemy, wall], axis=1),
            np.concatenate([friend, dark], axis=1),
            np.concatenate([none, field.parts_having("rough")]),
            np.concatenate([none, field.parts_having(*FELT)]),
            np.concatenate([np.zeros(units), minded_parts(field)]),
            near_walls(field)[mover],
            {},
            {},
        )

    def find(
        self, best: list[Path | None], blocked: Bools, hopeless: Bools, plain: Bools
    ) -> list[Found]:
        """Other paths where the best is blocked, and what all of them cross."""
        doubtful, walled = np.zeros(len(best), dtype=bool), np.zeros(len(best), dtype=bool)
        hard = np.flatnonzero(blocked & ~hopeless)
        if len(hard):
            closed = self.shut(hard)
            for row in hard[closed].tolist():
                best[row] = None
            if not closed.all():
                self.solve(hard[~closed], best, doubtful)
        lost = [row for row in hard[self.near_walls[hard]].tolist() if best[row] is None]
        lost = [row for row in lost if not self.swing(row, 0.0).free]
        if lost:
            tried = self.ways(np.array(lost, dtype=np.intp), 0.0, walled=False)
            walled[lost] = [one is not None for one in tried.shortest()]
        unsought = (blocked & hopeless).tolist()
        best = [None if never else path for path, never in zip(best, unsought, strict=True)]
        effects = self.effects(best)
        flags = (one.tolist() for one in (plain, walled, ~hopeless))
        return list(map(Found, best, doubtful.tolist(), effects, unsought, *flags))

    def solids(self, sigmas: float) -> Solids:
        """Everything solid, trays eased by so many sigmas."""
        if self.field.trays.exact or sigmas == 0.0:
            return self.field.solids
        trays = self.field.trays
        return Solids.of(trays, self.field.walls, sigmas * trays.spread)

    def swept(
        self, rows: Ints, headings: Floats, travel: Floats, solids: Solids, sigmas: float = 0.0
    ) -> Bools:
        """What the pivoted trays, grown by so many of their sigmas, meet on their ways (k, q)."""
        trays, place = self.field.trays, self.mover[rows]
        forward = np.stack([np.cos(headings), np.sin(headings)], axis=-1)
        centre = trays.centre[place] + forward * (travel / 2)[:, None]
        half = trays.half[place] + sigmas * trays.spread[place][:, None]
        half[:, 0] += travel / 2
        return solids.meet(centre, forward, half)

    @property
    def bars(self) -> Bools:
        """(m, q): trays the first pivot may not end over though the move may pass (TMG-MOV-4)."""
        friends = np.zeros((len(self.mover), len(self.field.solids)), dtype=bool)
        if not self.field.edition.pivot_over_friends:
            friends[:, : len(self.field.units)] = ~self.field.enemies[self.mover]
            friends[np.arange(len(self.mover)), self.mover] = False
        return friends

    def under_bars(self, rows: Ints, headings: Floats) -> Bools:
        """Whether pivoted trays (k,) end over a tray they may not end over."""
        if self.field.edition.pivot_over_friends:
            return np.zeros(len(rows), dtype=bool)
        still = self.swept(rows, headings, np.zeros(len(rows)), self.field.solids)
        return np.asarray((still & self.bars[rows]).any(axis=1))

    def walled_in(self, rows: Ints, headings: Floats) -> Bools:
        """Whether units cannot turn so: an Impassable piece lies in the swing (TMG-TER-16)."""
        barred = np.zeros(len(rows), dtype=bool)
        level = 0.0 if self.field.trays.exact else -SURE_SIGMAS
        for asked in np.flatnonzero(self.near_walls[rows]).tolist():
            swing = self.swing(int(rows[asked]), level)
            barred[asked] = swing.bars(headings[asked : asked + 1])[0]
        return barred

    def swing(self, row: int, sigmas: float) -> Swing:
        """How far a unit may turn, its tray eased by so many sigmas."""
        place = int(self.mover[row])
        if (place, sigmas) not in self.swings:
            grown = -sigmas * float(self.field.trays.spread[place])
            pose = self.field.units[place].pose
            self.swings[place, sigmas] = swing_from(self.field, place, pose, grown)
        return self.swings[place, sigmas]

    @property
    def starts_slow(self) -> Bools:
        """(m,): whether the unit leaves Rough ground (TMG-TER-17)."""
        return self.field.on_rough[self.mover]

    def shut(self, rows: Ints) -> Bools:
        """Whether something stops these charges whatever the pivot, however it was measured."""
        trays, mover = self.field.trays, self.mover[rows]
        eased = self.solids(SURE_SIGMAS).corners
        half = np.maximum(trays.half[mover] - SURE_SIGMAS * trays.spread[mover][:, None], 1e-3)
        target = self.field.solids.corners[self.target[rows]]
        return shut(trays.centre[mover], half, target, eased, self.stops[rows])

    def solve(self, hard: Ints, best: list[Path | None], doubtful: Bools) -> None:
        """The shortest paths among obstacles, and whether the measurement leaves them in doubt."""
        for row, path in zip(hard, self.ways(hard, 0.0).shortest(), strict=True):
            best[row] = path
        if self.field.trays.exact:
            return
        sure = self.ways(hard, -SURE_SIGMAS).shortest()
        lenient = self.ways(hard, SURE_SIGMAS).shortest()
        for row, tight, loose in zip(hard, sure, lenient, strict=True):
            limit = self.field.units[self.mover[row]].speed + HIGHEST_ROLL
            grown = SURE_SIGMAS * float(self.field.trays.spread[self.mover[row]])
            best[row] = best[row] or loose
            path = best[row]
            if path is not None and path.total_in <= limit:
                # the grown tray's front is so much nearer
                doubtful[row] = tight is None or tight.total_in + grown > limit

    def ways(self, rows: Ints, sigmas: float, walled: bool = True) -> Ways:
        """The questions of these pairs, with obstacles eased by so many sigmas.

        `walled`: Impassable pieces may stand in the way of a pivot.
        """
        field, mover, target = self.field, self.mover[rows], self.target[rows]
        corners = self.solids(sigmas).corners
        middle = corners.mean(axis=1)
        size = np.hypot(*np.moveaxis(corners - middle[:, None], 2, 0)).max(axis=1)
        about = Vicinity.of(field.trays, mover, target, middle, size)
        screened: Bools = np.any(about.between & self.hides[rows], axis=1)

        def in_sight(asked: Ints, headings: Floats) -> Bools:
            seen = ~screened[asked]
            rest = np.flatnonzero(~seen)
            seen[rest] = self.in_sight(rows[asked[rest]], headings[rest])
            return seen

        slows = about.ahead & self.slows
        limited = np.flatnonzero(self.near_walls[rows]).tolist() if walled else []
        swings = {number: self.swing(int(rows[number]), sigmas) for number in limited}
        swings = {number: swing for number, swing in swings.items() if not swing.free}
        return Ways(
            field.trays.centre[mover],
            np.maximum(field.trays.half[mover] - sigmas * field.trays.spread[mover][:, None], 1e-3),
            field.solids.corners[target],
            gathered(corners, about.ahead & self.stops[rows]),
            gathered(corners, about.under & self.bars[rows]),
            gathered(corners, slows),
            ROUGH_IN,
            self.starts_slow[rows],
            in_sight,
            np.arctan2(field.trays.forward[mover, 1], field.trays.forward[mover, 0]),
            self.each(rows, slows) if field.readings.rough == "each" else None,
            swings,
            self.minded(corners, about.ahead),
        )

    def minded(self, corners: Floats, ahead: Bools) -> Minded:
        """The pieces with an effect on the charge, besides Rough that has its price."""
        index, real = packed(ahead & (self.minds > 0))
        return Minded(padded(corners, index, real), np.where(real, self.minds[index], 0.0))

    def each(self, rows: Ints, slows: Bools) -> Each:
        """The Rough pieces as polygons to pay for one by one (OR-26)."""
        field, (index, real) = self.field, packed(slows)
        owner = np.concatenate([np.full(len(field.units), -1), field.walls.piece])
        begun = field.on_piece[self.mover[rows]] & field.having("rough")
        return Each(np.where(real, owner[index], -1), begun)

    def in_sight(self, rows: Ints, headings: Floats) -> Bools:
        """Whether the targets are still seen after these pivots (TMG-CHG-9)."""
        if len(rows) > FEW:
            return sees(self.looks(rows, headings), self.field.blockers)
        asked = zip(rows.tolist(), headings.tolist(), strict=True)
        return np.array([self.still_sees(row, heading) for row, heading in asked], dtype=bool)

    def looks(self, rows: Ints, headings: Floats) -> Looks:
        """The same as questions."""
        place = self.mover[rows]
        eyes = self.field.trays.take(place).turned(headings)
        return looks_of(self.field, place, self.target[rows], eyes)

    def still_sees(self, row: int, heading: float) -> bool:
        """The same of one pivot."""
        field, mover = self.field, int(self.mover[row])
        if row not in self.watches:
            watch = field.blockers.ground.watch(mover, int(self.target[row]), spare=0.0)
            self.watches[row] = watch, field.parts_about(mover, 0.0)
        watch, floor = self.watches[row]
        tray = field.blockers.ground.boxes[mover].turned(heading)
        exempt, _ = field.footing(tray, False, floor)
        slope = float(field.trays.tan_arc[mover])
        return watch.look(Eye(*tray.front, tray.cos, tray.sin, tray.wide, slope), exempt).seen

    def effects(self, paths: list[Path | None]) -> list[tuple[str, ...]]:
        """Keywords of the pieces each charge crosses (OR-24)."""
        felt: list[tuple[str, ...]] = [()] * len(paths)
        rows = [row for row, path in enumerate(paths) if path]
        if not self.felt.any() or not rows:
            return felt
        real = [path for path in paths if path]
        headings = np.array([path.heading_rad for path in real])
        travel = np.array([path.travel_in for path in real])
        meets = self.swept(np.array(rows), headings, travel, self.field.solids.parts)
        crossed: list[set[str]] = [set() for _ in rows]
        field, on = self.field, self.field.on_piece[self.mover[rows]]
        for number, part in np.argwhere(meets & self.felt[len(field.units) :]).tolist():
            piece = field.walls.piece[part]
            left = field.edition.felt_entering if on[number, piece] else frozenset()
            crossed[number] |= field.table.terrain[piece].keywords - left
        for row, words, slow in zip(rows, crossed, self.starts_slow[rows].tolist(), strict=True):
            words &= self.felt_words()
            if slow:
                words.add("rough")
            felt[row] = tuple(sorted(words))
        return felt

    def felt_words(self) -> frozenset[str]:
        """What a charge feels in this edition."""
        return FELT if self.field.edition.crushes else FELT - {"destructible"}


def minded_parts(field: Battlefield) -> Floats:
    """(parts,): how much a player minds a charge across each terrain part."""
    minds = np.zeros(len(field.walls))
    for word, weight in MINDED.items():
        minds += weight * field.parts_having(word)
    return minds


def near_walls(field: Battlefield) -> Bools:
    """(n,): units that may swing against an Impassable piece where that is forbidden."""
    if field.edition.swings_over_walls or not field.having("impassable").any():
        return np.zeros(len(field.units), dtype=bool)
    trays, corners = field.trays, field.solids.parts.corners[field.parts_having("impassable")]
    reach = np.hypot(trays.half[:, 0], trays.half[:, 1]) + SURE_SIGMAS * trays.spread
    low, high, centre = corners.min(axis=1), corners.max(axis=1), trays.centre[:, None]
    away = np.maximum(low - centre, centre - high)
    return np.asarray((away < reach[:, None, None]).all(axis=2).any(axis=1))


@dataclass(frozen=True, slots=True)
class Vicinity:
    """(m, q) each: where things lie about m units that would charge m others."""

    under: Bools  # the unit may turn over it
    between: Bools  # it may hide the target from the turned unit, or come into its way
    ahead: Bools  # it may come into its way, for pivots that reach the target

    @classmethod
    def of(cls, trays: Trays, mover: Ints, target: Ints, middle: Floats, size: Floats) -> Vicinity:
        """Of q things at most so large about their middles (q, 2).

        All that a sweep covers until it touches, and all lines of view before it, lie in the
        hull of the mover's turning circle and the target widened by the mover's front.
        """
        start, front = trays.centre[mover], trays.half[mover, 1:]
        turning = np.hypot(trays.half[:, 0], trays.half[:, 1])
        own, goal_size = turning[mover][:, None], turning[target][:, None]
        goal = (trays.centre[target] - start)[:, None]
        away = middle - start[:, None]
        length, distance = (np.hypot(way[..., 0], way[..., 1]) for way in (goal, away))
        part = (away * goal).sum(axis=2) / np.maximum(length, 1e-12) ** 2
        miss = away - np.clip(part, 0.0, 1.0)[..., None] * goal
        wide = np.maximum(own, goal_size + 2 * front)
        under = distance <= own + size
        between = (np.hypot(miss[..., 0], miss[..., 1]) <= wide + size) & (
            distance - size <= length + goal_size
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = np.arccos(np.clip(part * length / distance, -1.0, 1.0))
            spread = np.arcsin(size / distance) + np.arcsin(front / (distance - size))
            reach = np.arcsin(goal_size / length) + np.arcsin(front / (length - goal_size))
        spread[under], reach[length <= own + goal_size] = np.pi, np.pi
        return cls(under, under | between, under | (between & (apart <= spread + reach)))


def gathered(corners: Floats, wanted: Bools) -> Floats:
    """The polygons each row wants (r, k, e, 2), padded with ones that stand nowhere near."""
    return padded(corners, *packed(wanted))


def padded(corners: Floats, index: Ints, real: Bools) -> Floats:
    """The same from the columns a mask names."""
    chosen = corners[index]
    chosen[~real] = NOWHERE
    return chosen

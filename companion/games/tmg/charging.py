"""Charges: sight, room to align, reach and path (TMG-CHG-1..18), for many pairs at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.games.tmg.aligning import Alignment, alignments
from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.dice import charge_chance, needed_roll
from companion.games.tmg.looking import looks_of
from companion.games.tmg.report import Charge, Placement, Zone
from companion.geometry.advance import NOWHERE, Path, Ways, free_advance, turned_to
from companion.geometry.answer import SURE_SIGMAS, YES, Answer, both, judge, no
from companion.geometry.glimpse import Eye
from companion.geometry.sight import FEW, sees
from companion.geometry.solids import Solids
from companion.geometry.trays import Bools, Floats, Ints, Trays, packed

HIGHEST_ROLL = 6
"""TMG-CHG-4: Speed + the highest die result."""
ROUGH_IN = 1.0
"""TMG-TER-17."""
FAR_IN = 1000.0
FELT = frozenset(("dangerous", "destructible", "fortified", "hindering", "rough"))
"""Keywords a charge feels when it crosses a piece (TMG-TER-5, -10, -14, -17, -19)."""


@dataclass(frozen=True, slots=True)
class Run:
    """The way one unit would charge another, whoever else may forbid it."""

    answer: Answer
    room: Answer
    distance_in: float | None
    sigma_in: float = 0.0
    heading: float | None = None
    effects: tuple[str, ...] = ()
    align: tuple[Placement, ...] = ()


def runs(
    field: Battlefield, mover: Ints, target: Ints, zones: list[Zone], hopeless: Bools
) -> list[Run]:
    """Reach, path and room of these pairs.

    Among obstacles no path is sought for the `hopeless`: those that are engaged or do not see
    the target may not charge, whatever the way.
    """
    free = free_advance(field.trays, mover, target)
    speed = np.array([unit.speed for unit in field.units], dtype=float)[mover]
    sigma = distance_sigma(field.trays, mover, target)
    limit = speed + HIGHEST_ROLL
    near = np.flatnonzero(free.travel <= limit + SURE_SIGMAS * sigma + 1e-6)
    headings = np.degrees(free.heading[:, 0]) % 360
    told = zip(*(one.tolist() for one in (limit, free.travel, sigma, headings)), strict=True)
    result = [
        Run(judge(most - way, "TMG-CHG-4", sigma_in=doubt), YES, way, doubt, heading)
        for most, way, doubt, heading in told
    ]
    if len(near):
        paths = Paths.of(field, mover[near], target[near])
        rooms = alignments(field, mover[near], target[near], [zones[row] for row in near])
        found = paths.find(free.travel[near], free.heading[near], hopeless[near])
        limits, sigmas = limit[near].tolist(), sigma[near].tolist()
        told_near = zip(near.tolist(), found, rooms, limits, sigmas, strict=True)
        for row, path, room, most, doubt in told_near:
            result[row] = run_of(field, path, room, most, doubt)
    return result


def run_of(field: Battlefield, path: Found, room: Alignment, limit: float, sigma: float) -> Run:
    """The run along a path that was found (or not)."""
    if path.best is None:
        answer = no() if path.unsought else no(*field.edition.no_path)
        return Run(answer, room.answer, None, align=room.placements)
    distance = path.best.total_in
    answer = judge(limit - distance, "TMG-CHG-4", sigma_in=sigma)
    if path.doubtful:
        answer = both(answer, Answer("unsure", field.edition.no_path, None, 0.5))
    return Run(
        answer,
        room.answer,
        distance,
        sigma,
        float(np.degrees(path.best.heading_rad) % 360),
        path.effects,
        room.placements,
    )


def charge_of(field: Battlefield, place: int, sight: Answer, zone: Zone, run: Run) -> Charge:
    """The verdict on one charge from all its criteria."""
    free = field.unengaged[place]
    doubts = [] if run.room else [run.room]
    if not sight:
        doubts.insert(0, Answer(sight.verdict, ("TMG-CHG-2",), None, sight.chance))
    if not free:
        doubts.insert(0, Answer(free.verdict, ("TMG-CHG-1",), free.margin_in, free.chance))
    answer = both(*doubts, run.answer) if doubts else run.answer
    needs = None
    chance = 0.0
    if run.distance_in is not None:
        needs = needed_roll(run.distance_in, field.units[place].speed)
        if answer.verdict != "no" and needs is not None:
            chance = charge_chance(needs, field.edition.year, "hindering" in run.effects)
    return Charge(
        answer,
        zone,
        run.distance_in,
        needs,
        chance,
        run.heading,
        run.effects,
        run.align,
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
        )

    def find(self, travel: Floats, headings: Floats, hopeless: Bools) -> list[Found]:
        """The shortest path of every pair; the closed form where nothing lies in the way."""
        count = len(self.mover)
        rows = np.arange(count, dtype=np.intp)
        both_rows, both_headings = np.repeat(rows, 2), headings.reshape(-1)
        way = np.maximum(np.repeat(travel, 2), 0.0)
        meets = self.swept(both_rows, both_headings, way, self.solids(-SURE_SIGMAS))
        trouble: Bools = np.any(meets & (self.stops | self.slows)[both_rows], axis=1)
        clear = ~trouble & ~self.under_bars(both_rows, both_headings)
        clear &= (np.repeat(travel, 2) >= 0) & ~self.starts_slow[both_rows]
        screened = np.flatnonzero(
            clear & np.any(meets & self.hides[both_rows], axis=1) & ~hopeless[both_rows]
        )
        clear[screened] = self.in_sight(both_rows[screened], both_headings[screened])
        felt = np.where(clear, (meets & self.felt).sum(axis=1), len(self.felt) + 1)
        side = np.argmin(felt.reshape(count, 2), axis=1)
        easy = clear.reshape(count, 2).any(axis=1)
        best: list[Path | None] = [
            Path(float(headings[row, side[row]]), float(travel[row]), float(travel[row]))
            for row in rows
        ]
        doubtful = np.zeros(count, dtype=bool)
        hard = np.flatnonzero(~easy & ~hopeless)
        if len(hard):
            self.solve(hard, best, doubtful)
        unsought = ~easy & hopeless
        for row in np.flatnonzero(unsought):
            best[row] = None
        effects = self.effects(best)
        return list(map(Found, best, doubtful.tolist(), effects, unsought.tolist()))

    def solids(self, sigmas: float) -> Solids:
        """Everything solid, trays eased by so many sigmas."""
        if self.field.trays.exact or sigmas == 0.0:
            return self.field.solids
        trays = self.field.trays
        return Solids.of(trays, self.field.walls, sigmas * trays.spread)

    def swept(self, rows: Ints, headings: Floats, travel: Floats, solids: Solids) -> Bools:
        """What the pivoted trays meet on their ways (k, q)."""
        trays, place = self.field.trays, self.mover[rows]
        forward = np.stack([np.cos(headings), np.sin(headings)], axis=-1)
        centre = trays.centre[place] + forward * (travel / 2)[:, None]
        half = trays.half[place].copy()
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

    @property
    def starts_slow(self) -> Bools:
        """(m,): whether the unit leaves Rough ground (TMG-TER-17)."""
        return self.field.on_rough[self.mover]

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
            best[row] = best[row] or loose
            path = best[row]
            if path is not None and path.total_in <= limit:
                doubtful[row] = tight is None or tight.total_in > limit

    def ways(self, rows: Ints, sigmas: float) -> Ways:
        """The questions of these pairs, with obstacles eased by so many sigmas."""
        field, mover, target = self.field, self.mover[rows], self.target[rows]
        corners = self.solids(sigmas).corners
        near, under = self.about(mover, target, corners)
        screened: Bools = np.any(near & self.hides[rows], axis=1)

        def in_sight(asked: Ints, headings: Floats) -> Bools:
            seen = ~screened[asked]
            rest = np.flatnonzero(~seen)
            seen[rest] = self.in_sight(rows[asked[rest]], headings[rest])
            return seen

        return Ways(
            field.trays.centre[mover],
            field.trays.half[mover],
            field.solids.corners[target],
            gathered(corners, near & self.stops[rows]),
            gathered(corners, under & self.bars[rows]),
            gathered(corners, near & self.slows),
            ROUGH_IN,
            self.starts_slow[rows],
            in_sight,
        )

    def in_sight(self, rows: Ints, headings: Floats) -> Bools:
        """Whether the targets are still seen after these pivots (TMG-CHG-9)."""
        place = self.mover[rows]
        if len(rows) > FEW:
            eyes = self.field.trays.take(place).turned(headings)
            return sees(looks_of(self.field, place, self.target[rows], eyes), self.field.blockers)
        asked = zip(place.tolist(), self.target[rows].tolist(), headings.tolist(), strict=True)
        return np.array([self.still_sees(*one) for one in asked], dtype=bool)

    def still_sees(self, mover: int, target: int, heading: float) -> bool:
        """The same of one pivot."""
        ground, slope = self.field.blockers.ground, float(self.field.trays.tan_arc[mover])
        tray = ground.boxes[mover].turned(heading)
        exempt, _ = self.field.footing(tray, shot=False)
        eye = Eye(*tray.front, tray.cos, tray.sin, tray.wide, slope)
        return ground.look(eye, mover, target, exempt, False).seen

    def about(self, mover: Ints, target: Ints, corners: Floats) -> tuple[Bools, Bools]:
        """(r, q): solids that may come in the way of a charge, or lie under a turning tray.

        All a sweep covers until it touches lies in the hull of the mover's turning circle and
        the target widened by the mover's front; and ahead of a pivot that reaches the target.
        """
        trays, every = self.field.trays, np.arange(len(mover))
        middle = corners.mean(axis=1)
        size = np.hypot(*np.moveaxis(corners - middle[:, None], 2, 0)).max(axis=1)
        start, front = trays.centre[mover], trays.half[mover, 1:]
        turning = np.hypot(trays.half[mover, 0], trays.half[mover, 1])[:, None]
        away = middle - start[:, None]
        distance = np.hypot(away[..., 0], away[..., 1])
        under = distance <= turning + size
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.arcsin(size / distance) + np.arcsin(front / (distance - size))
        spread[under] = np.pi
        facing = np.arctan2(away[..., 1], away[..., 0])
        apart = np.abs(turned_to(0.0, facing - facing[every, target][:, None]))
        ahead = apart <= spread + spread[every, target][:, None]
        goal, reach = away[every, target], (distance + size)[every, target]
        length2 = np.maximum((goal * goal).sum(axis=1), 1e-12)[:, None]
        part = np.clip((away * goal[:, None]).sum(axis=2) / length2, 0.0, 1.0)
        miss = away - part[..., None] * goal[:, None]
        wide = np.maximum(turning, size[target][:, None] + 2 * front)
        near = np.hypot(miss[..., 0], miss[..., 1]) <= wide + size
        return under | (near & ahead & (distance - size <= reach[:, None])), under

    def effects(self, paths: list[Path | None]) -> list[tuple[str, ...]]:
        """Keywords of the pieces each charge crosses (OR-24)."""
        felt: list[tuple[str, ...]] = [()] * len(paths)
        if not self.felt.any():
            return felt
        rows = np.array([row for row, path in enumerate(paths) if path], dtype=np.intp)
        if not len(rows):
            return felt
        real = [path for path in paths if path]
        headings = np.array([path.heading_rad for path in real])
        travel = np.array([path.travel_in for path in real])
        meets = self.swept(rows, headings, travel, self.field.solids) & self.felt
        slow = self.starts_slow
        terrain = self.field.table.terrain
        for row, met in zip(rows, meets, strict=True):
            pieces = self.field.walls.piece[np.flatnonzero(met[len(self.field.units) :])]
            words = {word for piece in set(pieces.tolist()) for word in terrain[piece].keywords}
            words &= self.felt_words()
            if slow[row]:
                words.add("rough")
            felt[row] = tuple(sorted(words))
        return felt

    def felt_words(self) -> frozenset[str]:
        """What a charge feels in this edition."""
        return FELT if self.field.edition.crushes else FELT - {"destructible"}


def gathered(corners: Floats, wanted: Bools) -> Floats:
    """The polygons each row wants (r, k, e, 2), padded with ones that stand nowhere near."""
    index, real = packed(wanted)
    chosen = corners[index]
    chosen[~real] = NOWHERE
    return chosen

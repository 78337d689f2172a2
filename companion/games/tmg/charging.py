"""Charges: sight, room to align, reach and path (TMG-CHG-1..18), for many pairs at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.games.tmg.aligning import Alignment, alignments
from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.dice import charge_chance, needed_roll
from companion.games.tmg.looking import looks_of
from companion.games.tmg.report import Charge, Placement, Zone
from companion.geometry.advance import Path, Way, free_advance
from companion.geometry.answer import SURE_SIGMAS, YES, Answer, both, judge, no
from companion.geometry.sight import sees
from companion.geometry.solids import Solids
from companion.geometry.trays import Bools, Floats, Ints, Trays

HIGHEST_ROLL = 6
"""TMG-CHG-4: Speed + the highest die result."""
ROUGH_IN = 1.0
"""TMG-TER-17."""
FAR_IN = 1000.0
FELT = ("dangerous", "destructible", "fortified", "hindering", "rough")
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


def runs(field: Battlefield, mover: Ints, target: Ints, zones: list[Zone]) -> list[Run]:
    """Reach, path and room of these pairs."""
    trays = field.trays
    free = free_advance(trays, mover, target)
    speed = np.array([field.units[place].speed for place in mover], dtype=float)
    sigma = distance_sigma(trays, mover, target)
    limit = speed + HIGHEST_ROLL
    within = free.travel <= limit + SURE_SIGMAS * sigma + 1e-6
    result: list[Run | None] = [None] * len(mover)
    for row in np.flatnonzero(~within):
        reach = judge(float(limit[row] - free.travel[row]), "TMG-CHG-4", sigma_in=float(sigma[row]))
        heading = float(np.degrees(free.heading[row, 0]) % 360)
        result[row] = Run(reach, YES, float(free.travel[row]), float(sigma[row]), heading)
    near = np.flatnonzero(within)
    if len(near):
        paths = Paths.of(field, mover[near], target[near])
        rooms = alignments(field, mover[near], target[near], [zones[row] for row in near])
        for number, row in enumerate(near):
            path = paths.find(number, free.travel[row], free.heading[row])
            result[row] = run_of(field, path, rooms[number], float(limit[row]), float(sigma[row]))
    return [run for run in result if run is not None]


def run_of(field: Battlefield, path: Found, room: Alignment, limit: float, sigma: float) -> Run:
    """The run along a path that was found (or not)."""
    if path.best is None:
        return Run(no(*field.edition.no_path), room.answer, None, align=room.placements)
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
    unengaged = field.unengaged[place]
    seen = sight if sight else Answer(sight.verdict, ("TMG-CHG-2",), None, sight.chance)
    free = (
        unengaged
        if unengaged
        else Answer(unengaged.verdict, ("TMG-CHG-1",), unengaged.margin_in, unengaged.chance)
    )
    answer = both(free, seen, run.room, run.answer)
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
    """One sigma of the distances: both places and the target's turn; the mover's is pivoted away."""
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

    def find(self, row: int, travel: float, headings: Floats) -> Found:
        """The shortest path of one pair; the closed form where nothing lies in the way."""
        if travel >= 0:
            meets = self.swept(row, headings, np.array([travel, travel]), self.solids(-SURE_SIGMAS))
            trouble = meets & (self.stops[row] | self.hides[row] | self.slows)
            clear = ~trouble.any(axis=1) & ~self.under_bars(row, headings)
            if clear.any() and not self.starts_slow(row):
                sides = np.flatnonzero(clear)
                felt = [int((meets[side] & self.felt).sum()) for side in sides]
                side = int(sides[int(np.argmin(felt))])
                best = Path(float(headings[side]), float(travel), float(travel))
                return Found(best, False, self.effects(row, best))
        return self.solve(row)

    def solids(self, sigmas: float) -> Solids:
        """Everything solid, trays eased by so many sigmas."""
        if self.field.trays.exact or sigmas == 0.0:
            return self.field.solids
        trays = self.field.trays
        return Solids.of(trays, self.field.walls, sigmas * trays.spread)

    def swept(self, row: int, headings: Floats, travel: Floats, solids: Solids) -> Bools:
        """What the pivoted tray meets on its way (a, q)."""
        trays, place = self.field.trays, self.mover[row]
        forward = np.stack([np.cos(headings), np.sin(headings)], axis=-1)
        centre = trays.centre[place] + forward * (travel / 2)[:, None]
        half = np.stack(
            [trays.half[place, 0] + travel / 2, np.full(len(headings), trays.half[place, 1])],
            axis=-1,
        )
        return solids.meet(centre, forward, half)

    def bars(self, row: int) -> Bools:
        """Trays the first pivot may not end over though the move may pass them (TMG-MOV-4)."""
        friends = np.zeros(len(self.field.solids), dtype=bool)
        if not self.field.edition.pivot_over_friends:
            friends[: len(self.field.units)] = ~self.field.enemies[self.mover[row]]
            friends[self.mover[row]] = False
        return friends

    def under_bars(self, row: int, headings: Floats) -> Bools:
        """Whether a pivoted tray ends over a tray it may not end over."""
        bars = self.bars(row)
        if not bars.any():
            return np.zeros(len(headings), dtype=bool)
        still = self.swept(row, headings, np.zeros(len(headings)), self.field.solids)
        return np.asarray((still & bars).any(axis=1))

    def starts_slow(self, row: int) -> bool:
        """Whether the unit leaves Rough ground (TMG-TER-17)."""
        on = self.field.on_piece[self.mover[row]]
        return bool((on & self.field.having("rough")).any())

    def solve(self, row: int) -> Found:
        """The shortest path among obstacles, and whether the measurement leaves it in doubt."""
        best = self.way(row, 0.0).shortest(FAR_IN)
        doubtful = False
        if not self.field.trays.exact:
            sure = self.way(row, -SURE_SIGMAS).shortest(FAR_IN)
            limit = self.field.units[self.mover[row]].speed + HIGHEST_ROLL
            if sure is None or (sure.total_in > limit and (best is None or best.total_in <= limit)):
                lenient = best or self.way(row, SURE_SIGMAS).shortest(FAR_IN)
                doubtful = lenient is not None
                best = lenient
        return Found(best, doubtful, self.effects(row, best) if best else ())

    def way(self, row: int, sigmas: float) -> Way:
        """The question of one pair, with obstacles eased by so many sigmas."""
        field, place, goal = self.field, int(self.mover[row]), int(self.target[row])
        solids = self.solids(sigmas)
        corners = solids.corners
        hidden = bool(self.hides[row].any())

        def in_sight(headings: Floats) -> Bools:
            if not hidden:
                return np.ones(len(headings), dtype=bool)
            count = len(headings)
            trays = field.trays
            eyes = Trays.placed(
                np.broadcast_to(trays.centre[place], (count, 2)),
                headings,
                np.broadcast_to(trays.half[place], (count, 2)),
                np.full(count, trays.tan_arc[place]),
                np.zeros(count),
                np.zeros(count),
            )
            looks = looks_of(field, np.full(count, place), np.full(count, goal), eyes)
            return sees(looks, field.sight_blockers)

        return Way(
            field.trays.centre[place],
            field.trays.half[place],
            field.trays.corners[goal],
            corners[self.stops[row]],
            corners[self.bars(row)],
            corners[self.slows],
            ROUGH_IN,
            self.starts_slow(row),
            in_sight,
        )

    def effects(self, row: int, path: Path) -> tuple[str, ...]:
        """Keywords of the pieces the charge crosses (OR-24)."""
        meets = self.swept(
            row, np.array([path.heading_rad]), np.array([path.travel_in]), self.field.solids
        )[0]
        parts = np.flatnonzero((meets & self.felt)[len(self.field.units) :])
        pieces = {int(self.field.walls.piece[part]) for part in parts}
        words = {
            word
            for piece in pieces
            for word in self.field.table.terrain[piece].keywords
            if word in FELT and (word != "destructible" or self.field.edition.crushes)
        }
        if self.starts_slow(row):
            words.add("rough")
        return tuple(sorted(words))

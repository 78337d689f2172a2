"""The paths of charges among obstacles: what may stop, hide, turn away or slow them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.found import Asked, Found, Search
from companion.games.tmg.looking import looks_of
from companion.games.tmg.pivoting import swing_from
from companion.games.tmg.vicinity import Vicinity
from companion.geometry.advance import (
    NOWHERE,
    Each,
    Minded,
    Path,
    Ways,
)
from companion.geometry.answer import SURE_SIGMAS, eased_chance
from companion.geometry.glimpse import Watch
from companion.geometry.plain import Part, Spot
from companion.geometry.shut import shut
from companion.geometry.sight import FEW, Looks, sees
from companion.geometry.solids import Solids
from companion.geometry.swing import Swing
from companion.geometry.trays import Bools, Floats, Ints, joined, packed

HIGHEST_ROLL = 6
"""TMG-CHG-4: Speed + the highest die result."""
ROUGH_IN = 1.0
"""TMG-TER-17."""
FELT = frozenset(("dangerous", "destructible", "fortified", "hindering", "rough"))
"""Keywords a charge feels when it crosses a piece (TMG-TER-5, -10, -14, -17, -19)."""
MINDED = {"hindering": 8.0, "dangerous": 4.0, "fortified": 2.0, "destructible": 1.0}
"""Of equally short ways a player takes the one that costs the charge least."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A unit that looks at another after one pivot or the other (TMG-CHG-9)."""

    field: Battlefield
    place: int
    watch: Watch
    floor: list[Part]  # what may lie under it

    @classmethod
    def of(cls, field: Battlefield, place: int, goal: int) -> Glance:
        """The unit where it stands."""
        watch = field.blockers.ground.watch(place, goal, 0.0)
        return cls(field, place, watch, field.parts_about(place, 0.0))

    def after(self, heading: float) -> bool:
        """Whether it sees the target when it faces that way."""
        tray = self.field.blockers.ground.boxes[self.place].turned(heading)
        exempt, _ = self.field.footing(tray, False, self.floor)
        return self.watch.look(self.field.eye(self.place, tray), exempt).seen


@dataclass(frozen=True, slots=True, eq=False)
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
    glances: dict[int, Glance]  # of those that looked
    swings: dict[tuple[int, float], Swing]  # of those near walls
    asked: dict[int, list[Asked]]  # what each search wanted to know
    searches: dict[int, Search]

    @classmethod
    def of(cls, field: Battlefield, mover: Ints, target: Ints) -> Paths:
        """What matters to these pairs."""
        rows, units = np.arange(len(mover)), len(field.units)
        stops = np.empty((len(mover), units + len(field.walls)), dtype=bool)
        stops[:, :units], stops[:, units:] = field.enemies[mover], field.parts_having("impassable")
        hides = np.empty_like(stops)
        hides[:, :units] = ~stops[:, :units]
        hides[:, units:] = field.parts_having("blocks-line-of-sight")
        stops[rows, target] = hides[rows, mover] = False
        none, minds = np.zeros(units, dtype=bool), np.zeros(stops.shape[1])
        if field.having(*MINDED).any():
            minds[units:] = minded_parts(field)
        return cls(
            field,
            mover,
            target,
            stops,
            hides,
            np.concatenate([none, field.parts_having("rough")]),
            np.concatenate([none, field.parts_having(*FELT)]),
            minds,
            near_walls(field)[mover],
            {},
            {},
            {},
            {},
        )

    def find(
        self,
        best: list[Path | None],
        blocked: Bools,
        hopeless: Bools,
        plain: Bools,
        meets: Bools | None,
    ) -> list[Found]:
        """Other paths where the best is blocked, and what all of them cross.

        `meets` (m, q) tells what the best meet, where that is known.
        """
        likely, walled = np.ones(len(best)), np.zeros(len(best), dtype=bool)
        hard = np.flatnonzero(blocked & ~hopeless)
        if len(hard):
            closed = self.shut(hard)
            for row in hard[closed].tolist():
                best[row] = None
            if not closed.all():
                self.solve(hard[~closed], best, likely, walled)
        unsought = (blocked & hopeless).tolist()
        best = [None if never else path for path, never in zip(best, unsought, strict=True)]
        effects = self.effects(best, meets, blocked)
        flags = (one.tolist() for one in (plain, walled, ~hopeless, blocked & ~hopeless))
        asked = (tuple(self.asked.get(row, ())) for row in range(len(best)))
        searches = map(self.searches.get, range(len(best)))
        told = (best, likely.tolist(), effects, unsought, *flags, asked, searches)
        return list(map(Found, *told))

    def solids(self, sigmas: float) -> Solids:
        """Everything solid, trays eased by so many sigmas."""
        if self.field.exact or sigmas == 0.0:
            return self.field.solids
        trays = self.field.trays
        return Solids.of(trays, self.field.walls, sigmas * trays.spread)

    def swept(
        self, rows: Ints, headings: Floats, travel: Floats, solids: Solids, sigmas: float = 0.0
    ) -> Bools:
        """What the pivoted trays, grown by so many of their sigmas, meet on their ways (k, q)."""
        trays, place = self.field.trays, self.mover[rows]
        forward = joined(np.cos(headings), np.sin(headings))
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
        """Whether pivoted trays (k,) end, or may end, over a tray they may not end over."""
        if self.field.edition.pivot_over_friends:
            return np.zeros(len(rows), dtype=bool)
        travel, solids = np.zeros(len(rows)), self.solids(-SURE_SIGMAS)
        still = self.swept(rows, headings, travel, solids, SURE_SIGMAS)
        return np.asarray((still & self.bars[rows]).any(axis=1))

    def walled_in(self, rows: Ints, headings: Floats) -> Bools:
        """Whether units cannot turn so: an Impassable piece lies in the swing (TMG-TER-16)."""
        barred = np.zeros(len(rows), dtype=bool)
        level = 0.0 if self.field.exact else -SURE_SIGMAS
        for asked in np.flatnonzero(self.near_walls[rows]).tolist():
            swing = self.swing(int(rows[asked]), level)
            barred[asked] = swing.bars_turn(float(headings[asked]))
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
        pairs = zip(self.mover[rows].tolist(), self.target[rows].tolist(), strict=True)
        return np.array([is_shut(self.field, *pair) for pair in pairs], dtype=bool)

    def solve(self, hard: Ints, best: list[Path | None], likely: Floats, walled: Bools) -> None:
        """The shortest paths among obstacles, and whether the measurement leaves them in doubt."""
        levels = (0.0,) if self.field.exact else (0.0, -SURE_SIGMAS, SURE_SIGMAS)
        found, *others = solved = [self.ways(hard, sigmas).solve() for sigmas in levels]
        walled[hard] = found.walled
        ground, refusals = self.field.blockers.ground, [one.refusals for one in solved]
        for number, row in enumerate(hard.tolist()):
            best[row] = found.paths[number]
            ways = [path for one in solved if (path := one.paths[number])]
            self.searches[row] = Search(ways, refusals, number, ground)
        if not others:
            return
        sure, lenient = (one.paths for one in others)
        for row, tight, loose in zip(hard, sure, lenient, strict=True):
            limit = self.field.units[self.mover[row]].speed + HIGHEST_ROLL
            grown = SURE_SIGMAS * float(self.field.trays.spread[self.mover[row]])
            path = best[row]
            if loose is not None and (path is None or loose.total_in <= limit < path.total_in):
                best[row] = path = loose  # a gap that may be wide enough after all
                likely[row], walled[row] = self.likely(int(row)), False
                self.searches.pop(int(row))  # how likely it is hangs on more searches than these
            elif (
                path is not None
                and path.total_in <= limit
                and (tight is None or tight.total_in + grown > limit)
            ):
                likely[row] = self.likely(int(row))  # the grown tray's front is so much nearer
                self.searches.pop(int(row))

    def likely(self, row: int) -> float:
        """How likely a way is open that is so only if things lie a little elsewhere."""
        limit = self.field.units[self.mover[row]].speed + HIGHEST_ROLL
        spread = float(self.field.trays.spread[self.mover[row]])

        def found(sigmas: float) -> bool:
            (path,) = self.ways(np.array([row]), sigmas).shortest()
            return path is not None and path.total_in + max(-sigmas, 0.0) * spread <= limit

        return eased_chance(found)

    def ways(self, rows: Ints, sigmas: float) -> Ways:
        """The questions of these pairs, with obstacles eased by so many sigmas."""
        field, mover, target = self.field, self.mover[rows], self.target[rows]
        corners = self.solids(sigmas).corners
        about = Vicinity.of(field.trays, mover, target, corners)
        screened: Bools = np.any(about.between & self.hides[rows], axis=1)

        def in_sight(asked: Ints, headings: Floats) -> Bools:
            seen = ~screened[asked]
            rest = np.flatnonzero(~seen)
            seen[rest] = self.in_sight(rows[asked[rest]], headings[rest])
            told = (rows[asked], headings, seen)
            for row, heading, seen_there in zip(*(one.tolist() for one in told), strict=True):
                self.asked.setdefault(row, []).append((heading, seen_there))
            return seen

        stops, stopping = packed(about.ahead & self.stops[rows])
        bars, barring = packed(about.under & self.bars[rows])
        slow, slowing = packed(about.ahead & self.slows)
        limited = np.flatnonzero(self.near_walls[rows]).tolist()
        swings = {number: self.swing(int(rows[number]), sigmas) for number in limited}
        swings = {number: swing for number, swing in swings.items() if not swing.free}
        return Ways(
            field.trays.centre[mover],
            np.maximum(field.trays.half[mover] - sigmas * field.trays.spread[mover][:, None], 1e-3),
            field.solids.corners[target],
            padded(corners, stops, stopping),
            padded(corners, bars, barring),
            padded(corners, slow, slowing),
            ROUGH_IN,
            self.starts_slow[rows],
            in_sight,
            np.arctan2(field.trays.forward[mover, 1], field.trays.forward[mover, 0]),
            np.concatenate([np.where(stopping, stops, -1), np.where(barring, bars, -1)], axis=1),
            self.each(rows, slow, slowing) if field.readings.rough == "each" else None,
            swings,
            self.minded(corners, about.ahead, slow, slowing),
        )

    def minded(self, corners: Floats, ahead: Bools, slow: Ints, slowing: Bools) -> Minded:
        """The pieces with an effect on the charge, besides Rough that has its price."""
        index, real = packed(ahead & (self.minds > 0) & ~self.slows)
        return Minded(
            padded(corners, index, real),
            np.where(slowing, self.minds[slow], 0.0),
            np.where(real, self.minds[index], 0.0),
        )

    def each(self, rows: Ints, slow: Ints, slowing: Bools) -> Each:
        """The Rough pieces as polygons to pay for one by one (OR-26)."""
        field = self.field
        owner = np.concatenate([np.full(len(field.units), -1), field.walls.piece])
        begun = field.on_piece[self.mover[rows]] & field.having("rough")
        return Each(np.where(slowing, owner[slow], -1), begun)

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
        if row not in self.glances:
            self.glances[row] = Glance.of(self.field, int(self.mover[row]), int(self.target[row]))
        return self.glances[row].after(heading)

    def effects(
        self, paths: list[Path | None], met: Bools | None, others: Bools
    ) -> list[tuple[str, ...]]:
        """Keywords of the pieces each charge crosses (OR-24).

        What it meets (m, q) is known already, but for that of the `others`.
        """
        felt: list[tuple[str, ...]] = [()] * len(paths)
        rows = [row for row, path in enumerate(paths) if path]
        if not self.felt.any() or not rows:
            return felt
        if met is None:
            met, others = np.zeros(self.stops.shape, dtype=bool), np.ones(len(paths), dtype=bool)
        again = [row for row in rows if others[row]]
        if again:
            real = [path for row in again if (path := paths[row])]
            headings = np.array([path.heading_rad for path in real])
            travel = np.array([path.travel_in for path in real])
            swept = self.swept(np.array(again), headings, travel, self.field.solids.parts)
            met[again, len(self.field.units) :] = swept
        meets = met[rows, len(self.field.units) :]
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


def is_shut(field: Battlefield, place: int, goal: int) -> bool:
    """Whether something stops a charge whatever the pivot, however it was measured."""
    ground = field.blockers.ground
    mover, target, trays = ground.boxes[place], ground.boxes[goal], ground.eased(SURE_SIGMAS)
    far = math.hypot(target.x - mover.x, target.y - mover.y)
    stops: list[Sequence[Spot]] = []
    for other in field.opponents[place]:
        tray = trays[other][0]
        if (
            math.hypot(tray.x - mover.x, tray.y - mover.y) < far
            and tray.deep > 0 < tray.wide
            and other != goal
        ):
            stops.append(tray.corners())
    stops += [part.corners for part in field.parts_with("impassable")]
    eased = mover.wide - SURE_SIGMAS * ground.spread[place]
    return shut(mover._replace(wide=max(eased, 1e-3)), target, stops)


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


def padded(corners: Floats, index: Ints, real: Bools) -> Floats:
    """The polygons each row names (r, k, e, 2); those not real stand nowhere near."""
    chosen = corners[index]
    chosen[~real] = NOWHERE
    return chosen

"""A table prepared for rules queries: trays and terrain as arrays, enemies, contact, caches."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.rulebook import (
    CONTACT_IN,
    COVERS,
    HIDES,
    RAISES,
    RANGES_IN,
    SHIFT_IN,
    SLOWS,
    Edition,
    edition_of,
    farthest_in,
)
from companion.geometry.plane.answer import SURE_SIGMAS, YES, Answer, eased_chance, judge
from companion.geometry.plane.motion.obstacles import Swing
from companion.geometry.plane.sight.los_query import LosObstacles
from companion.geometry.plane.sight.scalar_shapes import (
    ConvexPart,
    OrientedRect,
    ViewEdge,
    plain_parts,
)
from companion.geometry.plane.solids import Solids, Walls
from companion.geometry.plane.trays import Bools, Floats, Pairs, Trays, measure
from models import Attack, Table, Tray, Unit

AT_A_CORNER = Answer("unsure", ("TMG-GLO-11",), None, 0.5)
"""Whether enemies that meet only at a corner are in contact where the players say it (OR-49)."""
Pair = tuple[int, int]
"""The indices of two units."""
Spans = list[tuple[float, float]]
"""Closed intervals of distances, in order."""


MOST_CHANCES = 120_000
"""Pairs of enemies times obstacles: with more, nobody waits for the exact chance of the unsure."""


@dataclass(frozen=True)
class Battlefield:
    """One table under one edition and one set of readings, with cached derived values."""

    table: Table
    readings: Readings = Readings()
    _having: dict[tuple[str, ...], Bools] = field(default_factory=dict, repr=False)
    _parts: dict[tuple[str, ...], list[ConvexPart]] = field(default_factory=dict, repr=False)
    _footings: dict[tuple[int, bool], tuple[list[bool], bool]] = field(
        default_factory=dict, repr=False
    )
    open_shifts: dict[tuple[int, float], list[Spans]] = field(default_factory=dict, repr=False)
    """Cache: the free shift distances, by unit and sigmas (see `movement.shifts`)."""
    swings: dict[tuple[int, float], Swing] = field(default_factory=dict, repr=False)
    """Cache: how far units may turn, by unit and enlargement (see `movement.pivots`)."""

    @cached_property
    def edition(self) -> Edition:
        """The edition of the table's game."""
        return edition_of(self.table.game)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units in the table's order; all arrays are indexed like this."""
        return self.table.units

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each unit by id."""
        return {unit.id: place for place, unit in enumerate(self.units)}

    @cached_property
    def trays(self) -> Trays:
        """The trays, with arc lines by the players' reading (OR-2)."""
        return Trays.of(self.units, [arc_angle(unit.tray, self.readings) for unit in self.units])

    @cached_property
    def exact(self) -> bool:
        """Whether every pose is exact."""
        return self.trays.exact

    @cached_property
    def crowded(self) -> bool:
        """Whether this is far more than any game lays out: some answers are then coarser."""
        return int(self.enemies.sum()) * (len(self.units) + len(self.parts)) > MOST_CHANCES

    @cached_property
    def coarse(self) -> bool:
        """Whether it is crowded and measured: only what is near, or certain, is worked out."""
        return self.crowded and not self.exact

    def chance(self, holds: Callable[[float], bool]) -> float:
        """The probability of what depends on the measurement error (see `eased_chance`)."""
        return 0.5 if self.crowded else eased_chance(holds)

    @cached_property
    def pairs(self) -> Pairs:
        """Gaps, ranges and relative corners of all pairs."""
        return measure(self.trays)

    @cached_property
    def enemies(self) -> Bools:
        """(n, n): whether two units belong to different sides."""
        names = {side: number for number, side in enumerate(self.table.sides())}
        side = np.array([names[unit.side] for unit in self.units], dtype=int)
        return side[:, None] != side[None, :]

    @cached_property
    def opponents(self) -> tuple[list[int], ...]:
        """For every unit the indices of its enemies."""
        return tuple([np.flatnonzero(row).tolist() for row in self.enemies])

    @cached_property
    def walls(self) -> Walls:
        """All terrain pieces, regardless of keywords."""
        return Walls.of([piece.outline for piece in self.table.terrain])

    @cached_property
    def solids(self) -> Solids:
        """Trays, then terrain parts."""
        return Solids.of(self.trays, self.walls)

    @cached_property
    def on_piece(self) -> Bools:
        """(n, pieces): whether a tray overlaps a piece at all (OR-24)."""
        result = np.zeros((len(self.units), len(self.table.terrain)), dtype=bool)
        trays = self.trays
        part = self.solids.parts.meet(trays.centre, trays.forward, trays.half)
        for number, piece in enumerate(self.walls.piece):
            result[:, piece] |= part[:, number]
        return result

    def footing(
        self, tray: OrientedRect, shot: bool, parts: Sequence[ConvexPart] | None = None
    ) -> tuple[list[bool], bool]:
        """For a viewer there: the pieces that do not block its line of sight, and whether none do.

        A unit sees out of the piece it stands on (TMG-TER-18, TMG-TER-6), and shoots from an
        Elevated one over everything (TMG-TER-8). `parts` are all that can lie under the tray.
        """
        exempt = list(self._exempt_from_shots if shot else self._exempt_from_sight)
        freed = False
        for part in self.parts if parts is None else parts:
            if part.lies_under(tray):
                exempt[part.piece] = True
                freed = freed or (shot and bool(self.having(*RAISES)[part.piece]))
        return exempt, freed

    def standing(self, place: int, shot: bool) -> tuple[list[bool], bool]:
        """The footing of a unit where it stands; cached."""
        if (place, shot) not in self._footings:
            self._footings[place, shot] = self.footing(self.obstacles.boxes[place], shot)
        return self._footings[place, shot]

    def eye(self, place: int, turned: OrientedRect | None = None) -> ViewEdge:
        """The front edge and arc of a unit; with `turned`, of that tray instead."""
        x, y, cos, sin, deep, wide = turned or self.obstacles.boxes[place]
        return ViewEdge(x + deep * cos, y + deep * sin, cos, sin, wide, self._slopes[place])

    def parts_about(self, place: int, spare: float) -> list[ConvexPart]:
        """The terrain parts a unit can stand on within `spare` of its position (broad phase)."""
        ground = self.obstacles
        tray, reach = ground.boxes[place], ground.radius[place] + spare
        return [
            part
            for part in self.parts
            if math.hypot(part.x - tray.x, part.y - tray.y) <= reach + part.radius
        ]

    @cached_property
    def _slopes(self) -> list[float]:
        return self.trays.tan_arc.tolist()

    @cached_property
    def _exempt_from_shots(self) -> list[bool]:
        return [not blocks for blocks in self.blocks_shots]

    @cached_property
    def _exempt_from_sight(self) -> list[bool]:
        return [not blocks for blocks in self.blocks_sight]

    @cached_property
    def parts(self) -> list[ConvexPart]:
        """The terrain parts as scalar shapes."""
        return plain_parts(self.walls)

    def having(self, *keywords: str) -> Bools:
        """(pieces,): which pieces have one of these keywords; cached."""
        if keywords not in self._having:
            self._having[keywords] = np.array(
                [not piece.keywords.isdisjoint(keywords) for piece in self.table.terrain],
                dtype=bool,
            )
        return self._having[keywords]

    def parts_with(self, *keywords: str) -> list[ConvexPart]:
        """The terrain parts of pieces with one of these keywords; cached."""
        if keywords not in self._parts:
            having = self.having(*keywords).tolist()
            self._parts[keywords] = [part for part in self.parts if having[part.piece]]
        return self._parts[keywords]

    def parts_having(self, *keywords: str) -> Bools:
        """(parts,): which terrain parts belong to a piece with one of these keywords."""
        return self.having(*keywords)[self.walls.piece]

    @cached_property
    def on_rough(self) -> Bools:
        """(n,): units standing on Rough ground."""
        return np.asarray((self.on_piece & self.having(*SLOWS)).any(axis=1))

    @cached_property
    def blocks_sight(self) -> Bools:
        """(pieces,): which pieces block line of sight for every purpose (TMG-TER-18)."""
        return self.having(*HIDES)

    @cached_property
    def blocks_shots(self) -> Bools:
        """(pieces,): which pieces block a shot: Cover too, if the edition says so (TMG-TER-6)."""
        if not self.edition.cover_blocks:
            return self.blocks_sight
        return self.having(*HIDES, *COVERS)

    @cached_property
    def cover_protects(self) -> bool:
        """Whether a piece between helps the defense instead of blocking (TMG-TER-6, 2018)."""
        return not self.edition.cover_blocks and bool(self.having(*COVERS).any())

    @cached_property
    def shots_see_otherwise(self) -> bool:
        """Whether a shot's line of sight differs from a charge's on this table."""
        raised = self.having(*RAISES).any()  # TMG-TER-8
        return bool(raised) or not np.array_equal(self.blocks_shots, self.blocks_sight)

    @cached_property
    def obstacles(self) -> LosObstacles:
        """Every tray (TMG-LOS-5) and all terrain that blocks line of sight or shots."""
        parts = self.parts_with(*HIDES, *COVERS)
        return LosObstacles.of(self.trays, parts, self.readings.through_piece == "any")

    @cached_property
    def gap_sigma(self) -> Floats:
        """(n, n): one sigma of each gap."""
        spread = self.trays.spread
        return np.hypot(spread[:, None], spread[None, :])

    @cached_property
    def charge_reach(self) -> Bools:
        """(n, n): whether the highest roll may bring a unit to another on a free path (TMG-CHG-4).

        On it, a front corner travels to the target's point nearest to the unit's centre.
        """
        half, far = self.trays.half, farthest_in(self.speed[:, None])
        most = far + half[:, :1] + SURE_SIGMAS * self.gap_sigma + 1e-6
        return np.asarray(np.hypot(most, half[:, 1:]) >= self.pairs.away)

    @cached_property
    def shot_reach(self) -> Bools:
        """(n, n): whether a unit is within range of another, or may be after a shift."""
        doubt = SURE_SIGMAS * self.gap_sigma + 1e-9
        return np.asarray(self.bows[:, None] + SHIFT_IN - self.pairs.range >= -doubt)

    @cached_property
    def speed(self) -> Floats:
        """(n,): the units' Speed."""
        return np.array([unit.speed for unit in self.units], dtype=float)

    @cached_property
    def bows(self) -> Floats:
        """(n,): the range of each unit's longest attack; -inf without one."""
        reach = [RANGES_IN[bow.kind] if bow else -math.inf for bow in self.bow]
        return np.array(reach, dtype=float)

    @cached_property
    def bow(self) -> tuple[Attack | None, ...]:
        """For every unit its attack with the longest range, or None."""
        return tuple(
            [
                max(unit.ranged, key=lambda attack: RANGES_IN[attack.kind], default=None)
                for unit in self.units
            ]
        )

    @cached_property
    def touching(self) -> Bools:
        """(n, n): pairs in contact, allowing for the uncertainty."""
        touch = self.pairs.gap <= CONTACT_IN + self.gap_sigma + 1e-9
        np.fill_diagonal(touch, False)
        return touch

    @cached_property
    def maybe_touching(self) -> Bools:
        """(n, n): pairs that may or may not be in contact."""
        spare = np.maximum(SURE_SIGMAS * self.gap_sigma, 1e-6)
        maybe = (self.pairs.gap <= CONTACT_IN + spare) & ~self.touching
        np.fill_diagonal(maybe, False)
        return maybe

    @cached_property
    def at_hand(self) -> tuple[list[int], ...]:
        """For every unit the enemies that are, or may be, in contact with it."""
        near = self.engaged | self.maybe_engaged
        some = set(np.flatnonzero(near.any(axis=1)).tolist())
        return tuple(
            [
                np.flatnonzero(row).tolist() if place in some else []
                for place, row in enumerate(near)
            ]
        )

    @cached_property
    def cornered(self) -> Bools:
        """(n, n): enemies that meet only at a corner, edge beside edge (OR-49)."""
        close = self.touching & self.enemies
        if not close.any():
            return close
        half, least = self.trays.half[:, None], CONTACT_IN + SURE_SIGMAS * self.gap_sigma
        low, high = self.pairs.corners.min(axis=2), self.pairs.corners.max(axis=2)
        shared = (np.minimum(high, half) - np.maximum(low, -half)).max(axis=2)
        beside: Bools = shared <= least
        return close & beside & beside.T

    @cached_property
    def engaged(self) -> Bools:
        """(n, n): enemies in contact (TMG-GLO-11)."""
        close = self.touching & self.enemies
        return close if self.readings.corner_contact == "touch" else close & ~self.cornered

    @cached_property
    def maybe_engaged(self) -> Bools:
        """(n, n): enemies that may or may not be in contact."""
        maybe = self.maybe_touching & self.enemies
        return maybe | self.cornered if self.readings.corner_contact == "ask" else maybe

    @cached_property
    def foes(self) -> tuple[tuple[int, ...], ...]:
        """For every unit the indices of the enemies in contact with it."""
        foes: list[list[int]] = [[] for _ in self.units]
        for place, other in np.argwhere(self.engaged).tolist():
            foes[place].append(other)
        return tuple(map(tuple, foes))

    @cached_property
    def unengaged(self) -> tuple[Answer, ...]:
        """For every unit whether it touches no enemy (TMG-GLO-12)."""
        answers = []
        doubtful = self.maybe_engaged
        unsure = set(np.argwhere(doubtful)[:, 0].tolist())
        for place, foes in enumerate(self.foes):
            if foes:
                answers.append(Answer("no", (), None, 0.0))
            elif place in unsure:
                rows = np.flatnonzero(doubtful[place])
                nearest = rows[np.argmin(self.pairs.gap[place, rows])]
                if self.cornered[place, nearest]:
                    answers.append(AT_A_CORNER)
                    continue
                margin = float(self.pairs.gap[place, nearest]) - CONTACT_IN
                answers.append(judge(margin, sigma_in=float(self.gap_sigma[place, nearest])))
            else:
                answers.append(YES)
        return tuple(answers)

    def engaged_ids(self, place: int) -> tuple[str, ...]:
        """Ids of the enemies in contact with a unit."""
        return tuple(self.units[other].id for other in self.foes[place])


def arc_angle(tray: Tray, readings: Readings) -> float:
    """The angle of a tray's arc lines by the players' reading (OR-2)."""
    if readings.arc_lines == "45":
        return 45.0
    if readings.arc_lines == "centre":
        return math.degrees(math.atan2(tray.width, tray.depth))
    return tray.arc_deg

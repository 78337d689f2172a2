"""Ranged attacks: range, line of sight, and the shift before (TMG-RNG-2..10, TMG-SIM-1, -2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.movement.moves import Shifts
from companion.games.tmg.rules.report import Shot, Zone
from companion.games.tmg.rules.rulebook import COVERS, RANGES_IN, SHIFT_IN
from companion.games.tmg.rules.sight_rules import UnitSight, zone_of, zones
from companion.geometry.plane.answer import (
    ROUNDING_IN,
    SURE_SIGMAS,
    YES,
    Answer,
    both,
    judge,
    no,
)
from companion.geometry.plane.motion.shift import AXES, Axis, range_span
from companion.geometry.plane.sight.los_query import LosQuery, off_way
from companion.geometry.plane.sight.scalar_shapes import (
    ON_LINE_IN,
    ConvexPart,
    OrientedRect,
    Spot,
    ViewEdge,
)
from companion.geometry.plane.trays import Ints

FINE_IN = 0.0002
"""The precision of distances."""
SHORT_IN = 0.01
"""Over intervals this short, line of sight changes at most once."""
PATIENCE = 50
"""After this many evaluations the search begins to reduce its precision."""

Shift = tuple[float, float]
"""Forward and left, inches."""


@dataclass(frozen=True, slots=True, eq=False)
class ShotPosition:
    """A shooter and its target: line of sight after a shift, everything eased by some sigmas."""

    field: Battlefield
    tray: OrientedRect
    target: OrientedRect
    eye: ViewEdge
    watch: LosQuery
    floor: list[ConvexPart]  # the terrain it may come to stand on
    corners: list[Spot]  # of the target, in the frame of the front edge
    lacks: list[float]  # its distance outside each half-plane of the front arc

    @classmethod
    def of(
        cls, field: Battlefield, place: int, goal: int, most_in: float, sigmas: float = 0.0
    ) -> ShotPosition:
        """The shooter where it stands, to be shifted at most `most_in`."""
        trays, ground = field.trays, field.obstacles
        tray = ground.boxes[place]
        eye = field.eye(place)
        if sigmas:
            spread, turn = float(trays.spread[place]), float(trays.turn[place])
            eye = eye.eased(sigmas * spread, sigmas * turn)
        watch, floor = ground.watch(place, goal, sigmas), field.parts_about(place, most_in)
        corners = watch.goal.seen_by(eye).corners()
        lacks = [
            -max(nx * x + ny * y + edge * eye.wide for x, y in corners)
            for nx, ny, edge in arc_planes(eye)
        ]
        return cls(field, tray, ground.boxes[goal], eye, watch, floor, corners, lacks)

    def sees(self, shift: Shift) -> bool:
        """Whether the target is in line of sight after a shift."""
        exempt, freed = self.footing(self.tray.slid(*shift))
        return self.watch.look(self.eye.slid(*shift), exempt, freed).seen

    def may_see(self, axis: Axis, low: float, high: float) -> bool:
        """Whether the target may be in line of sight after a shift in this range; False is certain.

        All the front edges in the range are replaced by one longer edge. Sideways it covers them
        all; forward it is the foremost, widened to where lines from any of them to the target cross
        it. Where the target is not wholly beyond the foremost edge, the rearmost is used, ignoring
        obstacles that reach over the foremost.
        """
        middle, half = (low + high) / 2, (high - low) / 2
        ahead, aside = axis[0] * middle, axis[1] * middle
        x, y, cos, sin, deep, wide = self.tray.slid(ahead, aside)
        swept = OrientedRect(x, y, cos, sin, deep + half * abs(axis[0]), wide + half * abs(axis[1]))
        exempt, freed = self.footing(swept)
        eye = self.eye
        if axis[1]:
            eye = eye.slid(ahead, aside)._replace(wide=eye.wide + half)
            return self.watch.look(eye, exempt, freed).seen
        front, wide, steep = ahead + half, eye.wide, eye.slope
        if min(self.corners)[0] <= front:
            eye = eye._replace(wide=wide + 2 * half * steep)
            return self.watch.look(eye.slid(ahead - half, 0.0), exempt, freed, 2 * half).seen
        left = max(min(max((y + wide) / (x - front) for x, y in self.corners), steep), 0.0)
        right = min(max(min((y - wide) / (x - front) for x, y in self.corners), -steep), 0.0)
        eye = eye.slid(front, (left + right) * half)._replace(wide=wide + (left - right) * half)
        return self.watch.look(eye, exempt, freed).seen

    def footing(self, tray: OrientedRect) -> tuple[list[bool], bool]:
        """The pieces that do not block a shot from there, and whether none do."""
        return self.field.footing(tray, True, self.floor)

    def span(self, axis: Axis, reach: float, most_in: float) -> tuple[float, float]:
        """The range of distances along an axis with the target possibly in range and arc."""
        start = self.in_arc_from(axis)
        if start > most_in:
            return math.inf, -math.inf
        first, last = self.in_range(axis, reach)
        return max(first, start), min(last, most_in)

    def in_range(self, axis: Axis, reach: float) -> tuple[float, float]:
        """The range of distances along an axis at which the target is within reach (TMG-RNG-9)."""
        tray, goal = self.tray, self.target
        x, y = tray.front
        ahead, aside = axis
        step_x, step_y = ahead * tray.cos - aside * tray.sin, ahead * tray.sin + aside * tray.cos
        c, s, dx, dy = goal.cos, goal.sin, x - goal.x, y - goal.y
        return range_span(
            (dx * c + dy * s, dy * c - dx * s),
            (step_x * c + step_y * s, step_y * c - step_x * s),
            (goal.deep, goal.wide),
            reach,
        )

    def in_arc_from(self, axis: Axis) -> float:
        """A lower bound on the shift along an axis that brings the target into the front arc."""
        least, (ahead, aside) = 0.0, axis
        for lack, (nx, ny, _) in zip(self.lacks, arc_planes(self.eye), strict=True):
            if lack > ON_LINE_IN:
                gain = -(nx * ahead + ny * aside)  # the gain per inch of the shift
                least = max(least, lack / gain) if gain > 0 else math.inf
        return least

    def least(self, axis: Axis, low: float, high: float) -> float | None:
        """The least distance in a range along an axis with line of sight to the target, or None.

        Branch and bound: ranges without possible line of sight are discarded, others are bisected.
        Where it is narrowly blocked everywhere that would take long, so the precision is reduced
        gradually.
        """
        spans, asked = [(low, high)], 0
        while spans:
            start, stop = spans.pop()
            asked += 1
            if not self.may_see(axis, start, stop):
                continue
            if self.sees_after(axis, start):
                return start
            if stop - start <= SHORT_IN and self.sees_after(axis, stop):
                return self.edge(axis, start, stop)
            if stop - start > FINE_IN * max(1.0, asked / PATIENCE):
                middle = (start + stop) / 2
                spans += [(middle, stop), (start, middle)]
        return None

    def edge(self, axis: Axis, dark: float, seen: float) -> float:
        """The distance at which line of sight begins, between one without it and one with it."""
        while seen - dark > FINE_IN:
            middle = (dark + seen) / 2
            dark, seen = (dark, middle) if self.sees_after(axis, middle) else (middle, seen)
        return seen

    def sees_after(self, axis: Axis, distance: float) -> bool:
        """Whether the target is in line of sight at this distance along an axis."""
        return self.sees((axis[0] * distance, axis[1] * distance))


def arc_planes(eye: ViewEdge) -> tuple[tuple[float, float, float], ...]:
    """The half-planes of a front arc: inside is nx · x + ny · y + edge · wide >= 0."""
    return (1.0, 0.0, 0.0), (eye.slope, -1.0, 1.0), (eye.slope, 1.0, 1.0)


def shortest_shift(
    field: Battlefield, place: int, goal: int, most_in: float, sigmas: float = 0.0
) -> Shift | None:
    """The shortest shift up to a length with which a shooter reaches its target, or None.

    `sigmas` makes it stricter (negative) or more lenient than measured.
    """
    clear = field.readings.near_pivot == "strict"  # OR-19
    reach = float(field.bows[place] + sigmas * field.gap_sigma[place, goal])
    post, open_ = ShotPosition.of(field, place, goal, most_in, sigmas), field.open_shifts
    if (place, sigmas) not in open_:
        open_[place, sigmas] = Shifts(field, place, most_in, sigmas).open(AXES, clear)
    ways = []
    for axis, spans in zip(AXES, open_[place, sigmas], strict=True):
        start, stop = post.span(axis, reach, most_in)
        if start <= stop + 1e-9:
            ways += [(max(start, low), min(stop, high), axis) for low, high in spans]
    best, found = math.inf, None
    for low, high, axis in sorted(ways, key=lambda way: round(way[0], 3)):
        if low > min(high, best) + 1e-9:
            continue
        distance = post.least(axis, low, max(low, min(high, best)))
        if distance is not None and distance < best - FINE_IN:
            best, found = distance, (axis[0] * distance + 0.0, axis[1] * distance + 0.0)
    return found


COVER_NEAR_IN = 1.0
"""TMG-TER-7."""

NO_BOW = no("TMG-RNG-3")
TOO_FAR = no("TMG-RNG-10")


def aims(
    field: Battlefield,
    shooter: Ints,
    target: Ints,
    zones: list[Zone],
    rows: Ints,
    sights: list[Answer],
) -> list[Shot]:
    """The best shot of each shooter, before all other criteria; attacks in card order.

    `sights` are the shooters' lines of sight for the `rows` in reach.
    """
    result = [
        Shot(TOO_FAR, zone, bow.name) if (bow := field.bow[place]) else Shot(NO_BOW, zone)
        for place, zone in zip(shooter.tolist(), zones, strict=True)
    ]
    for row, seen in zip(rows.tolist(), sights, strict=True):
        place, goal = int(shooter[row]), int(target[row])
        shot = standing(field, place, goal, seen, zones[row])
        result[row] = shot if shot.answer else shifting(field, place, goal, shot.answer) or shot
    return result


def shifting(field: Battlefield, place: int, goal: int, stood: Answer) -> Shot | None:
    """The shot after the shortest shift that brings the target into range and sight, or None.

    An engaged unit does not shift; `stood` is the answer for a shot without one.
    """
    if field.foes[place]:
        return None
    levels = (0.0,) if field.exact else (-SURE_SIGMAS, 0.0, SURE_SIGMAS)
    found = (shortest_shift(field, place, goal, SHIFT_IN, sigmas) for sigmas in levels)
    number, shift = next(((n, shift) for n, shift in enumerate(found) if shift), (0, None))
    if shift is None:
        return None
    answer = shift_doubt(field, place, goal, stood) if number else YES
    bow, effects = field.bow[place], cover(field, place, goal, shift)
    zone = shifted_zone(field, place, goal, shift)
    return Shot(answer, zone, bow.name if bow else None, shift, effects=effects)


def shift_doubt(field: Battlefield, place: int, goal: int, stood: Answer) -> Answer:
    """The probability that some shift brings the target into range and sight, or none is needed."""

    def found(sigmas: float) -> bool:
        return shortest_shift(field, place, goal, SHIFT_IN, sigmas) is not None

    chance = max(field.chance(found), stood.chance)
    return Answer("unsure", ("TMG-RNG-6",), None, chance)


def shifted_zone(field: Battlefield, place: int, goal: int, shift: Shift) -> Zone:
    """The arc a shooter stands in after its shift."""
    trays, boxes = field.trays, field.obstacles.boxes
    target = boxes[goal]
    corners = [target.inside(spot) for spot in boxes[place].slid(*shift).corners()]
    arc, turn = float(trays.tan_arc[goal]), float(trays.turn[goal])
    spread = float(field.gap_sigma[place, goal])
    return zone_of(corners, target.deep, target.wide, arc, turn, spread)


def standing(
    field: Battlefield, place: int, goal: int, seen: Answer, zone: Zone, weapon: str = ""
) -> Shot:
    """The shot from where the unit stands: its first legal attack, else the most likely one; or
    that with one weapon."""
    sigma = float(field.gap_sigma[place, goal])
    distance = float(field.pairs.range[place, goal])
    best: Shot | None = None
    for attack in field.units[place].ranged:
        if weapon and attack.name != weapon:
            continue
        spare = RANGES_IN[attack.kind] - distance
        answer = both(judge(spare, "TMG-RNG-10", sigma_in=sigma), seen)
        if answer:
            return Shot(answer, zone, attack.name, effects=cover(field, place, goal))
        if best is None or answer.chance > best.answer.chance:
            best = Shot(answer, zone, attack.name)
    assert best is not None  # only units with a ranged attack get here
    return best


def stands_to_shoot(field: Battlefield, place: int) -> list[Answer]:
    """For each enemy whether a unit that can shoot may shoot it from where it stands."""
    goals = np.flatnonzero(field.enemies[place]).tolist()
    return [shot_from(field, place, goal).answer for goal in goals]


def shot_from(field: Battlefield, place: int, goal: int, weapon: str = "") -> Shot:
    """The shot of a unit from where it stands, without a further shift (TMG-RNG-7)."""
    (zone,) = zones(field, np.array([place]), np.array([goal]))
    sight = UnitSight(field, place, goal, shot=True).answer()
    return standing(field, place, goal, sight, zone, weapon)


def cover(field: Battlefield, place: int, goal: int, shift: Shift = (0.0, 0.0)) -> tuple[str, ...]:
    """`cover` where a piece between gives the target +1 to defense (TMG-TER-6, 2018).

    A piece is between if every line of sight passes through it; an attacker within 1 inch of it
    ignores it (TMG-TER-7).
    """
    if not field.cover_protects:
        return ()
    covering = field.having(*COVERS)
    ground = field.obstacles
    tray, target = ground.boxes[place].slid(*shift), ground.boxes[goal]
    wide = max(ground.radius[place], ground.radius[goal])
    low = {
        part.piece
        for part in field.parts
        if covering[part.piece] and off_way(tray, target, part) <= wide + part.radius
    }
    if not low:  # no Cover near the line
        return ()
    post = ShotPosition.of(field, place, goal, SHIFT_IN)
    exempt, freed = post.footing(tray)
    for piece in np.flatnonzero(covering & ~field.blocks_sight).tolist():
        exempt[piece] = piece not in low or near_piece(field, tray, piece)
    return () if post.watch.look(post.eye.slid(*shift), exempt, freed).seen else ("cover",)


def near_piece(field: Battlefield, tray: OrientedRect, piece: int) -> bool:
    """Whether a tray stands within 1 inch of a piece (TMG-TER-7)."""
    return any(
        part.piece == piece and part.gap_to(tray) <= COVER_NEAR_IN + ROUNDING_IN
        for part in field.parts
    )


def shot_of(field: Battlefield, place: int, goal: int, aimed: Shot, seen: Answer) -> Shot:
    """The verdict on one shot, with the friends who must test for panic (TMG-SIM-2).

    A piece that blocks a shot but not a charge is Cover (TMG-TER-6).
    """
    unengaged, answer = field.unengaged[place], aimed.answer
    if "TMG-TER-18" in answer.why and "TMG-TER-18" not in seen.why:
        why = ("TMG-TER-6" if rule == "TMG-TER-18" else rule for rule in answer.why)
        answer = replace(answer, why=tuple(why))
    if not unengaged:
        barred = Answer(unengaged.verdict, ("TMG-RNG-2",), unengaged.margin_in, unengaged.chance)
        answer = both(barred, answer)
    panics = tuple(
        field.units[other].id
        for other in field.foes[goal]
        if other != place and not field.enemies[place, other]
    )
    return Shot(answer, aimed.zone, aimed.attack, aimed.shift, panics, aimed.effects)

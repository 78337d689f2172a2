"""Ranged attacks: range, sight, and the shift before (TMG-RNG-2..10, TMG-SIM-1, -2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.looking import looks_of, zones_of
from companion.games.tmg.report import Shot, Zone
from companion.games.tmg.shifting import Shifts
from companion.geometry.answer import SURE_SIGMAS, YES, Answer, both, judge, no
from companion.geometry.arcs import FRONT, arc_planes
from companion.geometry.shift import AXES, gap_to, range_span
from companion.geometry.sight import hides_all, sees
from companion.geometry.trays import (
    Bools,
    Floats,
    Ints,
    Trays,
    into_frame,
    joined,
    out_of_frame,
)
from models import Attack, Unit

RANGES_IN = {"short": 6.0, "long": 12.0}
"""TMG-RNG-8."""
SHIFT_IN = 2.0
"""TMG-RNG-5."""
COVER_NEAR_IN = 1.0
"""TMG-TER-7."""
STEP_IN = 0.1
"""Where sight decides, shifts are tried this close together, then refined."""

AXIS = np.array(AXES)
NO_BOW = no("TMG-RNG-3")
TOO_FAR = no("TMG-RNG-10")


@dataclass(frozen=True, slots=True)
class Aim:
    """One unit aiming at another: what positions say, whoever else may forbid it."""

    answer: Answer
    attack: str | None
    shift: tuple[float, float]
    zone: Zone
    effects: tuple[str, ...] = ()


def in_reach(field: Battlefield, shooter: Ints, target: Ints) -> Ints:
    """The rows of those pairs whose target is, or may come, within range by a shift."""
    most = np.array([longest(unit) for unit in field.units])
    spare = most[shooter] + SHIFT_IN - field.pairs.range[shooter, target]
    doubt = SURE_SIGMAS * field.gap_sigma[shooter, target]
    return np.flatnonzero(spare >= -doubt - 1e-9)


def longest(unit: Unit) -> float:
    """The range of a unit's farthest attack; none at all is -inf."""
    return max((RANGES_IN[attack.kind] for attack in unit.ranged), default=-math.inf)


def aims(
    field: Battlefield,
    shooter: Ints,
    target: Ints,
    zones: list[Zone],
    rows: Ints,
    sights: list[Answer],
) -> list[Aim]:
    """The best way each shooter has to hit its target; its own ranged attacks in card order.

    `sights` are the shooters' lines of sight for the `rows` in reach.
    """
    units = [field.units[place] for place in shooter]
    result = [out_of_reach(unit, zone) for unit, zone in zip(units, zones, strict=True)]
    moving: list[int] = []
    for row, seen in zip(rows.tolist(), sights, strict=True):
        place, goal = int(shooter[row]), int(target[row])
        result[row] = standing(field, place, goal, seen, zones[row])
        if not result[row].answer:
            moving.append(row)
    chosen = np.array(moving, dtype=np.intp)
    if len(chosen):
        chosen = chosen[~hidden_whatever(field, shooter[chosen], target[chosen])]
    if len(chosen):
        shifts = Search.of(field, shooter[chosen], target[chosen], 0.0).shortest()
        sure = shifts
        if not field.trays.exact:
            sure = Search.of(field, shooter[chosen], target[chosen], -SURE_SIGMAS).shortest()
            loose = Search.of(field, shooter[chosen], target[chosen], SURE_SIGMAS).shortest()
            shifts = [one or other for one, other in zip(shifts, loose, strict=True)]
        for row, shift, certain in zip(chosen, shifts, sure, strict=True):
            if shift is not None:
                pair = int(shooter[row]), int(target[row])
                result[row] = shifted(field, *pair, shift, certain is not None)
    return result


def out_of_reach(unit: Unit, zone: Zone) -> Aim:
    """A target no shift brings into range, or a unit that cannot shoot at all."""
    if not unit.ranged:
        return Aim(NO_BOW, None, (0.0, 0.0), zone)
    return Aim(TOO_FAR, farthest(unit).name, (0.0, 0.0), zone)


def farthest(unit: Unit) -> Attack:
    """The attack with the longest range."""
    return max(unit.ranged, key=lambda attack: RANGES_IN[attack.kind])


def hidden_whatever(field: Battlefield, shooter: Ints, target: Ints) -> Bools:
    """Whether no shift can help (m,): engaged, or one tray hides the target from all of them.

    A convex blocker that hides every corner of the target from every corner of the ground the
    front edge can be shifted over hides all of it from all of that.
    """
    trays = field.trays
    depth, width = trays.half[shooter, 0], trays.half[shooter, 1]
    ahead = depth[:, None] + np.array([SHIFT_IN, SHIFT_IN, -SHIFT_IN, -SHIFT_IN, 0.0, 0.0])
    aside = width[:, None] + np.array([0.0, 0.0, 0.0, 0.0, SHIFT_IN, SHIFT_IN])
    aside = aside * np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    start = out_of_frame(trays.centre[shooter], trays.forward[shooter], joined(ahead, aside))
    block = hides_all(trays, start, trays.corners[target], -SURE_SIGMAS)
    every = np.arange(len(shooter))
    block[every, shooter] = False
    block[every, target] = False
    engaged: Bools = np.any(field.engaged[shooter], axis=1)
    if field.having("elevated").any():  # a step may lead onto it, and then nothing blocks
        return engaged
    return np.asarray(engaged | block.any(axis=1))


def standing(field: Battlefield, place: int, goal: int, seen: Answer, zone: Zone) -> Aim:
    """The shot from where the unit stands: its first attack that may be made, else why not."""
    sigma = float(field.gap_sigma[place, goal])
    distance = float(field.pairs.range[place, goal])
    best: Aim | None = None
    for attack in field.units[place].ranged:
        spare = RANGES_IN[attack.kind] - distance
        answer = both(judge(spare, "TMG-RNG-10", sigma_in=sigma), seen)
        if answer:
            return Aim(answer, attack.name, (0.0, 0.0), zone, cover(field, place, goal))
        if best is None or answer.chance > best.answer.chance:
            best = Aim(answer, attack.name, (0.0, 0.0), zone)
    assert best is not None  # only units with a ranged attack are asked
    return best


def shifted(
    field: Battlefield, place: int, goal: int, shift: tuple[float, float], sure: bool
) -> Aim:
    """The shot after a shift, in the arc it leads to."""
    corners = shifted_eyes(field, np.array([place]), np.array([shift])).corners
    local = into_frame(field.trays.centre[[goal]], field.trays.forward[[goal]], corners)
    zone = zones_of(field.trays, local, np.array([place]), np.array([goal]))[0]
    answer = YES if sure else Answer("unsure", ("TMG-RNG-6",), None, 0.5)
    attack = farthest(field.units[place])
    return Aim(answer, attack.name, shift, zone, cover(field, place, goal, shift))


@dataclass(frozen=True, slots=True)
class Search:
    """The shortest legal shifts that bring m targets into range and sight (TMG-RNG-6).

    `sigmas` asks for more (negative) or less than what the measurement says.
    """

    field: Battlefield
    place: Ints  # (m,)
    goal: Ints  # (m,)
    start: Floats  # (m, 4): from which distance along each axis the target is in range
    stop: Floats  # (m, 4): and to which
    sigmas: float

    @classmethod
    def of(cls, field: Battlefield, place: Ints, goal: Ints, sigmas: float) -> Search:
        """The search for these pairs."""
        trays = field.trays
        rows, axes = (
            np.repeat(np.arange(len(place)), len(AXES)),
            np.tile(range(len(AXES)), len(place)),
        )
        centre, forward = trays.centre[goal[rows]], trays.forward[goal[rows]]
        arrow = into_frame(centre, forward, trays.arrow[place[rows]][:, None])[:, 0]
        ahead = AXIS[axes]
        own, left = trays.forward[place[rows]], trays.left[place[rows]]
        step = (ahead[:, :1] * own + ahead[:, 1:] * left)[:, None]
        turned = into_frame(np.zeros((len(rows), 2)), forward, step)[:, 0]
        reach = np.array([longest(field.units[one]) for one in place])
        reach = reach + sigmas * field.gap_sigma[place, goal]
        low, high = range_span(arrow, turned, trays.half[goal[rows]], reach[rows])
        low, high = np.maximum(low, 0.0), np.minimum(high, SHIFT_IN)
        out = low > high + 1e-9
        shape = (len(place), len(AXES))
        return cls(
            field,
            place,
            goal,
            np.where(out, np.inf, low).reshape(shape),
            np.where(out, -np.inf, np.maximum(low, high)).reshape(shape),
            sigmas,
        )

    def shortest(self) -> list[tuple[float, float] | None]:
        """The shortest shift of each pair, forward and left, or None."""
        rows, axes = np.nonzero(np.isfinite(self.start))
        distance, axis = self.first(rows, axes, self.start[rows, axes])
        # a longer way along another axis may still be shorter than the best that was found
        dark = self.hidden(rows, axes)
        tries = [
            (row, way, self.tries(row, way, low, high))
            for row, way, low, never in zip(
                rows.tolist(), axes.tolist(), self.start[rows, axes].tolist(), dark, strict=True
            )
            if not never and low < (high := min(self.stop[row, way], distance[row])) - 1e-9
        ]
        if tries:
            counts = [len(way) for _, _, way in tries]
            found, along = self.first(
                np.repeat([row for row, _, _ in tries], counts),
                np.repeat([way for _, way, _ in tries], counts),
                np.concatenate([way for _, _, way in tries]),
            )
            better = np.flatnonzero(found < distance - 1e-9)
            distance[better], axis[better] = found[better], along[better]
            self.refine(better, distance, axis)
        return [
            (AXES[way][0] * far + 0.0, AXES[way][1] * far + 0.0) if math.isfinite(far) else None
            for far, way in zip(distance.tolist(), axis.tolist(), strict=True)
        ]

    def tries(self, row: int, axis: int, low: float, high: float) -> Floats:
        """Distances to try along an axis: a grid, and between any two at which sight may change.

        It may where a corner of the target crosses an arc line, or an end of the front edge a
        line through a corner of the target and one of a blocker.
        """
        trays, place, goal = self.field.trays, self.place[row], self.goal[row]
        step = AXIS[axis]
        corners = trays.local(np.array([place]), trays.corners[[goal]])[0]
        others = [n for n in range(len(trays)) if n not in (place, goal)]
        parts = self.field.solids.corners[len(trays) :][
            self.field.blocks_shots[self.field.walls.piece]
        ]
        spots = np.concatenate([trays.corners[others].reshape(-1, 2), parts.reshape(-1, 2)])
        about = trays.local(np.array([place]), spots[None])[0]
        near = np.hypot(about[:, 0], about[:, 1]) <= np.hypot(*corners.T).max() + SHIFT_IN
        normals, offsets = arc_planes(trays.half[[place]], trays.tan_arc[[place]])
        depth = corners @ normals[0, FRONT].T - offsets[0, FRONT]
        depth_end, width = trays.half[place]
        ends = np.array([[depth_end, width], [depth_end, -width]])
        line = corners[:, None] - about[near][None]
        way = about[near][None, None] - ends[:, None, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            arcs = depth / (normals[0, FRONT] @ step)
            lines = (line[..., 0] * way[..., 1] - line[..., 1] * way[..., 0]) / (
                line[..., 0] * step[1] - line[..., 1] * step[0]
            )
        events = np.concatenate(
            [arcs.ravel(), lines.ravel(), np.arange(low, high, STEP_IN), [high]]
        )
        events = np.unique(events[(events > low) & (events <= high)].round(4))
        events = np.concatenate([[low], events])
        return np.concatenate([events[1:], (events[1:] + events[:-1]) / 2])

    def hidden(self, rows: Ints, axes: Ints) -> Bools:
        """Whether one tray hides the target all along an axis (k,)."""
        ends = [
            front_edge(
                shifted_eyes(self.field, self.place[rows], far[rows, axes][:, None] * AXIS[axes])
            )
            for far in (self.start, self.stop)
        ]
        place, goal = self.place[rows], self.goal[rows]
        start = np.concatenate(ends, axis=1)
        block = hides_all(self.field.trays, start, self.field.trays.corners[goal], self.sigmas)
        every = np.arange(len(rows))
        block[every, place] = False
        block[every, goal] = False
        if self.field.having("elevated").any():
            return np.zeros(len(rows), dtype=bool)
        return np.asarray(block.any(axis=1))

    def good(self, rows: Ints, axes: Ints, distances: Floats) -> Bools:
        """Whether targets are in sight after these shifts (k,), and the shifts are legal."""
        place = self.place[rows]
        eyes = shifted_eyes(self.field, place, distances[:, None] * AXIS[axes])
        looks = looks_of(self.field, place, self.goal[rows], eyes, shot=True)
        fine = sees(looks, self.field.blockers, self.sigmas)
        clear = self.field.readings.near_pivot == "strict"
        for row, axis in sorted(set(zip(rows[fine].tolist(), axes[fine].tolist(), strict=True))):
            some = np.flatnonzero(fine & (rows == row) & (axes == axis))
            shifts = Shifts(self.field, int(self.place[row]), SHIFT_IN)
            fine[some] = shifts.legal(AXES[axis], distances[some], clear)
        return fine

    def first(self, rows: Ints, axes: Ints, distances: Floats) -> tuple[Floats, Ints]:
        """The least good distance of each pair and its axis; infinite where none is good."""
        least = np.full(len(self.place), np.inf)
        along = np.zeros(len(self.place), dtype=np.intp)
        if len(rows):
            for at in np.flatnonzero(self.good(rows, axes, distances)):
                if distances[at] < least[rows[at]]:
                    least[rows[at]], along[rows[at]] = distances[at], axes[at]
        return least, along

    def refine(self, rows: Ints, distance: Floats, axis: Ints) -> None:
        """Shorten good distances towards the last try before them that was not."""
        if not len(rows):
            return
        low, high = distance[rows] - STEP_IN, distance[rows].copy()
        for _ in range(3):
            inner = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, 9)
            fine = self.good(np.repeat(rows, 9), np.repeat(axis[rows], 9), inner.reshape(-1))
            at = np.argmax(fine.reshape(-1, 9), axis=1)
            every = np.arange(len(rows))
            low, high = inner[every, np.maximum(at - 1, 0)], inner[every, at]
        distance[rows] = high


def front_edge(trays: Trays) -> Floats:
    """The ends (k, 2, 2) of the front edges."""
    return trays.corners[:, [0, 3]]


def shifted_eyes(field: Battlefield, place: Ints, shifts: Floats) -> Trays:
    """Shooters' trays (k,) after shifts (k, 2) forward and left."""
    trays = field.trays.take(place)
    moved = out_of_frame(trays.centre, trays.forward, shifts[:, None])[:, 0]
    return trays.standing_at(moved)


def cover(
    field: Battlefield, place: int, goal: int, shift: tuple[float, float] = (0.0, 0.0)
) -> tuple[str, ...]:
    """`cover` where a piece between gives the target +1 to defense (TMG-TER-6, 2018).

    A piece is between if every line of sight passes through it; an attacker within 1 inch of
    it ignores it (TMG-TER-7).
    """
    covering = field.having("cover")
    if field.edition.cover_blocks or not covering.any():
        return ()
    eyes = shifted_eyes(field, np.array([place]), np.array([shift]))
    looks = looks_of(field, np.array([place]), np.array([goal]), eyes, shot=True)
    parts = field.solids.corners[len(field.units) :]
    near = np.array(
        [
            gap_to(eyes.centre, eyes.forward[0], eyes.half[0], parts[field.walls.piece == piece])[0]
            <= COVER_NEAR_IN + 1e-9
            for piece in range(len(covering))
        ]
    )
    looks = replace(looks, exempt=field.on_piece[[place]] | near[None])
    return () if sees(looks, field.blockers)[0] else ("cover",)


def shot_of(field: Battlefield, place: int, goal: int, aimed: Aim) -> Shot:
    """The verdict on one shot, with the friends who must test for panic (TMG-SIM-2)."""
    unengaged = field.unengaged[place]
    answer = aimed.answer
    if not unengaged:
        barred = Answer(unengaged.verdict, ("TMG-RNG-2",), unengaged.margin_in, unengaged.chance)
        answer = both(barred, answer)
    friends = np.flatnonzero(field.engaged[goal] & ~field.enemies[place])
    panics = tuple(field.units[other].id for other in friends if other != place)
    return Shot(answer, aimed.zone, aimed.attack, aimed.shift, panics, aimed.effects)

"""Ranged attacks: range, sight, and the shift before (TMG-RNG-2..10, TMG-SIM-1, -2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.looking import looks_of, sight_answers, zones_of
from companion.games.tmg.report import Shot, Zone
from companion.games.tmg.shifting import Shifts
from companion.geometry.answer import Answer, both, judge, no
from companion.geometry.shift import AXES, gap_to, range_span
from companion.geometry.sight import Blockers, hides_all, sees
from companion.geometry.trays import (
    Bools,
    Floats,
    Ints,
    Trays,
    into_frame,
    joined,
    out_of_frame,
)
from models import Attack

RANGES_IN = {"short": 6.0, "long": 12.0}
"""TMG-RNG-8."""
SHIFT_IN = 2.0
"""TMG-RNG-5."""
COVER_NEAR_IN = 1.0
"""TMG-TER-7."""
STEP_IN = 0.05
"""Where sight decides, shifts are tried this close together, then refined."""


@dataclass(frozen=True, slots=True)
class Aim:
    """One unit aiming at another: what positions say, whoever else may forbid it."""

    answer: Answer
    attack: str | None
    shift: tuple[float, float]
    zone: Zone
    effects: tuple[str, ...] = ()


def aims(field: Battlefield, shooter: Ints, target: Ints, zones: list[Zone]) -> list[Aim]:
    """The best way each shooter has to hit its target; its own ranged attacks in card order."""
    result: list[Aim | None] = [None] * len(shooter)
    reach = field.pairs.range
    options: list[tuple[int, Attack]] = []
    for row, (place, goal) in enumerate(zip(shooter, target, strict=True)):
        ranged = field.units[place].ranged
        if not ranged:
            result[row] = Aim(no("TMG-RNG-3"), None, (0.0, 0.0), zones[row])
            continue
        attack = max(ranged, key=lambda one: RANGES_IN[one.kind])
        spare = RANGES_IN[attack.kind] + SHIFT_IN - reach[place, goal]
        sigma = field.gap_sigma[place, goal]
        far = judge(float(spare), "TMG-RNG-10", sigma_in=float(sigma))
        if far.verdict == "no":
            result[row] = Aim(far, attack.name, (0.0, 0.0), zones[row])
        else:
            options.append((row, attack))
    rows = np.array([row for row, _ in options], dtype=np.intp)
    if len(rows):
        sight = sight_answers(field, shooter[rows], target[rows], shot=True)
        hopeless = hidden_whatever(field, shooter[rows], target[rows])
        for (row, attack), seen, dark in zip(options, sight, hopeless, strict=True):
            pair = int(shooter[row]), int(target[row])
            result[row] = aim(field, *pair, attack, seen, zones[row], bool(dark))
    return [one for one in result if one is not None]


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
    block = hides_all(trays, start, trays.corners[target])
    every = np.arange(len(shooter))
    block[every, shooter] = False
    block[every, target] = False
    elevated = (field.on_piece[shooter] & field.having("elevated")).any(axis=1)
    engaged = field.engaged[shooter].any(axis=1)
    return np.asarray(engaged | (block.any(axis=1) & ~elevated))


def aim(
    field: Battlefield,
    place: int,
    goal: int,
    longest: Attack,
    seen: Answer,
    zone: Zone,
    hopeless: bool,
) -> Aim:
    """One pair in reach: from where it stands, else after the shortest shift."""
    sigma = float(field.gap_sigma[place, goal])
    distance = float(field.pairs.range[place, goal])
    standing = {
        attack.name: both(
            judge(RANGES_IN[attack.kind] - distance, "TMG-RNG-10", sigma_in=sigma), seen
        )
        for attack in field.units[place].ranged
    }
    for name, answer in standing.items():
        if answer:
            return Aim(answer, name, (0.0, 0.0), zone, cover(field, place, goal))
    reach = RANGES_IN[longest.kind]
    shift = None if hopeless else shortest_shift(field, place, goal, reach)
    doubtful = next((name for name, one in standing.items() if one.verdict == "unsure"), None)
    if shift is None:
        name = doubtful or longest.name
        return Aim(standing[name], name, (0.0, 0.0), zone)
    sure = field.trays.exact or doubtful is None and distance > 0
    corners = shifted_eyes(field, place, np.array([shift])).corners
    local = into_frame(field.trays.centre[[goal]], field.trays.forward[[goal]], corners)
    there = zones_of(field.trays, local, np.array([place]), np.array([goal]))[0]
    answer = Answer("yes") if sure else Answer("unsure", ("TMG-RNG-6",), None, 0.5)
    return Aim(answer, longest.name, shift, there, cover(field, place, goal, shift))


def shortest_shift(
    field: Battlefield, place: int, goal: int, reach: float
) -> tuple[float, float] | None:
    """The shortest legal shift after which the target is in range and in sight (TMG-RNG-6)."""
    axes, start, stop = in_range(field, place, goal, reach)
    if not len(axes):
        return None
    search = Search(field, place, goal)
    best, at = search.first(axes, start)
    # a longer shift along another axis may still be shorter than the best start
    most = np.minimum(stop, best)
    tries = [
        (axis, distance)
        for axis, low, high in zip(axes, start, most, strict=True)
        for distance in [*np.arange(low + STEP_IN, high, STEP_IN).tolist(), float(high)]
        if low < high
    ]
    if tries:
        distance = np.array([distance for _, distance in tries])
        found, axis = search.first(np.array([axis for axis, _ in tries]), distance)
        if found < best - 1e-9:
            best, at = search.refine(axis, found - STEP_IN, found), axis
    if not np.isfinite(best):
        return None
    return AXES[at][0] * best + 0.0, AXES[at][1] * best + 0.0


def in_range(
    field: Battlefield, place: int, goal: int, reach: float
) -> tuple[Ints, Floats, Floats]:
    """Axes along which a shift brings the target into range, from and to which distance."""
    trays = field.trays
    count = len(AXES)
    centre, forward = trays.centre[[goal] * count], trays.forward[[goal] * count]
    arrow = into_frame(centre, forward, np.repeat(trays.arrow[[place]], count, axis=0)[:, None])
    own, left = trays.forward[place], trays.left[place]
    steps = np.array([ahead * own + aside * left for ahead, aside in AXES])
    turned = into_frame(np.zeros((count, 2)), forward, steps[:, None])[:, 0]
    low, high = range_span(arrow[:, 0], turned, trays.half[[goal] * count], reach)
    start, stop = np.maximum(low, 0.0), np.minimum(high, SHIFT_IN)
    axes = np.flatnonzero(start <= stop + 1e-9)
    return axes, start[axes], np.maximum(stop, start)[axes]


@dataclass(frozen=True, slots=True)
class Search:
    """Looking for a shift of one shooter that shows it one target."""

    field: Battlefield
    place: int
    goal: int

    def good(self, axes: Ints, distances: Floats) -> Bools:
        """Whether the target is in sight after these shifts (k,), and they are legal."""
        fine = seen_from(self.field, self.place, self.goal, axes, distances)
        shifts = Shifts(self.field, self.place, SHIFT_IN)
        clear = self.field.readings.near_pivot == "strict"
        for axis in np.unique(axes[fine]):
            rows = np.flatnonzero(fine & (axes == axis))
            fine[rows] = shifts.legal(AXES[axis], distances[rows], clear)
        return fine

    def first(self, axes: Ints, distances: Floats) -> tuple[float, int]:
        """The least good distance and its axis; infinite where none is good."""
        fine = np.flatnonzero(self.good(axes, distances))
        if not len(fine):
            return np.inf, 0
        at = fine[np.argmin(distances[fine])]
        return float(distances[at]), int(axes[at])

    def refine(self, axis: int, low: float, high: float) -> float:
        """The least good distance between one that is not and one that is."""
        for _ in range(4):
            inner = np.linspace(low, high, 9)
            at = int(np.argmax(self.good(np.full(9, axis), inner)))
            low, high = float(inner[max(at - 1, 0)]), float(inner[at])
        return high


def seen_from(field: Battlefield, place: int, goal: int, axes: Ints, distances: Floats) -> Bools:
    """Whether the target is in sight after these shifts (k,)."""
    eyes = shifted_eyes(field, place, distances[:, None] * np.array(AXES)[axes])
    count = len(distances)
    looks = looks_of(field, np.full(count, place), np.full(count, goal), eyes, shot=True)
    return sees(looks, field.shot_blockers)


def shifted_eyes(field: Battlefield, place: int, shifts: Floats) -> Trays:
    """The shooter's tray after shifts (k, 2) forward and left."""
    trays, count = field.trays, len(shifts)
    forward = trays.forward[place]
    return Trays.placed(
        out_of_frame(trays.centre[[place]], forward[None], shifts[None])[0],
        np.full(count, np.arctan2(forward[1], forward[0])),
        np.broadcast_to(trays.half[place], (count, 2)),
        np.full(count, trays.tan_arc[place]),
        np.zeros(count),
        np.zeros(count),
    )


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
    eyes = shifted_eyes(field, place, np.array([shift]))
    looks = looks_of(field, np.array([place]), np.array([goal]), eyes, shot=True)
    parts = field.solids.corners[len(field.units) :]
    near = np.array(
        [
            gap_to(eyes.centre, eyes.forward[0], eyes.half[0], parts[field.walls.piece == piece])[0]
            <= COVER_NEAR_IN + 1e-9
            for piece in range(len(covering))
        ]
    )
    walls = field.walls.only(covering | field.having("blocks-line-of-sight"))
    looks = replace(looks, exempt=looks.exempt | near[None])
    through = field.readings.through_piece == "any"
    return () if sees(looks, Blockers(field.trays, walls, through))[0] else ("cover",)


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

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
from companion.geometry.sight import Blockers, sees
from companion.geometry.trays import Bools, Floats, Ints, Trays, into_frame, out_of_frame
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
        for (row, attack), seen in zip(options, sight, strict=True):
            result[row] = aim(field, int(shooter[row]), int(target[row]), attack, seen, zones[row])
    return [one for one in result if one is not None]


def aim(
    field: Battlefield, place: int, goal: int, longest: Attack, seen: Answer, zone: Zone
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
    shift = shortest_shift(field, place, goal, RANGES_IN[longest.kind])
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
    trays = field.trays
    shifts = Shifts(field, place, SHIFT_IN)
    arrow = into_frame(trays.centre[[goal]], trays.forward[[goal]], trays.arrow[[place]][None])[0]
    best: tuple[float, tuple[float, float]] | None = None
    for axis in AXES:
        slide = shifts.slide(axis)
        turned = into_frame(np.zeros((1, 2)), trays.forward[[goal]], slide.step[None, None])[0]
        low, high = range_span(arrow, turned, trays.half[[goal]], reach)
        start, stop = max(float(low[0]), 0.0), min(float(high[0]), SHIFT_IN)
        if start > stop + 1e-9 or (best is not None and start >= best[0]):
            continue
        distance = first_seen(field, place, goal, shifts, axis, start, stop)
        if distance is not None and (best is None or distance < best[0] - 1e-9):
            best = distance, (axis[0] * distance + 0.0, axis[1] * distance + 0.0)
    return None if best is None else best[1]


def first_seen(
    field: Battlefield,
    place: int,
    goal: int,
    shifts: Shifts,
    axis: tuple[float, float],
    start: float,
    stop: float,
) -> float | None:
    """The least distance in [start, stop] at which the target is seen and the shift is legal."""

    def good(distances: Floats) -> Bools:
        fine = shifts.legal(axis, distances, field.readings.near_pivot == "strict")
        some = np.flatnonzero(fine)
        if len(some):
            fine[some] = seen_from(field, place, goal, axis, distances[some])
        return fine

    stop = max(stop, start)
    first = np.array([start])
    if good(first)[0]:
        return start
    tries = np.unique(np.concatenate([np.arange(start, stop, STEP_IN), [stop]]))
    fine = good(tries)
    if not fine.any():
        return None
    at = int(np.argmax(fine))
    low, high = (float(tries[at - 1]) if at else start), float(tries[at])
    for _ in range(4):
        inner = np.linspace(low, high, 9)
        at = int(np.argmax(good(inner)))
        low, high = float(inner[max(at - 1, 0)]), float(inner[at])
    return high


def seen_from(
    field: Battlefield, place: int, goal: int, axis: tuple[float, float], distances: Floats
) -> Bools:
    """Whether the target is in sight after these shifts (k,)."""
    eyes = shifted_eyes(field, place, distances[:, None] * np.array(axis))
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

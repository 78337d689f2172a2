"""Who sees whom (TMG-LOS-1..6) and in whose arc everybody stands (TMG-LOS-7, -8)."""

from __future__ import annotations

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.report import ARCS, Zone
from companion.geometry.answer import LIMIT_IN, SURE_SIGMAS, YES, Answer, normal
from companion.geometry.arcs import FRONT, arc_depths, shares, tie_distance
from companion.geometry.sight import Blockers, Looks, sees
from companion.geometry.trays import Bools, Floats, Ints, Trays

LEVELS = (-2.0, -1.0, 0.0, 1.0, 2.0)
"""Sigmas at which a doubtful sight line is looked at again to tell its chance."""


def looks_of(
    field: Battlefield, viewer: Ints, target: Ints, eyes: Trays | None = None, shot: bool = False
) -> Looks:
    """The questions who sees whom; a viewer on a piece sees out of it (TMG-TER-18, TMG-TER-6)."""
    exempt = field.on_piece[viewer]
    freed = np.zeros(len(viewer), dtype=bool)
    if shot:
        freed = np.any(exempt & field.having("elevated"), axis=1)  # TMG-TER-8
    return Looks(field.trays.take(viewer) if eyes is None else eyes, viewer, target, exempt, freed)


def sight_answers(
    field: Battlefield, viewer: Ints, target: Ints, shot: bool = False
) -> list[Answer]:
    """Line of sight of these pairs, as for a charge or (`shot`) for a ranged attack."""
    blockers = field.shot_blockers if shot else field.sight_blockers
    looks = looks_of(field, viewer, target, shot=shot)
    return judged(looks, blockers, field)


def judged(looks: Looks, blockers: Blockers, field: Battlefield) -> list[Answer]:
    """Yes, no or unsure for each question, with what blocks."""
    exact = field.trays.exact
    tight = 0.0 if exact else -SURE_SIGMAS
    ease = 0.0 if exact else SURE_SIGMAS
    sure = sees(looks, blockers, sigmas=tight, quick=True)
    answers: list[Answer] = [YES] * len(sure)
    rest = np.flatnonzero(~sure)
    if not len(rest):
        return answers
    some = subset(looks, rest)
    reach = front_depth(some, blockers)
    spread = blockers.trays.spread[some.target] + some.eyes.spread
    away = np.hypot(*(some.eyes.centre - blockers.trays.centre[some.target]).T)
    outside = reach < -1.5 * (ease * (spread + away * some.eyes.turn) + LIMIT_IN)
    maybe = np.zeros(len(rest), dtype=bool)
    inner = np.flatnonzero(~outside)
    maybe[inner] = sees(subset(some, inner), blockers, slack=LIMIT_IN, sigmas=ease)
    inner = np.flatnonzero(maybe)
    seen = np.zeros(len(rest), dtype=bool)
    seen[inner] = sees(subset(some, inner), blockers, sigmas=tight)
    why = reasons(some, blockers, outside | (reach < 0))
    for row in np.flatnonzero(~seen):
        if maybe[row]:
            chance = level_chance(subset(some, np.array([row])), blockers, exact)
            answers[rest[row]] = Answer("unsure", why[row], None, chance)
        else:
            answers[rest[row]] = Answer("no", why[row], None, 0.0)
    return answers


def front_depth(looks: Looks, blockers: Blockers) -> Floats:
    """How deep (m,) the targets reach into the viewers' front arcs; negative where they do not."""
    rows = np.arange(len(looks.viewer), dtype=np.intp)
    corners = looks.eyes.local(rows, blockers.trays.corners[looks.target])
    depths = arc_depths(corners, looks.eyes.half, looks.eyes.tan_arc)[:, FRONT]
    return np.asarray(depths.max(axis=1))


def reasons(looks: Looks, blockers: Blockers, outside: Bools) -> list[tuple[str, ...]]:
    """Why each target is not seen: outside the front arc, behind terrain, behind units."""
    result: list[tuple[str, ...]] = [("TMG-LOS-4",) if out else ("TMG-LOS-5",) for out in outside]
    inside = np.flatnonzero(~outside & near_walls(looks, blockers))
    if len(inside):
        bare = Blockers(blockers.trays, blockers.walls.only(np.zeros(blockers.walls.pieces, bool)))
        without = sees(subset(looks, inside), bare)
        for row, free in zip(inside, without, strict=True):
            if free:
                result[row] = ("TMG-LOS-6",)
    return result


def near_walls(looks: Looks, blockers: Blockers) -> Bools:
    """Whether any blocking terrain lies about the line of view (m,)."""
    corners = blockers.walls.corners.reshape(-1, 2)
    if not len(corners):
        return np.zeros(len(looks.viewer), dtype=bool)
    both = np.concatenate([looks.eyes.corners, blockers.trays.corners[looks.target]], axis=1)
    low, high = both.min(axis=1)[:, None], both.max(axis=1)[:, None]
    top, bottom = blockers.walls.corners.max(axis=1), blockers.walls.corners.min(axis=1)
    return np.asarray(((top >= low) & (bottom <= high)).all(axis=2).any(axis=1))


def level_chance(looks: Looks, blockers: Blockers, exact: bool) -> float:
    """Chance that a doubtful target is truly seen: where between -2 and 2 sigmas it appears."""
    if exact:
        return 0.5
    seen = [bool(sees(looks, blockers, sigmas=level)[0]) for level in LEVELS]
    first = next((level for level, hit in zip(LEVELS, seen, strict=True) if hit), 2.5)
    return round(normal(-(first - 0.5), 1.0), 3)


def subset(looks: Looks, rows: Ints) -> Looks:
    """Only these questions."""
    return Looks(
        looks.eyes.take(rows),
        looks.viewer[rows],
        looks.target[rows],
        looks.exempt[rows],
        looks.freed[rows],
    )


def zones(field: Battlefield, mover: Ints, target: Ints) -> list[Zone]:
    """In which arc of its target each mover stands, by share of tray area (TMG-LOS-8, OR-6)."""
    trays = field.trays
    return zones_of(trays, field.pairs.corners[target, mover], mover, target)


def zones_of(trays: Trays, corners: Floats, mover: Ints, target: Ints) -> list[Zone]:
    """The same from the movers' corners in their targets' frames."""
    half, tan_arc = trays.half[target], trays.tan_arc[target]
    share = shares(corners, half, tan_arc)
    margin = tie_distance(corners, half, tan_arc, share)
    middle = corners.mean(axis=1)
    lever = np.hypot(middle[:, 0], middle[:, 1]) * trays.turn[target]
    sigma = np.sqrt(trays.spread[mover] ** 2 + trays.spread[target] ** 2 + lever**2)
    spare = np.maximum(LIMIT_IN, SURE_SIGMAS * sigma)
    best = share.argmax(axis=1)
    behind = share.max(axis=1, keepdims=True) - share
    close = behind * (margin / np.maximum(least_behind(behind), 1e-12))[:, None] < spare[:, None]
    result = []
    for row, parts in enumerate(share.tolist()):
        arc: str = ARCS[best[row]]
        choices: tuple[str, ...] = ()
        if margin[row] < spare[row]:
            arc = "unsure"
            choices = tuple(ARCS[place] for place in np.flatnonzero(close[row]))
        result.append(
            Zone(arc, (parts[0], parts[1], parts[2], parts[3]), float(margin[row]), choices)
        )
    return result


def least_behind(behind: Floats) -> Floats:
    """How far the second largest share is behind the largest."""
    return np.sort(behind, axis=1)[:, 1]

"""Who sees whom (TMG-LOS-1..6) and in whose arc everybody stands (TMG-LOS-7, -8)."""

from __future__ import annotations

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.report import ARCS, Zone
from companion.geometry.answer import LIMIT_IN, SURE_SIGMAS, YES, Answer, normal
from companion.geometry.arcs import shares
from companion.geometry.sight import Blockers, Looks, look, sees
from companion.geometry.trays import Floats, Ints, Trays

LEVELS = (-2.0, -1.0, 0.0, 1.0, 2.0)
"""Sigmas at which a doubtful sight line is looked at again to tell its chance."""


def looks_of(
    field: Battlefield, viewer: Ints, target: Ints, eyes: Trays | None = None, shot: bool = False
) -> Looks:
    """The questions who sees whom; a viewer on a piece sees out of it (TMG-TER-18, TMG-TER-6).

    They are asked of `field.blockers`: what does not block a charge's sight (or a shot's) is
    left out here.
    """
    on = field.on_piece[viewer] if eyes is None else field.pieces_under(eyes)
    exempt = on | ~(field.blocks_shots if shot else field.blocks_sight)
    freed = np.zeros(len(viewer), dtype=bool)
    if shot:
        freed = np.any(on & field.having("elevated"), axis=1)  # TMG-TER-8
    return Looks(field.trays.take(viewer) if eyes is None else eyes, viewer, target, exempt, freed)


def joined_looks(first: Looks, second: Looks) -> Looks:
    """Both sets of questions, to be answered in one stroke."""
    return Looks(
        first.eyes.joined(second.eyes),
        np.concatenate([first.viewer, second.viewer]),
        np.concatenate([first.target, second.target]),
        np.concatenate([first.exempt, second.exempt]),
        np.concatenate([first.freed, second.freed]),
    )


def sight_answers(field: Battlefield, looks: Looks, blockers: Blockers) -> list[Answer]:
    """Yes, no or unsure for each question, with what stands in the way.

    Exact poses get an exact answer: a line that only touches a blocker is free (OR-5).
    """
    exact = field.trays.exact
    sight = look(looks, blockers, 0.0 if exact else -SURE_SIGMAS)
    why = [reason(*row) for row in zip(sight.ahead, sight.terrain, sight.trays, strict=True)]
    answers = [
        YES if seen else Answer("no", rules, None, 0.0)
        for seen, rules in zip(sight.seen.tolist(), why, strict=True)
    ]
    if exact:
        return answers
    rest = np.flatnonzero(~sight.seen)
    some = subset(looks, rest)
    for row in np.flatnonzero(sees(some, blockers, SURE_SIGMAS)):
        chance = level_chance(subset(some, np.array([row])), blockers)
        answers[rest[row]] = Answer("unsure", why[rest[row]] or ("TMG-LOS-5",), None, chance)
    return answers


def reason(ahead: bool, terrain: bool, trays: bool) -> tuple[str, ...]:
    """Why a target is not seen: outside the front arc, behind terrain, behind units."""
    if not ahead:
        return ("TMG-LOS-4",)
    if terrain:
        return ("TMG-LOS-5", "TMG-LOS-6") if trays else ("TMG-LOS-6",)
    return ("TMG-LOS-5",)


def level_chance(looks: Looks, blockers: Blockers) -> float:
    """Chance that a doubtful target is truly seen: where between -2 and 2 sigmas it appears."""
    seen = [bool(sees(looks, blockers, level)[0]) for level in LEVELS]
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
    share, margin = shares(corners, half, tan_arc)
    middle = corners.mean(axis=1)
    lever = np.hypot(middle[:, 0], middle[:, 1]) * trays.turn[target]
    sigma = np.sqrt(trays.spread[mover] ** 2 + trays.spread[target] ** 2 + lever**2)
    spare = np.maximum(LIMIT_IN, SURE_SIGMAS * sigma)
    behind = share.max(axis=1, keepdims=True) - share
    close = behind * (margin / np.maximum(least_behind(behind), 1e-12))[:, None] < spare[:, None]
    result = []
    told = (share, margin, margin < spare, share.argmax(axis=1), close)
    for parts, apart, doubtful, best, near in zip(*(one.tolist() for one in told), strict=True):
        if doubtful:
            choices = tuple(arc for arc, may_be in zip(ARCS, near, strict=True) if may_be)
            result.append(Zone("unsure", tuple(parts), apart, choices))
        else:
            result.append(Zone(ARCS[best], tuple(parts), apart))
    return result


def least_behind(behind: Floats) -> Floats:
    """How far the second largest share is behind the largest."""
    return np.sort(behind, axis=1)[:, 1]

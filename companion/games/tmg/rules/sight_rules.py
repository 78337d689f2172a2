"""Line of sight (TMG-LOS-1..6) and the arc in which each unit stands (TMG-LOS-7, -8)."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.report import ARCS, Zone
from companion.geometry.plane.answer import LIMIT_IN, SURE_SIGMAS, YES, Answer, eased_chances, no
from companion.geometry.plane.arcs import Shares, leverage, shares, whole_shares
from companion.geometry.plane.sight.line_of_sight import (
    Blockers,
    SightQueries,
    SightSolver,
    look,
    sees,
)
from companion.geometry.plane.sight.scalar_shapes import Spot
from companion.geometry.plane.trays import Bools, Floats, Ints, Trays

TIE = 1e-9
"""Shares that differ by no more than this are tied."""
BEHIND_TERRAIN = ("TMG-LOS-6", "TMG-TER-18")


def looks_of(
    field: Battlefield,
    viewer: Ints,
    target: Ints,
    eyes: Trays | None = None,
    shots: int | None = None,
) -> SightQueries:
    """Line-of-sight queries; a viewer on a piece sees out of it (TMG-TER-18, TMG-TER-6).

    They are to be run against `field.blockers`: pieces that do not block a charge's line of sight
    are exempt, and from row `shots` on those that do not block a shot's.
    """
    on = field.on_piece[viewer] if eyes is None else field.pieces_under(eyes)
    exempt, freed = on | ~field.blocks_sight, np.zeros(len(viewer), dtype=bool)
    if shots is not None and shots < len(viewer):
        exempt[shots:] = on[shots:] | ~field.blocks_shots
        freed[shots:] = (on[shots:] & field.having("elevated")).any(axis=1)  # TMG-TER-8
    return SightQueries(
        field.trays.take(viewer) if eyes is None else eyes, viewer, target, exempt, freed
    )


def joined_looks(*parts: SightQueries) -> SightQueries:
    """These queries concatenated into one batch."""
    return SightQueries(
        Trays.joined([looks.eyes for looks in parts]),
        *(
            np.concatenate([getattr(looks, name) for looks in parts])
            for name in ("viewer", "target", "exempt", "freed")
        ),
    )


def sight_answers(field: Battlefield, looks: SightQueries, blockers: Blockers) -> list[Answer]:
    """Yes, no or unsure for each query, with the rules by which it is blocked.

    With exact poses the answer is exact: a line that only touches a blocker is free (OR-5).
    """
    return told_sights(field, looks, blockers, look(looks, blockers, sure_level(field)))


def sights_and_pivots(
    field: Battlefield, looks: SightQueries, pivots: SightQueries
) -> tuple[list[Answer], Bools]:
    """The answers to `looks`, and whether targets are visible after `pivots`, in one batch."""
    count = len(looks.viewer)
    levels = np.zeros(count + len(pivots.viewer))
    levels[:count] = sure_level(field)
    sight = look(joined_looks(looks, pivots), field.blockers, levels)
    first = sight.take(slice(count))
    return told_sights(field, looks, field.blockers, first), sight.seen[count:]


def sure_level(field: Battlefield) -> float:
    """The sigmas at which a positive result is certain."""
    return 0.0 if field.exact else -SURE_SIGMAS


def told_sights(
    field: Battlefield, looks: SightQueries, blockers: Blockers, sight: SightSolver
) -> list[Answer]:
    """The answers for a result at `sure_level`: certain ones, then the unsure ones with chances."""
    facts = (sight.seen, sight.ahead, sight.terrain, sight.trays)
    told = zip(*(one.tolist() for one in facts), strict=True)
    answers = [YES if seen else refusal(*why) for seen, *why in told]
    if field.exact:
        return answers
    rest = np.flatnonzero(~sight.seen)
    some = subset(looks, rest)
    doubtful = np.flatnonzero(sees(some, blockers, SURE_SIGMAS))
    asked = subset(some, doubtful)
    chances = eased_chances(lambda sigmas: sees(asked, blockers, sigmas), len(doubtful))
    for row, chance in zip(rest[doubtful].tolist(), chances, strict=True):
        answers[row] = Answer("unsure", answers[row].why, None, chance)
    return answers


@cache
def refusal(ahead: bool, terrain: bool, trays: bool) -> Answer:
    """The answer no with its reason: outside the front arc, behind terrain, behind units."""
    if not ahead:
        return no("TMG-LOS-4")
    if terrain:
        return no("TMG-LOS-5", *BEHIND_TERRAIN) if trays else no(*BEHIND_TERRAIN)
    return no("TMG-LOS-5")


def subset(looks: SightQueries, rows: Ints) -> SightQueries:
    """Only these queries."""
    return SightQueries(
        looks.eyes.take(rows),
        looks.viewer[rows],
        looks.target[rows],
        looks.exempt[rows],
        looks.freed[rows],
    )


def zones(field: Battlefield, mover: Ints, target: Ints) -> list[Zone]:
    """The arc of its target in which each mover stands, by share of tray area (TMG-LOS-8, OR-6)."""
    return zones_of(field.trays, field.pairs.corners[target, mover], mover, target)


def zones_of(trays: Trays, corners: Floats, mover: Ints, target: Ints) -> list[Zone]:
    """`zones` from the movers' corners in their targets' frames."""
    half, arcs, turns = trays.half[target], trays.tan_arc[target], trays.turn[target]
    spread = np.hypot(trays.spread[mover], trays.spread[target])
    told = (half, corners, arcs, turns, spread)
    rows = zip(*(one.tolist() for one in told), whole_shares(corners, trays, target), strict=True)
    found = []
    for (deep, wide), spots, arc, turn, sigma, whole in rows:
        share, margin = whole or shares(spots, deep, wide, arc)
        found.append(told_zone(share, margin, spots, turn, sigma))
    return found


def zone_of(
    corners: list[Spot], deep: float, wide: float, tan_arc: float, turn: float, spread: float
) -> Zone:
    """The zone of one tray with its corners in the frame of another, with measurement errors."""
    return told_zone(*shares(corners, deep, wide, tan_arc), corners, turn, spread)


def told_zone(
    share: Shares, margin: float, corners: list[Spot], turn: float, spread: float
) -> Zone:
    """The zone for these shares and margin, with measurement errors."""
    spare = LIMIT_IN
    if turn or spread:
        middle_x, middle_y = (sum(way) / 4 for way in zip(*corners, strict=True))
        spare = max(spare, SURE_SIGMAS * math.hypot(spread, turn * math.hypot(middle_x, middle_y)))
    best = max(share)
    if margin >= spare:
        return Zone(ARCS[share.index(best)], share, margin)
    behind = [best - part for part in share]
    lead = sorted(behind)[1]
    scale = margin / lead if lead > TIE else leverage(corners)
    choices = (arc for arc, less in zip(ARCS, behind, strict=True) if less * scale < spare)
    return Zone("unsure", share, margin, tuple(choices))

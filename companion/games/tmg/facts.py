"""What positions say of every two enemies, measured for many pairs at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.aligning import OPEN, Alignment, alignment
from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.charging import Approaches, Run
from companion.games.tmg.found import Pair
from companion.games.tmg.looking import looks_of, sights_and_pivots, zones
from companion.games.tmg.report import Shot, Zone
from companion.games.tmg.shooting import aims
from companion.geometry.answer import Answer
from companion.geometry.trays import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What positions say of each unit against each enemy."""

    zone: dict[Pair, Zone]
    sight: dict[Pair, Answer]
    run: dict[Pair, Run]
    room: dict[Pair, Alignment]
    aim: dict[Pair, Shot]


def measured(ground: Battlefield) -> Facts:
    """The facts of all pairs of enemies."""
    mover, target = np.nonzero(ground.enemies)
    pairs = pairs_of(mover, target)
    zone = dict(zip(pairs, zones(ground, mover, target), strict=True))
    near = np.flatnonzero(ground.shot_reach[mover, target])
    other = near if ground.shots_see_otherwise else near[:0]
    viewer, seen_at = np.append(mover, mover[other]), np.append(target, target[other])
    questions = looks_of(ground, viewer, seen_at, shots=len(pairs))
    charges = Approaches.of(ground, pairs)
    answers, pivots = sights_and_pivots(ground, questions, charges.looks())
    sight = dict(zip(pairs, answers, strict=False))
    seen = answers[len(pairs) :]
    if not ground.shots_see_otherwise:
        seen = [sight[pair] for pair in pairs_of(mover[near], target[near])]
    aim = aims(ground, mover, target, [zone[pair] for pair in pairs], near, seen)
    return Facts(
        zone,
        sight,
        found_runs(charges, sight, pivots.tolist()),
        found_rooms(ground, pairs, zone),
        dict(zip(pairs, aim, strict=True)),
    )


def found_runs(
    charges: Approaches, sight: dict[Pair, Answer], pivots: Sequence[bool]
) -> dict[Pair, Run]:
    """The runs of pairs; no path is searched for the engaged and for those that do not see.

    `pivots` tells after which of those in question the target is seen.
    """
    foes = charges.field.foes
    hopeless = [bool(foes[pair[0]]) or sight[pair].verdict == "no" for pair in charges.pairs]
    return dict(zip(charges.pairs, charges.runs(hopeless, pivots), strict=True))


def found_rooms(
    ground: Battlefield, pairs: Sequence[Pair], zone: dict[Pair, Zone]
) -> dict[Pair, Alignment]:
    """Room at the targets of these pairs; out of reach nobody asks."""
    return {
        pair: alignment(ground, *pair, zone[pair]) if ground.charge_reach[pair] else OPEN
        for pair in pairs
    }


def pairs_of(mover: Ints, target: Ints) -> list[Pair]:
    """Movers and targets as pairs."""
    return list(zip(mover.tolist(), target.tolist(), strict=True))

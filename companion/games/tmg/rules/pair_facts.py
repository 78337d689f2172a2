"""Measurements of all pairs of enemies: arc, line of sight, charge path, room, shot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield, Pair
from companion.games.tmg.rules.charge.alignment import OPEN, Alignment, alignment
from companion.games.tmg.rules.charge.charges import ChargeQueries, ChargeRun
from companion.games.tmg.rules.combat.shots import aims
from companion.games.tmg.rules.report import Shot, Zone
from companion.games.tmg.rules.sight_rules import UnitSight, zones
from companion.geometry.plane.answer import Answer
from companion.geometry.plane.trays import Ints


@dataclass(frozen=True, slots=True, eq=False)
class PairFacts:
    """The measurements of each unit against each enemy."""

    zone: dict[Pair, Zone]
    sight: dict[Pair, Answer]
    run: dict[Pair, ChargeRun]
    room: dict[Pair, Alignment]
    aim: dict[Pair, Shot]


def measured(ground: Battlefield) -> PairFacts:
    """The measurements of all pairs of enemies."""
    mover, target = np.nonzero(ground.enemies)
    pairs = pairs_of(mover, target)
    zone = dict(zip(pairs, zones(ground, mover, target), strict=True))
    sight = {pair: UnitSight(ground, *pair).answer() for pair in pairs}
    near = np.flatnonzero(ground.shot_reach[mover, target])
    seen = [
        UnitSight(ground, *pair, shot=True).answer() if ground.shots_see_otherwise else sight[pair]
        for pair in pairs_of(mover[near], target[near])
    ]
    aim = aims(ground, mover, target, [zone[pair] for pair in pairs], near, seen)
    # no path is searched for engaged units or without line of sight
    hopeless = [bool(ground.foes[pair[0]]) or sight[pair].verdict == "no" for pair in pairs]
    runs = ChargeQueries.of(ground, pairs).runs(hopeless)
    return PairFacts(
        zone,
        sight,
        dict(zip(pairs, runs, strict=True)),
        found_rooms(ground, pairs, zone),
        dict(zip(pairs, aim, strict=True)),
    )


def found_rooms(
    ground: Battlefield, pairs: Sequence[Pair], zone: dict[Pair, Zone]
) -> dict[Pair, Alignment]:
    """The room at the targets of these pairs; not computed for targets out of reach."""
    return {
        pair: alignment(ground, *pair, zone[pair]) if ground.charge_reach[pair] else OPEN
        for pair in pairs
    }


def pairs_of(mover: Ints, target: Ints) -> list[Pair]:
    return list(zip(mover.tolist(), target.tolist(), strict=True))

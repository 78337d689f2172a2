"""What positions say of every two enemies, measured for many pairs at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.games.tmg.aligning import OPEN, Alignment, alignment
from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.charging import Approaches, Run
from companion.games.tmg.found import Pair
from companion.games.tmg.looking import (
    Told,
    looks_of,
    sights,
    sights_and_pivots,
    zones,
)
from companion.games.tmg.report import Shot, Zone
from companion.games.tmg.shooting import aims
from companion.geometry.answer import Answer
from companion.geometry.trays import Bools, Floats, Ints
from companion.geometry.views import CORE, SETTLED

Places = tuple[Ints, Ints]
"""Movers and targets of many pairs."""


@dataclass(frozen=True, slots=True, eq=False)
class Proofs:
    """(n, n, …) each: what was found on the way and tells later whether a fact still holds."""

    line: Floats  # (n, n, 3) a free line of sight, as in `Sight`; NaN where there is none
    hiders: Ints  # (n, n, CORE) trays that hide the target
    shot: Floats  # (n, n, 3) a free line of sight for a shot

    @classmethod
    def of(cls, count: int) -> Proofs:
        """No proofs yet."""
        shape = (count, count)
        line, hiders = np.full((*shape, 3), np.nan), np.full((*shape, CORE), SETTLED)
        return cls(line, hiders, line.copy())

    def after(self, looked: Places, shot: Places, told: Told) -> Proofs:
        """The same with those of who was looked at, then shot at."""
        new = Proofs(self.line.copy(), self.hiders.copy(), self.shot.copy())
        rows = len(looked[0])
        new.line[looked], new.hiders[looked] = told.line[:rows], told.hiders[:rows]
        new.shot[shot] = told.line[rows:]
        return new


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What positions say of each unit against each enemy."""

    zone: dict[Pair, Zone] = field(default_factory=dict)
    sight: dict[Pair, Answer] = field(default_factory=dict)
    run: dict[Pair, Run] = field(default_factory=dict)
    room: dict[Pair, Alignment] = field(default_factory=dict)
    aim: dict[Pair, Shot] = field(default_factory=dict)
    proofs: Proofs = field(default_factory=lambda: Proofs.of(0))


@dataclass(frozen=True, slots=True, eq=False)
class Stale:
    """(n, n) each: the pairs of which these facts are to be measured."""

    zone: Bools
    sight: Bools
    run: Bools
    room: Bools
    aim: Bools

    @classmethod
    def all_of(cls, pairs: Bools) -> Stale:
        """Everything about these pairs."""
        return cls(pairs, pairs, pairs, pairs, pairs)


def measured(ground: Battlefield, stale: Stale, known: Facts) -> Facts:
    """The facts of all pairs: what is stale measured, the rest as known."""
    faced, looked, aimed = map(places, (stale.zone, stale.sight, stale.aim))
    charged = pairs_of(*places(stale.run))
    zone = known.zone | dict(zip(pairs_of(*faced), zones(ground, *faced), strict=True))
    shooter, goal = aimed
    near = np.flatnonzero(ground.shot_reach[aimed])
    other = near if ground.shots_see_otherwise else near[:0]
    shot, asked = (shooter[other], goal[other]), pairs_of(*looked)
    viewer, seen_at = (np.concatenate(both) for both in zip(looked, shot, strict=True))
    questions = looks_of(ground, viewer, seen_at, shots=len(asked))
    if known.sight:
        told = sights(ground, questions)
        # a path that was not worth seeking may be now
        charged += [
            pair
            for pair, seen in zip(asked, told.answers, strict=False)
            if (known.sight[pair].verdict == "no") != (seen.verdict == "no") and not stale.run[pair]
        ]
        ways, pivots = Approaches.of(ground, charged), None
    else:  # with all the others, looks after pivots cost little
        ways = Approaches.of(ground, charged)
        told, after = sights_and_pivots(ground, questions, ways.looks())
        pivots = after.tolist()
    sight = known.sight | dict(zip(asked, told.answers, strict=False))
    proofs = known.proofs if known.sight else Proofs.of(len(ground.units))
    proofs = proofs.after(looked, shot, told)
    run = known.run | found_runs(ways, sight, pivots)
    shooting = pairs_of(*aimed)
    stands = [zone[pair] for pair in shooting]
    seen = told.answers[len(asked) :]
    if not ground.shots_see_otherwise:
        seen = [sight[pair] for pair in pairs_of(shooter[near], goal[near])]
    found = aims(ground, shooter, goal, stands, near, seen)
    aim = known.aim | dict(zip(shooting, found, strict=True))
    room = known.room | found_rooms(ground, stale.room, zone)
    return Facts(zone, sight, run, room, aim, proofs)


def found_runs(
    ways: Approaches, sight: dict[Pair, Answer], pivots: Sequence[bool] | None
) -> dict[Pair, Run]:
    """The runs of pairs, the engaged and those that do not see not sought among obstacles.

    `pivots` tells after which of those in question the target is seen, where that is known.
    """
    foes = ways.field.foes
    hopeless = [bool(foes[pair[0]]) or sight[pair].verdict == "no" for pair in ways.pairs]
    seen = ways.seen(hopeless) if pivots is None else pivots
    return dict(zip(ways.pairs, ways.runs(hopeless, seen), strict=True))


def found_rooms(
    ground: Battlefield, wanted: Bools, zone: dict[Pair, Zone]
) -> dict[Pair, Alignment]:
    """Room at the targets of these pairs; out of reach nobody asks."""
    rooms = dict.fromkeys(pairs_of(*places(wanted)), OPEN)
    for pair in pairs_of(*places(wanted & ground.charge_reach)):
        rooms[pair] = alignment(ground, *pair, zone[pair])
    return rooms


def places(mask: Bools) -> Places:
    """Movers and targets of the pairs a mask names."""
    mover, target = np.nonzero(mask)
    return mover, target


def pairs_of(mover: Ints, target: Ints) -> list[Pair]:
    """The same as pairs."""
    return list(zip(mover.tolist(), target.tolist(), strict=True))

"""The shortest shift for a shot is the one that trying every tenth of an inch finds."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.combat.shots import Shift, ShotPosition, shortest_shift
from companion.games.tmg.rules.movement.moves import Shifts
from companion.games.tmg.rules.rulebook import RANGES_IN
from companion.geometry.plane.motion.shift import AXES, Axis
from models import Attack, Pose, Table, Unit, catalogue

MOST_IN = 2.0
STEP_IN = 0.1
BOWS = (Attack("Long", "long", 4, (6, 5, 4)), Attack("Short", "short", 3, (5, 4, 3)))
STEPS = np.arange(0.0, MOST_IN + STEP_IN / 2, STEP_IN)


def post(seed: int) -> Table:
    """A shooter, a target about where range, arc or sight end, and somebody between them."""
    dice = random.Random(seed)
    game = ("tmg-2021", "tmg-2018")[seed % 2]
    trays = catalogue(game).trays
    bow = dice.choice(BOWS)
    here = Pose(24.0, 24.0, dice.uniform(0, 360))

    def unit(name: str, far: float, left: float, turn: float, tray: str) -> Unit:
        pose = Pose(*here.ahead(far, left), (here.heading + turn) % 360)
        side = "blue" if name.startswith("b") else "red"
        return Unit(name, side, name, trays[tray], pose, attacks=(bow,))

    kinds = ("infantry", "cavalry", "solo")
    reach = RANGES_IN[bow.kind] + 4.8 + dice.uniform(-2.0, 2.0)
    angle = math.radians(dice.choice((0, 20, 40, 48, 54, 60, 70)) * dice.choice((-1, 1)))
    far, left = reach * math.cos(angle), reach * math.sin(angle)
    units = [
        unit("b1", 0.0, 0.0, 0.0, dice.choice(kinds)),
        unit("r1", far, left, dice.uniform(0, 360), dice.choice(kinds)),
    ]
    for name in dice.sample(("b2", "b3", "r2"), dice.choice((0, 1, 2))):
        share, off = dice.uniform(0.45, 0.6), dice.uniform(-4.5, 4.5)
        other = unit(name, far * share, left * share + off, dice.uniform(0, 360), "infantry")
        if all(math.dist(other.pose.ahead(0.0), one.pose.ahead(0.0)) > 6.2 for one in units):
            units.append(other)
    return Table(game, 48, 48, tuple(units))


def may_shoot(post: ShotPosition, axis: Axis, distance: float, reach: float) -> bool:
    """Whether the target is in range and sight after a shift."""
    shifted = post.tray.slid(axis[0] * distance, axis[1] * distance)
    target = post.target
    ahead, aside = target.inside(shifted.front)
    away = math.hypot(max(abs(ahead) - target.deep, 0.0), max(abs(aside) - target.wide, 0.0))
    return away <= reach + 1e-9 and post.sees_after(axis, distance)


def tried(field: Battlefield, place: int, goal: int) -> float:
    """The least shift among all that are tried."""
    post, shifts = ShotPosition.of(field, place, goal, MOST_IN), Shifts(field, place, MOST_IN)
    reach, best = float(field.bows[place]), math.inf
    for axis in AXES:
        for distance in STEPS[shifts.legal(axis, STEPS)]:
            if distance < best and may_shoot(post, axis, float(distance), reach):
                best = float(distance)
    return best


def holds(field: Battlefield, place: int, goal: int, shift: Shift) -> bool:
    """Whether a shift that was found is legal and lets the unit shoot."""
    length = math.hypot(*shift)
    axis = next(
        axis
        for axis in AXES
        if math.dist((axis[0] * length, axis[1] * length), shift) < 1e-9 or not length
    )
    legal = Shifts(field, place, MOST_IN).legal(axis, np.array([length]))[0]
    post = ShotPosition.of(field, place, goal, MOST_IN)
    return bool(legal) and may_shoot(post, axis, length, float(field.bows[place]) + 1e-6)


SEEDS = range(160)


@pytest.mark.rule("TMG-RNG-4", "TMG-RNG-5", "TMG-RNG-6", "TMG-RNG-9", "TMG-MOV-5")
@pytest.mark.parametrize("first", SEEDS[::20])
def test_no_shorter_shift_is_overlooked(first: int) -> None:
    for seed in range(first, first + 20):
        field = Battlefield(post(seed))
        found, best = shortest_shift(field, 0, 1, MOST_IN), tried(field, 0, 1)
        if found is None:
            assert best == math.inf, seed
            continue
        length = math.hypot(*found)
        assert length <= best + 1e-3, seed
        assert holds(field, 0, 1, found), seed


def test_the_tables_ask_for_shifts() -> None:
    found = [shortest_shift(Battlefield(post(seed)), 0, 1, MOST_IN) for seed in SEEDS]
    ahead = sum(one is not None and one[0] > 0.01 for one in found)
    aside = sum(one is not None and abs(one[1]) > 0.01 for one in found)
    back = sum(one is not None and one[0] < -0.01 for one in found)
    assert min(ahead, aside) > 8, (ahead, aside, back)
    assert sum(one is None for one in found) > 20
    assert sum(one == (0.0, 0.0) for one in found) > 20

"""Where a failed charge stops, against trying every hundredth of an inch with shapely."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_move import charge_move
from companion.games.tmg.rules.readings import DEFAULT, Readings
from models import Pose, Tray, Unit
from models.unit import corners
from tests.games.tmg.sample_units import BOTH, field, fighter, patch

STEP_IN = 0.01
SEEDS = range(32)
BESIDE = (100, 122, 163, 207, 216, 225, 246, 269, 300, 304, 324, 327)
"""In these an enemy beside the way stops the charge (OR-14)."""
SIZE = 60.0
ONE_INCH = Readings(failed_charge_stop="one-inch")


def crowded(seed: int, game: str, readings: Readings = DEFAULT) -> tuple[Battlefield, float, int]:
    """A charge at a target far beyond its reach, what may stand in its way, heading and die."""
    dice = random.Random(seed)
    here = Pose(30.0, dice.choice((30.0, 52.0)), dice.choice((90.0, 90.0, 57.0, 120.0)))
    me = fighter("b1", here.x, here.y, here.heading, speed=dice.choice((3, 5)))
    things = [me, fighter("r1", *here.ahead(26.0), here.heading + 180, Tray("", 20.0, 1.0))]
    pieces = []
    for number in range(2, dice.choice((3, 4, 5))):
        far, left = dice.uniform(0.3, 9.0), dice.uniform(-5.5, 5.5)
        turned = here.heading + dice.choice((0.0, 30.0, 45.0, 77.0))
        size = Tray("", dice.uniform(1.0, 4.0), dice.uniform(1.0, 3.0))
        kind = dice.choice(("r", "b", "b", "wall", "mud"))
        name = f"{kind}{number}"
        other = fighter(name, *here.ahead(1.5 + size.depth / 2 + far, left), turned, size)
        near = [gap(other, one) for one in things]
        if kind in ("r", "b"):
            if min(near) > 0.3:
                things.append(other)
        elif near[0] > 0.3:
            x, y = other.pose.x, other.pose.y
            words = "impassable" if kind == "wall" else "rough"
            pieces.append(patch(words, x - 1, y - 0.5, x + 1, y + 0.5, name))
    ground = field(game, *things, *pieces, size=SIZE, readings=readings)
    return ground, here.heading, dice.randint(1, 6)


def gap(one: Unit, two: Unit) -> float:
    """The distance between two trays."""
    return float(shapely.Polygon(corners(one)).distance(shapely.Polygon(corners(two))))


def stop(ground: Battlefield, heading: float, die: int) -> float:
    """The travel of the charge, by trying."""
    table, me = ground.table, ground.units[0]
    travel = np.arange(0.0, me.speed + die + STEP_IN / 2, STEP_IN)
    step = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading))])
    trays = shapely.polygons(np.array(corners(me))[None] + travel[:, None, None] * step)
    shapes = {one.id: shapely.Polygon(corners(one)) for one in table.units[1:]}
    shapes |= {piece.id: shapely.Polygon(piece.outline) for piece in table.terrain}
    left = float(me.speed + die)
    muds = [first(trays, travel, shapes[name]) for name in shapes if name.startswith("mud")]
    if muds and min(muds) < left:  # TMG-TER-17, OR-26
        left = max(left - 1, min(muds))
    stops = [shapes[name] for name in shapes if name.startswith(("r", "wall"))]
    contacts = [(first(trays, travel, shape), shape) for shape in stops]
    contact, shape = min(contacts, key=lambda one: one[0])
    if contact <= left:  # TMG-CHG-13: it stops an inch before
        clear = travel[(travel < contact) & (shapely.distance(trays, shape) >= 1)]
        left = float(clear.max(initial=0.0))
    on_table = shapely.covers(shapely.box(0, 0, SIZE, SIZE), trays)  # OR-18
    free = on_table & ~np.any(
        [shapely.intersects(trays, shapes[name]) for name in shapes if name.startswith("b")]
        or [np.zeros(len(trays), dtype=bool)],
        axis=0,
    )
    if ground.readings == ONE_INCH:  # OR-14
        enemies = [shapes[name] for name in shapes if name.startswith("r")]
        free &= ~np.any([shapely.dwithin(trays, one, 0.999) for one in enemies], axis=0)
    return float(travel[free & (travel <= left + 1e-9)].max(initial=0.0))  # OR-15


def first(trays: NDArray[np.object_], travel: NDArray[np.float64], shape: shapely.Polygon) -> float:
    """The first travel at which a tray meets a shape; infinite if none does."""
    return float(travel[shapely.intersects(trays, shape)].min(initial=math.inf))


@pytest.mark.rule(
    *("TMG-CHG-12", "TMG-CHG-13", "TMG-CHG-15", "TMG-TER-15", "TMG-TER-17", "TMG-MOV-9"),
    *("OR-15", "OR-18", "OR-26"),
)
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_failed_charge_stops_where_trying_stops_it(game: str, seed: int) -> None:
    ground, heading, die = crowded(seed, game)
    found = charge_move(ground, "b1", "r1", heading, (die,))
    assert found.success.verdict == "no"
    assert found.travel_in == pytest.approx(stop(ground, heading, die), abs=2.5 * STEP_IN)
    ahead = found.end.x - 30.0, found.end.y - ground.units[0].pose.y
    assert math.hypot(*ahead) == pytest.approx(found.travel_in, abs=1e-6)


@pytest.mark.rule("OR-14", "TMG-CHG-12", "TMG-CHG-13")
@pytest.mark.parametrize("seed", BESIDE)
def test_read_so_it_ends_an_inch_from_every_enemy(seed: int) -> None:
    ground, heading, die = crowded(seed, BOTH[seed % 2], ONE_INCH)
    found = charge_move(ground, "b1", "r1", heading, (die,))
    assert "OR-14" in found.stopped
    assert found.travel_in == pytest.approx(stop(ground, heading, die), abs=2.5 * STEP_IN)


def test_the_charges_are_stopped_by_everything() -> None:
    rules = [
        rule
        for seed in SEEDS
        for ground, heading, die in (crowded(seed, BOTH[0]),)
        for rule in charge_move(ground, "b1", "r1", heading, (die,)).stopped or ("nothing",)
    ]
    assert all(rules.count(rule) > 2 for rule in ("TMG-CHG-13", "OR-15", "OR-18", "nothing"))

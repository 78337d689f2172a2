"""What lies about a charge: nothing that comes into its ways is left out."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from bench.tables import battle
from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_paths import Approach, ChargeStrip, beside
from companion.games.tmg.rules.rulebook import HIDES, SLOWS, STOPS
from companion.geometry.plane.answer import SURE_SIGMAS
from companion.geometry.plane.motion.advance import free_advance
from companion.geometry.plane.sight.scalar_shapes import ConvexPart, OrientedRect
from companion.geometry.plane.solids import Solids
from models import Sigma, Table

PIVOTS = [math.radians(step) for step in range(0, 360, 5)]


def measured(table: Table) -> Table:
    """The same table, its units seen by a camera."""
    sigma = Sigma(0.08, 0.6)
    units = tuple(unit.at(replace(unit.pose, sigma=sigma)) for unit in table.units)
    return replace(table, units=units)


@pytest.mark.rule("TMG-CHG-13")
@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_a_way_meets_is_ahead_of_it(seed: int) -> None:
    field = Battlefield(battle(per_side=5, seed=seed))
    ground, asked, spared = field.obstacles, 0, 0
    for mover, target in np.argwhere(field.enemies).tolist():
        strip, goal = ChargeStrip.of(ground, mover, target), ground.boxes[target]
        trays = [thing for thing in ground.eased(0.0) if thing[2] not in (mover, target)]
        ahead = {thing[2] for thing in strip.trays(trays)}
        felt = strip.parts(field.parts)
        for heading in PIVOTS:
            tray, travel = ground.boxes[mover].turned(heading), 0.0
            while travel < 40 and not tray.swept(travel).meets(goal):
                travel += 0.5
            if travel == 40:
                continue
            way = tray.swept(max(travel - 0.5, 0.0))
            met = {place for box, _, place in trays if way.meets(box)}
            assert met <= ahead
            assert all(part in felt for part in field.parts if part.lies_under(way))
            asked += len(met)
        spared += len(trays) - len(ahead)
    assert asked > 100
    assert spared > 100


@pytest.mark.rule("TMG-CHG-13")
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("exact", [True, False])
def test_a_free_way_is_clear_where_no_solid_lies_in_it(seed: int, exact: bool) -> None:
    table = battle(per_side=6, seed=seed)
    field = Battlefield(table if exact else measured(table))
    trays, count, told = field.trays, len(field.units), {True: 0, False: 0}
    solids = Solids.of(trays, field.walls, -SURE_SIGMAS * trays.spread)
    dark = field.parts_having(*HIDES)
    for mover, target in np.argwhere(field.enemies).tolist():
        boxes = field.obstacles.boxes
        free = free_advance(boxes[mover], boxes[target])
        ways = Approach.of(field, (mover, target), free, lambda place, heading: False).ways
        if free.travel < 0:
            assert not any(way.clear for way in ways)
            continue
        # who leaves Rough ground pays for it whatever the way (TMG-TER-17)
        stops = field.parts_having(*(STOPS if field.on_rough[mover] else STOPS | SLOWS))
        near = {other[2] for other in beside(field, (mover, target))[0]}
        for side, heading in enumerate(free.heading):
            forward = np.array([[math.cos(heading), math.sin(heading)]])
            half = trays.half[[mover]] + SURE_SIGMAS * trays.spread[mover]
            half[0, 0] += free.travel / 2
            met = solids.meet(trays.centre[[mover]] + forward * free.travel / 2, forward, half)[0]
            met[[mover, target]] = False
            enemies, friends = met[:count] & field.enemies[mover], met[:count].copy()
            friends[field.enemies[mover]] = False
            clear = not (enemies.any() or (met[count:] & stops).any())
            assert set(np.flatnonzero(met[:count]).tolist()) <= near
            assert ways[side].clear == clear
            screens = friends.any() or (met[count:] & dark).any()
            assert ways[side].screened == bool(clear and screens)
            told[clear] += 1
    assert min(told.values()) > 10


# -- the limits themselves ------------------------------------------------------------------------


def dot(x: float, y: float, radius: float = 0.5) -> tuple[OrientedRect, float, int]:
    """A tray of which only its middle and its reach are asked for."""
    return OrientedRect(x, y, 1.0, 0.0, radius, radius), radius, 0


def stone(x: float, y: float, radius: float = 0.5) -> ConvexPart:
    """The same of a terrain part."""
    return ConvexPart(0, ((x, y),), (), x, y, radius)


@pytest.mark.rule("TMG-CHG-13")
@pytest.mark.parametrize("turn", [0.0, 90.0, 217.0])
@pytest.mark.parametrize(
    ("ahead", "left", "inside"),
    [
        (-3.5, 0.0, True),  # 3 behind, and half an inch of its own
        (-3.51, 0.0, False),
        (10.5, 0.0, True),
        (10.51, 0.0, False),
        (5.0, 3.5, True),
        (5.0, 3.51, False),
        (5.0, -3.5, True),
        (5.0, -3.51, False),
    ],
)
def test_a_strip_holds_what_reaches_into_it(
    turn: float, ahead: float, left: float, inside: bool
) -> None:
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    strip = ChargeStrip(20.0, 30.0, cos, sin, 10.0 + 1e-9, 3.0 + 1e-9)
    x, y = 20 + ahead * cos - left * sin, 30 + ahead * sin + left * cos
    assert strip.trays([dot(x, y)]) == ([dot(x, y)] if inside else [])
    assert strip.parts([stone(x, y)]) == ([stone(x, y)] if inside else [])


@pytest.mark.rule("TMG-CHG-13", "TMG-CHG-5")
@pytest.mark.parametrize("exact", [True, False])
def test_both_free_ways_lie_in_their_strip(exact: bool) -> None:
    table = battle(per_side=6, seed=1)
    field = Battlefield(table if exact else measured(table))
    ground, most = field.obstacles, 0.0
    for mover, target in np.argwhere(field.enemies).tolist():
        free = free_advance(ground.boxes[mover], ground.boxes[target])
        if free.travel < 0:
            continue
        strip = ChargeStrip.of(ground, mover, target)
        grown = ground.boxes[mover].grown(SURE_SIGMAS * ground.spread[mover])
        for heading in free.heading:
            for x, y in grown.turned(heading).swept(free.travel).corners():
                ahead = (x - strip.x) * strip.cos + (y - strip.y) * strip.sin
                left = (y - strip.y) * strip.cos - (x - strip.x) * strip.sin
                assert -strip.wide - 1e-6 <= ahead <= strip.far + 1e-6
                assert abs(left) <= strip.wide + 1e-6
                most = max(most, abs(left) / strip.wide)
    assert most > 0.4

"""What lies about a charge: nothing that comes into its ways is left out."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from bench.tables import battle
from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.approach import SCREENING, STOPPING, Approach, beside
from companion.games.tmg.rules.charge.broadphase import PivotCorridor
from companion.geometry.plane.answer import SURE_SIGMAS
from companion.geometry.plane.motion.free_advance import free_advance
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
    ground, asked, spared = field.blockers.ground, 0, 0
    for mover, target in np.argwhere(field.enemies).tolist():
        corridor, goal = PivotCorridor.of(ground, mover, target), ground.boxes[target]
        trays = [thing for thing in ground.eased(0.0) if thing[2] not in (mover, target)]
        ahead = {thing[2] for thing in trays if corridor.ahead(thing)}
        felt = [part for part in field.parts if corridor.crosses(part)]
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
        about = [
            thing
            for thing in trays
            if corridor.under(thing) or corridor.between(thing) or corridor.ahead(thing)
        ]
        assert {thing[2] for thing in about} <= {one[2] for one in corridor.strip.trays(trays)}
        spared += len(trays) - len(about)
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
    dark = field.parts_having(SCREENING)
    for mover, target in np.argwhere(field.enemies).tolist():
        boxes = field.blockers.ground.boxes
        free = free_advance(boxes[mover], boxes[target])
        ways = Approach.of(field, (mover, target), free, lambda place, heading: False).ways
        if free.travel < 0:
            assert not any(way.clear for way in ways)
            continue
        # who leaves Rough ground pays for it whatever the way (TMG-TER-17)
        stops = field.parts_having(*(STOPPING[:1] if field.on_rough[mover] else STOPPING))
        near = {other[2] for other in beside(field, (mover, target), free)[0]}
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

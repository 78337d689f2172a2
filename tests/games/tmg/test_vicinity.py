"""What lies about a charge, asked in bulk and one by one: the same answers."""

from __future__ import annotations

import numpy as np
import pytest

from bench.tables import battle
from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.vicinity import Corridor, Vicinity


@pytest.mark.parametrize("seed", [1, 2])
def test_one_by_one_says_what_all_at_once_does(seed: int) -> None:
    field = Battlefield(battle(per_side=6, seed=seed))
    mover, target = np.nonzero(field.enemies)
    corners = field.solids.corners[: len(field.units)]
    about, ground = Vicinity.of(field.trays, mover, target, corners), field.blockers.ground
    for row, pair in enumerate(zip(mover.tolist(), target.tolist(), strict=True)):
        corridor = Corridor.of(ground, *pair)
        for thing in ground.eased(0.0):
            said = corridor.under(thing), corridor.between(thing), corridor.ahead(thing)
            kinds = (about.under, about.between, about.ahead)
            assert said == tuple(bool(kind[row, thing[2]]) for kind in kinds)

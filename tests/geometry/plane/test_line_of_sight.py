"""Line of sight against a slow reference that tries closely spaced lines."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from bench.tables import battle
from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.sight_rules import UnitSight
from models import Pose, Sigma, Terrain
from tests.reference import sight as reference
from tests.reference.tables import random_table


def crowded(seed: int, spread: float) -> Battlefield:
    dice = random.Random(seed)
    game = ("tmg-2021", "tmg-2018")[seed % 2]
    table = battle(per_side=dice.choice((4, 10)), pieces=6, seed=seed, game=game)
    units = tuple(
        unit.at(replace(unit.pose, sigma=Sigma(dice.uniform(0, spread), 4 * spread)))
        for unit in table.units
    )
    return Battlefield(replace(table, units=units))


def sights(field: Battlefield, shot: bool = False) -> list[UnitSight]:
    pairs = np.argwhere(field.enemies).tolist()
    return [UnitSight(field, viewer, target, shot) for viewer, target in pairs]


def assert_as_reference(field: Battlefield, shot: bool) -> None:
    for sight in sights(field, shot):
        one, two = field.units[sight.place], field.units[sight.goal]
        truth = reference.sees(field.table, one, two, shooting=shot)
        assert truth is None or sight.look().seen == truth, (one.id, two.id)


@pytest.mark.rule("TMG-LOS-5", "TMG-LOS-6")
@pytest.mark.parametrize("seed", range(4))
def test_sight_on_a_crowded_table(seed: int) -> None:
    assert_as_reference(crowded(seed, 0.0), shot=seed % 2 == 0)


@pytest.mark.rule("TMG-LOS-5", "TMG-LOS-6")
@pytest.mark.parametrize("seed", range(8))
def test_sight_where_trays_stand_flush(seed: int) -> None:
    """Trays that touch a front edge or each other, terrain under and between them."""
    assert_as_reference(Battlefield(random_table(seed, units_per_side=5)), shot=seed % 2 == 0)


@pytest.mark.rule("TMG-CHG-9")
def test_what_is_hidden_after_any_pivot_is_seen_after_none() -> None:
    fields = [crowded(seed, 0.0) for seed in range(3)]
    fields += [Battlefield(random_table(seed, units_per_side=5)) for seed in range(6)]
    hidden = [sight for field in fields for sight in sights(field) if sight.hidden]
    assert len(hidden) > 20
    for sight in hidden:
        turned = (sight.tray.turned(heading) for heading in np.linspace(0, 6.2, 40).tolist())
        assert not any(sight.look(tray).seen for tray in turned), (sight.place, sight.goal)


@pytest.mark.rule("TMG-LOS-6")
def test_two_walls_hide_a_target_that_neither_hides_alone() -> None:
    table = battle(per_side=1, pieces=0)
    one, two = table.units
    dark = frozenset(("blocks-line-of-sight",))
    walls = (
        Terrain("left", ((10, 20), (25, 20), (25, 21), (10, 21)), dark),
        Terrain("right", ((23, 23), (38, 23), (38, 24), (23, 24)), dark),
    )
    units = (one.at(Pose(24, 12, 90)), two.at(Pose(24, 34, 270)))
    for pieces, seen in ((walls, False), (walls[:1], True), (walls[1:], True)):
        field = Battlefield(replace(table, units=units, terrain=pieces))
        assert all(sight.look().seen == seen for sight in sights(field))


def test_more_sigmas_never_hide_what_fewer_show() -> None:
    """Blockers shrink and the target grows with the level: so answers go from no to yes only."""
    opened = 0
    for seed in range(6):
        field = crowded(seed, 0.05)
        levels = [
            np.array([sight.look(sigmas=level).seen for sight in sights(field)])
            for level in (-3.0, -1.0, 0.0, 1.0, 3.0)
        ]
        for tight, loose in pairwise(levels):
            assert not (tight & ~loose).any()
        opened += int((levels[0] != levels[-1]).sum())
    assert opened > 5

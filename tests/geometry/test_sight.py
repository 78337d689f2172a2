"""Sight asked in bulk and one by one: the same answers, and proofs that hold."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from bench.tables import battle
from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.looking import looks_of, subset
from companion.geometry import sight
from companion.geometry.sight import Looks, Sight
from companion.geometry.views import SETTLED, Boxes, part_ahead
from models import Pose, Sigma, Terrain
from tests.reference.tables import random_table

FACTS = ("seen", "ahead", "terrain", "trays")


def crowded(seed: int) -> Battlefield:
    dice = random.Random(seed)
    game = ("tmg-2021", "tmg-2018")[seed % 2]
    table = battle(per_side=dice.choice((4, 10, 16)), pieces=6, seed=seed, game=game)
    spread = dice.choice((0.0, 0.05))
    units = tuple(
        unit.at(replace(unit.pose, sigma=Sigma(dice.uniform(0, spread), 4 * spread)))
        for unit in table.units
    )
    return Battlefield(replace(table, units=units))


def asked(field: Battlefield, shot: bool) -> Looks:
    viewer, target = np.nonzero(field.enemies)
    return looks_of(field, viewer, target, shots=0 if shot else None)


@pytest.mark.parametrize("seed", range(12))
def test_answers_do_not_depend_on_how_many_are_asked(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    field = crowded(seed)
    looks = asked(field, shot=seed % 3 == 0)
    assert_same_answers(field, looks, monkeypatch)


@pytest.mark.parametrize("seed", range(12))
def test_nor_do_they_where_trays_stand_flush(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trays that touch a front edge or each other, terrain under and between them."""
    for number in range(3 * seed, 3 * seed + 3):
        field = Battlefield(random_table(number, units_per_side=6))
        assert_same_answers(field, asked(field, shot=number % 2 == 0), monkeypatch)


def test_nor_do_they_where_terrain_alone_hides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two walls hide a target together, neither of them alone, and no tray is near."""
    table = battle(per_side=1, pieces=0, seed=1)
    one, two = table.units
    dark = frozenset(("blocks-line-of-sight",))
    walls = (
        Terrain("left", ((10, 20), (25, 20), (25, 21), (10, 21)), dark),
        Terrain("right", ((23, 23), (38, 23), (38, 24), (23, 24)), dark),
    )
    units = (one.at(Pose(24, 12, 90)), two.at(Pose(24, 34, 270)))
    field = Battlefield(replace(table, units=units, terrain=walls))
    looks = asked(field, shot=False)
    assert_same_answers(field, looks, monkeypatch)
    assert not sight.sees(looks, field.blockers).any()


def assert_same_answers(field: Battlefield, looks: Looks, monkeypatch: pytest.MonkeyPatch) -> None:
    """In bulk, some of them alone, and one by one."""
    for level in (-3.0, 0.0, 3.0):
        monkeypatch.setattr(sight, "FEW", 0)
        bulk = sight.look(looks, field.blockers, level)
        some = np.arange(0, len(looks.viewer), 7)
        few = sight.look(subset(looks, some), field.blockers, level)
        monkeypatch.setattr(sight, "FEW", len(looks.viewer))
        single = sight.look(looks, field.blockers, level)
        for name in FACTS:
            assert (getattr(bulk, name) == getattr(single, name)).all(), name
            assert (getattr(bulk, name)[some] == getattr(few, name)).all(), name


@pytest.mark.parametrize("seed", range(6))
def test_proofs_hold(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A target is seen while its free line is, and hidden while only its hiders are left."""
    field = crowded(seed)
    looks = asked(field, shot=False)
    for few in (0, len(looks.viewer)):
        monkeypatch.setattr(sight, "FEW", few)
        found = sight.look(looks, field.blockers)
        assert (np.isnan(found.line[:, 0]) == ~found.seen).all()
        assert np.array_equal(found.hiders[:, 0] == SETTLED, ~found.ahead)
        assert_starts_and_ends(field, looks, found)
        for row in np.flatnonzero(found.hiders[:, 0] >= 0).tolist():
            hiders = set(found.hiders[row].tolist())
            alone = [int(looks.viewer[row]), int(looks.target[row]), *hiders]
            units = tuple(field.units[place] for place in alone)
            lone = Battlefield(replace(field.table, units=units))
            again = sight.look(looks_of(lone, np.array([0]), np.array([1])), lone.blockers)
            assert not again.seen[0]
            assert again.trays[0]


def test_no_corner_of_a_target_is_lost_among_many() -> None:
    """What lies in the arc of each of many fronts is what lies in the arc of one alone."""
    dice = np.random.default_rng(7)
    (along, aside), angle = dice.uniform(-8, 8, (2, 500)), dice.uniform(0, 7, 500)
    deep, wide = dice.uniform(0.5, 3, (2, 500))
    boxes = Boxes(along, aside, np.cos(angle), np.sin(angle), deep, wide)
    x, y = boxes.corners()
    edge, slope = np.full(500, 2.0), np.full(500, 0.9)
    parts, ahead = part_ahead(x, y, edge, slope)
    for row in np.flatnonzero(ahead).tolist():
        some = slice(row, row + 1)
        alone, _ = part_ahead(x[:, some], y[:, some], edge[some], slope[some])
        spots = {tuple(spot) for spot in parts[:, :, row].T.tolist()}
        assert spots == {tuple(spot) for spot in alone[:, :, 0].T.tolist()}


def assert_starts_and_ends(field: Battlefield, looks: Looks, found: Sight) -> None:
    """Every line starts on the front edge and ends on the target."""
    rows = np.flatnonzero(found.seen)
    a, x, y = found.line[rows].T
    eyes = looks.eyes.take(rows)
    assert (np.abs(a) <= eyes.half[:, 1] + 1e-9).all()
    spot = eyes.arrow + eyes.forward * x[:, None] + eyes.left * y[:, None]
    local = field.trays.local(looks.target[rows], spot[:, None])[:, 0]
    assert (np.abs(local) <= field.trays.half[looks.target[rows]] + 1e-6).all()

"""What a sliding and turning tray keeps clear of: bounds that hold for all of a range."""

from __future__ import annotations

import math

import numpy as np
import pytest

from companion.geometry.plane.motion.clearance_bounds import ClearanceBounds, RangeCells
from companion.geometry.plane.solids import Solids, Walls
from companion.geometry.plane.trays import Trays


def crowd(seed: int) -> ClearanceBounds:
    """A tray among five others, a wall and the edges of a small table."""
    rng = np.random.default_rng(seed)
    zero = np.zeros(5)
    trays = Trays.placed(
        rng.uniform(0, 12, (5, 2)),
        rng.uniform(0, 2 * math.pi, 5),
        rng.uniform(0.5, 2.5, (5, 2)),
        np.ones(5),
        zero,
        zero,
    )
    x, y = rng.uniform(1, 9, 2)
    walls = Walls.of([((x, y), (x + 3, y + 0.4), (x + 2.8, y + 0.8), (x - 0.2, y + 0.4))])
    solids = Solids.of(trays, walls)
    lean = rng.uniform(0, 2 * math.pi)
    limit = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    return ClearanceBounds(
        np.array([6.0, 6.0]),
        rng.uniform(0, 2 * math.pi),
        rng.uniform(0.5, 2.5, 2),
        np.array([math.cos(lean), math.sin(lean)]),
        solids,
        np.array([12.0, 12.0]),
        limit,
        limit + 0.1,
    )


@pytest.mark.parametrize("seed", range(12))
def test_nowhere_in_a_cell_is_it_clearer_than_its_bound(seed: int) -> None:
    leeway, rng = crowd(seed), np.random.default_rng(seed + 100)
    for size in (1.0, 0.2, 0.02):
        way, turn = rng.uniform(0, 6, 60), rng.uniform(-1.6, 1.6, 60)
        long, wide = rng.uniform(0, size, 60), rng.uniform(0, size, 60)
        cells = RangeCells(way, turn, long, wide)
        bounds, covered = leeway.bounds(cells), leeway.covered(cells)
        for _ in range(25):
            off, aside = rng.uniform(-1, 1, 60), rng.uniform(-1, 1, 60)
            margins = leeway.margins(way + off * long, turn + aside * wide)
            assert ((margins - leeway.wanted).min(axis=1) <= bounds.most + 1e-9).all()
            assert ((margins - leeway.safe).min(axis=1) <= bounds.safe + 1e-9).all()
            assert (margins[:, :-1][covered] < 0).all()


def test_bounds_of_small_cells_say_what_is_there() -> None:
    """Else a search by halves would never end."""
    assert sum(map(clear_ends, range(12))) > 50


def clear_ends(seed: int) -> int:
    """How many of some ends are clear; their bounds must say so, and of the others not."""
    leeway, rng = crowd(seed), np.random.default_rng(seed)
    way, turn = rng.uniform(0, 6, 200), rng.uniform(-1.6, 1.6, 200)
    cells = RangeCells(way, turn, np.full(200, 1e-6), np.full(200, 1e-6))
    there = (leeway.margins(way, turn) - leeway.wanted).min(axis=1)
    told = np.abs(there) > 1e-4
    assert ((leeway.bounds(cells).most > 0) == (there > 0))[told].all()
    return int((there > 1e-4).sum())


def test_halves_make_up_the_whole() -> None:
    cells = RangeCells.between(np.array([0.0, 1.0, 3.0]), np.array([-1.0, 0.5]))
    for across in (True, False):
        half = cells.halved(np.full(2, across))
        area, whole = (half.long * half.wide).sum(), (cells.long * cells.wide).sum()
        assert (len(half), area) == (4, pytest.approx(whole))
        way, turn = half.ends()
        assert (way.min(), way.max(), turn.min(), turn.max()) == (0.0, 3.0, -1.0, 0.5)

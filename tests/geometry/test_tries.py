"""Who decided a search: with the others gone it finds the same way."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from companion.geometry.advance import Path, Ways
from companion.geometry.obstacles import About, Obstacle, Obstacles
from companion.geometry.trays import Bools, Floats, Ints, corners_at


def box(x: float, y: float, heading: float, deep: float, wide: float) -> Floats:
    facing = np.array([[math.cos(heading), math.sin(heading)]])
    return corners_at(np.array([[x, y]]), facing, np.array([[deep, wide]]))[0]


def everything_seen(rows: Ints, headings: Floats) -> Bools:
    return np.ones(len(rows), dtype=bool)


def ways(target: Floats, stops: Floats, bars: Floats, owner: list[int]) -> Ways:
    """A tray at the origin, six inches from a target, among stops and bars."""
    polygons = zip([*stops.tolist(), *bars.tolist()], owner, strict=True)
    around = [Obstacle([(x, y) for x, y in spots], place) for spots, place in polygons]
    goal = [(x, y) for x, y in target.tolist()]
    return Ways(
        np.zeros((1, 2)),
        np.array([[1.5, 2.0]]),
        Obstacles.of([About(goal, around[: len(stops)], around[len(stops) :])]),
        1.0,
        np.zeros(1, dtype=bool),
        everything_seen,
        np.zeros(1),
    )


def crowd(dice: random.Random) -> tuple[Floats, Floats, Floats]:
    """A target, three trays that may stand before it, and two that may lie under the turn."""
    turn = math.tau
    target = box(dice.uniform(7, 10), dice.uniform(-2, 2), dice.uniform(0, turn), 1.5, 2.5)
    stops = [
        box(dice.uniform(3, 9), dice.uniform(-6, 6), dice.uniform(0, turn), 1.0, 1.5)
        for _ in range(3)
    ]
    bars = [
        box(dice.uniform(-3, 3), dice.choice((-3, 3)), dice.uniform(0, turn), 0.8, 0.8)
        for _ in range(2)
    ]
    return target, np.array(stops), np.array(bars)


def same(one: Path | None, two: Path | None) -> bool:
    if one is None or two is None:
        return one is two
    return one.total_in == pytest.approx(two.total_in, abs=1e-6) and one.heading_rad == (
        pytest.approx(two.heading_rad, abs=1e-6)
    )


@pytest.mark.rule("TMG-CHG-13")
@pytest.mark.rule("TMG-MOV-4")
def test_trays_that_did_not_decide_a_search_may_go() -> None:
    told, kept, lost = 0, 0, 0
    for seed in range(150):
        dice = random.Random(seed)
        target, stops, bars = crowd(dice)
        found = ways(target, stops, bars, [0, 1, 2, 3, 4]).solve()
        for gone in ({0}, {1}, {3}, {0, 2}, {1, 4}):
            some = [place for place in range(3) if place not in gone]
            others = [place for place in range(2) if place + 3 not in gone]
            without = ways(target, stops[some], bars[others], [*some, *others]).solve()
            unchanged = same(found.paths[0], without.paths[0])
            if found.refusals.same_without(0, gone):
                assert unchanged, (seed, gone)
                told += 1
            kept, lost = kept + unchanged, lost + (not unchanged)
    assert lost > 50
    assert told > kept / 2

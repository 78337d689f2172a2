"""A table in motion: moves are smooth, hands come along, nothing collides."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

from companion.practice.film import MOVE_S, REACH_S, TURN_S, Film
from companion.practice.random_table import standard_scene
from models.unit import overlap_depth


def test_units_move_one_after_another_and_never_into_each_other() -> None:
    scene = standard_scene(seed=2, trays=10, terrain=False)
    film = Film(scene.table, seed=3)
    moved = set()
    for turn in range(6):
        before, after = film.at(turn * TURN_S), film.at((turn + 1) * TURN_S - 0.01)
        changed = [
            unit.id for unit in before.table.units if after.table.unit(unit.id).pose != unit.pose
        ]
        assert len(changed) <= 1
        moved.update(changed)
        for one, other in combinations(after.table.units, 2):
            assert overlap_depth(one, other) == 0
    assert len(moved) >= 2


def test_moves_are_smooth_and_the_motion_tells_their_speed() -> None:
    scene = standard_scene(seed=2, trays=10, terrain=False)
    film = Film(scene.table, seed=3)
    moments = list(film.moments(fps=30, seconds=TURN_S))
    (unit,) = {name for moment in moments for name in moment.motions}
    poses = [moment.table.unit(unit).pose for moment in moments]
    steps = [math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise(poses)]
    assert max(steps) < 0.4
    for moment, step in zip(moments[1:], steps, strict=True):
        if unit in moment.motions:
            motion = moment.motions[unit]
            # Half a frame of exposure at 30 frames a second.
            assert abs(math.hypot(motion.dx, motion.dy) - step / 2) < 0.03


def test_a_hand_is_there_while_a_unit_moves_and_gone_after() -> None:
    scene = standard_scene(seed=2, trays=10, terrain=False)
    film = Film(scene.table, seed=3)
    assert film.at(REACH_S + MOVE_S / 2).hands
    assert not film.at(TURN_S - 0.1).hands
    assert film.at(3.3) == film.at(3.3)


def test_an_empty_table_has_a_film_too() -> None:
    scene = standard_scene(seed=2, trays=0, terrain=False)
    assert Film(scene.table).at(5.0).table == scene.table

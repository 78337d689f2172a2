"""How well the set-up says that distances between trays are known."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

from calibration.tags.mounts import surely
from companion.engine.camera.tray_draft import apart_within_in
from companion.practice.camera import render
from companion.practice.random_table import standard_scene
from companion.vision.look import look
from companion.vision.sources.frame import CameraFrame


def test_a_distance_between_trays_is_known_better_with_measured_mounts() -> None:
    """Told in the set-up; and what is told holds for every distance between them."""
    scene = standard_scene(3, trays=8, terrain=False)
    known = replace(
        scene.setup,
        trays=tuple(replace(one, tags=surely(one.tags)) for one in scene.setup.trays),
    )
    picture, _ = render(scene.table, scene.setup, scene.view)
    usual, exact = (look(CameraFrame(picture), setup) for setup in (scene.setup, known))
    usual_in, exact_in = apart_within_in(usual, known), apart_within_in(exact, known)
    assert usual_in is not None
    assert exact_in is not None
    assert exact_in < usual_in / 4
    places = {one.unit: (one.pose.x, one.pose.y) for one in exact.trays}
    for one, other in combinations(places, 2):
        poses = [scene.table.unit(name).pose for name in (one, other)]
        true = math.dist(*((pose.x, pose.y) for pose in poses))
        assert abs(math.dist(places[one], places[other]) - true) <= exact_in
    assert apart_within_in(usual, replace(known, trays=())) is None

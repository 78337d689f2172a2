"""Few references near the middle: what to lay where is said, and tapped corners tell the lens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.camera.lens import Lens
from calibration.references.table_pose import TableLost, TablePose, table_pose
from calibration.references.tapped_corners import lens_of_corners, table_corners
from calibration.tags.tag import Sighting
from companion.practice.random_table import PracticeTable, standard_scene
from tests.calibration.seen import sightings

SIZE = (1920, 1080)
MIDDLE = ((22.0, 22.0), (26.0, 22.0), (26.0, 26.0), (22.0, 26.0))


@pytest.fixture(scope="module")
def scene() -> PracticeTable:
    """References 0 to 3 lie around the middle of the table; the others are not laid."""
    scene = standard_scene(seed=1, trays=0, terrain=False)
    references = tuple(
        replace(tag, x=x, y=y)
        for tag, (x, y) in zip(scene.setup.references[:4], MIDDLE, strict=True)
    )
    return replace(scene, setup=replace(scene.setup, references=references))


@pytest.fixture(scope="module")
def seen(scene: PracticeTable) -> list[Sighting]:
    return sightings(scene, seed=3, noise_px=0.3)


def test_one_more_is_asked_for_where_it_helps_most(
    scene: PracticeTable, seen: list[Sighting]
) -> None:
    lost = table_pose(seen, scene.setup.with_lens(None), SIZE)
    assert isinstance(lost, TableLost)
    assert lost.vague
    assert lost.further is not None
    assert lost.further.id is None
    # Not beside the others: in a corner or at the middle of an edge.
    assert np.hypot(lost.further.x - 24, lost.further.y - 24) > 15
    assert "lay one more reference tag" in lost.reason
    assert "px" not in lost.reason
    assert len(lost.further.corners_px) == 4


def test_an_unseen_one_of_the_plan_is_named(scene: PracticeTable, seen: list[Sighting]) -> None:
    far = replace(scene.setup.references[0], id=6, x=1.4, y=46.6)
    near = replace(far, id=7, x=24.0, y=22.0)
    setup = replace(scene.setup, references=(*scene.setup.references, far, near), lens=None)
    lost = table_pose(seen, setup, SIZE)
    assert isinstance(lost, TableLost)
    assert lost.further is not None
    assert lost.further.id == 6
    assert "lay reference 6 in the far left corner" in lost.reason


@pytest.mark.parametrize("seed", range(3))
def test_tapped_corners_of_the_table_tell_the_lens(
    scene: PracticeTable, seen: list[Sighting], seed: int
) -> None:
    lens = scene.setup.lens
    assert lens is not None
    unknown = scene.setup.with_lens(None)
    points = np.array([(x, y, 0.0) for x, y in table_corners(unknown)])
    true = scene.view.project(points, lens)
    taps = true + np.random.default_rng(seed).normal(0, 3.0, true.shape)
    found = lens_of_corners(seen, unknown, SIZE, [(float(x), float(y)) for x, y in taps])
    assert isinstance(found, Lens)
    assert not found.estimated
    assert abs(found.matrix[0] - lens.matrix[0]) < 3 * found.sigma[0]
    assert found.sigma[0] < 0.15 * lens.matrix[0]
    # From now on the references alone place the table, and say how surely.
    pose = table_pose(seen, scene.setup.with_lens(found), SIZE)
    assert isinstance(pose, TablePose)
    for point, pixel in zip(points, true, strict=True):
        spot = pose.place(pixel, sigma_px=0.1)
        assert np.hypot(spot.x - point[0], spot.y - point[1]) < 4 * spot.sigma_in + 0.02


def test_bad_corners_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from companion.cli.program import main

    file = tmp_path / "t.setup.toml"
    standard_scene(seed=1, trays=0, terrain=False).setup.save(file)
    words = ["calibrate", "table", "a.png", "--setup", str(file), "--corners"]
    assert main([*words, "1,2,3"]) == 2
    assert "is not eight numbers" in capsys.readouterr().err
    assert main(["calibrate", "lens", *words[2:], "1,2"]) == 2
    assert "belongs to calibrate table" in capsys.readouterr().err

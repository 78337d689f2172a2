"""Few references near the middle: what to lay where is said, and tapped corners tell the lens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.camera.camera_fit import SeenReference
from calibration.camera.lens import Lens, prior_of
from calibration.references.reference_errors import EXACT
from calibration.references.table_lost import TableLost
from calibration.references.table_pose import TablePose, table_pose
from calibration.references.tapped_corners import lens_of_corners, table_corners
from calibration.references.tray_evidence import SeenTrays, TrayEvidence
from calibration.tags.tag import Sighting
from companion.practice.random_table import PracticeTable, standard_scene
from companion.vision.detect.detection import Detection
from companion.vision.look import placed_trays
from models.pose import Pose
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


def spread(seed: int, trays: int = 0) -> PracticeTable:
    """References around the middle of the table, far enough apart to tell most of it."""
    scene = standard_scene(seed=seed, trays=trays, terrain=False)
    places = ((17.0, 17.0), (31.0, 17.0), (31.0, 31.0), (17.0, 31.0))
    references = tuple(
        replace(tag, x=x, y=y)
        for tag, (x, y) in zip(scene.setup.references[:4], places, strict=True)
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


@pytest.mark.parametrize("seed", range(3))
def test_what_the_references_do_tell_of_the_table_is_used(seed: int) -> None:
    scene = spread(seed)
    lens = scene.setup.lens
    assert lens is not None
    pose = table_pose(sightings(scene, seed, noise_px=0.3), scene.setup.with_lens(None), SIZE)
    assert isinstance(pose, TablePose)
    assert pose.partly
    assert pose.further is not None
    assert any("not known" in problem for problem in pose.problems(scene.setup))
    ways = np.linspace(0.0, 48.0, 7)
    known = [(x, y) for x in ways for y in ways if pose.knows(x, y)]
    assert 25 < len(known) < 49
    for x, y in known:
        pixel = scene.view.project(np.array([[x, y, 0.0]]), lens)[0]
        spot = pose.place(pixel, sigma_px=0.1)
        assert np.hypot(spot.x - x, spot.y - y) < 4 * spot.sigma_in


def test_no_tray_is_placed_where_the_table_is_not_known() -> None:
    scene = spread(1, trays=1)
    setup = scene.setup.with_lens(None)
    pose = table_pose(sightings(spread(1), 1, noise_px=0.3), replace(setup, trays=()), SIZE)
    assert isinstance(pose, TablePose)
    corners = [(x, y) for x in (2.0, 46.0) for y in (2.0, 46.0)]
    x, y = next(place for place in corners if not pose.knows(*place))
    tray = setup.trays[0]
    for place, placed in ((Pose(24.0, 24.0, 90.0), 1), (Pose(x, y, 90.0), 0)):
        table = scene.table.moved(tray.unit, place)
        seen = sightings(replace(scene, table=table), 1, noise_px=0.05)
        tags = {
            one.id: Detection(one.id, one.corners_px, 0.0025 * np.eye(8), 1.0, 0.01, 0.8)
            for one in seen
        }
        told: list[str] = []
        assert len(placed_trays(setup.trays, tags, setup, pose, told)) == placed
        assert any("not known" in problem for problem in told) == (not placed)


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


def beside_trays(seed: int, trays: int = 16) -> PracticeTable:
    """The four references around the middle of a table on which trays stand."""
    scene = standard_scene(seed=seed, trays=trays, terrain=False)
    references = tuple(
        replace(tag, x=x, y=y)
        for tag, (x, y) in zip(scene.setup.references[:4], MIDDLE, strict=True)
    )
    return replace(scene, setup=replace(scene.setup, references=references))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("printed", [1.0, 0.96])
def test_trays_of_known_size_tell_what_few_references_leave_open(seed: int, printed: float) -> None:
    scene = beside_trays(seed)
    seen = sightings(scene, seed=seed, noise_px=0.1)
    setup = scene.setup.with_lens(None)
    alone = table_pose(seen, replace(setup, trays=()), SIZE)
    assert isinstance(alone, TableLost) or alone.partly
    # Whoever prints them all a little smaller says so of all of them.
    trays = tuple(
        replace(tray, tags=tuple(replace(tag, size_mm=tag.size_mm / printed) for tag in tray.tags))
        for tray in setup.trays
    )
    pose = table_pose(seen, replace(setup, trays=trays), SIZE)
    assert isinstance(pose, TablePose)
    assert pose.told is not None
    lens = scene.setup.lens
    assert lens is not None
    points = np.array([(x, y, 0.0) for x, y in table_corners(setup)])
    for point, pixel in zip(points, scene.view.project(points, lens), strict=True):
        spot = pose.place(pixel, sigma_px=0.1)
        off = float(np.hypot(spot.x - point[0], spot.y - point[1]))
        assert off < 4 * spot.sigma_in
        assert off < 2.0


def test_a_tray_of_another_size_than_written_moves_no_table() -> None:
    scene = beside_trays(1)
    seen = sightings(scene, seed=1, noise_px=0.1)
    setup = scene.setup.with_lens(None)
    wrong = replace(setup.trays[0].tags[0], size_mm=1.3 * setup.trays[0].tags[0].size_mm)
    odd = (replace(setup.trays[0], tags=(wrong,)), *setup.trays[1:])
    pose, with_odd = (table_pose(seen, replace(setup, trays=t), SIZE) for t in (setup.trays, odd))
    assert isinstance(pose, TablePose)
    assert isinstance(with_odd, TablePose)
    corner = pose.pixels(np.array([[48.0, 48.0, 0.0]]))[0]
    here, there = pose.place(corner), with_odd.place(corner)
    assert np.hypot(here.x - there.x, here.y - there.y) < here.sigma_in


def test_the_lens_that_trays_told_is_kept_while_they_move() -> None:
    scene = beside_trays(2)
    setup = scene.setup.with_lens(None)
    first = table_pose(sightings(scene, seed=5, noise_px=0.1), setup, SIZE)
    assert isinstance(first, TablePose)
    pose = first
    for seed in range(6, 12):
        seen = sightings(scene, seed=seed, noise_px=0.1)[:4]
        again = table_pose(seen, setup, SIZE, pose)
        assert isinstance(again, TablePose)
        pose = again
    far = np.array([[2.0, 46.0, 0.0]])
    spot, sure = pose.place(first.pixels(far)[0]), first.place(first.pixels(far)[0])
    assert np.hypot(spot.x - 2.0, spot.y - 46.0) < 3 * sure.sigma_in
    assert 0.6 * sure.sigma_in < spot.sigma_in < 1.6 * sure.sigma_in


def wide_scene(seed: int) -> PracticeTable:
    """A wide-angle camera that bends lines, references in the corners alone, trays between them."""
    scene = standard_scene(seed=seed, trays=24, terrain=False)
    lens = scene.setup.lens
    assert lens is not None
    bent = Lens.of(SIZE, (1000.0, 1000.0), (985.0, 530.0), (-0.24, 0.05, 0.0, 0.0, 0.0))
    corners = sorted(scene.setup.references, key=lambda one: -np.hypot(one.x - 24, one.y - 24))[:4]
    return replace(scene, setup=replace(scene.setup, references=tuple(corners), lens=bent))


def off_in(pose: TablePose, scene: PracticeTable) -> float:
    """How far points across the table are placed off, on average."""
    lens = scene.setup.lens
    assert lens is not None
    points = np.array([(x, y, 0.0) for x in (6.0, 24.0, 42.0) for y in (6.0, 24.0, 42.0)])
    pixels = scene.view.project(points, lens)
    spots = [pose.place(pixel) for pixel in pixels]
    away = [np.hypot(one.x - x, one.y - y) for one, (x, y, _) in zip(spots, points, strict=True)]
    return float(np.mean(away))


def test_trays_improve_a_lens_that_the_references_tell_badly() -> None:
    before, after = [], []
    for seed in range(6):
        scene = wide_scene(seed)
        setup = scene.setup.with_lens(None)
        seen = sightings(scene, seed=seed, noise_px=0.3)
        alone, together = (table_pose(seen, one, SIZE) for one in (replace(setup, trays=()), setup))
        assert isinstance(together, TablePose)
        if isinstance(alone, TablePose) and together.told is not None:
            before.append(off_in(alone, scene))
            after.append(off_in(together, scene))
    assert before
    assert np.mean(after) < 0.8 * np.mean(before)


def test_a_lens_is_left_alone_where_the_trays_tell_nothing_new() -> None:
    scene = beside_trays(1)
    setup = scene.setup.with_lens(None)
    seen = sightings(scene, seed=1, noise_px=0.1)
    laid = SeenReference.of(seen, setup)
    evidence = TrayEvidence(laid, SeenTrays.of(seen, setup), prior_of(None, SIZE), EXACT)
    assert scene.setup.lens is not None
    assert evidence.proven_fit((scene.view, scene.setup.lens), 1.0) is None


def test_an_unknown_lens_that_bends_much_is_doubted_more() -> None:
    plain, wide = beside_trays(2), wide_scene(2)
    poses = []
    for scene in (plain, wide):
        seen = sightings(scene, seed=2, noise_px=0.1)
        pose = table_pose(seen, scene.setup.with_lens(None), SIZE)
        assert isinstance(pose, TablePose)
        poses.append(pose)
    assert poses[0].bend < 0.1 < poses[1].bend < 0.6
    known = poses[1]
    straight, bent = replace(known, bend=0.0).cautious(), replace(known, bend=0.2).cautious()
    assert np.allclose(bent.covariance, 2 * straight.covariance)

"""The table's pose: right, robust, lost when it should be, and honest about its doubt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from calibration.references.table_lost import TableLost
from calibration.references.table_pose import TablePose, table_pose
from calibration.tags.tag import Sighting
from companion.practice.random_table import PracticeTable, standard_scene
from tests.calibration.seen import sightings
from tests.trials import trials

SIZE = (1920, 1080)


def pose_of(scene: PracticeTable, found: list[Sighting], lens: Lens | None = None) -> TablePose:
    pose = table_pose(found, scene.setup.with_lens(lens or scene.setup.lens), SIZE)
    assert isinstance(pose, TablePose), pose
    return pose


@pytest.fixture(scope="module")
def scene() -> PracticeTable:
    return standard_scene(seed=1, trays=0, terrain=False)


def test_without_noise_the_camera_is_found_exactly(scene: PracticeTable) -> None:
    pose = pose_of(scene, sightings(scene, noise_px=1e-6))
    assert np.allclose(pose.view.position, scene.view.position, atol=1e-3)
    assert pose.reprojection_px < 1e-3
    assert pose.used == tuple(range(8))
    assert not pose.estimated


def test_references_may_lie_at_different_heights(scene: PracticeTable) -> None:
    raised = tuple(
        replace(tag, up=0.5 if tag.id % 3 == 0 else 0.0) for tag in scene.setup.references
    )
    hilly = replace(scene, setup=replace(scene.setup, references=raised))
    pose = pose_of(hilly, sightings(hilly, noise_px=1e-6))
    assert np.allclose(pose.view.position, scene.view.position, atol=1e-3)
    wrong = table_pose(sightings(hilly), scene.setup, SIZE)
    assert isinstance(wrong, TableLost) or wrong.dropped


@pytest.mark.parametrize("hidden", [frozenset({1, 3, 5, 7}), frozenset({0, 2}), frozenset({6})])
def test_four_or_more_references_suffice(scene: PracticeTable, hidden: frozenset[int]) -> None:
    pose = pose_of(scene, sightings(scene, hidden=hidden))
    assert set(pose.used) == set(range(8)) - hidden
    assert np.allclose(pose.view.position, scene.view.position, atol=0.3)


@pytest.mark.parametrize("given", [True, False], ids=["lens", "no lens"])
@pytest.mark.parametrize(
    "moved",
    [{2: (0.5, 0.0)}, {5: (0.0, 0.5)}, {0: (0.5, 0.0), 4: (0.0, -1.0)}, {3: (20.0, 4.0)}],
    ids=["near corner", "far edge", "two", "across the table"],
)
def test_a_moved_reference_is_named(
    scene: PracticeTable, moved: dict[int, tuple[float, float]], given: bool
) -> None:
    setup = scene.setup if given else scene.setup.with_lens(None)
    pose = table_pose(sightings(scene, moved=moved), setup, SIZE)
    assert isinstance(pose, TablePose), pose
    assert {drop.id for drop in pose.dropped} == set(moved)
    assert set(pose.used) == set(range(8)) - set(moved)
    assert pose.reprojection_px < 0.2
    assert "disagrees by" in str(pose.dropped[0])


def test_three_moved_references_of_eight_do_not_win(scene: PracticeTable) -> None:
    moved = {1: (1.0, 0.0), 4: (0.0, 2.0), 6: (-1.0, 1.0)}
    pose = pose_of(scene, sightings(scene, moved=moved))
    assert {drop.id for drop in pose.dropped} == set(moved)


@pytest.mark.parametrize("given", [True, False], ids=["lens", "no lens"])
def test_a_misread_reference_does_not_spoil_the_start(scene: PracticeTable, given: bool) -> None:
    setup = scene.setup if given else scene.setup.with_lens(None)
    found = sightings(scene, hidden=frozenset({2, 6}))
    stray = np.array([[900.0, 480.0], [930.0, 480.0], [930.0, 455.0], [900.0, 455.0]])
    found = [Sighting(0, stray) if one.id == 0 else one for one in found]
    pose = table_pose(found, setup, SIZE)
    assert isinstance(pose, TablePose), pose
    assert [drop.id for drop in pose.dropped] == [0]


@pytest.mark.parametrize(
    ("hidden", "moved", "reason"),
    [
        (frozenset(range(3, 8)), {}, "only 3 of 8 reference tags seen: uncover them"),
        (frozenset(range(8)), {}, "only 0 of 8 reference tags seen"),
        (frozenset({4, 5, 6, 7}), {2: (0.0, 3.0)}, "reference tags"),
    ],
)
def test_too_little_left_is_lost(
    scene: PracticeTable,
    hidden: frozenset[int],
    moved: dict[int, tuple[float, float]],
    reason: str,
) -> None:
    lost = table_pose(sightings(scene, hidden=hidden, moved=moved), scene.setup, SIZE)
    assert isinstance(lost, TableLost)
    assert reason in lost.reason


def test_references_that_all_disagree_are_lost(scene: PracticeTable) -> None:
    rng = np.random.default_rng(4)
    moved = {tag: tuple(rng.uniform(-1.5, 1.5, 2)) for tag in range(8)}
    lost = table_pose(sightings(scene, moved=moved), scene.setup, SIZE)
    assert isinstance(lost, TableLost)


@pytest.mark.slow
def test_references_of_nonsense_are_lost(scene: PracticeTable) -> None:
    rng = np.random.default_rng(5)
    found = [Sighting(tag, rng.uniform(0, 1000, (4, 2))) for tag in range(8)]
    assert isinstance(table_pose(found, scene.setup, SIZE), TableLost)
    assert isinstance(table_pose(found, scene.setup.with_lens(None), SIZE), TableLost)


@pytest.mark.parametrize("seed", range(trials(3, 200)))
def test_nonsense_never_raises(scene: PracticeTable, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = sightings(scene, noise_px=float(rng.choice((0.0, 0.05, 3.0))))
    for number in rng.permutation(8)[: rng.integers(1, 5)]:
        scale = float(rng.choice((0.0, 1.0, 1e4)))
        found[number] = Sighting(int(number), rng.normal(500, 1, (4, 2)) * scale, 0.0)
    setup = scene.setup if seed % 2 else scene.setup.with_lens(None)
    answer = table_pose(found[: rng.integers(4, 9)], setup, SIZE)
    if isinstance(answer, TablePose):
        assert answer.reprojection_px <= 0.5
        assert np.isfinite(answer.covariance).all()


def test_last_pose_only_shortens_the_search(scene: PracticeTable) -> None:
    before = pose_of(scene, sightings(scene))
    elsewhere = PracticeTable(
        scene.table, scene.setup, Viewpoint.looking((10.0, -15.0, 33.0), (26.0, 20.0, 0.0), 4.0)
    )
    found = sightings(elsewhere)
    warm = table_pose(found, scene.setup, SIZE, before)
    assert isinstance(warm, TablePose)
    assert np.allclose(warm.view.position, pose_of(elsewhere, found).view.position, atol=1e-4)


@pytest.mark.parametrize("wide", [50.0, 70.0, 85.0])
def test_a_lens_nobody_gave_is_estimated_and_marked(wide: float, scene: PracticeTable) -> None:
    lens = Lens.ideal(SIZE, wide, (-0.05, 0.01, 0.0, 0.0, 0.0))
    pose = table_pose(sightings(scene, lens=lens), scene.setup.with_lens(None), SIZE)
    assert isinstance(pose, TablePose)
    assert pose.estimated
    assert pose.lens.matrix[0] == pytest.approx(lens.matrix[0], rel=0.02)
    given = table_pose(sightings(scene, lens=lens), scene.setup.with_lens(lens), SIZE)
    assert isinstance(given, TablePose)
    assert given.covariance[6, 6] < pose.covariance[6, 6]


def test_a_wrong_lens_is_doubted_and_corrected(scene: PracticeTable) -> None:
    assert scene.setup.lens is not None
    wrong = scene.setup.lens.with_parameters(
        scene.setup.lens.parameters + np.array([25.0, 25.0, 12.0, -9.0, 0.01, 0, 0, 0, 0])
    )
    pose = pose_of(scene, sightings(scene), wrong)
    assert pose.lens_doubtful
    assert pose.reprojection_px < 0.2
    assert not pose_of(scene, sightings(scene)).lens_doubtful


@pytest.mark.slow
def test_the_pose_misses_by_what_it_says() -> None:
    """Points of the table, through many noises: errors against the covariance."""
    scene = standard_scene(seed=2, trays=0, terrain=False)
    assert scene.setup.lens is not None
    pixels = np.array([[300.0, 900.0], [960.0, 500.0], [1300.0, 120.0]])
    truth = scene.view.on_plane(scene.setup.lens.rays(pixels))
    away = []
    for seed in range(60):
        pose = pose_of(scene, sightings(scene, seed))
        for pixel, true in zip(pixels, truth, strict=True):
            spot = pose.place(pixel, sigma_px=1e-6)
            off = np.array([spot.x, spot.y]) - true
            away.append(float(off @ np.linalg.solve(spot.covariance, off)))
    # Two numbers each: the mean squared distance in sigmas is 2 for an honest covariance.
    assert 1.0 < np.mean(away) < 2.6
    assert np.mean(np.array(away) > 11.8) < 0.02


def misprinted(scene: PracticeTable, share: float) -> PracticeTable:
    tags = tuple(replace(tag, size_mm=tag.size_mm * share) for tag in scene.setup.references)
    return replace(scene, setup=replace(scene.setup, references=tags))


@pytest.mark.parametrize("given", [True, False], ids=["lens", "no lens"])
@pytest.mark.parametrize("share", [0.94, 0.96, 0.98, 1.03])
def test_references_printed_to_fit_the_page_are_measured_and_named(
    scene: PracticeTable, share: float, given: bool
) -> None:
    setup = scene.setup if given else scene.setup.with_lens(None)
    pose = table_pose(sightings(misprinted(scene, share)), setup, SIZE)
    assert isinstance(pose, TablePose), pose
    assert pose.print_scale == pytest.approx(share, abs=0.003)
    told = f"your reference tags measure {40 * share:.1f} mm, not 40: printed at {share:.0%}"
    assert pose.problems(setup) == [told.replace("%", " %")]
    assert np.allclose(pose.view.position, scene.view.position, atol=0.4 if given else 2.0)


@pytest.mark.parametrize("share", [0.85, 1.12])
def test_a_table_of_another_size_is_not_taken_for_a_misprint(
    scene: PracticeTable, share: float
) -> None:
    lost = table_pose(sightings(misprinted(scene, share)), scene.setup, SIZE)
    assert isinstance(lost, TableLost)
    assert "is the table of another size?" in lost.reason


def test_a_good_set_up_has_no_problems(scene: PracticeTable) -> None:
    for seed in range(5):
        pose = pose_of(scene, sightings(scene, seed))
        assert pose.problems(scene.setup) == []
        assert pose.laying.place_in < 0.01


def test_references_laid_askew_are_said_so(scene: PracticeTable) -> None:
    rng = np.random.default_rng(7)
    askew = tuple(
        replace(
            tag,
            x=tag.x + rng.normal(0, 0.06),
            y=tag.y + rng.normal(0, 0.06),
            heading=tag.heading + rng.normal(0, 1.0),
        )
        for tag in scene.setup.references
    )
    real = replace(scene, setup=replace(scene.setup, references=askew))
    pose = pose_of(scene, sightings(real))
    assert 0.02 < pose.laying.place_in < 0.12
    assert 0.4 < np.degrees(pose.laying.turn_rad) < 2.0
    assert any("off their places" in problem for problem in pose.problems(scene.setup))
    again = table_pose(sightings(real, seed=1), scene.setup, SIZE, pose)
    assert isinstance(again, TablePose)
    assert again.laying == pose.laying
    assert np.allclose(again.view.position, pose.view.position, atol=0.1)


@pytest.mark.parametrize(
    ("given", "help"), [(False, "a lens that bends so much"), (True, "this camera and zoom")]
)
def test_references_that_look_bent_are_told_with_what_helps(
    scene: PracticeTable, given: bool, help: str
) -> None:
    """They lie where they should, but no printed square looks so: a strange lens, or curled
    paper."""
    rng = np.random.default_rng(1)
    found = [
        replace(tag, corners_px=tag.corners_px + rng.normal(0, 0.8, (4, 2)))
        for tag in sightings(scene)
    ]
    setup = scene.setup if given else scene.setup.with_lens(None)
    lost = table_pose(found, setup, SIZE)
    assert isinstance(lost, TableLost), lost
    assert "look bent" in lost.reason
    assert help in lost.reason
    assert len(lost.seen) == 8


@pytest.mark.slow
@pytest.mark.parametrize("away", [0.4, 1.0, 3.0])
def test_four_of_eight_that_agree_by_luck_are_no_table(scene: PracticeTable, away: float) -> None:
    """Two groups of references, each of which would make a table by itself."""
    moved = dict.fromkeys((0, 3, 5, 6), (away, 0.7 * away))
    lost = table_pose(sightings(scene, moved=moved), scene.setup, SIZE)
    assert isinstance(lost, TableLost), lost
    assert "disagree" in lost.reason
    assert any(str(tag) in lost.reason for tag in moved)


def test_a_tap_carries_its_own_doubt(scene: PracticeTable) -> None:
    pose = pose_of(scene, sightings(scene))
    near = pose.place(pose.pixels(np.array([[24.0, 6.0, 0.0]]))[0], sigma_px=2.0)
    far = pose.place(pose.pixels(np.array([[24.0, 44.0, 0.0]]))[0], sigma_px=2.0)
    assert (near.x, near.y) == pytest.approx((24.0, 6.0), abs=1e-6)
    assert far.sigma_in > 2 * near.sigma_in > 0.05
    raised = pose.place(pose.pixels(np.array([[20.0, 30.0, 1.5]]))[0], height=1.5)
    assert (raised.x, raised.y) == pytest.approx((20.0, 30.0), abs=1e-6)
    assert pose.sees(np.array([960.0, 500.0]))
    assert not pose.sees(np.array([960.0, -5000.0]))

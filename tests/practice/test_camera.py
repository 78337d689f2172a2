"""The practice camera against an independent projection, measured in its own pictures."""

import tracemalloc
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from calibration.setup import TrayTag
from companion.practice import sensor
from companion.practice.camera import Motion, PracticeCamera, Truth, render
from companion.practice.random_table import standard_scene
from companion.practice.sensor import LOOKS, PLAIN, STANDARD, look_named
from companion.practice.upright_objects import HandSprite
from models.message import UnknownName
from models.pose import Pose
from models.unit import Unit

Floats = NDArray[np.float64]


def projected(points: Floats, lens: Lens, view: Viewpoint) -> Floats:
    """cv2's own projection: shares no code with the renderer."""
    turn, _ = cv2.Rodrigues(view.rotation)
    pixels, _ = cv2.projectPoints(points, turn, -view.rotation @ view.centre, lens.k, lens.d)
    return np.asarray(pixels[:, 0], dtype=np.float64)


def edge_offsets(light: NDArray[np.float32], corners_px: Floats) -> Floats:
    """How far each side of a tag lies from where it should, in pixels (4 sides x positions).

    Along lines across the side the light is summed from the middle of the black rim to the
    middle of the white margin: the sum tells where black ends without knowing the blur.
    """
    offsets = []
    centre = corners_px.mean(axis=0)
    for side in range(4):
        start, end = corners_px[side], corners_px[(side + 1) % 4]
        along = (end - start) / np.linalg.norm(end - start)
        outward = np.array([along[1], -along[0]])
        if outward @ (start - centre) < 0:
            outward = -outward
        reach = (
            0.45 * min(abs(outward @ (start - centre)), abs(outward @ (end - centre))) / 3
        )  # a module is a sixth of the edge
        steps = np.linspace(-reach, reach, 201)
        row = []
        for share in np.linspace(0.2, 0.8, 13):
            points = start + (end - start) * share + outward * steps[:, None]
            values = cv2.remap(
                light,
                points[:, 0].astype(np.float32)[None],
                points[:, 1].astype(np.float32)[None],
                cv2.INTER_LINEAR,
            )[0]
            dark, white = values[:20].mean(), values[-20:].mean()
            row.append(((white - values) / (white - dark)).mean() * 2 * reach - reach)
        offsets.append(row)
    return np.array(offsets)


@pytest.mark.parametrize(
    "lens",
    [
        Lens.ideal((2560, 1440), 70.0),
        Lens.ideal((2560, 1440), 70.0, (-0.09, 0.03, 0.0004, -0.0003, 0.0)),
        Lens.ideal((2560, 1440), 75.0, (0.12, -0.05, 0.001, 0.002, 0.01)),
    ],
    ids=["straight", "barrel", "pincushion"],
)
def test_tag_edges_lie_where_an_independent_projection_puts_them(lens: Lens) -> None:
    scene = standard_scene(seed=4, trays=16, up=0.2, terrain=False)
    setup = scene.setup.with_lens(lens)
    look = replace(PLAIN, margin_modules=1.5)
    light, truth = PracticeCamera(setup, scene.view, look).light(scene.table)
    grey = light.mean(axis=2)
    clear = [tag for tag in truth.tags if tag.clear]
    offsets = np.array([edge_offsets(grey, tag.corners_px) for tag in clear])
    assert len(offsets) >= 18
    assert abs(offsets.mean()) < 0.01
    sides = offsets.mean(axis=2)
    assert np.sqrt((sides**2).mean()) < 0.02
    assert np.abs(sides).max() < 0.05


def test_true_corners_are_those_of_cv2() -> None:
    scene = standard_scene(seed=2, trays=2, terrain=False)
    _, truth = render(scene.table, scene.setup, scene.view, PLAIN)
    for reference in scene.setup.references:
        half = reference.size_in / 2
        box = [(-half, half), (half, half), (half, -half), (-half, -half)]
        space = np.array([(reference.x + a, reference.y + b, 0.0) for a, b in box])
        expected = projected(space, truth.lens, truth.view)
        assert np.abs(truth.tag(reference.id).corners_px - expected).max() < 1e-6


def test_plain_frame_is_read_by_a_stock_detector_at_the_true_corners() -> None:
    scene = standard_scene(seed=5, trays=6, tag_mm=40.0, size=(2560, 1440), terrain=False)
    frame, truth = render(scene.table, scene.setup, scene.view, replace(PLAIN, tone="srgb"))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(frame)
    found = dict(zip(ids.ravel().tolist(), corners, strict=True))
    assert set(found) == {tag.id for tag in truth.tags}
    for tag in truth.tags:
        assert np.abs(found[tag.id][0] - tag.corners_px).max() < 3.0


def test_the_same_seed_gives_the_same_frame_and_another_number_other_noise() -> None:
    scene = standard_scene(seed=6, trays=3, size=(960, 540), terrain=False)
    camera = PracticeCamera(scene.setup, scene.view)
    first, _ = camera.frame(scene.table, number=1)
    again, _ = render(scene.table, scene.setup, scene.view, number=1)
    other, _ = camera.frame(scene.table, number=2)
    assert (first == again).all()
    assert (first != other).any()


def clear_tags(truth: Truth) -> set[int]:
    return {tag.id for tag in truth.tags if tag.clear}


@pytest.mark.slow
def test_models_and_hands_hide_tags_and_the_truth_says_so() -> None:
    scene = standard_scene(seed=1)
    bare, bare_truth = render(
        scene.table, scene.setup, scene.view, replace(STANDARD, figures=False)
    )
    full, full_truth = render(scene.table, scene.setup, scene.view)
    unit = scene.table.units[0]
    tag = scene.setup.trays[0].tags[0]
    x, y = unit.pose.ahead(tag.forward, tag.left)
    _, hand_truth = render(scene.table, scene.setup, scene.view, hands=(HandSprite(x, y + 1.0),))
    assert clear_tags(full_truth) < clear_tags(bare_truth)
    assert full_truth.tag(tag.id).hidden < hand_truth.tag(tag.id).hidden
    assert (bare != full).any()


def test_a_tag_outside_the_picture_is_not_inside() -> None:
    scene = standard_scene(seed=1, trays=2, terrain=False)
    beside = Viewpoint.looking((24, -14, 35), (48, 24, 0))
    _, truth = render(scene.table, scene.setup, beside)
    assert not truth.tag(0).inside
    assert truth.tag(3).inside


def test_motion_smears_the_moving_tray_only() -> None:
    scene = standard_scene(seed=7, trays=4, terrain=False)
    camera = PracticeCamera(scene.setup, scene.view, PLAIN)
    moving, still = scene.table.units[0], scene.table.units[1]
    sharp, truth = camera.light(scene.table)
    smeared, moved = camera.light(scene.table, {moving.id: Motion(0.4, 0.0, 0.0)})
    ids = {tray.unit: tray.tags[0].id for tray in scene.setup.trays}

    def contrast(light: NDArray[np.float32], unit: Unit) -> float:
        x, y = truth.tag(ids[unit.id]).corners_px.mean(axis=0).astype(int)
        return float(light[y - 12 : y + 13, x - 12 : x + 13].std())

    assert contrast(smeared, moving) < 0.9 * contrast(sharp, moving)
    assert contrast(smeared, still) == pytest.approx(contrast(sharp, still))
    assert moved.moving == {moving.id}
    assert np.allclose(truth.tag(ids[moving.id]).corners_px, moved.tag(ids[moving.id]).corners_px)


def test_moving_a_unit_moves_its_tag_in_the_picture() -> None:
    scene = standard_scene(seed=8, trays=2, terrain=False)
    camera = PracticeCamera(scene.setup, scene.view, PLAIN)
    before, _ = camera.light(scene.table)
    unit = scene.table.units[0]
    after, truth = camera.light(scene.table.moved(unit.id, Pose(24, 24, 30)))
    tag = truth.tag(scene.setup.trays[0].tags[0].id)
    x, y = tag.corners_px.mean(axis=0).astype(int)
    around = (slice(y - 5, y + 5), slice(x - 5, x + 5))
    assert np.abs(after[around] - before[around]).max() > 0.2


@pytest.mark.parametrize("name", sorted(LOOKS))
def test_every_look_makes_a_picture_with_contrast(name: str) -> None:
    scene = standard_scene(seed=9, trays=5, size=(960, 540), terrain=False)
    frame, _ = render(scene.table, scene.setup, scene.view, look_named(name))
    assert frame.dtype == np.uint8
    assert frame.shape == (540, 960, 3)
    assert frame.std() > 8


def test_looks_are_refused_by_name() -> None:
    with pytest.raises(UnknownName, match="'foggy'"):
        look_named("foggy")
    with pytest.raises(UnknownName, match="'sepia'"):
        replace(STANDARD, tone="sepia")


def test_a_picture_is_the_same_whichever_bands_it_is_developed_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    light = np.random.default_rng(3).random((203, 160, 3), dtype=np.float32)
    banded = [sensor.expose(light, replace(look, jpeg=0), 5) for look in LOOKS.values()]
    monkeypatch.setattr(sensor, "BAND_ROWS", len(light))
    whole = [sensor.expose(light, replace(look, jpeg=0), 5) for look in LOOKS.values()]
    assert all(np.array_equal(one, other) for one, other in zip(banded, whole, strict=True))
    assert len(banded) > 1


def test_a_picture_is_developed_in_less_memory_than_its_light_takes() -> None:
    light = np.random.default_rng(3).random((720, 1280, 3), dtype=np.float32)
    look = replace(STANDARD, jpeg=0)
    sensor.expose(light, look)  # the noise is cached
    tracemalloc.start()
    sensor.expose(light, look)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < light.nbytes


@pytest.mark.slow
def test_the_pole_of_a_nearer_tag_hides_a_farther_tag_of_the_same_tray() -> None:
    scene = standard_scene(seed=4, trays=1, terrain=False)
    unit, tray = scene.table.units[0], scene.setup.trays[0]
    # The tray looks to the side: seen from the camera, its second tag stands before the first.
    facing = scene.table.moved(unit.id, Pose(24.0, 20.0, 0.0))
    first, second = (TrayTag(40, 30.0, left=1.2, up=1.0), TrayTag(41, 30.0, left=-1.2, up=2.4))
    for tags in ((first, second), (second, first)):
        setup = replace(scene.setup, trays=(replace(tray, tags=tags),))
        _, truth = render(facing, setup, scene.view, replace(STANDARD, figures=False))
        assert truth.tag(40).hidden > 0.0
        assert truth.tag(41).hidden == 0.0
        _, alone = render(facing, replace(setup, trays=(replace(tray, tags=(first,)),)), scene.view)
        assert alone.tag(40).hidden == 0.0

"""Few references and few trays: what the trays show at several places finds the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.references.table_lost import TableLost
from calibration.references.table_pose import TablePose
from companion.practice.random_table import PracticeTable, standard_scene
from companion.vision.detect.detection import Detection
from companion.vision.sources.frame import CameraFrame
from companion.vision.track.table_tracker import TableTracker
from companion.vision.track.tag_tracker import TrackedTag
from models.pose import Pose
from tests.calibration.seen import sightings
from tests.calibration.test_few_references import MIDDLE, off_in, wide_scene

SIZE = (1920, 1080)
PLACES = ((6.0, 6.0), (42.0, 8.0), (40.0, 40.0), (8.0, 38.0), (24.0, 6.0), (24.0, 42.0))


NARROW = ((23.0, 23.0), (25.0, 23.0), (25.0, 25.0), (23.0, 25.0))


@pytest.fixture(scope="module")
def scene() -> PracticeTable:
    """References 0 to 3 lie close together in the middle; one tray stands beside them."""
    return around(NARROW)


def around(places: Sequence[tuple[float, float]]) -> PracticeTable:
    """References 0 to 3 at those places, and one tray."""
    scene = standard_scene(seed=1, trays=1, terrain=False)
    references = tuple(
        replace(tag, x=x, y=y)
        for tag, (x, y) in zip(scene.setup.references[:4], places, strict=True)
    )
    return replace(scene, setup=replace(scene.setup, references=references))


def tags_of(
    scene: PracticeTable, at: tuple[float, float], seed: int, noise_px: float = 0.1
) -> dict[int, Detection]:
    """The tags with the tray at that place, as a perfect finder reports them through noise."""
    unit = scene.table.units[0]
    moved = replace(scene, table=scene.table.moved(unit.id, Pose(*at, 90.0)))
    return {
        one.id: Detection(one.id, one.corners_px, one.covariance, 1.0, 0.02, 0.8)
        for one in sightings(moved, seed=seed, noise_px=noise_px)
    }


def looked(
    tracker: TableTracker, tags: dict[int, Detection], at: int, monkeypatch: pytest.MonkeyPatch
) -> TablePose | TableLost:
    seen = TrackedTag(tags, frozenset(tags), frozenset())
    monkeypatch.setattr(tracker._tracker, "see", lambda picture: seen)
    blank = np.zeros((SIZE[1], SIZE[0], 3), dtype=np.uint8)
    return tracker.see(CameraFrame(blank, at / 2, at)).camera


def test_a_tray_carried_around_the_table_finds_it(
    scene: PracticeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker = TableTracker(scene.setup.with_lens(None))
    found = [looked(tracker, tags_of(scene, at, n), n, monkeypatch) for n, at in enumerate(PLACES)]
    assert isinstance(found[0], TableLost)
    assert "put a tray in one corner" in str(found[0].reason)
    last = found[-1]
    assert isinstance(last, TablePose)
    lens = scene.setup.lens
    assert lens is not None
    corner = np.array([[46.0, 46.0, 0.0]])
    spot = last.place(scene.view.project(corner, lens)[0], sigma_px=0.1)
    assert np.hypot(spot.x - 46, spot.y - 46) < 4 * spot.sigma_in


def test_a_tray_carried_around_tells_the_rest_of_a_table_known_in_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = around(MIDDLE)
    tracker = TableTracker(scene.setup.with_lens(None))
    found = [looked(tracker, tags_of(scene, at, n), n, monkeypatch) for n, at in enumerate(PLACES)]
    first, last = found[0], found[-1]
    assert isinstance(first, TablePose)
    assert first.partly
    assert isinstance(last, TablePose)
    assert not last.partly


def test_a_camera_that_is_moved_begins_anew(
    scene: PracticeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker = TableTracker(scene.setup.with_lens(None))
    for n, at in enumerate(PLACES[:3]):
        looked(tracker, tags_of(scene, at, n), n, monkeypatch)
    assert len(tracker._gathered.places) >= 2
    x, y, up = scene.view.position
    away = replace(scene, view=replace(scene.view, position=(x + 3, y, up)))
    looked(tracker, tags_of(away, PLACES[3], 9), 9, monkeypatch)
    assert len(tracker._gathered.places) <= 1


def test_a_vague_table_is_not_asked_while_a_tray_moves(
    scene: PracticeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker = TableTracker(scene.setup.with_lens(None))
    lost = looked(tracker, tags_of(scene, PLACES[0], 0), 0, monkeypatch)
    assert isinstance(lost, TableLost)
    own = scene.setup.trays[0].tags[0].id
    tags = tags_of(scene, PLACES[1], 1)
    tags[own] = replace(tags[own], rough=True)
    assert looked(tracker, tags, 1, monkeypatch) is lost
    assert looked(tracker, tags_of(scene, PLACES[1], 2), 2, monkeypatch) is not lost


def test_trays_that_are_moved_around_improve_the_lens_in_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """References in the corners of a wide-angle picture; one tray is moved while people play."""
    wide = wide_scene(3)
    scene = replace(wide, setup=replace(wide.setup, trays=wide.setup.trays[:1]))
    tracker = TableTracker(scene.setup.with_lens(None))
    spots = [
        (x, y) for x in (6.0, 15.0, 24.0, 33.0, 42.0) for y in (6.0, 13.0, 20.0, 27.0, 34.0, 41.0)
    ]
    found = [
        looked(tracker, tags_of(scene, at, n, 0.3), n, monkeypatch) for n, at in enumerate(spots)
    ]
    first, last = found[0], found[-1]
    assert isinstance(first, TablePose)
    assert isinstance(last, TablePose)
    assert first.told is None
    assert last.told is not None
    assert off_in(last, scene) < off_in(first, scene)

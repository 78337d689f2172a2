"""At thirty frames a second: what half a second is enough to notice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera.viewpoint import Viewpoint
from calibration.printing.sheets import TRAY_IDS as PRINTED_IDS
from calibration.references.table_pose import TablePose
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import TRAY_IDS, PracticeTable, standard_scene, tagged_table
from companion.vision.sources.frame import CameraFrame, Picture
from companion.vision.track.table_tracker import TableTracker, TrackedView, TrackerEvents, TrayMoved
from models.table import Table
from tests.vision.conftest import BARE

FPS = 30
HALF_A_SECOND = FPS // 2


class Watching:
    """A follower that is shown pictures thirty times a second."""

    def __init__(self, scene: PracticeTable) -> None:
        self.scene = scene
        self.follower = TableTracker(scene.setup)
        self.number = 0
        grain = np.random.default_rng(1).integers(0, 4, (3, 720, 1280, 3), dtype=np.uint8)
        self.grain = list(grain)

    def picture(self, view: Viewpoint | None = None, scene: PracticeTable | None = None) -> Picture:
        scene = scene or self.scene
        camera = PracticeCamera(scene.setup, view or scene.view, BARE)
        return camera.frame(scene.table)[0]

    def show(self, picture: Picture, frames: int) -> list[TrackedView]:
        views = []
        for _ in range(frames):
            # A little grain: a living camera never shows the same picture twice.
            grain = self.grain[self.number % 3].reshape(picture.shape)
            noisy = np.asarray(cv2.add(picture, grain), dtype=np.uint8)
            views.append(
                self.follower.see(CameraFrame(noisy, self.number / FPS, self.number, "live"))
            )
            self.number += 1
        return views


@pytest.fixture
def watching(small_scene: PracticeTable) -> Watching:
    return Watching(small_scene)


def moves(views: Iterable[TrackedView]) -> list[TrayMoved]:
    return [event for view in views for event in view.events if isinstance(event, TrayMoved)]


def said(views: Iterable[TrackedView], what: str) -> bool:
    return any(
        isinstance(event, TrackerEvents) and event.what == what
        for view in views
        for event in view.events
    )


def place(view: TrackedView) -> NDArray[np.float64]:
    assert isinstance(view.camera, TablePose)
    return np.array(view.camera.view.position)


def right(view: TrackedView, table: Table) -> bool:
    """Whether every live tray is where it stands."""
    return all(
        np.hypot(fit.pose.x - table.unit(fit.unit).pose.x, fit.pose.y - table.unit(fit.unit).pose.y)
        < 0.05
        for fit in view.live
    )


NUDGES = {
    "nudged": Viewpoint.looking((24.4, -13.5, 35.6), (24.2, 17.0, 0.0)),
    "pushed aside": Viewpoint.looking((30.0, -12.0, 36.0), (25.0, 17.5, 0.0), 3.0),
    "set down elsewhere": Viewpoint.looking((14.0, -14.0, 38.0), (23.0, 18.0, 0.0), -4.0),
}


@pytest.mark.parametrize("name", NUDGES)
def test_a_moved_tablet_is_noticed_and_no_tray_with_it(watching: Watching, name: str) -> None:
    table = watching.scene.table
    watching.show(watching.picture(), 5)
    views = watching.show(watching.picture(NUDGES[name]), HALF_A_SECOND)
    last = views[-1]
    assert last.held_s is None
    assert np.abs(place(last) - NUDGES[name].position).max() < 0.1
    assert len(last.live) >= len(table.units) - 1
    assert not moves(views)
    assert all(right(view, table) for view in views[-5:])


def test_a_tablet_turned_upside_down(watching: Watching) -> None:
    table = watching.scene.table
    watching.show(watching.picture(), 5)
    over = replace(
        watching.scene.view,
        axes=tuple(
            float(value)
            for value in (np.diag([-1.0, -1.0, 1.0]) @ watching.scene.view.rotation).ravel()
        ),
    )
    views = watching.show(watching.picture(over), HALF_A_SECOND)
    assert np.abs(place(views[-1]) - watching.scene.view.position).max() < 0.1
    assert len(views[-1].live) >= len(table.units) - 1
    assert right(views[-1], table)
    assert not moves(views)


def test_a_tablet_turned_to_portrait(watching: Watching) -> None:
    table = watching.scene.table
    watching.follower = TableTracker(watching.scene.setup.with_lens(None))
    picture = watching.picture()
    watching.show(picture, 5)
    tall = np.asarray(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE), dtype=np.uint8)
    views = watching.show(tall, HALF_A_SECOND)
    assert views[-1].held_s is None
    assert len(views[-1].live) >= len(table.units) - 1
    assert right(views[-1], table)
    assert not moves(views)


@pytest.mark.slow
def test_a_reference_pushed_by_half_an_inch_is_named(watching: Watching) -> None:
    scene = watching.scene
    watching.show(watching.picture(), 5)
    pushed = tuple(
        replace(tag, x=tag.x + 0.4, y=tag.y + 0.3) if tag.id == 4 else tag
        for tag in scene.setup.references
    )
    after = replace(scene, setup=replace(scene.setup, references=pushed))
    views = watching.show(watching.picture(scene=after), HALF_A_SECOND)
    assert any("reference 4 disagrees" in problem for problem in views[-1].problems)
    assert views[-1].held_s is None
    assert right(views[-1], scene.table)
    assert not moves(views)


def test_a_table_without_references_is_held_and_comes_back(watching: Watching) -> None:
    scene = watching.scene
    picture = watching.picture()
    watching.show(picture, 5)
    none = replace(scene, setup=replace(scene.setup, references=scene.setup.references[:3]))
    bare = watching.picture(scene=none)
    views = watching.show(bare, HALF_A_SECOND)
    assert said(views, "table lost")
    last = views[-1]
    assert last.held_s is not None
    assert not last.live
    plain = last.to_json(scene.setup)
    assert plain["trays"] == []
    assert plain["held"] > 0
    assert {tray["unit"] for tray in plain["last_seen"]} == {unit.id for unit in scene.table.units}
    views = watching.show(picture, HALF_A_SECOND)
    assert said(views, "table back")
    assert views[-1].held_s is None
    assert len(views[-1].live) == len(scene.table.units)
    assert not moves(views)


def test_the_codes_that_pictures_imitate_are_never_used() -> None:
    assert not {17, 37} & {*PRINTED_IDS, *TRAY_IDS}
    scene = standard_scene(seed=2, trays=25)
    assert not {17, 37} & scene.setup.ids()
    assert not {17, 37} & tagged_table(scene.table).ids()

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera.lens import Lens
from calibration.references.table_lost import TableLost
from calibration.references.table_pose import TablePose
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import PracticeTable, standard_scene
from companion.practice.sensor import STANDARD, expose
from companion.practice.upright_objects import HandSprite
from companion.vision.detect.detection import lens_for
from companion.vision.detect.tag_detector import find_tags
from companion.vision.sources.frame import CameraFrame, Picture, grey_of
from companion.vision.track.table_tracker import (
    GONE_S,
    TableTracker,
    TrackedView,
    TrackerEvents,
    TrayMoved,
    has_moved,
)
from companion.vision.track.tag_tracker import THOROUGH_AFTER, TagTracker
from models.pose import Pose, Sigma
from models.table import Table
from tests.vision.conftest import BARE
from tests.vision.drawn import drawn_tag, turned_square

STEP_S = 0.1


class Film:
    """A practice table seen by a follower, ten frames a second."""

    def __init__(self, scene: PracticeTable) -> None:
        self.scene = scene
        self.camera = PracticeCamera(scene.setup, scene.view, BARE)
        self.follower = TableTracker(scene.setup)
        self.number = 0

    def show(self, table: Table, hands: tuple[HandSprite, ...] = ()) -> TrackedView:
        picture, _ = self.camera.frame(table, hands=hands, number=self.number)
        return self.show_picture(picture)

    def show_picture(self, picture: Picture, after_s: float = STEP_S) -> TrackedView:
        self.number += 1
        self.time = getattr(self, "time", 0.0) + after_s
        return self.follower.see(CameraFrame(picture, self.time, self.number, "film"))


@pytest.fixture
def film(small_scene: PracticeTable) -> Film:
    return Film(small_scene)


def of_kind(view: TrackedView, what: str) -> list[str]:
    return [
        event.unit
        for event in view.events
        if isinstance(event, TrackerEvents) and event.what == what
    ]


def test_a_still_table_costs_nothing_and_says_nothing(film: Film) -> None:
    table = film.scene.table
    first = film.show(table)
    assert set(of_kind(first, "appeared")) == {unit.id for unit in table.units}
    for _ in range(4):
        view = film.show(table)
        assert not view.events
        assert view.read in ("gate", "tile")
        assert {standing.condition for standing in view.standings} == {"settled"}
    assert view.held_s is None


def test_a_move_is_one_event_from_rest_to_rest(film: Film) -> None:
    table = film.scene.table
    unit = table.units[0]
    for _ in range(2):
        film.show(table)
    events = []
    for step in range(1, 6):
        x, y = unit.pose.ahead(0.25 * step)
        table = table.moved(unit.id, Pose(x, y, unit.pose.heading + 2.0 * step))
        view = film.show(table)
        events += list(view.events)
        standing = view.standing(unit.id)
        assert standing is not None
        assert standing.condition in ("moving", "settled")
        if standing.condition == "moving":
            off = np.hypot(standing.fit.pose.x - x, standing.fit.pose.y - y)
            assert off < 0.1
    assert not events
    assert view.standing(unit.id).condition == "moving"  # type: ignore[union-attr]
    for _ in range(8):
        events += list(film.show(table).events)
    assert len(events) == 1
    (event,) = events
    assert isinstance(event, TrayMoved)
    assert event.unit == unit.id
    assert np.hypot(event.start.x - unit.pose.x, event.start.y - unit.pose.y) < 0.03
    end = table.unit(unit.id).pose
    assert np.hypot(event.end.x - end.x, event.end.y - end.y) < 0.03
    assert abs(event.end.heading - end.heading) < 0.5
    assert event.began_s < event.settled_s
    assert event.to_json()["event"] == "moved"


def test_a_jump_is_found_again(film: Film) -> None:
    table = film.scene.table
    unit = table.units[1]
    for _ in range(2):
        film.show(table)
    x, y = unit.pose.ahead(1.4)
    table = table.moved(unit.id, Pose(x, y, unit.pose.heading + 35))
    views = [film.show(table) for _ in range(14)]
    standing = views[-1].standing(unit.id)
    assert standing is not None
    assert standing.condition == "settled"
    assert np.hypot(standing.fit.pose.x - x, standing.fit.pose.y - y) < 0.03
    assert sum(isinstance(event, TrayMoved) for view in views for event in view.events) == 1


@pytest.mark.slow
def test_hidden_is_last_seen_with_its_age_then_back(film: Film) -> None:
    table = film.scene.table
    for _ in range(2):
        film.show(table)
    unit = table.units[2]
    place = film.camera.frame(table)[1]
    tags = [tag for tag in place.tags if tag.unit == unit.id]
    clean, _ = film.camera.frame(table, number=50)
    covered = clean.copy()
    for tag in tags:
        left, top = tag.corners_px.min(axis=0).astype(int) - 6
        right, bottom = tag.corners_px.max(axis=0).astype(int) + 7
        covered[top:bottom, left:right] = (120, 140, 190)
    view = film.show_picture(covered)
    assert of_kind(view, "hidden") == [unit.id]
    later = film.show_picture(covered, 2.0)
    standing = later.standing(unit.id)
    assert standing is not None
    assert standing.condition == "hidden"
    assert standing.age_s(later.time_s) >= 2.0
    assert unit.id not in {fit.unit for fit in later.live}
    plain = later.to_json(film.scene.setup)
    assert unit.id in plain["missing"]
    assert [tray["unit"] for tray in plain["last_seen"]] == [unit.id]
    gone = film.show_picture(covered, GONE_S)
    assert of_kind(gone, "gone") == [unit.id]
    views = [film.show(table) for _ in range(14)]
    assert [name for view in views for name in of_kind(view, "back")] == [unit.id]
    assert not any(isinstance(event, TrayMoved) for view in views for event in view.events)


def test_a_hand_hides_and_never_moves_a_tray(film: Film) -> None:
    table = film.scene.table
    for _ in range(2):
        film.show(table)
    unit = table.units[3]
    hand = HandSprite(unit.pose.x, unit.pose.y)
    for hands in ((hand,), (hand,), ()):
        view = film.show(table, hands)
        for fit in view.live:
            true = table.unit(fit.unit).pose
            off = np.hypot(fit.pose.x - true.x, fit.pose.y - true.y)
            assert off < max(0.05, 4 * fit.pose.sigma.xy_in)


def test_a_lost_table_is_held_and_comes_back(film: Film) -> None:
    table = film.scene.table
    view = film.show(table)
    assert isinstance(view.camera, TablePose)
    dark = np.zeros((720, 1280, 3), dtype=np.uint8)
    lost = film.show_picture(dark)
    assert of_kind(lost, "table lost") == [""]
    assert isinstance(lost.camera, TableLost)
    held = film.show_picture(dark, 1.5)
    assert held.held_s is not None
    assert held.held_s >= 1.5
    assert not held.live
    assert held.standings
    assert "held" in held.to_json(film.scene.setup)
    views = [film.show(table) for _ in range(8)]
    assert [view for view in views if of_kind(view, "table back")]
    assert views[-1].held_s is None
    assert len(views[-1].live) == len(table.units)


def test_a_moved_camera_recovers_and_moves_no_tray(film: Film) -> None:
    table = film.scene.table
    for _ in range(2):
        film.show(table)
    x, y, up = film.scene.view.position
    view = replace(film.scene.view, position=(x + 1.5, y - 0.5, up + 0.7))
    film.camera = PracticeCamera(film.scene.setup, view, BARE)
    views = [film.show(table) for _ in range(6)]
    assert not any(isinstance(event, TrayMoved) for one in views for event in one.events)
    assert views[4].held_s is None
    for fit in views[4].live:
        true = table.unit(fit.unit).pose
        assert np.hypot(fit.pose.x - true.x, fit.pose.y - true.y) < 0.05


@pytest.mark.slow
def test_a_still_sharpens_the_end_of_a_move(small_scene: PracticeTable) -> None:
    setup = small_scene.setup
    assert setup.lens is not None
    large = lens_for(setup.lens, (2560, 1440))
    assert large is not None
    film = Film(small_scene)
    table = small_scene.table
    sharp = PracticeCamera(setup.with_lens(large), small_scene.view, BARE)
    film.follower.still = still_of(sharp, lambda: table)
    for _ in range(2):
        film.show(table)
    unit = table.units[0]
    x, y = unit.pose.ahead(0.5)
    table = table.moved(unit.id, Pose(x, y, unit.pose.heading))
    events = [event for _ in range(9) for event in film.show(table).events]
    (event,) = [event for event in events if isinstance(event, TrayMoved)]
    assert np.hypot(event.end.x - x, event.end.y - y) < 0.01


def still_of(
    camera: PracticeCamera, table: Callable[[], Table]
) -> Callable[[], CameraFrame | None]:
    def take() -> CameraFrame:
        return CameraFrame(camera.frame(table())[0], name="still")

    return take


def poses() -> Iterator[tuple[Pose, Pose, bool]]:
    sure, vague = Sigma(0.005, 0.1), Sigma(0.2, 3.0)
    yield Pose(10, 10, 90, sure), Pose(10.02, 10, 90, sure), False
    yield Pose(10, 10, 90, sure), Pose(10.2, 10, 90, sure), True
    yield Pose(10, 10, 90, sure), Pose(10.2, 10, 90, vague), False
    yield Pose(10, 10, 359.8, sure), Pose(10, 10, 0.1, sure), False
    yield Pose(10, 10, 359, sure), Pose(10, 10, 1, sure), True


@pytest.mark.parametrize(("before", "now", "differ"), list(poses()))
def test_what_counts_as_a_move(before: Pose, now: Pose, differ: bool) -> None:
    assert has_moved(before, now) is differ


def test_a_lens_at_another_resolution() -> None:
    lens = Lens.ideal((1920, 1080), 70.0, (-0.1, 0.02, 0.0, 0.0, 0.0))
    large = lens_for(lens, (3840, 2160))
    assert large is not None
    # The middle of the large picture's pixels 0 and 1 is the small one's pixel 0.
    assert np.allclose(large.rays(np.array([[0.5, 0.5]])), lens.rays(np.array([[0.0, 0.0]])))
    assert lens_for(lens, (4000, 3000)) is None


@pytest.mark.slow
def test_the_following_finds_the_small_tags_that_the_still_search_reads() -> None:
    """Tags of 9 to 15 pixels, seen by single searches, are found while nothing moves."""
    scene = standard_scene(7, trays=12, tag_mm=15.0, up=1.8, size=(1280, 720))
    look = replace(STANDARD, jpeg=0)
    light, truth = PracticeCamera(scene.setup, scene.view, look).light(scene.table)
    pictures = [expose(light, look, number) for number in range(3)]
    ids = [tag.id for tag in truth.tags]
    lens = scene.setup.lens
    still = {
        tag
        for picture in pictures
        for turn in (0, 1)
        for tag in find_tags(grey_of(picture), expected=ids, lens=lens, turn=turn).tags
    }
    tracker = TagTracker("DICT_4X4_50", ids, lens)
    seen: set[int] = set()
    for number in range(200):
        seen |= set(tracker.see(pictures[number % 3]).tags)
    assert still <= seen


def side_by_side(*parts: Picture) -> Picture:
    """Pictures beside one another, all of one height."""
    return np.concatenate(parts, axis=1)


def test_a_calm_table_is_searched_as_thoroughly_as_a_photo() -> None:
    """A soft tag that no tile shows is found once the table has been calm for a moment."""
    clear = [drawn_tag(tag, turned_square(60, 10) + 40, (260, 520)) for tag in (7, 8, 10)]
    soft = drawn_tag(9, turned_square(110, 5) + np.array([60, 150]), (260, 520), blur=8.8)
    picture = side_by_side(*clear, soft)
    tracker = TagTracker("DICT_4X4_50", {7, 8, 9, 10})
    seen = [set(tracker.see(picture).tags) for _ in range(THOROUGH_AFTER + 2)]
    assert seen[THOROUGH_AFTER - 2] == {7, 8, 10}
    assert seen[-1] == {7, 8, 9, 10}


def test_another_view_is_searched_thoroughly_as_soon_as_the_first() -> None:
    """Also where a thorough search found nothing new before."""
    clear = [drawn_tag(tag, turned_square(60, 10) + 40, (260, 520)) for tag in (7, 8, 10)]
    soft = drawn_tag(9, turned_square(110, 5) + np.array([60, 150]), (260, 520), blur=8.8)
    tracker = TagTracker("DICT_4X4_50", {7, 8, 9, 10})
    for _ in range(THOROUGH_AFTER + 2):
        tracker.see(side_by_side(*clear, np.full_like(soft, 110)))
    other = side_by_side(soft, *reversed(clear))
    seen = [set(tracker.see(other).tags) for _ in range(THOROUGH_AFTER + 20)]
    assert seen[-1] == {7, 8, 9, 10}


def test_a_tag_in_two_places_is_taken_from_neither() -> None:
    one = drawn_tag(5, turned_square(40, 10) + 20, (160, 160))
    other = drawn_tag(7, turned_square(40, 30) + 20, (160, 160))
    tracker = TagTracker("DICT_4X4_50", {5, 7})
    for _ in range(60):
        seen = tracker.see(side_by_side(one, other, one))
        assert set(seen.tags) == {7}
    # Once one of them is gone, the other is the tag.
    blank = np.full_like(one, 110)
    for _ in range(5 * THOROUGH_AFTER):
        seen = tracker.see(side_by_side(one, other, blank))
    assert set(seen.tags) == {5, 7}


def imitated(picture: Picture, tag_id: int) -> tuple[Picture, Picture]:
    """The picture with a copy of a tag twice as large beside it, and with that copy alone."""
    corners = find_tags(grey_of(picture), expected=[tag_id]).tags[tag_id].corners_px
    (left, top), (right, low) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    spare = (right - left) // 4
    place = slice(top - spare, low + spare), slice(left - spare, right + spare)
    large = cv2.resize(picture[place], None, fx=2.0, fy=2.0, interpolation=cv2.INTER_CUBIC)
    both = picture.copy()
    both[5 : 5 + large.shape[0], 5 : 5 + large.shape[1]] = large
    alone = both.copy()
    alone[place] = 90
    return both, alone


def measured_by(view: TrackedView) -> set[int]:
    """The tags by which trays were placed."""
    return {tag for fit in view.live for tag in fit.used}


@pytest.fixture
def copied(film: Film) -> tuple[Film, int, Picture, Picture]:
    """A film, a tag of a tray, a frame with a large copy of it too, and one with that alone."""
    picture, truth = film.camera.frame(film.scene.table, number=0)
    tag = next(tag for tag in truth.tags if tag.clear and tag.unit)
    return film, tag.id, *imitated(picture, tag.id)


def test_a_thing_that_imitates_a_tag_hides_no_true_one_in_a_stream(
    copied: tuple[Film, int, Picture, Picture],
) -> None:
    film, tag, both, _ = copied
    for _ in range(3):
        view = film.show_picture(both)
    assert tag in measured_by(view)
    assert not any("two places" in problem for problem in view.problems)


def test_a_tag_is_looked_for_while_a_thing_of_another_size_imitates_it(
    copied: tuple[Film, int, Picture, Picture],
) -> None:
    """The true tag was covered when the camera came: it is found as soon as it is seen."""
    film, tag, both, alone = copied
    for _ in range(5):
        view = film.show_picture(alone)
    assert tag not in measured_by(view)
    for _ in range(20):
        view = film.show_picture(both)
    assert tag in measured_by(view)
    assert not any("mm wide" in problem for problem in view.problems)

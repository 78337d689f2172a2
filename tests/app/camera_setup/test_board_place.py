"""A board under a real camera, by touch: it lies anywhere, two corners are tapped, the grid fits,
and a figure that a hand moves is seen on its space.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.core.window import Window

from calibration.board_place import CORNER_IDS, board_corners, unit_board
from calibration.setup import Setup, TaggedTray, TrayTag, known_trays
from companion.app.scripted.driver import Driver, Finger
from companion.app.widgets.controls import Text
from companion.engine.app_words import set_language
from companion.engine.camera.board_fitting import too_large
from companion.vision.unknown_trays import UnknownTags, newcomers
from models.board import Board
from models.pose import Pose
from tests.app.camera_setup.board_camera import NetworkCamera, set_up, tap_picture
from tests.app.conftest import opened
from tests.app.fits import faults

GAMES = ("tactics", "westeros")


@pytest.fixture(params=GAMES)
def placing(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Driver, NetworkCamera]]:
    """The camera step of a new game, its camera set up over a board that nobody has shown."""
    camera = NetworkCamera(request.param)
    monkeypatch.setattr("companion.app.camera_setup.camera_choice.open_source", lambda word: camera)
    set_up(tmp_path, camera)
    driver = opened(tmp_path)
    to_camera_step(driver, request.param)
    yield driver, camera
    driver.app.service.leave()
    driver.stop()
    set_language("en")


def to_camera_step(driver: Driver, game: str) -> None:
    driver.press("new")
    driver.press(f"choice:{game}")
    for _step in range(6):
        if "choice:practice" in driver.names():
            break
        for name in list(driver.names()):
            if name in ("ready:0", "ready:1"):
                driver.press(name)
                break
        driver.press("next")
    driver.until(lambda: driver.app.service.live.sight == "live", 60)
    driver.rest()


def without_far_corner(*picture: Any) -> UnknownTags:
    """What a picture shows while a piece hides the far corner tag."""
    seen = newcomers(*picture)
    tags = {tag: spot for tag, spot in seen.sight.tags.items() if tag != CORNER_IDS[1]}
    return replace(seen, sight=replace(seen.sight, tags=tags))


def words(driver: Driver) -> str:
    return " | ".join(str(one.text) for one in driver.widgets(driver.top) if isinstance(one, Text))


def gold(driver: Driver) -> list[str]:
    """The names of the primary buttons."""
    return [one.name for one in driver.widgets(driver.top) if getattr(one, "look", "") == "primary"]


def kept(driver: Driver) -> Setup:
    return Setup.load(driver.app.service.folder / "setups" / "Kitchen.setup.toml")


def show_corners(driver: Driver, camera: NetworkCamera, aside: float = 0.0) -> None:
    """Tap both corners, the second one so far aside."""
    scene = camera.board_scene
    for number, corner in enumerate(board_corners(scene.board)):
        x, y = at(camera, corner.at)
        tap_picture(driver, camera, x + number * aside, y)
        driver.rest()


def at(camera: NetworkCamera, point: tuple[float, float]) -> tuple[float, float]:
    """A point of the board on the table."""
    board = camera.board_scene.board
    assert board.at is not None
    angle = math.radians(board.turn)
    u, v = point[0] * board.cell_in, point[1] * board.cell_in
    return (
        board.at[0] + u * math.cos(angle) - v * math.sin(angle),
        board.at[1] + u * math.sin(angle) + v * math.cos(angle),
    )


@pytest.mark.slow
def test_a_finger_on_the_picture_is_magnified_and_meets_each_pixel_of_the_camera(
    placing: tuple[Driver, NetworkCamera],
) -> None:
    driver, camera = placing
    driver.press("board-place")
    driver.until(lambda: driver.app.screen.camera is not None, 30)
    driver.rest()
    assert driver.app.screen.viewer.height > driver.app.screen.height / 2, "not as small as a stamp"
    screen, corner = driver.app.screen, at(camera, board_corners(camera.board_scene.board)[0].at)
    viewer = screen.viewer
    x, y = viewer.to_window(*viewer.on_screen(camera.pixel(*corner)))
    shown: list[int] = []
    magnify, meant, taps = viewer.magnify, camera.pixel(*corner), []
    aimed: list[tuple[float, float]] = []

    def tap(spot: tuple[float, float]) -> None:
        taps.append(spot)
        screen.tapped(spot)

    viewer.tap = tap

    def seen(spot: tuple[float, float] | None) -> None:
        magnify(spot)
        shown.append(len(viewer.lens.children))
        if spot is not None:
            aimed.append(spot)

    viewer.magnify = seen
    at_x, at_y = x + 30, y - 20
    finger = Finger(at_x, at_y)
    EventLoop.post_dispatch_input("begin", finger)
    driver.steps(1)
    for _step in range(40):  # a hand that looks at the cross, in whole points of the screen
        cross = viewer.to_window(*viewer.on_screen(aimed[-1]))
        at_x, at_y = at_x + round((x - cross[0]) * 2), at_y + round((y - cross[1]) * 2)
        finger.move((at_x / (Window.width - 1), at_y / (Window.height - 1)))
        EventLoop.post_dispatch_input("update", finger)
        driver.steps(1)
    EventLoop.post_dispatch_input("end", finger)
    driver.steps(2)
    assert max(shown) > 0, "the magnifier is there while the finger is"
    assert shown[-1] == 0
    assert math.dist(taps[0], meant) < 1.0, "to the pixel"
    ((_, there),) = screen.fitting.pairs
    assert math.dist(there, corner) < 0.03


@pytest.mark.slow
def test_a_board_is_shown_and_its_figures_are_seen(placing: tuple[Driver, NetworkCamera]) -> None:
    driver, camera = placing
    assert "not yet where this board lies" in words(driver)
    assert driver.app.service.drafting.draft.camera == "camera"  # as the set-up promises
    assert gold(driver) == ["board-place"]
    driver.press("board-place")
    driver.until(lambda: driver.app.screen.camera is not None, 30)
    assert faults(driver) == []
    show_corners(driver, camera)
    screen = driver.app.screen
    driver.until(lambda: screen.fitting.place is not None)
    assert "fit" in screen.status.head.text
    assert "✓" in screen.status.head.text
    assert len(screen.marks()) > 100  # the grid lies on the picture
    driver.press("nudge:right")
    assert screen.fitting.place.off_in == pytest.approx(0.05, abs=0.03)
    driver.press("nudge:left")
    middle = board_corners(camera.board_scene.board)[0]
    tap_picture(driver, camera, *at(camera, (middle.at[0], middle.at[1])))
    driver.rest()
    board = camera.board_scene.board
    third = (board.columns - 2.0, 1.0) if board.space == "square" else unit_middle(board, (9, 2))
    tap_picture(driver, camera, *at(camera, third))
    driver.until(lambda: screen.fitting.place.points == 3)
    assert "3 points" in screen.status.head.text
    assert faults(driver) == []
    driver.press("board-fits")
    driver.rest()
    assert driver.app.place == "new"
    place = kept(driver).board_place(board)
    assert place is not None
    for cell in ((0, 0), (board.columns - 1, board.rows - 1)):
        assert math.dist(place.laid(board).middle(cell), board.middle(cell)) < 0.12
    assert "lies where you showed it" in words(driver)
    assert gold(driver) == ["next"]


def unit_middle(board: Board, cell: tuple[int, int]) -> tuple[float, float]:
    return unit_board(board).middle(cell)


hexes = pytest.mark.parametrize("placing", ["westeros"], indirect=True)


def test_the_wizard_stands_on_the_camera_that_was_set_up(
    placing: tuple[Driver, NetworkCamera],
) -> None:
    driver, _camera = placing
    assert driver.app.service.drafting.draft.camera == "camera"
    assert "✓ Kitchen" in [getattr(one, "text", "") for one in driver.widgets()]


def test_a_board_that_has_no_room_on_the_table_is_known() -> None:
    """A set-up made for another game: the references lie too close together."""
    board = Board("hex", 15, 11, 2.08)
    assert too_large(board, Setup(table_width=24.0, table_depth=24.0))
    assert not too_large(board, Setup(table_width=42.0, table_depth=30.0))
    assert not too_large(board, Setup(table_width=30.0, table_depth=42.0)), "turned"


def begun(driver: Driver) -> None:
    driver.press("begin") if driver.find("begin") else driver.press("next")
    if driver.find("begin"):
        driver.press("begin")
    driver.until(lambda: driver.app.place == "table", 30)
    driver.rest()


@pytest.mark.slow
@hexes
def test_a_figure_that_a_hand_moves_is_seen_on_its_space(
    placing: tuple[Driver, NetworkCamera],
) -> None:
    driver, camera = placing
    service, board = driver.app.service, camera.board_scene.board
    driver.press("board-place")
    driver.until(lambda: driver.app.screen.camera is not None, 30)
    show_corners(driver, camera)
    driver.press("board-fits")
    driver.rest()
    begun(driver)
    assert not service.snapshot.unplaced
    shown = service.snapshot.gridded
    assert shown is not None
    for one in shown.pieces:
        assert one.cell is not None
        assert math.dist(shown.board.middle(one.cell), board.middle(one.cell)) < 0.15
    driver.until(lambda: len(service.live.standings) > 12, 90)
    mover = "s7"
    start = shown.piece(mover).cell
    assert start is not None
    goal = (start[0], start[1] + 1)
    driver.until(
        lambda: any(
            one.unit == mover and one.condition == "settled" for one in service.live.standings
        ),
        60,
    )
    camera.source.move(mover, Pose(*board.middle(goal), 90.0))
    driver.until(lambda: bool(service.snapshot.cell_moves), 60)
    seen = service.snapshot.cell_moves[0]
    assert (seen.piece, seen.cells[0].cell) == (mover, goal)


@pytest.mark.slow
@hexes
def test_without_a_place_the_game_is_on_the_map_and_asks(
    placing: tuple[Driver, NetworkCamera], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver, camera = placing
    service = driver.app.service
    begun(driver)
    driver.until(lambda: service.snapshot.board_question == "where", 30)
    driver.until(lambda: "board-later" in driver.names(), 30)
    assert service.snapshot.unplaced
    assert driver.app.screen.view == "map"
    camera.source.move("s7", Pose(20.0, 15.0, 90.0))  # nothing is made of what is not known
    driver.press("board-later")
    driver.rest()
    driver.until(lambda: not service.snapshot.board_question, 10)
    assert service.snapshot.cell_moves == ()
    driver.press("camera")
    driver.press("board-place")
    driver.until(lambda: driver.app.screen.camera is not None, 30)
    with monkeypatch.context() as hidden:  # a figure stands on the far corner: it stays said
        hidden.setattr("companion.engine.camera.board_fitting.newcomers", without_far_corner)
        driver.press("board-tags")
        driver.until(lambda: f"corner tag {CORNER_IDS[1]} is not seen" in words(driver), 60)
        assert "0 of 2 corners" in words(driver)
    driver.press("board-tags")  # the two tags of the sheet lie on the corner spaces
    driver.until(lambda: driver.app.waiting is None and driver.app.screen.fitting.place, 60)
    place = driver.app.screen.fitting.place
    board = camera.board_scene.board
    for cell in ((0, 0), (14, 10)):
        assert math.dist(place.laid(board).middle(cell), board.middle(cell)) < 0.05
    driver.press("board-fits")
    driver.rest()
    assert driver.app.place == "table"
    assert not service.snapshot.unplaced
    # The camera is pushed: the players are asked again, and say that the grid still fits.
    camera.push(4.0, 0.0, 1.0)
    driver.until(lambda: service.snapshot.board_question == "moved", 60)
    driver.until(lambda: "board-show" in driver.names(), 30)
    assert "still lies on the board" in words(driver)
    with monkeypatch.context() as lost:  # a camera that is gone is said, not asked about
        lost.setattr(service.controller.camera_session, "board_question", lambda board: "")
        driver.until(lambda: "board-show" not in driver.names(), 30)
    driver.until(lambda: "board-show" in driver.names(), 30)
    driver.press("board-show")
    driver.until(lambda: driver.app.screen.camera is not None, 30)
    assert "2.080″ in the game" in driver.app.screen.status.more.text
    driver.press("board-fits")
    driver.until(lambda: service.snapshot.board_question == "", 30)
    assert faults(driver) == []


@pytest.mark.slow
@hexes
def test_a_lost_camera_and_a_set_up_for_trays_are_said_where_it_is_chosen(
    placing: tuple[Driver, NetworkCamera],
) -> None:
    driver, camera = placing
    assert "was set up with trays" not in words(driver)
    camera.source.cover(True)
    driver.until(lambda: "This camera is lost" in words(driver), 30)
    assert faults(driver) == []
    driver.press("other-camera")
    assert driver.app.place == "camera"
    profile = driver.app.camera_profile
    assert profile is not None
    tray = TaggedTray("b1", known_trays()["infantry"], (TrayTag(10, 25.0),))
    driver.app.camera_profile = profile.saved(replace(profile.setup, trays=(tray,)))
    driver.press("back")
    assert driver.app.place == "new"
    assert "“Kitchen” was set up with trays" in words(driver)


@pytest.mark.slow
@hexes
def test_wrong_corners_are_refused_or_doubted(placing: tuple[Driver, NetworkCamera]) -> None:
    driver, camera = placing
    driver.press("board-place")
    driver.until(lambda: driver.app.screen.camera is not None, 30)
    tap_picture(driver, camera, 10.0, 10.0)
    tap_picture(driver, camera, 10.3, 10.0)
    driver.rest()
    screen = driver.app.screen
    assert screen.fitting.place is None
    assert screen.fitting.at_corner == 1
    assert "too close" in words(driver)
    driver.press("back")
    driver.press("board-place")
    driver.until(lambda: driver.app.screen.camera is not None, 30)
    show_corners(driver, camera, aside=-6.0)
    screen = driver.app.screen
    assert "!" in screen.status.head.text
    assert "in the game" in screen.status.more.text
    driver.press("board-round")
    driver.press("board-again")
    assert screen.fitting.place is None
    assert kept(driver).boards == ()

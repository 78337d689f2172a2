"""The lens board: a known lens comes back from photos of it, with honest doubts."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera.charuco_board import (
    CHESS,
    OWN_BOARD,
    BadBoard,
    BoardSpec,
    BoardView,
    Unused,
    board_view,
    charuco,
)
from calibration.camera.lens import Lens, prior_of
from calibration.camera.lens_calibration import NoLensFound, half, lens_from, quarter
from calibration.camera.other_board import BoardSearch, SeenMarkers, recognised
from calibration.setup import Setup, dictionary_of, with_camera
from companion.practice.sensor import STANDARD
from companion.practice.workbench import board_photo, board_views
from companion.vision.sources.frame import Picture
from tests.trials import trials

LENS = Lens.ideal((1280, 720), 68.0, (-0.08, 0.03, 0.0005, -0.0004, 0.0))


@pytest.fixture(scope="module")
def views() -> list[BoardView]:
    found = []
    for number, view in enumerate(board_views(LENS, 8, seed=2)):
        photo = board_photo(LENS, view, STANDARD, number)
        seen = board_view(photo, f"{number}.jpg")
        assert isinstance(seen, BoardView), seen
        away = seen.corners_px - view.project(OWN_BOARD.points[seen.ids], LENS)
        assert np.abs(away.mean(axis=0)).max() < 0.03
        assert away.std() < 0.06
        found.append(seen)
    return found


@pytest.mark.slow
def test_the_lens_comes_back(views: list[BoardView]) -> None:
    result = lens_from(views)
    found, true = result.lens.parameters, LENS.parameters
    assert result.misfit_px < 0.08
    assert np.abs(found[:2] / true[:2] - 1).max() < 0.001
    assert np.abs(found[2:4] - true[2:4]).max() < 1.5
    sigma = np.array(result.lens.sigma[:8])
    assert (np.abs(found - true)[:8] < 5 * sigma).all()
    assert any("more photos (now 8)" in wish for wish in result.wishes)


def test_a_spoilt_photo_is_left_out_and_named(views: list[BoardView]) -> None:
    rng = np.random.default_rng(1)
    spoilt = replace(
        views[3], corners_px=views[3].corners_px + rng.normal(0, 2.0, views[3].corners_px.shape)
    )
    result = lens_from([*views[:3], spoilt, *views[4:], Unused("x.jpg", "0 board corners found")])
    assert {one.source for one in result.unused} == {"3.jpg", "x.jpg"}
    assert "misses by" in next(one.reason for one in result.unused if one.source == "3.jpg")


def test_a_single_stray_corner_is_left_out(views: list[BoardView]) -> None:
    corners = views[0].corners_px.copy()
    corners[5] += (1.5, -1.0)
    result = lens_from([replace(views[0], corners_px=corners), *views[1:]])
    assert result.corners < sum(len(view.ids) for view in views)
    assert "0.jpg" in result.used


def test_few_photos_give_a_lens_with_its_doubt(views: list[BoardView]) -> None:
    for count in (2, 5):
        result = lens_from(views[:count])
        off = np.abs(result.lens.parameters - LENS.parameters)
        assert (off[:5] < 4 * np.array(result.lens.sigma[:5])).all()
        assert result.wishes
    with pytest.raises(NoLensFound, match="1 usable photos"):
        lens_from(views[:1])
    other = replace(views[5], size=(640, 360))
    with pytest.raises(NoLensFound, match="is 640 x 360, most photos are 1280 x 720"):
        lens_from([views[0], other])


def test_a_picture_without_a_board_is_not_used() -> None:
    answer = board_view(np.full((480, 640, 3), 120, dtype=np.uint8), "wall.jpg")
    assert answer == Unused("wall.jpg", "0 board corners found")


def test_photos_all_alike_are_told_what_is_missing(views: list[BoardView]) -> None:
    small = [replace(view, corners_px=view.corners_px * 0.4 + (20.0, 20.0)) for view in views]
    result = lens_from([replace(view, source=f"s{n}") for n, view in enumerate(small)])
    assert any("bottom right" in wish for wish in result.wishes)


def test_photos_of_several_sizes_are_measured_from_the_majority(views: list[BoardView]) -> None:
    small = [
        replace(view, source=f"s{n}", corners_px=view.corners_px / 2, size=(640, 360))
        for n, view in enumerate(views[:3])
    ]
    result = lens_from([small[0], *views, *small[1:]])
    assert result.lens.size == (1280, 720)
    assert {one.source for one in result.unused} == {"s0", "s1", "s2"}
    assert "photos of 2 sizes: measured from the 8 of 1280 x 720" in result.remarks


@pytest.mark.parametrize("left", [False, True])
def test_photos_held_upright_are_turned(views: list[BoardView], left: bool) -> None:
    """A quarter to either side: which one it was, the other photos tell."""
    shift = np.array([655.0 - 639.5, 340.0 - 359.5])
    real = [replace(view, corners_px=view.corners_px + shift) for view in views]
    upright = [quarter(half(view) if left else view) for view in real[:3]]
    result = lens_from([*upright, *real[3:]])
    assert result.lens.size == (1280, 720)
    assert "3 photos were turned by a quarter to 1280 x 720" in result.remarks
    assert result.misfit_px < 0.08
    assert np.abs(result.lens.parameters[2:4] - (655.0, 340.0)).max() < 2.0


def test_all_photos_upright_make_an_upright_lens(views: list[BoardView]) -> None:
    result = lens_from([quarter(view) for view in views])
    assert result.lens.size == (720, 1280)
    assert result.misfit_px < 0.08


def flat_views(tilts: tuple[float, ...], seed: int = 0) -> list[BoardView]:
    """Corners of boards held at those tilts (degrees), through noise; nothing is rendered."""
    rng = np.random.default_rng(seed)
    points = OWN_BOARD.points - OWN_BOARD.points.mean(axis=0)
    found = []
    for number, tilt in enumerate(tilts):
        axis = rng.normal(0, 1, 2)
        axis = np.radians(tilt) * axis / np.linalg.norm(axis)
        turn = np.array([axis[0], axis[1], rng.normal(0, 0.5)])
        shift = np.array([rng.uniform(-90, 90), rng.uniform(-50, 50), rng.uniform(350, 500)])
        pixels, _ = cv2.projectPoints(points, turn, shift, LENS.k, LENS.d)
        corners = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        corners += rng.normal(0, 0.15, corners.shape)
        inside = ((corners > 0) & (corners < np.array(LENS.size))).all(axis=1)
        ids = np.flatnonzero(inside).astype(np.int32)
        found.append(BoardView(f"{number}.jpg", ids, corners[inside], LENS.size))
    return found


def test_level_boards_leave_the_focal_length_in_doubt() -> None:
    level = lens_from(flat_views((2.0, 5.0, 8.0, 3.0, 6.0, 4.0, 7.0, 9.0)))
    doubt = level.lens.sigma[0]
    assert doubt > 0.01 * LENS.matrix[0]
    assert abs(level.lens.matrix[0] - LENS.matrix[0]) < 3 * doubt
    # The doubt reaches every answer: both focal lengths are off alike.
    spread = np.linalg.inv(prior_of(level.lens, LENS.size).information)
    assert spread[0, 0] > doubt**2
    assert spread[0, 1] > 0.9 * spread[0, 0]
    vague = lens_from(flat_views((2.0, 35.0, 8.0, 40.0, 6.0, 4.0, 7.0, 9.0)))
    assert any("4 photos (now 2)" in wish for wish in vague.wishes)
    good = lens_from(flat_views((35.0, 35.0, 8.0, 40.0, 30.0, 38.0, 32.0, 9.0)))
    assert not good.remarks


@pytest.mark.parametrize("seed", range(trials(3, 30)))
def test_no_lens_is_answered_that_a_set_up_refuses(seed: int) -> None:
    """Boards that only ever show in the middle say nothing of the rim."""
    rng = np.random.default_rng(seed)
    views = [
        replace(view, corners_px=view.corners_px + rng.normal(0, 0.8, view.corners_px.shape))
        for view in flat_views((30.0, 40.0, 35.0, 45.0, 28.0, 33.0, 10.0), seed)
    ]
    near = []
    for view in views:
        middle = np.linalg.norm(view.corners_px - (640, 360), axis=1) < 230
        if middle.sum() >= 12:
            near.append(replace(view, ids=view.ids[middle], corners_px=view.corners_px[middle]))
    try:
        result = lens_from(near)
    except NoLensFound:
        return
    text = with_camera(Setup().text(), result.lens)
    assert Setup.parse(text).lens == result.lens


def on_a_desk(picture: Picture) -> Picture:
    """A printed board seen aslant on a grey desk."""
    high, wide = picture.shape
    paper = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    there = np.array([[150, 60], [660, 100], [700, 560], [90, 520]], np.float32)
    warp = cv2.getPerspectiveTransform(paper, there)
    desk = np.full((600, 800), 120, np.uint8)
    cv2.warpPerspective(picture, warp, (800, 600), dst=desk, borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(cv2.GaussianBlur(desk, (0, 0), 0.8), np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("squares", "dictionary", "legacy"),
    [("8x8", "DICT_4X4_50", False), ("5x7", "DICT_6X6_250", False), ("7x6", "DICT_5X5_50", True)],
)
def test_a_board_of_another_maker_is_recognised(
    squares: str, dictionary: str, legacy: bool
) -> None:
    spec = replace(BoardSpec.read(squares, 25.0, 18.0, dictionary), legacy=legacy)
    across, down = spec.squares
    picture = charuco(spec).generateImage((across * 90, down * 90), marginSize=20)
    photo = on_a_desk(np.asarray(picture))
    found = recognised(photo)
    assert isinstance(found, BoardSpec)
    assert (found.squares, found.legacy) == (spec.squares, spec.legacy)
    assert found.dictionary.startswith(dictionary[:8])
    assert found.marker_mm == pytest.approx(18.0, abs=0.8)
    seen = board_view(photo, "desk", found)
    assert isinstance(seen, BoardView)
    assert len(seen.ids) > 0.8 * len(found.points)


@pytest.mark.slow
def test_a_plain_chessboard_is_recognised_and_a_desk_is_none() -> None:
    cells = np.indices((7, 10)).sum(axis=0) % 2
    picture = np.kron(cells, np.ones((60, 60))) * 255
    photo = on_a_desk(np.pad(picture, 60, constant_values=255).astype(np.uint8))
    found = recognised(photo)
    assert isinstance(found, BoardSpec)
    assert sorted(found.squares) == [7, 10]
    assert "chessboard" in found.title
    seen = board_view(photo, "desk", found)
    assert isinstance(seen, BoardView)
    assert len(seen.ids) == 54
    assert recognised(np.full((300, 400), 120, np.uint8)) is None


def drawn_grid(
    across: int,
    down: int,
    first: int,
    order: list[int] | None = None,
    dictionary: str = "DICT_6X6_250",
) -> Picture:
    """A printed grid of markers, row by row."""
    codes = dictionary_of(dictionary)
    sheet = np.full((down * 80 + 20, across * 80 + 20), 255, np.uint8)
    for number in range(across * down):
        marker = first + (number if order is None else order[number])
        row, column = divmod(number, across)
        picture = cv2.aruco.generateImageMarker(codes, marker, 60)
        sheet[20 + 80 * row : 80 + 80 * row, 20 + 80 * column : 80 + 80 * column] = picture
    return sheet


@pytest.mark.slow
@pytest.mark.parametrize(("across", "down", "first"), [(5, 4, 0), (6, 4, 3), (4, 6, 40)])
def test_a_grid_of_markers_is_recognised_and_used(across: int, down: int, first: int) -> None:
    photo = on_a_desk(drawn_grid(across, down, first))
    found = recognised(photo)
    assert isinstance(found, BoardSpec)
    assert found.grid
    assert found.squares[0] == across
    assert "grid of" in found.title
    seen = board_view(photo, "desk", found)
    assert isinstance(seen, BoardView)
    assert len(seen.ids) == across * down
    # A level sheet seen without a lens: its middles lie on it to a fraction of a pixel.
    flat = found.points[seen.ids][:, :2]
    warp, _ = cv2.findHomography(flat, seen.corners_px, 0)
    there = cv2.perspectiveTransform(flat.reshape(-1, 1, 2), warp).reshape(-1, 2)
    assert np.abs(there - seen.corners_px).max() < 0.25


def through_a_wide_lens(picture: Picture) -> Picture:
    """The same as a lens shows it that bends as those of wide web cameras do."""
    height, width = picture.shape
    focal = 0.56 * width
    matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    places = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 1, 2)
    level = cv2.undistortPoints(
        places.astype(np.float32), matrix, np.array([-0.34, 0.1, 0.0, 0.0]), P=matrix
    )
    maps = np.asarray(level, dtype=np.float32).reshape(height, width, 2)
    bent = cv2.remap(picture, maps, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
    return np.asarray(bent, dtype=np.uint8)


@pytest.mark.slow
def test_a_board_that_a_wide_lens_bends_is_recognised() -> None:
    spec = BoardSpec.read("10x7", 25.0, 17.5, "DICT_4X4_50")
    sheet = np.asarray(charuco(spec).generateImage((720, 510), marginSize=10), dtype=np.uint8)
    photo = through_a_wide_lens(np.pad(sheet, ((40, 40), (60, 60)), constant_values=170))
    found = recognised(photo)
    assert isinstance(found, BoardSpec)
    assert (found.squares, found.grid) == ((10, 7), False)
    assert found.marker_mm == pytest.approx(17.5, abs=0.8)


def test_rows_that_are_counted_upward_are_recognised() -> None:
    order = [5 * row + column for row in (3, 2, 1, 0) for column in range(5)]
    found = recognised(on_a_desk(drawn_grid(5, 4, 0, order)))
    assert isinstance(found, BoardSpec)
    assert (found.grid, found.upward, found.squares) == (True, True, (5, 4))


def test_a_small_tilted_chessboard_in_uneven_light_is_found() -> None:
    cells = np.indices((10, 7)).sum(axis=0) % 2
    picture = np.pad(np.kron(cells, np.ones((60, 60))) * 255, 60, constant_values=255)
    paper = np.array([[0, 0], [540, 0], [540, 720], [0, 720]], np.float32)
    there = np.array([[300, 150], [372, 170], [352, 262], [268, 238]], np.float32)
    warp = cv2.getPerspectiveTransform(paper, there)
    desk = np.full((480, 640), 170, np.uint8)
    sheet = picture.astype(np.uint8)
    cv2.warpPerspective(sheet, warp, (640, 480), dst=desk, borderMode=cv2.BORDER_TRANSPARENT)
    light = np.linspace(0.45, 1.0, 640)
    photo = np.asarray(cv2.GaussianBlur(desk, (0, 0), 0.9) * light, np.uint8)
    board = replace(OWN_BOARD, squares=(7, 10), dictionary=CHESS)
    assert isinstance(board_view(photo, "far", board), BoardView)


@pytest.mark.slow
def test_markers_in_no_order_are_named_and_used_by_nobody() -> None:
    order = [7, 2, 19, 4, 11, 0, 9, 14, 1, 16, 5, 12, 3, 18, 8, 13, 6, 17, 10, 15]
    photo = on_a_desk(drawn_grid(5, 4, 0, order))
    found = recognised(photo)
    assert isinstance(found, SeenMarkers)
    assert found.title == "20 markers of DICT_6X6_50 in the order of no board"
    search = BoardSearch()
    assert search.see(photo) is None
    assert search.markers is not None


@pytest.mark.slow
def test_a_chessboard_is_believed_when_it_was_seen_twice() -> None:
    def chess(rows: int) -> Picture:
        cells = np.indices((rows, 10)).sum(axis=0) % 2
        picture = np.kron(cells, np.ones((60, 60))) * 255
        return on_a_desk(np.pad(picture, 60, constant_values=255).astype(np.uint8))

    search = BoardSearch()
    assert search.see(chess(6)) is None
    assert search.see(chess(7)) is None
    assert search.likeliest is not None
    assert sorted(search.likeliest.squares) == [7, 10]
    sure = search.see(chess(7))
    assert sure is not None
    assert sorted(sure.squares) == [7, 10]


@pytest.mark.parametrize("legacy", [False, True])
def test_any_charuco_board_is_found(legacy: bool) -> None:
    spec = replace(BoardSpec.read("8x8", 25.4, 19.05, "DICT_4X4_50"), legacy=legacy)
    picture = charuco(spec).generateImage((880, 880), marginSize=40)
    seen = board_view(np.asarray(picture), "b.png", replace(spec, legacy=False))
    assert isinstance(seen, BoardView)
    assert len(seen.ids) == 49
    assert seen.board == spec
    assert np.allclose(np.ptp(seen.corners_px, axis=0), 600, atol=0.3)


@pytest.mark.parametrize(
    ("squares", "square", "marker", "dictionary", "complaint"),
    [
        ("8", 25.0, None, "DICT_4X4_50", "is not like 7x10"),
        ("2x8", 25.0, None, "DICT_4X4_50", "3 to 60 squares"),
        ("8x8", 0.0, None, "DICT_4X4_50", "not a square's edge"),
        ("8x8", 25.0, 26.0, "DICT_4X4_50", "smaller than the square"),
        ("8x8", 25.0, None, "DICT_4X4", "no dictionary"),
        ("20x20", 25.0, None, "DICT_4X4_50", "has 50 markers, 20x20 squares need 200"),
    ],
)
def test_boards_that_cannot_be_are_refused(
    squares: str, square: float, marker: float | None, dictionary: str, complaint: str
) -> None:
    with pytest.raises(BadBoard, match=complaint):
        BoardSpec.read(squares, square, marker, dictionary)


def test_a_lens_serves_a_camera_held_upright() -> None:
    lens = Lens.of((1280, 720), (950.0, 948.0), (650.0, 350.0), (-0.1, 0.02, 1e-3, 0.0, 0.0))
    upright = lens.seen_at((720, 1280))
    assert upright.size == (720, 1280)
    assert upright.matrix[0] == 948.0
    assert upright.matrix[2] == 359.5
    assert upright.sigma[2] == pytest.approx(9.5)
    assert upright.sigma[3] == pytest.approx(10.5)
    assert lens.seen_at((1280, 720)) is lens


HAND_WRITTEN = """# my table
format = "table-companion/setup/1"

[table]  # measured
width = 36.0
{camera}
# the references
[[reference]]
id = 3
x = 1.0
y = 1.0
heading = 90.0
size_mm = 40.2  # with a calliper
"""


@pytest.mark.parametrize(
    "camera",
    ["", "[camera] # old\nsize = [640, 480]\nmatrix = [500, 0, 320, 0, 500, 240, 0, 0, 1]\n"],
)
def test_a_new_lens_leaves_the_rest_of_the_file_as_written(camera: str) -> None:
    text = with_camera(HAND_WRITTEN.format(camera=camera), LENS)
    setup = Setup.parse(text)
    assert setup.lens == LENS
    assert setup.table_width == 36.0
    for words in ("# my table", "# measured", "# the references", "# with a calliper"):
        assert words in text
    assert "640" not in text

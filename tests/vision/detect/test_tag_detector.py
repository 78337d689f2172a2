from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.practice.camera import PracticeCamera
from companion.practice.random_table import standard_scene
from companion.practice.sensor import STANDARD, PictureStyle
from companion.vision.detect.bits import codes_of, read_bits
from companion.vision.detect.quads import fit_edges, without_specks
from companion.vision.detect.tag_detector import find_tags
from companion.vision.detect.template import fit_templates
from companion.vision.detect.template_solver import shares_of
from companion.vision.sources.frame import grey_of
from tests.vision.conftest import Shot
from tests.vision.drawn import drawn_tag, turned_square

CODES = codes_of("DICT_4X4_50")


# -- one tag -----------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0.0, 17.0, 45.0, 90.0, 133.0, 180.0, 250.0])
@pytest.mark.parametrize("tag_id", [0, 11, 23, 49])
def test_bits_tell_id_and_turn(tag_id: int, turn: float) -> None:
    corners = turned_square(40, turn)
    picture = drawn_tag(tag_id, corners)
    # As a quadrangle is found: starting at any corner.
    for start in range(4):
        read = read_bits(picture, np.roll(corners, -start, axis=0)[None], CODES)
        assert read.ids[0] == tag_id
        printed = np.roll(np.roll(corners, -start, axis=0), int(read.turns[0]), axis=0)
        assert np.allclose(printed, corners)


def test_every_word_of_the_dictionary_is_read() -> None:
    corners = turned_square(36, 8.0)
    for tag_id in range(50):
        read = read_bits(drawn_tag(tag_id, corners), corners[None], CODES)
        assert read.ids[0] == tag_id
        assert read.clarity[0] > 0.5
        assert read.likeness[0] > 0.9


@pytest.mark.parametrize(
    ("side", "turn", "share", "width"),
    [(44, 4, 8, 1.5), (44, 12, 14, 1.0), (50, 12, 8, 2.0), (50, 4, 14, 1.5), (56, 4, 14, 2.0)],
)
def test_a_tag_that_its_camera_sharpened_beyond_black_and_white_is_found(
    side: float, turn: float, share: float, width: float
) -> None:
    true = turned_square(side, turn)
    soft = drawn_tag(12, true).astype(np.float32) * 0.45 + 50
    sharp = soft + share * (soft - cv2.GaussianBlur(soft, (0, 0), width))
    picture = np.clip(sharp, 0, 255).astype(np.uint8)
    tag = find_tags(picture, expected=[12]).tags[12]
    assert np.abs(tag.corners_px - true).max() < min(1.2, 3 * tag.sigma_px)


@pytest.mark.parametrize(
    ("side", "turn", "squash"),
    [(16, 20, 0.8), (24, 7, 0.6), (30, 45, 0.55), (45, 0, 1.0), (60, 33, 0.7), (72, 10, 0.9)],
)
def test_edges_then_template_find_the_corners(side: float, turn: float, squash: float) -> None:
    true = turned_square(side, turn, squash)
    picture = drawn_tag(12, true)
    rng = np.random.default_rng(4)
    guess = true + rng.uniform(-0.9, 0.9, true.shape)
    edges = fit_edges(picture, guess[None], CODES.side)
    rough = np.abs(edges.corners[0] - true).max()
    fitted = fit_templates(picture, edges.corners, CODES.sheets[[12]])
    fine = np.abs(fitted.corners[0] - true).max()
    assert rough < 0.45
    assert fine < 0.08
    assert fine < rough
    assert fitted.misfit[0] < 0.05


def test_template_says_how_blurred_it_is() -> None:
    true = turned_square(40, 20)
    blurs = [
        float(
            fit_templates(drawn_tag(7, true, blur=blur), true[None], CODES.sheets[[7]]).blur_px[0]
        )
        for blur in (0.6, 0.9, 1.3)
    ]
    assert blurs == sorted(blurs)
    assert blurs[2] - blurs[0] > 0.4


@pytest.mark.parametrize("shade", [10, 90, 230])
@pytest.mark.parametrize("reach", [2, 4, 6, 9, 12])
def test_a_covered_corner_is_left_out_or_the_tag_is_refused(reach: int, shade: int) -> None:
    corners = turned_square(40, 12)
    picture = drawn_tag(15, corners)
    clean = find_tags(picture).tags[15]
    x, y = corners[0].astype(int)
    picture[y - reach : y + reach + 1, x - reach : x + reach + 1] = shade
    found = find_tags(picture).tags.get(15)
    if reach > 8:
        assert found is None
    if found is not None:
        assert np.abs(found.corners_px - corners).max() < 0.3
        assert found.sigma_px > clean.sigma_px


# -- whole pictures ----------------------------------------------------------------------------


def test_all_clear_tags_and_nothing_else(standard: Shot) -> None:
    found = find_tags(grey_of(standard.picture), lens=standard.scene.setup.lens)
    assert standard.clear <= set(found.tags)
    assert set(found.tags) <= standard.scene.setup.ids()
    assert not found.twins
    for tag in standard.truth.tags:
        if tag.clear:
            off = found.tags[tag.id].corners_px - tag.corners_px
            assert np.abs(off).max() < 0.35, tag.id
            assert np.abs(off.mean(axis=0)).max() < 0.12, tag.id


def test_covariance_means_what_it_says(standard: Shot) -> None:
    found = find_tags(grey_of(standard.picture), lens=standard.scene.setup.lens)
    strains = []
    for tag in standard.truth.tags:
        if tag.clear:
            off = (found.tags[tag.id].corners_px - tag.corners_px).reshape(8)
            strains.append(off @ np.linalg.solve(found.tags[tag.id].covariance_px, off) / 8)
    assert 0.4 < float(np.mean(strains)) < 2.5


def test_narrow_margins() -> None:
    scene = standard_scene(seed=9, trays=12)
    look = PictureStyle(margin_modules=0.5, seed=9)
    picture, truth = PracticeCamera(scene.setup, scene.view, look).frame(scene.table)
    found = find_tags(grey_of(picture), lens=scene.setup.lens, expected=scene.setup.ids())
    clear = {tag.id for tag in truth.tags if tag.clear}
    assert len(clear - set(found.tags)) <= 1


def test_an_id_in_two_places_is_nobody(standard: Shot) -> None:
    grey = grey_of(standard.picture).copy()
    tag = next(tag for tag in standard.truth.tags if tag.clear and tag.unit is not None)
    left, top = tag.corners_px.min(axis=0).astype(int) - 8
    right, bottom = tag.corners_px.max(axis=0).astype(int) + 9
    patch = grey[top:bottom, left:right].copy()
    grey[1000 : 1000 + patch.shape[0], 600 : 600 + patch.shape[1]] = patch
    found = find_tags(grey, expected=standard.scene.setup.ids())
    assert tag.id in found.twins
    assert tag.id not in found.tags


def test_unknown_ids_are_strangers(standard: Shot) -> None:
    expected = standard.scene.setup.ids() - {min(standard.clear - set(range(8)))}
    found = find_tags(grey_of(standard.picture), expected=expected)
    assert found.strangers == standard.scene.setup.ids() - expected
    assert not found.strangers & set(found.tags)


@pytest.mark.parametrize("seed", range(4))
def test_pictures_without_tags(seed: int) -> None:
    rng = np.random.default_rng(seed)
    picture = rng.integers(0, 256, (90, 160), dtype=np.uint8)
    picture = np.kron(picture, np.ones((8, 8), dtype=np.uint8))
    for _ in range(60):
        x, y, w, h = rng.integers(20, 600, 4)
        cv2.rectangle(picture, (int(x), int(y)), (int(x + w / 6), int(y + h / 6)), 10, 3)
    found = find_tags(picture, thorough=True)
    assert not found.tags


def test_other_dictionaries() -> None:
    codes = codes_of("DICT_5X5_50")
    assert codes.side == 7
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    printed = cv2.aruco.generateImageMarker(dictionary, 31, 70)
    picture = np.full((200, 240), 240, dtype=np.uint8)
    picture[60:130, 80:150] = printed
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), dtype=np.uint8)
    found = find_tags(soft, "DICT_5X5_50")
    assert set(found.tags) == {31}
    wanted = [[79.5, 59.5], [149.5, 59.5], [149.5, 129.5], [79.5, 129.5]]
    assert np.allclose(found.tags[31].corners_px, wanted, atol=0.1)


@pytest.mark.parametrize("size", [(64, 64), (65, 301), (7, 7)])
def test_odd_sizes_are_no_trouble(size: tuple[int, int]) -> None:
    assert not find_tags(np.full(size, 128, dtype=np.uint8)).tags


def test_default_look_is_standard() -> None:
    assert PictureStyle() == STANDARD


def test_a_picture_out_of_focus_is_read_at_half_its_size() -> None:
    corners = turned_square(40, 12) * 16
    small = drawn_tag(21, corners / 16, blur=0.8)
    large = np.asarray(cv2.resize(small, None, fx=16, fy=16, interpolation=cv2.INTER_CUBIC))
    found = find_tags(np.asarray(large, dtype=np.uint8), expected={21})
    assert set(found.tags) == {21}
    # The middle of the small picture's first pixel lies at 7.5 of the large one.
    assert np.abs(found.tags[21].corners_px - (corners + 7.5)).max() < 3
    assert found.tags[21].blur_px > 5


@pytest.mark.parametrize("enlarged", [1.07, 1.155, 1.3])
def test_large_tags_with_hard_edges_are_all_found(enlarged: float) -> None:
    # Hard steps between pixels agree with no drawing to a tenth of a pixel; the bits are clear.
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    board = cv2.aruco.CharucoBoard((6, 6), 1.0, 0.7, words)
    printed = board.generateImage((1020, 1020), marginSize=40)
    picture = cv2.resize(printed, None, fx=enlarged, fy=enlarged, interpolation=cv2.INTER_CUBIC)
    found = find_tags(
        np.asarray(picture, np.uint8), "DICT_5X5_100", expected=range(18), thorough=True
    )
    assert set(found.tags) == set(range(18))


def test_a_tag_far_out_of_focus_in_a_large_picture_is_read_at_a_quarter_of_its_size() -> None:
    """A sharp tag beside it does not end the search."""
    picture = np.full((1100, 2400), 200, np.uint8)
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    picture[300:450, 300:450] = cv2.aruco.generateImageMarker(words, 7, 150)
    soft = drawn_tag(9, turned_square(20, 20), blur=1.15)
    picture[100:900, 1200:2160] = cv2.resize(soft, (960, 800), interpolation=cv2.INTER_CUBIC)
    tags = find_tags(picture, expected={7, 9}, thorough=True).tags
    assert set(tags) == {7, 9}
    # The middle of the small picture's first pixel lies at 3.5 of the large one.
    there = turned_square(20, 20) * 8 + np.array([1203.5, 103.5])
    np.testing.assert_allclose(tags[9].corners_px, there, atol=2.0)


def test_specks_are_left_out_and_nothing_else() -> None:
    corners = turned_square(30, 25)
    picture = drawn_tag(5, corners)
    dark = np.where(picture < 60, 255, 0).astype(np.uint8)
    specks = dark.copy()
    specks[2:8:3, 2:110:3] = 255
    specks[90:94, 5:10] = 255
    np.testing.assert_array_equal(without_specks(specks), without_specks(dark))
    np.testing.assert_array_equal(without_specks(dark)[25:75, 40:85], dark[25:75, 40:85])


def test_what_lies_on_the_joint_of_two_strips_is_kept() -> None:
    specks = np.zeros((1000, 800), np.uint8)
    specks[::3, ::3] = 255
    drawn = specks.copy()
    # Long ones, of which a strip may hold any number of rows down to a single one.
    for column in range(5, 795, 6):
        drawn[column : column + 40, column] = 255
    cleaned = without_specks(drawn)
    for column in range(5, 795, 6):
        assert cleaned[column : column + 40, column].all()
    assert cleaned[900:990].sum() == 0


def test_shares_of_chosen_values_are_percentiles() -> None:
    rng = np.random.default_rng(3)
    values, chosen = rng.random((4, 50)).astype(np.float32), rng.random((4, 50)) > 0.4
    chosen[3] = False
    low, high = shares_of(values, chosen, (0.08, 0.92))
    for row in range(3):
        expected = np.percentile(values[row][chosen[row]], [8, 92])
        assert [low[row], high[row]] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("side", "turn", "reach", "shade"), [(140, 12, 14, 10), (200, 12, 20, 230)]
)
def test_a_covered_corner_of_a_large_tag_is_found_or_the_tag_is_not(
    side: int, turn: int, reach: int, shade: int
) -> None:
    """A dark or a light thing on one corner: its neighbours' lines still meet where it is."""
    corners = turned_square(side, turn)
    corners = corners - corners.mean(axis=0) + 1.5 * side
    picture = drawn_tag(15, corners, (3 * side, 3 * side))
    x, y = corners[0].astype(int)
    picture[y - reach : y + reach + 1, x - reach : x + reach + 1] = shade
    tag = find_tags(picture).tags.get(15)
    assert tag is None or np.abs(tag.corners_px - corners).max() < 0.3 * side / 40

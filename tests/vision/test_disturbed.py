"""Tags as cameras, printers and lamps leave them, and tags of which a part is covered."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bench.clear_tags import cell_centres, cells
from calibration.setup import Setup, dictionary_of
from companion.vision.detect.bits import codes_of, read_bits
from companion.vision.detect.covered_tags import fit_covered, slid
from companion.vision.detect.detection import Detection
from companion.vision.detect.tag_detector import find_in_all, find_tags
from companion.vision.detect.tag_reading import Reads, fitted_tags
from companion.vision.look import look
from companion.vision.sources.frame import CameraFrame, grey_of
from companion.vision.track.tag_tracker import TagTracker
from tests.vision.drawn import drawn_tag, turned_square
from tests.vision.other_camera import Tag, World, pixel_of, shot
from tests.vision.other_table import KINDS, staged

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
CODES = codes_of("DICT_4X4_50")


def default_finds(grey: Bytes, dictionary: str = "DICT_4X4_50") -> set[int]:
    _, ids, _ = cv2.aruco.ArucoDetector(dictionary_of(dictionary)).detectMarkers(grey)
    return set() if ids is None else {int(tag) for tag in np.ravel(ids)}


@pytest.mark.parametrize(
    ("kind", "least"),
    [("sharpened", 0.8), ("shadow", 0.75), ("trimmed", 0.6), ("glare", 0.4), ("texture", 0.8)],
)
def test_no_fewer_than_opencv_finds(kind: str, least: float) -> None:
    assert kind in KINDS
    stage = staged(3, (1280, 800), units=6, tag_mm=32.0, kind=kind)
    grey = grey_of(shot(stage.world))
    ids = {tag.id for tag in stage.world.tags}
    found = find_tags(grey, expected=ids, thorough=True)
    assert len(found.tags) >= len(default_finds(grey) & ids)
    assert len(found.tags) >= least * len(ids)


def sharpened(picture: Bytes, strength: float) -> Bytes:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.4).astype(np.float64)
    return np.clip(np.rint(picture + strength * (picture - soft)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("tag_id", [15, 17, 28])
def test_halos_are_no_reason_to_refuse(tag_id: int) -> None:
    corners = turned_square(50, 12)
    picture = sharpened(drawn_tag(tag_id, corners), 2.0)
    found = find_tags(picture, thorough=True).tags
    assert set(found) == {tag_id}
    assert np.abs(found[tag_id].corners_px - corners).max() < 0.3


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.6, 0.8), (0.0, -1.0)])
def test_a_shadow_edge_at_half_the_light(way: tuple[float, float]) -> None:
    corners = turned_square(44, 20)
    picture = drawn_tag(23, corners)
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    middle = corners.mean(axis=0)
    shaded = (x - middle[0]) * way[0] + (y - middle[1]) * way[1] > 2
    light = (picture / 255.0) ** 2.2 * np.where(shaded, 0.45, 1.0)
    picture = np.rint(255 * cv2.GaussianBlur(light, (0, 0), 0.6) ** (1 / 2.2)).astype(np.uint8)
    found = find_tags(picture, thorough=True).tags
    assert set(found) == {23}
    off = np.abs(found[23].corners_px - corners).max()
    assert off < max(0.5, 4 * found[23].sigma_px)


def test_a_trimmed_tag_on_a_dark_mat() -> None:
    corners = turned_square(44, 10)
    picture = drawn_tag(23, corners)
    middle = corners.mean(axis=0)
    paper = np.rint(middle + (corners - middle) * (1 + 2 * 0.25 / 6)).astype(np.int32)
    inside = np.zeros(picture.shape, np.uint8)
    cv2.fillConvexPoly(inside, paper, 1)
    picture = np.where(inside > 0, picture, 45).astype(np.uint8)
    found = find_tags(picture, thorough=True).tags
    assert set(found) == {23}
    assert np.abs(found[23].corners_px - corners).max() < 1.0


def test_the_dictionary_corrects_bits_and_the_others_tell_how_clear_it_is() -> None:
    codes = codes_of("DICT_6X6_250")
    assert codes.correctable >= 1
    marker = cv2.aruco.generateImageMarker(dictionary_of("DICT_6X6_250"), 40, 80)
    picture = np.full((160, 160), 235, dtype=np.uint8)
    picture[40:120, 40:120] = np.where(np.asarray(marker) > 0, 235, 20)
    picture[50:60, 60:70] = 255 - picture[50:60, 60:70]  # one cell of ten pixels
    corners = np.array([[[39.5, 39.5], [119.5, 39.5], [119.5, 119.5], [39.5, 119.5]]])
    read = read_bits(picture, corners, codes)
    assert read.ids[0] == 40
    assert read.clarity[0] > 0.5
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), dtype=np.uint8)
    assert set(find_tags(soft, "DICT_6X6_250", thorough=True).tags) == {40}


def test_plain_words_are_known_in_every_dictionary() -> None:
    assert {17, 37} <= set(np.flatnonzero(CODES.plain).tolist())
    assert CODES.plain.sum() <= 5
    assert codes_of("DICT_4X4_1000").plain[17]
    assert codes_of("DICT_4X4_1000").plain[145]
    assert not codes_of("DICT_APRILTAG_36h11").plain.any()


def test_a_window_is_not_tag_17() -> None:
    picture = np.full((200, 200), 190, dtype=np.uint8)
    picture[60:140, 60:140] = 40
    # Bright where tag 17 is bright, but as dim and as soft as a reflection.
    picture[74:98, 88:112] = 130
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 5), dtype=np.uint8)
    assert not find_tags(picture, thorough=True).tags


def test_two_dictionaries_in_one_picture() -> None:
    picture = np.full((200, 320), 240, dtype=np.uint8)
    for name, tag_id, left in (("DICT_4X4_50", 21, 40), ("DICT_5X5_100", 21, 190)):
        marker = cv2.aruco.generateImageMarker(dictionary_of(name), tag_id, 84)
        picture[50:134, left : left + 84] = marker
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), dtype=np.uint8)
    found = find_in_all(soft, {"DICT_4X4_50": {21, 22}, "DICT_5X5_100": None})
    assert set(found["DICT_4X4_50"].tags) == {21}
    assert set(found["DICT_5X5_100"].tags) == {21}
    assert (
        found["DICT_4X4_50"].tags[21].centre_px[0]
        < 150
        < found["DICT_5X5_100"].tags[21].centre_px[0]
    )


# -- covered tags ------------------------------------------------------------------------------


def covered(picture: Bytes, corners: NDArray[np.floating], shade: int) -> Bytes:
    """A finger over the side between the first two corners: about a fifth of the tag."""
    spot = corners[:2].mean(axis=0)
    picture = picture.copy()
    cv2.circle(picture, (round(spot[0]), round(spot[1])), 13, shade, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.6), dtype=np.uint8)


@pytest.mark.parametrize("shade", [25, 120, 220])
def test_a_tracked_tag_is_fitted_to_its_visible_part(shade: int) -> None:
    before = turned_square(44, 12)
    tag = find_tags(drawn_tag(15, before)).tags[15]
    now = turned_square(44, 14.5) + np.array([1.6, -1.1])
    found = fit_covered(covered(drawn_tag(15, now), now, shade), tag, [np.zeros(2)], CODES, None)
    assert found is not None
    off = np.abs(found.corners_px - now).max()
    assert off < 0.35
    assert off < 4 * found.sigma_px
    assert found.sigma_px > tag.sigma_px
    assert 0.02 < found.covered < 0.4


def test_nothing_is_told_of_a_tag_that_is_gone_or_another() -> None:
    before = turned_square(44, 12)
    tag = find_tags(drawn_tag(15, before)).tags[15]
    empty = np.full_like(drawn_tag(15, before), 140)
    another = covered(drawn_tag(16, before), before, 120)
    rng = np.random.default_rng(2)
    noise = rng.integers(0, 256, empty.shape, dtype=np.uint8)
    for picture in (empty, another, noise):
        assert fit_covered(picture, tag, [np.zeros(2)], CODES, None) is None


def test_a_covered_tag_too_soft_to_show_black_and_white_is_not_found() -> None:
    corners = turned_square(9, 20)
    tag = Detection(5, corners, np.eye(8), clarity=0.5, misfit=0.05, blur_px=2.0)
    picture = drawn_tag(5, corners, blur=2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fit_covered(picture, tag, [np.zeros(2)], CODES, None) is None


def test_the_tracker_keeps_a_covered_tag() -> None:
    place = turned_square(44, 12)
    picture = drawn_tag(15, place)
    tracker = TagTracker("DICT_4X4_50", {15})
    tracker.see(picture)
    assert set(tracker.see(picture).tags) == {15}
    seen = tracker.see(covered(picture, place, 120))
    assert set(seen.tags) == {15}
    assert seen.tags[15].covered > 0
    assert np.abs(seen.tags[15].corners_px - place).max() < 0.3
    hidden = np.full_like(picture, 120)
    assert not tracker.see(hidden).tags


def test_a_dragged_corner_is_no_sliding() -> None:
    before = np.array([turned_square(44, 12), turned_square(44, 12)])
    after = np.array([turned_square(44, 15) + np.array([3.0, 1.0]), turned_square(44, 12)])
    after[1, 0] += [1.5, 1.0]
    assert slid(before, after).tolist() == [True, False]


def true_corners(world: World, tag: Tag) -> NDArray[np.floating]:
    """The corners of a flat tag in the picture."""
    turn = np.radians(tag.heading)
    up = np.array([np.cos(turn), np.sin(turn)]) * tag.edge_in / 2
    right = np.array([up[1], -up[0]])
    ways = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    flat = [np.array([tag.x, tag.y]) + a * right + b * up for a, b in ways]
    return pixel_of(world, np.array([(*spot, tag.up) for spot in flat]))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), [("glare", 0), ("shadow", 1), ("trimmed", 1)])
def test_a_disturbed_picture_says_how_unsure_its_corners_are(kind: str, seed: int) -> None:
    size = ((1600, 1000), (1920, 1080))[seed]
    stage = staged(seed, size, units=14, tag_mm=30.0, bad_paper=False, kind=kind)
    setup = Setup.parse(stage.setup)
    grey = grey_of(shot(stage.world))
    found = find_tags(grey, setup.dictionary, setup.lens, setup.ids(), thorough=True).tags
    assert len(found) >= 17
    worst = {}
    for tag in stage.world.tags:
        if tag.id in found:
            off = (found[tag.id].corners_px - true_corners(stage.world, tag)).reshape(8)
            sigma = np.sqrt(np.diag(found[tag.id].covariance_px))
            worst[tag.id] = float(np.abs(off / sigma).max())
    assert max(worst.values()) < 4.0, worst
    # Fitted once more, nothing is believed more than before.
    reads = Reads.of(list(found.values()), same_picture=True)
    for again in fitted_tags(grey, reads, CODES, setup.lens):
        assert again.sigma_px > 0.7 * found[again.id].sigma_px


def test_ink_that_spreads_loses_no_table() -> None:
    stage = staged(4, (1600, 1000), units=14, tag_mm=30.0, kind="bleed")
    sight = look(CameraFrame(shot(stage.world)), Setup.parse(stage.setup), thorough=True)
    assert len(sight.trays) == 14
    assert sight.problems == ()


def test_every_kind_disturbs_the_second_camera() -> None:
    plain = staged(3, kind="plain").world
    for kind in KINDS[1:]:
        assert staged(3, kind=kind).world != plain, kind
    curls = [max(tag.curl_in for tag in staged(3, kind=kind).world.tags) for kind in KINDS[:6]]
    assert curls[KINDS.index("curl")] > 2 * curls[0]


def glared(tag_id: int, corners: Floats, cells: Collection[tuple[int, int]]) -> Bytes:
    """A tag with glare over the middles of some of its cells (row, column; frame included)."""
    picture = drawn_tag(tag_id, corners).astype(np.float64)
    light = (picture / 255) ** 2.2
    columns, rows = np.meshgrid(np.arange(picture.shape[1]), np.arange(picture.shape[0]))
    for row, column in cells:
        x, y = cell_centres(corners, 6)[row, column]
        light += 1.2 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 3.0**2)
    return np.rint(255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)


@pytest.mark.parametrize("tag_id", [11, 23, 40])
def test_glare_that_turns_one_black_cell_white_is_corrected(tag_id: int) -> None:
    corners = turned_square(36, 12)
    black = [tuple(place) for place in np.argwhere(~cells(tag_id, "DICT_4X4_50")[1:-1, 1:-1]) + 1]
    for row, column in black[::3]:
        picture = glared(tag_id, corners, [(row, column)])
        assert tag_id not in default_finds(picture)
        found = find_tags(picture, expected={tag_id}, thorough=True).tags
        assert set(found) == {tag_id}
        off = (found[tag_id].corners_px - corners).reshape(8)
        assert np.abs(off).max() < 0.5
        assert np.abs(off / np.sqrt(np.diag(found[tag_id].covariance_px))).max() < 4.0
        # Nobody expects it: a corrected reading says nothing then.
        nobody = find_tags(picture, expected={(tag_id + 1) % 50}, thorough=True)
        assert tag_id not in nobody.strangers


def test_glare_over_two_black_cells_is_too_much() -> None:
    corners = turned_square(36, 12)
    black = np.argwhere(~cells(11, "DICT_4X4_50")[1:-1, 1:-1]) + 1
    picture = glared(11, corners, [tuple(black[0]), tuple(black[-1])])
    assert find_tags(picture, thorough=True).tags == {}


def test_a_shadow_edge_leaves_a_drawing_that_fits() -> None:
    """The depth of the shade must not take over the step from black to white."""
    corners = turned_square(30, 196, 0.9)
    light = (drawn_tag(21, corners) / 255.0) ** 2.2
    columns, rows = np.meshgrid(np.arange(light.shape[1]), np.arange(light.shape[0]))
    far = (rows - 49.8 + 0.35 * (columns - 60.3)) / 0.8
    light *= 0.49 + 0.51 / (1 + np.exp(-np.clip(far, -50, 50)))
    picture = np.rint(255 * light ** (1 / 2.2)).astype(np.uint8)
    found = find_tags(picture, thorough=True).tags
    assert set(found) == {21}
    assert found[21].misfit < 0.08
    assert np.abs(found[21].corners_px - corners).max() < 0.3


@pytest.mark.slow
def test_edges_along_the_rows_lie_where_they_should() -> None:
    """An edge of the second camera's tags that runs along the picture's rows is no step of rays."""
    stage = staged(96, (1600, 1000), units=2, tag_mm=30.0, bad_paper=False, kind="plain")
    world = replace(stage.world, roll=0.0, bend=(0.0, 0.0, 0.0, 0.0), grain=0.0, jpeg=0)
    far = next(tag for tag in world.tags if (tag.x, tag.y) == (24.0, 46.5))
    offs = []
    for step in range(4):
        moved = replace(far, y=far.y - 0.04 * step)
        found = find_tags(grey_of(shot(replace(world, tags=[moved]))), expected={far.id}).tags
        off = found[far.id].corners_px - true_corners(world, moved)
        offs.append(float(np.abs(off).max()))
    assert max(offs) < 0.06, offs

"""Every expected tag is explained: found, or why not where it should be."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.references.table_pose import TablePose
from calibration.setup import dictionary_of
from calibration.tags.tag import reference_corners
from companion.vision.detect.bits import codes_of, read_bits
from companion.vision.explain import ExplainedTag, clearly_read, explained, missing_told
from companion.vision.look import look
from companion.vision.sources.frame import CameraFrame, Picture
from tests.vision.conftest import Shot
from tests.vision.drawn import drawn_tag, turned_square


@pytest.fixture(scope="module")
def spoilt(standard: Shot) -> Picture:
    """Reference 0 is covered by a dark hand, 1 by glare, 2 is blurred; all others are as they
    were."""
    camera = look(standard.frame, replace(standard.scene.setup, trays=())).camera
    assert isinstance(camera, TablePose)
    picture = standard.picture.copy()
    for tag in standard.scene.setup.references[:3]:
        rim = camera.pixels(reference_corners(tag))
        (left, top), (right, low) = rim.min(axis=0).astype(int), rim.max(axis=0).astype(int) + 1
        spare = int(0.3 * (right - left))
        part = picture[top - spare : low + spare, left - spare : right + spare]
        if tag.id == 0:
            part[:] = 70
        elif tag.id == 1:
            part[:] = 255
        else:
            part[:] = cv2.GaussianBlur(part, (0, 0), (right - left) / 8)
    return np.asarray(picture, np.uint8)


@pytest.mark.slow
def test_each_reason_is_told_at_its_place(standard: Shot, spoilt: Picture) -> None:
    setup = standard.scene.setup
    wrong = {3: 45}
    references = tuple(replace(tag, id=wrong.get(tag.id, tag.id)) for tag in setup.references)
    setup = replace(setup, references=references)
    frame = CameraFrame(spoilt)
    sight = look(frame, setup)
    told = {one.tag: one for one in explained(frame.grey(), setup, sight)}
    assert {tag for tag, one in told.items() if one.found} >= set(sight.tags) - {
        one.tag for one in told.values() if one.reason == "unplaced"
    }
    assert told[0].reason == "covered"
    assert told[1].reason == "glare"
    assert told[2].reason == "blurred"
    assert told[45].reason == "other"
    assert told[45].seen == 3
    assert "tag 3 lies there instead" in told[45].words
    assert {one.tag for one in told.values()} >= setup.ids()


def test_what_lies_outside_the_picture_or_in_two_places_is_told(standard: Shot) -> None:
    setup = standard.scene.setup.with_lens(None)
    near = min(setup.references, key=lambda tag: tag.y)
    half = standard.picture[:, : standard.picture.shape[1] * 3 // 4]
    frame = CameraFrame(np.ascontiguousarray(half))
    sight = look(frame, setup)
    assert isinstance(sight.camera, TablePose)
    told = {one.tag: one for one in explained(frame.grey(), setup, sight)}
    gone = {tag.id for tag in setup.references} - set(sight.tags)
    assert gone
    assert {told[tag].reason for tag in gone} == {"outside"}
    twice = replace(sight, tags={}, twins=frozenset({near.id}))
    again = {one.tag: one for one in explained(frame.grey(), setup, twice)}
    assert again[near.id].reason == "twice"


def test_a_blurred_tag_is_not_taken_for_another() -> None:
    corners, codes = turned_square(40, 12), codes_of("DICT_4X4_50")
    soft = drawn_tag(29, corners, blur=4.0)
    assert read_bits(soft, corners[None], codes).ids[0] == 17  # as many a blurred square
    assert clearly_read(soft, corners, codes) == -1
    assert clearly_read(drawn_tag(29, corners), corners, codes) == 29


@pytest.mark.slow
def test_the_command_line_draws_and_says_it(
    tmp_path: Path, standard: Shot, spoilt: Picture, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.cli.program import main

    photo, file, drawn = tmp_path / "a.png", tmp_path / "t.setup.toml", tmp_path / "why.png"
    cv2.imwrite(str(photo), spoilt)
    replace(standard.scene.setup, trays=()).save(file)
    words = ["look", str(photo), "--setup", str(file), "--explain", str(drawn), "--json"]
    assert main(words) == 0
    places = json.loads(capsys.readouterr().out)["places"]
    reasons = {one["tag"]: one["reason"] for one in places}
    assert reasons["0"] == "covered"
    assert reasons["1"] == "glare"
    assert len(places[0]["corners"]) == 4
    assert cv2.imread(str(drawn)) is not None
    assert main([*words[:-1], "--video"]) == 2
    assert "--explain" in capsys.readouterr().err
    for target in (photo, file):  # what is read is never written over
        kept = target.read_bytes()
        assert main(["look", str(photo), "--setup", str(file), "--explain", str(target)]) == 2
        assert "is read here" in capsys.readouterr().err
        assert target.read_bytes() == kept


@pytest.mark.parametrize(("tag", "told"), [(8, False), (45, True)])
def test_a_corner_tag_of_a_board_belongs_to_the_table(standard: Shot, tag: int, told: bool) -> None:
    setup = standard.scene.setup
    camera = look(standard.frame, replace(setup, trays=())).camera
    assert isinstance(camera, TablePose)
    side = setup.trays[0].tags[0].size_mm / 25.4
    places = [unit.pose for unit in standard.scene.table.units]
    x, y = next(
        (x, y)
        for x in (20.0, 24.0, 28.0, 32.0)
        for y in (18.0, 22.0, 26.0, 30.0)
        if all(np.hypot(x - one.x, y - one.y) > 6.0 for one in places)
    )
    drawn = cv2.aruco.generateImageMarker(dictionary_of(setup.dictionary), tag, 120)
    paper = cv2.copyMakeBorder(drawn, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=255)
    half = side * 180 / 120 / 2
    corners = [
        (x - half, y + half),
        (x + half, y + half),
        (x + half, y - half),
        (x - half, y - half),
    ]
    there = camera.pixels(np.array([(a, b, 0.0) for a, b in corners])).astype(np.float32)
    ways = cv2.getPerspectiveTransform(
        np.array([(0, 0), (180, 0), (180, 180), (0, 180)], np.float32), there
    )
    high, wide = standard.picture.shape[:2]
    mask = cv2.warpPerspective(np.full_like(paper, 255), ways, (wide, high))
    laid = cv2.warpPerspective(paper, ways, (wide, high))
    picture = standard.picture.copy()
    picture[mask > 127] = laid[mask > 127][:, None]
    frame = CameraFrame(picture)
    found = explained(frame.grey(), setup, look(frame, setup))
    assert any(one.seen == tag for one in found if one.reason == "stranger") == told


def test_a_reason_is_told_once_and_what_is_nowhere_last() -> None:
    square = np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]])
    told = missing_told(
        [
            ExplainedTag(0, "", "nowhere"),
            ExplainedTag(1, "", "found", square),
            ExplainedTag(10, "bowmen", "nowhere"),
            ExplainedTag(2, "", "glare", square),
            ExplainedTag(None, "", "stranger", square, 17),
            ExplainedTag(None, "", "stranger", square + 20.0, 17),
            ExplainedTag(None, "", "unread", square + 40.0),
            ExplainedTag(None, "", "unread", square + 60.0),
        ]
    )
    assert [(role, str(words)) for role, words in told] == [
        ("missing", "reference 2: glare hides it: move the lamp"),
        ("unread", "tag 17 belongs to nothing in this set-up"),
        ("unread", "a dark square: no tag of this set-up can be read in it"),
        (
            "missing",
            "reference 0; bowmen, tag 10: nowhere in the picture: hidden, or off the table",
        ),
    ]
    assert ExplainedTag(None, "", "stranger", square, 17).name == "17?"

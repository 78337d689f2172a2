from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera.lens import WrongPictureSize
from calibration.references.table_lost import TableLost
from calibration.references.table_pose import TablePose
from calibration.setup import TrayTag
from companion.vision import look as looking
from companion.vision.detect.dictionaries import find_all
from companion.vision.look import look, require, seen_table
from companion.vision.sources.frame import CameraFrame
from models.message import BadInput
from models.table import Table
from tests.vision.conftest import Shot


def turn(angle: float) -> float:
    return (angle + 180.0) % 360.0 - 180.0


@pytest.mark.parametrize("known", [True, False])
def test_every_clear_tray_is_where_it_stands(standard: Shot, known: bool) -> None:
    setup = standard.scene.setup if known else standard.scene.setup.with_lens(None)
    sight = look(standard.frame, setup)
    assert isinstance(sight.camera, TablePose)
    assert sight.camera.estimated is not known
    clear = {tag.unit for tag in standard.truth.tags if tag.clear and tag.unit}
    assert clear <= {tray.unit for tray in sight.trays}
    assert {tray.unit for tray in sight.trays} | set(sight.missing) == {
        tray.unit for tray in setup.trays
    }
    inside = []
    for tray in sight.trays:
        true = standard.scene.table.unit(tray.unit).pose
        errors = np.array([tray.pose.x - true.x, tray.pose.y - true.y])
        sigma = tray.pose.sigma
        assert np.hypot(*errors) < max(0.03, 4 * sigma.xy_in)
        assert abs(turn(tray.pose.heading - true.heading)) < max(0.5, 4 * sigma.heading_deg)
        inside += list(np.abs(errors) < 2 * sigma.xy_in)
        inside.append(abs(turn(tray.pose.heading - true.heading)) < 2 * sigma.heading_deg)
    assert np.mean(inside) > 0.88


def test_the_answer_has_the_promised_shape(standard: Shot) -> None:
    plain = json.loads(
        json.dumps(look(standard.frame, standard.scene.setup).to_json(standard.scene.setup))
    )
    assert set(plain) == {"picture", "camera", "trays", "missing", "problems"}
    assert set(plain["camera"]) >= {"position", "reprojection_px", "references"}
    assert len(plain["camera"]["position"]) == 3
    for tray in plain["trays"]:
        assert set(tray) == {"unit", "tray", "x", "y", "heading", "sigma", "tags"}
        assert set(tray["sigma"]) == {"xy", "heading"}
        assert 0 <= tray["heading"] < 360


def test_a_shifted_reference_is_named(standard: Shot) -> None:
    setup = standard.scene.setup
    moved = tuple(replace(tag, x=tag.x + 0.5) if tag.id == 3 else tag for tag in setup.references)
    sight = look(standard.frame, replace(setup, references=moved))
    assert isinstance(sight.camera, TablePose)
    assert 3 not in sight.camera.used
    assert any("reference 3" in problem for problem in sight.problems)
    for tray in sight.trays:
        true = standard.scene.table.unit(tray.unit).pose
        assert np.hypot(tray.pose.x - true.x, tray.pose.y - true.y) < 0.05


def test_a_tag_of_another_size_is_named_and_missing(standard: Shot) -> None:
    setup = standard.scene.setup
    tag = next(tag for tag in standard.truth.tags if tag.clear and tag.unit)
    trays = tuple(
        replace(tray, tags=tuple(replace(one, size_mm=30.0) for one in tray.tags))
        if tray.unit == tag.unit
        else tray
        for tray in setup.trays
    )
    sight = look(standard.frame, replace(setup, trays=trays))
    assert tag.unit in sight.missing
    assert any(f"tag {tag.id} looks" in problem for problem in sight.problems)


def test_without_references_the_table_is_lost(standard: Shot) -> None:
    setup = standard.scene.setup
    other = tuple(replace(tag, id=tag.id + 40) for tag in setup.references if tag.id > 3)
    few = tuple(tag for tag in setup.references if tag.id <= 2)
    trays = tuple(t for t in setup.trays if all(tag.id < 40 for tag in t.tags))
    sight = look(standard.frame, replace(setup, references=few + other, trays=trays))
    assert isinstance(sight.camera, TableLost)
    assert not sight.trays
    assert sight.missing == tuple(tray.unit for tray in trays)
    assert any("table lost" in problem for problem in sight.problems)
    assert sight.to_json(setup)["camera"] is None


def test_an_empty_picture(standard: Shot) -> None:
    blank = np.full_like(standard.picture, 120)
    sight = look(CameraFrame(blank), standard.scene.setup)
    assert sight.empty
    assert not sight.trays


def test_a_picture_of_another_size_is_refused(standard: Shot) -> None:
    with pytest.raises(WrongPictureSize, match="1920 x 1080"):
        look(CameraFrame(standard.picture[:-2], name="a.jpg"), standard.scene.setup)


def test_a_setup_without_references_is_refused(standard: Shot) -> None:
    with pytest.raises(BadInput, match="at least 4"):
        require(replace(standard.scene.setup, references=()), "x.setup.toml")


def test_the_seen_table_can_be_read_back(standard: Shot) -> None:
    setup = standard.scene.setup
    sight = look(standard.frame, setup)
    table = seen_table(sight.trays, setup)
    again = Table.parse(table.text())
    assert {unit.id for unit in again.units} == {tray.unit for tray in sight.trays}
    assert {unit.side for unit in again.units} == {"blue", "red"}
    assert all(unit.pose.sigma for unit in again.units)


def test_the_seen_table_takes_names_from_another(standard: Shot) -> None:
    sight = look(standard.frame, standard.scene.setup)
    like = standard.scene.table
    table = seen_table(sight.trays, standard.scene.setup, like)
    assert table.terrain == like.terrain
    for unit in table.units:
        assert unit.name == like.unit(unit.id).name
        assert unit.pose != like.unit(unit.id).pose


@pytest.mark.rule("TMG-DEP-4")
def test_the_seen_table_keeps_who_sits_where(standard: Shot) -> None:
    """The side that comes first deploys at the near edge, in whatever order trays are seen."""
    sight = look(standard.frame, standard.scene.setup)
    like = standard.scene.table
    backwards = sorted(sight.trays, key=lambda one: [u.id for u in like.units].index(one.unit))
    table = seen_table(reversed(backwards), standard.scene.setup, like)
    assert table.sides() == like.sides()


def test_a_thing_that_imitates_a_tag_hides_no_true_one(standard: Shot) -> None:
    """A larger copy of a tray's tag lies on the table, and a large tag that nobody expects."""
    setup = standard.scene.setup
    tag = next(tag for tag in standard.truth.tags if tag.clear and tag.unit)
    plain = look(standard.frame, setup)
    corners = plain.tags[tag.id].corners_px
    (left, top), (right, low) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    spare = (right - left) // 4
    patch = standard.picture[top - spare : low + spare, left - spare : right + spare]
    picture = standard.picture.copy()
    large = cv2.resize(patch, None, fx=2.0, fy=2.0, interpolation=cv2.INTER_CUBIC)
    picture[5 : 5 + large.shape[0], 5 : 5 + large.shape[1]] = large
    found = find_all(CameraFrame(picture).grey(), setup)
    assert found.twins == {tag.id}
    sight = look(CameraFrame(picture), setup)
    assert np.allclose(sight.tags[tag.id].corners_px, corners, atol=0.5)
    assert not any("two places" in problem for problem in sight.problems)
    assert tag.unit in {tray.unit for tray in sight.trays}
    # Without its true place nothing fits, and neither does a stranger of no tag's size.
    trays = tuple(tray for tray in setup.trays if tray.unit != tag.unit)
    told = look(CameraFrame(picture), replace(setup, trays=trays)).problems
    assert any(f"tag {tag.id} belongs to no tray" in problem for problem in told)
    picture[top - spare : low + spare, left - spare : right + spare] = 90
    told = look(CameraFrame(picture), replace(setup, trays=trays)).problems
    assert not any(f"tag {tag.id} belongs" in problem for problem in told)


def test_many_tags_of_another_size_are_told_at_once(
    standard: Shot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet printed too small is no table of tilted tags, which takes seconds to find out."""
    asked: list[int] = []

    def asking(tag: TrayTag, *_: object) -> str:
        asked.append(tag.id)
        return ""

    monkeypatch.setattr(looking, "tilted", asking)
    setup = standard.scene.setup
    trays = tuple(
        replace(tray, tags=tuple(replace(tag, size_mm=1.2 * tag.size_mm) for tag in tray.tags))
        for tray in setup.trays
    )
    sight = look(standard.frame, replace(setup, trays=trays))
    assert sum("mm wide, not" in problem for problem in sight.problems) >= 8
    assert not asked

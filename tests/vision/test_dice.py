"""The dice reader: throws of unseen materials on the mat, every doubt asked about, bad input."""

from __future__ import annotations

import json
import math
import resource
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.printing.dice_mat import A4_MAT, A5_MAT, dice_mat_pdf
from companion.cli import main
from companion.practice.dice_solid import corners
from companion.practice.dice_throw import (
    SOLIDS,
    DiceScene,
    Thrown,
    leaning_turn,
    mat_drawing,
    resting_turns,
    thrown,
)
from companion.vision.dice.dice_mat import find_mat, read_mat
from companion.vision.dice.dice_reader import MOST_PIXELS, ReadThrow, read_throw
from companion.vision.dice.level_look import camera_place
from companion.vision.sources.frame import grey_of
from tests.trials import trials


def throw(seed: int, *, count: int, sides: int = 6) -> Thrown:
    rng = np.random.default_rng(seed)
    return thrown(rng, count=count, sides=sides, size=(640, 480))


def seen(scene: Thrown, *, count: int | None, sides: int = 6) -> ReadThrow:
    view = find_mat(grey_of(scene.picture))
    assert view.problem is None
    return read_mat(scene.picture, view, count=count, sides=sides)


@pytest.mark.parametrize("seed", range(1, 1 + trials(1, 30)))
def test_a_throw_on_the_mat_is_read(seed: int) -> None:
    scene = throw(seed, count=4)
    answer = seen(scene, count=4)
    assert answer.faces == tuple(sorted(scene.faces))
    assert answer.sure
    found = np.array([(die.x, die.y) for die in answer.dice])
    apart = np.linalg.norm(found[:, None] - scene.places[None], axis=2).min(axis=1)
    assert apart.max() < 12


def test_a_wrong_number_of_dice_is_asked_about() -> None:
    scene = throw(2, count=4)
    assert {doubt.word for doubt in seen(scene, count=3).doubts} == {"too many"}
    assert "too few" in {doubt.word for doubt in seen(scene, count=6).doubts}


def test_both_mats_are_found_and_told_apart() -> None:
    for mat in (A5_MAT, A4_MAT):
        smaller = cv2.resize(mat_drawing(mat), None, fx=0.8, fy=0.8)
        view = find_mat(np.asarray(smaller, np.uint8))
        assert view.mat == mat
        (corner,) = view.in_picture(np.array([[mat.width_mm, mat.height_mm]]))
        assert np.allclose(corner, np.array([mat.width_mm, mat.height_mm]) * 3.2, atol=2)


def test_two_mats_a_covered_one_and_none_are_said() -> None:
    flat = mat_drawing(A5_MAT)
    assert find_mat(np.hstack([flat, flat])).problem == "two mats"
    half = flat.copy()
    half[:, : half.shape[1] // 2] = 60
    assert find_mat(half).problem == "covered"
    assert find_mat(np.full_like(flat, 90)).problem == "no mat"


def test_an_empty_mat_shows_nothing() -> None:
    flat = np.dstack([mat_drawing(A5_MAT)] * 3)
    answer = read_mat(flat, find_mat(grey_of(flat)), count=None)
    assert answer.faces == ()
    assert [doubt.word for doubt in answer.doubts] == ["none"]


def test_the_sheet_prints_on_its_two_papers() -> None:
    assert dice_mat_pdf("a4").startswith(b"%PDF-")
    assert b"420.94" in dice_mat_pdf("a5") or b"419.5" in dice_mat_pdf("a5")


def test_the_command_answers_one_line_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = throw(1, count=4)
    path = tmp_path / "throw.png"
    cv2.imwrite(str(path), scene.picture)
    assert main(["dice", str(path), "--count", "4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["picture", "faces", "sure", "dice", "why"]
    assert told["faces"] == sorted(scene.faces)
    assert told["sure"] is True
    assert told["why"] == []
    # A front camera mirrors: the mat is found all the same, and the dice where they are.
    cv2.imwrite(str(path), scene.picture[:, ::-1])
    assert main(["dice", str(path), "--count", "4", "--sides", "3", "--json"]) == 0
    thirds = json.loads(capsys.readouterr().out)
    assert thirds["faces"] == sorted((face + 1) // 2 for face in scene.faces)
    width = scene.picture.shape[1]
    places = sorted(width - 1 - die["x"] for die in thirds["dice"])
    assert places == pytest.approx(sorted(die["x"] for die in told["dice"]), abs=3)


def test_one_die_may_fill_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Photos that hold a single die have fewer pixels than any of a table."""
    scene = throw(1, count=4)
    x, y = (int(v) for v in scene.places[0])
    path = tmp_path / "one.png"
    cv2.imwrite(str(path), scene.picture[y - 24 : y + 24, x - 24 : x + 24])
    assert main(["dice", str(path), "--count", "1", "--edge", "22", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["faces"] == [scene.faces[0]]
    assert main(["dice", str(path), "--count", "1"]) == 2  # no mat can be in it
    assert "too small" in capsys.readouterr().err


@pytest.mark.slow
def test_a_d10_is_read_on_the_larger_mat() -> None:
    """It was refused as too large a picture: numerals are read in what is cut out around dice."""
    rng = np.random.default_rng(2)
    scene = thrown(rng, count=2, sides=10, mat=A4_MAT, size=(1280, 960))
    answer = seen(scene, count=2, sides=10)
    assert "too large" not in {doubt.word for doubt in answer.doubts}
    assert answer.faces == tuple(sorted(scene.faces))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--count", "0"], "--count"),
        (["--edge", "1"], "--edge"),
        (["--edge", "nan"], "--edge"),
        (["--area", "1,2,3"], "--area"),
        (["--area", "9000,9000,10,10", "--edge", "30"], "outside"),
    ],
)
def test_bad_options_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], named: str
) -> None:
    path = tmp_path / "plain.png"
    cv2.imwrite(str(path), np.full((80, 80, 3), 90, np.uint8))
    assert main(["dice", str(path), *options]) == 2
    error = capsys.readouterr().err
    assert named in error
    assert error.count("\n") == 1


@pytest.mark.long
def test_the_largest_picture_that_is_read_stays_within_the_limits() -> None:
    """600 MB and 5 s of a quiet processor; what is larger is refused before the net looks."""
    side = int(math.sqrt(MOST_PIXELS) * 0.75)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    throw = read_throw(np.full((side, side, 3), 128, np.uint8), edge=26.0)
    assert [doubt.word for doubt in throw.doubts] == ["none"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500 * 1024
    larger = np.full((side * 2, side, 3), 128, np.uint8)
    assert [doubt.word for doubt in read_throw(larger, edge=26.0).doubts] == ["too large"]


@pytest.mark.parametrize("sides", [6, 8, 10])
def test_practice_dice_lean_above_the_mat_with_no_face_level(sides: int) -> None:
    """A D10 that leant sank into the mat, or lay nearly flat on the face beside."""
    solid, rng = SOLIDS[sides], np.random.default_rng(sides)
    scene = DiceScene.random(rng, sides=sides, mat=A5_MAT, size=(640, 480))
    level = resting_turns(rng, solid, [1, 2, 3])[2]
    for axis in np.linspace(0, 6, 12):
        turn = leaning_turn(rng, solid, level, float(axis))
        assert (np.array(solid.normals) @ turn[2]).max() <= np.cos(0.3)
        (middle,) = scene.resting(np.array([[50.0, 50.0]]), [turn])
        lowest = middle[2] + (corners(solid) @ turn[2]).min()
        assert lowest <= 1e-6  # its corners are rounded
        assert middle[2] == pytest.approx(min(middle[2] - lowest, scene.material["ball"]))
        assert middle[2] > solid.height


@pytest.mark.parametrize("sides", [6, 8, 10])
@pytest.mark.parametrize("seed", range(trials(3, 40)))
def test_a_die_that_leans_is_asked_about(sides: int, seed: int) -> None:
    """Most were read: nothing told how much of the sides a camera must see of a die at rest."""
    rng = np.random.default_rng([sides, seed, 3])
    size = (640, 480) if sides == 6 else (960, 720)
    scene = thrown(rng, count=1, sides=sides, size=size, lean=1.0)
    assert [doubt.word for doubt in seen(scene, count=1, sides=sides).doubts] == ["no face up"]


@pytest.mark.slow
def test_a_face_that_the_second_net_reads_otherwise_is_asked_about() -> None:
    """Of twelve black dice a 3 was read as a 2, and nothing was asked."""
    rng = np.random.default_rng([6, 38, 36])
    count = int(rng.integers(1, 13))
    scene = thrown(rng, count=count, mat=A5_MAT, size=(640, 480), frames=2)
    answer = seen(scene, count=count)
    assert answer.faces == tuple(sorted(scene.faces)) or not answer.sure


@pytest.mark.parametrize("seed", range(trials(3, 30)))
def test_the_mat_tells_where_the_camera_is(seed: int) -> None:
    """The direction of the camera is known to a degree: the second net relies on it."""
    rng = np.random.default_rng(seed)
    scene = DiceScene.random(rng, sides=6, mat=A5_MAT, size=(640, 480))
    picture = scene.picture(rng, np.empty((0, 3)), [])
    view = find_mat(grey_of(picture))
    assert view.to_picture is not None
    place = np.array([float(np.ravel(v)[0]) for v in scene.eye.place]) * scene.die_mm * [1, -1, 1]
    middle = np.array([A5_MAT.width_mm / 2, A5_MAT.height_mm / 2, 0.0])
    found = camera_place(view.to_picture, (640, 480)) - middle
    true = place - middle
    cosine = float(found @ true / (np.linalg.norm(found) * np.linalg.norm(true)))
    assert math.degrees(math.acos(min(1.0, cosine))) < 1.0


def test_all_weights_fit_into_a_megabyte() -> None:
    data = Path("companion/vision/dice/data")
    assert sum(path.stat().st_size for path in data.glob("*.npz")) <= 1_000_000


@pytest.mark.parametrize("seed", [0, 3])
def test_a_die_upon_another_is_asked_about(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = DiceScene.random(rng, sides=6, mat=A5_MAT, size=(640, 480))
    turns = resting_turns(rng, scene.solid, [2, 5, 4])
    middles = scene.resting(np.array([[80.0, 70.0], [80.0, 70.0], [130.0, 80.0]]), turns)
    middles[1] += [0.1, 0.1, 1.0]
    picture = scene.picture(rng, middles, turns)
    assert not read_mat(picture, find_mat(grey_of(picture)), count=3).sure

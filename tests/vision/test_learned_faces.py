"""The D8 of a player: each symbol shown once, then read; what is not clear is not learned."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.printing.dice_mat import A5_MAT
from companion.cli import main
from companion.engine.turn.proposed_dice import ShownFaces
from companion.practice.dice_throw import DiceScene, free_spots, resting_turns
from companion.vision.dice.dice_reader import Doubt, ReadThrow, SeenDie
from companion.vision.dice.learned_faces import TRAITS, LearnedFaces
from companion.vision.dice.throw_watch import ThrowSight

SYMBOLS = {1: "green", 4: "blue", 6: "red", 7: "valour", 8: "morale"}


def photo(path: Path, scene: DiceScene, faces: list[int], seed: int) -> str:
    rng = np.random.default_rng(seed)
    spots = free_spots(rng, A5_MAT, 1.25 * scene.die_mm, len(faces))
    turns = resting_turns(rng, scene.solid, faces)
    cv2.imwrite(str(path), scene.picture(rng, scene.resting(spots, turns), turns))
    return str(path)


@pytest.mark.slow
@pytest.mark.rule("BOW-CMP-2")
def test_a_d8_is_read_by_the_faces_that_were_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = DiceScene.random(np.random.default_rng(0), sides=8, mat=A5_MAT, size=(640, 480))
    shown = []
    for face in SYMBOLS:
        one = photo(tmp_path / f"{face}.png", scene, [face], face)
        shown += ["--show", f"{face}={one}"]
    throw = photo(tmp_path / "throw.png", scene, [3, 5, 6, 7, 8], 20)
    assert main(["dice", throw, "--sides", "8", "--count", "5", *shown, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["faces"] == [1, 4, 6, 7, 8]  # faces 1 to 3 show one symbol, 4 and 5 another
    assert told["sure"] is True


@pytest.mark.parametrize(
    ("options", "named"),
    [([], "show each"), (["--show", "9=a.png"], "FACE=PICTURE"), (["--show", "1"], "--show")],
)
def test_a_d8_that_nobody_has_shown_is_one_line(
    options: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dice", "throw.png", "--sides", "8", *options]) == 2
    error = capsys.readouterr().err
    assert named in error
    assert error.count("\n") == 1


def sight(number: int, place: int, *doubts: Doubt) -> ThrowSight:
    """A die whose face is alike in the trait at `place` alone."""
    traits = tuple(9.0 * (np.arange(TRAITS + 1) == place))
    return ThrowSight("read", ReadThrow((SeenDie(0, 0, 0, 0.9, traits),), doubts), number)


def test_faces_are_shown_one_after_the_other_and_kept(tmp_path: Path) -> None:
    shown = ShownFaces({1: "green", 4: "blue"}, LearnedFaces())
    assert "green" in shown.words
    assert not shown.see(ThrowSight("moving"))
    assert shown.see(sight(1, 5))
    assert not shown.see(sight(1, 5))  # once
    assert shown.face == 4
    shown.see(sight(2, 9, Doubt("no face up", 0)))
    assert (shown.face, shown.unclear) == (4, True)
    shown.see(sight(3, 5))  # the first face once more
    assert (shown.face, shown.twin) == (4, 1)
    assert "green" in shown.words
    shown.see(sight(4, 9))
    assert shown.face is None
    shown.known.save(tmp_path / "faces.json")
    assert LearnedFaces.load(tmp_path / "faces.json") == shown.known


@pytest.mark.parametrize("text", ["", "[]", '{"1": [1, 2]}', '{"x": []}', '{"1": null}'])
def test_a_broken_file_of_faces_is_no_face(tmp_path: Path, text: str) -> None:
    (tmp_path / "faces.json").write_text(text)
    assert LearnedFaces.load(tmp_path / "faces.json") == LearnedFaces()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"1": [1' + "0" * 400 + "]}", '{"²": []}'])
def test_faces_that_nobody_could_have_kept_are_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "faces.json").write_text(text, encoding="utf-8")
    assert LearnedFaces.load(tmp_path / "faces.json") == LearnedFaces()


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
def test_a_pipe_in_place_of_the_faces_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "faces.json")
    assert LearnedFaces.load(tmp_path / "faces.json") == LearnedFaces()

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from calibration.setup import Setup
from companion.cli.program import main
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import PracticeTable
from models.table import Table
from tests.vision.conftest import BARE, Shot


@pytest.fixture(scope="module")
def folder(standard: Shot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo, its set-up and the true table."""
    place = tmp_path_factory.mktemp("look")
    cv2.imwrite(str(place / "a.jpg"), standard.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    standard.scene.setup.save(place / "a.setup.toml")
    (place / "a.table.json").write_text(standard.scene.table.text())
    return place


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        status = main([str(word) for word in words])
    except SystemExit as stop:
        status = int(str(stop.code))
    told = capsys.readouterr()
    return status, told.out, told.err


@pytest.mark.slow
def test_json_table_and_overlay(
    folder: Path, standard: Shot, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(
        capsys, "look", folder / "a.jpg", "--setup", folder / "a.setup.toml", "--json",
        "--table", folder / "o.table.json", "--overlay", folder / "o.png",
        "--units", folder / "a.table.json",
    )  # fmt: skip
    assert (status, err) == (0, "")
    plain = json.loads(out)
    assert out.count("\n") == 1
    clear = {tag.unit for tag in standard.truth.tags if tag.clear and tag.unit}
    assert clear <= {tray["unit"] for tray in plain["trays"]}
    seen = Table.load(folder / "o.table.json")
    assert {unit.id for unit in seen.units} == {tray["unit"] for tray in plain["trays"]}
    drawn = np.asarray(Image.open(folder / "o.png").convert("RGB")).astype(int)
    photo = np.asarray(Image.open(folder / "a.jpg")).astype(int)
    assert drawn.shape == photo.shape
    changed = np.abs(drawn - photo).max(axis=2) > 40
    # Drawn on the table, not beside it.
    assert 0.002 < changed.mean() < 0.3
    assert changed[:40].mean() < 0.01


def test_words_for_people(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "look", folder / "a.jpg", "--setup", folder / "a.setup.toml")
    assert status == 0
    assert "references" in out
    assert "facing" in out


@pytest.mark.parametrize(
    ("picture", "setup", "says"),
    [
        ("none.jpg", "a.setup.toml", "none.jpg: cannot be read"),
        ("a.setup.toml", "a.setup.toml", "is not a picture"),
        ("a.jpg", "none.setup.toml", "none.setup.toml: cannot be read"),
        ("a.jpg", "a.table.json", "not TOML"),
        ("small.jpg", "a.setup.toml", "but the lens was calibrated at 1920 x 1080"),
        (
            "blank.png",
            "a.setup.toml",
            "the picture shows nothing: is the lens covered, or the light off?",
        ),
        ("none.mp4", "a.setup.toml", "none.mp4: cannot be read"),
        ("97", "a.setup.toml", "camera 97: cannot be opened"),
    ],
)
def test_what_cannot_be_looked_at_is_refused_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], picture: str, setup: str, says: str
) -> None:
    cv2.imwrite(str(folder / "small.jpg"), np.full((480, 640, 3), 90, np.uint8))
    cv2.imwrite(str(folder / "blank.png"), np.full((1080, 1920, 3), 90, np.uint8))
    place = picture if picture.isdecimal() else folder / picture
    status, _, err = run(capsys, "look", place, "--setup", folder / setup, "--json")
    assert status == 2
    assert err.count("\n") == 1
    assert says in err
    assert "Traceback" not in err


def test_one_bad_picture_does_not_stop_the_others(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(
        capsys, "look", folder / "none.jpg", folder / "a.jpg",
        "--setup", folder / "a.setup.toml", "--json",
    )  # fmt: skip
    assert status == 2
    assert len(out.splitlines()) == 1
    assert len(err.splitlines()) == 1


def test_several_pictures_are_no_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(
        capsys, "look", folder / "a.jpg", folder / "a.jpg",
        "--setup", folder / "a.setup.toml", "--table", folder / "never.table.json",
    )  # fmt: skip
    assert status == 2
    assert "needs one picture" in err
    assert not (folder / "never.table.json").exists()


def test_a_video_is_followed(
    small_scene: PracticeTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small_scene.setup.save(tmp_path / "v.setup.toml")
    camera = PracticeCamera(small_scene.setup, small_scene.view, BARE)
    writer = cv2.VideoWriter(
        str(tmp_path / "v.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1280, 720)
    )
    for number in range(4):
        writer.write(camera.frame(small_scene.table, number=number)[0])
    writer.release()
    status, out, err = run(
        capsys, "look", tmp_path / "v.avi", "--setup", tmp_path / "v.setup.toml", "--json",
        "--table", tmp_path / "v.table.json",
    )  # fmt: skip
    assert status == 0
    assert "only the places of" in err  # nobody told what these units are
    lines = [json.loads(line) for line in out.splitlines()]
    assert len(lines) == 4
    assert lines[0]["events"]
    assert not lines[3]["events"]
    assert all(tray["state"] == "settled" for tray in lines[3]["trays"])
    assert len(Table.load(tmp_path / "v.table.json").units) == len(small_scene.table.units)


def test_photos_as_one_stream(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(
        capsys, "look", folder / "a.jpg", folder / "a.jpg", "--video",
        "--setup", folder / "a.setup.toml", "--json",
    )  # fmt: skip
    assert status == 0
    first, second = (json.loads(line) for line in out.splitlines())
    assert first["events"]
    assert not second["events"]
    assert second["time"] > first["time"]


def test_the_example_of_the_formats_is_a_setup() -> None:
    text = (Path(__file__).parents[2] / "docs/formats.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (example,) = (one for one in examples if "[[references]]" in one or "[camera]" in one)
    setup = Setup.parse(example)
    assert setup.lens is not None
    assert setup.references[0].heading == 90
    assert setup.trays[0].tags[0].up_sigma_mm == 0.5
    assert Setup.parse(setup.text()) == setup


@pytest.mark.slow
def test_play_runs_the_whole_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "play", "--text", "--out", tmp_path)
    assert (status, err) == (0, "")
    assert "hidden in the photo" not in out
    for name in ("practice.photo.jpg", "practice.answers.png", "practice.png"):
        assert (tmp_path / name).stat().st_size > 10_000
    photo = tmp_path / "practice.photo.jpg"
    status, out, _ = run(
        capsys, "look", photo, "--setup", tmp_path / "practice.setup.toml", "--json"
    )
    assert status == 0
    assert json.loads(out)["missing"] == []

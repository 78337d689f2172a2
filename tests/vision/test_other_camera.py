"""Pictures of a camera that the eyes were not tuned on, and files of every kind, through `look`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from companion.cli.program import main
from companion.vision.detect.detection import doubled, halved
from companion.vision.detect.tag_detector import HUGE_PX, find_tags
from tests.vision.drawn import drawn_tag, turned_square
from tests.vision.other_camera import shot
from tests.vision.other_table import Staged, staged

Bytes = NDArray[np.uint8]
Looked = tuple[int, list[dict[str, Any]], str]
Look = Callable[..., Looked]


@pytest.fixture
def look(capsys: pytest.CaptureFixture[str]) -> Look:
    def run(*words: object) -> Looked:
        status = main(["look", *map(str, words), "--json"])
        said = capsys.readouterr()
        return status, [json.loads(line) for line in said.out.splitlines()], said.err

    return run


def off(stage: Staged, tray: dict[str, Any]) -> list[float]:
    """Errors of x, y and heading in sigmas."""
    x, y, heading = stage.truth[tray["unit"]]
    turn = (tray["heading"] - heading + 180) % 360 - 180
    sigma = tray["sigma"]
    return [
        (tray["x"] - x) / sigma["xy"],
        (tray["y"] - y) / sigma["xy"],
        turn / sigma["heading"],
    ]


STAGES = {
    "lens known": {"seed": 1, "size": (1600, 1000), "tag_mm": 30.0},
    "lens unknown": {"seed": 5, "size": (1600, 1000), "tag_mm": 30.0, "lens": False},
    "raised": {"seed": 6, "size": (1600, 1000), "tag_mm": 30.0, "up_mm": 40.0},
}


@pytest.mark.slow
def test_another_camera_is_seen_as_well(look: Look, tmp_path: Path) -> None:
    errors: list[list[float]] = []
    for name, stage_of in STAGES.items():
        stage = staged(**stage_of)  # type: ignore[arg-type]
        cv2.imwrite(str(tmp_path / "photo.png"), shot(stage.world))
        (tmp_path / "a.setup.toml").write_text(stage.setup)
        status, answers, _ = look(tmp_path / "photo.png", "--setup", tmp_path / "a.setup.toml")
        assert status == 0
        seen = {tray["unit"] for tray in answers[0]["trays"]}
        assert seen <= set(stage.truth), name
        assert len(seen) >= len(stage.truth) - 1, name
        assert seen | set(answers[0]["missing"]) == set(stage.truth)
        eye = answers[0]["camera"]["position"]
        assert np.abs(np.array(eye) - stage.world.eye).max() < 1.0, name
        errors += [off(stage, tray) for tray in answers[0]["trays"]]
    away = np.abs(errors)
    assert away.max() < 5.0
    assert (away <= 1).mean() > 0.6
    assert (away <= 2).mean() > 0.88
    assert (away <= 3).mean() > 0.97


@pytest.fixture(scope="module")
def stage() -> Staged:
    return staged(5, (1280, 960), lens=False, units=6, tag_mm=32.0)


@pytest.fixture(scope="module")
def picture(stage: Staged) -> Bytes:
    return shot(stage.world)


def grey_of(picture: Bytes) -> NDArray[np.uint16]:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.uint16)


def turned_photo(picture: Bytes, path: Path) -> None:
    """A portrait of the sensor whose EXIF says that it must be turned."""
    exif = Image.Exif()
    exif[0x0112] = 6
    image = Image.fromarray(picture[..., ::-1]).transpose(Image.Transpose.ROTATE_90)
    image.save(path, quality=92, exif=exif)


def film(picture: Bytes, path: Path, codec: str) -> None:
    size = (picture.shape[1], picture.shape[0])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), 30, size)
    assert writer.isOpened(), codec
    for _ in range(3):
        writer.write(picture)
    writer.release()


FILES: dict[str, Callable[[Bytes, Path], object]] = {
    "turned.jpg": turned_photo,
    "grey.png": lambda p, at: cv2.imwrite(str(at), grey_of(p).astype(np.uint8)),
    "sixteen.png": lambda p, at: cv2.imwrite(str(at), grey_of(p) * 257),
    "twelve_of_sixteen.png": lambda p, at: cv2.imwrite(str(at), grey_of(p) * 16),
    "colour16.png": lambda p, at: cv2.imwrite(str(at), p.astype(np.uint16) * 257),
    "share.tif": lambda p, at: cv2.imwrite(str(at), (grey_of(p) / 255).astype(np.float32)),
    "photo.webp": lambda p, at: cv2.imwrite(str(at), p, [cv2.IMWRITE_WEBP_QUALITY, 85]),
    "cmyk.jpg": lambda p, at: Image.fromarray(p[..., ::-1]).convert("CMYK").save(at, quality=90),
    "motion.avi": lambda p, at: film(p, at, "MJPG"),
    "xvid.avi": lambda p, at: film(p, at, "XVID"),
    "film.mp4": lambda p, at: film(p, at, "mp4v"),
    "film.mkv": lambda p, at: film(p, at, "VP80"),
    "film.webm": lambda p, at: film(p, at, "VP90"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_file_shows_the_same_table(
    name: str, look: Look, stage: Staged, picture: Bytes, tmp_path: Path
) -> None:
    FILES[name](picture, tmp_path / name)
    (tmp_path / "a.setup.toml").write_text(stage.setup)
    status, answers, err = look(tmp_path / name, "--setup", tmp_path / "a.setup.toml")
    assert (status, err) == (0, "")
    assert len(answers) == (1 if name.split(".")[1] in ("jpg", "png", "webp", "tif") else 3)
    trays = answers[-1]["trays"]
    assert {tray["unit"] for tray in trays} == set(stage.truth)
    for tray in trays:
        x, y, _ = stage.truth[tray["unit"]]
        assert np.hypot(tray["x"] - x, tray["y"] - y) < 0.05


def test_a_film_that_breaks_off_ends_with_what_was_seen(
    look: Look, stage: Staged, picture: Bytes, tmp_path: Path
) -> None:
    film(picture, tmp_path / "whole.avi", "MJPG")
    data = (tmp_path / "whole.avi").read_bytes()
    (tmp_path / "part.avi").write_bytes(data[: len(data) // 2])
    (tmp_path / "a.setup.toml").write_text(stage.setup)
    status, answers, _ = look(tmp_path / "part.avi", "--setup", tmp_path / "a.setup.toml")
    assert status == 0
    assert 1 <= len(answers) < 3
    assert len(answers[0]["trays"]) == len(stage.truth)


def test_a_folder_is_its_pictures_whatever_its_name(
    look: Look, stage: Staged, picture: Bytes, tmp_path: Path
) -> None:
    folder = tmp_path / "table.mp4"
    folder.mkdir()
    (tmp_path / "a.setup.toml").write_text(stage.setup)
    words = (folder, "--setup", tmp_path / "a.setup.toml")
    status, answers, err = look(*words)
    assert (status, answers) == (2, [])
    assert err == f"companion: {folder}: holds no pictures\n"
    cv2.imwrite(str(folder / "10.png"), picture)
    cv2.imwrite(str(folder / "9.png"), picture)
    status, answers, _ = look(*words)
    assert [Path(one["picture"]).name for one in answers] == ["9.png", "10.png"]
    assert status == 0


def test_a_huge_soft_picture_is_seen_at_half_its_size(stage: Staged, picture: Bytes) -> None:
    grey = grey_of(picture).astype(np.uint8)
    huge = cv2.resize(grey, (5281, 3961), interpolation=cv2.INTER_CUBIC)
    assert huge.size > HUGE_PX
    ids = {tag.id for tag in stage.world.tags}
    small = find_tags(grey, expected=ids, thorough=True).tags
    large = find_tags(np.asarray(huge, dtype=np.uint8), expected=ids, thorough=True).tags
    assert set(large) >= set(small)
    for tag_id, tag in small.items():
        there = (large[tag_id].corners_px + 0.5) * [1280 / 5281, 960 / 3961] - 0.5
        assert np.abs(there - tag.corners_px).max() < 0.15


def test_half_of_an_odd_size_is_half() -> None:
    corners = turned_square(40.0, 10.0) + np.array([40.0, 30.0])
    found = find_tags(halved(drawn_tag(12, corners, (201, 161), blur=1.5))).tags
    assert np.abs(doubled(found[12]).corners_px - corners).max() < 0.1

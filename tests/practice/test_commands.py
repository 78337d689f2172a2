"""`companion practice`, `print` and `calibrate` as a player runs them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import cv2
import pytest

from calibration.setup import Setup
from companion.cli.practice_stream import game_scene, hear, pieces_text, source_of
from companion.cli.program import main
from companion.practice.game_table import BoardScene
from companion.practice.random_table import standard_lens
from companion.practice.stream import page_text
from companion.practice.workbench import board_photo, board_views
from companion.vision.sources.frame import CameraFrame, Picture
from models.table import Table

SMALL = ["--size", "640x360", "--trays", "4"]


def run(*words: str | Path) -> int:
    try:
        return main([str(word) for word in words])
    except SystemExit as stop:
        return int(str(stop.code))


def test_practice_writes_a_frame_its_truth_and_its_set_up(tmp_path: Path) -> None:
    assert run("practice", "--out", tmp_path, *SMALL) == 0
    picture = cv2.imread(str(tmp_path / "practice.png"))
    assert picture is not None
    assert picture.shape == (360, 640, 3)
    setup = Setup.load(tmp_path / "practice.setup.toml")
    table = Table.load(tmp_path / "practice.table.json")
    assert [unit.id for unit in table.units] == [tray.unit for tray in setup.trays]


def test_practice_renders_a_table_file(tmp_path: Path) -> None:
    assert run("practice", "models/data/practice.table.json", "--out", tmp_path, *SMALL) == 0
    shipped = Table.load("models/data/practice.table.json")
    assert {tray.unit for tray in Setup.load(tmp_path / "practice.setup.toml").trays} == {
        unit.id for unit in shipped.units
    }


def test_practice_writes_a_video(tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    assert run("practice", "--video", film, "--seconds", "0.5", "--fps", "6", *SMALL) == 0
    capture = cv2.VideoCapture(str(film))
    count = 0
    while capture.read()[0]:
        count += 1
    assert count == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.avi", "film.setup.toml"]


def test_practice_streams_for_a_while(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["practice", "--stream", "0", "--seconds", "0.3", "--out", str(tmp_path)]
    assert run(*words, *SMALL) == 0
    assert "/stream.mjpg" in capsys.readouterr().out


def test_a_hand_takes_a_figure_off_and_puts_it_down_again() -> None:
    scene = game_scene("tactics", (640, 360))
    assert isinstance(scene, BoardScene)
    source = source_of(scene)
    hear(source, scene, ["b1 off"])
    assert "b1" not in source.table
    hear(source, scene, ["b1 3,0"])
    x, y = scene.board.middle((3, 0), 1)
    now = source.table.unit("b1").pose
    assert (now.x, now.y) == pytest.approx((x, y))


def test_the_pieces_of_a_streamed_table_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Under the picture, and to whoever moves one that is not there."""
    scene = game_scene("westeros", (640, 360))
    hear(source_of(scene), scene, ["b1 3,0"])
    told = capsys.readouterr().err
    assert "b1 does not stand on the table" in told
    assert "l3 (Lannisport Guards 2)" in told
    assert "l3 (Lannisport Guards 2)" in page_text(pieces_text(scene)).decode()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["practice", "--look", "foggy"], "no look 'foggy'"),
        (["practice", "--size", "big"], "--size: 'big'"),
        (["practice", "--trays", "99"], "99 trays"),
        (["practice", "--frames", "0"], "--frames: 0 is outside"),
        (["practice", "--video", "a.txt"], "neither .avi nor .mp4"),
        (["practice", "nowhere.table.json"], "nowhere.table.json: cannot be read"),
        (["practice", "--setup", "nowhere.setup.toml"], "nowhere.setup.toml: cannot be read"),
        (["print", "tags", "--pdf", "x.pdf", "--ids", "20-10"], "'20-10' runs backwards"),
        (["print", "tags", "--pdf", "x.pdf", "--ids", "ten"], "'ten' is neither"),
        (["print", "tags", "--pdf", "x.pdf", "--size", "1"], "tags of 1 mm"),
        (["print", "tags", "--pdf", "x.pdf", "--paper", "a0"], "no paper 'a0'"),
        (["print", "tags", "--pdf", "x.pdf", "--dictionary", "ABC"], "no dictionary 'ABC'"),
        (["print", "tags", "--pdf", "no/x.pdf"], "no/x.pdf: cannot be written"),
        (["print", "tags", "--pdf", "pipe"], "pipe: cannot be written: it is not a file"),
        (["practice", "--video", "pipe.avi"], "pipe.avi: cannot be written: it is not a file"),
        (["calibrate", "lens", "--setup", "a.toml"], "either photos or --camera"),
        (["calibrate", "lens", "gone.jpg", "--setup", "a.toml"], "0 usable photos"),
        (["calibrate", "table", "gone.jpg", "--setup", "a.toml"], "a.toml: cannot be read"),
    ],
)
def test_nonsense_ends_in_one_line(
    words: list[str],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("pipe", "pipe.avi"):
        os.mkfifo(name)
    assert run(*words) == 2
    errors = capsys.readouterr().err
    assert complaint in errors
    assert errors.count("\n") == 1
    assert not any(path.suffix in (".pdf", ".toml") for path in tmp_path.rglob("*"))


def test_sheets_are_printed(tmp_path: Path) -> None:
    for number, words in enumerate(
        (["tags", "--ids", "10-12"], ["references", "--size", "50"], ["lens-board"])
    ):
        path = tmp_path / f"{number}.pdf"
        assert run("print", *words, "--pdf", path, "--paper", "Letter") == 0
        assert path.read_bytes().startswith(b"%PDF-")


@pytest.mark.slow
def test_from_board_photos_to_a_lens_in_the_set_up_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = tmp_path / "photos"
    assert run("practice", "--board", "7", "--size", "960x540", "--out", photos) == 0
    (photos / "broken.jpg").write_bytes(b"not a picture")
    file = tmp_path / "my.setup.toml"
    file.write_text('# mine\nformat = "table-companion/setup/1"\n', encoding="utf-8")
    capsys.readouterr()
    assert run("calibrate", "lens", photos, "--setup", file, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["reprojection_px"] < 0.1
    assert "broken.jpg" in answer["unused"]
    lens = Setup.load(file).lens
    assert lens is not None
    assert lens.matrix[0] == pytest.approx(685.51, rel=0.002)
    assert len(lens.sigma) == 9
    assert "# mine" in file.read_text(encoding="utf-8")
    assert "would help" not in answer


@pytest.mark.slow
def test_a_lens_is_measured_before_a_live_camera(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lens = standard_lens((960, 540))

    def held_still() -> Iterator[Picture]:
        for number, view in enumerate(board_views(lens, 7, seed=1)):
            photo = board_photo(lens, view, number=number)
            # The second look at the same board tells nothing new.
            yield photo
            yield photo

    frames = (CameraFrame(one, float(number)) for number, one in enumerate(held_still()))
    camera = SimpleNamespace(name="0", read=lambda: next(frames, None), close=Mock())
    monkeypatch.setattr("companion.vision.sources.frame_sources.open_source", lambda place: camera)
    file = tmp_path / "live.setup.toml"
    assert run("calibrate", "lens", "--camera", "0", "--setup", file) == 0
    told = capsys.readouterr()
    assert "7 of 20" in told.err
    assert "8 of 20" not in told.err
    assert "7 photos" in told.out
    found = Setup.load(file).lens
    assert found is not None
    assert found.matrix[0] == pytest.approx(lens.matrix[0], rel=0.002)


def test_references_are_measured_from_a_photo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("practice", "--out", tmp_path, "--trays", "1") == 0
    file, photo = tmp_path / "practice.setup.toml", tmp_path / "practice.png"
    before = Setup.load(file)
    capsys.readouterr()
    assert run("calibrate", "table", photo, "--setup", file, "--check") == 0
    assert "reference  0" in capsys.readouterr().out
    assert Setup.load(file) == before
    assert run("calibrate", "table", photo, "--setup", file) == 0
    after = Setup.load(file)
    assert after != before
    for old, new in zip(before.references, after.references, strict=True):
        assert (new.x, new.y) == pytest.approx((old.x, old.y), abs=0.04)


def test_a_misprint_is_told_and_a_measured_print_decides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("practice", "--out", tmp_path, "--trays", "1") == 0
    file, photo = tmp_path / "practice.setup.toml", tmp_path / "practice.png"
    text = file.read_text()
    file.write_text(text.replace("size_mm = 40.0", "size_mm = 41.5"))
    capsys.readouterr()
    assert run("calibrate", "table", photo, "--setup", file, "--check") == 0
    told = capsys.readouterr().out
    assert re.search(r"look (39\.9|40\.0)\d mm", told)
    assert "not 41.5 mm: printed at 96 %, and written so" in told
    assert "measure a square and give it with --size" in told
    assert run("calibrate", "table", photo, "--setup", file, "--size", "40") == 0
    assert "as true as the measured 40 mm" in capsys.readouterr().out
    assert {tag.size_mm for tag in Setup.load(file).references} == {40.0}
    for size, words in (("0", "0 mm is not a tag's edge"), ("nan", "not a tag's edge")):
        assert run("calibrate", "table", photo, "--setup", file, "--size", size) == 2
        assert words in capsys.readouterr().err
    assert run("calibrate", "lens", photo, "--setup", file, "--size", "40") == 2
    assert "--size belongs to calibrate table" in capsys.readouterr().err


def test_mounts_are_measured_from_photos(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("practice", "--out", tmp_path, "--trays", "3") == 0
    file, photo = tmp_path / "practice.setup.toml", tmp_path / "practice.png"
    before = Setup.load(file)
    capsys.readouterr()
    assert run("calibrate", "trays", photo, photo, "--setup", file, "--check") == 0
    told = capsys.readouterr().out
    assert "2 photos" in told
    assert "mm high (was" in told
    assert Setup.load(file) == before
    assert run("calibrate", "trays", photo, photo, "--setup", file, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["photos"] == 2
    assert {one["unit"] for one in answer["trays"]} == {tray.unit for tray in before.trays}
    after = Setup.load(file)
    assert any(tag.up_sigma_mm is not None for tray in after.trays for tag in tray.tags)
    for old, new in zip(before.trays, after.trays, strict=True):
        assert new.tags[0].forward == pytest.approx(old.tags[0].forward, abs=0.05)


@pytest.fixture(scope="module")
def one_tray(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A practice photo and its set-up."""
    folder = tmp_path_factory.mktemp("one-tray")
    assert run("practice", "--out", folder, "--trays", "1") == 0
    return folder


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["trays", "PHOTO"], "1 photos show the table, at least 2 are needed"),
        (["trays", "PHOTO", "--size", "40"], "--size belongs to calibrate table"),
        (["table", "PHOTO", "--lined-up"], "--lined-up belongs to calibrate trays"),
        (["table", "PHOTO", "--squares", "8x8"], "belong to calibrate lens"),
        (["lens", "PHOTO", "--square", "25"], "another board needs --squares"),
        (["lens", "PHOTO", "--squares", "8"], "'8' is not like 7x10"),
        (["lens", "PHOTO"], "0 usable photos of the board"),
    ],
)
def test_calibrate_refuses_in_one_line(
    one_tray: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    file, photo = one_tray / "practice.setup.toml", one_tray / "practice.png"
    before = file.read_bytes()
    capsys.readouterr()
    said = [str(photo) if word == "PHOTO" else word for word in words]
    assert run("calibrate", *said, "--setup", file) == 2
    told = capsys.readouterr().err
    assert complaint in told
    assert told.count("\n") == 1
    assert file.read_bytes() == before

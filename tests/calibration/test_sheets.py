"""Printed sheets: rasterised again, every tag is found, and found in its true size."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera.charuco_board import OWN_BOARD, BoardView, board_view
from calibration.printing.pdf import PAPERS, PdfPage, document
from calibration.printing.sheets import (
    REFERENCE_IDS,
    TRAY_IDS,
    BadSheet,
    Order,
    board_pdf,
    references_pdf,
    stand_parts,
    tags_pdf,
    usual_mount,
)
from calibration.setup import known_trays
from calibration.tags.mounts import mount as mounted
from tests.trials import trials

PER_MM = 10.0
POINTS_PER_MM = 72 / 25.4
NUMBER = r"(-?\d+(?:\.\d+)?)"


def contents(data: bytes) -> list[str]:
    """The drawing of each page."""
    streams = re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL)
    return [zlib.decompress(stream).decode("cp1252") for stream in streams]


def raster(drawing: str, paper: str) -> NDArray[np.uint8]:
    """The page's filled rectangles as a picture, ten pixels per millimetre."""
    width, height = PAPERS[paper]
    picture = np.full((round(height * PER_MM), round(width * PER_MM)), 255, dtype=np.uint8)
    scale = PER_MM / POINTS_PER_MM
    for line in drawing.splitlines():
        grey = re.match(rf"{NUMBER} g .* re f$", line)
        if grey is None:
            continue
        for x, y, w, h in re.findall(rf"{NUMBER} {NUMBER} {NUMBER} {NUMBER} re", line):
            left, right = float(x) * scale, (float(x) + float(w)) * scale
            low, high = (height * PER_MM - v * scale for v in (float(y), float(y) + float(h)))
            picture[round(high) : round(low), round(left) : round(right)] = round(
                float(grey[1]) * 255
            )
    return picture


def found_mm(picture: NDArray[np.uint8], dictionary: str) -> dict[int, float]:
    """Ids of the tags in a picture with their edges in millimetres."""
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    )
    # As a camera would see it: half the size, soft edges.
    soft = cv2.GaussianBlur(cv2.resize(picture, None, fx=0.5, fy=0.5), (0, 0), 1.0)
    corners, ids, _ = detector.detectMarkers(soft)
    edges = {}
    for tag, quad in zip([] if ids is None else ids.ravel(), corners, strict=True):
        places = np.ascontiguousarray(quad[0], dtype=np.float32).reshape(-1, 1, 2)
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.001)
        cv2.cornerSubPix(soft, places, (5, 5), (-1, -1), stop)
        sides = np.linalg.norm(np.roll(places[:, 0], -1, axis=0) - places[:, 0], axis=1)
        edges[int(tag)] = float(sides.mean() / PER_MM * 2)
    return edges


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("mount", ["stand", "plain", "rear-tab", "corner-pair"])
@pytest.mark.parametrize("size", [25.0, 30.0][: trials(1, 2)])
def test_every_tray_tag_is_on_the_sheets_in_true_size(paper: str, mount: str, size: float) -> None:
    data = tags_pdf(Order(TRAY_IDS, size, paper, mount=mount))
    edges: dict[int, float] = {}
    for page in contents(data)[:-1]:
        edges |= found_mm(raster(page, paper), "DICT_4X4_50")
        for words in ("This ruler must measure 100 mm", "measured: ____", "100 %"):
            assert words in page
    assert set(edges) == set(TRAY_IDS)
    assert 17 not in edges
    assert 37 not in edges
    assert max(abs(edge - size) for edge in edges.values()) < 0.15
    for tag in TRAY_IDS:
        assert any(f"(id {tag})" in page for page in contents(data))
    assert "90 mm apart" in contents(data)[-1]


def test_pairs_are_ninety_millimetres_apart() -> None:
    page = contents(tags_pdf(Order(TRAY_IDS[:2], 25.0, mount="corner-pair")))[0]
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(raster(page, "a4"))
    middles = [quad[0].mean(axis=0) for quad in corners]
    assert sorted(ids.ravel().tolist()) == [10, 11]
    assert float(np.linalg.norm(middles[0] - middles[1])) / PER_MM == pytest.approx(90, abs=0.1)


@pytest.mark.parametrize("size", [20.0, 25.0, 38.0])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_folded_stand_is_as_high_and_as_far_behind_as_its_mount_says(
    size: float, paper: str
) -> None:
    """The lines to fold, and the tag between them."""
    page = contents(tags_pdf(Order((10,), size, paper, mount="stand")))[0]
    parts = dict(stand_parts(size))
    assert parts["front, 45 mm"] == parts["back, 45 mm"] == 45.0
    assert parts["bottom of the box"] == parts[""]
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(raster(page, paper))
    assert ids.ravel().tolist() == [10]
    middle = corners[0][0].mean(axis=0) / PER_MM
    assert middle[1] == pytest.approx(26 + 10 + 45 + parts[""] / 2, abs=0.1)
    # Upright on the sheet: the tag's up points to the front leg.
    assert corners[0][0][0, 1] < corners[0][0][3, 1]
    tray = known_trays()["infantry"]
    (tag,) = mounted("stand", tray, (10,), size)
    assert tag.up * 25.4 == pytest.approx(45.0)
    assert (-tag.forward - tray.depth / 2) * 25.4 == pytest.approx(parts["bottom of the box"] / 2)


def test_stands_too_large_for_the_paper_are_refused() -> None:
    with pytest.raises(BadSheet, match="stands with tags of 60 mm do not fit"):
        tags_pdf(Order((10,), 60.0, mount="stand"))
    assert usual_mount(25.0) == "stand"
    assert usual_mount(60.0) == "plain"


@pytest.mark.parametrize(("paper", "size"), [("a4", 40.0), ("letter", 50.0)])
def test_references_and_their_places(paper: str, size: float) -> None:
    data = references_pdf(Order(REFERENCE_IDS, size, paper))
    edges: dict[int, float] = {}
    for page in contents(data)[:-1]:
        edges |= found_mm(raster(page, paper), "DICT_4X4_50")
    assert set(edges) == set(REFERENCE_IDS)
    assert max(abs(edge - size) for edge in edges.values()) < 0.15
    assert "0: 1.4, 1.4" in contents(data)[-1]
    assert "camera" in contents(data)[-1]


def test_other_dictionaries_are_printed_too() -> None:
    data = tags_pdf(Order((3, 7), 30.0, dictionary="DICT_APRILTAG_36h11"))
    assert set(found_mm(raster(contents(data)[0], "a4"), "DICT_APRILTAG_36h11")) == {3, 7}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_board_is_the_one_that_is_calibrated_from(paper: str) -> None:
    picture = raster(contents(board_pdf(paper))[0], paper)
    view = board_view(picture, "board")
    assert isinstance(view, BoardView)
    assert len(view.ids) == len(OWN_BOARD.points)
    apart = np.linalg.norm(view.corners_px[1] - view.corners_px[0]) / PER_MM
    assert apart == pytest.approx(OWN_BOARD.square_mm, abs=0.06)


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        ({"ids": (10,), "size_mm": 25.0, "paper": "a9"}, "no paper 'a9'"),
        ({"ids": (10,), "size_mm": 3.0}, "tags of 3 mm cannot be printed"),
        ({"ids": (77,), "size_mm": 25.0}, "no tag 77 in DICT_4X4_50"),
        ({"ids": (10, 10), "size_mm": 25.0}, "asked for twice"),
        ({"ids": (), "size_mm": 25.0}, "no tags"),
        ({"ids": (10,), "size_mm": 25.0, "mount": "hat"}, "no mount 'hat'"),
        ({"ids": (10,), "size_mm": 25.0, "mount": "corner-pair"}, "even number"),
    ],
)
def test_impossible_sheets_are_refused(order: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadSheet, match=complaint):
        Order(**order)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("dictionary", "tag", "warned"),
    [
        ("DICT_4X4_50", 17, True),
        ("DICT_4X4_50", 12, False),
        ("DICT_4X4_250", 106, True),
        ("DICT_4X4_250", 12, False),
        ("DICT_6X6_50", 17, False),
    ],
)
def test_an_imitated_code_is_warned_of(dictionary: str, tag: int, warned: bool) -> None:
    page = contents(tags_pdf(Order((tag,), 25.0, dictionary=dictionary)))[0]
    assert ("imitate" in page) == warned


@pytest.mark.parametrize("size", [19.0, 25.0, 33.0, 42.0])
def test_no_tag_is_printed_over_the_ruler(size: float) -> None:
    page = contents(tags_pdf(Order(TRAY_IDS, size, mount="plain")))[0]
    black = np.flatnonzero((raster(page, "a4") < 128).any(axis=1)) / PER_MM
    white_border = 1.25 * size / 6
    assert black.max() + white_border < PAPERS["a4"][1] - 24


def test_the_file_is_sound_and_asks_not_to_be_scaled() -> None:
    page = PdfPage(*PAPERS["a4"])
    page.text(10, 10, "a (b) \\ c", 9)
    data = document([page], "t")
    assert b"/PrintScaling /None" in data
    start = int(data.split(b"startxref\n")[1].split()[0])
    assert data[start : start + 4] == b"xref"
    for number, line in enumerate(data[start:].split(b"\n")[3:-6], start=1):
        place = int(line[:10])
        assert data[place:].startswith(f"{number} 0 obj".encode())


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs pdftoppm")
def test_another_program_draws_the_same(tmp_path: Path) -> None:
    (tmp_path / "tags.pdf").write_bytes(tags_pdf(Order(TRAY_IDS[:6], 25.0)))
    subprocess.run(
        ["pdftoppm", "-r", "254", "-png", "-f", "1", "-l", "1", "tags.pdf", "page"],
        cwd=tmp_path,
        check=True,
    )
    picture = cv2.imread(str(next(tmp_path.glob("page*.png"))), cv2.IMREAD_GRAYSCALE)
    edges = found_mm(np.asarray(picture, dtype=np.uint8), "DICT_4X4_50")
    assert set(edges) == set(TRAY_IDS[:6])
    assert max(abs(edge - 25.0) for edge in edges.values()) < 0.15


def test_sheets_speak_to_players_not_to_programmers() -> None:
    plain = Order(TRAY_IDS[:6], 25.0), Order(REFERENCE_IDS, 40.0)
    sheets = tags_pdf(plain[0]), references_pdf(plain[1])
    told = " ".join(page for sheet in sheets for page in contents(sheet))
    for word in ("DICT_", "size_mm", "companion ", ".toml"):
        assert word not in told
    other = tags_pdf(Order(TRAY_IDS[:6], 25.0, dictionary="DICT_5X5_50"))
    assert "DICT_5X5_50" in contents(other)[0]

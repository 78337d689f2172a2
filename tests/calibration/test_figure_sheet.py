"""The sheet of figures' tags: every tag in true size on a stand that folds to its mount."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from calibration.printing.piece_sheets import FIGURE_MOUNT, figures_pdf
from calibration.printing.sheets import TRAY_IDS, BadSheet, Order, stand_parts
from calibration.tags.mounts import mount, plate_mm
from companion.cli.program import main
from companion.engine.files.exports import SHEETS
from models.unit import Tray
from tests.calibration.test_sheets import PER_MM, contents, found_mm, raster


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("size", [12.0, 15.0])
def test_24_figures_on_stands_in_true_size(paper: str, size: float) -> None:
    data = figures_pdf(Order(TRAY_IDS[:24], size, paper, mount=FIGURE_MOUNT))
    edges: dict[int, float] = {}
    for page in contents(data)[:-2]:
        edges |= found_mm(raster(page, paper), "DICT_4X4_50")
        assert "This ruler must measure 100 mm" in page
    assert set(edges) == set(TRAY_IDS[:24])
    assert max(abs(edge - size) for edge in edges.values()) < 0.15
    assert "base of 30 mm" in contents(data)[-2]
    assert f"its tag of {size:g} mm lies 45 mm above the board" in contents(data)[-2]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_two_corner_tags_say_where_the_board_lies(paper: str) -> None:
    page = contents(figures_pdf(Order((10,), 12.0, paper, mount=FIGURE_MOUNT)))[-1]
    edges = found_mm(raster(page, paper), "DICT_4X4_50")
    assert set(edges) == {8, 9}
    assert max(abs(edge - 20.0) for edge in edges.values()) < 0.15
    assert "Lay 8 on the corner space at player 1's left hand" in page


def test_no_sheet_speaks_of_files_or_commands() -> None:
    sheets = [sheet.draw("a4", 25.0, (48.0, 48.0)) for sheet in SHEETS.values()]
    for page in (page for sheet in sheets for page in contents(sheet)):
        for word in ("size_mm", "set-up file", "companion ", "forward =", "rear-tab", "turn ="):
            assert word not in page


@pytest.mark.parametrize("size", [12.0, 15.0])
def test_a_folded_stand_carries_its_tag_where_the_mount_says(size: float) -> None:
    page = contents(figures_pdf(Order((10,), size, mount=FIGURE_MOUNT)))[0]
    parts = stand_parts(size, FIGURE_MOUNT)
    lengths = [long for _, long in parts]
    assert lengths == lengths[::-1], "both sides fold onto each other"
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(raster(page, "a4"))
    assert ids.ravel().tolist() == [10]
    # From the crease of the back wall up the sheet: that is forward, over the base.
    back = 26 + sum(lengths[:4])
    middle = corners[0][0].mean(axis=0) / PER_MM
    assert back - middle[1] == pytest.approx(plate_mm(size) / 2, abs=0.1)
    assert corners[0][0][0, 1] < corners[0][0][3, 1], "its up points forward"
    for base_mm in (30.0, 50.0):
        (tag,) = mount(FIGURE_MOUNT, Tray.base(base_mm / 25.4), (10,), size)
        assert (base_mm / 2 + tag.forward * 25.4) == pytest.approx(plate_mm(size) / 2)
        assert tag.up * 25.4 == pytest.approx(lengths[4])


def test_a_tag_larger_than_its_base_lies_over_the_middle() -> None:
    (tag,) = mount(FIGURE_MOUNT, Tray.base(0.5), (10,), 25.0)
    assert tag.forward == 0.0


def test_the_command_and_its_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "figures.pdf"
    assert main(["print", "figures", "--pdf", str(target), "--ids", "10-15"]) == 0
    assert "Figure tags: 12 mm" in contents(target.read_bytes())[0]
    places = tmp_path / "references.pdf"
    assert main(["print", "references", "--pdf", str(places), "--table", "32x24"]) == 0
    assert "4: 30.6, 22.6" in contents(places.read_bytes())[-1]
    capsys.readouterr()
    assert main(["print", "references", "--pdf", str(places), "--table", "wide"]) == 2
    assert "--table: 'wide' is not like 32x24" in capsys.readouterr().err
    with pytest.raises(BadSheet, match="stands with tags of 80 mm do not fit"):
        figures_pdf(Order((10,), 80.0, mount=FIGURE_MOUNT))


def test_the_sheet_says_which_tag_stands_on_which_figure() -> None:
    order = Order((10, 12), 12.0, mount=FIGURE_MOUNT)
    named = contents(figures_pdf(order, {10: "Ser Own", 12: "Сир Лин (верхом)"}))
    assert len(named) == len(contents(figures_pdf(order))) + 1
    listed = "".join(named)
    assert "(10   Ser Own)" in listed
    assert "(12   ??? ??? \\(??????\\))" in listed, "no font was given that has these letters"

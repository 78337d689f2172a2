"""The sheet of card tags: true size, a strip for the clip, and where the mount puts the tag."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.printing.piece_sheets import CARD_MM, CLIP_MOUNT, card_tray, clips_pdf
from calibration.printing.sheets import TRAY_IDS, Order
from calibration.setup import Setup
from calibration.tags.mounts import mount, plate_mm
from companion.cli.program import main
from companion.practice.random_table import references
from tests.calibration.test_sheets import contents, found_mm, raster


def test_card_tags_in_true_size() -> None:
    pages = contents(clips_pdf(Order(TRAY_IDS, 15.0, mount=CLIP_MOUNT)))
    edges: dict[int, float] = {}
    for page in pages[:-1]:
        edges |= found_mm(raster(page, "a4"), "DICT_4X4_50")
    assert set(edges) == set(TRAY_IDS)
    assert max(abs(edge - 15.0) for edge in edges.values()) < 0.15
    assert "black square: 15 mm" in pages[-1]


def test_a_clipped_tag_lies_beyond_the_top_edge() -> None:
    """It hides nothing of the card, and its border begins at the edge."""
    (tag,) = mount(CLIP_MOUNT, card_tray(), (10,), 15.0)
    below = tag.forward * 25.4 - plate_mm(15.0) / 2
    assert below == pytest.approx(CARD_MM[1] / 2, abs=0.02)
    assert (tag.left, tag.turn, tag.up) == (0.0, 0.0, 0.0)


def test_the_command(tmp_path: Path) -> None:
    target = tmp_path / "cards.pdf"
    assert main(["print", "cards", "--pdf", str(target), "--ids", "10-15"]) == 0
    assert "Card tags: 15 mm" in contents(target.read_bytes())[0]


def test_the_tags_are_added_to_a_set_up_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, setup = tmp_path / "cards.pdf", tmp_path / "my.setup.toml"
    before = Setup(references=references(36, 30)).text() + "# mine\n"
    setup.write_text(before)
    asked = ["print", "cards", "--pdf", str(target), "--ids", "10-15", "--setup", str(setup)]
    assert main(asked) == 0
    found = Setup.load(setup)
    assert setup.read_text().startswith(before)
    assert [one.unit for one in found.trays] == [f"card-{n}" for n in range(10, 16)]
    assert found.trays[0].tags == mount(CLIP_MOUNT, card_tray(), (10,), 15.0)
    text = setup.read_text()
    assert main(asked) == 0
    assert setup.read_text() == text, "known tags stay as they are"
    assert main(["print", "tags", "--pdf", str(target), "--setup", str(setup)]) == 2
    kept = setup.read_bytes()
    assert main(["print", "cards", "--pdf", str(setup), "--setup", str(setup)]) == 2
    assert setup.read_bytes() == kept
    assert main([*asked[:-1], str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err

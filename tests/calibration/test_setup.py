"""The set-up file: read as the contract says, written back the same, refused by place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.setup import Setup
from companion.practice.random_table import standard_scene
from models.message import BadInput

FULL = """format = "table-companion/setup/1"
[camera]
size = [1920, 1080]
matrix = [1500.0, 0.0, 960.0, 0.0, 1500.0, 540.0, 0.0, 0.0, 1.0]
distortion = [0.05, -0.1, 0.0, 0.0, 0.0]
[table]
width = 48.0
depth = 36
[tags]
dictionary = "DICT_4X4_50"
[[reference]]
id = 0
x = 1.0
y = 1.0
heading = 90.0
size_mm = 50.0
[[reference]]
id = 1
x = 47
y = 1.0
heading = 90.0
size_mm = 50.0
up = 0.25
[[tray]]
tray = "infantry"
unit = "b1"
[[tray.tag]]
id = 10
forward = -2.0
left = 0.5
up = 1.0
turn = 15.0
size_mm = 25.0
[[tray.tag]]
id = 11
size_mm = 30
[[tray]]
tray = { width = 4.7, depth = 3.5 }
unit = 'r "1"'
[[tray.tag]]
id = 12
size_mm = 25.0
"""


def test_the_contract_file_is_read() -> None:
    setup = Setup.parse(FULL)
    assert setup.lens is not None
    assert setup.lens.matrix[0] == 1500.0
    assert setup.lens.distortion == (0.05, -0.1, 0.0, 0.0, 0.0)
    assert (setup.table_width, setup.table_depth) == (48.0, 36.0)
    assert setup.references[1].up == 0.25
    tray = setup.trays[0]
    assert (tray.unit, tray.tray.name, tray.tray.width) == ("b1", "infantry", 5.5)
    assert tray.tags[0].turn == 15.0
    assert (tray.tags[1].forward, tray.tags[1].up) == (0.0, 0.0)
    assert setup.trays[1].tray.depth == 3.5
    assert setup.ids() == {0, 1, 10, 11, 12}
    assert setup.size_mm(11) == 30.0
    owner = setup.tray_of(12)
    assert owner is not None
    assert owner[0].unit == 'r "1"'


def test_every_mount_is_doubted_unless_the_file_says_otherwise() -> None:
    raised, flat = Setup.parse(FULL).trays[0].tags
    assert raised.up_sigma_in == pytest.approx(1.0 / 25.4)
    assert flat.up_sigma_in == pytest.approx(0.7 / 25.4)
    assert flat.glue_sigma_in == pytest.approx(0.6 / 25.4)
    assert flat.turn_sigma_rad == pytest.approx(np.radians(0.8))
    told = "up_sigma_mm = 0.2\nglue_sigma_mm = 0.1\nturn_sigma_deg = 0.3"
    setup = Setup.parse(FULL.replace("turn = 15.0", told))
    tag = setup.trays[0].tags[0]
    assert tag.up_sigma_in == pytest.approx(0.2 / 25.4)
    assert tag.glue_sigma_in == pytest.approx(0.1 / 25.4)
    assert tag.turn_sigma_rad == pytest.approx(np.radians(0.3))
    assert Setup.parse(setup.text()) == setup


@pytest.mark.parametrize("text", [FULL, standard_scene(seed=3, tags=2, trays=6).setup.text()])
def test_written_and_read_again_it_is_the_same(text: str) -> None:
    setup = Setup.parse(text)
    assert Setup.parse(setup.text()) == setup


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("setup/1", "setup/9", "format: 'table-companion/setup/9' is not"),
        ("[table]", "[tabel]", "unknown key 'tabel'"),
        ("width = 48.0", "width = 'wide'", "table.width: 'wide' is not a number"),
        ("depth = 36", "depth = nan", "table.depth: nan is not a finite number"),
        ("DICT_4X4_50", "DICT_9X9", "tags.dictionary: 'DICT_9X9' is unknown"),
        ("id = 1\n", "id = 0\n", r"reference\[1\].id: 0 is already reference\[0\]"),
        ("id = 12", "id = 10", r"tray\[1\].tag\[0\].id: 10 is already tray\[0\].tag\[0\]"),
        ("id = 12", "id = 50", r"tray\[1\].tag\[0\].id: 50 is outside 0 to 49"),
        ("unit = 'r \"1\"'", "unit = 'b1'", r"tray\[1\].unit: 'b1' is already tray\[0\]"),
        ('tray = "infantry"', 'tray = "boat"', r"tray\[0\].tray: 'boat' is unknown"),
        ("size_mm = 30", "size_mm = -1", r"tray\[0\].tag\[1\].size_mm: -1 is outside"),
        ("size_mm = 30", "colour = 3", r"tray\[0\].tag\[1\]: unknown key 'colour'"),
        ("x = 47\n", "", r"reference\[1\]: key 'x' is missing"),
        ("[tags]", "[tags", "not TOML"),
    ],
)
def test_broken_files_are_refused_in_one_line(old: str, new: str, complaint: str) -> None:
    assert old in FULL
    with pytest.raises(BadInput, match=complaint) as error:
        Setup.parse(FULL.replace(old, new, 1), "a.setup.toml")
    assert str(error.value).startswith("a.setup.toml")
    assert "\n" not in str(error.value)


def test_saving_is_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.setup.toml"
    setup = Setup.parse(FULL)
    setup.save(path)
    assert Setup.load(path) == setup
    with pytest.raises(BadInput, match="cannot be written"):
        setup.save(tmp_path / "nowhere" / "a.setup.toml")
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.setup.toml"]
    with pytest.raises(BadInput, match="cannot be read"):
        Setup.load(tmp_path / "none.setup.toml")


def test_a_set_up_file_of_megabytes_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.setup.toml"
    path.write_text("#" * (1024 * 1024 + 1))
    with pytest.raises(BadInput, match="is larger than 1 MiB"):
        Setup.load(path)


@pytest.mark.parametrize(("place", "value"), [(2, "1e308"), (5, "-1e308"), (0, "1e-300")])
def test_a_camera_matrix_beyond_all_lenses_is_refused(place: int, value: str) -> None:
    matrix = "900 0 640 0 900 360 0 0 1".split()
    matrix[place] = value
    text = 'format = "table-companion/setup/1"\n[camera]\nsize = [1280, 720]\nmatrix = '
    with pytest.raises(BadInput, match=r"camera\.matrix"):
        Setup.parse(f"{text}[{', '.join(matrix)}]\n")

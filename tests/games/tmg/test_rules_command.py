"""`companion rules` of the miniatures game in words, with the meaning of the rule numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.program import main
from tests.conftest import TOYS


@pytest.mark.rule("TMG-CHG-4", "TMG-RNG-10")
def test_the_report_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", str(TOYS / "two.table.json"), "--unit", "b1"]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[:2] == ["two.table.json: tmg-2021, 2 units", "b1 Stark Sworn Swords (blue)"]
    assert any(line.startswith("  no        retreat (TMG-RET-1)") for line in lines)
    assert any(line.startswith("TMG-RET-1  ") for line in lines)
    assert not any(line.startswith("r1 ") for line in lines)


def test_a_mode_that_the_game_does_not_have_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    two, odd = TOYS / "two.table.json", tmp_path / "odd.table.json"
    odd.write_text(json.dumps({**json.loads(two.read_text()), "mode": "XYZ"}))
    for asked in (["rules", str(odd)], ["check", str(odd), str(two), "--unit", "b1"]):
        assert main(asked) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"companion: {odd}: no mode 'XYZ'; there are: GOT, "), said


def test_a_zone_of_a_side_that_nobody_plays_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    two, odd = TOYS / "two.table.json", tmp_path / "odd.table.json"
    odd.write_text(json.dumps({**json.loads(two.read_text()), "zones": {"near": "purple"}}))
    assert main(["rules", str(odd)]) == 2
    assert "no side 'purple' for a zone; there are: blue, red" in capsys.readouterr().err


@pytest.mark.rule("TMG-DEP-1", "TMG-UNT-3")
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"zones": {"north": "blue"}}, "zones: no zone 'north'; there are: near, far, near-left"),
        ({"zones": {"near": "blue", "far": "blue"}}, "zones.near: side 'blue' has another zone"),
        ({"models": 13}, "units[0].models: 13 models on a tray for 12"),
    ],
)
def test_a_table_that_no_game_has_is_refused_by_place_and_value(
    wrong: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    two, odd = json.loads((TOYS / "two.table.json").read_text()), tmp_path / "odd.table.json"
    if "models" in wrong:
        two["units"][0] |= wrong
    else:
        two |= {"mode": "GOT", **wrong}
    odd.write_text(json.dumps(two))
    assert main(["rules", str(odd)]) == 2
    assert f"{odd}: {said}" in capsys.readouterr().err

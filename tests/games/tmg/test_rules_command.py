"""`companion rules` of the miniatures game in words, with the meaning of the rule numbers."""

from __future__ import annotations

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

"""Every rule that positions decide is proved by a test that carries its number."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rule_report import Proof, catalogues, unproved

STILL_UNPROVED = {
    "tmg": frozenset(
        """
        TMG-GLO-6 TMG-GLO-8 TMG-GLO-11 TMG-GLO-12 TMG-GLO-13 TMG-GLO-14 TMG-GLO-16 TMG-UNT-8
        TMG-UNT-9 TMG-LOS-1 TMG-LOS-2 TMG-LOS-3 TMG-LOS-4 TMG-LOS-5 TMG-LOS-6 TMG-LOS-7
        TMG-LOS-8 TMG-MOV-1 TMG-MOV-2 TMG-MOV-3 TMG-MOV-4 TMG-MOV-5 TMG-MOV-6 TMG-MOV-7
        TMG-MOV-8 TMG-MOV-9 TMG-MOV-10 TMG-MOV-11 TMG-MOV-12 TMG-MAN-1 TMG-MAN-2 TMG-MAN-3
        TMG-MAN-4 TMG-MAR-1 TMG-MAR-2 TMG-MAR-3 TMG-MAR-4 TMG-RET-1 TMG-RET-3 TMG-RET-4
        TMG-RET-5 TMG-RET-6 TMG-RET-7 TMG-RET-8 TMG-RET-9 TMG-RNG-2 TMG-RNG-4 TMG-RNG-5
        TMG-RNG-6 TMG-RNG-7 TMG-RNG-8 TMG-RNG-9 TMG-RNG-10 TMG-SIM-1 TMG-MEL-1 TMG-MEL-3
        TMG-MEL-4 TMG-MEL-5 TMG-MEL-7 TMG-CHG-1 TMG-CHG-2 TMG-CHG-3 TMG-CHG-4 TMG-CHG-6
        TMG-CHG-7 TMG-CHG-9 TMG-CHG-10 TMG-CHG-12 TMG-CHG-13 TMG-CHG-14 TMG-CHG-17
        TMG-CHG-18 TMG-CHG-20 TMG-CHG-21 TMG-CHG-22 TMG-SRG-2 TMG-SRG-4 TMG-TER-3 TMG-TER-5
        TMG-TER-6 TMG-TER-7 TMG-TER-8 TMG-TER-10 TMG-TER-12 TMG-TER-13 TMG-TER-15 TMG-TER-16
        TMG-TER-17 TMG-TER-18 TMG-TER-19 TMG-SET-3 TMG-SET-6 TMG-SET-8 TMG-SET-12 TMG-DEP-4
        TMG-OBJ-1 TMG-OBJ-2 TMG-OBJ-4 TMG-MODE-GOT-5 TMG-MODE-GOT-7 TMG-MODE-GOT-8
        TMG-MODE-GOT-9 TMG-MODE-GOT-10 TMG-MODE-COK-9 TMG-MODE-SOS-4 TMG-MODE-SOS-22
        TMG-MODE-FFC-4 TMG-MODE-FFC-7 TMG-MODE-FFC-9 TMG-MODE-FFC-10 TMG-MODE-FFC-12
        TMG-MODE-FFC-14 TMG-MODE-FFC-15 TMG-MODE-DWD-4 TMG-MODE-DWD-7 TMG-MODE-DWD-9
        TMG-MODE-WOW-7 TMG-MODE-HAR-4 TMG-MODE-HAR-6 TMG-MODE-FAB-2 TMG-MODE-FAB-6
        TMG-MODE-HWS-2 TMG-MODE-DWW-9
        """.split()
    )
}
"""Rules by catalogue that no test proves yet. Take a number out when its test is there."""


@pytest.fixture(scope="module")
def proofs() -> list[Proof]:
    """The marks of the whole suite, whatever part of it runs now."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.rule_report", "--json"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [
        Proof(number, test, frozenset())
        for number, tests in json.loads(done.stdout).items()
        for test in tests
    ]


@pytest.mark.parametrize("catalogue", sorted(STILL_UNPROVED))
def test_every_geometric_rule_is_proved(catalogue: str, proofs: list[Proof]) -> None:
    missing = set(unproved(catalogues()[catalogue], proofs, "geometry"))
    assert missing <= STILL_UNPROVED[catalogue], sorted(missing - STILL_UNPROVED[catalogue])

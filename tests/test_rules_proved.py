"""Every rule that positions decide is proved by a test that carries its number."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rule_report import Proof, catalogues, unproved


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


@pytest.mark.parametrize("catalogue", sorted(catalogues()))
def test_every_rule_that_positions_decide_is_proved(catalogue: str, proofs: list[Proof]) -> None:
    rules = catalogues()[catalogue]
    for tag in ("geometry", "vector-geometry"):
        assert unproved(rules, proofs, tag) == []

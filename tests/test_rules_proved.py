"""Every rule that positions decide is proved by a test that carries its number.

And what a marked test proves is what players get: the code that decides it is reached from the
product, not from tests alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.reachability import product, spelled
from tests.rule_report import WHOLE_SUITE, Proof, by_number, catalogues, reached, unproved


@pytest.fixture(scope="module")
def report(pytestconfig: pytest.Config) -> dict[str, Any]:
    """The marks of the whole suite; if only a part of it runs now, it is collected once more."""
    if (whole := pytestconfig.stash.get(WHOLE_SUITE, None)) is not None:
        proofs, unreached = reached(whole)
        return {"proved": by_number(proofs), "unreached": unreached}
    done = subprocess.run(
        [sys.executable, "-m", "tests.rule_report", "--json"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("catalogue", sorted(catalogues()))
def test_every_rule_that_positions_decide_is_proved(catalogue: str, report: dict[str, Any]) -> None:
    rules = catalogues()[catalogue]
    proofs = [
        Proof(number, test, frozenset())
        for number, tests in report["proved"].items()
        for test in tests
    ]
    for tag in ("geometry", "vector-geometry"):
        assert unproved(rules, proofs, tag) == []


def test_what_decides_a_rule_is_reached_from_the_product(report: dict[str, Any]) -> None:
    """A number listed here has marked tests, but they call code that no player's action calls."""
    assert report["unreached"] == {}


def test_no_function_of_a_game_is_reached_by_tests_alone() -> None:
    program, reached = product()
    unreached = sorted(
        spelled((module.name, name))
        for module in program.modules.values()
        for name in module.definitions
        if module.name.startswith("companion.games.")
        and not module.name.startswith(
            "companion.games.api."
        )  # the interface serves other games too
        and (module.name, name) not in reached
    )
    assert unreached == []

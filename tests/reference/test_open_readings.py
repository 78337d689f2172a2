"""Each open reading changes what it changed when it was recorded, and nothing else."""

from __future__ import annotations

import pytest

from companion.games.api.rules import ReadingSwitch
from tests.reference.open_readings import changed, choices, load

CASES = [
    pytest.param(
        switch, choice, id=f"{switch.name}={choice}", marks=pytest.mark.rule(switch.number)
    )
    for switch, choice in choices()
    if f"{switch.number} {switch.name}={choice}" in load()
]


@pytest.mark.parametrize(("switch", "choice"), CASES)
def test_a_reading_changes_what_was_recorded(switch: ReadingSwitch, choice: str) -> None:
    for name, lines in load()[f"{switch.number} {switch.name}={choice}"].items():
        assert changed(name, switch, choice)[:60] == lines, name

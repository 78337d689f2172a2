"""Games with tables that a camera sees: every decision and answer is as it was recorded."""

from __future__ import annotations

import pytest

from tests.play.recorded_sightings import GAMES, begun, load, played


@pytest.mark.rule(
    "TMG-GLO-11",
    "TMG-OBJ-4",
    "TMG-OBJ-5",
    "TMG-CHG-4",
    "TMG-CHG-12",
    "TMG-CHG-14",
    "TMG-RNG-10",
    "TMG-MEL-1",
    "TMG-RET-9",
    "TMG-TER-9",
    "TMG-TER-10",
    "TMG-TER-14",
    "TMG-BON-3",
)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_with_its_tables_goes_as_recorded(name: str) -> None:
    state = begun(name)
    for number, (command, *was) in enumerate(load(name)):
        found, state = played(state, command)
        assert found == was, f"step {number}: {command['do']}"

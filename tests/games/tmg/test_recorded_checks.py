"""Moves are judged as they were when they were recorded."""

from __future__ import annotations

import pytest

from tests.games.tmg.recorded_checks import SEEDS, changed, load
from tests.trials import trials


@pytest.mark.rule("TMG-MOV-5", "TMG-MOV-7", "TMG-MAN-2", "TMG-MAR-2", "TMG-CHG-17", "TMG-RET-3")
@pytest.mark.parametrize("seed", SEEDS[: trials(24, len(SEEDS))])
def test_every_move_is_judged_as_recorded(seed: int) -> None:
    assert changed(seed) == []


def test_the_moves_are_of_all_kinds() -> None:
    told = [one for moves in load().values() for one in moves.values()]
    legal = {name for one in told for name, action in one.items() if action["answer"] == "yes"}
    assert {"maneuver", "march", "shift", "pivot", "charge"} <= legal

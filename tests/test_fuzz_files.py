"""A few of the inputs of `python -m tests.fuzz_files`, for every door."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz_files import DOORS, fuzz


@pytest.mark.parametrize("door", DOORS)
def test_nothing_raises_and_nothing_is_lost(tmp_path: Path, door: str) -> None:
    tally = fuzz(door, 15, 5, tmp_path)
    assert tally.total() == 15
    assert not [ended for ended in tally if ended.startswith("BUG")]


def test_lines_of_a_game_on_a_board(tmp_path: Path) -> None:
    tally = fuzz("session lines", 60, 5, tmp_path, "tactics")
    assert tally.total() == 60
    assert not [ended for ended in tally if ended.startswith("BUG")]

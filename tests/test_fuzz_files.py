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

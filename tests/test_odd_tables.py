"""Odd tables through the whole `rules` command; `make soak` tries ten thousand."""

from __future__ import annotations

import pytest

from tests.odd_tables import tried

COUNT = 150


@pytest.mark.slow
def test_odd_tables_are_answered_or_refused() -> None:
    ends, wrong = tried(COUNT, seed=20210)
    assert wrong == []
    assert min(ends["answered"], ends["refused"]) > COUNT // 5, ends

"""Battles of Westeros against its slow reference; `westeros_compare` tries many more boards."""

from __future__ import annotations

import pytest

from tests.reference.westeros_compare import disagreements, random_board, random_readings


@pytest.mark.parametrize("seed", range(1000, 1008))
def test_no_disagreement(seed: int) -> None:
    assert list(disagreements(random_board(seed), random_readings(seed))) == []

"""Tactics against its slow reference; `make soak` and `tactics_compare` try many more boards."""

from __future__ import annotations

import pytest

from tests.reference.tactics_compare import disagreements, random_board
from tests.trials import trials


@pytest.mark.parametrize("seed", range(1000, 1000 + trials(15, 60)))
def test_no_disagreement(seed: int) -> None:
    assert list(disagreements(random_board(seed))) == []

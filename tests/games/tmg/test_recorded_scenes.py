"""The pictures of some tables show what they showed when somebody looked at them."""

from __future__ import annotations

import pytest

from models import Table
from tests.games.tmg.recorded_scenes import drawn, load, same, scenes


@pytest.mark.rule("TMG-LOS-1", "TMG-LOS-3", "TMG-CHG-9", "TMG-CHG-12", "TMG-RNG-8", "TMG-MOV-5")
@pytest.mark.parametrize(
    ("name", "table", "unit"), [pytest.param(*one, id=one[0]) for one in scenes()]
)
def test_a_picture_shows_what_was_recorded(name: str, table: Table, unit: str | None) -> None:
    recorded, now = load()[name], drawn(table, unit)
    assert len(now) == len(recorded)
    assert [(one, two) for one, two in zip(recorded, now, strict=True) if not same(one, two)] == []

"""The tapped unit's card: who stands in which rank."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.widgets.side_panel import condition
from tests.play.battle import LANNISTER, Battle


@pytest.mark.rule("TMG-RNK-5", "TMG-RNK-6", "TMG-RNK-7", "TMG-ATM-6", "TMG-ATM-7")
@pytest.mark.parametrize(
    ("wounds", "shown"),
    [(0, "(Robb + 3 | 4 | 4)"), (5, "(Robb + 3 | 3)"), (8, "(Robb + 3)"), (11, "(Robb)")],
)
def test_the_ranks_are_shown_on_the_units_card(wounds: int, shown: str) -> None:
    robb = {"name": "Robb", "commander": True}
    unit: dict[str, Any] = {"name": "Guards", "cost": 5, "attachments": [robb]}
    battle = Battle(armies=[{"side": "blue", "units": [unit], "ncus": []}, LANNISTER]).deployed()
    if wounds:
        battle.do("wounds", unit="b1", wounds=wounds)
    assert shown in condition(battle.view()["units"]["b1"])

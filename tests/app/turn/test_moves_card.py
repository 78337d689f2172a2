"""The card of a move that was detected: what puts it back and what keeps it have fixed places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.scripted.driver import Driver
from companion.engine.snapshot import Notice
from companion.games.api.prompt import ActionOffer
from tests.app.moving.test_due_moves import begun_on_map, melee

pytestmark = pytest.mark.slow

MARCH = ActionOffer("march", "March", ({"do": "activate", "unit": "b2"},), "b2")
QUEUE: dict[str, dict[str, Any]] = {
    "legal": {"legal": True, "actions": (MARCH,)},
    "two ways": {"legal": True, "actions": (MARCH, replace(MARCH, kind="maneuver"))},
    "too far": {"legal": False, "detail": "0.80″ too far", "agreeable": (MARCH,)},
    "too close to call": {"legal": True, "unsure": True, "actions": (MARCH,)},
    "one too close to call": {
        "legal": True,
        "doubtful": ("maneuver",),
        "doubt": "Maneuver (too close to call)",
        "actions": (MARCH, replace(MARCH, kind="maneuver")),
    },
    "over another tray": {"legal": False, "possible": False},
}


@pytest.fixture
def on_map(tmp_path: Path) -> Iterator[Driver]:
    made = begun_on_map(tmp_path, melee())
    yield made
    made.stop()


def test_a_finger_on_one_spot_never_does_another_thing_from_card_to_card(on_map: Driver) -> None:
    panel, snapshot = on_map.app.screen.panel, on_map.app.service.snapshot
    assert snapshot.trays is not None
    back, kept, gold = {}, {}, {}
    for name, facts in QUEUE.items():
        told: dict[str, Any] = {"detail": "moved 3.0″", **facts}
        notice = Notice("b2", "Stark Bowmen moved", before=snapshot.trays.unit("b2").pose,
                        table=snapshot.trays, **told)  # fmt: skip
        panel.show(replace(snapshot, notices=(notice,)))
        on_map.steps(12)
        (put_back,) = [one for one in panel.walk() if getattr(one, "name", "") == "correct"]
        back[name] = put_back.to_window(*put_back.center)
        gold[name] = [one for one in panel.foot.walk() if getattr(one, "look", "") == "primary"]
        kept[name] = [one.to_window(*one.center) for one in gold[name]]
        signs = [str(one.text) for one in panel.rows.walk() if getattr(one, "text", "")]
        sure = ("legal", "two ways", "one too close to call")
        assert ("✓" in "".join(signs)) == (name in sure), name
        doubts = [one for one in signs if "(too close" in one]
        assert doubts == ["? Maneuver (too close to call)"] * (name == "one too close to call")
    assert len({tuple(map(round, place)) for place in back.values()}) == 1, back
    assert [name for name, found in gold.items() if found] == ["legal"], "only what is certain"
    assert kept["legal"][0][1] < back["legal"][1], "what keeps it lies under what puts it back"

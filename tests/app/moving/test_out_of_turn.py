"""Trays that may not move now: a drag says why, a correction leaves the turn as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kivy.uix.label import Label

from companion.app.scripted.driver import Driver
from tests.app.moving.test_due_moves import begun_on_map, drag, melee, pose


@pytest.fixture
def on_map(tmp_path: Path) -> Iterator[Driver]:
    """The melee on the map, in blue's first turn."""
    made = begun_on_map(tmp_path, melee())
    yield made
    made.stop()


def texts(driver: Driver) -> str:
    return "\n".join(one.text for one in driver.widgets() if isinstance(one, Label) and one.text)


def test_a_drag_of_the_other_sides_tray_says_why_it_stays(on_map: Driver) -> None:
    start, step = pose(on_map, "r2"), on_map.app.service.snapshot.step
    view = on_map.app.screen.panes[0].pan
    drag(on_map, (start.x, start.y), (start.x, start.y + 3.0))
    assert "Crossbowmen: It is not its turn. The tool “Move” corrects its place." in texts(on_map)
    assert pose(on_map, "r2") == start
    assert on_map.app.screen.panes[0].pan == view, "the table stays, too"
    assert on_map.app.service.snapshot.step == step


def test_a_drag_of_a_tray_that_has_acted_says_so(on_map: Driver) -> None:
    service = on_map.app.service
    service.do({"do": "activate", "unit": "b2"}, {"do": "action", "action": "forgo"})
    service.do({"do": "end-turn"})
    on_map.rest()
    start = pose(on_map, "b2")
    drag(on_map, (start.x, start.y), (start.x, start.y + 3.0))
    assert "Bowmen: It has already acted this round." in texts(on_map)


def test_a_corrected_tray_of_the_other_side_is_not_left_selected(on_map: Driver) -> None:
    service, start = on_map.app.service, pose(on_map, "r2")
    on_map.press("tool:hand")
    drag(on_map, (start.x, start.y), (start.x, start.y + 3.0))
    on_map.until(lambda: on_map.app.screen.mover.card.verdict == "no", 20)
    on_map.press("correct-position")
    assert pose(on_map, "r2").y == pytest.approx(start.y + 3.0, abs=0.1)
    assert service.snapshot.chosen is None
    assert "position corrected, 3.0″" in texts(on_map)
    assert "READY" in texts(on_map)
    on_map.press("undo")
    assert pose(on_map, "r2") == start
    assert service.snapshot.chosen is None
    assert "READY" in texts(on_map)

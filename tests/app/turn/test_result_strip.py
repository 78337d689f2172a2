"""The strip under the table keeps its height, whatever happened."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.app.scripted.driver import Driver
from companion.app.turn.result_strip import ResultStrip
from companion.engine.snapshot import Snapshot
from companion.games.api.screen_views import Outcome
from tests.app.conftest import opened

SENTENCE = (
    "Wachen von Lannisport 2 verlieren eine Figur und weichen auf das Feld hinter der Furt aus"
)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    made = opened(tmp_path_factory.mktemp("strip"))
    yield made
    made.stop()


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_long_result_moves_no_board(driver: Driver, times: int) -> None:
    """What follows stands on the card, too: it makes room first."""
    strip = ResultStrip(lambda: None)
    strip.size_hint_x, strip.width = None, 620
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(strip)
    told = ". ".join([SENTENCE] * times)
    strip.show_outcome(Outcome(told, "Kevan Lannister: Gegenschlag?"), Snapshot())
    driver.steps(6)
    assert strip.height == strip.usual
    assert (strip.after.parent is not None) is (times == 1)

"""A column that lies on the screen all evening hears of its bar's colour once, not ever more."""

from __future__ import annotations

import pytest

from companion.app.scripted.driver import Driver
from companion.app.widgets.controls import Rows, TouchButton


@pytest.mark.parametrize("pause", [1, 40])
def test_a_column_filled_again_and_again_listens_no_more_than_before(
    driver: Driver, pause: int
) -> None:
    rows = Rows()
    driver.app.frame.add_widget(rows)
    heard: list[int] = []
    for _panel in range(6):
        rows.fill([TouchButton("one") for _ in range(30)])
        rows.scroll_y = 0.3
        driver.steps(pause)
        rows.scroll_y = 0.9
        driver.steps(pause)
        heard.append(sum(len(rows.get_property_observers(f"bar_{kind}color"))
                         for kind in ("", "inactive_")))  # fmt: skip
    assert heard == [heard[0]] * 6

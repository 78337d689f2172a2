"""What comes to a card after it was shown moves none of its rows (a finger is on its way)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.scripted.driver import Driver
from tests.app.conftest import opened

pytestmark = pytest.mark.slow

SCREENS = ((1024, 600), (800, 1280))


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_the_best_chances_come_below_all_other_rows(
    size: tuple[int, int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    driver = opened(tmp_path_factory.mktemp("late"), size)
    try:
        driver.app.service.start_practice()
        driver.app.go("table")
        driver.rest()
        panel, complete = driver.app.screen.panel, driver.app.service.snapshot
        # as after Undo: what waits is known, what the pieces may do is still computed
        panel.show(replace(complete, offers=(), thinking=True))
        before = places(driver)
        assert [name for name in before if name.startswith("unit:")]
        panel.show(complete)
        after = places(driver)
        late = {name for name in after if name.startswith("best:")}
        assert late
        assert {name: place for name, place in after.items() if name not in late} == before
    finally:
        driver.app.service.leave()
        driver.rest()
        driver.stop()


def places(driver: Driver) -> dict[str, tuple[float, ...]]:
    """Where each button of the card lies."""
    driver.steps(12)
    named = [
        one for one in driver.app.screen.panel.walk() if isinstance(getattr(one, "name", 0), str)
    ]
    return {one.name: (*one.to_window(*one.pos), *one.size) for one in named}

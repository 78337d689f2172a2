"""The objectives of a mode: dragged where its players place them, else fixed by the mode."""

from __future__ import annotations

import pytest

from companion.app.scripted.driver import Driver
from tests.app.new_game.test_wizard import draft, spot


@pytest.mark.rule("TMG-MODE-GOT-2", "TMG-MODE-GOT-3")
@pytest.mark.parametrize(("edition", "dragged"), [("tmg-2018", True), ("tmg-2021", False)])
def test_objectives_of_2018_are_dragged_those_of_2021_are_fixed(
    driver: Driver, edition: str, dragged: bool
) -> None:
    for tap in ("new", f"choice:{edition}", "step:armies", "ready:0", "ready:1", "step:tokens"):
        driver.press(tap)
    driver.rest()
    first = next(one for one in draft(driver).table.tokens if one.x != 24)
    near_middle = (first.x + (3 if first.x < 24 else -3), 24.0)
    driver.drag(spot(driver, first.x, first.y), spot(driver, *near_middle))
    driver.rest()
    token = next(one for one in draft(driver).table.tokens if one.id == first.id)
    place = near_middle if dragged else (first.x, first.y)
    assert (token.x, token.y) == pytest.approx(place, abs=0.3)
    if not dragged:
        return
    driver.drag(spot(driver, token.x, token.y), spot(driver, token.x, 8.0))  # in a zone's reach
    driver.rest()
    row = driver.find(f"token:{first.id}")
    assert row is not None
    assert "✓" not in row.text
    driver.press("reset")
    driver.rest()
    token = next(one for one in draft(driver).table.tokens if one.id == first.id)
    assert (token.x, token.y) == pytest.approx((first.x, first.y), abs=0.3)

"""Tactics by touch: from the set-up to the first activation and an action, without a camera."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.scripted.driver import Driver
from companion.session.game_lookup import find_screen
from models.cell import cell_text
from tests.app.conftest import opened
from tests.app.fits import faults
from tests.games.tactics.test_games import BLUE, RED, scripted


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Driver]:
    driver = opened(tmp_path)
    yield driver
    driver.app.desk.leave()
    driver.rest()
    driver.stop()


def test_a_squad_goes_from_the_set_up_to_its_first_action(table: Driver) -> None:
    screen = find_screen("tactics")
    draft = {
        "game": {"scenario": "sample-crossing"},
        "seats": [{"id": "blue", "name": "Anna"}, {"id": "red", "name": "Boris"}],
        "squads": {"blue": BLUE, "red": RED},
    }
    assert not any(step.problems for step in screen.steps("tactics", draft))
    desk = table.app.desk
    desk.ask(lambda: desk.mind.begin({**screen.set_up("tactics", draft), "seed": 3}, "game"))
    table.rest()
    table.app.go("table")
    table.rest()
    assert desk.snapshot.prompts[0].id == "roll"
    send(table, {"do": "roll-off", "faces": [9, 2]})
    assert desk.snapshot.prompts[0].id == "choice"
    assert [name for name in table.names() if name.startswith("choice:")]
    for command in scripted()[2:]:
        send(table, command)
    assert desk.snapshot.prompts[0].id == "turn"
    # A figure is chosen by touch, and the offer of its card activates it.
    table.press(next(name for name in table.names() if name.startswith(("unit:", "best:"))))
    chosen = desk.snapshot.chosen
    assert chosen is not None
    table.press("do-offer")
    assert desk.snapshot.prompts[0].id == "act"
    assert faults(table) == []
    desk.choose(chosen)
    table.rest()
    (move,) = (one for one in desk.snapshot.offers if one.kind == "maneuver")
    table.tap_cell(move.cells[0].cell)
    cells = {figure["cell"] for figure in desk.snapshot.state["figures"].values()}
    assert cell_text(move.cells[0].cell) in cells


def send(table: Driver, command: dict[str, Any]) -> None:
    """One command through the app's own controller."""
    desk = table.app.desk
    desk.ask(lambda: desk.mind.do([command]))
    table.rest()

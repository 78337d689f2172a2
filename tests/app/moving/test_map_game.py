"""A whole game on the map, without a camera, by touch: from the first turn to the winner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.scripted.driver import Driver
from companion.games.tmg.play import practice_game
from models import Pose, Table
from tests.app.conftest import opened

MOST_STEPS = 480
"""The script is stuck if the game lasts longer."""


def small_table() -> Table:
    """Two units of each side, near enough for a charge."""
    table = Table.load(practice_game.TABLE)
    places = {
        "b6": Pose(16.0, 19.0, 90.0),
        "b2": Pose(34.0, 12.0, 90.0),
        "r7": Pose(16.0, 28.0, 270.0),
        "r2": Pose(34.0, 38.0, 270.0),
    }
    units = tuple(table.unit(unit).at(pose) for unit, pose in places.items())
    return replace(table, units=units, terrain=())


@pytest.fixture
def on_map(tmp_path: Path) -> Iterator[Driver]:
    """The game without a camera, on the map, in the first turn."""
    made = opened(tmp_path, (1280, 800))
    service, table = made.app.service, small_table()

    def begin() -> None:
        command = practice_game.set_up(table)
        for army in command["armies"]:
            army["ncus"] = []
        assert service.controller.begin(command, "game")
        service.controller.do(practice_game.opening(table))

    service.ask(begin)
    made.app.go("table")
    made.rest()
    yield made
    made.stop()


def keys(driver: Driver, prefix: str) -> list[str]:
    return [name for name in driver.names() if name.startswith(prefix)]


def step(driver: Driver) -> None:
    """What players do next: blue fights as well as it can, red blocks nothing and runs."""
    snapshot = driver.app.service.snapshot
    prompt = snapshot.prompts[0] if snapshot.prompts else None
    if snapshot.notices:
        driver.press("accept")
    elif "end:0" in driver.names():
        driver.press("end:0")
    elif "stay" in driver.names():  # a move is offered first: nobody moves
        driver.press("stay")
    elif driver.app.place == "score":
        driver.press("confirm-score")
    elif prompt is not None and prompt.id in ("surge", "charge"):  # theirs: nothing is golden
        driver.press(keys(driver, "choice:")[0 if prompt.id == "charge" else -1])
    elif counts := keys(driver, "count:"):
        worst = prompt is not None and prompt.id in ("defense-dice", "test")
        driver.press(counts[0] if worst else counts[-1])
    elif faces := keys(driver, "die:"):
        driver.press(faces[-1])
    elif prompt is not None and prompt.id == "turn-start" and snapshot.chosen is None:
        driver.tap_unit(prompt.pieces[0])
    else:
        driver.press(gold(driver).name)


def gold(driver: Driver) -> Any:
    (found,) = [one for one in driver.widgets(driver.top) if getattr(one, "look", "") == "primary"]
    return found


def move_by_finger(driver: Driver, unit: str, by: float) -> None:
    """Maneuver a unit: choose it, take the action, drag its tray, place it."""
    service, pane = driver.app.service, driver.app.screen.panes[0]
    driver.tap_unit(unit)
    driver.press("offer:maneuver")
    driver.press("do-offer")
    assert service.snapshot.trays is not None
    start = service.snapshot.trays.unit(unit).pose
    spots = [pane.to_window(*pane.on_screen((start.x, y))) for y in (start.y, start.y + by)]
    driver.drag(spots[0], spots[1])
    driver.rest()
    driver.until(lambda: driver.app.screen.mover.card.verdict in ("yes", "no"), 20)
    driver.press("place")
    now = service.snapshot.trays
    assert now is not None
    assert now.unit(unit).pose.y == pytest.approx(start.y + by, abs=0.2)


@pytest.mark.long
@pytest.mark.rule("TMG-CHG-5")
def test_a_game_on_the_map_is_played_to_its_winner(on_map: Driver) -> None:
    service = on_map.app.service
    move_by_finger(on_map, "b2", 2.0)
    for _step in range(MOST_STEPS):
        if service.snapshot.over:
            break
        step(on_map)
    score = service.snapshot.score
    assert score is not None
    assert score.winner in ("blue", "red"), [str(one.title) for one in service.snapshot.prompts]
    assert service.live.sight == "off"
    # Everything is on disk: the game comes back as it ended.
    path = Path(service.snapshot.path)
    on_map.app.leave()
    on_map.rest()
    assert next(one for one in service.saved() if one.path == path).winner == score.winner

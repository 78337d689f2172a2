"""Every row of the miniatures game behaves alike: a tap shows what it would do, gold does it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.scripted.driver import Driver
from models import Table
from tests.app.moving.test_due_moves import begun_on_map, drag, melee, pose
from tests.games.tmg.play.sighted import slab


def staked() -> Table:
    """b2 stands before stakes."""
    stakes = slab(melee().game, "stakes", (33.0, 19.5, 39.0, 20.5))
    return replace(melee(), terrain=(replace(stakes, id="t1"),))


@pytest.fixture
def on_stakes(tmp_path: Path) -> Iterator[Driver]:
    """b2 has moved onto the stakes."""
    made = begun_on_map(tmp_path, staked())
    start = pose(made, "b2")
    drag(made, (start.x, start.y), (start.x, start.y + 3.0))
    made.until(lambda: made.app.screen.mover.card.verdict == "yes", 20)
    name = next(one for one in ("place", "place:maneuver") if made.find(one) is not None)
    made.press(name)
    yield made
    made.stop()


def gold(driver: Driver) -> list[str]:
    return [one.name for one in driver.widgets(driver.top) if getattr(one, "look", "") == "primary"]


@pytest.mark.rule("TMG-TER-10")
def test_the_die_of_stakes_is_gold_and_no_row_acts_alone(on_stakes: Driver) -> None:
    service = on_stakes.app.service
    assert service.snapshot.prompts[0].id == "danger"
    (die,) = gold(on_stakes)
    assert die.startswith("choice:ground")
    step = service.snapshot.step
    on_stakes.press(next(one for one in on_stakes.names() if one.endswith(":False")))
    assert service.snapshot.step == step, "the row only shows it"
    assert gold(on_stakes) == ["do-choice"]
    on_stakes.press("do-choice")
    assert service.snapshot.step == step + 1

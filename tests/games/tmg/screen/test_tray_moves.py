"""Where a charge takes its tray: the practice table moves it there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.app.engine import practice_game
from companion.games.api.play import Event
from companion.games.tmg.game import GAME
from companion.games.tmg.screen import SCREEN
from models import Table

TABLE = Table.load(practice_game.TABLE)
REPORT = GAME.report(TABLE)
UNIT, TARGET = next(
    (unit, target)
    for unit, answers in REPORT.units.items()
    for target, charge in answers.charges.items()
    if charge.align
)


def ended(success: bool) -> Event:
    return Event("charge-ended", {"unit": UNIT, "target": TARGET, "success": success})


def rolled(**more: Any) -> Event:
    return Event("charge-rolled", {"unit": UNIT, "target": TARGET, "reach": 6.0, **more})


@pytest.mark.rule("TMG-CHG-17")
def test_a_charge_that_arrives_ends_aligned() -> None:
    moves = SCREEN.tray_moves((rolled(), ended(True)), REPORT)
    assert moves[UNIT] == REPORT.units[UNIT].charges[TARGET].align[0].pose


@pytest.mark.rule("TMG-CHG-12")
def test_a_charge_that_fails_goes_as_far_as_it_rolled() -> None:
    start = TABLE.unit(UNIT).pose
    (end,) = SCREEN.tray_moves((rolled(heading=0.0), ended(False)), REPORT).values()
    assert (end.x, end.y) == pytest.approx((start.x + 6.0, start.y))
    assert end.heading == 0.0
    (ahead,) = SCREEN.tray_moves((rolled(heading=None), ended(False)), REPORT).values()
    assert ahead.heading == start.heading


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-17")
def test_other_steps_move_nothing() -> None:
    assert SCREEN.tray_moves((rolled(),), REPORT) == {}
    assert SCREEN.tray_moves((ended(True),), None) == {}
    gone = Event("charge-ended", {"unit": "nobody", "target": TARGET, "success": True})
    assert SCREEN.tray_moves((gone,), REPORT) == {}
    left = REPORT.units[UNIT]
    lost = left._replace(charges={**left.charges, TARGET: replace(left.charges[TARGET], align=())})
    apart = replace(REPORT, units={**REPORT.units, UNIT: lost})
    assert SCREEN.tray_moves((ended(True),), apart) == {}

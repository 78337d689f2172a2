"""Where a charge takes its tray: the practice table moves it there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.play import Event
from companion.games.tmg.game import GAME
from companion.games.tmg.play import practice_game
from companion.games.tmg.screen import SCREEN
from models import Pose, Table, Unit

TABLE = Table.load(practice_game.TABLE)
REPORT = GAME.report(TABLE)
START = Pose(16, 10, 90)
UNIT, TARGET = next(
    (unit, target)
    for unit, answers in REPORT.units.items()
    for target, charge in answers.charges.items()
    if charge.align
)


def ended(success: bool) -> Event:
    return Event("charge-ended", {"unit": UNIT, "target": TARGET, "success": success})


def rolled(**more: Any) -> Event:
    dice = {"reach": 6.0, "faces": [1], "disorderly": True}
    return Event("charge-rolled", {"unit": UNIT, "target": TARGET, **dice, **more})


@pytest.mark.rule("TMG-CHG-17")
def test_a_charge_that_arrives_ends_aligned() -> None:
    moves = SCREEN.tray_moves((rolled(), ended(True)), REPORT)
    assert moves[UNIT] == REPORT.units[UNIT].charges[TARGET].align[0].pose


def failed(*others: Unit, **more: Any) -> Pose:
    """Where a charge straight up the table ends that fails with 6 inches."""
    units = (TABLE.unit(UNIT).at(START), TABLE.unit(TARGET).at(Pose(16, 34, 270)), *others)
    report = GAME.report(replace(TABLE, units=units, terrain=()))
    (end,) = SCREEN.tray_moves((rolled(**more), ended(False)), report).values()
    return end


@pytest.mark.rule("TMG-CHG-12")
@pytest.mark.parametrize("more", [{"heading": 90.0}, {}], ids=["pivoted", "straight ahead"])
def test_a_charge_that_fails_goes_as_far_as_it_rolled(more: dict[str, Any]) -> None:
    end = failed(**more)
    assert (end.x, end.y, end.heading) == pytest.approx((16, 16, 90))


@pytest.mark.rule("TMG-CHG-13")
def test_a_charge_that_fails_stops_an_inch_short_of_an_enemy_in_its_way() -> None:
    foes = TABLE.enemies(TABLE.unit(UNIT))
    other = next(one for one in foes if one.id != TARGET)
    middle = START.y + (TABLE.unit(UNIT).tray.depth + other.tray.depth) / 2 + 3
    end = failed(other.at(Pose(18, middle, 90)), heading=90.0)
    assert (end.x, end.y) == pytest.approx((16, START.y + 2))


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

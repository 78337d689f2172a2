"""The flow of a turn by touch: how many taps it takes, what is said, and what moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.scripted.driver import Driver
from companion.app.widgets.controls import Text
from companion.engine.camera.practice_source import PracticeSource
from models import Pose
from tests.app.conftest import opened
from tests.app.fits import faults


@pytest.fixture
def turn(tmp_path: Path) -> Iterator[Driver]:
    """The practice table, seen live, at the first turn."""
    driver = opened(tmp_path, (1280, 800))
    driver.press("practice")
    driver.until(lambda: driver.app.service.live.sight == "live", 90)
    driver.until(lambda: driver.app.service.snapshot.picture is not None, 90)
    driver.rest()
    driver.taps = 0
    yield driver
    driver.stop()


def waits(driver: Driver) -> str:
    """The prompt that comes first."""
    prompts = driver.app.service.snapshot.prompts
    return prompts[0].id if prompts else ""


def words(driver: Driver) -> str:
    """Everything that can be read."""
    return " | ".join(one.text for one in driver.widgets(driver.top) if isinstance(one, Text))


def gold(driver: Driver) -> list[Any]:
    """The primary buttons on the screen."""
    return [one for one in driver.widgets(driver.top) if getattr(one, "look", "") == "primary"]


def dice(driver: Driver, how: str) -> None:
    """The players enter dice in this way."""
    service = driver.app.service
    service.prefer(replace(service.preferences, dice=how))


def to_next_turn(driver: Driver) -> None:
    """Press the one primary button until another unit may be chosen."""
    while waits(driver) != "turn-start":
        (button,) = gold(driver)
        driver.press(button.name)


@pytest.mark.rule("TMG-CHG-5", "TMG-PAN-4")
def test_charge_attack_and_panic_with_own_dice_in_thirteen_taps(turn: Driver) -> None:
    result = turn.app.screen.stage.strip
    high = result.height
    turn.tap_unit("b6")
    turn.press("do-offer")
    turn.press("die:6")
    assert "it arrives" in result.sentence.text
    turn.press("end:0")  # how it stands: 100 % or 50 % (TMG-CHG-17)
    assert waits(turn) == "attack-dice"
    turn.press("count:5")
    assert "5 of " in result.sentence.text
    turn.press("count:2")
    assert "3 wounds" in result.sentence.text
    assert result.height == high  # the table above it does not change its size
    assert waits(turn) == "test"
    turn.press("count:4")
    turn.press("die:2")
    assert "failed" in result.sentence.text
    to_next_turn(turn)
    assert turn.taps <= 13
    assert turn.app.service.snapshot.state["active"] == "red"


def test_the_same_with_the_apps_dice_in_nine_taps(turn: Driver) -> None:
    dice(turn, "app")
    turn.tap_unit("b6")
    turn.press("do-offer")
    turn.press("end:0")
    while waits(turn) in ("attack-dice", "defense-dice", "test"):
        (button,) = gold(turn)
        turn.press(button.name)  # the app rolls, or both let the dice lie: cards may change them
    to_next_turn(turn)
    assert turn.taps <= 9


@pytest.mark.live
def test_activate_and_maneuver_with_a_camera_in_two_taps(turn: Driver) -> None:
    service = turn.app.service
    turn.tap_unit("b2")
    turn.press("offer:maneuver")
    table = service.snapshot.trays
    assert table is not None
    pose = table.unit("b2").pose
    service.carry("b2", Pose(pose.x, pose.y + 2.0, pose.heading))
    # The camera sees the declared move and accepts it by itself.
    turn.until(
        lambda: (
            service.snapshot.trays is not None
            and service.snapshot.trays.unit("b2").pose.y > pose.y + 1.5
        ),
        60,
    )
    assert not service.snapshot.notices
    assert turn.taps == 2
    turn.press("undo")


def test_a_tap_and_one_button_are_enough_for_the_best_action(turn: Driver) -> None:
    turn.tap_unit("b4")
    assert [one.name for one in gold(turn)] == ["do-offer"]
    turn.press("do-offer")
    assert turn.taps == 2
    assert turn.find("die:6") is not None


@pytest.mark.live
def test_two_trays_that_move_wait_one_after_the_other(turn: Driver) -> None:
    service = turn.app.service
    table = service.snapshot.trays
    assert table is not None
    before = {unit: table.unit(unit).pose for unit in ("b2", "r6")}
    for unit, pose in before.items():
        service.carry(unit, replace(pose, y=pose.y + (1.5 if unit == "b2" else -1.5)))
    turn.until(lambda: len(service.snapshot.notices) == 2, 60)
    turn.rest()
    # Red is not asked now: its move is not praised.
    red = next(one for one in service.snapshot.notices if one.unit == "r6")
    assert not red.legal
    assert not red.in_turn
    assert red.detail == "It is not its turn."
    first = service.snapshot.notices[0].unit
    assert len(gold(turn)) <= 1
    assert faults(turn) == []
    turn.press("correct")
    assert [one.unit for one in service.snapshot.notices] == [
        unit for unit in ("b2", "r6") if unit != first
    ]
    other = service.snapshot.notices[0].unit
    turn.press("accept")
    turn.rest()
    now = service.snapshot.trays
    assert now is not None
    assert not service.snapshot.notices
    assert abs(now.unit(other).pose.y - before[other].y) > 1.0
    assert now.unit(first).pose == before[first]


@pytest.mark.rule("TMG-CHG-15", "EX-15")
def test_a_failed_charge_moves_the_practice_tray_forward(turn: Driver) -> None:
    service = turn.app.service
    table = service.snapshot.trays
    assert table is not None
    start = table.unit("b6").pose
    turn.tap_unit("b6")
    turn.press("do-offer")
    turn.press("die:1")
    assert "fails" in turn.app.screen.stage.strip.sentence.text
    turn.press("end:0")
    source = service.camera_worker.source if service.camera_worker else None
    assert isinstance(source, PracticeSource)
    turn.until(lambda: source.table.unit("b6").pose.y > start.y + 4.0, 20)
    # The camera sees it there, and the game takes it over without a question.
    turn.until(
        lambda: (
            service.snapshot.trays is not None
            and service.snapshot.trays.unit("b6").pose.y > start.y + 4.0
        ),
        40,
    )
    assert not service.snapshot.notices


def test_the_selection_ends_with_the_turn(turn: Driver) -> None:
    turn.tap_unit("b2")
    turn.press("offer:forgo")
    turn.press("do-offer")
    to_next_turn(turn)
    assert turn.app.service.snapshot.chosen is None
    assert "Red" in turn.app.bar.banner.label.text  # type: ignore[union-attr]


@pytest.mark.live
def test_a_lost_camera_offers_what_can_be_done(turn: Driver) -> None:
    service = turn.app.service
    service.cover(True)
    turn.until(lambda: turn.find("camera:reconnect") is not None, 30)
    assert faults(turn) == []
    assert [one.name for one in gold(turn)] == ["camera:reconnect"]
    turn.press("camera:map")
    assert turn.app.screen.view == "map"
    # The game goes on: a tray is moved by finger and judged like any other.
    table = service.snapshot.trays
    assert table is not None
    pose = table.unit("b2").pose
    service.place("b2", replace(pose, y=pose.y + 1.5))
    turn.rest()
    assert [one.unit for one in service.snapshot.notices] == ["b2"]
    turn.press("accept")
    now = service.snapshot.trays
    assert now is not None
    assert now.unit("b2").pose.y == pytest.approx(pose.y + 1.5)
    # It comes back by itself, or by the bar's button.
    turn.press("camera")
    turn.press("reconnect")
    turn.until(lambda: service.live.sight == "live", 30)


def test_a_piece_is_corrected_in_one_sheet(turn: Driver) -> None:
    service = turn.app.service
    turn.press("dock:roster")
    assert faults(turn) == []
    names = words(turn)
    assert "House Umber Greataxes" in names
    assert " b6" not in names
    turn.press("correct-mode")
    turn.press("piece:r7")
    assert faults(turn) == []
    fewer = next(name for name in turn.names() if name.startswith("choice:correct:r7"))
    turn.press(fewer)
    assert turn.app.sheet is None
    piece = service.snapshot.piece("r7")
    assert piece is not None
    assert piece.left is not None
    assert piece.left < (piece.most or 0)
    turn.press("undo")
    piece = service.snapshot.piece("r7")
    assert piece is not None
    assert piece.left == piece.most


def test_no_screen_of_a_turn_shows_an_id(turn: Driver) -> None:
    ids = {one.id for one in turn.app.service.snapshot.pieces}

    def shown() -> set[str]:
        said = words(turn).replace("|", " ").replace(":", " ").replace(",", " ")
        return {word for word in said.split() if word in ids}

    assert shown() == set()
    turn.tap_unit("b6")
    turn.press("why-not")
    assert shown() == set()
    turn.press("do-offer")
    turn.press("die:6")
    assert shown() == set()
    turn.press("log")
    assert shown() == set()
    turn.press("close")

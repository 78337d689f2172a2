"""Moves that dice or rules have decided, by touch: a retreat, free pivots, a shift, a charge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.render.theme import THEME
from companion.app.screens.table_screen import HINT_S
from companion.app.scripted.driver import Driver
from companion.engine.app_words import set_language
from companion.games.tmg.play import practice_game
from companion.vision.track.table_tracker import TrayMoved
from models import Pose, Table
from tests.app.conftest import opened
from tests.games.tmg.play.sighted import slab


def table_with(**places: Pose) -> Table:
    """The practice table with these units alone."""
    table = Table.load(practice_game.TABLE)
    units = tuple(table.unit(unit).at(pose) for unit, pose in places.items())
    return replace(table, units=units, terrain=())


def melee() -> Table:
    """b6 and r7 fight front to front, b2 shoots from afar."""
    table = Table.load(practice_game.TABLE)
    apart = (table.unit("b6").tray.depth + table.unit("r7").tray.depth) / 2
    return table_with(
        b6=Pose(16.0, 24.0 - apart, 90.0),
        b2=Pose(36.0, 16.0, 90.0),
        r7=Pose(16.0, 24.0, 270.0),
        r2=Pose(36.0, 31.0, 270.0),
    )


def hemmed_in() -> Table:
    """b6 fights r7 between walls; enemies along its way back leave a place only after a pivot."""
    table = Table.load(practice_game.TABLE)
    apart, deep = 2.75 + 0.5 + 2.4, table.unit("b6").tray.depth
    poses = {
        "b6": Pose(24.0, 24.0, 90.0),
        "r7": Pose(24.0, 24.0 + deep, 270.0),
        "r2": Pose(24.0 - apart, 19.5, 0.0),
        "r3": Pose(24.0 + apart, 19.5, 180.0),
    }
    walls = tuple(slab(table.game, "palisade", (x, 22.4, x + 6.2, 40)) for x in (15.0, 26.8))
    walls = tuple(replace(wall, id=f"w{number}") for number, wall in enumerate(walls))
    return replace(table_with(**poses), terrain=walls)


def far_shot() -> Table:
    """r2 stands 13" before b2, whose bows reach 12"."""
    table = melee()
    apart = (table.unit("b2").tray.depth + table.unit("r2").tray.depth) / 2 + 13
    return table.moved("r2", Pose(36.0, 16.0 + apart, 270.0))


@pytest.fixture
def on_map(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Driver]:
    """The melee without a camera, on the map, in the first turn."""
    made = begun_on_map(tmp_path, getattr(request, "param", melee)())
    yield made
    made.stop()


def begun_on_map(
    folder: Path, table: Table, size: tuple[int, int] = (1280, 800), language: str = "en"
) -> Driver:
    """A game on the map in a window of that size."""
    made = opened(folder, size)
    set_language(language)
    service = made.app.service

    def begin() -> None:
        command = practice_game.set_up(table)
        for army in command["armies"]:
            army["ncus"] = []
        assert service.controller.begin(command, "game")
        service.controller.do(practice_game.opening(table))

    service.ask(begin)
    made.app.go("table")
    made.rest()
    return made


def pose(driver: Driver, unit: str) -> Pose:
    table = driver.app.service.snapshot.trays
    assert table is not None
    return table.unit(unit).pose


def result(driver: Driver) -> str:
    """The result strip."""
    return str(driver.app.screen.stage.strip.sentence.text)


def drag(driver: Driver, start: tuple[float, float], end: tuple[float, float]) -> None:
    pane = driver.app.screen.panes[0]
    spots = [pane.to_window(*pane.on_screen(point)) for point in (start, end)]
    driver.drag(spots[0], spots[1])
    driver.rest()


def judged(driver: Driver, verdict: str) -> str:
    """The words of the verdict on the ghost, once it is this one."""
    card = driver.app.screen.mover.card
    driver.until(lambda: card.verdict == verdict, 20)
    return f"{card.first.text} {card.why.text}"


@pytest.mark.slow
@pytest.mark.rule("TMG-RET-3")
@pytest.mark.rule("TMG-RET-7")
def test_a_retreat_is_rolled_then_moved_and_the_enemy_may_pivot(on_map: Driver) -> None:
    service, mover = on_map.app.service, on_map.app.screen.mover
    start, speed = pose(on_map, "b6"), melee().unit("b6").speed
    on_map.tap_unit("b6")
    on_map.press("offer:retreat")
    on_map.press("do-offer")
    on_map.press("die:2")
    assert "it may retreat" in result(on_map), "it has not retreated yet"
    # The tray is taken up by itself: the retreat is rolled, and still to be made.
    assert mover.unit == "b6"
    assert [one.kind for one in service.snapshot.due] == ["retreat", "pivot"]
    far = speed + 2.0
    drag(on_map, (start.x, start.y), (start.x, start.y - far - 1.0))
    assert "too far" in judged(on_map, "no")
    assert mover.card.gold.disabled
    drag(on_map, (mover.pose.x, mover.pose.y), (start.x, start.y - far + 0.5))
    judged(on_map, "yes")
    on_map.press("place")
    assert pose(on_map, "b6").y == pytest.approx(start.y - far + 0.5, abs=0.2)
    # Now red is asked about its pivot, and nothing is golden.
    assert [(one.piece, one.kind) for one in service.snapshot.due] == [("r7", "pivot")]
    assert not any(getattr(one, "look", "") == "primary" for one in on_map.widgets(on_map.top))
    on_map.press("move-tray")
    assert mover.unit == "r7"
    on_map.press("turn:left")
    for _turn in range(8):
        on_map.press("turn:left")
    judged(on_map, "yes")
    on_map.press("place")
    assert pose(on_map, "r7").heading % 360 == pytest.approx(279.0)
    assert service.snapshot.due == ()
    assert not any(one.engaged for one in service.snapshot.pieces)


@pytest.mark.slow
@pytest.mark.rule("TMG-RET-6", "TMG-RET-9", "TMG-MOV-12")
@pytest.mark.parametrize("on_map", [hemmed_in], indirect=True)
@pytest.mark.parametrize("goes", [True, False])
def test_the_only_place_of_a_retreat_is_shown_and_taken_by_a_tap(
    on_map: Driver, goes: bool
) -> None:
    service, start = on_map.app.service, pose(on_map, "b6")
    on_map.tap_unit("b6")
    on_map.press("offer:retreat")
    on_map.press("do-offer")
    on_map.press("die:5")
    (end,) = service.snapshot.due[0].ends
    ghost = on_map.app.screen.panes[0].ghost
    assert ghost is not None
    assert ghost.pose == end.poses[0][1]
    on_map.press("end:0" if goes else "stay")
    assert pose(on_map, "b6") == (ghost.pose if goes else start)
    engaged = {one.id for one in service.snapshot.pieces if one.engaged}
    assert engaged == (set() if goes else {"b6", "r7"})


@pytest.mark.slow
@pytest.mark.rule("TMG-RET-2")
def test_undo_takes_back_where_a_retreat_went_and_only_then_its_die(on_map: Driver) -> None:
    service = on_map.app.service
    start = pose(on_map, "b6")
    on_map.tap_unit("b6")
    on_map.press("offer:retreat")
    on_map.press("do-offer")
    on_map.press("die:4")
    on_map.press("stay")
    service.stay("b6")  # a second tap, before the first one shows
    on_map.rest()
    assert service.snapshot.state["units"]["b6"]["engaged"] == ["r7"]
    on_map.press("undo")
    assert still_due(on_map)[0] == "b6", "the die lies"
    drag(on_map, (start.x, start.y), (start.x, start.y - 3.0))
    judged(on_map, "yes")
    on_map.press("place")
    on_map.press("stay")  # red does not turn
    assert not still_due(on_map)
    on_map.press("undo")
    assert still_due(on_map)[0] == "r7", "red decides again"
    on_map.press("undo")
    assert pose(on_map, "b6") == start
    on_map.press("undo")
    assert not still_due(on_map)
    assert {one.id for one in service.snapshot.pieces if one.engaged} == {"b6", "r7"}


def still_due(driver: Driver) -> list[str]:
    """The trays that are still to be moved."""
    return [one.piece for one in driver.app.service.snapshot.due]


@pytest.mark.slow
@pytest.mark.rule("TMG-RET-1")
def test_a_unit_that_is_not_engaged_is_told_nothing_of_retreats(on_map: Driver) -> None:
    mover, start = on_map.app.screen.mover, pose(on_map, "b2")
    on_map.press("tool:hand")
    drag(on_map, (start.x, start.y), (start.x - 14.0, start.y))
    words = judged(on_map, "no")
    assert "retreat" not in words
    assert mover.placing.notice is not None
    assert {one.kind for one in mover.placing.notice.agreeable} == {"maneuver", "march"}


@pytest.mark.slow
@pytest.mark.rule("TMG-RNG-5")
def test_a_unit_that_shoots_may_shift_first(on_map: Driver) -> None:
    mover, start = on_map.app.screen.mover, pose(on_map, "b2")
    on_map.tap_unit("b2")
    on_map.press("offer:shot:r2")
    on_map.press("do-offer")
    assert mover.unit == ""  # they may: nothing is taken up for them
    on_map.press("due:b2")
    assert mover.unit == "b2"
    drag(on_map, (start.x, start.y), (start.x + 1.5, start.y))
    judged(on_map, "yes")
    on_map.press("place")
    assert pose(on_map, "b2").x == pytest.approx(start.x + 1.5, abs=0.15)
    assert on_map.find("due:b2") is None
    assert on_map.app.service.snapshot.prompts[0].id == "attack-dice"
    on_map.press("form:attack-result")
    assert on_map.app.sheet is not None
    on_map.press("send:attack-result")
    assert on_map.app.sheet is None, "a form that was sent is closed"


@pytest.mark.slow
@pytest.mark.rule("TMG-MAN-3")
def test_a_move_says_by_how_much_the_chosen_action_goes_too_far(on_map: Driver) -> None:
    """What is dragged is judged as the action that was chosen, before and after it is placed."""
    start, speed = pose(on_map, "b2"), melee().unit("b2").speed
    on_map.tap_unit("b2")
    on_map.press("offer:maneuver")
    on_map.press("do-offer")
    drag(on_map, (start.x, start.y), (start.x, start.y + 0.8 + speed))
    assert "too far" in judged(on_map, "no")
    assert on_map.app.screen.mover.card.gold.disabled
    assert on_map.find("place:march") is not None  # another action explains it, by name
    on_map.press("agree:maneuver" if on_map.find("agree:maneuver") else "place:march")
    assert on_map.app.service.snapshot.notices == ()
    # It has moved: another move of it is no action.
    now = pose(on_map, "b2")
    on_map.press("tool:hand")
    drag(on_map, (now.x, now.y), (now.x, now.y - 2.0))
    judged(on_map, "no")
    assert on_map.app.screen.mover.card.gold.disabled


@pytest.mark.slow
def test_what_both_agree_to_is_undone_in_one_step(on_map: Driver) -> None:
    service, start = on_map.app.service, pose(on_map, "b2")
    on_map.tap_unit("b2")
    on_map.press("offer:march")
    on_map.press("do-offer")
    drag(on_map, (start.x, start.y), (start.x - 14.0, start.y))
    judged(on_map, "no")
    on_map.press("agree:march")
    assert "both agree" in str(service.snapshot.state["notes"][-1]["text"])
    outcome = service.snapshot.outcome
    assert outcome is not None
    assert str(outcome.text).endswith("march, 14.0″, by agreement.")
    assert "by agreement" in service.snapshot.undo[0]
    on_map.press("undo")
    assert pose(on_map, "b2") == start
    assert not service.snapshot.state["units"]["b2"]["activated"]


@pytest.mark.slow
def test_dragging_a_tray_without_a_tool_begins_its_move(on_map: Driver) -> None:
    """A tap still only selects, and a tray whose turn it is not stays where it is."""
    screen, start = on_map.app.screen, pose(on_map, "b2")
    assert screen.tool == "select"
    on_map.tap_unit("b2")
    assert screen.mover.unit == ""
    on_map.press("offer:march")
    on_map.press("do-offer")
    on_map.press("put-back")
    drag(on_map, (start.x, start.y), (start.x + 2.0, start.y))
    assert screen.mover.unit == "b2"
    judged(on_map, "yes")
    on_map.press("place:maneuver")  # else the shift before a shot
    assert on_map.app.service.snapshot.state["units"]["b2"]["activated"]
    assert pose(on_map, "b2").x == pytest.approx(start.x + 2.0, abs=0.2)
    other = pose(on_map, "b6")
    drag(on_map, (other.x, other.y), (other.x + 2.0, other.y))
    assert screen.mover.unit == ""


@pytest.mark.slow
def test_the_picture_points_at_the_chosen_row(on_map: Driver) -> None:
    """Another row, another arrow; none is left once the unit has acted."""
    chips = on_map.app.screen.panes[0].chips
    on_map.tap_unit("b2")
    seen = []
    for row in ("offer:charge:r2", "offer:shot:r2"):
        on_map.press(row)
        on_map.rest()
        best = chips.best(on_map.app.service.snapshot)
        assert best is not None
        seen.append(best.kind)
        assert best in chips._key  # what is drawn
    assert seen == ["charge", "shot"]
    on_map.press("offer:maneuver")
    on_map.press("do-offer")
    on_map.press("stay")
    on_map.rest()
    assert chips.best(on_map.app.service.snapshot) is None
    assert chips.labels == []


@pytest.mark.slow
def test_a_selection_survives_another_page(on_map: Driver) -> None:
    """The table and the card speak of the same unit after looking at the armies."""
    on_map.tap_unit("r2")
    assert on_map.find("unchoose") is not None
    on_map.press("dock:roster")
    on_map.press("back")
    assert on_map.app.service.snapshot.chosen == "r2"
    assert on_map.find("unchoose") is not None


@pytest.mark.slow
@pytest.mark.rule("TMG-MAR-3")
def test_a_march_by_finger_keeps_to_its_line(on_map: Driver) -> None:
    """A finger beside the line means the line; farther off, the reason says by how much."""
    mover, start = on_map.app.screen.mover, pose(on_map, "b2")
    on_map.tap_unit("b2")
    on_map.press("offer:march")
    on_map.press("do-offer")
    drag(on_map, (start.x, start.y), (start.x + 0.25, start.y + 6.0))
    judged(on_map, "yes")
    assert mover.pose.x == pytest.approx(start.x)
    drag(on_map, (mover.pose.x, mover.pose.y), (start.x + 3.5, start.y + 6.0))
    words = judged(on_map, "no")
    off = mover.pose.x - start.x
    assert off == pytest.approx(3.5, abs=0.2)
    assert f"{off:.2f}″ off the straight line" in words
    drag(on_map, (mover.pose.x, mover.pose.y), (start.x - 0.2, start.y + 6.0))
    judged(on_map, "yes")
    on_map.press("place")
    assert pose(on_map, "b2").x == pytest.approx(start.x)
    assert "march" in " ".join(on_map.app.service.log()[:3])


@pytest.mark.slow
@pytest.mark.rule("TMG-RET-3")
def test_a_retreat_by_finger_keeps_to_its_line(on_map: Driver) -> None:
    mover, start = on_map.app.screen.mover, pose(on_map, "b6")
    on_map.tap_unit("b6")
    on_map.press("offer:retreat")
    on_map.press("do-offer")
    on_map.press("die:4")
    drag(on_map, (start.x, start.y), (start.x - 0.25, start.y - 3.0))
    judged(on_map, "yes")
    assert mover.pose.x == pytest.approx(start.x)
    drag(on_map, (mover.pose.x, mover.pose.y), (start.x - 3.0, start.y - 3.0))
    assert "off the straight line" in judged(on_map, "no")


@pytest.mark.slow
@pytest.mark.rule("TMG-MAR-2")
def test_the_chosen_action_is_kept_when_the_hand_is_taken(on_map: Driver) -> None:
    """The row March, then the hand: what is dragged is still the march."""
    mover, start = on_map.app.screen.mover, pose(on_map, "b2")
    on_map.tap_unit("b2")
    on_map.press("offer:march")
    on_map.press("do-offer")
    on_map.press("tool:hand")
    assert (mover.unit, mover.placing.offer.kind) == ("b2", "march")
    drag(on_map, (start.x, start.y), (start.x, start.y + 3.0))
    judged(on_map, "yes")
    on_map.press("place")
    assert on_map.app.service.snapshot.state["units"]["b2"]["activated"]
    assert "march" in " ".join(on_map.app.service.log()[:3])


@pytest.mark.slow
@pytest.mark.rule("TMG-RET-7")
def test_a_free_pivot_only_turns(on_map: Driver) -> None:
    """A drag turns the tray in its place, 15° a tap; no reach is drawn, and 2° answer it."""
    service, mover = on_map.app.service, on_map.app.screen.mover
    start = pose(on_map, "b6")
    on_map.tap_unit("b6")
    on_map.press("offer:retreat")
    on_map.press("do-offer")
    on_map.press("die:4")
    drag(on_map, (start.x, start.y), (start.x, start.y - 3.0))
    judged(on_map, "yes")
    on_map.press("place")
    here = pose(on_map, "r7")
    on_map.press("move-tray")
    assert not service.controller.overlay.may_act("r7")
    assert "only turns" in mover.card.told.text
    on_map.steps(4)
    key = on_map.place(on_map.find("turn:left:15"))
    drag(on_map, (here.x, here.y - 1.0), (here.x + 1.0, here.y))
    on_map.steps(4)
    assert on_map.place(on_map.find("turn:left:15")) == key, "the sentence that goes is below it"
    assert (mover.pose.x, mover.pose.y) == (here.x, here.y)
    assert mover.pose.heading % 360 == pytest.approx(here.heading + 90.0 - 360.0, abs=8.0)
    on_map.press("put-back")
    on_map.press("move-tray")
    on_map.steps(4)
    button = on_map.place(on_map.find("turn:left:15"))
    on_map.press("turn:left:15")
    judged(on_map, "yes")
    on_map.steps(4)
    assert on_map.place(on_map.find("turn:left:15")) == button, "it does not slide away"
    on_map.press("turn:right:15")
    on_map.press("turn:left")
    on_map.press("turn:left")
    judged(on_map, "yes")
    on_map.press("place")
    assert pose(on_map, "r7").heading == pytest.approx(here.heading + 2.0)
    assert service.snapshot.due == ()
    assert on_map.find("move-tray") is None


@pytest.mark.slow
@pytest.mark.rule("TMG-CHG-12")
def test_after_undoing_a_charge_everything_is_offered_again(on_map: Driver) -> None:
    service = on_map.app.service
    on_map.tap_unit("b2")
    rows = sorted(one for one in on_map.names() if one.startswith("offer:"))
    assert {"offer:charge:r2", "offer:maneuver", "offer:march"} <= set(rows)
    on_map.press("offer:charge:r2")
    on_map.press("do-offer")
    on_map.press("die:1")
    service.choose(None)
    on_map.rest()
    on_map.press("undo")
    on_map.rest()
    on_map.tap_unit("b2")
    assert sorted(one for one in on_map.names() if one.startswith("offer:")) == rows
    on_map.press("unchoose")
    on_map.rest()
    assert service.snapshot.chosen is None  # the players may look at something else


@pytest.mark.slow
@pytest.mark.rule("TMG-MEL-5")
def test_a_unit_in_melee_is_shifted_to_the_middle_and_undone_with_its_attack(
    on_map: Driver,
) -> None:
    service, mover, start = on_map.app.service, on_map.app.screen.mover, pose(on_map, "b6")
    on_map.tap_unit("b6")
    on_map.press("offer:melee:r7")
    on_map.press("do-offer")
    assert mover.unit == ""  # it stands in the middle already, and may shift to a half
    on_map.press("due:b6")
    on_map.press("end:0")
    judged(on_map, "yes")
    on_map.press("place")
    shifted = pose(on_map, "b6")
    assert abs(shifted.x - start.x) == pytest.approx(2.75)
    assert shifted.y == pytest.approx(start.y)
    assert on_map.find("due:b6") is None
    assert service.snapshot.prompts[0].id == "attack-dice"
    on_map.press("undo")
    assert (pose(on_map, "b6"), service.snapshot.state["units"]["b6"]["activated"]) == (
        start,
        False,
    )


@pytest.mark.rule("TMG-MEL-5")
def test_a_tray_dragged_along_its_enemy_attacks_from_there(on_map: Driver) -> None:
    """A finger near one of the places means it; elsewhere it is not aligned."""
    service, start = on_map.app.service, pose(on_map, "b6")
    on_map.press("tool:hand")
    drag(on_map, (start.x, start.y), (start.x + 1.4, start.y))
    judged(on_map, "no")
    mover = on_map.app.screen.mover
    drag(on_map, (mover.pose.x, mover.pose.y), (start.x + 2.5, start.y))
    judged(on_map, "yes")
    on_map.press("place")
    assert pose(on_map, "b6").x == pytest.approx(start.x + 2.75)
    assert service.snapshot.prompts[0].id == "attack-dice"
    assert service.snapshot.due == ()


@pytest.mark.rule("TMG-MAN-3")
def test_a_little_too_far_goes_to_the_nearest_legal_place(on_map: Driver) -> None:
    start, speed = pose(on_map, "b2"), melee().unit("b2").speed
    on_map.tap_unit("b2")
    on_map.press("offer:maneuver")
    on_map.press("do-offer")
    drag(on_map, (start.x, start.y), (start.x - 0.4 - speed, start.y))
    assert "too far" in judged(on_map, "no")
    on_map.press("nearest")
    judged(on_map, "yes")
    on_map.press("place")
    assert pose(on_map, "b2").x == pytest.approx(start.x - speed, abs=0.02)


@pytest.mark.slow
@pytest.mark.rule("TMG-ZON-6", "TMG-MAN-3")
def test_a_free_maneuver_shows_how_far_it_goes(on_map: Driver) -> None:
    service = on_map.app.service
    service.do({"do": "free-action", "unit": "b2", "action": "maneuver"})
    on_map.rest()
    assert on_map.app.screen.mover.unit == "b2"  # taken up by itself
    assert service.controller.overlay.may_act("b2")
    assert not service.controller.overlay.may_act("r2")


@pytest.mark.slow
@pytest.mark.rule("TMG-RET-3")
def test_a_retreat_that_is_dragged_beside_its_line_goes_along_it(on_map: Driver) -> None:
    start = pose(on_map, "b6")
    on_map.tap_unit("b6")
    on_map.press("offer:retreat")
    on_map.press("do-offer")
    on_map.press("die:4")
    drag(on_map, (start.x, start.y), (start.x + 1.4, start.y - 5.0))
    judged(on_map, "yes")
    on_map.press("place")
    assert pose(on_map, "b6").x == pytest.approx(start.x)


@pytest.mark.slow
def test_the_hint_of_the_hand_is_in_nobodys_way(on_map: Driver) -> None:
    on_map.press("tool:hand")
    on_map.until(lambda: on_map.find("hint") is not None, 20)
    hint = on_map.find("hint")
    assert hint is not None
    touch = SimpleNamespace(pos=hint.center, x=hint.center_x, y=hint.center_y)
    assert not hint.on_touch_down(touch)
    on_map.until(lambda: on_map.find("hint") is None, 30)


@pytest.mark.slow
@pytest.mark.rule("TMG-RNG-7")
@pytest.mark.parametrize("on_map", [far_shot], indirect=True)
def test_a_shift_that_a_shot_needs_is_gold_before_the_dice(on_map: Driver) -> None:
    service, start = on_map.app.service, pose(on_map, "b2")
    on_map.tap_unit("b2")
    on_map.press("offer:shot:r2")
    on_map.press("do-offer")
    assert [one.kind for one in service.snapshot.due] == ["aim"]
    assert "Stark Bowmen aim at" in result(on_map), "it has not shot yet"
    assert on_map.find("die:1") is None
    assert on_map.find("count:1") is None
    on_map.press("move-tray")
    assert on_map.find("stay") is None, "from there it may not shoot"
    assert on_map.find("turn:left") is None, "TMG-MOV-6"
    drag(on_map, (start.x, start.y), (start.x, start.y - 1.0))
    judged(on_map, "no")
    agree = on_map.find("agree:aim")
    assert agree is not None
    assert agree.text == "Both agree: it may stand there"
    on_map.press("put-back")
    on_map.press("end:0")
    assert pose(on_map, "b2").y == pytest.approx(start.y + 1.0, abs=0.02)
    assert "Stark Bowmen shift 1.0″." in result(on_map)
    assert service.snapshot.due == ()
    assert service.snapshot.prompts[0].id == "attack-dice"


@pytest.mark.rule("TMG-MAR-2")
def test_a_march_a_little_beside_its_line_goes_straight(on_map: Driver) -> None:
    start = pose(on_map, "b2")
    on_map.tap_unit("b2")
    on_map.press("tool:hand")
    drag(on_map, (start.x, start.y), (start.x + 1.0, start.y + 6.5))
    judged(on_map, "yes")
    assert on_map.app.screen.mover.pose.x == pytest.approx(start.x)
    drag(on_map, (start.x, start.y + 6.5), (start.x + 3.0, start.y + 8.5))
    told = judged(on_map, "no")
    assert "march" in told
    assert "off the straight line" in told


@pytest.mark.slow
@pytest.mark.rule("TMG-MAN-3")
@pytest.mark.parametrize("language", ["de", "ru"])
def test_on_a_small_screen_the_verdict_on_a_place_is_told_whole(
    on_map: Driver, language: str
) -> None:
    from kivy.core.window import Window

    Window.size = (1024, 600)
    on_map.app.prefer(replace(on_map.app.service.preferences, language=language))
    on_map.steps(8)
    on_map.rest()
    start, speed = pose(on_map, "b2"), melee().unit("b2").speed
    on_map.tap_unit("b2")
    on_map.press("offer:maneuver")
    on_map.press("do-offer")
    drag(on_map, (start.x, start.y), (start.x - 0.8 - speed, start.y))
    judged(on_map, "no")
    on_map.steps(8)
    card = on_map.app.screen.mover.card
    rows = card.column.parent
    low, high = rows.to_window(rows.x, rows.y)[1], rows.to_window(rows.x, rows.top)[1]
    for line in (card.first, card.why):
        bottom = line.to_window(line.x, line.y)[1]
        assert low - 1 <= bottom < bottom + line.height <= high + 1, (line.text, bottom, low, high)


@pytest.mark.slow
@pytest.mark.rule("TMG-RET-3", "TMG-RET-4")
def test_the_reach_of_a_retreat_is_drawn_and_the_nearest_place_offered_from_far(
    on_map: Driver,
) -> None:
    start = pose(on_map, "b6")
    on_map.tap_unit("b6")
    on_map.press("offer:retreat")
    on_map.press("do-offer")
    on_map.press("die:1")
    placing = on_map.app.screen.mover.placing
    assert placing is not None
    assert placing.offer is not None
    reach = placing.offer.reach
    assert reach is not None
    lows = [min(y for _, y in lane) for lane in placing.offer.lanes]
    tray = melee().unit("b6").tray
    assert min(lows) == pytest.approx(start.y - tray.depth / 2 - reach, abs=0.05)
    drag(on_map, (start.x, start.y), (start.x, start.y - reach - 5.0))
    assert "5.00″ too far" in judged(on_map, "no")
    on_map.press("nearest")
    judged(on_map, "yes")
    on_map.press("place")
    assert pose(on_map, "b6").y == pytest.approx(start.y - reach, abs=0.02)


@pytest.mark.slow
@pytest.mark.rule("TMG-MAR-2")
def test_far_beside_the_line_of_a_march_its_nearest_place_is_offered(on_map: Driver) -> None:
    start, speed = pose(on_map, "b2"), melee().unit("b2").speed
    on_map.tap_unit("b2")
    on_map.press("offer:march")
    on_map.press("do-offer")
    drag(on_map, (start.x, start.y), (start.x + 3.0, start.y + speed + 2.0))
    assert "3.00″ off the straight line" in judged(on_map, "no")
    on_map.press("nearest")
    judged(on_map, "yes")
    assert on_map.app.screen.mover.pose.x == pytest.approx(start.x)


def two_far_shots() -> Table:
    """b2 may shoot at r2 once it has shifted to its left, at r7 once to its right."""
    table = melee()
    far = 16.0 + (table.unit("b2").tray.depth + table.unit("r2").tray.depth) / 2 + 10.5
    table = table.moved("r2", Pose(27.0, far, 270.0))
    return table.moved("r7", Pose(45.0, far, 270.0))


@pytest.mark.slow
@pytest.mark.rule("TMG-RNG-7")
@pytest.mark.parametrize("on_map", [two_far_shots], indirect=True)
def test_a_shift_away_from_the_target_of_a_shot_says_so_and_offers_the_other(
    on_map: Driver,
) -> None:
    start = pose(on_map, "b2")
    on_map.tap_unit("b2")
    on_map.press("offer:shot:r2")
    on_map.press("do-offer")
    on_map.press("move-tray")
    drag(on_map, (start.x, start.y), (start.x + 1.9, start.y))
    told = judged(on_map, "yes")
    assert "shift" in told
    assert "out of range or sight from there" in told
    on_map.press("place")
    assert on_map.find("count:1") is None
    gold = [one for one in on_map.widgets() if getattr(one, "look", "") == "primary"]
    assert [one.text.startswith("Shoot at") for one in gold] == [True]
    on_map.press(gold[0].name)
    attack = on_map.app.service.snapshot.state["attack"]
    assert attack["defender"] == "r7"
    assert on_map.find("count:1") is not None


@pytest.mark.rule("TMG-ACT-1")
def test_a_unit_that_has_acted_draws_no_zones(on_map: Driver) -> None:
    service = on_map.app.service
    overlay = service.controller.overlay
    on_map.tap_unit("b2")
    assert service.snapshot.map is not overlay.cache.drawn(None, None)[0]
    service.do({"do": "activate", "unit": "b2"}, {"do": "action", "action": "forgo"})
    on_map.rest()
    on_map.tap_unit("b2")
    assert service.snapshot.chosen == "b2"
    assert service.snapshot.map is overlay.cache.drawn(None, None)[0]


@pytest.mark.slow
def test_the_hint_of_the_hand_goes_before_it_is_in_the_way(on_map: Driver) -> None:
    """It lies over badges: it is told for a while, not for the whole evening."""
    screen = on_map.app.screen
    screen.take_up("hand")
    screen.remember(on_map.app.service.live)
    assert on_map.find("hint") is not None
    screen.stage.show_hint("elsewhere than in the game: " + "Sworn Swords, " * 20)
    on_map.steps(3)
    plate: Any = on_map.find("hint")
    assert plate.x >= screen.tools.right, "the tools are not covered"
    screen.taken_up -= HINT_S
    screen.remember(on_map.app.service.live)
    assert on_map.find("hint") is None


@pytest.mark.slow
def test_a_tray_in_hand_is_not_put_back_because_another_is_dragged(on_map: Driver) -> None:
    start, other = pose(on_map, "b2"), pose(on_map, "b6")
    on_map.press("tool:hand")
    drag(on_map, (start.x, start.y), (start.x + 2.0, start.y))
    judged(on_map, "yes")
    drag(on_map, (other.x, other.y), (other.x, other.y - 2.0))
    mover = on_map.app.screen.mover
    assert mover.unit == "b2"
    assert mover.pose.x == pytest.approx(start.x + 2.0, abs=0.2)
    on_map.press("put-back")
    drag(on_map, (other.x, other.y), (other.x, other.y - 2.0))
    assert mover.unit == "b6"


@pytest.mark.slow
@pytest.mark.rule("TMG-MAR-3")
def test_a_place_that_the_camera_sees_is_judged_while_the_tray_is_moved(on_map: Driver) -> None:
    """Never "Not moved yet" of a tray that stands elsewhere: it says what is wrong there."""
    service, start = on_map.app.service, pose(on_map, "b2")

    def stand(far: float) -> None:
        there = replace(start, y=start.y + far)
        event = TrayMoved("b2", start, there, 0.0, 1.0)
        service.ask(lambda: service.controller.moves.handle_move(event))
        on_map.rest()

    on_map.tap_unit("b2")
    on_map.press("offer:maneuver")
    on_map.press("do-offer")
    stand(9.0)
    assert "too far" in judged(on_map, "no")
    on_map.app.screen.mover.cancel()
    assert service.snapshot.notices, "still asked about"
    assert on_map.app.screen.mover.take("b2")
    assert "Not moved yet" not in judged(on_map, "yes"), "as a march it is legal"


@pytest.mark.slow
@pytest.mark.rule("TMG-MAN-2")
def test_upright_the_keys_that_turn_a_tray_are_in_sight(tmp_path: Path) -> None:
    made = begun_on_map(tmp_path, melee(), (520, 900))
    made.press("tool:hand")
    start = pose(made, "b2")
    drag(made, (start.x, start.y), (start.x, start.y + 3.0))
    card = made.app.screen.mover.card
    judged(made, "yes")
    low, high = card.y, card.top
    for name in ("turn:left:15", "turn:left", "turn:right", "turn:right:15", "put-back"):
        key: Any = made.find(name)
        below = key.to_window(key.x, key.y)[1]
        assert key.height >= THEME.target, name
        assert low <= below <= high - key.height, name
    assert card.rows.height > card.first.height, "the verdict is in sight, too"
    assert card.gold.parent is not None
    made.press("turn:left")
    judged(made, "yes")
    made.stop()

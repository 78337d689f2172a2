"""Trays moved by finger: snapping, the verdict while they move, and a game on the map alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.scripted.driver import Driver
from companion.engine.app_service import AppService
from companion.engine.app_words import set_language
from companion.engine.camera.camera_session import CameraSession
from companion.engine.moves.contact import snapped
from companion.engine.snapshot import CameraView
from companion.games.tmg.play import practice_game
from companion.session.game_lookup import find_screen
from companion.session.session import Session
from companion.vision.track.table_tracker import TrackedTray, TrayMoved
from models import Pose, Table
from models.board import Cell
from tests.app.conftest import opened

pytestmark = pytest.mark.slow


def map_game(folder: Path) -> Driver:
    """A game without a camera, on the map, in the first turn."""
    made = opened(folder)
    service, table = made.app.service, Table.load(practice_game.TABLE)

    def begin() -> None:
        assert service.controller.begin(practice_game.set_up(table), "game")
        service.controller.do(practice_game.opening(table))

    service.ask(begin)
    made.app.go("table")
    made.rest()
    return made


@pytest.fixture(scope="module")
def on_map(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    made = map_game(tmp_path_factory.mktemp("map"))
    yield made
    made.stop()
    set_language("en")


def drag(driver: Driver, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one point of the table to another."""
    pane = driver.app.screen.panes[0]
    spots = [pane.to_window(*pane.on_screen(point)) for point in (start, end)]
    driver.drag(spots[0], spots[1])
    driver.rest()


def tools(driver: Driver) -> dict[str, object]:
    """Where each button of the tool rail is."""
    found = {name: driver.find(name) for name in driver.names() if name.startswith("tool:")}
    return {name: driver.place(one) for name, one in found.items() if one is not None}


def pose(driver: Driver, unit: str) -> Pose:
    table = driver.app.service.snapshot.trays
    assert table is not None
    return table.unit(unit).pose


def test_a_front_near_an_edge_snaps_onto_it() -> None:
    table = Table.load(practice_game.TABLE)
    enemy = table.unit("r3")
    mover = table.unit("b2")
    # Before the enemy's front, nearly facing it.
    ahead = enemy.tray.depth / 2 + mover.tray.depth / 2 + 0.4
    x, y = enemy.pose.ahead(ahead, 0.5)
    contact = snapped(table, "b2", Pose(x, y, enemy.pose.heading + 180 + 9))
    assert contact is not None
    assert contact.unit == "r3"
    turned = (contact.pose.heading - enemy.pose.heading) % 360
    assert turned == pytest.approx(180, abs=1e-6)
    front = contact.pose.ahead(mover.tray.depth / 2)
    back = Pose(enemy.pose.x, enemy.pose.y, enemy.pose.heading)
    to_front = back.ahead(enemy.tray.depth / 2)
    along = (front[0] - to_front[0], front[1] - to_front[1])
    facing = back.ahead(1.0)
    out = (facing[0] - back.x, facing[1] - back.y)
    assert along[0] * out[0] + along[1] * out[1] == pytest.approx(0, abs=1e-6)
    # Farther away, or turned too far, it stays free.
    x, y = enemy.pose.ahead(ahead + 1.0, 0.5)
    assert snapped(table, "b2", Pose(x, y, enemy.pose.heading + 180)) is None
    x, y = enemy.pose.ahead(ahead, 0.5)
    assert snapped(table, "b2", Pose(x, y, enemy.pose.heading + 140)) is None


def test_a_tray_is_moved_on_the_map_without_a_camera(on_map: Driver) -> None:
    screen = on_map.app.screen
    assert on_map.app.service.live.sight == "off"
    before = pose(on_map, "b7")
    on_map.press("tool:hand")
    drag(on_map, (before.x, before.y), (before.x, before.y + 2.0))
    assert screen.mover.unit == "b7"
    assert screen.panes[0].ghost is not None
    assert pose(on_map, "b7") == before  # nothing is decided yet
    set_language("de")
    screen.mover.show("")
    assert screen.mover.card.title.text == "Ritter von Haus Tully platzieren"  # not as in English
    set_language("en")
    on_map.until(lambda: screen.mover.card.verdict == "yes", 20)
    on_map.press("place")
    now = pose(on_map, "b7")
    assert (now.x, now.y) == pytest.approx((before.x, before.y + 2.0), abs=0.15)
    assert screen.mover.unit == ""
    assert screen.panes[0].ghost is None
    on_map.press("undo")
    assert pose(on_map, "b7") == before


def test_a_tray_is_put_back_and_turned_by_its_handle(on_map: Driver) -> None:
    screen = on_map.app.screen
    before = pose(on_map, "b7")
    if screen.tool != "hand":
        on_map.press("tool:hand")
    drag(on_map, (before.x, before.y), (before.x + 1.0, before.y))
    mover, pane = screen.mover, screen.panes[0]
    assert mover.start is not None
    handle = mover.handle(pane, mover.start)
    centre = (mover.pose.x, mover.pose.y)
    dx, dy = handle[0] - centre[0], handle[1] - centre[1]
    drag(on_map, handle, (centre[0] - dy, centre[1] + dx))
    assert (mover.pose.heading - before.heading) % 360 == pytest.approx(90, abs=6)
    facing = mover.pose.heading
    on_map.press("turn:left")
    assert (mover.pose.heading - facing) % 360 == pytest.approx(1.0)
    on_map.press("put-back")
    assert mover.unit == ""
    assert pose(on_map, "b7") == before


def test_a_place_too_far_away_is_not_legal(on_map: Driver) -> None:
    screen = on_map.app.screen
    before = pose(on_map, "b7")
    if screen.tool != "hand":
        on_map.press("tool:hand")
    drag(on_map, (before.x, before.y), (before.x, before.y + 19.0))
    on_map.until(lambda: screen.mover.card.verdict == "no", 20)
    on_map.press("put-back")
    assert pose(on_map, "b7") == before


def test_another_tool_ends_the_move(on_map: Driver) -> None:
    screen = on_map.app.screen
    before = pose(on_map, "b2")
    if screen.tool != "hand":
        on_map.press("tool:hand")
    drag(on_map, (before.x, before.y), (before.x, before.y + 1.0))
    assert screen.mover.unit == "b2"
    places = tools(on_map)
    on_map.press("tool:measure")
    assert tools(on_map) == places  # no button changes its place
    assert screen.mover.unit == ""
    assert screen.panes[0].ghost is None
    on_map.press("tool:measure")


def test_what_was_placed_is_on_disk(on_map: Driver, tmp_path: Path) -> None:
    screen = on_map.app.screen
    before = pose(on_map, "b7")
    if screen.tool != "hand":
        on_map.press("tool:hand")
    drag(on_map, (before.x, before.y), (before.x, before.y + 1.5))
    on_map.until(lambda: on_map.find("place") is not None, 60)  # the place is judged
    on_map.press("place")
    placed = pose(on_map, "b7")
    copied = tmp_path / "copy.game"
    controller = on_map.app.service.controller
    on_map.app.service.ask(lambda: controller.game.copy(Path(controller.snapshot.path), copied))
    on_map.rest()
    session = Session.open(copied)
    here = session.history.now
    assert here.play is not None
    table = here.play.moment(here.state).table
    session.close()
    assert table is not None
    assert table.unit("b7").pose == placed
    on_map.press("undo")
    assert pose(on_map, "b7") == before


def test_turns_are_played_on_the_map_alone(on_map: Driver) -> None:
    """Four turns by touch: choose, act, move the tray where the action wants it, end the turn."""
    app = on_map.app
    service = app.service
    if app.screen.tool != "select":
        on_map.press(f"tool:{app.screen.tool}")
    for unit, step in (("b7", 1.5), ("r2", -2.0), ("b2", 2.0), ("r6", -2.0)):
        on_map.tap_unit(unit)
        on_map.press("offer:maneuver")
        on_map.press("do-offer")
        before = pose(on_map, unit)
        assert not service.snapshot.state["units"][unit][
            "activated"
        ]  # nothing yet: it stands still
        drag(on_map, (before.x, before.y), (before.x, before.y + step))
        on_map.until(lambda: app.screen.mover.card.verdict in ("yes", "no"), 20)
        card = app.screen.mover.card
        assert card.verdict == "yes", (unit, card.why.text)
        on_map.press("place")
        now = pose(on_map, unit)
        assert (now.x, now.y) == pytest.approx((before.x, before.y + step), abs=0.2)
        assert service.snapshot.notices == ()
        if on_map.find("choice:end-turn") is not None:
            on_map.press("choice:end-turn")
        assert (service.snapshot.state["units"][unit])["activated"]
    assert service.live.sight == "off"


def test_a_move_and_its_action_are_one_step(on_map: Driver) -> None:
    """Undo brings back tray and action together, and both can be done again otherwise."""
    service = on_map.app.service
    unit = marching_unit(on_map)
    side = service.snapshot.state["active"]
    on_map.press("offer:march")
    on_map.press("do-offer")
    before = pose(on_map, unit)
    assert on_map.app.screen.mover.card.gold.disabled  # nothing was moved: nothing to be done
    ahead = before.ahead(1.5)
    drag(on_map, (before.x, before.y), ahead)
    on_map.until(lambda: on_map.app.screen.mover.card.verdict == "yes", 20)
    on_map.press("place")
    assert service.snapshot.state["units"][unit]["activated"]
    assert pose(on_map, unit).x == pytest.approx(ahead[0], abs=0.2)
    on_map.press("undo")
    assert not service.snapshot.state["units"][unit]["activated"]
    assert pose(on_map, unit) == before
    assert service.snapshot.state["active"] == side
    on_map.tap_unit(unit)
    on_map.press("offer:maneuver")
    on_map.press("do-offer")
    on_map.press("stay")
    assert service.snapshot.state["units"][unit]["activated"]
    assert pose(on_map, unit) == before


def marching_unit(on_map: Driver) -> str:
    """A unit whose turn it is and that may march; it is selected."""
    service = on_map.app.service
    while on_map.find("choice:end-turn") is not None:
        on_map.press("choice:end-turn")
    for unit in service.snapshot.prompts[0].pieces:
        if service.where(unit) is not None:
            on_map.tap_unit(unit)
            if on_map.find("offer:march") is not None:
                return unit
    raise AssertionError("nobody may march")


def test_a_move_too_far_is_agreed_upon_or_put_back(on_map: Driver) -> None:
    """The gold button never places what is not legal; what both agree to stands in the log."""
    service, card = on_map.app.service, on_map.app.screen.mover.card
    unit = marching_unit(on_map)
    on_map.press("offer:march")
    on_map.press("do-offer")
    before = pose(on_map, unit)
    aside = before.ahead(0.0, 1.5 if before.x > 24 else -1.5)  # a march goes straight on
    drag(on_map, (before.x, before.y), aside)
    on_map.until(lambda: card.verdict == "no", 20)
    assert card.gold.disabled
    names = on_map.names()
    assert "correct-position" in names
    if "place:maneuver" in names:  # another action explains it, and is offered by its name
        on_map.press("place:maneuver")
        assert service.snapshot.notices == ()
    else:
        on_map.press("agree:march")
        assert "both agree" in str(service.snapshot.state["notes"][-1]["text"])
    assert service.snapshot.state["units"][unit]["activated"]
    assert (pose(on_map, unit).x, pose(on_map, unit).y) == pytest.approx(aside, abs=0.2)


def test_an_action_that_was_put_back_does_not_rule_the_next_drag(on_map: Driver) -> None:
    screen = on_map.app.screen
    mover = screen.mover
    if screen.tool != "select":
        on_map.press(f"tool:{screen.tool}")
    unit = marching_unit(on_map)
    on_map.press("offer:march")
    on_map.press("do-offer")
    assert mover.placing.offer.kind == "march"
    on_map.press("put-back")
    before = pose(on_map, unit)
    drag(on_map, (before.x, before.y), before.ahead(0.0, 1.5 if before.x > 24 else -1.5))
    on_map.until(lambda: mover.card.verdict != "", 20)
    assert mover.unit == unit
    assert mover.placing.offer is None or mover.placing.offer.kind != "march"
    on_map.press("put-back")


def test_a_game_without_a_camera_opens_on_the_map(on_map: Driver) -> None:
    """There is no picture to show: a black one helps nobody."""
    assert on_map.app.view == "picture"  # what players prefer where a camera runs
    assert on_map.app.screen.view == "map"


@pytest.mark.rule("BOW-GEN-2")
def test_a_piece_of_a_board_is_put_elsewhere_by_hand(tmp_path: Path) -> None:
    """What a card's text does, or a cell that was mistapped: also out of turn, and undone."""
    made = opened(tmp_path, (1280, 800))
    service = made.app.service

    def begin() -> None:
        (command,) = find_screen("westeros").practice("westeros")
        assert service.controller.begin({**command, "guide": False}, "game")
        service.controller.do(({"do": "begin"}, {"do": "orders"}, {"do": "orders"}))

    service.ask(begin)
    made.app.go("table")
    made.rest()

    def stands() -> Cell | None:
        table = service.snapshot.gridded
        assert table is not None
        return table.piece(piece.id).cell

    active = service.snapshot.prompts[0].seats
    piece = next(one for one in service.snapshot.pieces if one.seat not in active)
    before = stands()
    made.press("tool:hand")
    assert made.app.screen.mover.take(piece.id)
    made.tap_cell((7, 3))
    made.rest()
    assert made.app.screen.mover.card.verdict == "no"
    made.press("put-by-hand")
    made.rest()
    assert stands() == (7, 3)
    made.press("undo")
    made.rest()
    assert stands() == before
    made.stop()


def test_under_a_camera_the_hand_on_the_table_is_the_first_way(
    on_map: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, service = on_map.app.screen, on_map.app.service
    assert screen.mover.take("b7")
    assert "Drag the tray" in screen.mover.card.told.text
    screen.mover.cancel()
    monkeypatch.setattr(type(service), "live", property(lambda _self: CameraView(sight="live")))
    assert screen.mover.take("b7")
    assert "Move your tray on the table: the camera sees it." in screen.mover.card.told.text
    screen.mover.cancel()


def test_a_tap_on_the_line_of_what_stands_elsewhere_brings_its_card_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_map = map_game(tmp_path)
    service = on_map.app.service
    moves, table = service.controller.moves, service.snapshot.trays
    assert table is not None
    start = table.unit("b7").pose
    end = replace(start, x=start.x + 3.0, y=start.y + 3.0)
    fit: Any = SimpleNamespace(pose=end)
    live = CameraView(sight="live", standings=(TrackedTray("b7", "settled", 1.0, fit, 9.0),))
    for sees in (AppService, CameraSession):
        monkeypatch.setattr(sees, "live", property(lambda _self: live))
    service.ask(lambda: moves.handle_move(TrayMoved("b7", start, end, 0.0, 1.0)))
    on_map.until(lambda: on_map.find("later") is not None, 20)
    on_map.press("later")
    on_map.until(lambda: on_map.find("hint") is not None and on_map.find("later") is None, 20)
    on_map.press("tool:hand")  # a tray under the line is dragged
    on_map.until(lambda: getattr(on_map.find("hint"), "act", "") is None, 20)
    on_map.press("tool:hand")
    on_map.until(lambda: getattr(on_map.find("hint"), "act", None) is not None, 20)
    on_map.press("hint")
    on_map.until(lambda: on_map.find("later") is not None, 20)
    assert [one.unit for one in service.snapshot.notices] == ["b7"]
    on_map.stop()

"""Trays moved by finger: snapping, the verdict while they move, and a game on the map alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.scripted.driver import Driver
from companion.engine.app_words import set_language
from companion.engine.moved_piece import snapped
from companion.games.tmg.play import practice_game
from companion.session.session import Session
from models import Pose, Table
from tests.app.conftest import opened


@pytest.fixture(scope="module")
def on_map(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """A game without a camera, on the map, in the first turn."""
    made = opened(tmp_path_factory.mktemp("map"))
    service, table = made.app.service, Table.load(practice_game.TABLE)

    def begin() -> None:
        assert service.controller.begin(practice_game.set_up(table), "game")
        service.controller.do(practice_game.opening(table))

    service.ask(begin)
    made.app.view = "map"
    made.app.go("table")
    made.rest()
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


def test_turns_are_played_on_the_map_alone(on_map: Driver) -> None:
    """Four turns by touch: choose, act, move the tray where the action wants it, end the turn."""
    app = on_map.app
    service = app.service
    if app.screen.tool != "select":
        on_map.press(f"tool:{app.screen.tool}")
    for unit, step in (("b7", -1.5), ("r2", -2.0), ("b2", 2.0), ("r6", -2.0)):
        on_map.tap_unit(unit)
        on_map.press("offer:maneuver")
        before = pose(on_map, unit)
        on_map.press("tool:hand")
        drag(on_map, (before.x, before.y), (before.x, before.y + step))
        on_map.until(lambda: app.screen.mover.card.verdict in ("yes", "no"), 20)
        card = app.screen.mover.card
        assert card.verdict == "yes", (unit, card.why.text)
        on_map.press("place")
        now = pose(on_map, unit)
        assert (now.x, now.y) == pytest.approx((before.x, before.y + step), abs=0.2)
        assert service.snapshot.notices == ()
        on_map.press("tool:hand")
        if on_map.find("choice:end-turn") is not None:
            on_map.press("choice:end-turn")
        assert (service.snapshot.state["units"][unit])["activated"]
    assert service.live.sight == "off"

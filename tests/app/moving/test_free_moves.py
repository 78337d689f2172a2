"""Free moves that a zone of the tactics board or a card gives, by touch: each is recorded once,
with where its tray went."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kivy.uix.label import Label

from companion.app.scripted.driver import Driver
from companion.games.tmg.play import practice_game
from tests.app.conftest import opened
from tests.app.moving.test_due_moves import drag, melee, pose


def texts(driver: Driver) -> str:
    return "\n".join(one.text for one in driver.widgets() if isinstance(one, Label) and one.text)


@pytest.fixture
def zone(tmp_path: Path) -> Iterator[Driver]:
    """Blue's NCU has claimed the Maneuver zone; b2 stands free, b6 is in melee."""
    made = opened(tmp_path, (1280, 800))
    service = made.app.service

    def begin() -> None:
        table = melee()
        assert service.controller.begin(practice_game.set_up(table), "game")
        service.controller.do(practice_game.opening(table))

    service.ask(begin)
    made.app.go("table")
    made.rest()
    service.do({"do": "activate", "unit": "bn1"}, {"do": "claim", "zone": "maneuver"})
    made.rest()
    yield made
    made.stop()


@pytest.mark.rule("TMG-ZON-6")
def test_a_free_maneuver_is_recorded_once_with_where_it_went(zone: Driver) -> None:
    service, screen = zone.app.service, zone.app.screen
    step, start = service.snapshot.step, pose(zone, "b2")
    zone.press("choice:zone-effect:b2:maneuver")
    zone.press("do-choice")
    assert service.snapshot.step == step, "nothing is recorded before the tray has moved"
    assert screen.mover.unit == "b2"
    drag(zone, (start.x, start.y), (start.x, start.y + 3.0))
    zone.until(lambda: screen.mover.card.verdict == "yes", 20)
    zone.press("place")
    assert service.snapshot.step == step + 1
    assert pose(zone, "b2").y == pytest.approx(start.y + 3.0, abs=0.1)
    assert "Bowmen: maneuver as a free action, 3.0″." in texts(zone)
    assert "last step of" not in texts(zone)
    zone.press("undo")
    assert pose(zone, "b2") == start
    assert zone.find("choice:zone-effect:b2:maneuver") is not None


@pytest.mark.rule("TMG-ZON-6")
def test_a_free_maneuver_is_put_back_before_it_is_recorded(zone: Driver) -> None:
    step = zone.app.service.snapshot.step
    zone.press("choice:zone-effect:b2:maneuver")
    zone.press("do-choice")
    zone.press("put-back")
    assert zone.app.service.snapshot.step == step
    assert zone.find("choice:zone-effect:b2:maneuver") is not None


@pytest.mark.rule("TMG-ZON-6")
def test_the_reach_of_a_free_maneuver_is_no_march(zone: Driver) -> None:
    """A march would be twice as long: only what the zone lets it do is drawn."""
    cache = zone.app.service.controller.overlay.cache
    zone.press("choice:zone-effect:b2:maneuver")
    zone.press("do-choice")
    zone.until(lambda: ("b2", True) in cache._now.scenes, 20)
    moves = {one.style.move for one in cache._now.scenes["b2", True].shapes} - {""}
    assert moves == {"maneuver"}
    zone.press("put-back")
    zone.press("choice:zone-effect:True")
    zone.press("choice:end-turn")
    zone.tap_unit("r2")
    zone.until(lambda: ("r2", True) in cache._now.scenes, 20)
    moves = {one.style.move for one in cache._now.scenes["r2", True].shapes} - {""}
    assert moves == {"maneuver", "march"}


@pytest.mark.rule("TMG-ZON-6")
def test_a_unit_that_has_acted_is_simply_dragged_for_its_free_maneuver(zone: Driver) -> None:
    service, screen = zone.app.service, zone.app.screen
    zone.press("undo")
    for side, unit in (("blue", "b2"), ("red", "r2")):
        zone.rest()
        assert service.snapshot.view is not None
        assert service.snapshot.view.active == (side,)
        service.do({"do": "activate", "unit": unit}, {"do": "action", "action": "forgo"})
        service.do({"do": "end-turn"})
    service.do({"do": "activate", "unit": "bn1"}, {"do": "claim", "zone": "maneuver"})
    zone.rest()
    start, step = pose(zone, "b2"), service.snapshot.step
    drag(zone, (start.x, start.y), (start.x, start.y + 2.0))
    zone.until(lambda: screen.mover.card.verdict == "yes", 20)
    zone.press("place")
    assert service.snapshot.step == step + 1
    assert "Bowmen: maneuver as a free action, 2.0″." in texts(zone)


@pytest.mark.rule("TMG-RET-3", "TMG-RET-7")
def test_a_retreat_dragged_to_its_end_is_legal_and_told(zone: Driver) -> None:
    """A finger is a little beyond the end: it means the end. The line tells where it went, and
    then the pivot of the enemy."""
    service, start = zone.app.service, pose(zone, "b6")
    zone.press("choice:zone-effect:b6:retreat")
    zone.press("do-choice")
    zone.press("die:2")
    far = melee().unit("b6").speed + 2.0
    drag(zone, (start.x, start.y), (start.x, start.y - far - 0.3))
    zone.until(lambda: zone.app.screen.mover.card.verdict == "yes", 20)
    zone.press("place")
    assert pose(zone, "b6").y == pytest.approx(start.y - far, abs=0.001)
    assert f"Greataxes retreat {far:.1f}″." in texts(zone)
    assert service.snapshot.due_move("r7") is not None
    there = pose(zone, "r7")
    zone.press("move-tray")
    zone.press("turn:left:15")
    zone.press("place")
    assert pose(zone, "r7").heading == pytest.approx(there.heading + 15)
    assert "pivot by 15°." in texts(zone)

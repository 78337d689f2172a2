"""The herald: a banner for a new round, and the right sound for what happened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.device.sound import SIGNALS, SoundPlayer
from companion.app.engine.game_view import GameView
from companion.app.engine.snapshot import CameraView, Snapshot
from companion.app.screens.herald import Herald
from companion.app.scripted.driver import Driver
from companion.games.api.outcome import Outcome
from companion.games.api.seats import SeatView

STATE = {"game": "tmg-2021", "round": 1, "first": "red"}
SEATS = (SeatView("blue", "Anna", 1), SeatView("red", "Ben", 2))


class Heard(SoundPlayer):
    def __init__(self) -> None:
        super().__init__(load=lambda path: None, vibrate=lambda long: None)
        self.rung: list[str] = []

    def ring(self, name: str) -> None:
        assert name in SIGNALS
        self.rung.append(name)


def snapshot(outcome: Outcome | None = None, active: str = "blue", round_: int = 1) -> Snapshot:
    view = GameView(SEATS, (active,), outcome=outcome)
    return Snapshot(path="a", state={**STATE, "round": round_}, view=view)


@pytest.mark.parametrize(
    ("after", "sound"),
    [
        (snapshot(Outcome("Passed.", tone="good")), "done"),
        (snapshot(Outcome("Failed.", tone="bad")), "refused"),
        (snapshot(Outcome("Rolled.", dice=(3, 4))), "dice"),
        (snapshot(active="red"), "turn"),
    ],
)
def test_every_event_has_its_sound(after: Snapshot, sound: str) -> None:
    bell = Heard()
    herald = Herald(bell, lambda: None)
    herald.hear(snapshot())
    herald.hear(after)
    herald.hear(replace(after, number=9))  # the same once more says nothing
    assert bell.rung == [sound]


def test_another_game_is_not_announced() -> None:
    bell = Heard()
    herald = Herald(bell, lambda: None)
    herald.hear(snapshot())
    herald.hear(replace(snapshot(Outcome("Passed.", tone="good")), path="b"))
    assert not bell.rung


def test_a_lost_camera_knocks_once() -> None:
    bell = Heard()
    herald = Herald(bell, lambda: None)
    for sight in ("off", "starting", "live", "lost", "lost", "live"):
        herald.look(CameraView(sight=sight))
    assert bell.rung == ["lost"]


def test_a_new_round_unrolls_a_banner_that_swallows_no_tap(driver: Driver) -> None:
    app = driver.app
    herald = app.herald
    herald.bell = Heard()
    herald.hear(snapshot())
    herald.hear(snapshot(round_=2))
    driver.steps(3)
    assert herald.banner is not None
    assert "2" in herald.banner.title.text
    assert "Ben" in herald.banner.under.text
    assert herald.banner.width == app.root_layer.width
    driver.press("settings")
    assert app.place == "settings"
    assert herald.banner is None


def test_without_motion_no_banner_drops_in(driver: Driver) -> None:
    from dataclasses import replace

    app = driver.app
    app.prefer(replace(app.service.preferences, motion=False))
    app.herald.unroll(app.service.snapshot, "Round 2", "", "")
    assert app.herald.banner is None
    app.prefer(replace(app.service.preferences, motion=True))
    app.herald.unroll(app.service.snapshot, "Round 2", "", "")
    assert app.herald.banner is not None
    app.herald.close()

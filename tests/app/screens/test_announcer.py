"""The announcer: a banner for a new round, and the right sound for what happened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.app.device.sound import SIGNALS, SoundPlayer
from companion.app.screens.announcer import Announcer, BigBanner
from companion.app.scripted.driver import Driver
from companion.engine.snapshot import CameraView, Snapshot
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import Outcome
from companion.session.game_view import GameView

STATE = {"game": "tmg-2021", "round": 1, "first": "red"}
SEATS = (SeatView("blue", "Anna", 1), SeatView("red", "Ben", 2))


class Heard(SoundPlayer):
    def __init__(self) -> None:
        super().__init__(load=lambda path: None, vibrate=lambda long: None)
        self.played: list[str] = []

    def play(self, name: str) -> None:
        assert name in SIGNALS
        self.played.append(name)


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
    sounds = Heard()
    announcer = Announcer(sounds, lambda: None)
    announcer.announce(snapshot())
    announcer.announce(after)
    announcer.announce(replace(after, number=9))  # the same once more says nothing
    assert sounds.played == [sound]


def test_another_game_is_not_announced() -> None:
    sounds = Heard()
    announcer = Announcer(sounds, lambda: None)
    announcer.announce(snapshot())
    announcer.announce(replace(snapshot(Outcome("Passed.", tone="good")), path="b"))
    assert not sounds.played


def test_a_lost_camera_knocks_once() -> None:
    sounds = Heard()
    announcer = Announcer(sounds, lambda: None)
    for sight in ("off", "starting", "live", "lost", "lost", "live"):
        announcer.watch_camera(CameraView(sight=sight))
    assert sounds.played == ["lost"]


def test_a_new_round_unrolls_a_banner_that_swallows_no_tap(driver: Driver) -> None:
    app = driver.app
    announcer = app.announcer
    announcer.sounds = Heard()
    announcer.announce(snapshot())
    announcer.announce(snapshot(round_=2))
    driver.steps(3)
    assert announcer.banner is not None
    assert "2" in announcer.banner.title.text
    assert "Ben" in announcer.banner.under.text
    assert announcer.banner.width == app.root_layer.width
    driver.press("settings")
    assert app.place == "settings"
    assert announcer.banner is None


def test_without_motion_no_banner_drops_in(driver: Driver) -> None:
    from dataclasses import replace

    app = driver.app
    app.prefer(replace(app.service.preferences, motion=False))
    app.announcer.show_banner(app.service.snapshot, "Round 2", "", "")
    assert app.announcer.banner is None
    app.prefer(replace(app.service.preferences, motion=True))
    app.announcer.show_banner(app.service.snapshot, "Round 2", "", "")
    assert app.announcer.banner is not None
    app.announcer.close()


def test_a_banner_begins_with_a_capital_letter(driver: Driver) -> None:
    """“round 1 begins” stood in large letters."""
    announcer = driver.app.announcer
    announcer.show_banner(driver.app.service.snapshot, "round 1 begins", "anna rolls", "")
    assert announcer.banner is not None
    assert announcer.banner.title.text == "Round 1 begins"
    announcer.close()


def test_a_banner_is_as_high_as_its_words(driver: Driver) -> None:
    """Upright a long sentence takes four lines."""
    layer = driver.app.root_layer
    banner = BigBanner(0, "flag", "Stark behält 1 Karte. " * 9, "Befehlswürfel", lambda: None)
    layer.add_widget(banner)
    banner.width = 500
    driver.steps(6)
    assert banner.y < banner.under.y
    assert banner.title.top < banner.top
    layer.remove_widget(banner)

"""Phones beside the app: joined from the menu, shown on the tablet, secrets on their own phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.app.scripted.driver import Driver
from companion.engine.turn.handles import LookTap
from companion.web.server import PhoneServer
from tests.web.served import HERE, Screen


@pytest.fixture
def server(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneServer]:
    """A practice card game on the tablet, and phones let in by taps."""
    monkeypatch.setattr("companion.web.tablet_phones.home_address", lambda: HERE)
    app = driver.app
    app.start_practice("thrones")
    driver.rest()
    app.go("table")
    driver.rest()
    assert app.phones.server is None, "nothing listens unless asked"
    app.go("phones")
    driver.rest()
    driver.press("phones-on")
    driver.rest()
    assert app.phones.server is not None
    yield app.phones.server
    app.phones.stop()


def test_what_a_phone_does_is_shown_on_the_tablet_and_back(
    driver: Driver, server: PhoneServer
) -> None:
    anna = Screen(server, "p1")
    keep = next(one for one in anna.parts["prompts"][0]["choices"] if one["text"] == "Keep")
    before = driver.app.service.snapshot.state["seq"]
    assert anna.act({"tap": keep["tap"]})["ok"]
    driver.rest()
    assert driver.app.service.snapshot.state["seq"] == before + 1
    driver.app.service.do({"do": "undo"})
    driver.rest()
    anna.until(lambda: anna.parts["prompts"][0]["title"].startswith("Anna"))


@pytest.mark.slow
def test_the_tablet_hides_what_is_on_a_phone(driver: Driver, server: PhoneServer) -> None:
    app = driver.app
    Screen(server, "p1")
    page = next(page for page, seat in app.service.snapshot.secrets if seat == "p1")
    app.look_alone(LookTap("p1", "page", page))
    driver.rest()
    assert "uncover" not in driver.names()
    app.close_sheet()
    app.look_alone(LookTap("p2", "page", page))
    driver.rest()
    assert "uncover" in driver.names()
    app.close_sheet()


def test_it_is_thrown_out_and_turned_off_by_taps(driver: Driver, server: PhoneServer) -> None:
    Screen(server, "p2")
    driver.until(lambda: "throw-out:p2" in driver.names())
    driver.press("throw-out:p2")
    driver.rest()
    assert server.people() == ()
    driver.press("phones-off")
    driver.rest()
    assert driver.app.phones.server is None


@pytest.mark.slow
def test_a_newcomer_lets_phones_in_from_home(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.tablet_phones.home_address", lambda: HERE)
    before = driver.taps
    driver.press("step-phones")
    driver.until(lambda: bool(driver.app.service.snapshot.seats), 60)
    driver.press("phones-on")
    driver.rest()
    assert driver.taps - before == 2
    server = driver.app.phones.server
    assert server is not None
    assert Screen(server, "blue").parts["prompts"]
    driver.app.phones.stop()

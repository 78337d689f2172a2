"""The first screen: every game one tap away, past games with their picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from kivy.core.window import Window

from companion.app.render.home_pictures import MiniTable
from companion.app.scripted.driver import Driver
from companion.engine.app_words import set_language
from companion.engine.files.draft import Draft, drafted_games
from companion.engine.turn.handles import LookTap
from companion.session.game_lookup import every_screen, game_title
from tests.app.conftest import opened
from tests.app.fits import cut, faults


@pytest.mark.slow
def test_every_game_has_a_button_that_opens_its_wizard(driver: Driver) -> None:
    drafting = driver.app.service.drafting
    names = [name for name in driver.names() if name == "new" or name.startswith("new:")]
    assert len(names) >= 2
    for name in reversed(names):
        driver.press(name)
        wanted = name.partition(":")[2]
        assert drafting.draft.game == wanted or (not wanted and drafting.draft.game)
        assert drafting.draft.game in drafted_games()
        driver.press("back")
    # A draft of the same game is kept.
    driver.app.service.drafting.plan(replace(drafting.draft, minutes=30))
    driver.press("new")
    assert drafting.draft.minutes == 30


@pytest.mark.slow
def test_past_games_show_their_table(tmp_path: Path) -> None:
    driver = opened(tmp_path, (1280, 800))
    try:
        for _game in range(2):
            driver.press("practice")
            driver.until(lambda: driver.app.service.snapshot.prompts, 60)
            driver.app.leave()
            driver.rest()
        pictures = [one for one in driver.widgets() if isinstance(one, MiniTable)]
        assert len(pictures) == 2  # the game to resume, and the one before it
        assert all(len(one.table.units) == 14 for one in pictures)
        sizes = {"en": (1280, 800), "de": (800, 1280), "ru": (1024, 600)}
        for language, size in sizes.items():
            Window.size = size
            driver.app.prefer(replace(driver.app.service.preferences, language=language, text=1.4))
            driver.steps(6)
            assert [*faults(driver), *cut(driver)] == [], (language, size)
    finally:
        driver.stop()
        set_language("en")


@pytest.mark.parametrize("name", ["step-print", "step-camera"])
def test_the_first_steps_lead_somewhere(driver: Driver, name: str) -> None:
    driver.press(name)
    assert driver.app.place != "home"


def test_who_is_alone_needs_no_cover_over_a_hand(driver: Driver) -> None:
    driver.press("alone")
    driver.press("practice:thrones")
    driver.rest()
    driver.app.look_alone(LookTap("p1", "page", "plots"))
    driver.steps(10)
    assert driver.find("uncover") is None
    driver.app.close_sheet()
    driver.app.look_alone(LookTap("p2", "page", "plots"))  # nobody is the rival
    driver.steps(10)
    assert driver.find("uncover") is not None


@pytest.mark.slow
def test_who_is_alone_plays_the_app_after_two_taps(driver: Driver) -> None:
    """Also in the wizard: the other seat is the rival's."""
    driver.press("alone")
    driver.press("new")
    assert [seat.rival for seat in driver.app.service.drafting.draft.seats] == ["", "captain"]
    driver.press("back")
    driver.press("alone")
    driver.press("practice")
    driver.until(lambda: driver.app.service.snapshot.prompts, 60)
    view = driver.app.service.snapshot.view
    assert view is not None
    assert view.rivals == ("red",)
    assert [one.name for one in view.seats] == ["Blue", "Rival"]


def test_the_practice_table_names_its_game(driver: Driver) -> None:
    """Who came for Battles of Westeros was led to the miniatures by the golden key."""
    key = driver.find("practice")
    told = " ".join(str(getattr(one, "text", "")) for one in driver.widgets(key))
    usual = Draft.fresh().game
    screen = next(one for one in every_screen() if usual in one.games)
    assert game_title(screen, usual) in told
    assert [*faults(driver), *cut(driver)] == []


def test_a_table_named_at_the_start_is_told_where_it_is_played(
    driver: Driver, tmp_path: Path
) -> None:
    driver.app.service.controller.practice_file = tmp_path / "mine.table.json"
    driver.app.go("home")
    driver.rest()
    texts = [str(getattr(one, "text", "")) for one in driver.widgets()]
    assert any("mine.table.json" in one for one in texts)

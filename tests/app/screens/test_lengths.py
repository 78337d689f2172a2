"""Every length a player sees is told in the unit that was chosen: on buttons, maps and pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from companion.app.scripted.driver import Driver
from companion.engine.files.preferences import Preferences
from companion.games import every, package_of
from companion.games.tmg.play import practice_game
from companion.overlay.shapes import Label
from companion.session.session import Session
from companion.text.translation import translate
from models import Table
from models.pose import Pose
from tests.app.conftest import opened
from tests.app.fits import faults
from tests.app.new_game.test_wizard import RED, draft, paste, spot
from tests.trials import trials

pytestmark = pytest.mark.slow

INCHES = re.compile(r'\d\s?[″"]|\binch|\bZoll|дюйм')
CHOICES = {"centimetres", "Zentimeter", "inches", "Zoll", "сантиметры", "дюймы"}
"""The two buttons of the settings that name a unit themselves."""
LANGUAGES = ("de", "ru", "en")[: trials(1, 3)]


def shown(driver: Driver) -> Iterator[str]:
    """Everything that is written on the screen."""
    driver.steps(3)
    yield from (one.text for one in driver.widgets() if getattr(one, "text", ""))


def drawn(driver: Driver, unit: str | None) -> Iterator[str]:
    """Everything that is written on the map."""
    cache = driver.app.service.controller.overlay.cache
    shapes = cache._scene(cache._now, (unit, True)).shapes
    yield from (one.text for one in shapes if isinstance(one, Label))


def in_inches(texts: Iterator[str]) -> list[str]:
    """The texts that speak of inches."""
    return [text for text in texts if INCHES.search(text) and text.lstrip("✓ ") not in CHOICES]


@pytest.fixture(scope="module")
def metric(game: Driver) -> Driver:
    """The practice table, read in centimetres."""
    game.app.prefer(Preferences(units="cm"))
    game.rest()
    return game


def speaks(driver: Driver, language: str) -> None:
    driver.app.prefer(replace(driver.app.service.preferences, language=language))
    driver.rest()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_units_offers_refusals_and_drawn_answers(metric: Driver, language: str) -> None:
    speaks(metric, language)
    refused = 0
    for unit in ("b2", "b6"):
        metric.tap_unit(unit)
        assert in_inches(shown(metric)) == []
        assert in_inches(drawn(metric, unit)) == []
        here = metric.app.service.snapshot.offers
        sign = "см" if language == "ru" else "cm"
        refused += sum(sign in translate(offer.reason) for offer in here)
        assert faults(metric) == []
    assert refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_game_says_to_a_charge(metric: Driver, language: str) -> None:
    speaks(metric, language)
    metric.tap_unit("b6")
    metric.press("do-offer")
    metric.press("die:6")
    state = metric.app.service.snapshot.state
    told = [translate(line["title"]) for line in state["log"]]
    assert in_inches(iter(told)) == []
    assert any(("см" if language == "ru" else "cm") in title for title in told)
    assert in_inches(shown(metric)) == []
    for _step in range(8):
        if metric.app.service.snapshot.prompts[0].id == "turn-start":
            break
        metric.press("undo")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tray_that_was_moved(metric: Driver, language: str) -> None:
    speaks(metric, language)
    table = metric.app.service.snapshot.trays
    assert table is not None
    pose = table.unit("b4").pose
    metric.app.service.ask(
        partial(
            metric.app.service.controller.moves.explain,
            "b4",
            Pose(pose.x, pose.y + 14, pose.heading),
        )
    )
    metric.rest()
    notice = metric.app.service.snapshot.notice
    assert notice is not None
    assert not notice.legal
    title, detail = translate(notice.title), translate(notice.detail)
    assert in_inches(iter((title, detail))) == []
    assert f"35{'.' if language == 'en' else ','}6" in title
    metric.press("correct")


def test_another_unit_changes_what_is_shown_at_once(metric: Driver) -> None:
    speaks(metric, "en")
    metric.tap_unit("b2")
    metric.press("why-not")
    assert any(re.search(r"\d cm", text) for text in shown(metric))
    # Another preference builds the screen anew, with the reasons folded away.
    metric.app.prefer(replace(metric.app.service.preferences, units="in"))
    metric.rest()
    metric.press("why-not")
    assert in_inches(shown(metric))
    assert not any(re.search(r"\d cm", text) for text in (*shown(metric), *drawn(metric, "b2")))
    metric.app.prefer(replace(metric.app.service.preferences, units="cm"))
    metric.rest()
    metric.press("why-not")
    assert in_inches(shown(metric)) == []
    assert any(re.search(r"\d cm", text) for text in shown(metric))


@pytest.mark.long
def test_pages(driver: Driver) -> None:
    for language in LANGUAGES:
        driver.app.prefer(Preferences(units="cm", language=language))
        for place in ("home", "camera", "print", "settings"):
            driver.app.go(place)
            assert in_inches(shown(driver)) == [], place
        driver.app.screen.turn_to("trays")
        assert in_inches(shown(driver)) == []
        for package in map(package_of, every()) if language == "en" else ["tmg"]:
            driver.app.screen.read_of(package)
            assert in_inches(shown(driver)) == [], package
        driver.app.screen.turn_to("general")


@pytest.mark.long
def test_the_steps_of_a_new_game(driver: Driver) -> None:
    driver.press("new")
    driver.press("step:armies")
    paste(driver, "stark;10201,20201,10201")
    driver.press("choice:red")
    paste(driver, RED)
    driver.press("step:place")
    pose = draft(driver).table.unit("b1").pose
    driver.drag(spot(driver, pose.x, pose.y), spot(driver, pose.x, 20))  # too far ahead
    driver.rest()
    for language in LANGUAGES:
        driver.app.prefer(Preferences(units="cm", language=language))
        for number in range(8) if language == "en" else (0, 5, 6):
            driver.app.screen.open(number)
            driver.rest()
            step = driver.app.screen.steps[number].id
            assert in_inches(shown(driver)) == [], (step, language)
        driver.app.screen.open(6)
        driver.rest()
        assert any(re.search(r"\d (cm|см)", text) for text in shown(driver)), language


def test_the_report_of_a_game(tmp_path: Path) -> None:
    table = Table.load(practice_game.TABLE)
    retreat = {"do": "action", "action": "retreat", "faces": [3]}
    (tmp_path / "games").mkdir()
    with Session.open(tmp_path / "games" / "practice-1.game") as session:
        session.answer(practice_game.set_up(table))
        for command in (*practice_game.opening(table), {"do": "activate", "unit": "b1"}, retreat):
            assert session.answer(command)["ok"]
    driver = opened(tmp_path)
    driver.press("game:practice-1")
    for language in LANGUAGES:
        driver.app.prefer(Preferences(units="cm", language=language))
        driver.press("report-game")
        driver.until(lambda: driver.app.waiting is None, 60)
        assert any(re.search(r"\d (cm|см)", text) for text in shown(driver)), language
        assert in_inches(shown(driver)) == []
        driver.press("back")
    driver.stop()

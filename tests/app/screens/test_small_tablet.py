"""The card of a board game on a small tablet: what a player needs next is in sight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.render.theme import bare
from companion.app.scripted.driver import Driver
from companion.app.widgets.controls import Text, TouchButton
from companion.engine.app_words import _
from tests.app.conftest import opened
from tests.app.fits import faults
from tests.app.screens.test_any_game import words

SIZES = [(1024, 600), (800, 1280)]
ORDERS: dict[str, Any] = {"do": "orders", "faces": ["B", "G", "M", "V"]}
LANCE: list[dict[str, Any]] = [
    {"do": "activate", "figure": "b1"},
    {"do": "end"},
    {"do": "activate", "figure": "r1"},
    {"do": "place", "figure": "r1", "to": "3,2"},
    {"do": "attack", "target": "b1", "attack": "Lance"},
    {"do": "roll", "hits": 2},
]


@pytest.fixture(params=SIZES, ids=str)
def german(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Driver]:
    driver = opened(tmp_path, request.param)
    driver.app.prefer(replace(driver.app.service.preferences, language="de", dice="faces"))
    driver.rest()
    yield driver
    driver.app.service.leave()
    driver.rest()
    driver.stop()


def begun(driver: Driver, game: str, *commands: dict[str, Any]) -> None:
    """The practice of a game on its map, after these commands."""
    driver.app.service.start_practice(game)
    driver.app.go("table")
    driver.rest()
    driver.app.screen.show_as("map")
    driver.press_if("choice:begin")
    driver.app.service.do(*commands)
    driver.rest()
    driver.until(lambda: driver.app.announcer.banner is None, 20)
    driver.steps(12)


def in_sight(driver: Driver, widget: Any) -> bool:
    """Whether a widget of the card is seen whole without scrolling."""
    panel = driver.app.screen.panel
    rows = panel.rows
    low, high = rows.to_window(rows.x, rows.y)[1], rows.to_window(rows.x, rows.top)[1]
    bottom = widget.to_window(widget.x, widget.y)[1]
    return any(one is widget for one in panel.foot.walk()) or (
        low - 1 <= bottom <= high + 1 - widget.height
    )


def test_what_a_house_has_and_the_pass_are_in_sight(german: Driver) -> None:
    """Tokens, cards, raising morale and the pass lay under a cut row of units."""
    begun(german, "westeros", ORDERS, ORDERS)
    assert german.app.service.snapshot.prompts[0].id == "turn"
    told = bare(words(german)).replace("\u00a0", " ")
    assert "▲ ● ★ ⚑ · 3 Kommandokarten · 3 Kommandomarker" in told
    rows = ("choice:pass", "choice:morale:raise", "unit:l1")
    for name in rows:
        found = german.find(name)
        assert found is not None, german.names()
        assert in_sight(german, found), name
    assert faults(german) == []
    german.press("choice:pass")
    assert german.app.service.snapshot.prompts[0].seats == ("lannister",), "a row only shows"
    german.press("do-choice")
    assert german.app.service.snapshot.prompts[0].seats == ("stark",)


def test_every_face_of_a_defence_is_in_sight(german: Driver) -> None:
    """Six of ten faces lay under the fold."""
    begun(german, "tactics", *LANCE)
    asked = german.app.service.snapshot.prompts[0]
    assert asked.id == "defence-roll"
    assert asked.dice is not None
    assert asked.dice.count == 2
    keys = [one for one in german.widgets() if str(getattr(one, "name", "")).startswith("die:")]
    assert len(keys) == 10
    assert all(in_sight(german, one) for one in keys)
    assert all(one.height >= 48 for one in keys)
    assert faults(german) == []


def test_what_an_activated_figure_may_do_is_in_sight(german: Driver) -> None:
    """One and a half of its actions were to be seen."""
    begun(german, "tactics", {"do": "activate", "figure": "b1"})
    offers = [
        one
        for one in german.app.screen.panel.rows.walk()
        if isinstance(one, TouchButton) and one.name.startswith("offer:")
    ]
    assert len([one for one in offers if in_sight(german, one)]) >= 2


def test_how_many_order_dice_are_left_is_in_sight(german: Driver) -> None:
    """“3 of 4 left” lay under the keys, below the edge of the card."""
    begun(german, "westeros")
    german.press("die:4")
    panel = german.app.screen.panel
    told = [one for one in panel.rows.walk() if isinstance(one, Text) and "3 von 4" in one.text]
    assert told
    assert all(in_sight(german, one) for one in told)


def test_keys_of_units_have_whole_names_where_they_fit(german: Driver) -> None:
    """“Schwere Inf.” stood on a key as wide as a third of the screen."""
    begun(german, "westeros", ORDERS, ORDERS)
    keys = {
        one.name.partition(":")[2]: one.text
        for one in german.app.screen.panel.rows.walk()
        if isinstance(one, TouchButton) and one.name.startswith("unit:")
    }
    assert keys
    service = german.app.service
    long = [unit for unit in keys if _(service.snapshot.name(unit)) == keys[unit]]
    upright = german.app.screen.height > german.app.screen.width
    assert len(long) > len(keys) / 2 if upright else len(long) < len(keys)


def test_the_list_of_the_score_reaches_the_edge(german: Driver) -> None:
    """Its last line was cut a hundred pixels above the edge, over nothing."""
    begun(german, "westeros", ORDERS, ORDERS)
    german.app.go("score")
    german.rest()
    german.steps(6)
    page = german.app.screen
    assert page.list.to_window(page.list.x, page.list.y)[1] < 30


ROLLS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "attack-roll": ("tactics", LANCE[:5]),
    "defence-roll": ("tactics", LANCE),
    "orders": ("westeros", []),
}


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 800), (1024, 640), (1024, 600)], ids=str)
@pytest.mark.parametrize("asked", ROLLS)
def test_keys_and_ways_to_enter_dice_lie_above_the_fold(
    asked: str, size: tuple[int, int], tmp_path: Path
) -> None:
    """Heading, facts and the name of who rolls pushed them out at ten inches, too."""
    driver = opened(tmp_path, size)
    game, commands = ROLLS[asked]
    begun(driver, game, *commands)
    for language, how in (("de", "faces"), ("en", "faces"), ("de", "count"), ("en", "count")):
        driver.app.prefer(replace(driver.app.service.preferences, language=language, dice=how))
        driver.rest()
        driver.steps(6)
        assert driver.app.service.snapshot.prompts[0].id == asked
        starts = ("die:", "count:", "dice:")
        found = [one for one in driver.names() if one.startswith(starts)]
        assert len(found) >= 5
        below = [one for one in found if not in_sight(driver, driver.find(one))]
        if size == (1024, 600) and (asked, how) == ("defence-roll", "faces"):
            # a row that is announced before the roll lies above ten keys: there is no more room
            below = [one for one in below if not one.startswith("dice:")]
        assert below == []
    driver.app.service.leave()
    driver.rest()
    driver.stop()


def test_a_card_is_laid_for_the_height_that_it_has(tmp_path: Path) -> None:
    """After a preference was changed it was laid for a column without height, and the guide's
    reasons were gone."""
    driver = opened(tmp_path, (1280, 800))
    begun(driver, "tactics", *LANCE[:5])
    driver.app.prefer(replace(driver.app.service.preferences, language="de"))
    driver.rest()
    driver.steps(6)
    guide = driver.app.screen.panel.view.guide
    assert guide is not None
    assert bare(guide.why) in bare(words(driver))
    driver.app.service.leave()
    driver.rest()
    driver.stop()

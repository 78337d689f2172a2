"""Buttons beside each other are equally high, and a kept button keeps nothing else alive."""

from __future__ import annotations

import gc
import weakref
from itertools import groupby
from typing import Any

import pytest

from companion.app.scripted.driver import Driver
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.layouts import ButtonGrid, ButtonRow, grid, row
from companion.app.widgets.page import head_title
from companion.app.widgets.score_chart import apart

pytestmark = pytest.mark.slow

LONG = "many words " * 6


def lines_of(driver: Driver, prefix: str) -> list[list[Any]]:
    """The buttons whose names begin so, those beside each other together."""
    found = [one for one in driver.widgets() if str(getattr(one, "name", "")).startswith(prefix)]
    by_top = sorted(found, key=lambda one: (one.parent.uid, round(one.top), one.x))
    return [list(few) for _, few in groupby(by_top, lambda one: (one.parent.uid, round(one.top)))]


@pytest.mark.parametrize("make", [row, lambda *few: grid(few, 2)])
def test_a_kept_button_keeps_no_shelf_it_lay_on(driver: Driver, make: Any) -> None:
    kept, before = TouchButton("kept"), list[weakref.ref[Any]]()
    heard = len(kept.get_property_observers("needed"))
    for _panel in range(40):
        if kept.parent is not None:
            kept.parent.remove_widget(kept)
        shelf = make(kept, TouchButton(LONG))
        before += [weakref.ref(shelf), weakref.ref(shelf.children[0])]
    assert len(kept.get_property_observers("needed")) == heard + 1
    kept.parent.remove_widget(kept)
    assert len(kept.get_property_observers("needed")) == heard
    del shelf
    driver.steps(3)  # what is to be laid out is held by the clock until then
    gc.collect()
    assert [one for one in before if one() is not None] == []


def test_a_button_alone_again_is_as_high_as_it_needs(driver: Driver) -> None:
    short, long = TouchButton("one"), TouchButton(LONG, size_hint_x=None, width=120)
    shelf = row(short, long)
    driver.app.frame.add_widget(shelf)
    driver.steps(6)
    assert short.height == long.height > 100
    shelf.remove_widget(long)
    driver.steps(3)
    assert short.height == shelf.height < 60
    shelf.add_widget(long)
    driver.steps(6)
    assert short.height == long.height > 100
    shelf.remove_widget(short)
    assert short.height < 60


def test_each_row_of_a_grid_has_its_own_height(driver: Driver) -> None:
    short, long = [TouchButton(f"{n}") for n in range(3)], TouchButton(LONG, under=LONG)
    box = grid([short[0], long, short[1], short[2]], 2)
    driver.app.frame.add_widget(box)
    for width in (260, 900, 300):
        box.size_hint_x, box.width = None, width
        driver.steps(6)
        assert short[0].height == long.height == long.needed
        assert short[1].height == short[2].height == short[1].needed
    assert box.children[-1] is short[0]


def test_rows_of_earlier_cards_go(game: Driver) -> None:
    units = ("b2", "b6")
    for unit in units:
        game.tap_unit(unit)
        game.steps(4)
    gc.collect()
    before = alive(ButtonGrid, ButtonRow), alive(OptionRow)
    for _again in range(2):
        for unit in units:
            game.tap_unit(unit)
    gc.collect()
    shelves, rows = before
    assert alive(ButtonGrid, ButtonRow) <= shelves
    assert alive(OptionRow) <= rows


def alive(*kinds: type) -> int:
    """How many widgets of these kinds there are in all."""
    return sum(type(one) in kinds for one in gc.get_objects())


def test_a_word_too_long_for_its_line_is_parted_with_a_hyphen() -> None:
    """And is whole again where there is room."""
    text = Text("Herausforderungsphase")
    text.width = 90
    first, *rest = text.text.split("-\n")
    assert rest
    assert "".join([first, *rest]) == "Herausforderungsphase"
    text.set_text("Herrschaftsphasenende")
    assert "-\n" in text.text
    text.width = 400
    assert text.text == "Herrschaftsphasenende"


def test_the_last_scores_of_a_chart_keep_apart_and_in_their_order_within_the_frame() -> None:
    assert apart([0, 0, 0, 90], 18, 0, 100) == [0, 18, 36, 90]
    assert apart([95, 95, 100], 18, 0, 100) == [64, 82, 100], "the highest stays in the frame"
    assert apart([], 18, 0, 100) == []


def test_a_long_title_of_a_page_keeps_its_beginning_in_one_line(driver: Driver) -> None:
    text = head_title("House Stark of Winterfell : House Lannister of Casterly Rock, twice")
    text.size_hint, text.size = (None, None), (300, 40)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(text)
    driver.steps(4)
    assert text.is_shortened
    assert text.shorten_from == "right"

"""A toast keeps no button from being pressed."""

from __future__ import annotations

from functools import partial

import pytest
from kivy.uix.boxlayout import BoxLayout

from companion.app.scripted.driver import Driver
from companion.app.widgets.controls import TouchButton
from companion.app.widgets.toasts import touchable


def page(driver: Driver, *, full: bool) -> list[str]:
    """A screen with a button above and below, or full of them; returns what is pressed."""
    pressed: list[str] = []
    box = BoxLayout(orientation="vertical")
    for name in ("a", "b", "c", "d") if full else ("a", "", "", "d"):
        button = TouchButton(name, partial(pressed.append, name) if name else None)
        button.size_hint_y = 1
        box.add_widget(button)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(box)
    driver.app.toasts.over()
    driver.steps(4)
    return pressed


@pytest.mark.slow
def test_a_toast_lies_where_no_button_is(driver: Driver) -> None:
    page(driver, full=False)
    driver.app.toast("a sentence")
    driver.steps(4)
    (card,) = driver.app.toasts.children
    for left, top, right, low in touchable(driver.app.frame):
        apart = card.right <= left or right <= card.x or card.top <= low or top <= card.y
        assert apart


def test_a_button_under_a_toast_gets_the_tap(driver: Driver) -> None:
    pressed = page(driver, full=True)
    driver.app.toast("a sentence")
    driver.steps(4)
    (card,) = driver.app.toasts.children
    driver.touch(*card.center)
    assert len(pressed) == 1
    assert not driver.app.toasts.children


def test_a_tap_on_a_toast_alone_only_closes_it(driver: Driver) -> None:
    pressed = page(driver, full=False)
    driver.app.toast("a sentence")
    driver.steps(4)
    (card,) = driver.app.toasts.children
    driver.touch(*card.center)
    assert pressed == []
    assert not driver.app.toasts.children

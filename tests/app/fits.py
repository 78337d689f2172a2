"""Whether everything on a screen can be read and touched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kivy.core.window import Window
from kivy.metrics import dp

from companion.app.render.theme import TARGET_DP, line_width, widest_word
from companion.app.scripted.driver import Driver, ancestors
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.icon import Die
from companion.app.widgets.playing_card import PlayingCard

SLACK = 1.5


def faults(driver: Driver) -> list[str]:
    """Everything that is cut off, squeezed, or too small to be touched."""
    return [*words(driver), *targets(driver)]


def seen(driver: Driver) -> Iterator[Any]:
    """What is on the screen and not faded out."""
    for widget in driver.widgets():
        if widget.opacity > 0 and all(above.opacity > 0 for above in ancestors(widget)):
            yield widget


def words(driver: Driver) -> Iterator[str]:
    """Words that do not fit where they stand."""
    for one in seen(driver):
        if not isinstance(one, Text) or not one.text:
            continue
        wide, high = one.texture_size
        look = (one.text, one.font_size, one.font_name, bool(one.bold))
        if widest_word(*look) > one.width + SLACK:
            yield f"{one.text!r}: a word is broken at {one.width:.0f}"
        if one.shorten:  # long titles may end in dots, but in one line that is not cut
            high = min(high, one.font_size * 1.4)
        if wide > one.width + SLACK or high > one.height + SLACK:
            yield f"{one.text!r} needs {wide}x{high}, has {one.width:.0f}x{one.height:.0f}"
        (left, bottom), (wide, high) = one._drawn.pos, one.texture_size
        beside = (left + wide / 2 - one.center_x, bottom + high / 2 - one.center_y)
        if max(map(abs, beside)) > SLACK:
            yield f"{one.text!r} is drawn {beside[0]:.0f}, {beside[1]:.0f} beside its place"
        x, _ = one.to_window(one.x, one.y)
        if x < -SLACK or x + one.width > Window.width + SLACK:
            yield f"{one.text!r} lies outside: {x:.0f}..{x + one.width:.0f}"


def cut(driver: Driver) -> Iterator[str]:
    """Lines that end in dots for want of room."""
    for one in seen(driver):
        if isinstance(one, Text) and one.text and one.shorten:
            look = (one.text, one.font_size, one.font_name, bool(one.bold))
            rows = max(1, int(one.height // (one.font_size * 1.1)))
            room = one.width * min(one.max_lines or 1, rows)
            if line_width(*look) > room + SLACK:
                yield f"{one.text!r} is cut at {one.width:.0f}"


def targets(driver: Driver) -> Iterator[str]:
    """Buttons smaller than a fingertip, or outside."""
    for one in seen(driver):
        if not isinstance(one, TouchButton | Die | PlayingCard) or getattr(one, "act", 0) is None:
            continue
        if one.height < dp(TARGET_DP) - SLACK or one.width < dp(TARGET_DP) - SLACK:
            yield f"{one.name} is {one.width:.0f}x{one.height:.0f}"
        x, _ = one.to_window(one.x, one.y)
        if x < -SLACK or x + one.width > Window.width + SLACK:
            yield f"{one.name} lies outside: {x:.0f}..{x + one.width:.0f}"

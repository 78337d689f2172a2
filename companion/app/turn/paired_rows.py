"""Short rows and lines of a card beside each other: a card that is wide and low shows more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kivy.uix.widget import Widget

from companion.app.render.theme import SPARE, THEME, lines_needed
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import Text
from companion.app.widgets.layouts import grid

HIGHEST = 4
"""A row that would take more lines than this in half the width keeps all of it."""


def paired(widgets: Sequence[Widget], wide: float) -> Iterator[Widget]:
    """The widgets of a card so wide, with two short neighbours of a kind beside each other."""
    half = (wide - THEME.gap("small")) / 2
    waiting: Widget | None = None
    for one in widgets:
        if waiting is not None and type(one) is type(waiting) and is_short(one, half):
            yield grid([waiting, one], 2)
            waiting = None
            continue
        if waiting is not None:
            yield waiting
        waiting = one if is_short(one, half) else None
        if waiting is None:
            yield one
    if waiting is not None:
        yield waiting


def is_short(widget: Widget, wide: float) -> bool:
    """Whether a row, or a line that is no heading, is short enough for this width."""
    if isinstance(widget, OptionRow):
        left, _top, right, _bottom = widget.padding
        return sum(lines(one, wide - left - right) for one in widget.lines) <= HIGHEST
    plain = isinstance(widget, Text) and widget.grow and not widget.bold
    return plain and lines(widget, wide) == 1


def lines(text: Text, wide: float) -> int:
    """How many lines a text takes in this width."""
    look = (text.font_size, text.font_name, bool(text.bold), wide * SPARE)
    return sum(lines_needed(one, *look) for one in text.text.split("\n"))

"""A track drawn as a row of coloured fields, with its marker and the arrows of its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kivy.graphics import Color, Line, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME, Colour, paint
from companion.app.widgets.icon import icon_of, icon_texture
from companion.app.widgets.score_chart import words
from companion.app.widgets.seat_widgets import seat_place
from companion.engine.app_words import _
from companion.engine.turn.turn_records import BoxView
from companion.games.api.new_game import SeatView

FIELDS: Mapping[str, Colour] = {
    "grey": paint("#5B6270"),
    "green": paint("#2F7A4A"),
    "yellow": paint("#8F6A12"),
    "red": paint("#A5303A"),
}
"""The colours of fields; white numbers are readable on each."""
WHITE = (1.0, 1.0, 1.0, 1.0)
SIGN_DP = 22


class Track(Widget):
    """Fields from one player's end to the other's; the marker is a gold frame with a star."""

    def __init__(
        self, fields: Sequence[BoxView], seat: Callable[[str], SeatView | None], **more: Any
    ) -> None:
        super().__init__(size_hint_y=None, height=dp(132), **more)
        self.fields, self.seat = fields, seat
        self.bind(pos=self.draw, size=self.draw)

    def draw(self, *_changed: Any) -> None:
        """Draw the fields for the current width."""
        self.canvas.clear()
        wide, gap = self.width / len(self.fields), dp(2)
        low, high = self.y + dp(6), self.y + dp(74)
        with self.canvas:
            for number, field in enumerate(self.fields):
                left = self.x + number * wide + gap
                self.draw_field(field, left, low, wide - 2 * gap, high - low)
            for field, align, x in (
                (self.fields[0], "left", self.x),
                (self.fields[-1], "right", self.x + self.width),
            ):
                self.draw_end(field, align, x, high + dp(46))

    def draw_field(self, field: BoxView, x: float, y: float, wide: float, high: float) -> None:
        """A field with its number, and below it the arrow of a boost field or the cross of a
        rout."""
        middle, sign = x + wide / 2, dp(SIGN_DP)
        Color(*FIELDS[field.colour])
        Rectangle(pos=(x, y), size=(wide, high))
        words(field.title, middle, y + high * 0.66, WHITE, size="body")
        if field.badge:
            words(field.badge, middle, y + high * 0.24, WHITE, size="body")
        elif icon := icon_of(field.icon):
            self.draw_icon(icon, middle, y + high * 0.24, sign, WHITE)
        if field.marked:
            Color(*THEME.colour("accent"))
            Line(rectangle=(x, y, wide, high), width=dp(2.4))
            self.draw_icon("star", middle, y + high + dp(14), dp(24), THEME.colour("accent"))

    def draw_icon(self, icon: str, x: float, y: float, size: float, colour: Colour) -> None:
        Color(*colour)
        texture = icon_texture(icon, round(size), filled=icon == "star")
        Rectangle(texture=texture, pos=(x - size / 2, y - size / 2), size=(size, size))

    def draw_end(self, field: BoxView, align: str, x: float, y: float) -> None:
        """The player at whose end the field lies."""
        owner = self.seat(field.seat)
        if owner is None:
            return
        colour = f"side-{seat_place(owner)}"
        words(f"{THEME.mark_of(owner.colour)} {_(owner.name)}", x, y, colour, align, "large")

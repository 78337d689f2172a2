"""What belongs to a seat: banners in its colour with its mark."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Line, Quad, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.render.theme import FONTS, THEME, fitting_size, line_width
from companion.app.widgets.controls import Text
from companion.app.widgets.icon import icon_texture
from companion.games.api.new_game import SeatView
from companion.overlay.icons import MARK_NAMES, MARKS

WHITE = (1.0, 1.0, 1.0, 1.0)
BESIDE_TEXT_DP = 64
"""The width of the turn banner beside its text: the mark and the margins."""


def seat_place(seat: SeatView) -> int:
    """The number of a seat's colour and shape, from 0."""
    return (seat.colour - 1) % len(MARK_NAMES)


def seat_mark(seat: SeatView) -> str:
    return seat.mark if seat.mark in MARKS else MARK_NAMES[seat_place(seat)]


class Pennant(Widget):
    """A cloth with two tails in a seat's colour; without a seat it is grey."""

    def __init__(self, notch: float = 0.2, **more: Any) -> None:
        super().__init__(**more)
        self._notch = notch
        self.seat: SeatView | None = None
        with self.canvas.before:
            self._fill = Color(*THEME.colour("raised"))
            self._halves = (Quad(), Quad())
            self._seam_colour = Color(1, 1, 1, 0.4)
            self._seam = Line(width=dp(1))
        self.bind(pos=self._hang, size=self._hang)

    def set_seat(self, seat: SeatView | None) -> None:
        """Show another seat."""
        self.seat = seat
        role = f"fill-{seat_place(seat)}" if seat is not None else "raised"
        self._fill.rgba = THEME.colour(role)
        self._hang()

    def _hang(self, *_: Any) -> None:
        x, y = self.pos
        right, top = x + self.width, y + self.height
        middle, high = self.x + self.width / 2, self.y + self.height * self._notch
        self._halves[0].points = (x, top, middle, top, middle, high, x, y)
        self._halves[1].points = (right, top, middle, top, middle, high, right, y)
        inset = dp(5)
        self._seam.points = (x + inset, top - inset, right - inset, top - inset)


class SeatBanner(Pennant):
    """The coat of arms on a card."""

    def __init__(self) -> None:
        super().__init__(0.22, size_hint=(None, None), size=(dp(46), dp(56)))
        with self.canvas:
            Color(*WHITE)
            self._drawn = Rectangle()

    def _hang(self, *args: Any) -> None:
        super()._hang(*args)
        if not hasattr(self, "_drawn"):
            return
        side = round(dp(28))
        name = seat_mark(self.seat) if self.seat is not None else "people"
        self._drawn.texture = icon_texture(name, side)
        self._drawn.size = (side, side)
        left = self.x + (self.width - side) / 2
        self._drawn.pos = (round(left), round(self.y + self.height - side - dp(11)))


class TurnBanner(Pennant):
    """Whose turn it is, hanging from the upper edge of the window."""

    def __init__(self) -> None:
        super().__init__(0.16, size_hint=(None, 1), width=dp(200))
        with self.canvas:
            Color(*WHITE)
            self._drawn = Rectangle()
        self.label = Text("", "question", WHITE, bold=True, grow=False, shorten=True)
        self.label.font_name = FONTS["title"]
        self.label.shorten_from = "right"
        self.add_widget(self.label)

    def say(self, text: str, seat: SeatView | None, room: float) -> None:
        """Show whose turn it is, in at most this width."""
        self.label.set_text(text)
        self.label.color = WHITE if seat is not None else THEME.colour("text")
        room = max(room, dp(200)) - BESIDE_TEXT_DP * dp(1)  # before layout there is no room
        font, liked = FONTS["title"], THEME.size("question")
        size = fitting_size(text, liked, font, True, room, 1, THEME.size("body"))
        self.label.font_size = size
        wide = line_width(text, size, font, True)
        self.label.shorten = wide <= room  # else it takes two lines
        self.width = max(min(wide, room) + BESIDE_TEXT_DP * dp(1), dp(130))
        self.set_seat(seat)

    def _hang(self, *args: Any) -> None:
        super()._hang(*args)
        if not hasattr(self, "label"):
            return
        side = round(min(dp(28), self.height * 0.5))
        left = dp(12)
        if self.seat is not None:
            self._drawn.texture = icon_texture(seat_mark(self.seat), side)
            self._drawn.size = (side, side)
        else:
            self._drawn.size = (0, 0)
        foot = self.height * 0.12
        self._drawn.pos = (round(self.x + left), round(self.y + (self.height - side + foot) / 2))
        start = left + (side + dp(9) if self.seat is not None else 0)
        self.label.pos = (self.x + start, self.y + foot)
        self.label.size = (max(1.0, self.width - start - dp(8)), self.height - foot)

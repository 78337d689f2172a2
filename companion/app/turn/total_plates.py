"""The sides of a contest: what each comes to, large, in the colours of the players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text
from companion.app.widgets.seat_widgets import seat_place
from companion.engine.app_words import _
from companion.engine.snapshot import Snapshot
from companion.engine.turn.turn_records import TotalView

WHITE = (1.0, 1.0, 1.0, 1.0)


class TotalPlates(BoxLayout):
    """The totals beside each other, with a colon between them."""

    def __init__(self, snapshot: Snapshot, totals: Sequence[TotalView]) -> None:
        super().__init__(size_hint_y=None, spacing=THEME.gap("small"))
        self.bind(minimum_height=self.setter("height"))
        for number, one in enumerate(totals):
            if number:
                colon = Text(":", "title", "soft", bold=True, align="center")
                colon.size_hint_x, colon.width = None, dp(14)
                colon.pos_hint = {"center_y": 0.5}
                self.add_widget(colon)
            self.add_widget(Plate(snapshot, one))


class Plate(BoxLayout):
    """One side: the player's name, the total, and what it is made of."""

    def __init__(self, snapshot: Snapshot, total: TotalView) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, padding=THEME.gap("small"))
        self.bind(minimum_height=self.setter("height"))
        seat = snapshot.seat(total.seat)
        place = seat_place(seat) if seat is not None else 0
        with self.canvas.before:
            Color(*THEME.colour(f"fill-{place}"))
            self._ground = RoundedRectangle(radius=[THEME.radius])
        self.bind(pos=self._place, size=self._place)
        name = _(seat.name) if seat is not None else ""
        self.add_widget(Text(name, "small", WHITE, align="center"))
        self.add_widget(Text(str(total.total), "title", WHITE, bold=True, align="center"))
        self.add_widget(Text(total.detail or " ", "small", WHITE, align="center"))

    def _place(self, *_: Any) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size

"""A modal over the screen until it is closed: a form, a list, a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import CardBox, Rows, Text, TouchButton
from companion.engine.app_words import _


class Modal(AnchorLayout):
    """A card over a darkened screen; a tap outside it, or its cross, closes it."""

    def __init__(self, title: str, widgets: Sequence[Widget], close: Callable[[], Any]) -> None:
        super().__init__(padding=THEME.gap("wide"))
        self._close = close
        with self.canvas.before:
            Color(0, 0, 0, 0.62)
            self._shade = Rectangle()
        self.bind(pos=self._place, size=self._place)
        # Created with a size hint so that its height is not bound to its content: a list has no
        # height.
        self.card = CardBox("panel", rim="line", size_hint_x=None, size_hint_y=1)
        self.card.size_hint_y = None
        head = BoxLayout(size_hint_y=None, height=THEME.target, spacing=THEME.gap("small"))
        head.add_widget(Text(title, "large", bold=True, grow=False))
        cross = TouchButton("✕", close, "bare", name="close")
        cross.size_hint = (None, None)
        cross.size = (THEME.target, THEME.target)
        head.add_widget(cross)
        self.rows = Rows()
        self.rows.fill(widgets)
        self.card.add_widget(head)
        self.card.add_widget(self.rows)
        self.rows.column.bind(height=self._place)
        self.add_widget(self.card)

    def _place(self, *_: Any) -> None:
        self._shade.pos, self._shade.size = self.pos, self.size
        room = THEME.gap("wide") * 2
        self.card.width = min(dp(640), self.width - room)
        wanted = self.rows.column.height + THEME.target + 3 * THEME.gap() + THEME.gap("small")
        self.card.height = min(wanted, self.height - room)

    def on_touch_down(self, touch: Any) -> bool:
        """Keep touches from the widgets below the modal."""
        if not self.card.collide_point(*touch.pos):
            self._close()
            return True
        super().on_touch_down(touch)
        return True


def closing(text: str, close: Callable[[], Any]) -> TouchButton:
    """A button that only closes."""
    return TouchButton(text or _("Close"), close, "quiet", name="close-below")

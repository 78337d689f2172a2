"""A screen with a title, a back button, and a column that scrolls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import Rows, Text, TouchButton
from companion.app.widgets.touch_guard import TouchGuard
from companion.engine.app_words import _
from companion.engine.snapshot import CameraView, Snapshot

WIDEST_DP = 980


class ScreenPage(TouchGuard, BoxLayout):
    """The base of scrolling screens; subclasses fill `rows`."""

    def __init__(self, title: str, back: Callable[[], Any], **more: Any) -> None:
        super().__init__(orientation="vertical", spacing=THEME.gap("small"), **more)
        head = BoxLayout(
            size_hint_y=None,
            height=THEME.target + dp(12),
            padding=(dp(8), dp(6)),
            spacing=THEME.gap(),
        )
        self.back = TouchButton("‹  " + _("Back"), back, "plain", name="back")
        self.back.size_hint_x = None
        self.back.width = dp(120)
        head.add_widget(self.back)
        self.title = Text(title, "title", bold=True, grow=False)
        head.add_widget(self.title)
        self.said_over = (self.title, "top")  # a toast may cover the title, but no button
        self.add_widget(head)
        self.rows = Rows(size_hint=(None, 1))
        self.middle = AnchorLayout(padding=(THEME.gap(), 0))
        self.middle.add_widget(self.rows)
        self.middle.bind(size=self._place)
        self.add_widget(self.middle)

    def _place(self, *_: Any) -> None:
        self.rows.width = min(dp(WIDEST_DP), self.middle.width - 2 * THEME.gap())

    def fill(self, widgets: Sequence[Widget]) -> None:
        self.rows.fill(widgets)

    def show(self, snapshot: Snapshot) -> None:
        """Update from the newest snapshot; does nothing unless overridden."""

    def look(self, live: CameraView) -> None:
        """Update from the newest frame; does nothing unless overridden."""

"""A screen with a title, a back button and a column that scrolls, whose widgets stay in place
under a finger.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import Rows, Text, TouchButton
from companion.engine.app_words import _
from companion.engine.snapshot import CameraView, Snapshot

LONGEST_S = 0.5
"""A touch that a widget keeps for longer delays nothing any more."""


class TouchGuard(Widget):
    """A mixin for layouts whose widgets are rebuilt: never between touch-down and touch-up.

    A button that is replaced while a finger is on it, even by an equal one, loses the tap.
    """

    _fingers = 0
    _postponed: Callable[[], Any] | None = None

    def rebuild(self, build: Callable[[], Any]) -> None:
        """Call `build` now, or after the last finger is lifted; only the newest one counts."""
        if self._fingers:
            self._postponed = build
        else:
            self._postponed = None
            build()

    def on_touch_down(self, touch: Any) -> Any:
        """Count the fingers on it."""
        if self.collide_point(*touch.pos):
            self._fingers += 1
            touch.grab(self)  # another widget may take the touch-up
        return super().on_touch_down(touch)

    def on_touch_move(self, touch: Any) -> Any:
        return touch.grab_current is self or super().on_touch_move(touch)

    def on_touch_up(self, touch: Any) -> Any:
        """The finger counts as lifted when the button below has had its touch-up."""
        if touch.grab_current is not self:
            return super().on_touch_up(touch)
        touch.ungrab(self)
        Clock.schedule_once(partial(self._lift, touch, time.monotonic() + LONGEST_S), 0)
        return True

    def _lift(self, touch: Any, end: float, *_: Any) -> None:
        # A scrolling list passes a short tap on after a while: its button holds the touch so long.
        if touch.grab_list and time.monotonic() < end:
            Clock.schedule_once(partial(self._lift, touch, end), 0)
            return
        self._fingers -= 1
        if not self._fingers and self._postponed is not None:
            self.rebuild(self._postponed)


WIDEST_DP = 980


def head_title(title: str) -> Text:
    """The title of a page, in one line that keeps its beginning."""
    text = Text(title, "title", bold=True, grow=False, shorten=True)
    text.shorten_from, text.max_lines = "right", 1
    return text


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
        self.title = head_title(title)
        head.add_widget(self.title)
        self.said_over = (self.title, "top")  # a toast may cover the title, but no button
        self.add_widget(head)
        self.rows = Rows(size_hint=(None, 1))
        self.middle = AnchorLayout(padding=(THEME.gap(), 0))
        self.middle.add_widget(self.rows)
        self.middle.bind(size=self._place)
        self.add_widget(self.middle)

    def _place(self, *_: Any) -> None:
        if self.rows.size_hint_x is None:
            self.rows.width = min(dp(WIDEST_DP), self.middle.width - 2 * THEME.gap())

    def fill(self, widgets: Sequence[Widget]) -> None:
        self.rows.fill(widgets)

    def show(self, snapshot: Snapshot) -> None:
        """Update from the newest snapshot; does nothing unless overridden."""

    def look(self, live: CameraView) -> None:
        """Update from the newest frame; does nothing unless overridden."""

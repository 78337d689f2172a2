"""Toasts: messages over everything, one at a time, for a few seconds."""

from __future__ import annotations

import time
from typing import Any, Literal

from kivy.core.text.markup import MarkupLabel
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.widget import Widget

from companion.app.engine.app_words import _
from companion.app.render.theme import SKIN
from companion.app.widgets.controls import CardBox, Text

Edge = Literal["top", "bottom"]
TOLD_S = 6.0
WIDEST_DP = 760
LONG = 80
"""A longer text is written smaller, to leave what lies below free."""
BELOW_DP = 70
"""Space left free at the lower edge if no part of the screen is named, for wizards' buttons."""


class Toasts(AnchorLayout):
    """Shows toasts; each closes after some time or at a tap."""

    def __init__(self) -> None:
        super().__init__(anchor_x="center", anchor_y="bottom")
        self._told_s = 0.0
        self._room: Widget | None = None
        self._card: CardBox | None = None
        self._wide = 0.0
        self.bind(size=self._settle)

    def over(self, room: Widget | None = None, edge: Edge = "bottom") -> None:
        """Show toasts at an edge of this part of the screen, so that buttons stay free."""
        if self._room is not None:
            self._room.unbind(pos=self._settle, size=self._settle)
        self._room, self.anchor_y = room, edge
        if room is not None:
            room.bind(pos=self._settle, size=self._settle)
        self._settle()

    def say(self, text: str, why: str = "", refused: bool = True) -> None:
        """Show a toast, optionally with its rule number; no wider than its text."""
        self.hush()
        card = CardBox("raised", rim="bad" if refused else "line", size_hint_x=None)
        lines = [Text(_(text), "small" if len(text) > LONG else "body")]
        if why:
            lines.append(Text(why, "small", "accent", bold=True))
        for line in lines:
            card.add_widget(line)
        card.bind(on_touch_down=self._touched)
        self._card = card
        self._wide = max(in_one_line(line) for line in lines) + 2 * SKIN.gap() + dp(2)
        self._settle()
        self.add_widget(card)
        self._told_s = time.monotonic()

    def hush(self) -> None:
        """Close the toast."""
        self.clear_widgets()
        self._card = None
        self._told_s = 0.0

    def pass_time(self, now_s: float) -> None:
        """Close the toast when its time is over."""
        if self._told_s and now_s > self._told_s + TOLD_S:
            self.hush()

    def _settle(self, *_: Any) -> None:
        room, gap = self._room, SKIN.gap()
        left, above, right, below = gap, gap, gap, float(dp(BELOW_DP))
        if room is not None:
            left += room.x - self.x
            right += self.right - room.right
            above = self.top - room.top if self.anchor_y == "top" else gap
            below = gap + room.y - self.y if self.anchor_y == "bottom" else gap
        self.padding = (left, above, right, below)
        if self._card is not None:
            free = max(1.0, self.width - left - right)
            self._card.width = min(self._wide, dp(WIDEST_DP), free)

    def _touched(self, card: Widget, touch: Any) -> bool:
        """Close the toast; the touch is not passed to the widgets below."""
        if not card.collide_point(*touch.pos):
            return False
        self.hush()
        return True


def in_one_line(line: Text) -> float:
    """The width of the text without line breaks."""
    free = MarkupLabel(text=line.text, font_size=line.font_size, bold=line.bold)
    return float(free.render()[0])
